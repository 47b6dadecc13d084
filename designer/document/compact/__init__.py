"""The compact form of a design: YAML that people write and review, and that holds all that the JSON holds."""

from ..base import Path
from ..design import Spec
from .comments import Comments, find_comments
from .nodes import CompactError, parse_yaml
from .reading import CompactText
from .writing import Line, compact_lines
from .yaml_text import yaml_scalar

__all__ = ["CompactError", "CompactText", "dump_compact", "format_compact", "read_compact"]

INDENT = "  "
SCHEMA = "$schema"


def read_compact(text: str) -> CompactText:
    """Return a compact text as data with places.

    Raises
    ------
    CompactError, InvalidDocumentError
        If the text cannot be read.
    """
    return CompactText(parse_yaml(text))


def dump_compact(spec: Spec, *, with_ids: bool = True) -> str:
    """Return the document's canonical compact text, from which `load` restores exactly this document.

    Without ids it holds only those that are referred to as such: what is read of it has other ids for the rest.
    """
    return _join(compact_lines(spec, with_ids=with_ids), Comments())


def format_compact(spec: Spec, text: str) -> str:
    """Return the canonical compact text of a document with the comments and `$schema` of the text it was read from."""
    text = text.removeprefix("\ufeff")  # as Windows editors write it: what stands behind it begins the line
    read = read_compact(text)
    schema = read.data.get(SCHEMA)  # editors read it
    head = [Line(0, f"{SCHEMA}: {yaml_scalar(schema, is_text=True)}", (SCHEMA,))] if isinstance(schema, str) else []
    return _join([*head, *compact_lines(spec)], find_comments(text, read.places))


def _join(lines: list[Line], comments: Comments) -> str:
    """Put comments to the lines of their parts, to the first in them, or to the nearest around them with a line."""
    own: dict[Path, int] = {}
    ends_at: dict[Path, int] = {}
    for place, line in enumerate(lines):
        for length in range(len(line.path) + 1):
            own.setdefault(line.path[:length], place)
            ends_at[line.path[:length]] = place

    def part_with_line(path: Path) -> Path:
        while path and path not in own:
            path = path[:-1]
        return path

    def line_of(path: Path) -> int:
        return own.get(part_with_line(path), 0)

    above: dict[int, list[str]] = {}
    beside: dict[int, list[str]] = {}
    for path, texts in comments.above.items():
        above.setdefault(line_of(path), []).extend(texts)
    for path, text in comments.beside.items():
        beside.setdefault(line_of(path), []).append(text)
    below: dict[int, list[str]] = {}
    # Inner parts first: what ends a part that ends with another stands behind what ends that one.
    for path, texts in sorted(comments.below.items(), key=lambda entry: -len(entry[0])):
        margin = INDENT * lines[line_of(path)].indent
        below.setdefault(ends_at.get(part_with_line(path), 0), []).extend(f"{margin}{text}" for text in texts)
    out: list[str] = []
    for place, line in enumerate(lines):
        margin = INDENT * line.indent
        out += [f"{margin}{text}" for text in above.get(place, ())]
        head, *rest = line.text.split("\n")
        ends = "".join(f"  {text}" for text in beside.get(place, ()))
        if rest and head.endswith(","):  # a folded line: behind it; of a text of lines: behind its `|`
            rest[-1] += ends
            ends = ""
        out.append(f"{margin}{head}{ends}")
        out += [f"{margin}{INDENT}{text}" if text else "" for text in rest]
        out += below.get(place, ())
    return "\n".join([*out, *comments.last]) + "\n"
