"""Forms made from the design document's own fields: title, help, unit, choices and guess stand there and only there.

A control edits one field of an element. A field that holds a part (a garbage-collection tree, a day's shape) is one
control with controls inside, and is read back whole. Nothing is validated here: pydantic does when the edit applies.
"""

import datetime
import types
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache
from typing import Annotated, Any, Literal, Union, cast, get_args, get_origin, get_type_hints

from designer import parts, words
from designer.parts import groups
from designer.spec import Element, Ignore, Model, Spec, guess
from designer.spec.base import slots, tag, walk
from designer.spec.dump import plain
from designer.spec.edits.find import declaring
from designer.spec.keytext import BadKeyText
from designer.spec.references import POINTERS
from designer.spec.texts import N_, Text

Kind = Literal["text", "whole", "number", "date", "flag", "choice", "pointer", "part", "list"]


@dataclass(frozen=True)
class Shape:
    """What a field of the document can hold."""

    kind: Kind
    optional: bool = False
    choices: tuple[Any, ...] = ()
    models: tuple[type[Model], ...] = ()
    item: "Shape | None" = None
    """Of a list."""
    target: type[Element] | None = None
    """What a pointer points to."""
    share: bool = False
    """Whether a number is a part of a whole, which can be typed in per cent."""


@cache
def shape(model: type[Model], name: str) -> Shape:
    """The shape of a model's field."""
    found = _shape(get_type_hints(model, include_extras=True)[name], POINTERS.get((model, name)))
    extra = model.model_fields[name].json_schema_extra
    unit = str(extra.get("unit", "")) if isinstance(extra, dict) else ""
    return replace(found, share=True) if unit.startswith("share") or name.endswith("_share") else found


def _shape(annotation: Any, target: type[Element] | None) -> Shape:
    while get_origin(annotation) is Annotated:
        annotation = get_args(annotation)[0]
    origin, inner = get_origin(annotation), get_args(annotation)
    if origin in (Union, types.UnionType):
        given = [each for each in inner if each is not types.NoneType]
        if len(given) == 1:
            return _with(_shape(given[0], target), optional=len(given) < len(inner))
        return Shape("part", len(given) < len(inner), models=tuple(_models(annotation)))
    if origin is tuple:
        return Shape("list", item=_shape(inner[0], target))
    if origin is Literal:
        return Shape("choice", choices=inner)
    if target is not None:
        return Shape("pointer", target=target)
    if isinstance(annotation, type) and issubclass(annotation, Model):
        return Shape("part", models=(annotation,))
    return Shape(_SCALARS.get(annotation, "text"))


_SCALARS: Mapping[Any, Kind] = {
    bool: "flag", int: "whole", float: "number", Decimal: "number", datetime.date: "date",
}  # fmt: skip


def _with(shape: Shape, *, optional: bool) -> Shape:
    return Shape(shape.kind, shape.optional or optional, shape.choices, shape.models, shape.item, shape.target)


def _models(annotation: Any) -> Iterator[type[Model]]:
    if isinstance(annotation, type) and issubclass(annotation, Model):
        yield annotation
    for inner in get_args(annotation):
        yield from _models(inner)


# --- controls ---------------------------------------------------------------------------------------------------


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
    why: str = ""
    """Why the guess is what it is; empty where nothing is guessed."""
    inside: tuple["Control", ...] = ()
    """Of a part its fields, of a list its items."""
    editor: str = ""
    """The editor that a part has of its own (`designer.parts`)."""

    of_parts: bool = False
    """Of a list: its items are parts, which are added and removed one by one."""

    @property
    def guessed(self) -> bool:
        """Whether a guess stands in for it at the moment."""
        return self.value is None and bool(self.why)


def control_id(at: str, field: str, name: str = "v") -> str:
    """The id of a control in the page, or of an input in it."""
    return f"c-{at or 'design'}-{field}{name.removeprefix('v')}".replace(".", "-")


SILENT = frozenset({"id", "format"})
INSTANCE = "-instance"
"""Stands for the instance where an element that is open is named; it has no id, so its fields are the design's."""


def controls(spec: Spec, at: str) -> tuple[Control, ...]:
    """The controls of an element, in the document's order; lists of elements are not among them."""
    owner: Any = spec.by_id[at] if at else spec
    return tuple(_controls(spec, owner))


def control(spec: Spec, at: str, name: str) -> Control:
    """The control of one field of an element; `name` may go through parts: `instance.edition`."""
    owner, field = declaring(spec, at, name)
    return _control(spec, owner, field, name=name)


def control_fields(spec: Spec, at: str) -> tuple[str, ...]:
    """The fields of an element that have a control; of the instance as the design names them."""
    if at == INSTANCE:
        return tuple(f"instance.{field}" for field in _fields(spec, spec.instance))
    return tuple(_fields(spec, spec.by_id[at] if at else spec))


