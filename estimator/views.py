"""Pages of what is computed: a design with its estimate, its charts in every form, the catalogue of rules."""

import csv

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from config.pages import page
from designer.templatetags.keywright import say
from designer.views.access import design_for
from designer.views.gallery import found
from estimator.charts import Chart
from estimator.charts.heatmap import AGAINST, OF
from estimator.charts.to_plotly import to_plotly
from estimator.charts.to_svg import to_svg
from estimator.pages import design_page
from estimator.rule_pages import rule_page
from estimator.rules import RULES


@require_safe
def design(request: HttpRequest, slug: str) -> HttpResponse:
    """The page of one built-in design."""
    one = found(slug)
    return page(request, "estimator/design.html", {"example": one, "slug": slug, "shown": design_page(one.spec)})


@require_safe
@cache_control(private=True, max_age=3600, immutable=True)
def insight(request: HttpRequest, key: str, sha256: str) -> HttpResponse:
    """What is computed of one content of a design. Its address holds the content's hash, so it never changes."""
    owner = design_for(request, key, "view")
    if owner.head_id == sha256:
        document = owner.head
    else:
        found = owner.revisions.filter(document=sha256).select_related("document").first()
        if found is None:
            raise Http404  # typing has gone on: an answer to it would only be dropped
        document = found.document
    return render(request, "estimator/insight.html", {"design": owner, "shown": design_page(document.spec)})


@require_safe
def summary(request: HttpRequest, key: str) -> HttpResponse:
    """What a list of designs shows of the estimate: the findings and the bill."""
    owner = design_for(request, key, "view")
    return render(request, "estimator/_summary.html", {"shown": design_page(owner.spec)})


@require_safe
def card(request: HttpRequest, slug: str) -> HttpResponse:
    """What a card of the start page shows of the estimate: a sample key, the gravest findings, the bill."""
    one = found(slug)
    shown = design_page(one.spec)
    samples = [kind.samples[0] for table in shown.tables for kind in table.kinds if kind.samples]
    context = {"slug": slug, "shown": shown, "samples": samples, "bill": shown.estimate.bill}
    return render(request, "estimator/_card.html", context)


@require_safe
def heat(request: HttpRequest, slug: str, table: str) -> HttpResponse:
    """A table's heatmap as asked for: of writes or reads, against its own busiest cell or against one node."""
    of, against = request.GET.get("of", OF[0]), request.GET.get("against", AGAINST[0])
    name = f"heat-{table}-{of}-{against}"
    one = found(slug)
    shown = design_page(one.spec)
    context = {"example": one, "slug": slug, "shown": shown, "name": name, "chart": _chart(slug, name)}
    context |= {"table": next(t for t in shown.tables if t.it.id == table), "of": of, "against": against}
    return page(request, "estimator/heat.html", context, part="estimator/_chart.html")


@require_safe
def chart(request: HttpRequest, slug: str, name: str, form: str) -> HttpResponse:
    """One chart as a plotly figure, an SVG picture, a CSV file or the rows of a table."""
    one = _chart(slug, name)
    if form == "json":
        return JsonResponse(to_plotly(one, say))
    if form == "svg":
        return HttpResponse(to_svg(one, say), content_type="image/svg+xml")
    grid = one.rows(say)
    if form == "csv":
        headers = {"Content-Disposition": f'attachment; filename="{slug}-{name}.csv"'}
        response = HttpResponse("\ufeff", content_type="text/csv; charset=utf-8", headers=headers)
        csv.writer(response).writerows([grid.header, *map(_plain, grid.rows)])
        return response
    return render(request, "estimator/_rows.html", {"grid": grid})


def _plain(row: tuple[str, ...]) -> list[str]:
    """Cells that no spreadsheet takes for a formula."""
    return [f"'{cell}" if cell[:1] in "=+-@\t\r" else cell for cell in row]


def _chart(slug: str, name: str) -> Chart:
    make = design_page(found(slug).spec).charts.get(name)
    if make is None:
        raise Http404
    return make()


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """The catalogue of rules."""
    return page(request, "estimator/rules.html", {"rules": RULES.values()})


@require_safe
def rule(request: HttpRequest, code: str) -> HttpResponse:
    """What one rule finds, why it matters and what to do instead."""
    if code not in RULES:
        raise Http404
    return page(request, "estimator/rule.html", {"shown": rule_page(code)})
