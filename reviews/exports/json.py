"""The document itself: canonical JSON, the same bytes for the same design; with findings and estimate where asked."""

import json
from typing import Any

from designer.document import dump
from designer.document.texts import N_
from estimator.presentation.plain_data import to_plain

from .shared.content import ExportContent
from .shared.names import stem
from .shared.result import ExportResult, File, Format

MOST_NUMBERS = 500
"""An array of more is left out of the estimate (null): what heatmaps are drawn from is hundreds of megabytes."""


def make(content: ExportContent) -> ExportResult:
    """Build the document.

    Its import gives the identical design, and its hash is that of its content.
    """
    text = dump(content.spec)
    if content.included_parts:
        more = {"design": json.loads(text), "sha256": content.sha256, **_more(content)}
        text = json.dumps(more, indent=1, ensure_ascii=False) + "\n"
    return ExportResult((File.of(f"{stem(content.spec.name)}.json", text),))


def _more(content: ExportContent) -> dict[str, Any]:
    parts = {"findings": to_plain(content.findings)} if "findings" in content.included_parts else {}
    return parts | (
        {"estimate": to_plain(content.estimate, maximum=MOST_NUMBERS)} if "estimate" in content.included_parts else {}
    )


FORMAT = Format(
    name="json",
    title="JSON",
    about=N_("The design as stored. Importing the file restores the identical design."),
    make=make,
    media_type="application/json",
)
