"""The sheet of a design in the editor: its home."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.views.decorators.http import require_safe

from designer.http.pages import strip_indents
from designer.http.parameters import query
from designer.views.access import share

from .sources import source


@require_safe
def sheet(request: HttpRequest, **where: str) -> HttpResponse:
    """Show the tables of a design with what happens before them and what they cost."""
    context = source(request, where).context
    template = "lines" if query(request).get("part") == "lines" else "sheet"
    page = render_to_string(
        f"estimator/sheet/{template}.html", context | {"in_editor": True, "is_whole": False}, request
    )
    return share(request, context["design"], HttpResponse(strip_indents(page)))


@require_safe
def all_rows(request: HttpRequest, **where: str) -> HttpResponse:
    """Show the tables of a design as they are stored."""
    return render(request, "estimator/sheet/rows.html", source(request, where).context | {"in_editor": True})


@require_safe
def table_rows(request: HttpRequest, *, table: str, **where: str) -> HttpResponse:
    """Show one table as it is stored: sample rows with their cells, and where its reads go."""
    context = source(request, where).context
    if table not in {table.id for table in context["page"].spec.tables}:
        raise Http404
    return render(request, "estimator/sheet/stored.html", context | {"at": table, "in_editor": True})


@require_safe
def what_if(request: HttpRequest, **where: str) -> HttpResponse:
    """Show what larger designs would cost; they are estimated apart, for they take longer than an answer to an edit."""
    return render(request, "estimator/sheet/what_if.html", source(request, where).context)
