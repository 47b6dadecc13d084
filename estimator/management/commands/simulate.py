"""`manage.py simulate FILE`: a day or a month of a design played in this process."""

import datetime
import json
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import ValidationError

from designer.document import Spec
from designer.management.base import CommandError
from designer.management.writing import add_overwrite, refuse_existing_file, write_all
from designer.wording.formatting import english, format_value, number
from designer.wording.printable import printable
from estimator.engines import engine_of
from estimator.management.commandline import (
    UNUSABLE,
    FileCommand,
    ProgressBar,
    align_columns,
    file_context,
    find_table,
    with_format,
)
from estimator.management.limits import current_limits
from estimator.presentation.charts.maps.simulated import simulated_map
from estimator.presentation.charts.maps.still import still_heatmap
from estimator.presentation.charts.picture import heat_png
from estimator.presentation.plain_data import to_plain
from estimator.results import NotComputableError
from estimator.results.arrays import Floats
from estimator.simulation import Parameters, Plan, Simulation, simulate
from estimator.simulation.results import METRICS, ClusterRun, TableDays

SIGNS = {"error": "✗", "warning": "!", "note": "·"}
DONE = 1_000
"""Steps of the bar."""

SPLITS_SHOWN = 8

OVER_SEEDS = {
    "peak_utilisation_share": "hottest node", "refused_operations": "refused", "reachable_factor": "reachable",
    "reached_factor": "reached",
}  # fmt: skip


class Command(FileCommand):
    """Prints what a day or a month of a design shows: its diagnoses first, then nodes, tables and split keys."""

    help = "Play a day or a month of a design. Exit code: 0, or 2 for unusable input."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the options for the period, the seeds, the assumptions and the output file."""
        super().add_arguments(parser)
        parser.add_argument("--month", action="store_true", help="a month by the hour (default: a day at 15 minutes)")
        parser.add_argument("--from-day", type=int, metavar="N", help="days after the start (default: the busiest day)")
        parser.add_argument("--seed", type=int, default=0, help="of the random numbers (default: 0)")
        parser.add_argument(
            "--seeds",
            type=int,
            default=1,
            metavar="N",
            help="number of runs with different draws, to see how far they differ",
        )
        parser.add_argument(
            "--generated", action="store_true", help="draw each event separately: slower, to check the results"
        )
        parser.add_argument("--retries", action="store_true", help="retry refused requests in the next window")
        parser.add_argument("--anyway", action="store_true", help="allow more work than a run on a server may take")
        parser.add_argument("--assume", action="append", default=[], metavar="NAME=VALUE", help="change an assumption")
        parser.add_argument("--assumptions", action="store_true", help="list the assumptions, with reasons")
        parser.add_argument("--png", metavar="OUT", help="a picture of the key ranges against time")
        parser.add_argument("--table", metavar="T", help="of this table; needed where the design has several")
        of = ("writes", "reads", "bytes", "node_time", "row_size")
        parser.add_argument("--of", choices=of, default="node_time", help="what the picture shows (default: node time)")
        add_overwrite(parser)

    def handle(self, *, file: str, **options: Any) -> None:
        """Plays, and tells."""
        _, spec = self.read(file)
        table = find_table(spec, options["table"]).id if options["png"] else ""
        parameters = _parameters(options)
        if options["png"]:
            # Before the run: after minutes of computing, a refusal would throw the result away.
            refuse_existing_file(Path(options["png"]), overwrite=options["overwrite"])
        with ProgressBar(DONE, "%") as bar:
            try:
                simulation = simulate(
                    spec, file_context(), parameters, lambda done, _: bar.add(round(done * DONE) - bar.done),
                    allowed=(lambda _: None) if options["anyway"] else _check,
                )  # fmt: skip
            except NotComputableError as open_:
                reason = english(open_.because.message, open_.because.params)
                raise CommandError(f"this cannot be simulated yet: {reason}", returncode=UNUSABLE) from open_
            bar.add(DONE - bar.done)
        if options["png"]:
            self._draw(spec, simulation, table, options["of"], options["png"])
        if options["json"]:
            # JSON has no infinity: Python would write "Infinity", which other parsers refuse.
            data = with_format("simulate", _replace_infinity(to_plain(_without_arrays(simulation))))
            self.stdout.write(json.dumps(data, indent=1, allow_nan=False))
        else:
            self.stdout.write("\n".join(map(printable, _for_people(spec, simulation, listed=options["assumptions"]))))

    def _draw(self, spec: Spec, simulation: Simulation, table: str, of: str, out: str) -> None:
        if table not in simulation.tables:
            raise CommandError("this table has no reads and writes to draw", returncode=UNUSABLE)
        run = simulation.tables[table]
        key_map = simulated_map(
            simulation, table, run.bounds, run.grid, limits={}, partitioned=not engine_of(spec).HAS_NODES
        )
        write_all({Path(out): heat_png(still_heatmap(key_map, key_map.metrics[of], key_map.full_area))}, overwrite=True)


def _check(plan: Plan) -> None:
    """Raise CommandError for a plan over a server's limits, so that none is started by mistake."""
    limits = current_limits()
    most_seconds, most_bytes = 60 * limits.run_minutes, limits.run_memory_mb << 20
    if plan.drawn_events <= limits.most_events and plan.seconds <= most_seconds and plan.memory_bytes <= most_bytes:
        return
    words = (
        "this would take about {seconds} and {memory_bytes} of memory and draw {events} single events; a run on a "
        "server may take {most_seconds}, {most_bytes} and {most} events: choose exact counting, a shorter time or "
        "fewer seeds, or play it all the same with --anyway"
    )
    params = {
        "seconds": plan.seconds, "memory_bytes": plan.memory_bytes, "events": plan.drawn_events,
        "most_seconds": most_seconds, "most_bytes": most_bytes, "most": limits.most_events,
    }  # fmt: skip
    raise CommandError(english(words, params), returncode=UNUSABLE)


