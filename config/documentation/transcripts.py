"""Blocks of the documents that the program writes: what commands print, and the design that sentences give.

A comment before a fenced block says what it is: `<!-- file: NAME -->` is written for the commands that follow,
`<!-- sentences -->` is read, `<!-- schemas -->` and `<!-- design: NAME -->` are made of it, and `<!-- oracle: N -->` is
what N drawn designs say. In a `console` block every line that begins with `$ keywright` is run, and what it prints
stands under it.
"""

import contextlib
import io
import re
import shlex
import subprocess
import sys
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory

from config.commandline import main
from config.installation import BASE_DIR
from designer.application import read_text, understand
from designer.document import Spec
from designer.wording.formatting import english
from estimator.advice.schemas import SchemaAdvice, search_schemas
from estimator.contexts import current_context
from estimator.presentation.advice_data import design_text

START = date(2026, 12, 1)
"""The first day of designs in the documents, so that they read the same on every day."""
BLOCK = re.compile(
    r"(?P<head>(?:<!-- (?P<kind>\w+)(?:: (?P<name>\S+))? -->\n+)?```(?P<language>\w*)\n)(?P<body>.*?)(?P<end>^```)",
    re.S | re.M,
)
PROMPT = "$ keywright "


def is_made(text: str) -> bool:
    """Return whether a document has blocks that the program writes."""
    return any(match["kind"] or PROMPT in match["body"] for match in BLOCK.finditer(text))


def renew_text(text: str, *, with_oracle: bool = False) -> str:
    """Return a document with its blocks as the program writes them today; those of the oracle take a minute."""
    with TemporaryDirectory(prefix="keywright-docs-") as name, contextlib.chdir(name):
        maker = _Maker(with_oracle)
        return BLOCK.sub(lambda match: f"{match['head']}{maker.body(match)}{match['end']}", text)


class _Maker:
    """Writes the blocks of one document in their order, in an empty folder."""

    def __init__(self, with_oracle: bool) -> None:
        self.with_oracle = with_oracle
        self.advice: SchemaAdvice | None = None

    def body(self, match: re.Match[str]) -> str:
        """Return what stands in a block."""
        body = match["body"]
        if match["kind"] == "sentences":
            self.advice = _advice(body.splitlines())
        elif match["kind"] == "schemas" and self.advice:
            return _schemas(self.advice)
        elif match["kind"] == "design" and self.advice:
            body = design_text(self.advice.schemas[0].spec)
            Path(match["name"]).write_text(body, encoding="utf-8")
        elif match["kind"] == "oracle" and self.with_oracle:
            return _oracle(match["name"])
        elif match["kind"] == "file":
            Path(match["name"]).write_text(body, encoding="utf-8")
        elif match["language"] == "console":
            commands = [line for line in body.splitlines() if line.startswith(PROMPT)]
            return "".join(f"{command}\n{_run_command(command)}" for command in commands) if commands else body
        return body


def _oracle(designs: str) -> str:
    """Return how many designs agree with what is drawn of them, by quantity; the report has tables by feature, too."""
    command = [sys.executable, "-m", "tests.oracle.report", "--designs", designs]
    printed = subprocess.run(command, cwd=BASE_DIR, text=True, capture_output=True, check=True).stdout
    by_quantity, total, *_ = printed.split("\n\n")
    return "\n".join(line.rstrip() for line in f"{by_quantity}\n\n{total}".splitlines()) + "\n"


def _advice(lines: list[str]) -> SchemaAdvice:
    application, problems = understand([read_text(line) for line in lines])
    if problems:
        raise ValueError(f"sentences are not understood: {problems}")
    context = current_context()
    base = Spec(start=START, instance=Spec().instance.model_copy(update={"price_book": "bigtable-2026-11-20"}))
    return search_schemas(application, context, name="Fleet", base=base)


def _schemas(advice: SchemaAdvice) -> str:
    lines = []
    for number, schema in enumerate(advice.schemas, 1):
        amount = f"${schema.cost.amount:,.2f}" if schema.cost else "no price"
        tables = ", ".join(table.name for table in schema.spec.tables)
        why = english(schema.why.message, schema.why.params) if schema.why else ""
        lines += [f"{number}. {amount} a month: {tables}", f"   {why}"]
    return "\n".join(lines) + "\n"


def _run_command(command: str) -> str:
    """Return what a command prints, with its exit code if that is not 0; `…` stands for the rest after `| head -N`."""
    command, _, head = command.removeprefix(PROMPT).partition(" | head -")
    output = io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
        code = main("keywright", shlex.split(command))
    lines = output.getvalue().splitlines()
    if head and len(lines) > int(head):
        lines = [*lines[: int(head)], "…"]
    lines = [line.rstrip() for line in lines]
    return "".join(f"{line}\n" for line in [*lines, *([f"(exit code {code})"] if code else [])])
