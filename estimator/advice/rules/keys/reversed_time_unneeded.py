"""The time in the key is reversed, but no read needs the newest rows first.

**What** A key contains a large number minus the time, but no read requests the newest rows.
**Why** Reversed times are longer and not readable: on which day is 9223370238093175807? Range reads work with
either order, so reversal only adds cost.
**Instead** Store the time unreversed. For a rare read of the newest rows, use a reverse scan.
**Fine when** Readers go back from the end of a time range and stop when they have enough rows.
**Source** https://cloud.google.com/bigtable/docs/schema-design (read 2026-11-20)
https://cloud.google.com/bigtable/docs/reads#reverse-scan (read 2026-11-20)
"""

from collections.abc import Iterator

from designer.document import Spec
from designer.document.key import TimeSegment
from designer.document.texts import N_
from designer.wording import segment_label
from estimator.facts.reading import RowKindFacts, row_kinds
from estimator.kernels.keys.rendering import clock
from estimator.results import Estimate

from ..shared import BIGTABLE, Rule, Violation
from ..shared.examples import field_part, read_part, readings, time_part

UNSIZED = N_(
    "{segment} is reversed in the key of {table}, but no read requests its newest rows. {plain} appears as {shown}."
)


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per reversed time whose readers never want the newest first."""
    for rows in row_kinds(spec, estimate):
        if not rows.kind.reads or rows.kind.reads_unknown:
            continue
        if any(read.newest_rows is not None and not read.reverse for read in rows.kind.reads):
            continue
        for segment in rows.kind.segments:
            if isinstance(segment, TimeSegment) and segment.reversed:
                yield _build_violation(rows, segment)


def _build_violation(rows: RowKindFacts, segment: TimeSegment) -> Violation:
    moment = clock.to_micros(clock.EPOCH.replace(year=2027))
    plain = clock.time_text(segment.model_copy(update={"reversed": False}), moment)
    text = _reversed_text(segment, moment)
    surplus = max(len(text) - len(plain), 0)
    growth = rows.part.growth if rows.part else None
    cells = sum(f.cells_per_row for f in growth.families if f.row_kind == rows.kind.id) if growth else 0.0
    stored = surplus * cells * rows.growth.rows if rows.growth and surplus and cells else None
    return Violation(
        at=segment.id,
        field="reversed",
        params={
            "table": rows.table.label,
            "segment": segment_label(rows.spec, segment),
            "plain": plain,
            "shown": text,
            "surplus_bytes": surplus,
            "stored_bytes": stored,
        },
        message="" if stored is not None else UNSIZED,
        effect=float(surplus),
    )


def _reversed_text(segment: TimeSegment, moment: int) -> bytes:
    """Return the time as the key shows it; empty where the number it is subtracted from is too small."""
    try:
        return clock.time_text(segment, moment)
    except ValueError:
        return b""


RULE = Rule(
    code="K016",
    severity="note",
    message=N_(
        "{segment} is reversed in the key of {table}, but no read requests its newest rows. {plain} "
        "appears as {shown}. That is {surplus_bytes} longer in every cell, {stored_bytes} in total "
        "before compression."
    ),
    check=check,
    bad=lambda: readings(field_part("device", "#"), time_part(reversed=True), per_second=100),
    good=lambda: readings(field_part("device", "#"), time_part(), per_second=100),
    near_miss=lambda: readings(
        field_part("device", "#"),
        time_part(reversed=True),
        per_second=100,
        reads=(read_part(binds=("device",), newest_rows=20),),
    ),
    engines=BIGTABLE,
)
