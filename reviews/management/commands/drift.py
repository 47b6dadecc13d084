"""`keywright drift DESIGN FILE…`: whether what runs is what was designed."""

import sys
from argparse import ArgumentParser
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from designer import imports
from designer.document.validation_errors import InvalidDocumentError
from designer.management.base import CommandError
from designer.wording.printable import printable, printable_lines
from estimator.management.commandline import FOUND, UNUSABLE, USABLE, FileCommand, check_standard_input, find_table
from estimator.presentation.lint_reports import report as findings_report
from estimator.presentation.lint_reports.element_lines import lines_of_elements
from estimator.presentation.lint_reports.unchecked_file import UncheckedFile
from reviews.drift import NAMELESS, DefinitionFiles, find_drift, read_files, table_names
from reviews.drift.reports import DriftReport, as_checked_design, as_json, as_text
from reviews.exports.shared.content import ExportContent

FORMATS: Mapping[str, Callable[[DriftReport], str]] = {"text": as_text, "json": as_json}
FINDINGS = ("sarif", "github", "gitlab", "junit")
"""The reports that `lint` prints."""


class Command(FileCommand):
    """Prints a plan-like list of differences and ends with 1 where there are any."""

    help = (
        "Compare a design with the running instance, from files of the cloud's own tools. Exit code: 0 no difference, "
        "1 differences, 2 unusable input."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the design, the files and what does not count."""
        parser.add_argument("file", metavar="DESIGN", help="a design as JSON or YAML")
        files_help = (
            "what runs: terraform show -json of a state or plan, a state, gcloud bigtable … describe or list "
            "--format=json, cbt ls and cbt ls TABLE, Tablestore's DescribeTable as JSON; several files are "
            "one picture, and - reads standard input"
        )
        parser.add_argument("files", metavar="FILE", nargs="+", help=files_help)
        ignored = "a place that does not count, as a pattern: table/tmp_*, cluster/*/nodes; may be given several times"
        parser.add_argument("--ignore", metavar="PLACE", action="append", default=[], help=ignored)
        parser.add_argument(
            "--table",
            metavar="T",
            default="",
            help="the table of a file that names none, as cbt ls TABLE prints (default: the design's only table, or "
            "that of the file's name, as readings.txt)",
        )
        forms = parser.add_mutually_exclusive_group()
        forms.add_argument(
            "--format", choices=(*FORMATS, *FINDINGS), default="text", help="what to print (default: text)"
        )
        for name in ("json", "sarif"):
            forms.add_argument(f"--{name}", dest="format", action="store_const", const=name, help=f"--format {name}")

    def handle(self, *, file: str, **options: Any) -> None:
        """Print what differs; a report of findings is printed, too, where nothing can be compared."""
        try:
            self._compare(file=file, **options)
        except CommandError as error:
            if options["format"] in FINDINGS:
                self.stdout.write(findings_report(options["format"], [], [UncheckedFile.of_error(file, error)]))
            raise

    def _compare(self, *, file: str, files: list[str], ignore: list[str], **options: Any) -> None:
        check_standard_input([file, *files])
        text, spec = self.read(file)
        # Through the design, so that a mistyped name is refused and not compared as an unknown table.
        stated = find_table(spec, options["table"]).label if options["table"] else ""
        running = _read(files, table_names(spec, files, stated), file)
        try:
            drift = find_drift(ExportContent(spec), running, ignored=ignore)
        except InvalidDocumentError as problem:
            raise CommandError(str(problem.problems[0]), returncode=UNUSABLE) from None
        report = DriftReport(file, drift, lines_of_elements(text, spec, file))
        form = options["format"]
        findings = [as_checked_design(report, spec)]
        self.stdout.write(FORMATS[form](report) if form in FORMATS else findings_report(form, findings))
        for name, result in zip(files, running.results, strict=True):
            for remark in running.remarks(result):
                self.stderr.write(printable(f"{name}: {remark}"))
        for conflict in running.conflict_texts:
            self.stderr.write(printable_lines(str(conflict)))
        raise SystemExit(FOUND if drift.differences else USABLE)


def _read(files: Sequence[str], tables: Sequence[str], design: str) -> DefinitionFiles:
    """Return what files tell; a file that cannot be used is named."""
    texts = []
    for file, table in zip(files, tables, strict=True):
        try:
            texts.append(_read_limited(file))
            # Each file is read by itself first, so that an error names the file; then all are read as one picture.
            read_files(texts[-1:], [table], [file])
        except OSError as problem:
            raise CommandError(f"{file} cannot be read: {problem.strerror}.", returncode=UNUSABLE) from None
        except InvalidDocumentError as problem:
            reason = str(problem.problems[0])
            if problem.problems[0].text.message == NAMELESS:
                reason = f"{reason}; or say which: keywright drift {design} {file} --table TABLE"
            raise CommandError(f"{file}: {reason}", returncode=UNUSABLE) from None
    try:
        return read_files(texts, tables, files)
    except InvalidDocumentError as problem:
        raise CommandError(str(problem.problems[0]), returncode=UNUSABLE) from None


def _read_limited(file: str) -> bytes:
    if file == "-":
        # One byte more, so that what is too long is refused and not cut.
        return sys.stdin.buffer.read(imports.MOST_BYTES + 1)
    with Path(file).open("rb") as stream:
        return stream.read(imports.MOST_BYTES + 1)
