"""`manage.py observe DESIGN FILE…`: what runs beside what was designed."""

import datetime
import json
import math
import sys
from argparse import ArgumentParser, ArgumentTypeError
from itertools import chain
from pathlib import Path
from typing import Any

from designer.document import Spec
from designer.imports.keys import unescape
from designer.management.base import CommandError
from designer.management.writing import add_overwrite, design_bytes, write_all
from designer.wording.formatting import english, format_value
from designer.wording.printable import printable, printable_json
from estimator.management.commandline import (
    FOUND,
    UNUSABLE,
    USABLE,
    FileCommand,
    check_standard_input,
    file_context,
    find_table,
)
from estimator.management.days import parse_day
from estimator.management.live_measurements import ROWS_MAX, LiveInstance, RequestedRead
from estimator.observations import (
    ComparedDesign,
    Measurement,
    ObservationError,
    build_observation,
    compare_with_design,
    designed_state,
    read_observed,
)
from estimator.observations.calibration import calibrate_design, calibrated_values
from estimator.observations.files import EMPTY, FILE_BYTES_MAX
from estimator.observations.numbers import KEY_READERS
from estimator.observations.report import calibration_lines, report_lines
from estimator.presentation.observation_data import observation_data


class Command(FileCommand):
    """Reads what the cloud's own commands print, and lays it against the design as of that day."""

    help = (
        "Compare a design with what runs: table stats, hot tablets, sampled row keys, rows, request stats, monitoring "
        "time series and clusters, as gcloud --format=json, the APIs and cbt print them. Exit code: 0, 1 where "
        "--fail-on is missed, or 2 for unusable input."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the files, their date, and how keys in them are written."""
        super().add_arguments(parser)
        parser.add_argument(
            "files", metavar="MEASURED", nargs="*", help="a file of measurements; - reads standard input"
        )
        parser.add_argument(
            "--live",
            metavar="PROJECT/INSTANCE",
            help="ask a running instance about the tables of the design, with this machine's credentials; only reads",
        )
        parser.add_argument(
            "--date",
            type=parse_day,
            help="the day of the measurement (default: as in the files, or today)",
        )
        parser.add_argument("--table", metavar="T", default="", help="the table that sampled row keys and rows are of")
        parser.add_argument(
            "--read", dest="read_name", metavar="R", help="the read that request stats are of, by name or id"
        )
        parser.add_argument(
            "--ask",
            metavar="PREFIX",
            help="with --live: run the read on the rows whose keys begin so, for its request stats; rows are dropped",
        )
        parser.add_argument(
            "--filter",
            metavar="JSON",
            default="",
            help="with --ask: a RowFilter, as the code for keys gives it (default: whole rows)",
        )
        parser.add_argument(
            "--out",
            type=Path,
            metavar="DESIGN",
            help="write the design with the values that the measurements give without doubt, as .json or .yaml",
        )
        add_overwrite(parser)
        parser.add_argument(
            "--fail-on",
            metavar="SHARE",
            type=share,
            help="end with 1 if a figure of a table or cluster differs by more than this, such as 20%%",
        )
        parser.add_argument(
            "--keys",
            choices=tuple(KEY_READERS),
            default="text",
            help="how sampled row keys are written (default: text)",
        )

    def handle(self, *, file: str, files: list[str], **options: Any) -> None:
        """Print the comparison."""
        check_standard_input([file, *files])
        context = file_context()
        # A design without a start date is taken to start on the day of the measurement: month 1 is then compared with
        # it.
        _, spec = self.read(file, today=options["date"] or context.today)
        read = _find_read(spec, options["read_name"])
        if not files and not options["live"]:
            raise CommandError("name files of measurements, or --live PROJECT/INSTANCE", returncode=UNUSABLE)
        table = find_table(spec, options["table"]).label if options["table"] else ""
        measurements = self._read_files(files, keys=options["keys"], table=table, is_alone=not options["live"])
        if options["live"]:
            measurements += self._read_live(
                options["live"], spec, _asked_read(spec, read, options["ask"], options["filter"])
            )
        try:
            observation = build_observation(measurements, today=context.today, date=options["date"])
            state = designed_state(spec, observation.date, context)
        except ObservationError as error:
            raise CommandError(str(error), returncode=UNUSABLE) from error
        comparison = compare_with_design(state, observation, read=read)
        if options["json"]:
            self.stdout.write(printable_json(json.dumps(observation_data(comparison), indent=1)))
        else:
            values = calibrated_values(state, observation)
            lines = [*report_lines(state, comparison), *calibration_lines(spec, values, comparison)]
            self.stdout.write("\n".join(map(printable, lines)))
        if options["out"] is not None:
            calibrated = calibrate_design(
                spec, calibrated_values(state, observation), observation.date,
                moves_start=comparison.later_start is not None,
            )  # fmt: skip
            write_all({options["out"]: design_bytes(calibrated, options["out"])}, overwrite=options["overwrite"])
            self.stderr.write(printable(f"{options['out']} written"))
        misses = _missed_figures(comparison, options["fail_on"])
        if misses:
            self.stderr.write(printable(f"beyond {format_value('share', options['fail_on'])}: {', '.join(misses)}"))
        raise SystemExit(FOUND if misses else USABLE)

    def _read_files(self, files: list[str], *, keys: str, table: str, is_alone: bool) -> list[Measurement]:
        """Return what files tell; a list without members is said and passed over, as one of several: none is hot."""
        found, empty = list[Measurement](), list[str]()
        for each in files:
            read = _read(each, keys=keys, table=table)
            found += read
            if not read:
                empty.append(each)
        for each in empty:
            if not found and is_alone:
                raise CommandError(f"{each}: {EMPTY}", returncode=UNUSABLE)
            self.stderr.write(printable(f"not read: {each}: {EMPTY}"))
        return found

    def _read_live(self, name: str, spec: Spec, requested_read: RequestedRead | None) -> list[Measurement]:
        """Return what a running instance tells of the design's tables; what could not be asked is said."""
        instance, measurements = LiveInstance.from_name(name), list[Measurement]()
        names = [table.label for table in spec.tables]
        contents = instance.contents(names, datetime.datetime.now(datetime.UTC))
        for table, content in chain(contents, instance.request_stats(requested_read) if requested_read else ()):
            try:
                measurements += read_observed(content, table=table)
            except ObservationError as error:
                raise CommandError(f"{name}: {error}", returncode=UNUSABLE) from error
        for omission in instance.left_out:
            self.stderr.write(printable(f"not read: {omission}"))
        if not measurements:
            raise CommandError(f"{name} has no figures of the design's tables", returncode=UNUSABLE)
        return measurements


def _read(file: str, *, keys: str, table: str) -> list[Measurement]:
    try:
        with sys.stdin.buffer if file == "-" else Path(file).open("rb") as stream:
            # One byte more than allowed, so that the reader can tell a file that was cut from one that ends there.
            return read_observed(stream.read(FILE_BYTES_MAX + 1), keys=keys, table=table)
    except ObservationError as error:
        if error.message == EMPTY:
            return []
        raise CommandError(f"{file}: {error}", returncode=UNUSABLE) from error
    except OSError as error:
        raise CommandError(f"{file}: {error.strerror or error}", returncode=UNUSABLE) from error


def share(text: str) -> float:
    """Return a share of 20% or 0.2."""
    number = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    if not 0 <= number < 1e6:
        raise ValueError
    # Whoever writes 20 means a fifth: as a share it is 2,000 %, which no figure ever misses.
    if number > 1 and not text.endswith("%"):
        raise ArgumentTypeError(f"{text} is {number:,.0%}: write {text}% or {number / 100:g}")
    return number


def _missed_figures(compared: ComparedDesign, most: float | None) -> list[str]:
    """Return the figures that differ by more than a share of the designed."""
    if most is None:
        return []
    groups = [(table.name, table.figures) for table in compared.tables]
    groups += [(cluster.name, cluster.figures) for cluster in compared.clusters]
    differences = [
        (
            f"{name} {english(figure.title.message, figure.title.params)}",
            math.inf if figure.difference is None else abs(figure.difference),
        )
        for name, figures in groups
        for figure in figures
        if figure.difference is not None or figure.is_beyond_zero
    ]
    if not differences:
        raise CommandError("--fail-on has no figure to judge: nothing that was read has one here", returncode=UNUSABLE)
    return [title for title, difference in differences if difference > most]


def _asked_read(spec: Spec, read: str, prefix: str | None, row_filter: str) -> RequestedRead | None:
    """Return the read that is to be run; None where none is."""
    if prefix is None:
        return None
    reads = [
        (table, candidate) for table, kind in spec.row_kinds() for candidate in kind.reads if read in ("", candidate.id)
    ]
    if len(reads) != 1:
        raise CommandError("--ask needs --read: the design has several reads, or none", returncode=UNUSABLE)
    ((table, only_read),) = reads
    # The read must cost what the design's read costs: so many rows as it reads, and never a whole table.
    most = only_read.newest_rows or only_read.row_limit or ROWS_MAX
    return RequestedRead(table.label, unescape(prefix.encode()), row_filter, most)


def _find_read(spec: Spec, name: str | None) -> str:
    """Return the id of a read by name or id; empty where none is named."""
    if not name:
        return ""
    reads = [read for _, kind in spec.row_kinds() for read in kind.reads]
    for read in reads:
        if name in (read.id, read.name):
            return read.id
    there = ", ".join(read.label for read in reads) or "none"
    raise CommandError(f"there is no read {name!r}; the design's reads: {there}", returncode=UNUSABLE)
