"""Runs as the API gives them."""

import json
import zlib
from contextlib import suppress
from typing import Any

from django.db.models.functions import Length

from designer.templatetags.keywright import translate
from estimator.models import Run


def run_info(run: Run) -> dict[str, Any]:
    """Return the progress of a run in words and figures."""
    progress = run.progress
    return {
        "id": run.pk, "kind": run.kind, "what": translate(run.title.message, run.title.params),
        "parameters": run.parameters, "sha256": run.document_id, "state": run.state, "fraction": progress.fraction,
        "doing": translate(progress.doing.message, progress.doing.params) if progress.doing else "",
        "reason": translate(run.failure_text.message, run.failure_text.params) if run.failure_text else "",
        "asked": run.asked, "asked_by": str(run.asked_by) if run.asked_by else None,
        "ended": run.ended, "expected_end": progress.expected_end,
    }  # fmt: skip


def run_result(run: Run) -> dict[str, Any]:
    """Return the parts of a result; the grids of a simulation have only their sizes."""
    # Sizes by the database: grids have up to KEYWRIGHT_RESULT_MB, and none of them is in the answer.
    sizes = dict(run.parts.values_list("name", Length("data")))
    data_of = run.parts.filter(name__in=OF_JSON).values_list("name", "data")
    content = {name: value for name, data in data_of if (value := _json(bytes(data))) is not None}
    return {"id": run.pk, "parts": sizes, "content": content}


OF_JSON = ("head", "measurement")
"""Parts that hold JSON, some compressed."""


def _json(data: bytes) -> Any:
    with suppress(ValueError, zlib.error):
        return json.loads(data if data[:1] == b"{" else zlib.decompress(data))
    return None
