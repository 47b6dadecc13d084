"""Known facts of one row kind's keys, for the key builder: segments, sample keys, access of reads."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from designer.document.table import RowKind
from designer.http.parameters import query
from designer.views.access import share
from estimator.presentation.design_page import DesignPage
from estimator.presentation.findings_beside import containing_table

from .sources import source


@require_safe
def keys(request: HttpRequest, **where: str) -> HttpResponse:
    """One row kind's keys (`?at=`)."""
    context, at = source(request, where).context, query(request).get("at", "")
    view: DesignPage = context["page"]
    if not isinstance(view.spec.by_id.get(at), RowKind):
        raise Http404
    table = containing_table(view, at)
    kind = next(kind for kind in table.kinds if kind.row_kind.id == at) if table else None
    below = (
        {part.id: view.findings_within(part) for part in (*kind.row_kind.segments, *kind.row_kind.key_columns)}
        if kind
        else {}
    )
    context |= {"kind": kind, "below": below, "table": table}
    return share(request, context["design"], render(request, "estimator/keys/keys.html", context))
