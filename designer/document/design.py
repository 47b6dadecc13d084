"""The whole document: `Spec`. References and ranges are checked here: engine limits are rules."""

import datetime
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, cached_property
from typing import Annotated, Any, ClassVar, Literal, Self, TypeVar

from pydantic import Field as _Field

from .access import Bind, Read
from .activity import Activity
from .base import (
    WHOLE,
    Day,
    Element,
    Flaw,
    Id,
    Model,
    Number,
    Path,
    SharedPart,
    children,
    list_field,
    optional_field,
    path_text,
    reachable_classes,
    slots,
)
from .field import FanOut, Field, Range
from .fits import NO_FITS, Fits
from .instance import Instance
from .known_shares import flaws_of_shares
from .measured_values import MeasuredValue
from .popularity import Popularity
from .references import Reference, references, targets
from .table import RowKind, Table
from .texts import N_, Text, build_text, get_close_matches

FORMAT: Literal[1] = 1
"""The version of the document's format; older ones are upgraded on load (`upgrades.py`)."""

Engine = Literal["bigtable", "tablestore"]
HORIZON_MONTHS_MAX, HORIZON_MONTHS_GUESS = 120, 12
"""Ten years, and a common planning period (our choices)."""

Value = TypeVar("Value")


class Ignore(Element):
    """A risk that the team accepts: one rule's finding on one element."""

    rule: str = _Field(title="Rule", pattern=r"^[A-Z]\d{3}$")
    at: Id = _Field(title="About", description="The element of the finding. If it is removed, a note reports it.")
    reason: str = _Field(title="Reason", min_length=1)
    owner: str = _Field(title="Owner", min_length=1)
    until: Day | None = _Field(default=None, title="Until")
    effect: Number | None = _Field(
        title="Effect at acceptance",
        default=None,
        description="The measured effect at acceptance. If it doubles, a note reports it.",
    )

    @property
    def label(self) -> str:
        """Code of the rule."""
        return self.rule


class ElementIndex(dict[str, Element]):
    """Elements of a document by their ids."""

    is_index: ClassVar[bool] = True


