"""Base of every part of a design document: frozen models, ids and self-describing fields.

A field that is not set has an assumed value: it is `None` in the model and absent in the file. `guesses.py`
defines the assumed values.
"""

import datetime
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cache, cached_property
from itertools import islice
from typing import Annotated, Any, ClassVar, Literal, Self, get_args, get_origin, get_type_hints

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    Strict,
    StringConstraints,
    WithJsonSchema,
    model_validator,
)
from pydantic_core import PydanticCustomError, PydanticKnownError

from .texts import Text

Id = Annotated[str, StringConstraints(pattern=r"^[a-z0-9_-]{1,40}$")]


def _only_number(value: Any) -> Any:
    """Refuse what pydantic takes for a whole number and JSON does not: true, false and texts."""
    if isinstance(value, bool | str):
        raise PydanticKnownError("int_type")
    return value


WHOLE = BeforeValidator(_only_number)
"""Of whole numbers, behind their bounds; 3.0 is one."""
Flag = Annotated[bool, Strict()]
Number = Annotated[float, Strict()]
Whole = Annotated[int, WHOLE]
Share = Annotated[Number, Field(ge=0, le=1)]
Rate = Annotated[Number, Field(ge=0, le=1e18)]
Days = Annotated[Number, Field(gt=0, le=1e6)]
Count = Annotated[int, Field(ge=1, le=10**18), WHOLE]
Usd = Annotated[
    Decimal,
    Field(ge=0, le=10**9, decimal_places=12),
    WithJsonSchema(
        {"type": ["string", "number"], "pattern": r"^[0-9]+(\.[0-9]{1,12})?$", "minimum": 0, "maximum": 10**9}
    ),
]
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)


def _only_day(value: Any) -> Any:
    """Refuse numbers, which pydantic takes for seconds since 1970, and times of a day."""
    if isinstance(value, datetime.date) or (isinstance(value, str) and _DAY.fullmatch(value)):
        return value
    raise PydanticKnownError("date_type")


Day = Annotated[datetime.date, BeforeValidator(_only_day)]
Long = Annotated[int, Field(ge=-(2**63), le=2**63 - 1), WHOLE]

Path = tuple[str | int, ...]
"""The way from the document to a part of it: names of fields and places in lists."""


@dataclass(frozen=True)
class Flaw:
    """Reason why a part is meaningless, and the place of the problem in the part."""

    at: Path
    text: Text


MOST_FLAWS = 20
"""So many flaws of one part are looked for; a hopeless document is refused quickly."""


class Model(BaseModel):
    """A frozen part of the document that refuses unknown keys, NaN and infinity."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", allow_inf_nan=False, revalidate_instances="always", defer_build=True
    )

    def flaws(self) -> Iterator[Flaw]:
        """Return the problems of this part as a whole.

        Problems of nested parts are not included. Engine limits are rules instead.
        """
        return iter(())

    @model_validator(mode="after")
    def _has_no_flaws(self) -> Self:
        # Checked for each of thousands of parts on each load, so that the usual case must cost nothing.
        if type(self).flaws is Model.flaws:  # as with most parts
            return self
        flaws = tuple(islice(self.flaws(), MOST_FLAWS))
        if flaws:
            text = f"{path_text(flaws[0].at)}: {flaws[0].text}".removeprefix(": ")
            raise PydanticCustomError("flawed", "{text}", {"text": text, "flaws": flaws})
        return self


class Element(Model):
    """A part with an id: findings, comments, edits and comparisons point at it, and it survives a rename."""

    id: Id

    @property
    def given_name(self) -> str:
        """Name that a person gave; empty without one."""
        return getattr(self, "name", "")

    @property
    def label(self) -> str:
        """Short text for the element as far as it can be known without the rest of the document."""
        return self.given_name or self.id

    @property
    def has_generated_id(self) -> bool:
        """True if the id was made by the editor, or of the element's place in a file: it means nothing to people."""
        return _GENERATED.fullmatch(self.id) is not None


