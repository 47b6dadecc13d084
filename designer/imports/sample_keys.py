"""Keys of an existing table, one per line, as they were printed → a table with the pattern that they seem to follow."""

import re
from typing import Any

from designer.document import Spec
from designer.document.dump import plain
from designer.document.texts import N_, said
from designer.document.validation_errors import Problem, Unusable

from .keys import propose, read_lines
from .shared.build import made
from .shared.result import Imported, Missed

TITLE = N_("Sample keys")
_MADE = re.compile(r"#!.*sh\b|# .*: made by Keywright from the design [0-9a-f]{64}\n")
"""Scripts begin so, our own and others."""


def looks(text: str, data: Any) -> bool:
    """Any lines."""
    return data is None


def read(text: str, data: Any) -> Imported:
    """Build a design with one table of such rows."""
    if _MADE.match(text):
        message = N_("these are commands for a tool: import the tool's output, or the design's JSON")
        raise Unusable([Problem((), said(message))])
    lines = read_lines(text.encode())
    proposal = propose(Spec(), lines.keys)
    if not proposal.segments:
        raise Unusable([Problem((), said(N_("too few keys to detect the pattern")))])
    kind = {"name": "rows", "key": [plain(segment) for segment in proposal.segments]}
    fields = [plain(field) for field in proposal.fields]
    missed = (
        [Missed("", N_("{count} lines are longer than a key can be"), {"count": lines.left_out})]
        if lines.left_out
        else []
    )
    return made("sample_keys", {"fields": fields, "tables": [{"name": "table", "row_kinds": [kind]}]}, missed)
