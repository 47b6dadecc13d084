"""Commands for a tool, which are pasted where its output or keys are asked for."""

import re

from designer.document.texts import N_, build_text
from designer.document.validation_errors import InvalidDocumentError, Problem

_SCRIPT = re.compile(r"#!.*sh\b|# .*: made by Keywright from the design [0-9a-f]{64}\n")
"""Scripts begin so, our own and others."""
_COMMAND = re.compile(
    r"(?:[^|$#>]{0,200}[$#>]\s+)?(?:sudo\s+)?(?P<tool>cbt|gcloud|terraform|aws)\s+[a-z-].*", re.DOTALL
)
"""A command after any shell's prompt; a tool's first word is an option or a name of lower-case letters."""
_OUTPUTS = {
    "cbt": "cbt ls, cbt ls TABLE",
    "gcloud": "gcloud bigtable … describe --format=json",
    "terraform": "terraform show -json",
    "aws": "aws dynamodb describe-table",
}
"""Of each tool the commands whose output is imported (cbt 1.23, gcloud 528, Terraform 1.11, seen 2026-11-27)."""
ANY_COMMANDS = N_("these are commands for a tool: import the tool's output, or the design's JSON")
COMMANDS = N_("these are commands for {tool}, not row keys: import what {output} prints, or the design's JSON")
MOST_LINES = 200
"""So many of a text are looked at."""


def refuse_commands(text: str) -> None:
    """Raise InvalidDocumentError if most lines of a text are commands for a tool, with what to import instead."""
    if _SCRIPT.match(text):
        raise InvalidDocumentError([Problem((), build_text(ANY_COMMANDS))])
    # A backslash continues a command on the next line.
    joined = re.sub(r"\\\r?\n", " ", text[:100_000])
    lines = [line.strip() for line in joined.splitlines()[:MOST_LINES] if line.strip() and line.strip()[0] != "#"]
    matches = [match for line in lines if (match := _COMMAND.fullmatch(line[:1_000])) is not None]
    if matches and len(matches) * 2 > len(lines):
        tool = matches[0]["tool"]
        raise InvalidDocumentError([Problem((), build_text(COMMANDS, tool=tool, output=_OUTPUTS[tool]))])