def _parameters(options: dict[str, Any]) -> Parameters:
    changed = {}
    for text in options["assume"]:
        name, _, value = text.partition("=")
        try:
            changed[name.strip()] = float(value)
        except ValueError:
            raise CommandError(f"--assume {text}: say NAME=VALUE with a number", returncode=UNUSABLE) from None
    try:
        return Parameters(
            kind="month" if options["month"] else "day",
            from_day=options["from_day"],
            seed=options["seed"],
            seeds=options["seeds"],
            counting="generated" if options["generated"] else "computed",
            retries=options["retries"],
            assumptions=changed,
        )
    except ValidationError as error:
        first = error.errors()[0]
        place = "".join(f"{step}: " for step in first["loc"])
        raise CommandError(f"{place}{first['msg']}", returncode=UNUSABLE) from None


def _without_arrays(simulation: Simulation) -> Simulation:
    """Return the result without grids, bounds and labels: those of one table alone have a hundred thousand numbers."""
    none: dict[str, Any] = dict.fromkeys(METRICS, np.zeros((0, 0), dtype=np.int64))
    tables = {name: replace(t, bounds=(), labels=(), **none) for name, t in simulation.tables.items()}
    return replace(simulation, tables=tables)


def _replace_infinity(value: Any) -> Any:
    """JSON knows no infinity: without load there is no λ*."""
    match value:
        case float():
            return value if np.isfinite(value) else None
        case dict():
            return {name: _replace_infinity(item) for name, item in value.items()}
        case list():
            return [_replace_infinity(item) for item in value]
    return value


def _for_people(spec: Spec, simulation: Simulation, *, listed: bool) -> Iterator[str]:
    first, last = simulation.window_starts[0], simulation.window_starts[-1]
    when = f"{format_value('weekday', first)} {format_value('day', first.date())}"
    if first.date() != last.date():
        when = f"{format_value('day', first.date())} to {format_value('day', last.date())}"
    windows = f"{len(simulation.window_starts)} windows of {number(simulation.window_seconds / 60)} minutes"
    yield f"{spec.name}  ({simulation.sha256[:12]}): {when}, {windows}, {number(simulation.events)} operations"
    yield ""
    for diagnosis in simulation.diagnoses:
        rule = f" ({diagnosis.rule})" if diagnosis.rule else ""
        of_table = (
            len(simulation.tables) > 1
            and diagnosis.table
            and diagnosis.at not in {c.cluster for c in simulation.clusters}
        )
        where = f"{simulation.names.get(diagnosis.table, diagnosis.table)}: " if of_table else ""
        yield f"{SIGNS[diagnosis.severity]} {where}{english(diagnosis.message, diagnosis.params)}{rule}"
    partitioned = not engine_of(spec).HAS_NODES
    yield from ("", *_clusters(simulation.clusters, simulation, partitioned=partitioned), "")
    yield from _tables(simulation, partitioned=partitioned)
    yield from _splits(simulation)
    yield from _spread_lines(simulation)
    changed = [assumption for assumption in simulation.assumptions if listed or assumption.value != assumption.default]
    if changed:
        rows = [
            (assumption.name, number(assumption.value), assumption.unit, f"({number(assumption.default)})")
            for assumption in changed
        ]
        yield from ("", "Assumed", *align_columns(rows, right=(1,)))
    if listed:
        yield from (f"  {assumption.name}: {english(assumption.reason, {})}" for assumption in simulation.assumptions)