def _fields(spec: Spec, owner: Model) -> Iterator[str]:
    for field in type(owner).model_fields:
        slot = slots(type(owner)).get(field)
        if field in SILENT or (field == "kind" and tag(type(owner))):
            continue
        if slot is not None and slot.holds_elements:
            continue
        if slot is not None and slot.required and any(s.holds_elements for s in slots(slot.classes[0]).values()):
            continue  # the instance has a page of its own
        if not groups.has_meaning(spec, owner, field):
            continue
        yield field


def _controls(spec: Spec, owner: Model) -> Iterator[Control]:
    return (_control(spec, owner, field, name=field) for field in _fields(spec, owner))


def _control(spec: Spec, owner: Model, field: str, *, name: str) -> Control:
    info, held = type(owner).model_fields[field], shape(type(owner), field)
    extra = info.json_schema_extra if isinstance(info.json_schema_extra, dict) else {}
    value = plain(getattr(owner, field))
    assumed = guess(spec, owner, field) if value is None else None
    return Control(
        name="v", field=name, title=info.title or TITLES.get(field, field), help=info.description or "",
        unit=str(extra.get("unit", "")), kind="choice" if _is_about(owner, field) else held.kind,
        value=value, optional=held.optional,
        options=_about(spec, value) if _is_about(owner, field) else _near(spec, owner, value, _options(spec, held)),
        guess=None if assumed is None else plain(assumed.value),
        why="" if assumed is None or assumed.value is None else assumed.why,
        inside=tuple(_inside(spec, held, value, "v", getattr(owner, field))), editor=_editor(held),
        of_parts=_is_of_parts(held),
    )  # fmt: skip


def _is_about(owner: Model, field: str) -> bool:
    """Whether it says what an accepted risk is about: an id, which is no pointer, as the element may be gone."""
    return isinstance(owner, Ignore) and field == "at"


def _about(spec: Spec, at: str) -> tuple[Option, ...]:
    """That element alone, by its name and where it is: another one's finding is another risk."""
    return (Option(at, " › ".join(words.places(spec).get(at, (at,)))),)


def _is_of_parts(held: Shape) -> bool:
    return held.kind == "list" and held.item is not None and held.item.kind == "part"


def _editor(held: Shape) -> str:
    return parts.editor_of((held.item or held).models)


def _inside(spec: Spec, held: Shape, value: Any, name: str, part: Any) -> Iterator[Control]:
    """The controls of what a part or a list holds: `value` as data, `part` as the document has it."""
    if _is_of_parts(held) and held.item is not None:
        for place, (item, one) in enumerate(zip(value or (), part or (), strict=True)):
            yield _item(spec, held.item, item, f"{name}.{place}", one)
    elif held.kind == "part" and isinstance(value, dict):
        model = _model(held, value)
        for field, info in model.model_fields.items():
            if field == "kind" and tag(model):
                continue
            inner = shape(model, field)
            now = value.get(
                field, plain(info.get_default(call_default_factory=True)) if not info.is_required() else None
            )
            extra = info.json_schema_extra if isinstance(info.json_schema_extra, dict) else {}
            assumed = guess(spec, part, field) if now is None else None
            yield Control(
                name=f"{name}.{field}", field=field, title=info.title or TITLES.get(field, field),
                help=info.description or "", unit=str(extra.get("unit", "")), kind=inner.kind, value=now,
                optional=inner.optional, options=_options(spec, inner),
                guess=None if assumed is None else plain(assumed.value),
                why="" if assumed is None or assumed.value is None else assumed.why,
                inside=tuple(_inside(spec, inner, now, f"{name}.{field}", getattr(part, field))),
                editor=parts.editor_of(inner.models), of_parts=_is_of_parts(inner),
            )  # fmt: skip


def _item(spec: Spec, held: Shape, value: Any, name: str, part: Any) -> Control:
    return Control(
        name=name, field="", title="", help="", unit="", kind=held.kind, value=value, options=_options(spec, held),
        inside=tuple(_inside(spec, held, value, name, part)),
    )  # fmt: skip


def _model(held: Shape, value: Mapping[str, Any]) -> type[Model]:
    """The class that a part's data is of."""
    return next((m for m in held.models if tag(m) == value.get("kind")), held.models[0])


def _options(spec: Spec, held: Shape) -> tuple[Option, ...]:
    if held.kind == "list" and held.item is not None:
        return _options(spec, held.item)
    if held.kind == "choice":
        return tuple(Option(each, words.CHOICES.get(each, str(each))) for each in held.choices)
    if held.kind == "pointer" and held.target is not None:
        found = (each for each in spec.by_id.values() if isinstance(each, held.target))
        return tuple(Option(each.id, words.name_of(spec, each.id)) for each in found)
    if held.kind == "part" and len(held.models) > 1:
        return tuple(Option(tag(m), words.KINDS.get(str(tag(m)), str(tag(m)))) for m in held.models)
    return ()


