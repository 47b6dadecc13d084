"""`keywright lint FILE…`: the findings of designs, for people, for programs and for CI."""

from argparse import ArgumentParser
from typing import Any

from designer.management.base import FilesCommand
from estimator.management.answers import AnswerCache, file_digests
from estimator.management.days import add_today, current_day
from estimator.management.file_search import find_designs
from estimator.presentation.lint_reports import FORMATS

LEVELS = ("note", "warning", "error")  # a question never fails


class Command(FilesCommand):
    """Prints what the rules find and ends with 1 where something is at or above `--fail-on`."""

    help = (
        "Check designs against every rule. Exit code: 0 nothing at or above --fail-on, 1 found, 2 unusable input, "
        "3 a rule or the estimate failed."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the files, the options for output and those for failure."""
        files = (
            "a design (JSON or YAML), a folder of *.keywright.json and .yaml, or a pattern such as '**/*.keywright.*'; "
        )
        parser.add_argument("files", metavar="FILE", nargs="+", help=f"{files}- reads standard input")
        form = parser.add_mutually_exclusive_group()
        form.add_argument("--format", choices=FORMATS, default="text", help="what to print (default: text)")
        for name in ("json", "sarif"):
            form.add_argument(f"--{name}", dest="format", action="store_const", const=name, help=f"--format {name}")
        parser.add_argument("--baseline", metavar="FILE", help="leave out what an earlier --format json has in FILE")
        parser.add_argument(
            "--fail-on",
            choices=(*LEVELS, "never"),
            default="warning",
            help="lowest severity that fails (default: warning)",
        )
        parser.add_argument("--no-cache", action="store_true", help="judge anew what was judged before")
        add_today(parser)

    def handle(self, *, files: list[str], baseline: str | None, **options: Any) -> None:
        """Print the findings; accepted ones are shown but never fail. What was judged before is not judged again."""
        today = options["today"] or current_day()
        answers = AnswerCache(today, is_used=not options["no_cache"])
        names = find_designs(files)
        read = [*names, *([baseline] if baseline else [])]
        digests = file_digests(read)
        question = ("report", options["format"], options["fail_on"], baseline, digests)
        if digests is not None and (answer := answers.get(*question)) is not None:
            code, _, text = answer.decode(errors="surrogatepass").partition("\n")
            self.stdout.write(text)
            raise SystemExit(int(code))
        from designer.wording.printable import printable_lines
        from estimator.management.commandline import file_context
        from estimator.management.linting import lint_files

        failing = () if options["fail_on"] == "never" else LEVELS[LEVELS.index(options["fail_on"]) :]
        outcome = lint_files(names, options["format"], failing, baseline, file_context(today), answers)
        if outcome.report is not None:
            self.stdout.write(outcome.report)
        # A command about one file behaves as the other commands do: the error itself decides the exit code.
        if len(names) == 1 and outcome.errors:
            raise outcome.errors[0]
        for sentence in (*outcome.errors, *outcome.failures):
            self.stderr.write(printable_lines(str(sentence)))
        # A file that was changed meanwhile may have been judged as it is now.
        if not outcome.errors and not outcome.failures and digests is not None and digests == file_digests(read):
            answers.put(f"{outcome.code}\n{outcome.report}".encode(errors="surrogatepass"), *question)
        raise SystemExit(outcome.code)
