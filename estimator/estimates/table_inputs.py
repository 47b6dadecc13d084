"""Inputs of a table's computation: its parts, the fields and activities that it needs, and their hash."""

import hashlib
import json
from collections.abc import Callable
from typing import Any

from designer.document import Model, Spec, effective_value, owner_of
from designer.document.activity import Activity
from designer.document.dump import to_plain_data
from designer.document.field import Field
from designer.document.key import Segment
from designer.document.references import targets
from designer.document.table import Table
from estimator.kernels.growth.shapes import base_segments

CODE_VERSION = 46
"""Part of every remembered result's key: raised when a result of unchanged inputs changes."""

_SILENT = {"name", "description", "split_keys"}
"""What a table's numbers do not depend on, except where it is stored with the data or guessed from; a simulation starts
from the split keys, the steady day of the estimate is past them."""

_SILENT_INSTANCE = {"name": None, "prices": (), "commitment": None, "price_book": None}
"""What of the instance no table's numbers depend on."""


def table_inputs(spec: Spec, table: Table) -> str:
    """SHA-256 of exactly what `table_estimate` reads: not the table's name, and of other tables the key of its base."""
    cached, base = spec.result_cache.get(("inputs", table.id)), base_segments(spec, table)
    # Variants of a document share its results where parts are the same objects, so identity decides, not the id.
    if cached is None or cached[0] is not table or cached[1] != base:
        cached = spec.result_cache["inputs", table.id] = (table, base, _table_inputs(spec, table))
    inputs: str = cached[2]
    return inputs


def _table_inputs(spec: Spec, table: Table) -> str:
    parts = needed_parts(spec, table)
    inputs = {
        "code": CODE_VERSION,
        "engine": spec.engine,
        "horizon": spec.horizon_months,
        "start": str(effective_value(spec, spec, "start")),
        "table": _numbers(table),
        "needed": [_once(spec, ("numbers", name), _needed_numbers, spec, part) for name, part in sorted(parts.items())],
        "instance": _once(spec, ("numbers", ""), _instance, spec),
    }
    if base := base_segments(spec, table):
        inputs["base"] = [_numbers(segment) for segment in base]
    # Fits of other tables must not change this hash; only values of its own fields and columns do.
    ids = {*parts, *(column.id for family in table.families for column in family.columns)}
    fitted = {f"{at}.{name}": to_plain_data(fit.value) for (at, name), fit in spec.fits.values.items() if at in ids}
    if fitted:
        inputs["fitted"] = fitted
    return hashlib.sha256(json.dumps(inputs, sort_keys=True, default=str).encode()).hexdigest()


def needed_parts(spec: Spec, table: Table) -> dict[str, Field | Activity]:
    """Return the fields and activities that a table, or the key of its base, refers to, directly or not, by id."""
    parts: dict[str, Field | Activity] = {}
    remaining: list[Table | Field | Activity | Segment] = [table, *base_segments(spec, table)]
    while remaining:
        part = remaining.pop()
        for target in _once(spec, ("needed", part.id), _targets, spec, part):
            if target.id not in parts:
                parts[target.id] = target
                remaining.append(target)
    return parts


def _targets(spec: Spec, part: Model) -> tuple[Field | Activity, ...]:
    pointed = [spec.by_id[to] for to, _ in targets(part) if to in spec.by_id]
    if isinstance(part, Field) and (owner := owner_of(spec, part)) is not None:
        pointed.append(owner)
    return tuple(target for target in pointed if isinstance(target, Field | Activity))


def _once(spec: Spec, key: tuple[str, str], function: Callable[..., Any], *args: Any) -> Any:
    """Return a result that several tables depend on, computed once per document."""
    if key not in spec.result_cache:
        spec.result_cache[key] = function(*args)
    return spec.result_cache[key]


def _needed_numbers(spec: Spec, part: Field | Activity) -> Any:
    """Return a field or an activity as data; what is assumed of a field can depend on other tables that it is in."""
    numbers = _numbers(part)
    if isinstance(part, Field):
        # Assumed values can follow from elsewhere in the document, such as a rate of another table, so their results
        # are part of the inputs.
        return numbers, [
            to_plain_data(effective_value(spec, part, name))
            for name in ("distinct", "growth_per_day", "popularity", "belongs_to")
        ]
    return numbers


def _instance(spec: Spec) -> Any:
    return _numbers(spec.instance.model_copy(update=_SILENT_INSTANCE))


def _numbers(part: Model) -> Any:
    """Return a part as data, without names that do not affect results (those of families and fields do)."""

    data = part.model_dump(mode="json", exclude_unset=True)
    if isinstance(part, Table):
        data = {key: value for key, value in data.items() if key not in _SILENT}
        for kind in data.get("row_kinds", ()):
            kind.pop("name", None)
            for access in (*kind.get("writes", ()), *kind.get("reads", ())):
                access.pop("name", None)
    elif isinstance(part, Activity):
        data.pop("name", None)
    return data