def _near(spec: Spec, owner: Model, chosen: Any, options: tuple[Option, ...]) -> tuple[Option, ...]:
    """Of families and columns those of the owner's own table, and what is chosen already."""
    if not isinstance(owner, Element) or not isinstance(chosen, list):
        return options
    tables = _tables(spec)
    table, kept = tables.get(owner.id), {each for each in chosen if isinstance(each, str)}
    return tuple(each for each in options if tables.get(each.value, table) == table or each.value in kept)


def _tables(spec: Spec) -> Mapping[str, str]:
    """Of everything in a table the table's id."""
    held = spec.remembered.get("tables of elements")
    if held is None:
        held = {part.id: table.id for table in spec.tables for part in walk(table) if isinstance(part, Element)}
        spec.remembered["tables of elements"] = held
    return cast(Mapping[str, str], held)


# --- what a form posts ------------------------------------------------------------------------------------------


def posted(spec: Spec, at: str, name: str, data: Mapping[str, Sequence[str]], *, was: Any = None) -> Any:
    """The value that a control's inputs stand for, as JSON data; None is not set. `was` is what they were made from.

    What is no number where one is expected stays the text that it is: pydantic says so, in its words.
    """
    owner, field = declaring(spec, at, name)
    held = shape(type(owner), field)
    return parts.settled(_editor(held), _posted(held, data, "v"), was, data)


def _posted(held: Shape, data: Mapping[str, Sequence[str]], name: str) -> Any:
    given = data.get(name, ())
    if held.kind == "list":
        return _posted_list(held, data, name)
    if held.kind == "part":
        return _posted_part(held, data, name)
    if held.kind == "flag" and not held.optional:
        return "on" in given or "true" in given
    text = given[-1] if given else ""
    if text == "" and (held.optional or held.kind != "text"):
        return None
    return _scalar(held, text)


def _scalar(held: Shape, text: str) -> Any:
    if held.kind == "flag":
        return text == "true"
    if held.kind == "choice":
        return next((each for each in held.choices if str(each) == text), text)
    if held.kind in ("whole", "number"):
        return _number(text.strip(), share=held.share)
    return text


class NoNumber(ValueError):
    """What was typed is no number; `text` is what was typed."""

    def __init__(self, typed: str) -> None:
        super().__init__(typed)
        self.text = Text(N_('"{typed}" is no number'), {"typed": typed})


def number(typed: str) -> float | None:
    """A number that was typed; None where nothing was.

    Raises
    ------
    NoNumber
        If it is none.
    """
    value = _number(typed.strip())
    if isinstance(value, str):
        if value:
            raise NoNumber(typed)
        return None
    return float(value)


def text_of(wrong: Exception) -> Text:
    """What is wrong with something typed, as a text."""
    if isinstance(wrong, BadKeyText):
        said = Text(wrong.message, wrong.params)
        return Text(N_("Character {place}: {problem}"), {"place": wrong.at + 1, "problem": said})
    text: Text = getattr(wrong, "text", Text("{text}", {"text": str(wrong)}))
    return text


def _number(text: str, *, share: bool = False) -> Any:
    """A number as JSON has it; thousands may be set off by spaces, commas or underscores (1,000,000).

    A share may be typed in per cent: 60 % is 0.6.
    """
    if share and text.endswith(("%", "％")):
        parts_of_100 = _number(text[:-1].rstrip())
        return text if isinstance(parts_of_100, str) else float(Decimal(str(parts_of_100)) / 100)
    bare = text.replace("_", "").replace("\u202f", "").replace("\u00a0", "").replace(" ", "").replace(",", "")
    try:
        return int(bare)
    except ValueError:
        pass
    try:
        number = float(bare)
    except ValueError:
        return text
    return number if number == number and abs(number) != float("inf") else text


def _posted_list(held: Shape, data: Mapping[str, Sequence[str]], name: str) -> Any:
    item = held.item
    assert item is not None
    if item.kind == "part":
        places = sorted({int(rest.split(".")[0]) for rest in _below(data, name) if rest.split(".")[0].isdigit()})
        return [_posted_part(item, data, f"{name}.{place}") for place in places]
    if item.kind in ("pointer", "choice"):
        return [text for text in data.get(name, ()) if text]
    parts = (
        " ".join(data.get(name, ())).replace(",", " ").split() if item.kind != "text" else _lines(data.get(name, ()))
    )
    return [_scalar(item, part) for part in parts]


