"""Keys of an existing table, one per line, as they were printed → a table with the pattern that they seem to follow."""

import re
from typing import Any

from designer.document import Spec
from designer.document.dump import to_plain_data
from designer.document.texts import N_, build_text
from designer.document.validation_errors import InvalidDocumentError, Problem

from .keys import propose, read_lines
from .shared.build import build_import
from .shared.result import ImportRemark, ImportResult

TITLE = N_("Sample keys")
_MADE = re.compile(r"#!.*sh\b|# .*: made by Keywright from the design [0-9a-f]{64}\n")
"""Scripts begin so, our own and others."""


TOO_FEW = N_("too few keys to detect the pattern")


def can_read(text: str, data: Any) -> bool:
    """Any lines."""
    return data is None


def read(text: str, data: Any) -> ImportResult:
    """Build a design with one table of such rows."""
    if _MADE.match(text):
        message = N_("these are commands for a tool: import the tool's output, or the design's JSON")
        raise InvalidDocumentError([Problem((), build_text(message))])
    lines = read_lines(text.encode())
    proposal = propose(Spec(), lines.keys)
    if not proposal.segments:
        raise InvalidDocumentError([Problem((), build_text(TOO_FEW))])
    kind = {"name": "rows", "key": [to_plain_data(segment) for segment in proposal.segments]}
    fields = [to_plain_data(field) for field in proposal.fields]
    missed = (
        [ImportRemark("", N_("{count} lines are longer than a key can be"), {"count": lines.left_out})]
        if lines.left_out
        else []
    )
    return build_import("sample_keys", {"fields": fields, "tables": [{"name": "table", "row_kinds": [kind]}]}, missed)
