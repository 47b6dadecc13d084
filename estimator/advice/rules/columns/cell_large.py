"""A cell can exceed the recommended size.

**What** The largest value of a column is above 10 MB.
**Why** A node reads, buffers and sends a cell as one piece. Other requests on the node wait for it. A few versions
of such a cell make the row too large.
**Instead** Store large objects in an object store and keep their address in the cell, or split them over several
rows.
**Fine when** Such values are rare and only read and written in the background.
**Source** https://cloud.google.com/bigtable/docs/schema-design (read 2026-11-20)
https://cloud.google.com/bigtable/quotas (read 2026-11-20)
"""

from collections.abc import Iterator

from designer.document import Spec
from designer.document.texts import N_
from designer.wording import element_label, shorten
from estimator.engines import MiB, bigtable
from estimator.facts.values import values_above
from estimator.kernels.traffic.node_time import read_seconds
from estimator.results import Estimate

from ..shared import BIGTABLE, Rule, Violation
from ..shared.examples import documents

LIMIT = bigtable.LIMITS["cell_bytes_recommended"]
ALL_ALIKE = N_(
    "Values of {column} in {table} are {largest_bytes} each, above the recommended {limit_bytes}. Reading one takes "
    "{busy_seconds} of node CPU time, {usual_factor} as long as 1 KiB. Other requests on the node wait."
)


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per column whose largest value exceeds the recommended size."""
    for size in values_above(spec, LIMIT.value):
        seconds = read_seconds(bigtable.instance_capacity(spec.instance), size.largest_bytes)
        yield Violation(
            at=size.column.id,
            field="value",
            params={
                "column": shorten(element_label(spec, size.column.id)),
                "table": size.table.label,
                "typical_bytes": size.typical_bytes,
                "largest_bytes": size.largest_bytes,
                "limit_bytes": LIMIT.value,
                "busy_seconds": seconds,
                "usual_factor": seconds / read_seconds(bigtable.instance_capacity(spec.instance), 1_024),
            },
            effect=size.largest_bytes,
            message=ALL_ALIKE if size.all_alike else "",
            cause=size.column.id,
        )


RULE = Rule(
    code="C007",
    severity="warning",
    message=N_(
        "Values of {column} in {table} are typically {typical_bytes} but reach {largest_bytes}, above "
        "the recommended {limit_bytes}. Reading one takes {busy_seconds} of node CPU time, "
        "{usual_factor} as long as 1 KiB. Other requests on the node wait."
    ),
    check=check,
    bad=lambda: documents(MiB, largest_bytes=20 * MiB),
    good=lambda: documents(MiB, largest_bytes=5 * MiB),
    near_miss=lambda: documents(MiB, largest_bytes=10 * MiB),
    engines=BIGTABLE,
    under=("C006",),
)
