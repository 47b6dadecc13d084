"""The controls of an element: each with its title, help, unit, choices, value and guess."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

from designer import wording as words
from designer.document import Element, Ignore, Model, Spec, groups, guess
from designer.document.base import slots, tag, walk
from designer.document.dump import to_plain_data
from designer.document.edits.lookup import declaring_model
from designer.document.field import NOTHING, Field
from designer.document.texts import N_, Text
from designer.editing import parts

from .shapes import FieldShape, Kind, model_of, shape


@dataclass(frozen=True)
class Option:
    """One entry of a choice."""

    value: Any
    label: str
    """A message, or a name."""


@dataclass(frozen=True)
class Control:
    """One field as a form shows it."""

    name: str
    """Name of the input: `v`, and for what is inside a part `v.rules.0.age_days`."""
    field: str
    title: str
    help: str
    unit: str
    kind: Kind
    value: Any
    """As the document has it; None is not set."""
    optional: bool = False
    options: tuple[Option, ...] = ()
    guess: Any = None
    why: str | Text = ""
    """Why the guess is what it is; empty where nothing is guessed."""
    inside: tuple["Control", ...] = ()
    """Of a part its fields, of a list its items."""
    editor: str = ""
    """The editor that a part has of its own (`designer.editing.parts`)."""

    of_parts: bool = False
    """Of a list: its items are parts, which are added and removed one by one."""

    is_rare: bool = False
    """Below "more" of its part until it is set."""

    lacks_target: bool = False
    """A missing part that must refer to another element, of which there is none."""

    @property
    def usual_inside(self) -> tuple["Control", ...]:
        """Fields of a part that are shown at once."""
        return tuple(inner for inner in self.inside if not inner.is_rare)

    @property
    def rare_inside(self) -> tuple["Control", ...]:
        """Fields of a part that are below "more"."""
        return tuple(inner for inner in self.inside if inner.is_rare)

    @property
    def is_guessed(self) -> bool:
        """True if an assumed value currently takes the place of a set one."""
        return self.value is None and bool(self.why)


def control_id(at: str, field: str, name: str = "v") -> str:
    """Return the page id of a control, or of an input in it."""
    return f"c-{at or 'design'}-{field}{name.removeprefix('v')}".replace(".", "-")


SILENT = frozenset({"id", "format", "measured"})
INSTANCE = "-instance"
"""Stands for the instance where an element that is open is named; it has no id, so its fields are the design's."""


def controls(spec: Spec, at: str) -> tuple[Control, ...]:
    """Return the controls of an element in document order, without lists of elements."""
    owner: Any = spec.by_id[at] if at else spec
    return tuple(_controls(spec, owner))


def control(spec: Spec, at: str, name: str) -> Control:
    """Return the control of one field of an element.

    The `name` may go through nested parts: `instance.edition`.
    """
    owner, field = declaring_model(spec, at, name)
    return _control(spec, owner, field, name=name)


def control_fields(spec: Spec, at: str) -> tuple[str, ...]:
    """Return the fields of an element that have a control; those of the instance with the design's names."""
    if at == INSTANCE:
        return tuple(f"instance.{field}" for field in _fields(spec, spec.instance))
    return tuple(_fields(spec, spec.by_id[at] if at else spec))


def _fields(spec: Spec, owner: Model) -> Iterator[str]:
    for field in type(owner).model_fields:
        slot = slots(type(owner)).get(field)
        if field in SILENT or (field == "kind" and tag(type(owner))):
            continue
        # Elements have forms of their own.
        if slot is not None and slot.has_elements:
            continue
        if slot is not None and slot.required and any(s.has_elements for s in slots(slot.classes[0]).values()):
            continue  # the instance has a page of its own
        if not groups.has_meaning(spec, owner, field):
            continue
        yield field


def _controls(spec: Spec, owner: Model) -> Iterator[Control]:
    return (_control(spec, owner, field, name=field) for field in _fields(spec, owner))


