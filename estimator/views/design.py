"""Pages of one design with its estimate, and its charts in every form."""

import csv
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from designer.http.pages import page, part_of_page
from designer.http.parameters import query
from designer.templatetags.keywright import translate
from estimator.contexts import current_context
from estimator.presentation.charts import Chart
from estimator.presentation.charts.heatmap import AGAINST, OF
from estimator.presentation.charts.to_plotly import to_plotly
from estimator.presentation.charts.to_svg import to_svg
from estimator.presentation.design_page import DesignPage, design_page
from estimator.presentation.insight import guess_count

from .sources import source


@require_safe
def design(request: HttpRequest, **where: str) -> HttpResponse:
    """Show the whole estimate of one design for reading."""
    context = source(request, where).context
    context |= on_demand(request, context["page"])
    part = {**TABLE_PARTS, **PARTS}.get(context["part"])
    return part_of_page(request, "estimator/design/design.html", context, part)


PARTS = {
    "guesses": "designer/design/_guess_rows.html",
    "activities": "designer/design/_activity_rows.html",
    "finding": "estimator/design/_under.html",
    "findings": "estimator/design/_findings.html",
}
"""Parts of the pages of a large design by their names in a query."""
TABLE_PARTS = {"table": "estimator/design/_table.html", "lines": "estimator/design/_lines.html"}
"""Those of tables, which a review shows in its own way."""


def on_demand(request: HttpRequest, shown: DesignPage) -> dict[str, Any]:
    """Return what of a page is shown: all of a small design, of a large one what is asked for.

    `?part=NAME` asks for a part of a page, of which htmx gets no more than that, `&table=ID` of one table,
    `&finding=NUMBER` what is under a finding; `?whole=1` for everything.

    Raises
    ------
    Http404
        If the table or the finding does not exist.
    """
    parameters = query(request)
    is_whole = not shown.has_many_tables or parameters.get("whole") == "1"
    lists_guesses = is_whole or parameters.get("part") == "guesses"
    table = next((table for table in shown.tables if table.table.id == parameters.get("table")), None)
    finding = shown.all_remarks.get(parameters.number("finding") or 0)
    if (table is None and "table" in parameters) or (finding is None and "finding" in parameters):
        raise Http404
    return {
        "is_whole": is_whole,
        "part": parameters.get("part", ""),
        "table": table,
        "finding": finding,
        "under": finding.under if finding else (),
        **_listed_findings(shown, is_whole=is_whole or parameters.get("part") == "findings"),
        "spec": shown.spec,
        "activities": shown.spec.activities,
        "guesses": shown.assumed_values if lists_guesses else range(guess_count(shown.spec)),
        "outline_tables": shown.tables if is_whole else (),
    }


MOST_FINDINGS = 10
"""So many findings, and so many notes, are on the page of a large design at first."""


def _listed_findings(shown: DesignPage, *, is_whole: bool) -> dict[str, Any]:
    """Return the findings and notes that a page lists, and the numbers of the others."""
    most = None if is_whole else MOST_FINDINGS
    every = (shown.grave_remarks, shown.notes)
    remaining = [remark for remarks in every for remark in remarks[most:]] if most else []
    numbers = [member.number for remark in remaining for member in (remark, *remark.under)]
    return {
        "grave_remarks": every[0][:most], "notes": every[1][:most], "note_count": len(every[1]),
        "finding_count": sum(map(len, every)), "left_numbers": (min(numbers), max(numbers)) if numbers else (),
    }  # fmt: skip


PRICED_BY = ("https://cloud.google.com/bigtable/pricing", "https://cloud.google.com/bigtable/docs/performance")
READ = "2026-11-20"


@require_safe
def calculator(request: HttpRequest) -> HttpResponse:
    """Explain why a bill differs from Google's calculator."""
    return page(request, "estimator/design/calculator.html", {"sources": PRICED_BY, "date": READ})


@require_safe
def heat(request: HttpRequest, table: str, **where: str) -> HttpResponse:
    """Show a table's heatmap of writes or reads, relative to its busiest cell or to one node."""
    context = source(request, where).context
    context |= heat_context(request, context["page"], table)
    return page(request, "estimator/design/heat.html", context, part="estimator/_chart.html")


def heat_context(request: HttpRequest, shown: DesignPage, table: str) -> dict[str, Any]:
    """Return the context of the heatmap that a request asks for, for a page that shows it."""
    parameters = query(request)
    of, against = parameters.get("of", OF[0]), parameters.get("against", "")
    name = f"heat-{table}-{of}-{against or AGAINST[0]}"
    table_view = next((t for t in shown.tables if t.table.id == table), None)
    return {"name": name, "chart": _chart(shown, name), "of": of, "against": against, "table": table_view}


@require_safe
def chart(request: HttpRequest, name: str, form: str, **where: str) -> HttpResponse:
    """One chart as a plotly figure, an SVG picture, a CSV file or the rows of a table."""
    about = source(request, where)
    return chart_response(
        request, design_page(about.spec, current_context()), name, form=form, file=where.get("slug") or where["key"]
    )


class HasCharts(Protocol):
    """Object with charts: an estimate or a simulation."""

    @property
    def charts(self) -> Mapping[str, Callable[[], Chart]]:
        """By name."""


def chart_response(request: HttpRequest, shown: HasCharts, name: str, *, form: str, file: str) -> HttpResponse:
    """Return a chart of a page in one of its forms; `file` is the prefix of a download's name."""
    chart = _chart(shown, name)
    if form == "json":
        return JsonResponse(to_plotly(chart, translate))
    if form == "svg":
        return HttpResponse(to_svg(chart, translate), content_type="image/svg+xml")
    grid = chart.rows(translate, plain=form == "csv")
    if form == "csv":
        headers = {"Content-Disposition": f'attachment; filename="{file}-{name}.csv"'}
        response = HttpResponse("\ufeff", content_type="text/csv; charset=utf-8", headers=headers)
        csv.writer(response).writerows([grid.header, *map(escape_formulas, grid.rows)])
        return response
    return render(request, "estimator/_rows.html", {"grid": grid})


_NUMBER = re.compile(r"-\d+(\.\d+)?(e[+-]\d+)?").fullmatch


def escape_formulas(row: Iterable[str]) -> list[str]:
    """Cells that no spreadsheet takes for a formula; a number below 0 is none."""
    return [f"'{cell}" if cell.startswith(tuple("=+-@\t\r")) and not _NUMBER(cell) else cell for cell in row]


def _chart(shown: HasCharts, name: str) -> Chart:
    make = shown.charts.get(name)
    if make is None:
        raise Http404
    return make()
