"""`keywright trace FILE…`: what an access log tells of a table, and a design made of it."""

import json
import secrets
import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any

from designer.document import Spec, dump
from designer.document.edits import apply
from designer.management.base import CommandError
from designer.management.writing import add_overwrite, design_bytes, write_all
from designer.wording import key_of
from designer.wording.edit_messages import describe_edit
from designer.wording.formatting import english, english_text
from designer.wording.printable import printable, printable_json
from estimator.management.commandline import (
    FOUND,
    UNUSABLE,
    USABLE,
    FileCommand,
    ProgressBar,
    check_standard_input,
    file_context,
    find_table,
    with_format,
)
from estimator.management.kept_reader import KeptReader
from estimator.presentation.assumed_values import assumed_beside_log, assumed_data, assumed_lines
from estimator.presentation.replay_keys import designs_under
from estimator.runs.code import program_fingerprint
from estimator.traces import (
    DesignCorrection,
    ReplayedDesign,
    ReplayError,
    ReplayPlan,
    ResumableReader,
    TraceFormError,
    TraceSummary,
    correct_design,
    design_from_trace,
    hash_keys,
)
from estimator.traces.events import KEY_READERS, NAMES
from estimator.traces.forms import EXAMPLE, told_columns
from estimator.traces.replays.model_report import key_lines
from estimator.traces.replays.replay_plan import find_row_kind, log_keys
from estimator.traces.report import summary_data, summary_lines

CORRECTED = "corrected from an access log"
MEGABYTE = 1_000_000


