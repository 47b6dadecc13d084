"""Result of an import: a document, and the parts of the text that are not in it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from designer.document import Spec
from designer.document.texts import N_, Text

from .stated_parts import StatedParts


def line_place(line: int, message: str = "") -> Text:
    """Return the message for a place in a text."""
    if message:
        return Text(N_("line {line}, {what}"), {"line": line, "what": message})
    return Text(N_("line {line}"), {"line": line})


@dataclass(frozen=True)
class ImportRemark:
    """Something that was not understood, or has no place in a design: where it stands, and a sentence."""

    where: str | Text
    """As the text names it: a line, a resource, a table."""
    message: str
    params: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.where}: {self.message.format_map(self.params)}".removeprefix(": ")


@dataclass(frozen=True)
class MatchedKeys:
    """Number of the lines of sample keys that have the pattern of a row kind."""

    matching: int
    lines: int
    """All lines, of every row kind."""
    example: str


@dataclass(frozen=True)
class ImportResult:
    """The document that the text makes, checked; nothing is saved."""

    format: str
    spec: Spec
    remarks: tuple[ImportRemark, ...] = ()
    told: StatedParts = field(default_factory=StatedParts)
    """What the text tells of what runs, apart from what its document has by default."""
    matched: Mapping[str, MatchedKeys] = field(default_factory=dict)
    """Of sample keys, by the id of their row kind."""
    other_instances: tuple[str, ...] = ()
    """Instances that the text tells of beside the one of the document, of which nothing is here."""
    is_assumed: bool = False
    """Nothing but its words tells the format: any other list of names looks the same."""
