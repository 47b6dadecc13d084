"""Groups of an element's fields in a form: those shown at once and those under "more".

Fields that an engine does not have are left out.
"""

from collections.abc import Mapping, Sequence

from . import Element, Model, Spec
from .access import Bind, Read, Write
from .activity import Activity
from .engines import description_of
from .family import Column, Family
from .field import Field
from .instance import AppProfile, Cluster
from .table import Table

USUAL: Mapping[type[Model], tuple[str, ...]] = {
    Field: ("name", "kind", "distinct", "values", "popularity", "busiest_share", "belongs_to"),
    Activity: ("name", "rate_per_second", "profile", "peak_days"),
    Write: ("name", "activity", "mode", "columns", "rows_per_event"),
    Read: ("name", "rate_per_second", "binds", "time", "newest_rows"),
    Family: ("name", "gc", "needed"),
    Column: ("qualifier", "value", "presence"),
    Table: ("name", "description", "history_months", "tablestore"),
    Cluster: ("region", "zone", "nodes"),
    AppProfile: ("name", "routing", "clusters"),
}
"""In this order; an element that is not here shows everything."""
RARE: Mapping[type[Model], tuple[str, ...]] = {Bind: ("values", "prefix", "from_value", "to_value", "popularity")}
"""Fields of a part that are below "more" until they are set."""


def is_set(owner: Model, field: str) -> bool:
    """Return whether a field has a value other than its initial one."""
    info = type(owner).model_fields[field]
    return bool(getattr(owner, field) != info.get_default(call_default_factory=True))


def has_meaning(spec: Spec, owner: Model, field: str) -> bool:
    """Return whether the field has a meaning on the design's engine; fields that are set are shown anyway."""
    absent = any(isinstance(owner, model) and field in fields for model, fields in description_of(spec).absent_fields)
    return not absent or is_set(owner, field)


def title(spec: Spec, model: type[Model], field: str) -> str:
    """Return the message that names a field or list on the design's engine."""
    return description_of(spec).field_titles.get((model, field)) or model.model_fields[field].title or field


def split_fields(owner: Element | Model, fields: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the fields that are shown at once, the usual ones and those that are set, and the fields under "more"."""
    usual = USUAL.get(type(owner), tuple(fields))
    rest = [field for field in fields if field not in usual]
    model_fields = type(owner).model_fields
    more = tuple(field for field in rest if field not in model_fields or not is_set(owner, field))
    return (*(f for f in usual if f in fields), *(f for f in rest if f not in more)), more


__all__ = ["RARE", "USUAL", "has_meaning", "is_set", "split_fields", "title"]
