"""A small design to be compared with itself after edits, estimated with few ids."""

import datetime
from typing import Any

from designer.document import Spec, fingerprint
from designer.document.edits import Batch, Edit, apply
from designer.document.load import from_data
from estimator.advice.rules import findings
from estimator.comparison.designs import Comparison, DesignWithEstimate, align, compare
from tests.contexts import estimate

TODAY = datetime.date(2026, 11, 21)


def data() -> dict[str, Any]:
    """Devices that report: one table, one key, one family, one read."""
    key = [{"id": "s1", "kind": "field", "field": "d", "after": "#"}, {"id": "s2", "kind": "time"}]
    write = {"id": "w", "name": "put", "activity": "a"}
    read = {"id": "r", "name": "a device's day", "rate_per_second": 5, "binds": [{"field": "d"}], "time": {"days": 1}}
    column = {"id": "c", "qualifier": "v", "value": {"kind": "text", "typical_bytes": 1000}}
    family = {"id": "f", "name": "m", "gc": {"kind": "max_age", "age_days": 90}, "columns": [column]}
    kind = {"id": "k", "name": "rows", "key": key, "writes": [write], "reads": [read]}
    return {
        "name": "Reports",
        "fields": [{"id": "d", "name": "device", "kind": "string", "distinct": 500}],
        "activities": [{"id": "a", "name": "reports", "rate_per_second": 5000}],
        "tables": [{"id": "t", "name": "readings", "row_kinds": [kind], "families": [family]}],
        "instance": {"clusters": [{"id": "main", "name": "main", "region": "us-central1"}]},
    }


def design() -> Spec:
    """It as a document."""
    return from_data(data())


def edited(spec: Spec, *edits: Edit) -> Spec:
    """It after edits."""
    return apply(spec, Batch(edits=edits))[0]


_SIDES: dict[str, DesignWithEstimate] = {}


def side(spec: Spec) -> DesignWithEstimate:
    """A document with its estimate and findings, made once."""
    sha256 = fingerprint(spec)
    if sha256 not in _SIDES:
        made = estimate(spec)
        _SIDES[sha256] = DesignWithEstimate(spec, made, findings(spec, made, TODAY))
    return _SIDES[sha256]


def compared(before: Spec, after: Spec, *, alone: bool = True) -> Comparison:
    """Two documents compared."""
    alignment = align(before, after)
    return compare(side(before), side(alignment.spec), alignment=alignment, compute=side if alone else None)