def _control(spec: Spec, owner: Model, field: str, *, name: str) -> Control:
    info, field_shape = type(owner).model_fields[field], shape(type(owner), field)
    extra = info.json_schema_extra if isinstance(info.json_schema_extra, dict) else {}
    value = to_plain_data(getattr(owner, field))
    assumed = guess(spec, owner, field) if value is None else None
    return Control(
        name="v", field=name, title=groups.title(spec, type(owner), field), help=info.description or "",
        unit=str(extra.get("unit", "")), kind="choice" if _is_about(owner, field) else field_shape.kind,
        value=value, optional=field_shape.optional,
        options=_options(spec, owner, field, field_shape, value),
        guess=None if assumed is None else _name_of_pointer(spec, field_shape, to_plain_data(assumed.value)),
        why="" if assumed is None or assumed.value is None else assumed.why,
        inside=tuple(_inner_controls(spec, field_shape, value, "v", getattr(owner, field))),
        editor=editor_of(field_shape),
        of_parts=is_of_parts(field_shape), lacks_target=value is None and _lacks_target(spec, owner, field_shape),
    )  # fmt: skip


def _lacks_target(spec: Spec, owner: Model, field_shape: FieldShape) -> bool:
    """Return whether a part of one kind has a required reference, and the design no element that it could be to."""
    if field_shape.kind != "part" or len(field_shape.models) != 1 or not isinstance(owner, Element):
        return False
    model = field_shape.models[0]
    required = (shape(model, name) for name, info in model.model_fields.items() if info.is_required())
    targets = ({option.value for option in options_of(spec, inner)} for inner in required if inner.kind == "pointer")
    return any(possible <= circular_ids(spec, owner.id) for possible in targets)


def circular_ids(spec: Spec, at: str) -> frozenset[str]:
    """Return the ids that a part of an element cannot refer to: its own, and those of tables that are made from it."""
    ids = {at}
    # A table that is made from this one, however indirectly, would close a cycle as its source.
    while more := {table.id for table in spec.tables if table.derived_from and table.derived_from.table in ids} - ids:
        ids |= more
    return frozenset(ids)


def _options(spec: Spec, owner: Model, field: str, field_shape: FieldShape, value: Any) -> tuple[Option, ...]:
    if _is_about(owner, field):
        return _subject_options(spec, value)
    options = _nearby_options(spec, owner, value, options_of(spec, field_shape))
    return (*options, Option(NOTHING, N_("none"))) if isinstance(owner, Field) and field == "belongs_to" else options


def _name_of_pointer(spec: Spec, field_shape: FieldShape, value: Any) -> Any:
    """Return an assumed value as it is, and of a pointer the name of what it points to."""
    return words.element_label(spec, value) if field_shape.kind == "pointer" and value else value


def _is_about(owner: Model, field: str) -> bool:
    """Return whether the field names the subject of an accepted risk.

    The field is an id and not a reference, because the element may have been removed.
    """
    return isinstance(owner, Ignore) and field == "at"


def _subject_options(spec: Spec, at: str) -> tuple[Option, ...]:
    """Return a single option, the element itself, with its name and location.

    A finding about another element is another risk.
    """
    return (Option(at, " › ".join(words.element_locations(spec).get(at, (at,)))),)


def is_of_parts(field_shape: FieldShape) -> bool:
    return field_shape.kind == "list" and field_shape.item is not None and field_shape.item.kind == "part"


def editor_of(field_shape: FieldShape) -> str:
    return parts.editor_of((field_shape.item or field_shape).models)


