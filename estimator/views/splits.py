"""Split keys that a simulation proposes for a table, and the edit that makes them the design's."""

import json
from collections.abc import Iterable
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from designer.document.edits import EditConflictError, InvalidResultError, Set
from designer.document.key import as_bytes
from designer.document.texts import Text
from designer.http.parameters import form, header, query
from designer.models import Design
from designer.views.access import can_edit, current_person, design_for
from estimator.contexts import current_context
from estimator.models import Run
from estimator.presentation.run_page import RunPage
from estimator.simulation import build_plan
from estimator.simulation.splits import MOST, propose_splits

from .simulated import completed_run


@require_http_methods(["GET", "POST"])
def splits(request: HttpRequest, key: str, pk: int, table: str) -> HttpResponse:
    """Split keys for a table: so many as are asked for; posting makes the listed ones the design's."""
    design = design_for(request, key, "edit" if request.method == "POST" else "view")
    run, view = completed_run(request, key, pk)
    if table not in view.run.tables:
        raise Http404
    whole = f"{reverse('run', args=[key, pk])}?table={table}"
    if request.method == "GET" and not header(request, "HX-Request"):
        return redirect(f"{whole}&splits={requested_count(request, 'n') or ''}#splits")
    split_context = splits_context(run, view, table, count=requested_count(request, "n"))
    status = 200
    if request.method == "POST":
        keys = _keys(form(request).get("keys", ""))
        split_context["lines"], problem = "\n".join(keys), _use(request, design, table, keys)
        if problem is None and not header(request, "HX-Request"):
            return redirect(f"{whole}#splits")
        split_context |= {"problem": problem, "saved": problem is None}
        split_context |= {"now": (now := _current_split_keys(design, table)), "was": json.dumps(now)}
        status = 422 if problem else 200
    split_context["hard"] = count_unusual_keys([*split_context["lines"].split("\n"), *(split_context["now"] or ())])
    return render(request, "estimator/splits/_splits.html", {
        "splits": split_context, "design": run.design, "run": run, "page": view, "table": table,
        "may_edit": can_edit(request, design),
    }, status=status)  # fmt: skip


def splits_context(run: Run, page: RunPage, table: str, count: int | None = None) -> dict[str, Any]:
    """Proposed split keys with their shares, and what the design has now."""
    proposed = page.run.tables[table].split_keys
    if count is not None and count != len(proposed.keys):
        proposed = propose_splits(build_plan(page.spec, page.run.parameters, current_context()), table, count)
    return {
        "proposed": proposed, "lines": "\n".join(key.text for key in proposed.keys), "count": len(proposed.keys),
        "first_stored": _first_share(key.stored_share for key in proposed.keys),
        "first_written": _first_share(key.write_share for key in proposed.keys),
        "asked": count, "now": (now := _current_split_keys(run.design, table)), "was": json.dumps(now),
        "hard": count_unusual_keys([*(key.text for key in proposed.keys), *(now or ())]),
    }  # fmt: skip


def count_unusual_keys(texts: Iterable[str]) -> dict[str, int]:
    """Count the split keys few tools accept: those with a NUL, which ends a string, and those not text."""
    keys = [as_bytes(text) for text in dict.fromkeys(texts) if _is_readable(text)]
    return {"ended": sum(b"\0" in key for key in keys), "raw": sum(not (b"\0" in key or _is_text(key)) for key in keys)}


def _is_readable(text: str) -> bool:
    try:
        as_bytes(text)
    except ValueError:  # said where it is saved
        return False
    return True


def _is_text(key: bytes) -> bool:
    try:
        key.decode()
    except UnicodeDecodeError:
        return False
    return True


def _first_share(shares: Iterable[float]) -> float | None:
    """Return the share before the first of them; None where there is nothing."""
    total = sum(shares)
    return max(1.0 - total, 0.0) if total > 0 else None


def _current_split_keys(design: Design, table: str) -> tuple[str, ...] | None:
    """Return the split keys of the head; None where the table no longer exists."""
    element = design.spec.by_id.get(table)
    return getattr(element, "split_keys", None)


def requested_count(request: HttpRequest, name: str) -> int | None:
    """Return the requested count, `MOST` at most; None where the text is no number."""
    count = query(request).number(name)
    return None if count is None else min(count, MOST)


def _keys(text: str) -> list[str]:
    """One key per line, as it stands (blanks belong to a key): each once, in byte order if they can be read."""
    lines = dict.fromkeys(line for line in text.replace("\r\n", "\n").split("\n") if line)
    try:
        return sorted(lines, key=as_bytes)
    except ValueError:  # said by the document itself
        return list(lines)


def _use(request: HttpRequest, design: Design, table: str, keys: list[str]) -> Text | None:
    """One edit of the table, if its keys are still those that were shown; what was wrong with it, if anything was."""
    was = form(request).json_data("was", json.dumps(_current_split_keys(design, table)))
    try:
        design.apply(Set(at=table, name="split_keys", value=keys, was=was), by=current_person(request))
    except (InvalidResultError, EditConflictError) as problem:
        return problem.text
    return None