class Spec(Model):
    """A design document."""

    counts_once: ClassVar[bool] = True

    format: Annotated[Literal[1], WHOLE] = FORMAT
    name: str = _Field(default="", title="Name")
    description: str = _Field(title="Description", default="", description="Markdown.")
    engine: Engine = _Field(default="bigtable", title="Engine")
    horizon_months: Annotated[int, _Field(ge=1, le=HORIZON_MONTHS_MAX), WHOLE] | None = optional_field(
        "Horizon", unit="months", guess=HORIZON_MONTHS_GUESS, why=N_("a common planning period")
    )
    start: Day | None = optional_field("Start date")
    fields: tuple[Field, ...] = list_field("Fields")
    activities: tuple[Activity, ...] = list_field("Activities")
    tables: tuple[Table, ...] = list_field("Tables")
    instance: Instance = Instance()
    ignores: tuple[Ignore, ...] = list_field("Accepted risks")
    measured: tuple[MeasuredValue, ...] = list_field("Measured values", help="Origins of values that were measured.")

    def flaws(self) -> Iterator[Flaw]:
        parts = tuple(_parts_with_elements(self))
        count = sum(len(_elements_in(part)) for part in parts)
        if len(self.by_id) < count or not self._has_all_targets():  # where they are is asked only then
            yield from self._wrong_ids()
        yield from self._reference_cycles()
        drawing = [element for part in parts for element in _drawing_elements(part)]
        yield from self._meaningless_ranges(element for element in drawing if isinstance(element, Read))
        yield from self._row_kinds_elsewhere()
        yield from self._shares_below_others(drawing)

    def _has_all_targets(self) -> bool:
        """Return whether each reference means an element of its kind."""
        return all(isinstance(self.by_id.get(to), target) for to, target in targets(self))

    def _wrong_ids(self) -> Iterator[Flaw]:
        """Yield a flaw for each id that is used twice, and for each reference to what there is not."""
        elements = dict[str, Path]()
        for path, element in paths(self):
            if element.id in elements:
                message = N_('the id "{id}" is used more than once, first at {first}')
                yield Flaw((*path, "id"), build_text(message, id=element.id, first=path_text(elements[element.id])))
            elements.setdefault(element.id, path)
        for reference in self.pointers:
            target = self.by_id.get(reference.to)
            if target is None:
                yield Flaw(reference.path, self._unknown_id_text(reference))
            elif not isinstance(target, reference.target):
                message = N_('"{id}" is the id of an element of another kind, not of a {wanted}')
                yield Flaw(reference.path, build_text(message, id=reference.to, wanted=reference.target_type))

    def _meaningless_ranges(self, reads: Iterable[Read]) -> Iterator[Flaw]:
        """Yield a flaw for each range of values that is not of the field's kind, or that ends before it begins."""
        for read in reads:
            for place, bind in enumerate(read.binds):
                field = self.by_id.get(bind.field)
                if not bind.is_range or not isinstance(field, Field):
                    continue
                for flaw in _range_flaws(bind, field):
                    path = next(path for path, element in paths(self) if element is read)
                    yield Flaw((*path, "binds", place, *flaw.at), flaw.text)

    def _shares_below_others(self, elements: Iterable[Element]) -> Iterator[Flaw]:
        """Yield a flaw for each law by which others than those whose shares are told would be the busiest."""
        for element in elements:
            for name, law, at in _laws_of(element):
                field = self.by_id.get(name)
                for flaw in flaws_of_shares(law, field.stated_values) if isinstance(field, Field) else ():
                    path = next(path for path, each in paths(self) if each is element)
                    yield Flaw((*path, *at, *flaw.at), flaw.text)

    def _row_kinds_elsewhere(self) -> Iterator[Flaw]:
        """Yield a flaw for each row kind that a read cannot return with its own: its own, or one of another table."""
        for table_number, table in enumerate(self.tables):
            for number, kind in enumerate(table.row_kinds):
                # A row kind that does not exist at all is told as a wrong reference, and not a second time here.
                for place, read in enumerate(kind.reads):
                    beside = {other.id for other in table.row_kinds} - {kind.id} if read.row_kinds else ()
                    for index, name in enumerate(read.row_kinds):
                        if name not in beside and isinstance(self.by_id.get(name), RowKind):
                            message = N_('one scan returns other row kinds of its own table, and "{id}" is not one')
                            at = ("tables", table_number, "row_kinds", number, "reads", place, "row_kinds", index)
                            yield Flaw(at, build_text(message, id=name))

    def _unknown_id_text(self, reference: Reference) -> Text:
        """Return the message for an id that does not exist, with the id that was probably meant."""
        few = len(self.by_id) <= 2_000  # among more, looking for one that is alike takes too long
        alike = {e.id: e.id for e in self.elements() if isinstance(e, reference.target)} if few else {}
        alike |= {self.find(id_).name: id_ for id_ in alike.values() if hasattr(self.find(id_), "name")}
        near = get_close_matches(reference.to, alike, n=1)
        if not near:
            message = N_('no {wanted} has the id "{id}"')
            return build_text(message, wanted=reference.target_type, id=reference.to)
        message = N_('no {wanted} has the id "{id}"; did you mean "{meant}"?')
        return build_text(message, wanted=reference.target_type, id=reference.to, meant=alike[near[0]])

    def _reference_cycles(self) -> Iterator[Flaw]:
        """Chains of `belongs_to`, `unique_within` or `derived_from` that come back to where they began."""
        for name in ("belongs_to", "unique_within"):
            owners = {field.id: getattr(field, name) for field in self.fields}
            circling = _cyclic_elements(owners)
            for number, field in enumerate(self.fields):
                if field.id in circling:
                    message = N_("{name} refers back to this field in a cycle")
                    yield Flaw(("fields", number, name), build_text(message, name=name))
        sources = {table.id: table.derived_from.table for table in self.tables if table.derived_from}
        circling = _cyclic_elements(sources)
        for number, table in enumerate(self.tables):
            if table.id in circling:
                yield Flaw(("tables", number, "derived_from"), build_text(N_("derived_from refers back to this table")))

    def __copy__(self) -> Self:
        """Return a copy with an empty cache, because `model_copy` may change the copy."""
        copied = super().__copy__()
        # These are about the original's parts. What remains, such as `default_start`, was stated by the reader.
        for name in ("by_id", "pointers", "result_cache"):
            copied.__dict__.pop(name, None)
        return copied

    @cached_property
    def default_start(self) -> datetime.date | None:
        """Start date to use while the document has none: a day that its reader stated with `with_default_start`.

        It is no part of the document: it is not saved, compared or exported.
        """
        return None

    def with_default_start(self, day: datetime.date) -> Self:
        """Return this document, or, if it has no start date, a copy that starts on this day."""
        if self.start is not None or self.default_start == day:
            return self
        copied = self.model_copy()
        copied.__dict__["default_start"] = day
        return copied

    def with_horizon(self, months: float) -> Self:
        """Return a copy of this document that ends after so many months, also within one: a state to compute with."""
        copied = self.model_copy(update={"horizon_months": int(months) if months == int(months) else months})
        copied.__dict__["by_id"] = self.by_id  # its elements are the same ones
        return copied

    @cached_property
    def fits(self) -> Fits:
        """Values in place of assumed ones, which whoever computes with the document has stated with `with_fits`."""
        return NO_FITS

    def has_known_skew(self, field: Field) -> bool:
        """Return whether a field's access distribution is set, or fitted to what is known."""
        return field.has_known_skew or (field.id, "popularity") in self.fits.values

    def with_fits(self, fits: Fits) -> Self:
        """Return a copy of this document with values fitted to its known sizes."""
        copied = self.model_copy()
        copied.__dict__["fits"] = fits
        return copied

    @cached_property
    def result_cache(self) -> dict[Any, Any]:
        """Cache for functions of the document, which compute their results once per document."""
        return {}

    def elements(self) -> Iterator[Element]:
        """Every element that has an id, in document order."""
        return iter(_collect_elements(self, []))

    @cached_property
    def by_id(self) -> dict[str, Element]:
        """Every element by its id."""
        index = ElementIndex()
        for part in _parts_with_elements(self):
            index |= _index_of(part)
        return index

    @cached_property
    def pointers(self) -> tuple[Reference, ...]:
        """Every reference to an element, in document order."""
        return tuple(references(self))

    def find(self, id: str) -> Any:  # noqa: A002
        """Return the element with this id.

        Raises
        ------
        KeyError
            If no element has this id.
        """
        return self.by_id[id]

    def find_measured(self, at: str, name: str) -> MeasuredValue | None:
        """Return the newest measurement that a field of an element, or of a part in it, still has the value of."""
        element = self.by_id.get(at)
        mine = [
            measurement
            for measurement in self.measured
            if measurement.at == at and (measurement.field == name or measurement.field.startswith(f"{name}."))
        ]
        still = [measurement for measurement in mine if element is not None and measurement.holds_for(element)]
        return max(still, key=lambda measurement: measurement.date, default=None)

    def row_kinds(self) -> Iterator[tuple[Table, RowKind]]:
        """Every row kind with its table."""
        return ((table, kind) for table in self.tables for kind in table.row_kinds)


