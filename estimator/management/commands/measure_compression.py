"""`manage.py measure_compression FILE`: how small each table of a design becomes on disk."""

import json
import time
from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

from designer.document import Spec
from designer.document.table import Table
from designer.wording.formatting import english, format_value
from designer.wording.printable import printable
from estimator.kernels.compression.measure import measure
from estimator.management.commandline import FileCommand, align_columns, find_table, with_format
from estimator.presentation.locations import element_path
from estimator.presentation.plain_data import to_plain
from estimator.results import Measurement, NotComputableError, UnknownReason

Found = tuple[Table, Measurement | UnknownReason, float]
"""A table, its measurement or why there is none, and the seconds that it took."""


class Command(FileCommand):
    """Lays out and compresses blocks of what each table stores at the end of the horizon; writes nothing."""

    help = "Measure the compression of a design's tables with real codecs. Exit code: 0, or 2 for unusable input."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the option for the table."""
        super().add_arguments(parser)
        parser.add_argument("--table", help="id or name of one table (default: all)")

    def handle(self, *, file: str, **options: Any) -> None:
        """Print the measurements."""
        _, spec = self.read(file)
        tables = [find_table(spec, options["table"])] if options["table"] else spec.tables
        measurements = [_measure(spec, table) for table in tables]
        if options["json"]:
            self.stdout.write(
                json.dumps(
                    with_format("compression", {"tables": [_as_data(*measurement) for measurement in measurements]}),
                    indent=1,
                )
            )
            return
        self.stdout.write("\n".join(map(printable, _for_people(spec, measurements))))


def _measure(spec: Spec, table: Table) -> Found:
    start = time.perf_counter()
    try:
        result: Measurement | UnknownReason = measure(spec, table.id)
    except NotComputableError as reason:
        result = reason.because
    return table, result, time.perf_counter() - start


def _as_data(table: Table, result: Measurement | UnknownReason, seconds: float) -> dict[str, Any]:
    if isinstance(result, UnknownReason):
        return {"table": table.id, "because": english(result.message, result.params)}
    return {"table": table.id, **to_plain(result), "seconds": round(seconds, 3)}


def _for_people(spec: Spec, measurements: list[Found]) -> Iterator[str]:
    rows = [("table", "zstd", "snappy", "uncompressed", "spread", "blocks", "seconds")]
    for table, result, seconds in measurements:
        if isinstance(result, Measurement):
            spread = "–" if result.error_share is None else f"±{100 * result.error_share:.2g} %"
            shares = (
                format_value("share", result.low_share),
                format_value("share", result.high_share),
                format_value("share", result.uncompressed_share),
            )
            rows.append((table.label, *shares, spread, str(result.blocks), f"{seconds:.2f}"))
    codecs = {result.codecs for _, result, _ in measurements if isinstance(result, Measurement)}
    if codecs:
        yield "On disk, of the logical bytes (key, family, qualifier, timestamp, value and overhead of every cell)"
        yield from align_columns(rows, right=range(1, 7))
        yield f"Measured with {', '.join(sorted(codecs))}. Bigtable's own format and codec are not public."
    for _, result, _ in measurements:
        if isinstance(result, UnknownReason):
            yield f"open: {english(result.message, result.params)} ({element_path(spec, result.at)})"