def _inner_controls(spec: Spec, field_shape: FieldShape, value: Any, name: str, part: Any) -> Iterator[Control]:
    """Yield the controls inside a part or list: `value` is data, `part` is the document's own object."""
    if is_of_parts(field_shape) and field_shape.item is not None:
        for place, (item, inner_part) in enumerate(zip(value or (), part or (), strict=True)):
            yield _item(spec, field_shape.item, item, f"{name}.{place}", inner_part)
    elif field_shape.kind == "part" and isinstance(value, dict):
        model = model_of(field_shape, value)
        for field, info in model.model_fields.items():
            if field == "kind" and tag(model):
                continue
            inner = shape(model, field)
            now = value.get(
                field, to_plain_data(info.get_default(call_default_factory=True)) if not info.is_required() else None
            )
            extra = info.json_schema_extra if isinstance(info.json_schema_extra, dict) else {}
            assumed = guess(spec, part, field) if now is None else None
            yield Control(
                name=f"{name}.{field}", field=field, title=info.title or field,
                help=info.description or "", unit=str(extra.get("unit", "")), kind=inner.kind, value=now,
                optional=inner.optional, options=options_of(spec, inner),
                guess=None if assumed is None else to_plain_data(assumed.value),
                why="" if assumed is None or assumed.value is None else assumed.why,
                inside=tuple(_inner_controls(spec, inner, now, f"{name}.{field}", getattr(part, field))),
                editor=parts.editor_of(inner.models), of_parts=is_of_parts(inner),
                is_rare=field in groups.RARE.get(model, ()) and not groups.is_set(part, field),
            )  # fmt: skip


def _item(spec: Spec, field_shape: FieldShape, value: Any, name: str, part: Any) -> Control:
    return Control(
        name=name,
        field="",
        title="",
        help="",
        unit="",
        kind=field_shape.kind,
        value=value,
        options=options_of(spec, field_shape),
        inside=tuple(_inner_controls(spec, field_shape, value, name, part)),
    )


def options_of(spec: Spec, field_shape: FieldShape) -> tuple[Option, ...]:
    if field_shape.kind == "list" and field_shape.item is not None:
        return options_of(spec, field_shape.item)
    if field_shape.kind == "choice":
        return tuple(Option(choice, words.CHOICES.get(choice, str(choice))) for choice in field_shape.choices)
    if field_shape.kind == "pointer" and field_shape.target is not None:
        elements = (element for element in spec.by_id.values() if isinstance(element, field_shape.target))
        return tuple(Option(element.id, words.element_label(spec, element.id)) for element in elements)
    if field_shape.kind == "part" and len(field_shape.models) > 1:
        return tuple(Option(tag(m), words.KINDS.get(str(tag(m)), str(tag(m)))) for m in field_shape.models)
    return ()


def _nearby_options(spec: Spec, owner: Model, selected: Any, options: tuple[Option, ...]) -> tuple[Option, ...]:
    """Return the options without other tables' elements and the row kind around the owner, but for those selected."""
    if not isinstance(owner, Element) or not isinstance(selected, list):
        return options
    tables = _table_by_element(spec)
    table, selected_ids = tables.get(owner.id), {value for value in selected if isinstance(value, str)}
    around = {kind.id for _, kind in spec.row_kinds() if any(read.id == owner.id for read in kind.reads)}
    own = tuple(
        option
        for option in options
        # What is chosen already stays to be seen, even where it could not be chosen any more.
        if option.value in selected_ids or (tables.get(option.value, table) == table and option.value not in around)
    )
    return _distinguish_options(spec, own)


def _distinguish_options(spec: Spec, options: tuple[Option, ...]) -> tuple[Option, ...]:
    """Those that are called alike with the name of what they are in."""
    names = Counter(option.label for option in options)
    if len(names) == len(options):
        return options
    at = words.element_locations(spec)
    return tuple(
        Option(option.value, " › ".join(at[option.value][-2:]))
        if names[option.label] > 1 and option.value in at
        else option
        for option in options
    )


def _table_by_element(spec: Spec) -> Mapping[str, str]:
    """Return the id of the table that each element is in, by the element's."""
    table_ids = spec.result_cache.get("tables of elements")
    if table_ids is None:
        table_ids = {part.id: table.id for table in spec.tables for part in walk(table) if isinstance(part, Element)}
        spec.result_cache["tables of elements"] = table_ids
    return cast(Mapping[str, str], table_ids)