def _is_number_or_open(bind: Bind, name: str) -> bool:
    """Return whether a bound is a number, or not set."""
    text = getattr(bind, name)
    try:
        return text is None or math.isfinite(float(text))
    except ValueError:
        return False


def _laws_of(element: Element) -> Iterator[tuple[str, Popularity | None, Path]]:
    """Yield the laws by which an element draws values of fields: the field, the law and where it stands."""
    match element:
        case Activity(draws=draws):
            yield from ((draw.field, draw.popularity, ("draws", n, "popularity")) for n, draw in enumerate(draws))
        case Read(binds=binds):
            yield from ((bind.field, bind.popularity, ("binds", n, "popularity")) for n, bind in enumerate(binds))
        case Field(belongs_to=str() as owner, fan_out=FanOut(law=law)):
            yield owner, law, ("fan_out", "law")


def _drawing_elements(part: Model) -> list[Element]:
    """Return the elements of a part that state by which law values are drawn, or a range of them."""
    return _of_part(part, "drawing", lambda: [element for element in _elements_in(part) if _is_drawing(element)])


def _is_drawing(element: Element) -> bool:
    has_law = any(law is not None for _, law, _ in _laws_of(element))
    return has_law or (isinstance(element, Read) and any(bind.is_range for bind in element.binds))


