"""Languages in which there is code for keys: what writes it, what its file is called, and what it runs on."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic

from designer.document import Spec
from designer.document.texts import N_

from ..shared.result import ExportRemarks
from . import go, java, python, typescript
from .codes import KeyCode
from .columns import go as go_columns
from .columns import java as java_columns
from .columns import python as python_columns
from .columns import typescript as typescript_columns
from .columns.codes import PrimaryKeyCode
from .writing import AnyCode


@dataclass(frozen=True)
class CodeWriter(Generic[AnyCode]):
    """One language's writer of keys of bytes, or of keys with columns."""

    write_module: Callable[[Spec, Sequence[AnyCode], str, str], str]
    """Returns the file of these keys, for its origin and its name."""
    keep_exact: Callable[[Sequence[AnyCode], ExportRemarks], Iterable[AnyCode]] = lambda keys, _: keys
    """Returns the keys that the language makes exactly, and refuses the others."""


@dataclass(frozen=True)
class CodeLanguage:
    """One language of the code for keys."""

    file_name: Callable[[str], str]
    """Returns the name of the file, of the design's name in ASCII letters and digits."""
    note: str
    """How the file is run; a message."""
    row_keys: CodeWriter[KeyCode]
    primary_keys: CodeWriter[PrimaryKeyCode]


LANGUAGES: Mapping[str, CodeLanguage] = {
    "python": CodeLanguage(
        "{}_keys.py".format,
        N_("run the module to verify its keys; it requires Python 3.11 or newer"),
        CodeWriter(python.write_module),
        CodeWriter(python_columns.write_module),
    ),
    "typescript": CodeLanguage(
        "{}_keys.ts".format,
        N_("call verify() to verify the keys; the module requires ES2022, or Node.js 22.18 or newer to run as it is"),
        CodeWriter(typescript.write_module, typescript.keep_exact),
        CodeWriter(typescript_columns.write_module, typescript_columns.keep_exact),
    ),
    "go": CodeLanguage(
        "{}_keys.go".format,
        N_("call Verify in a test to verify the keys; the file requires Go 1.19 or newer and no other module"),
        CodeWriter(go.write_module, go.keep_exact),
        CodeWriter(go_columns.write_module, go_columns.keep_exact),
    ),
    "java": CodeLanguage(
        lambda name: f"{java.class_name(name)}.java",
        N_("run the class to verify its keys; it requires Java 17 or newer, and its text is UTF-8"),
        CodeWriter(java.write_module, java.keep_exact),
        CodeWriter(java_columns.write_module, java_columns.keep_exact),
    ),
}
"""By the names of `CODE_LANGUAGES`."""
