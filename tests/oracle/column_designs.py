"""Designs whose events name columns: a time or a number stands in qualifiers, beside coarser parts of it in the key.

Each is one of the crossed designs, of which a part moves from the key into qualifiers.
"""

from copy import deepcopy
from typing import Any

import numpy as np

from designer.document.load import from_data

from .designs import COUNTED, Design, design, reads_of

_FINER: dict[str, tuple[dict[str, Any], ...]] = {
    "day": ({"resolution": "millisecond"}, {"resolution": "hour", "pattern": "%Y%m%d%H"}),
    "hour": ({"resolution": "millisecond"}, {"bucket_seconds": 300, "pattern": "%Y%m%d%H%M"}),
    "none": ({"resolution": "millisecond"}, {"resolution": "day", "pattern": "%Y%m%d"}),
}
"""Times of qualifiers that are finer than the time in the key."""


def wide_design(seed: int) -> Design | None:
    """Return a design whose time stands in qualifiers; None where it has no time.

    Its reads are of the newest columns, of those of a span of time, and of the newest of a span.

    Left out are values that end and random salts: rows below them are in known gaps, whatever their columns are.
    """
    made = design(seed)
    if made.features["lifetime"] != "none" or made.features["lead"] == "random salt":
        return None
    data = deepcopy(made.data)
    kind, family = data["tables"][0]["row_kinds"][0], data["tables"][0]["families"][0]
    times = [part for part in kind["key"] if part["kind"] == "time"]
    if not times or made.features["qualifier"] == "field" or made.features["relation"] in COUNTED:
        return None
    kind["key"] = [part for part in kind["key"] if part["kind"] != "time"]
    column = family["columns"][0]
    del column["qualifier"]
    column["qualifier_from"] = times
    kind["writes"][0]["mode"] = "overwrite"
    names = [part["field"] for part in kind["key"] if part["kind"] == "field"]
    binds = [{"field": name} for name in names]
    rng, read, newest = np.random.default_rng([seed, 41]), {"rate_per_second": 1, "binds": binds}, 1 + seed % 4
    span = {"days": float(rng.choice([0.1, 1, 4])), "age_days": float(rng.choice([0, 0, 2]))}
    kind["reads"] = [
        {"id": "newest-columns", "newest_columns": newest} | read,
        {"id": "columns-of-span", "time": span} | read,
        {"id": "columns-newest-of-span", "time": span, "newest_columns": newest} | read,
    ]
    features = made.features | {"mode": "overwrite", "qualifier": "time"}
    return Design(seed, features, from_data(data), data)


def named_design(seed: int) -> Design | None:
    """Return a design whose events name columns, with the reads of its rows; None where nothing can name them.

    The key keeps a coarser time, or the bucket of the number that names columns.
    """
    made = design(seed)
    rng = np.random.default_rng([seed, 31])
    if made.features["qualifier"] == "field" or made.features["relation"] == "counter":
        return None
    data = deepcopy(made.data)
    kind, column = data["tables"][0]["row_kinds"][0], data["tables"][0]["families"][0]["columns"][0]
    features = made.features | {"qualifier": "named"}
    if features["time"] in ("moment", "newest first"):
        features["time"] = "none"
        kind["key"] = [part for part in kind["key"] if part["kind"] != "time"]
    if features["relation"] in COUNTED:
        named = {"id": "q-number", "kind": "field", "field": "number", "transforms": [{"kind": "pad", "width": 8}]}
        if features["number"] == "whole":
            kind["key"] = [part for part in kind["key"] if part["id"] != "k-number"]
    else:
        times = _FINER[features["time"]]
        named = {"id": "q-time", "kind": "time"} | times[rng.integers(len(times))]
        if named.get("resolution") == "millisecond" and rng.random() < 0.5:
            named["reversed"] = True
    del column["qualifier"]
    column["qualifier_from"] = [named]
    if features["mode"] == "append_row":
        features["mode"] = kind["writes"][0]["mode"] = "overwrite"
    names = [part["field"] for part in kind["key"] if part["kind"] in ("field", "derived")]
    kind["reads"] = reads_of(rng, features, names)
    return Design(seed, features, from_data(data), data)