class SharedPart(Element):
    """An element that is the same object in all documents in which it is equal, from one edit to the next."""

    __slots__ = ("_derived",)
    counts_once: ClassVar[bool] = True

    @property
    def derived(self) -> dict[str, Any]:
        """Values computed from this part alone, by name. No copy has them, whatever was changed in the copy."""
        try:
            values: dict[str, Any] = object.__getattribute__(self, "_derived")
        except AttributeError:
            values = {}
            # The model is frozen; the slot is not one of its fields, so that neither equality nor copies see it.
            object.__setattr__(self, "_derived", values)
        return values


_GENERATED = re.compile(
    r"[0-9a-f]{10}|[0-9a-f]{12}|(.*-)?"
    r"(fields|activities|tables|row-kinds|key|key-columns|segments|families|columns|qualifier-from|writes|reads|known"
    r"|backups|clusters|app-profiles|ignores)-[0-9]+"
)


def optional_field(
    title: str,
    *,
    help: str = "",  # noqa: A002
    unit: str = "",
    guess: Any = None,
    why: str = "",
    **rules: Any,
) -> Any:
    """Return an optional field with its label, help and unit; `guess` is assumed while it is unset, because of `why`.

    Forms, the JSON Schema, the print and the docs all read these from here. A guess that depends on other parts
    of the document is a function in `guesses.py` instead.
    """
    extra = {key: value for key, value in (("unit", unit), ("guess", guess), ("why", why)) if value not in ("", None)}
    return Field(default=None, title=title, description=help or None, json_schema_extra=extra or None, **rules)


def list_field(title: str, *, help: str = "") -> Any:  # noqa: A002
    """Return a field that holds a list of parts and is empty by default."""
    return Field(default=(), title=title, description=help or None)


@dataclass(frozen=True)
class Slot:
    """A field that holds models: one or many, of one class or of several that their `kind` tells apart."""

    many: bool
    required: bool
    """There is always a model here: neither a list nor optional."""
    classes: tuple[type[Model], ...]

    @cached_property
    def kinds(self) -> Mapping[str, type[Model]]:
        """The classes by the `kind` that names them; empty where there is only one class."""
        return {cls.model_fields["kind"].default: cls for cls in self.classes} if len(self.classes) > 1 else {}

    @property
    def has_elements(self) -> bool:
        """True if the elements in this slot have ids of their own."""
        return issubclass(self.classes[0], Element)


@cache
def slots(model: type[Model]) -> Mapping[str, Slot]:
    """Return the fields of a model class that hold models, in order."""
    field_slots = {}
    hints = get_type_hints(model, include_extras=True)
    for name in model.model_fields:
        layers = tuple(_layers(hints[name]))
        classes = tuple(dict.fromkeys(a for a in layers if isinstance(a, type) and issubclass(a, Model)))
        if classes:
            many = any(get_origin(layer) is tuple for layer in layers)
            field_slots[name] = Slot(many, not many and type(None) not in layers, classes)
    return field_slots


def _layers(annotation: Any) -> Iterator[Any]:
    yield annotation
    for inner in get_args(annotation):
        yield from _layers(inner)


@cache
def tag(model: type[Model]) -> str | None:
    """Return the `kind` that names this class in a union, or None if the class needs no name."""
    field = model.model_fields.get("kind")
    if field is None or get_origin(field.annotation) is not Literal or len(get_args(field.annotation)) != 1:
        return None
    return str(field.default)


def children(model: Model) -> Iterator[tuple[str, int | None, Model]]:
    """Yield the models directly inside a model.

    Each comes with the name of its field and its index in a list (None if the field is not a list).
    """
    for name in slots(type(model)):
        value = getattr(model, name)
        if isinstance(value, Model):
            yield name, None, value
        elif value:
            for number, item in enumerate(value):
                yield name, number, item


@cache
def reachable_classes(model: type[Model]) -> frozenset[type[Model]]:
    """Return the class and every class that a model of it may contain, at any depth."""
    classes, remaining = {model}, [model]
    while remaining:
        for slot in slots(remaining.pop()).values():
            remaining += [cls for cls in slot.classes if cls not in classes]
            classes |= set(slot.classes)
    return frozenset(classes)


def walk(model: Model) -> Iterator[Model]:
    """Yield the model and every model below it, in document order."""
    yield model
    for _, _, child in children(model):
        yield from walk(child)


def path_text(path: Path) -> str:
    """Return a path in readable form: `tables[2].families[0].gc`."""
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).removeprefix(".")