def _range_flaws(bind: Bind, field: Field) -> Iterator[Flaw]:
    # Only a stated kind counts: a guess from the name must not make a stored document invalid.
    is_number = field.kind in ("integer", "float") or isinstance(field.values, Range)
    wrong = [name for name in ("from_value", "to_value") if is_number and not _is_number_or_open(bind, name)]
    for name in wrong:
        message = N_('"{value}" is not a number, as the values of "{field}" are')
        yield Flaw((name,), build_text(message, value=getattr(bind, name), field=field.label))
    # Texts are compared by their bytes, as the engine orders them, and not by Unicode's order of characters.
    form: Callable[[str], Any] = float if is_number else str.encode
    if field.kind == "timestamp":
        message = N_('"{field}" is a time: specify the time range of the read instead')
        yield Flaw((), build_text(message, field=field.label))
    elif not wrong and None not in (ends := (bind.from_value, bind.to_value)):
        first, last = (form(str(end)) for end in ends)
        if first > last:
            message = N_('the range ends at "{last}", before it begins at "{first}"')
            yield Flaw(("to_value",), build_text(message, first=ends[0], last=ends[1]))


def paths(spec: Spec) -> Iterator[tuple[Path, Element]]:
    """Every element with the way to it, in document order."""
    return _paths(spec, ())


def path_of(spec: Spec, id: str) -> Path:  # noqa: A002
    """Return the way to an element; () if there is none."""
    for name, number, child in children(spec):
        # The elements of a shared part are cached in it, which spares the walk through most of the document.
        if isinstance(child, SharedPart) and not any(element.id == id for element in _elements_in(child)):
            continue
        way: Path = (name,) if number is None else (name, number)
        whole_path = next((path for path, element in _paths(child, way) if element.id == id), ())
        if whole_path:
            return whole_path
    return ()


def _paths(model: Model, path: Path) -> Iterator[tuple[Path, Element]]:
    if isinstance(model, Element):
        yield path, model
    for name, number, child in children(model):
        if _holds_elements(type(child)):
            yield from _paths(child, (*path, name) if number is None else (*path, name, number))


def _parts_with_elements(spec: Spec) -> Iterator[Model]:
    """Yield the parts of a document that are elements or contain one, in document order."""
    for name in _slots_with_elements(type(spec)):
        value = getattr(spec, name)
        yield from (value,) if isinstance(value, Model) else value or ()


def _collect_elements(model: Model, elements: list[Element]) -> list[Element]:
    """Append the elements in a model, itself included, in document order; return the list."""
    if isinstance(model, SharedPart):
        elements += _elements_in(model)
        return elements
    return _collect_inner(model, elements)


def _elements_in(part: Model) -> list[Element]:
    """Return the elements in a part, itself included, in document order."""
    return _of_part(part, "elements", lambda: _collect_inner(part, []))


def _index_of(part: Model) -> dict[str, Element]:
    """Return the elements in a part, itself included, by their ids."""
    return _of_part(part, "index", lambda: {element.id: element for element in _elements_in(part)})


def _of_part(part: Model, name: str, compute: Callable[[], Value]) -> Value:
    """Return what is computed from a part, kept in it if documents share it."""
    if not isinstance(part, SharedPart):
        return compute()
    if name not in part.derived:
        part.derived[name] = compute()
    value: Value = part.derived[name]
    return value


def _collect_inner(model: Model, elements: list[Element]) -> list[Element]:
    if isinstance(model, Element):
        elements.append(model)
    for name in _slots_with_elements(type(model)):
        value = getattr(model, name)
        for inner in (value,) if isinstance(value, Model) else value or ():
            _collect_elements(inner, elements)
    return elements


@cache
def _slots_with_elements(model: type[Model]) -> tuple[str, ...]:
    """Return the fields of a class whose models are elements, or may contain one."""
    return tuple(name for name, slot in slots(model).items() if any(map(_holds_elements, slot.classes)))


@cache
def _holds_elements(model: type[Model]) -> bool:
    """Return whether a model of this class is an element, or may contain one."""
    return any(issubclass(cls, Element) for cls in reachable_classes(model))


def _cyclic_elements(steps: Mapping[str, str | None] | Mapping[str, str]) -> set[str]:
    """Return the elements that are part of a cycle of steps."""
    done, circling = set[str](), set[str]()
    for start in steps:
        way = dict[str, int]()
        at: str | None = start
        while at is not None and at not in done and at not in way:
            way[at] = len(way)
            at = steps.get(at)
        # Only from where the way meets itself: elements that merely lead into a cycle are not part of it.
        if at is not None and at in way:
            circling |= {step for step, number in way.items() if number >= way[at]}
        done.update(way)
    return circling


__all__ = ["FORMAT", "Engine", "Id", "Ignore", "Spec"]
