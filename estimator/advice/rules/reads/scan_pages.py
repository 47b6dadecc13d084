"""A range read takes several calls.

**What** The rows that a read scans do not fit into one page.
**Why** The service ends a page after 5,000 rows or 4 MB scanned, whichever comes first. It returns the next start
key. The next request needs that key, so calls are sequential, and their latencies add up.
**Instead** Read less: use a narrower range, a limit on the newest rows, or only the needed columns. If you know the
bounds of several ranges, read them in parallel.
**Fine when** The reader processes the rows page by page as they arrive, as in batch work.
**Source** https://help.aliyun.com/en/tablestore/product-overview/limits-on-widecolumn-model (read 2026-11-20)
"""

from collections.abc import Iterator

from designer.document import Spec
from designer.document.texts import N_
from estimator.engines.capacity_units import POINTS, read_units, round_trips, rows_per_page
from estimator.engines.tablestore import LIMITS
from estimator.facts.reading import row_kinds
from estimator.results import Estimate

from ..shared import TABLESTORE, Rule, Violation
from ..shared.cards import cards
from ..shared.examples import read_part


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per read longer than a page; batch reads and full scans have other rules."""
    for rows in row_kinds(spec, estimate):
        for read, plan in rows.reads:
            if (
                plan.access in (*POINTS, "scan")
                or not plan.has_actual_rows
                or plan.rows_scanned <= 0
                or read.latency == "batch"
            ):
                continue
            trips = round_trips(plan) / max(plan.ranges, 1.0)
            if trips <= 1:
                continue
            row_bytes = plan.bytes_scanned / plan.rows_scanned
            yield Violation(
                at=read.id,
                params={
                    "read": read.label,
                    "scanned": plan.rows_scanned / max(plan.ranges, 1.0),
                    "scanned_bytes": plan.bytes_scanned / max(plan.ranges, 1.0),
                    "trips": trips,
                    "units_cu": read_units(plan),
                    "page_rows": rows_per_page(row_bytes),
                    "most": LIMITS["page_rows"].value,
                    "most_bytes": LIMITS["page_bytes"].value,
                },
                effect=trips,
            )


def _days(days: float) -> Spec:
    return cards(reads=(read_part(binds=("card",), time={"days": days}, rate_per_second=0.01),))


RULE = Rule(
    code="Q003",
    severity="note",
    message=N_(
        "{read} reads {scanned} rows ({scanned_bytes}) in {trips} sequential calls, for {units_cu}. A "
        "page ends at {most} rows or {most_bytes}. One call returns up to {page_rows} of these rows."
    ),
    check=check,
    bad=lambda: _days(7),
    good=lambda: _days(0.25),
    near_miss=lambda: _days(1),
    engines=TABLESTORE,
)
