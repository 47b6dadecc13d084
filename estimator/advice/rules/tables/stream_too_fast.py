"""A stream changes faster than tunnels are documented to follow.

**What** A table with a stream receives more rows a second in its busiest hour than a tunnel is documented to follow.
**Why** Up to 100,000 rows a second of a table, a tunnel is documented to follow within milliseconds. Beyond, readers
may fall behind, and a change that is older than the retention of the stream is lost to them.
**Instead** Test the tunnel at this rate before you rely on it, keep the stream for longer, or spread the writes over
several tables.
**Fine when** You have measured that readers follow, or they may lose changes.
**Source** https://www.alibabacloud.com/help/en/tablestore/overview-of-tunnel-service/ (read 2026-11-27)
"""

from collections.abc import Iterator

from designer.document import Spec
from designer.document.texts import N_
from estimator.engines.tablestore import LIMITS
from estimator.results import Estimate

from ..shared import TABLESTORE, Rule, Violation
from ..shared.cards import cards

MOST_ROWS = LIMITS["stream_rows"].value


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield at most one finding per table; quiet while its rate is not known."""
    for table in spec.tables:
        part = estimate.tables.get(table.id)
        if table.tablestore is None or not table.tablestore.stream_hours or part is None or part.traffic is None:
            continue
        rate = sum(load.peak_rows_per_second for load in part.traffic.writes)
        if rate > MOST_ROWS:
            params = {
                "table": table.label,
                "rate_per_second": rate,
                "most_per_second": MOST_ROWS,
                "kept_hours": table.tablestore.stream_hours,
            }
            yield Violation(at=table.id, field="tablestore", params=params, effect=rate)


def _stream_design(per_second: float) -> Spec:
    return cards(
        per_second=per_second,
        settings={"stream_hours": 24},
        fields=(
            {
                "id": "card", "name": "card_id", "kind": "string", "values": {"kind": "random", "min": 12, "max": 12},
                "distinct": 100_000_000, "assigned": "arbitrary", "popularity": {"kind": "uniform"},
            },
        ),
        instance={"prices": [{"sku": "tablestore.stream.storage", "amount": "0", "currency": "USD"}]},
    )  # fmt: skip


RULE = Rule(
    code="T006",
    severity="warning",
    message=N_(
        "{table} takes {rate_per_second} at the peak, and its stream keeps changes for {kept_hours}. A tunnel is "
        "documented to follow {most_per_second}. Readers that fall behind for longer than that lose changes."
    ),
    check=check,
    bad=lambda: _stream_design(120_000),
    good=lambda: _stream_design(50),
    near_miss=lambda: _stream_design(50_000),
    engines=TABLESTORE,
)
