"""Lines of a file at which an element of its design begins."""

from collections.abc import Iterator

from designer.document import Element, Model, Spec
from designer.document.base import Path, children
from designer.document.compact import read_compact
from designer.document.lines import index_lines
from designer.document.load import is_compact


def lines_of_elements(text: str, spec: Spec, file: str = "") -> dict[str, int]:
    """Return the line of the file on which each element begins, by its id."""
    if is_compact(text, file):
        line = read_compact(text).line
    else:
        line = index_lines(text).line
    return {element.id: line(path) or 1 for path, element in _elements(spec, ())}


def _elements(part: Model, path: Path) -> Iterator[tuple[Path, Element]]:
    for name, place, child in children(part):
        below = (*path, name) if place is None else (*path, name, place)
        if isinstance(child, Element):
            yield below, child
        yield from _elements(child, below)
