"""The kinds of edits, as data."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Json = Any
"""A value as it stands in the file; None is "not set"."""


class _Edit(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class Set(_Edit):
    """Give a field of an element another value."""

    kind: Literal["set"] = "set"
    at: str
    name: str
    value: Json
    was: Json = None


class Clear(_Edit):
    """Unset a field, so that it is a guess (or its default) again."""

    kind: Literal["clear"] = "clear"
    at: str
    name: str
    was: Json = None


class Insert(_Edit):
    """Put a new element into a list of its parent, before the element with the id `before`; else at the end."""

    kind: Literal["insert"] = "insert"
    parent: str
    list: str
    element: dict[str, Json]
    before: str | None = None


class Remove(_Edit):
    """Take an element away, unless it has changed since it had this hash (`hash_of`; None: whatever it is)."""

    kind: Literal["remove"] = "remove"
    at: str
    was_hash: str | None = None


class Move(_Edit):
    """Put an element to another place of its list: before another, or (None) to the end.

    With `parent` it goes into the list of that name of another element, such as another primary-key column.
    """

    kind: Literal["move"] = "move"
    at: str
    before: str | None = None
    was_before: str | None = None
    parent: str | None = None
    was_parent: str | None = None


class Batch(_Edit):
    """Several edits, of which all apply or none; only what comes out at the end must be valid."""

    kind: Literal["batch"] = "batch"
    edits: tuple["Edit", ...] = ()
    label: str = ""


class ReplaceAll(_Edit):
    """Another document in place of the head with this fingerprint."""

    kind: Literal["replace_all"] = "replace_all"
    document: dict[str, Json]
    was: str


Edit = Annotated[Set | Clear | Insert | Remove | Move | Batch | ReplaceAll, Field(discriminator="kind")]

NOTHING = Batch.model_construct()
"""The edit that changes nothing."""
