"""What every part of a design document shares: frozen models, ids, and fields that describe themselves.

A field that is not set is a guess: `None` in the model, absent in the file. `guesses.py` says what is assumed instead.
"""

from collections.abc import Iterator
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

Id = Annotated[str, StringConstraints(pattern=r"^[a-z0-9_-]{1,40}$")]
Share = Annotated[float, Field(ge=0, le=1)]
Rate = Annotated[float, Field(ge=0)]
Days = Annotated[float, Field(gt=0)]
Count = Annotated[int, Field(ge=1)]


class Model(BaseModel):
    """A frozen part of the document that refuses unknown keys, NaN and infinity."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, revalidate_instances="always")


class Element(Model):
    """A part with an id: findings, comments, edits and comparisons point at it, and it survives a rename."""

    id: Id


def described(title: str, *, help: str = "", unit: str = "", guess: Any = None, **rules: Any) -> Any:  # noqa: A002
    """An optional field with its label, help and unit; `guess` is the constant assumed while it is not set.

    Forms, the JSON Schema, the print and the docs all read these from here. A guess that depends on other parts
    of the document is a function in `guesses.py` instead.
    """
    extra = {key: value for key, value in (("unit", unit), ("guess", guess)) if value not in ("", None)}
    return Field(default=None, title=title, description=help or None, json_schema_extra=extra or None, **rules)


def listed(title: str, *, help: str = "") -> Any:  # noqa: A002
    """A list of parts, empty unless given."""
    return Field(default=(), title=title, description=help or None)


def children(model: Model) -> Iterator[tuple[str, int | None, Model]]:
    """The models directly inside, each with its field's name and its place in a list (None where it is no list)."""
    for name in type(model).model_fields:
        value = getattr(model, name)
        if isinstance(value, Model):
            yield name, None, value
        elif isinstance(value, tuple):
            for place, item in enumerate(value):
                if isinstance(item, Model):
                    yield name, place, item


def walk(model: Model) -> Iterator[Model]:
    """The model and every model below it, in document order."""
    yield model
    for _, _, child in children(model):
        yield from walk(child)
