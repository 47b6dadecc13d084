"""A column qualifier can be longer than the engine takes.

**What** The longest qualifier of a column, written out or made from fields, is above 16 KiB.
**Why** The engine refuses the mutation, and with it all that the same request does to the row: what is long is never
stored.
**Instead** Put an id or a hash into the qualifier, and the long text into the value.
**Fine when** Never: this is a hard limit.
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

from ..shared import BIGTABLE, Found, Rule
from ..shared.examples import DEVICE, NEWEST_ONLY, design, of, read

LIMIT = bigtable.LIMITS["qualifier_bytes"]

WRITTEN_OUT = N_(
    "The qualifier {column} of {table} is {longest_bytes} long; the engine refuses qualifiers above {limit_bytes}."
)


def check(spec: Spec, estimate: Estimate) -> Iterator[Found]:
    """A finding per column whose qualifier can be above the limit."""
    for table in spec.tables:
        for family in table.families:
            for column in family.columns:
                longest = qualifier_bytes_max(spec, column)
                if longest > LIMIT.value:
                    yield Found(
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


def _visited(most: int) -> Spec:
    """The pages that a device has visited, by their address."""
    page = {"id": "page", "name": "address", "values": {"kind": "random", "min": 20, "typical": 60, "max": most}}
    return design(
        of("device"),
        fields=(DEVICE, {**page, "distinct": 1_000, "popularity": {"kind": "uniform"}}),
        per_second=1,
        write={"mode": "new_column"},
        column={"qualifier": "", "qualifier_from": [{**of("page"), "id": "page_name"}], "value": {"kind": "empty"}},
        gc=NEWEST_ONLY,
        reads=(read(binds=("device",)),),
    )


RULE = Rule(
    code="C001",
    severity="error",
    message=N_(
        "Qualifiers of {column} in {table}, {typical_bytes} as a rule, can be {longest_bytes} long because of "
        "{segment}; the engine refuses qualifiers above {limit_bytes}."
    ),
    check=check,
    bad=lambda: _visited(20_000),
    good=lambda: _visited(200),
    near_miss=lambda: _visited(int(LIMIT.value)),
    engines=BIGTABLE,
)
