"""Location of an element in readable words: `readings / row key / time`."""

from collections.abc import Iterator

from designer.document import Element, Model, Spec
from designer.document.base import children
from designer.document.key import AnySegment
from designer.document.table import RowKind
from designer.wording import element_label, segment_label


def element_path(spec: Spec, id: str) -> str:  # noqa: A002
    """Return the names on the path to an element, outermost first; the design itself is `the design`."""
    trails = spec.result_cache.get("trails")
    if trails is None:
        trails = spec.result_cache["trails"] = {trail[-1].id: trail for trail in _trails(spec, ())}
    if id not in trails:
        return f"the removed element {id}" if id else "the design"
    trail = trails[id]
    return " / ".join(_label(spec, e) for e in trail if not _says_nothing(e, is_last=e is trail[-1]))


def _trails(model: Model, trail: tuple[Element, ...]) -> Iterator[tuple[Element, ...]]:
    for _, _, child in children(model):
        longer = (*trail, child) if isinstance(child, Element) else trail
        if isinstance(child, Element):
            yield longer
        yield from _trails(child, longer)


def _says_nothing(element: Element, *, is_last: bool) -> bool:
    return isinstance(element, RowKind) and not element.name and (element.has_generated_id or not is_last)


def _label(spec: Spec, element: Element) -> str:
    if isinstance(element, AnySegment):
        return f"key segment {segment_label(spec, element)}"
    return element_label(spec, element.id)
