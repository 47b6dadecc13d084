"""Base classes of commands on files, without Django: it comes with the extras for pages and PDF files.

`call_command` of Django runs such a command, too, as tests do.
"""

import sys
from argparse import ArgumentParser
from typing import Any, TextIO

UNUSABLE = 2


class CommandError(Exception):
    """A command cannot do what is asked: its sentence, and the exit code."""

    def __init__(self, reason: str, *, returncode: int = UNUSABLE) -> None:
        super().__init__(reason)
        self.returncode = returncode


class Output:
    """A stream on which each text ends its line."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str, ending: str = "\n") -> None:
        """Write the text, and its ending unless it has that already."""
        self._stream.write(text if text.endswith(ending) else text + ending)


class FilesCommand:
    """A command that reads files and nothing stored."""

    help = ""
    base_stealth_options = ("stderr", "stdout")
    """With the next one, what `call_command` asks for."""
    stealth_options = ("skip_checks",)

    def create_parser(self, program: str, name: str) -> ArgumentParser:
        """Return the parser of the command's own options, with `--traceback` after them."""
        parser = ArgumentParser(prog=f"{program} {name}".strip(), description=self.help or None)
        self.add_arguments(parser)
        parser.add_argument("--traceback", action="store_true", help="show where an error comes from")
        return parser

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the command's own options: none, here."""

    def execute(
        self, *, stdout: TextIO | None = None, stderr: TextIO | None = None, skip_checks: bool = False, **options: Any
    ) -> None:
        """Run the command."""
        self.stdout, self.stderr = Output(stdout or sys.stdout), Output(stderr or sys.stderr)
        self.handle(**options)

    def handle(self, *args: Any, **options: Any) -> None:
        """Do what the command is for."""
        raise NotImplementedError
