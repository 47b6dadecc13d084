"""Which fields of an element a form shows at once, and which below "more". What an engine does not have is left out."""

from collections.abc import Mapping, Sequence

from . import Element, Model, Spec
from .access import Read, Write
from .activity import Activity
from .family import Column, Family
from .field import Field
from .instance import AppProfile, Cluster, Instance
from .table import Table
from .texts import N_

USUAL: Mapping[type[Model], tuple[str, ...]] = {
    Field: ("name", "kind", "distinct", "values", "popularity", "belongs_to"),
    Activity: ("name", "rate_per_second", "profile", "peak_days"),
    Write: ("name", "activity", "mode", "columns", "rows_per_event"),
    Read: ("name", "rate_per_second", "binds", "time", "newest_rows", "families", "columns", "profile"),
    Family: ("name", "gc", "needed"),
    Column: ("qualifier", "value", "presence"),
    Table: ("name", "description", "history_months", "tablestore"),
    Cluster: ("region", "zone", "nodes"),
    AppProfile: ("name", "routing", "clusters"),
}
"""In this order; an element that is not here shows everything."""

_NOT_ON: Mapping[str, tuple[tuple[type[Model], tuple[str, ...]], ...]] = {
    "bigtable": ((Instance, ("tablestore_type",)), (Table, ("tablestore",))),
    "tablestore": (
        (Instance, ("edition", "storage", "in_memory", "calibration", "commitment", "app_profiles")),
        (Table, ("deletion_protection", "infrequent_access_days", "change_stream_days", "compressed_share", "backups",
                 "split_keys")),
        (Family, ("kind", "gc")),
        (Read, ("app_profile", "families")),
        (Write, ("app_profile",)),
        (Cluster, ("zone", "nodes", "node_scaling")),
    ),
}  # fmt: skip
_CALLED: Mapping[tuple[str, type[Model], str], str] = {
    ("tablestore", Table, "families"): N_("Attribute columns"),
    ("tablestore", Instance, "clusters"): N_("Region"),
    ("tablestore", Column, "qualifier"): N_("Column name"),
    ("tablestore", Column, "qualifier_from"): N_("Column name from fields"),
}
"""Fields and lists that have another name on an engine."""


def is_set(owner: Model, field: str) -> bool:
    """Whether a field says something else than it does untouched."""
    info = type(owner).model_fields[field]
    return bool(getattr(owner, field) != info.get_default(call_default_factory=True))


def has_meaning(spec: Spec, owner: Model, field: str) -> bool:
    """Whether the design's engine has this; what is set is shown all the same."""
    absent = any(isinstance(owner, model) and field in fields for model, fields in _NOT_ON[spec.engine])
    return not absent or is_set(owner, field)


def title(spec: Spec, model: type[Model], field: str) -> str:
    """What a field or list is called on the design's engine; a message."""
    return _CALLED.get((spec.engine, model, field)) or model.model_fields[field].title or field


def usual(owner: Element | Model, fields: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The fields to be shown at once, in their order, and those for "more"."""
    first = USUAL.get(type(owner))
    if first is None:
        return tuple(fields), ()
    return tuple(f for f in first if f in fields), tuple(f for f in fields if f not in first)


def opens(owner: Model, fields: Sequence[str]) -> bool:
    """Whether "more" stands open: something in it is set."""
    return any(is_set(owner, field) for field in fields)


__all__ = ["USUAL", "has_meaning", "is_set", "opens", "title", "usual"]
