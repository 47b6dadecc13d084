"""Other tools' output as a design.

A module has `TITLE`, `can_read(text, data)` (whether a text is of this format; `data` is its JSON, if it is any) and
`read(text, data)`. `keys/` is the inference of patterns from keys, which `sample_keys` uses; `shared/` is what several
formats use.
"""

import codecs
import importlib
import json
import pkgutil
from collections.abc import Mapping
from types import ModuleType
from typing import Any

from designer.document.lines import depth
from designer.document.load import MAX_BYTES, MAX_DEPTH
from designer.document.texts import N_, build_text
from designer.document.validation_errors import InvalidDocumentError, Problem

from . import cbt
from .shared.appearance import foreign_text
from .shared.commands import refuse_commands
from .shared.result import ImportRemark, ImportResult, MatchedKeys
from .shared.tool_errors import refuse_api_error, refuse_text_for_people, refuse_tool_error

__all__ = [
    "FOREIGN",
    "MOST_BYTES",
    "NAMES",
    "UNKNOWN_JSON",
    "ImportRemark",
    "ImportResult",
    "MatchedKeys",
    "detect_format",
    "foreign_text",
    "formats_by_name",
    "read",
    "refuse_non_keys",
]

MOST_BYTES = MAX_BYTES
_ORDER = (
    "design", "terraform_state", "gcloud", "tablestore", "dynamodb", "row_key_schema", "cql", "hbase", "terraform",
    "cbt", "sample_keys",
)  # fmt: skip
"""In this order a text is tried: what is said plainest first, lines of anything last."""
_OF_LINES = ("cbt", "sample_keys")
"""Formats that take plain lines, as tools print them for people, too."""
_FOUND = {module.name for module in pkgutil.iter_modules(__path__) if not module.ispkg}
UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
"""How files begin that PowerShell made of a command's output with `>`."""
FOREIGN = N_("not recognised: it looks like {looks}. Where these are row keys, import them as sample keys")
UNKNOWN_JSON = N_("JSON in an unknown format")
_SHAPELESS = (AttributeError, IndexError, KeyError, OverflowError, RecursionError, TypeError, ValueError)
"""What comes of text that begins as one of the formats and has something else inside; it is refused in one place."""
NAMES = (*(name for name in _ORDER if name in _FOUND), *sorted(_FOUND - set(_ORDER)))


def formats_by_name() -> Mapping[str, ModuleType]:
    """All formats by their names."""
    return {name: importlib.import_module(f"{__name__}.{name}") for name in NAMES}


def detect_format(text: str) -> str:
    """Return the name of the text's format; the default is the last one, which accepts any lines."""
    data = _parse_json(text)
    return next((name for name, importer in formats_by_name().items() if importer.can_read(text, data)), NAMES[-1])


def read(text: str | bytes, name: str = "", *, table_name: str = "") -> ImportResult:
    """Import a text in the named format, or in the detected one.

    Parameters
    ----------
    text
        The text.
    name
        The name of its format.
    table_name
        The table whose families `cbt` lists, which names none.

    Raises
    ------
    InvalidDocumentError
        If nothing can be read, with the place.
    """
    content = decode(text)
    if not content.strip():
        raise InvalidDocumentError([Problem((), build_text(N_("the file is empty")))])
    data = _parse_json(content)
    if data is None:
        refuse_tool_error(content)
    refuse_api_error(data)
    if name not in NAMES:
        name = detect_format(content)
        if name in _OF_LINES:
            refuse_text_for_people(content)
        if data is not None and not formats_by_name()[name].can_read(content, data):
            is_empty = data == []  # as gcloud lists where nothing is
            message = N_("an empty list: its kind is unknown") if is_empty else UNKNOWN_JSON
            raise InvalidDocumentError([Problem((), build_text(message))])
        if name == NAMES[-1]:
            refuse_non_keys(content)
        if name == NAMES[-1] and (looks := foreign_text(content)) is not None:
            raise InvalidDocumentError([Problem((), build_text(FOREIGN, looks=looks))])
    try:
        result: ImportResult = formats_by_name()[name].read(content, data)
        if table_name and cbt.lists_nameless_families(result):
            return cbt.read(content, data, table_name=table_name)
        return result
    except InvalidDocumentError:
        raise
    except _SHAPELESS:
        message = N_("does not match the output of {format}")
        raise InvalidDocumentError(
            [Problem((), build_text(message, format=str(formats_by_name()[name].TITLE)))]
        ) from None


def refuse_non_keys(text: str) -> None:
    """Raise InvalidDocumentError if the text is a tool's error or commands for one, which no table has as keys."""
    refuse_tool_error(text)
    refuse_commands(text)


def decode(text: str | bytes) -> str:
    """Return bytes as text, within the limits of size and depth."""
    raw = text if isinstance(text, bytes) else text.encode(errors="surrogatepass")
    if len(raw) > MOST_BYTES:
        raise InvalidDocumentError([Problem((), build_text(N_("larger than {most} MB"), most=MOST_BYTES // 1_000_000))])
    try:
        content = raw.decode("utf-16" if raw.startswith(UTF_16) else "utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        message = N_("not UTF-8 text: contains the byte {byte}")
        raise InvalidDocumentError([Problem((), build_text(message, byte=f"0x{raw[error.start]:02x}"), line)]) from None
    if depth(content) > MAX_DEPTH:
        message = N_("lists and objects are nested more than {most} levels deep")
        raise InvalidDocumentError([Problem((), build_text(message, most=MAX_DEPTH))])
    return content


def _parse_json(text: str) -> Any:
    if text.lstrip()[:1] not in ("{", "["):
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