def _clusters(clusters: Sequence[ClusterRun], simulation: Simulation, *, partitioned: bool) -> Iterator[str]:
    rows = [
        (
            "partitions" if partitioned else "nodes",
            "at most",
            "hottest",
            "median",
            "refused",
            "reachable",
            "reached",
            "moves",
        )
    ]
    for cluster in clusters:
        rows.append(
            (
                simulation.names.get(cluster.cluster, cluster.cluster) or "the service",
                _range(cluster.nodes.min(), cluster.nodes.max()),
                format_value("share", float(cluster.hottest.max())),
                format_value("share", float(np.median(cluster.median))),
                number(float(cluster.refused.sum())),
                _factor(float(cluster.reachable.min())),
                _factor(float(cluster.reached.min())),
                number(float(cluster.moves.sum())),
            )
        )
    yield from align_columns(rows, right=range(1, len(rows[0])))


def _factor(value: float) -> str:
    return format_value("factor", value) if np.isfinite(value) else "–"


def _range(low: float, high: float) -> str:
    return number(float(low)) if low == high else f"{number(float(low))}…{number(float(high))}"


def _tables(simulation: Simulation, *, partitioned: bool) -> Iterator[str]:
    parts, of_load = ("partitions", "of the load") if partitioned else ("tablets", "of the node time")
    rows = [("tables", parts, "stored", "rows", "largest row", "hottest key", of_load, "pattern")]
    for name, table in simulation.tables.items():
        key = table.hot_keys[0] if table.hot_keys else None
        largest = max(
            (_end_values(simulation, table.days, kind.largest_bytes) for kind in table.days.kinds), default=None
        )
        rows.append(
            (
                simulation.names.get(name, name),
                _range(table.tablets.min(), table.tablets.max()),
                format_value("bytes", _end_values(simulation, table.days, table.days.physical_bytes)),
                number(_end_values(simulation, table.days, table.days.rows)),
                format_value("bytes", largest) if largest else "–",
                key.text if key else "–",
                format_value("share", key.share) if key else "–",
                ", ".join(
                    f"{pattern.name.replace('_', ' ')} {format_value('share', pattern.share)}"
                    for pattern in table.patterns
                ),
            )
        )
    yield from align_columns(rows, right=(1, 2, 3, 4, 6))


def _end_values(simulation: Simulation, days: TableDays, values: Floats) -> float:
    """Return the values at the end of the period: of a day's run the dates are those of months."""
    last = simulation.window_starts[-1] + datetime.timedelta(seconds=simulation.window_seconds)
    at = last.date().toordinal() + last.hour / 24
    return float(np.interp(at, [date.toordinal() for date in days.dates], values))


def _splits(simulation: Simulation) -> Iterator[str]:
    for name, table in simulation.tables.items():
        keys = [key.text for key in table.split_keys.keys]
        if keys:
            more = f" … {len(keys)} in all" if len(keys) > SPLITS_SHOWN else ""
            helps = "" if table.split_keys.helpful else " (they hardly spread the writes)"
            yield f"split keys of {simulation.names.get(name, name)}: {' '.join(keys[:SPLITS_SHOWN])}{more}{helps}"


def _spread_lines(simulation: Simulation) -> Iterator[str]:
    if simulation.spread:
        rows = [("over the seeds", "least", "most")]
        for figure in simulation.spread:
            finite = [value for value in figure.values if np.isfinite(value)]
            label = (
                f"{simulation.names.get(figure.cluster, figure.cluster)}: {OVER_SEEDS.get(figure.name, figure.name)}"
            )
            if finite:
                least, most = (english(f"{{{figure.name}}}", {figure.name: v}) for v in (min(finite), max(finite)))
                rows.append((label, least, most))
        yield from ("", *align_columns(rows, right=(1, 2)))