def _lines(given: Sequence[str]) -> list[str]:
    """Texts of a list, separated by commas or lines."""
    return [part.strip() for text in given for line in text.splitlines() for part in line.split(",") if part.strip()]


def _posted_part(held: Shape, data: Mapping[str, Sequence[str]], name: str) -> Any:
    kind = (data.get(f"{name}.kind") or data.get(name) or [""])[-1]
    if not kind and (held.optional or len(held.models) > 1):
        return None
    model = _model(held, {"kind": kind})
    value: dict[str, Any] = {"kind": kind} if tag(model) else {}
    for field in model.model_fields:
        if field == "kind" and tag(model):
            continue
        now = _posted(shape(model, field), data, f"{name}.{field}")
        if now is not None and now != []:
            value[field] = now
        elif f"{name}.{field}" not in data and not _below(data, f"{name}.{field}"):
            value |= _first(model, field)
    return value


def _first(model: type[Model], field: str) -> dict[str, Any]:
    """What a field that must be there begins with, where a part is new."""
    info = model.model_fields[field]
    return {field: FIRST[field]} if info.is_required() and field in FIRST else {}


def _below(data: Mapping[str, Sequence[str]], name: str) -> set[str]:
    return {key.removeprefix(f"{name}.") for key in data if key.startswith(f"{name}.")}


FIRST: Mapping[str, Any] = {
    "versions": 1, "age_days": 30, "days": 30, "theta": 0.99, "value_share": 0.2, "traffic_share": 0.8, "size": 10,
    "seconds": 60, "hours": [1] * 168, "weights": [1], "min": 1, "max": 10, "text": "id{n:06}", "count": 1,
    "items": [{"value": "a"}], "rules": [{"kind": "max_age", "age_days": 30}], "nodes": 1, "cpu_share": 0.5, "years": 1,
    "width": 6, "length": 8, "by": 1000, "name": "", "factor": 2, "date": "2026-12-24",
}  # fmt: skip
"""Where a new part starts from, by the name of its field: plain examples, to be changed."""

TITLES: Mapping[str, str] = {}
"""Titles of fields that the document does not describe."""


def reshaped(value: Any, do: str, item: Any = None) -> Any:
    """The value after what a button of the form asks for: `add rules.1.rules`, `remove rules.0`, `clear`.

    `add` alone puts `item` (`first_item`) to the list that the value is.
    """
    if parts.understands(do):
        return parts.asked(value, do)
    what, _, path = do.partition(" ")
    if what == "clear":
        return None
    if what == "add" and not path and item is not None:
        return [*(value or ()), item]
    if what not in ("add", "remove") or not path:
        return value
    *through, last = path.split(".")
    held = value
    for step in through:
        held = held[int(step)] if isinstance(held, list) else held[step]
    if what == "remove":
        held.pop(int(last))
    else:
        items = held.setdefault(last, [])
        items.append(dict(items[-1]) if items else dict(FIRST[last][0]))
    return value


def first_item(spec: Spec, at: str, name: str) -> Any:
    """What a list of parts begins with, as data; None for what is no such list or has nothing to point to."""
    if at and at not in spec.by_id:
        return None
    owner, field = declaring(spec, at, name)
    item = shape(type(owner), field).item
    if item is None or item.kind != "part":
        return None
    model = item.models[0]
    made: dict[str, Any] = {"kind": tag(model)} if tag(model) else {}
    for inner, info in model.model_fields.items():
        if (inner == "kind" and tag(model)) or not info.is_required():
            continue
        options = _options(spec, shape(model, inner))
        made[inner] = FIRST.get(inner, options[0].value if options else None)
    return made


def skeleton(value: Any) -> Any:
    """What decides which inputs a value has: the kinds of its parts and how many there are."""
    if isinstance(value, dict):
        parts = {name: skeleton(held) for name, held in value.items() if isinstance(held, dict | list)}
        return {"kind": value.get("kind"), **{name: part for name, part in parts.items() if part}}
    if isinstance(value, list):
        return [skeleton(item) for item in value if isinstance(item, dict)]
    return None


# --- lists of elements --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Listed:
    """A list of elements that an element holds: they are added, removed and moved one by one."""

    field: str
    title: str
    help: str
    elements: tuple[Element, ...]


def lists(spec: Spec, at: str) -> tuple[Listed, ...]:
    """The lists of elements of one element."""
    if at == INSTANCE:
        return tuple(_lists(spec.instance, "instance."))
    return tuple(_lists(spec.by_id[at] if at else spec, ""))


def _lists(owner: Model, through: str) -> Iterator[Listed]:
    for field, slot in slots(type(owner)).items():
        info = type(owner).model_fields[field]
        if slot.many and slot.holds_elements:
            yield Listed(f"{through}{field}", info.title or field, info.description or "", getattr(owner, field))
