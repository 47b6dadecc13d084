"""Initial contents of a new element: a name, and values derived from the existing elements."""

from collections.abc import Callable, Iterator
from itertools import product
from string import ascii_lowercase
from typing import Any

from designer.document import Element, Spec
from designer.document.access import Read, Write
from designer.document.activity import Activity
from designer.document.base import slots
from designer.document.edits.lookup import find_owner
from designer.document.family import Column, Family
from designer.document.field import Field
from designer.document.ids import next_name
from designer.document.instance import AppProfile, Cluster
from designer.document.key import DerivedSegment, FieldSegment
from designer.document.table import RowKind, Table
from designer.document.texts import N_
from designer.wording import element_label

Translate = Callable[..., str]
"""Says a message with its parameters in the language in which things are named."""


def initial_data(
    spec: Spec,
    parent: str,
    list: str,  # noqa: A002
    *,
    id: str,  # noqa: A002
    kind: str = "",
    format_message: Translate,
) -> dict[str, Any]:
    """Return the JSON data of a new element for this list."""
    _, owner, name = find_owner(spec, parent, list)
    model_class: type[Any] = slots(type(owner))[name].classes[0]
    used_names = {element_label(spec, element.id) for element in getattr(owner, name)}
    discriminator = {"kind": kind} if kind else {}
    return {"id": id, **discriminator, **dict(_initial_fields(spec, model_class, owner, used_names, format_message))}


def _initial_fields(
    spec: Spec, model: type[Any], owner: Any, used_names: set[str], format_message: Translate
) -> Iterator[tuple[str, Any]]:
    if model is Family:
        yield "name", unused_short_name(used_names)
    elif model is Column:
        yield "qualifier", unused_short_name(used_names)
    elif model is Write:
        yield from _initial_write(spec, owner, used_names, format_message)
    elif model is Read:
        yield from _initial_read(spec, owner, used_names, format_message)
    elif model is Cluster:
        yield "name", next_name("cluster-{n}", used_names)
        yield from (("region", cluster.region) for cluster in spec.instance.clusters[:1] if cluster.region)
    elif model in NAMED:
        yield "name", next_name(format_message(NAMED[model], n="{n}"), used_names)


NAMED: dict[type[Element], str] = {
    Field: "field_{n}", Table: "table_{n}", AppProfile: "profile-{n}",
    Activity: N_("Activity {n}"), RowKind: N_("Rows {n}"),
}  # fmt: skip
"""What the n-th of them is called until somebody names it."""


def unused_short_name(used_names: set[str]) -> str:
    """Return the next unused name of one or two letters.

    Names are short because names of families and columns are stored in every cell.
    """
    pairs = ("".join(pair) for pair in product(ascii_lowercase, repeat=2))
    return next(name for name in (*ascii_lowercase, *pairs) if name not in used_names) if len(used_names) < 700 else ""


def _initial_write(
    spec: Spec, kind: RowKind, used_names: set[str], format_message: Translate
) -> Iterator[tuple[str, Any]]:
    """Yield the fields of a write by the first activity that does not write these rows yet."""
    writing = {write.activity for write in kind.writes}
    activity = next((activity for activity in spec.activities if activity.id not in writing), None)
    yield (
        "name",
        next_name(format_message(N_("Write {n}"), n="{n}"), used_names)
        if activity is None
        else element_label(spec, activity.id),
    )
    if activity is not None:
        yield "activity", activity.id


def _initial_read(
    spec: Spec, kind: RowKind, used_names: set[str], format_message: Translate
) -> Iterator[tuple[str, Any]]:
    """Yield the fields of a read by the field that the key begins with: keys are ordered for it."""
    leading = next((s.field for s in kind.segments if isinstance(s, FieldSegment | DerivedSegment) and s.field), None)
    name = "" if leading is None else format_message(N_("By {field}"), field=element_label(spec, leading))
    yield (
        "name",
        name if name and name not in used_names else next_name(format_message(N_("Read {n}"), n="{n}"), used_names),
    )
    if leading is not None:
        yield "binds", [{"field": leading}]
