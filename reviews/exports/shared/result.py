"""Result of an export: files, notes, and features that the target cannot express.

Each remark refers to its element.
"""

import io
import zipfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from designer.document import Model
from designer.document.texts import N_, Text
from designer.wording.formatting import english

from .content import ExportContent


@dataclass(frozen=True)
class ExportRemark:
    """A sentence about one element; `at` is empty where it is about the whole design."""

    at: str
    message: str
    params: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return english(self.message, self.params)


@dataclass(frozen=True)
class File:
    """One file: its name, without a folder, and what is in it."""

    name: str
    data: bytes

    @staticmethod
    def of(name: str, text: str) -> "File":
        """Build a file from text."""
        return File(name, text.encode())

    @property
    def text(self) -> str:
        """Its text; UnicodeDecodeError where it is none."""
        return self.data.decode()


@dataclass(frozen=True)
class ExportResult:
    """Files and remarks of an export.

    Refused parts are in none of the files; all others are exactly as the design defines them.
    """

    files: tuple[File, ...]
    notes: tuple[ExportRemark, ...] = ()
    refusals: tuple[ExportRemark, ...] = ()


@dataclass(frozen=True)
class Format:
    """One way to hand a design over."""

    name: str
    title: str
    """What people call it: a message, or a name that is the same everywhere."""
    about: str
    """One sentence about what one gets and how it is used; a message."""
    make: Callable[[ExportContent], ExportResult]
    engines: tuple[str, ...] = ("bigtable", "tablestore")
    media_type: str = "text/plain"
    """Of its files; text of any kind is shown in the page before it is taken."""
    omits: Mapping[type[Model], tuple[str, ...]] = field(default_factory=dict)
    """Fields of the document for which its files have no place; a note names those that a design sets."""


class ExportRemarks:
    """Collects what is to be said while files are written; each thing once."""

    def __init__(self) -> None:
        self._notes: dict[tuple[str, str], ExportRemark] = {}
        self._refusals: dict[tuple[str, str], ExportRemark] = {}

    def note(self, at: str, message: str, **params: Any) -> str:
        """Something that whoever uses the files should know. Returns the sentence, for a comment."""
        remark = ExportRemark(at, message, params)
        # By place and sentence: several files of one export can meet the same thing.
        self._notes[at, str(remark)] = remark
        return str(remark)

    def refuse(self, at: str, message: str, **params: Any) -> str:
        """Something that the target cannot express. Returns the sentence, for a comment."""
        remark = ExportRemark(at, message, params)
        self._refusals[at, str(remark)] = remark
        return str(remark)

    def refuse_field(self, at: str, tool: str, model: type[Model], field: str) -> str:
        """Refuse a field of the document that the tool has no words for. Returns the sentence, for a comment."""
        what = Text(str(model.model_fields[field].title))
        return self.refuse(at, N_('{tool} does not support "{what}"'), tool=tool, what=what)

    def note_guess(self, at: str, model: type[Model], field: str, value: Any) -> None:
        """Note that a value is written which the design does not say."""
        what = Text(str(model.model_fields[field].title))
        self.note(
            at,
            N_('the design does not specify "{what}"; exported with the assumed value {value}'),
            what=what,
            value=value,
        )

    def build_result(self, *files: File) -> ExportResult:
        """Build the result with these files."""
        return ExportResult(files, tuple(self._notes.values()), tuple(self._refusals.values()))


_EPOCH = (1980, 1, 1, 0, 0, 0)
"""The earliest that a ZIP can say: its files have no time of their own."""


def zip_files(files: Iterable[File]) -> bytes:
    """Return the files as one ZIP, the same files as the same bytes; shell scripts in it are executable."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in files:
            entry = zipfile.ZipInfo(file.name, _EPOCH)
            # The upper 16 bits are Unix's permissions, which unzip restores.
            entry.external_attr = (0o755 if file.name.endswith(".sh") else 0o644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, file.data)
    return buffer.getvalue()
