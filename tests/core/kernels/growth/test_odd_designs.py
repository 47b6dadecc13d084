"""Designs that nobody would draw: whatever can be loaded has finite growth and a bill, or says what lacks."""

import random

import numpy as np
import pytest

from designer.document import Spec
from designer.document.load import load
from estimator.kernels.growth import table_growth_and_sizes
from estimator.kernels.keys import compile_pattern
from estimator.kernels.pricing import compute_costs
from estimator.price_books.shelf import load_book
from estimator.results import NotComputableError, TablePart

MODES = [
    "append_row", "overwrite", "new_cell", "new_column", "increment", "add_to_aggregate", "read_modify_write",
    "check_and_mutate", "delete_cell", "delete_family", "delete_row", "delete_prefix",
]  # fmt: skip


class Odd:
    """Draws parts of a document, each of its fields present or not."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def some(self, share=0.5, **given):
        return {name: value for name, value in given.items() if self.random.random() < share}

    def one(self, *choices):
        return self.random.choice(choices)

    def gc(self, depth=0):
        kind = self.one("max_versions", "max_age", "never", "union", "intersection") if depth < 2 else "max_age"
        match kind:
            case "max_versions":
                return {"kind": kind, "versions": self.one(1, 3, 100, 1000)}
            case "max_age":
                return {"kind": kind, "age_days": self.one(0.01, 1, 30, 4000)}
            case "never":
                return {"kind": kind}
        return {"kind": kind, "rules": [self.gc(depth + 1) for _ in range(self.one(1, 2, 3))]}

    def field(self, number):
        law = self.some(
            distinct=self.one(1, 10, 5000, 10**9), growth_per_day=self.one(0, 5, 1e5),
            lifetime_days=self.one(0.5, 30, 900), kind=self.one("string", "integer", "uuid"),
        )  # fmt: skip
        return {"id": f"f{number}", "name": self.one("device", "user", "x")} | law

    def activity(self, number):
        arrival = self.one(
            {"kind": "every", "seconds": 60, "field": "f0"}, {"kind": "poisson"}, {"kind": "backfill", "days": 30}
        )
        growth, rate = self.one(-1, -0.5, 0.1, 5), self.one(0, 1e-6, 1, 1e6)
        return {"id": f"a{number}"} | self.some(0.7, rate_per_second=rate, growth_per_month=growth, arrival=arrival)

    def column(self, number):
        value = self.some(kind=self.one("text", "empty", "random"), typical_bytes=self.one(0, 10, 1e7))
        return {"id": f"col{number}"} | self.some(
            qualifier="abc", presence=self.one(0, 0.1, 1), timestamp=self.one("server", "constant"), value=value,
            qualifier_from=[{"id": f"q{number}", "kind": "field", "field": "f1"}],
        )  # fmt: skip

    def family(self, number):
        columns = [self.column(10 * number + i) for i in range(self.one(0, 1, 3))]
        needed, kind = self.some(versions=2, age_days=3), self.one("ordinary", "sum", "hll")
        return {"id": f"fam{number}", "columns": columns} | self.some(name="m", kind=kind, gc=self.gc(), needed=needed)

    def spec(self):
        segments = [
            {"id": "s0", "kind": "field", "field": "f0", "after": "#"},
            {"id": "s1", "kind": "time", "resolution": self.one("millisecond", "second", "day", "year"), "after": "#"},
            {"id": "s2", "kind": "salt", "modulo": 8},
        ]
        writes = [
            {"id": f"w{i}", "mode": self.one(*MODES)} | self.some(0.9, activity=self.one("a0", "a1"))
            for i in range(self.one(0, 1, 2, 3))
        ]
        stored = self.some(
            0.25, gib_stored=self.one(0, 1e-6, 50, 1e6), rows_stored=self.one(0, 1, 1e12),
            history_months=self.one(0, 3, 60), compressed_share=0.3, infrequent_access_days=30, change_stream_days=3,
        )  # fmt: skip
        nodes = self.one({"kind": "fixed", "count": 2}, {"kind": "autoscaling", "min": 0, "max": 0})
        clusters = [{"id": "c1", "region": self.one("us-central1", ""), "nodes": nodes}]
        return {
            "horizon_months": self.one(1, 12, 120),
            "fields": [self.field(i) for i in range(2)],
            "activities": [self.activity(i) for i in range(2)],
            "tables": [
                {
                    "id": "t",
                    "families": [self.family(i) for i in range(self.one(0, 1, 2))],
                    "row_kinds": [
                        {"id": "k", "key": [s for s in segments if self.random.random() < 0.7], "writes": writes}
                    ],
                }
                | stored
            ],
            "instance": self.some(clusters=clusters, commitment={"years": 1}, storage="hdd"),
        }


@pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning")
@pytest.mark.parametrize("seed", range(30))
def test_whatever_can_be_loaded_grows_and_costs_something_finite_or_says_what_lacks(seed):
    spec = Spec.model_validate(Odd(seed).spec())
    growth, lacking = None, ""
    try:
        patterns = {"k": compile_pattern(spec, "k", ids_max=500)} if spec.tables[0].row_kinds[0].key else {}
        growth, sizes = table_growth_and_sizes(spec, spec.tables[0], patterns)
        _finite_and_in_order(growth, sizes)
    except NotComputableError as open_:
        lacking = str(open_.because)

    part = TablePart("t", keys={}, reads=(), traffic=None, growth=growth, because=())
    bill = compute_costs(spec, {"t": part}, load_book()).bills[-1]

    assert growth or lacking
    assert bill.low <= bill.total <= bill.high


def _finite_and_in_order(growth, sizes):
    low, middle, high = growth.physical_bytes_low, growth.physical_bytes, growth.physical_bytes_high
    for array in (growth.rows, growth.logical_bytes, low, middle, high):
        assert np.isfinite(array).all()
        assert (array >= 0).all()
    assert (low <= middle * (1 + 1e-9)).all()
    assert (middle <= high * (1 + 1e-9)).all()
    for kind in growth.kinds:
        assert (kind.median_bytes <= kind.p99_bytes * (1 + 1e-6)).all()
        assert (kind.p99_bytes <= kind.largest_bytes * (1 + 1e-6)).all()
        assert np.isfinite(kind.largest_bytes).all()
    for size in sizes.values():
        assert all(0 <= column.cells_stored < np.inf for column in size.columns)


@pytest.mark.parametrize(("values", "rows"), [(1_000_000, 864_000), (300_000, 300_000)])
def test_a_load_of_more_events_than_there_are_keys_makes_no_more_rows_than_keys(values: int, rows: float) -> None:
    """Five events a second for two days: 864,000, of which each had a row even where there are 300,000 keys."""
    spec = load(
        f"""
format: 1
start: 2027-01-01
fields:
  position: integer, distinct={values}, assigned=arbitrary, popularity=uniform
activities:
  The positions are loaded: 5/s, arrival=backfill(2d), ends_on=2027-01-03
tables:
  variants:
    key: '{{position:pad9}}'
    writes:
      - The positions are loaded
    families:
      g:
        gc: max_versions(1)
        columns:
          calls: json(3kB)
""",
        name="variants.yaml",
    )
    patterns = {kind.id: compile_pattern(spec, kind.id) for kind in spec.tables[0].row_kinds}

    growth, sizes = table_growth_and_sizes(spec, spec.tables[0], patterns)

    assert float(growth.rows[-1]) == pytest.approx(rows, rel=0.01)
    (column,) = next(iter(sizes.values())).columns
    assert column.cells_stored - column.cells_superseded == pytest.approx(1, rel=0.01)