class Command(FileCommand):
    """Reads logs of any length in bounded memory, in the order in which they are named."""

    help = (
        "Read an access log, one request a line: CSV or JSON objects with time and row key, and with operation, bytes "
        "and table where they are there; plain or packed by gzip or zstd; or Parquet. Prints keys, rates, hours, sizes "
        "and how popular values are; --out writes a design. Exit code: 0, 1 if lines could not be read, or 2 for "
        "unusable input."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the files, how they are written, and what to make of them."""
        parser.add_argument("files", metavar="FILE", nargs="+", help="a log; - reads standard input")
        names = ", ".join(NAMES)
        parser.add_argument(
            "--columns",
            metavar="NAMES",
            help=f"columns in their order, with commas: {names}, or - for another; or by their names, as {EXAMPLE}",
        )
        parser.add_argument(
            "--keys", choices=tuple(KEY_READERS), default="text", help="how keys are written (default: text)"
        )
        parser.add_argument(
            "--hash-keys",
            action="store_true",
            help="personal data: print and write hashes in the place of keys and values (with a new secret each time)",
        )
        parser.add_argument(
            "--resume",
            type=Path,
            metavar="STATE",
            help="keep in this file what was read so far, keys included; the same command goes on from it when it was "
            "stopped, and deletes it in the end; written after a second, then less often, up to every 30 seconds",
        )
        parser.add_argument("--json", action="store_true", help="print JSON instead of text")
        parser.add_argument("--out", type=Path, metavar="DESIGN", help="write a design, as .json or .yaml")
        add_overwrite(parser)
        parser.add_argument(
            "--replay",
            metavar="DESIGN",
            action="append",
            help="the same requests under this design's row key, beside its model; may be given again",
        )
        parser.add_argument(
            "--under",
            metavar="KEY",
            action="append",
            help="with --replay: also under this key text, or under the advisor's best candidate (advisor), its second "
            "(advisor:2), or all that it shows (advisor:all); may be given again",
        )
        parser.add_argument(
            "--correct", metavar="DESIGN", help="what the log corrects in this design; --out then writes it corrected"
        )
        parser.add_argument("--table", metavar="T", help="with --replay: a table of the design, by name or id")
        parser.add_argument(
            "--key", metavar="KEY", help="with --replay: key text of the log's keys (default: the table's)"
        )
        parser.add_argument(
            "--kind",
            metavar="K",
            help="with --under or --key, for a table with several row kinds: the one whose key it is, by name or id",
        )

    def handle(self, *, files: list[str], **options: Any) -> None:
        """Print what the logs tell, and write the design."""
        check_standard_input([*files, *(options["replay"] or ()), options["correct"]])
        replay_plans = self._plan_replays(**options)
        names, plans = [name for name, _ in replay_plans], [plan for _, plan in replay_plans]
        designed = self.read(options["correct"])[1] if options["correct"] else None
        reader_state = KeptReader(options["resume"], _told(files, options, plans))
        reader = reader_state.load() or ResumableReader(
            columns=told_columns(options["columns"] or ""), keys=options["keys"], plans=plans
        )
        unread = reader.unread
        self._read_twice(files, reader, reader_state)
        summary = reader.summary()
        if not summary.events:
            raise CommandError("no line contains a request" + _unread_sentence(summary), returncode=UNUSABLE)
        if options["hash_keys"]:
            # The secret is new each time and never shown: with a known one, whoever has the hashes could try all user
            # numbers.
            summary = hash_keys(summary, secrets.token_bytes(32))
        shows_keys = not options["hash_keys"]
        replays = self._replay(reader, names)
        correction = correct_design(designed, summary) if designed is not None else None
        correction_lines = list(_correction_lines(designed, correction)) if designed is not None and correction else []
        new_design = _made_design(summary, designed, correction, out=options["out"])
        tables = correction.tables if correction else {table.id for table in new_design.tables} if new_design else ()
        assumed = assumed_beside_log(new_design, tables) if new_design else ()
        if options["json"]:
            outputs = [{"design": name, **replayed.data(shows_keys=shows_keys)} for name, replayed in replays]
            more: dict[str, Any] = {"replay": outputs[0], "replays": outputs} if outputs else {}
            more |= {"correction": correction_lines} if correction else {}
            if new_design is not None:
                more["assumed"] = assumed_data(assumed, translate=english_text)
            self.stdout.write(
                printable_json(json.dumps(with_format("trace", {**summary_data(summary), **more}), indent=1))
            )
        else:
            lines = list(summary_lines(summary))
            for name, replayed in replays:
                lines += ["", f"{name}, {replayed.table.label}", *replayed.lines(shows_keys=shows_keys)]
            lines += key_lines([(name, replayed.beside) for name, replayed in replays])
            lines += ["", f"{options['correct']}: what the log corrects", *correction_lines] if correction else []
            lines += ["", "not in the log, so it is assumed:", *assumed_lines(assumed)] if assumed else []
            self.stdout.write("\n".join(map(printable, lines)))
        if new_design is not None and options["out"] is not None:
            self._write(options["out"], new_design, overwrite=options["overwrite"])
        # Deleted only after everything is printed and written: an error above leaves the state, and the same command
        # repeats the end alone.
        reader_state.drop()
        raise SystemExit(FOUND if unread.counts else USABLE)

    def _plan_replays(self, **options: Any) -> list[tuple[str, ReplayPlan]]:
        """Read the designs before the log, which can take long; return each key's name and plan."""
        if options["replay"] is None and any(options[name] for name in ("table", "key", "under", "kind")):
            raise CommandError("--table, --key, --kind and --under go with --replay DESIGN", returncode=UNUSABLE)
        plans = list[tuple[str, ReplayPlan]]()
        for design in options["replay"] or ():
            for name, plan in self._plan_replay(design, **options):
                plans.append((name, plan.sharing([other_plan for _, other_plan in plans])))
        return plans

    def _plan_replay(self, design: str, **options: Any) -> Iterator[tuple[str, ReplayPlan]]:
        _, spec = self.read(design)
        table, context = find_table(spec, options["table"]), file_context()
        try:
            keys = log_keys(spec, table, options["key"] or "", options["kind"] or "")
            yield design, ReplayPlan.for_table(spec, table, keys if options["key"] else None)
            for name in options["under"] or ():
                for title, variant in designs_under(spec, table, name, context, options["kind"] or ""):
                    changed = variant.find(table.id)
                    key = key_of(variant, find_row_kind(changed, options["kind"] or ""))
                    label = f"{design}, {english(title.message, title.params)} {key}"
                    yield label, ReplayPlan.for_table(variant, changed, keys)
        except ReplayError as error:
            raise CommandError(f"{design}: {english(error.message, error.params)}", returncode=UNUSABLE) from error

    def _replay(self, reader: ResumableReader, names: Sequence[str]) -> list[tuple[str, ReplayedDesign]]:
        try:
            return list(zip(names, reader.replays(file_context()), strict=True))
        except ReplayError as error:
            raise CommandError(str(error), returncode=UNUSABLE) from error

    def _read_twice(self, files: Sequence[str], reader: ResumableReader, reader_state: KeptReader) -> None:
        """Read the logs, and again to count all requests of one that is too long to be held."""
        if reader.counting:
            reader.count_all(file_context())
        self._read_all(files, reader, reader_state)
        if reader.needs_second_reading and "-" not in files:
            reader.count_all(file_context())
            self._read_all(files, reader, reader_state)

    def _read_all(self, files: Sequence[str], reader: ResumableReader, reader_state: KeptReader) -> None:
        """Read the logs that are not read yet, each from where it was left."""
        sizes = [Path(file).stat().st_size if Path(file).is_file() else 0 for file in files]
        total = None if "-" in files else sum(sizes) // MEGABYTE
        again = ", read again to count all requests" if reader.counting else ""
        with ProgressBar(total, f"MB of access logs{again}") as progress:
            # A resumed reader has done so many files; it finds its place in the next one by itself.
            for file, before in list(zip(files, accumulate(sizes, initial=0), strict=False))[reader.logs :]:
                try:
                    self._read(file, before, reader, reader_state, progress)
                except TraceFormError as error:
                    raise CommandError(f"{file}: {error}", returncode=UNUSABLE) from error
                except (OSError, EOFError) as error:
                    reason = getattr(error, "strerror", None) or "the compressed file is damaged or cut off"
                    raise CommandError(f"{file}: {reason}", returncode=UNUSABLE) from error
                # After each log at once: it is not read again. The end of the command deletes the state anyway.
                reader_state.keep(reader, now=reader.logs < len(files))

    def _read(
        self, file: str, before: int, reader: ResumableReader, reader_state: KeptReader, progress: ProgressBar
    ) -> None:
        with sys.stdin.buffer if file == "-" else Path(file).open("rb") as stream:
            for count, _ in enumerate(reader.read(stream), 1):
                progress.show(count if progress.total is None else (before + stream.tell()) // MEGABYTE)
                reader_state.keep(reader)

    def _write(self, out: Path, new_design: Spec, *, overwrite: bool) -> None:
        """Write the corrected design, or one that is made of the log."""
        write_all({out: design_bytes(new_design, out)}, overwrite=overwrite)
        self.stderr.write(printable(f"{out} written"))


def _made_design(
    summary: TraceSummary, designed: Spec | None, correction: DesignCorrection | None, *, out: Path | None
) -> Spec | None:
    """Return the design as the log corrects it, or one that is made of the log if it is to be written."""
    if designed is not None and correction is not None:
        edit = correction.edit(CORRECTED)
        return designed if edit is None else apply(designed, edit)[0]
    return None if out is None else design_from_trace(summary, name=out.name.partition(".")[0])


def _told(files: Sequence[str], options: Mapping[str, Any], plans: Sequence[ReplayPlan]) -> str:
    """Return all that what is read depends on, as text."""
    # Absolute, so that the same command in another folder does not go on with other logs of the same name.
    names = [file if file == "-" else str(Path(file).absolute()) for file in files]
    replays = [[dump(plan.spec), plan.table.id, dict(plan.log_key_texts)] for plan in plans]
    # Another version of the program can count differently: half of a log by each would be a result of neither.
    return json.dumps([program_fingerprint(), names, options["columns"], options["keys"], replays])


def _correction_lines(spec: Spec, correction: DesignCorrection) -> Iterator[str]:
    """Yield the changes of a correction, and what it leaves as it is."""
    edit = correction.edit(CORRECTED)
    after = apply(spec, edit)[0] if edit is not None else spec
    for change in correction.changes:
        text = describe_edit(spec, after, change)
        yield f"  {english(text.message, text.params)}"
    if edit is None and not correction.left_open:
        yield "  nothing: the design has the log's values already"
    for text in correction.left_open:
        yield f"  left as it is: {english(text.message, text.params)}"


def _unread_sentence(summary: TraceSummary) -> str:
    reasons = (f"{reason} in {count:,} lines" for reason, count in summary.unread.counts.most_common())
    reason_text = "; ".join(reasons)
    columns = ", ".join(f"{column} = {name}" for column, name in summary.unread.columns.items())
    return (f": {reason_text}" if reason_text else "") + (f" (columns: {columns})" if columns else "")
