"""A column qualifier can exceed the engine's limit.

**What** The longest qualifier of a column, fixed or made from fields, is above 16 KiB.
**Why** The engine rejects the mutation and all other changes of the same request to the row. Rows with long
qualifiers are never stored.
**Instead** Put an ID or a hash in the qualifier and the long text in the value.
**Fine when** Never. This is a hard limit.
**Source** https://cloud.google.com/bigtable/quotas (read 2026-11-20)
"""

from collections.abc import Iterator

from designer.document import Spec
from designer.document.family import Column
from designer.document.texts import N_
from designer.wording import element_label, segment_label, shorten
from estimator.engines import bigtable
from estimator.kernels.growth.cells import qualifier_bytes
from estimator.kernels.growth.longest_values import qualifier_bytes_max, segment_bytes_max
from estimator.results import Estimate

from ..shared import BIGTABLE, Rule, Violation
from ..shared.examples import DEVICE, NEWEST_ONLY, design, field_part, read_part

LIMIT = bigtable.LIMITS["qualifier_bytes"]

WRITTEN_OUT = N_(
    "The qualifier {column} of {table} is {longest_bytes} long. The engine rejects qualifiers above {limit_bytes}."
)


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per column whose qualifier can exceed the limit."""
    for table in spec.tables:
        for family in table.families:
            for column in family.columns:
                longest = qualifier_bytes_max(spec, column)
                if longest > LIMIT.value:
                    yield Violation(
                        at=column.id,
                        field="qualifier_from" if column.qualifier_from else "qualifier",
                        params={
                            "column": shorten(element_label(spec, column.id)),
                            "table": table.label,
                            "longest_bytes": longest,
                            "typical_bytes": qualifier_bytes(spec, column),
                            "limit_bytes": LIMIT.value,
                            "segment": _longest_part(spec, column),
                        },
                        message="" if column.qualifier_from else WRITTEN_OUT,
                        effect=longest,
                    )


def _longest_part(spec: Spec, column: Column) -> object:
    if not column.qualifier_from:
        return ""
    return segment_label(spec, max(column.qualifier_from, key=lambda segment: segment_bytes_max(spec, segment)))


def _visits_design(maximum: int) -> Spec:
    """Build a design of the pages that a device has visited, by address."""
    page = {"id": "page", "name": "address", "values": {"kind": "random", "min": 20, "typical": 60, "max": maximum}}
    return design(
        field_part("device"),
        fields=(DEVICE, {**page, "distinct": 1_000, "popularity": {"kind": "uniform"}}),
        per_second=1,
        write={"mode": "new_column"},
        column={
            "qualifier": "",
            "qualifier_from": [{**field_part("page"), "id": "page_name"}],
            "value": {"kind": "empty"},
        },
        gc=NEWEST_ONLY,
        reads=(read_part(binds=("device",)),),
    )


RULE = Rule(
    code="C001",
    severity="error",
    message=N_(
        "Qualifiers of {column} in {table} are typically {typical_bytes} but can reach {longest_bytes} "
        "because of {segment}. The engine rejects qualifiers above {limit_bytes}."
    ),
    check=check,
    bad=lambda: _visits_design(20_000),
    good=lambda: _visits_design(200),
    near_miss=lambda: _visits_design(int(LIMIT.value)),
    engines=BIGTABLE,
)
