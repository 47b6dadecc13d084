"""Lines of a file at which an element of its design begins."""

from collections.abc import Iterator

from designer.document import Element, Model, Spec
from designer.document.base import Path, children
from designer.document.load import line_index


def lines_of_elements(text: str, spec: Spec, file: str = "") -> dict[str, int]:
    """Return the line of the file on which each element begins, by its id."""
    line = line_index(text, file)
    return {element.id: line(path) or 1 for path, element in _elements(spec, ())}


def _elements(part: Model, path: Path) -> Iterator[tuple[Path, Element]]:
    for name, place, child in children(part):
        below = (*path, name) if place is None else (*path, name, place)
        if isinstance(child, Element):
            yield below, child
        yield from _elements(child, below)
