"""`manage.py estimate FILE`: rows, nodes and the monthly bill of a design."""

import json
import textwrap
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from decimal import Decimal
from typing import Any

from designer.document import Spec, effective_value
from designer.document.money import Money
from designer.document.table import Table
from designer.wording import element_label
from designer.wording.formatting import english, format_value, number
from designer.wording.printable import printable
from estimator.advice.questions.assumed_range import assumed_range
from estimator.estimates.context import Context
from estimator.estimates.estimate import estimate, with_month
from estimator.estimates.fits import with_fits
from estimator.estimates.what_if import with_what_if
from estimator.facts.default_skew import assumed_skew_fields
from estimator.kernels.compression.measure import measure
from estimator.kernels.compression.measurements import Measurements
from estimator.management.commandline import FileCommand, align_columns, file_context
from estimator.management.days import add_today
from estimator.presentation.assumed_range import assumed_even, range_texts
from estimator.presentation.estimate_data import estimate_data
from estimator.presentation.figures import stored_text
from estimator.presentation.locations import element_path
from estimator.presentation.pricing import price_status, ways_to_close
from estimator.results import Bill, BillLine, Estimate, NotComputableError, TableGrowth


class Command(FileCommand):
    """Prints what a design holds, carries and costs, each bill line with its arithmetic."""

    help = "Estimate rows, nodes and the monthly bill of a design. Exit code: 0, or 2 for unusable input."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the option for the month to show."""
        super().add_arguments(parser)
        parser.add_argument("--measure", action="store_true", help="measure compression first: about a second a table")
        add_today(parser)
        parser.add_argument("--month", type=int, help="month of the horizon, 1 is the first (default: the last)")

    def handle(self, *, file: str, **options: Any) -> None:
        """Print the estimate."""
        context = file_context(options["today"])
        _, spec = self.read(file, today=context.today)
        spec = with_fits(spec)
        if options["measure"]:
            context = replace(context, measurements=self._measure_tables(spec))
        result = with_what_if(spec, estimate(spec, context), context)
        result = replace(result, assumed_range=assumed_range(spec, result, context))
        if options["json"]:
            self.stdout.write(json.dumps(estimate_data(result), indent=1))
            return
        self.stdout.write("\n".join(map(printable, _for_people(spec, result, context, options["month"]))))

    @staticmethod
    def _measure_tables(spec: Spec) -> Measurements:
        """Measure the compression of every table with enough known data."""
        measurements = []
        for table in spec.tables:
            with suppress(NotComputableError):
                measurements.append(measure(spec, table.id))
        return Measurements.of(*measurements)


def _for_people(spec: Spec, estimate: Estimate, context: Context, month: int | None) -> Iterator[str]:
    yield f"{spec.name}  ({estimate.sha256[:12]}, prices of {estimate.price_book_date or 'no book'})"
    if spec.start is None:
        yield f"Starts on {effective_value(spec, spec, 'start')}: no start date is set"
    yield from ("", "Tables at the end of the horizon", *_tables(spec, estimate))
    bill, shown, when = estimate.bill, estimate, "the horizon"
    if month is not None and month < len(estimate.bills):
        bill = estimate.bills[max(month, 1) - 1]
        shown, when = with_month(spec, estimate, bill.month, context.price_books), f"month {bill.month + 1}"
    if estimate.nodes:
        yield from ("", "Nodes" if shown is estimate else f"Nodes at the end of {when}", *_nodes(spec, shown))
    yield from (f"  {english(calibration.message, calibration.params)}" for calibration in estimate.calibrations)
    if estimate.capacity_units:
        yield from ("", f"Throughput at the end of {when}", *_units(spec, shown))
    if bill:
        yield from ("", *_bill(spec, estimate, bill), *_prices(spec, estimate, context))
    for because in (*estimate.because, *(b for part in estimate.tables.values() for b in part.because)):
        yield f"open: {english(because.message, because.params)} ({element_path(spec, because.at)})"


def _tables(spec: Spec, estimate: Estimate) -> Iterator[str]:
    rows = [("table", "rows", "stored", "compressed to", "key", "writes", "reads", "hottest range", "pattern")]
    for table in spec.tables:
        part = estimate.tables[table.id]
        grown, traffic = part.growth, part.traffic
        heat = traffic.heat if traffic else None
        keys = [facts.bytes_typical for facts in part.keys.values()]
        rows.append(
            (
                table.label,
                number(grown.rows[-1]) if grown else "–",
                _stored(grown) if grown else "–",
                _compression_text(spec, table, grown) if grown else "–",
                format_value("bytes", max(keys)) if keys else "–",
                format_value("per_second", heat.writes_per_second.sum(axis=0).max()) if heat else "–",
                format_value("per_second", heat.reads_per_second.sum(axis=0).max()) if heat else "–",
                format_value("share", traffic.hottest_range_share) if traffic else "–",
                ", ".join(pattern.name.replace("_", " ") for pattern in traffic.patterns) if traffic else "–",
            )
        )
    yield from align_columns(rows, right=range(1, 8))


def _stored(growth: TableGrowth) -> str:
    text = stored_text(growth)
    return english(text.message, text.params)


def _compression_text(spec: Spec, table: Table, growth: TableGrowth) -> str:
    if growth.compression_origin == "none":
        return "–"
    origin = "entered" if growth.compression_origin == "you" else growth.compression_origin
    if spec.find_measured(table.id, "compressed_share") is not None:
        origin = "measured"
    return f"{format_value('share', growth.compressed_share)} ({origin})"


def _nodes(spec: Spec, estimate: Estimate) -> Iterator[str]:
    for nodes in estimate.nodes:
        count, name = number(nodes.nodes_by_month[-1]), element_label(spec, nodes.cluster)
        if nodes.unknown_tables:
            unknown = ", ".join(element_label(spec, table) for table in nodes.unknown_tables)
            yield f"  {name}: at least {count}, without {unknown}, of which load or size is not known"
        else:
            yield f"  {name}: {count}, limited by {nodes.limited_by}"
        rows = [
            (
                english(a.label, a.params),
                "–" if a.value is None else number(a.value),
                a.unit,
                english(a.formula, a.params),
            )
            for a in nodes.explanation
        ]
        yield from align_columns(rows, right=[1], indent="    ")


def _units(spec: Spec, estimate: Estimate) -> Iterator[str]:
    for units in estimate.capacity_units:
        yield f"  {element_path(spec, units.table)}, {units.instance.replace('_', '-')} instance"
        rows = [
            (english(a.label, a.params), format_value(a.unit, a.value), english(a.formula, a.params))
            for a in units.explanation
        ]
        yield from align_columns(rows or [("nothing has a rate yet", "", "")], right=[1], indent="    ")


def _prices(spec: Spec, estimate: Estimate, context: Context) -> Iterator[str]:
    """Yield a note if the price book is old, and the changes by a newer one."""
    status = price_status(spec, estimate, context)
    if status and status.old_days:
        yield f"  {estimate.price_book} is {status.old_days} days old: its prices may have changed"
    if status and status.newer and status.newer.difference is not None:
        difference = format_value("cost", Money(status.newer.difference, estimate.currency))
        sign = "+" if status.newer.difference > 0 else ""
        yield f"  {status.newer.new_book.name} is newer: {sign}{difference} a month (prices reprice FILE)"


def _origin(line: BillLine) -> str:
    if line.price_origin != "book":
        return line.price_origin
    return f"{line.price_seen} {textwrap.shorten(line.price_source, 60, placeholder=' …')}"


def _money(bill: Bill, amount: Decimal) -> str:
    return format_value("cost", bill.money(amount))


def _bill(spec: Spec, estimate: Estimate, bill: Bill) -> Iterator[str]:
    yield f"Bill of month {bill.month + 1}, from {bill.first_day}"
    rows = [
        (
            english(line.label, line.params),
            "no price" if line.cost is None else _money(bill, line.cost),
            english(line.formula, line.params),
            _origin(line),
        )
        for line in bill.lines
    ]
    yield from align_columns(
        [*rows, ("total", f"{'≥ ' if bill.open_lines else ''}{_money(bill, bill.total)}", "", "")], right=[1]
    )
    ranges = range_texts(spec, estimate, estimate.assumed_range) if bill is estimate.bill else {}
    yield from (f"  {english(text.message, text.params)}" for text in ranges.values())
    if bill.low != bill.high and "bill" not in ranges:
        yield f"  between {_money(bill, bill.low)} and {_money(bill, bill.high)}"
    even = assumed_even(estimate)
    if skewed := ", ".join(field.label for field in assumed_skew_fields(spec) if field.id not in even):
        yield f"  assumed, as no distribution is set: some values of {skewed} are far busier than others"
    lines = [open_line for open_line in bill.open_lines if open_line.item != "unknown_table"]
    for line in lines:
        yield f"  open: no price for {line.sku} in {line.where or 'any place'} ({element_path(spec, line.at)})"
    yield from (f"  to close them: {english(way.message, way.params)}" for way in ways_to_close(lines))
