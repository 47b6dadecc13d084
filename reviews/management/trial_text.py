"""A trial as lines of text."""

from collections.abc import Iterator, Sequence

from designer.document import Spec
from designer.wording import element_label
from designer.wording.formatting import format_value
from designer.wording.printable import printable
from estimator.management.commandline import align_columns
from reviews.trials import TrialResult
from reviews.trials.reports import finding_text
from reviews.trials.results import Content, TriedRead, TriedTable

RANGES_SHOWN = 3


def trial_lines(spec: Spec, result: TrialResult) -> Iterator[str]:
    """Yield the lines of a result, or of a trial that has not run."""
    names = {table.table: table.name for table in result.tables}
    yield f"Tried on {printable(result.target)}" if result.target else "Not tried yet: what a trial makes and reads"
    yield from align_columns(
        [
            ("table", "rows", "cells", "logical bytes", "definition", "split keys"),
            *map(_table_row, result.tables),
        ],
        right=(1, 2, 3, 5),
    )
    for table, name in names.items():
        reads = [read for read in result.reads if read.table == table]
        if not reads:
            continue
        yield f"Reads of {printable(name)}: planned{', or found / planned' if result.target else ''}"
        head = ("", "wanted", "looked at", "returned", "cells", "bytes", "filters")
        yield from align_columns([head, *map(_read_row, reads)], right=(1, 2, 3, 4, 5))
        for one in reads:
            yield from _range_lines(one)
    if result.not_tried:
        yield "Not tried"
        yield from (f"  {_at(spec, omission.element)}{printable(omission.text)}" for omission in result.not_tried)
    if result.target:
        count = len(result.findings)
        yield {0: "No difference.", 1: "1 difference"}.get(count, f"{count} differences")
        yield from (f"  {_at(spec, finding.element)}{printable(finding_text(finding))}" for finding in result.findings)


def _table_row(table: TriedTable) -> Sequence[str]:
    families = [f"{family.name} {family.designed_rule}" for family in table.families]
    description = ", ".join([*families, *(definition.line for definition in table.definitions)])
    return (table.name, *_counts(table.written, table.found), description, str(table.split_keys))


def _read_row(read: TriedRead) -> Sequence[str]:
    rows_text = _both(read.rows_met, read.rows_seen if read.found else None, "count")
    if read.found and read.rows_seen is None:  # the engine does not tell
        rows_text = f"– / {rows_text}"
    return (read.name, str(read.rows_wanted), rows_text, *_counts(read.planned, read.found), read.filters)


def _counts(planned: Content, actual: Content | None) -> tuple[str, str, str]:
    return (
        _both(planned.rows, actual.rows if actual else None, "count"),
        _both(planned.cells, actual.cells if actual else None, "count"),
        _both(planned.bytes, actual.bytes if actual else None, "bytes"),
    )


def _both(planned: int, actual: int | None, kind: str) -> str:
    text = format_value(kind, planned)
    return text if actual is None or actual == planned else f"{format_value(kind, actual)} / {text}"


def _range_lines(read: TriedRead) -> Iterator[str]:
    limit = f", the first {read.row_limit} rows" if read.row_limit else ""
    way = ", backwards" if read.is_reversed else ""
    for key_range in read.ranges[:RANGES_SHOWN]:
        if key_range.first == key_range.end:
            yield printable(f"    {read.name}: {key_range.first}")
            continue
        yield printable(
            f"    {read.name}: from {key_range.first or 'the start'} to before {key_range.end or 'the end'}{limit}{way}"
        )
    if read.range_count > RANGES_SHOWN:
        yield f"    … {read.range_count} ranges in all"


def _at(spec: Spec, element: str) -> str:
    return f"{printable(element_label(spec, element))}: " if element else ""
