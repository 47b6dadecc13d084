"""The catalogue of rules and the page of one."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from designer.document import Spec
from designer.http.pages import page, strip_indents
from designer.http.parameters import query
from estimator.advice.catalogue.rule_list import groups, pages_by_site, parse_filter
from estimator.advice.catalogue.rule_pages import ENGINES, HEADINGS, SEVERITIES, rule_page
from estimator.advice.rules import RULES
from estimator.contexts import current_context
from estimator.presentation.charts.heatmap import Of, heatmap
from estimator.presentation.charts.thumbnail import thumbnail
from estimator.presentation.charts.types import HeatMap
from estimator.presentation.design_page import design_page
from estimator.presentation.insight import figures
from estimator.presentation.segments import key_reader
from estimator.presentation.sheet.verdict import hottest_share
from estimator.results import TablePart

PALE_SHARE = 0.05
"""A map whose busiest node takes less of its limit is one pale area: its sentences say as much."""


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """Show the catalogue of rules, searched and filtered as in the address."""
    rule_filter = parse_filter(query(request))
    fitting = groups(rule_filter, gettext)
    context = {
        "asked": rule_filter,
        "groups": fitting,
        "count": sum(len(group.lines) for group in fitting),
        "all": len(RULES),
        "engines": ENGINES,
        "severities": SEVERITIES,
        "sites": pages_by_site(),
    }
    response = page(request, "estimator/rules/rules.html", context, part="estimator/rules/_rule_list.html")
    response.content = strip_indents(response.content.decode()).encode()
    return response


@require_safe
def rule(request: HttpRequest, code: str) -> HttpResponse:
    """Show what one rule finds, why it matters and what to do instead."""
    if code not in RULES:
        raise Http404
    return page(request, "estimator/rules/rule.html", {"page": rule_page(code)}, part="estimator/rules/_rule.html")


def _heat(spec: Spec, part: TablePart) -> HeatMap | None:
    """Return the heatmap of writes, or of reads where nothing is written."""
    if part.traffic is None:
        return None
    of: Of = "writes" if part.traffic.heat.writes_per_second.any() else "reads"
    return heatmap(part.traffic, of=of, read_key=key_reader(spec, part))


@require_safe
def miniature(request: HttpRequest, code: str, which: str) -> HttpResponse:
    """Show the results for one of a rule's examples as in the editor: findings, heat, rows, cost."""
    if code not in RULES or which not in HEADINGS:
        raise Http404
    view = design_page(getattr(RULES[code], which)(), current_context())
    table = view.table(view.spec.tables[0]) if view.spec.tables else None
    peak_share = hottest_share(view)
    is_pale = peak_share is not None and peak_share < PALE_SHARE
    context = {
        "page": view,
        "remarks": [
            remark
            for remark in view.all_remarks.values()
            if remark.finding.rule == code and not remark.finding.is_summary
        ],
        "heat": _heat(view.spec, table.part) if table else None,
        "picture": thumbnail(view.spec, view.estimate, table.table.id) if table and not is_pale else None,
        "peak_share": peak_share,
        "figures": tuple(figures(view, table)),
    }
    return render(request, "estimator/rules/miniature.html", context)
