"""Pages of what is computed: a design with its estimate, its charts in every form, the catalogue of rules."""

import csv
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from config.pages import page
from designer.models import Design
from designer.permissions import may
from designer.spec import Spec
from designer.templatetags.keywright import say
from designer.views.access import design_for, person
from designer.views.gallery import found
from estimator.beside import beside, table_of
from estimator.charts import Chart
from estimator.charts.heatmap import AGAINST, OF
from estimator.charts.to_plotly import to_plotly
from estimator.charts.to_svg import to_svg
from estimator.pages import DesignPage, design_page
from estimator.rule_list import asked_of, by_site, groups
from estimator.rule_pages import ENGINES, SEVERITIES, rule_page
from estimator.rules import RULES


@dataclass(frozen=True)
class Source:
    """What a page shows: a document, its name and story, and the address under which everything about it stands."""

    spec: Spec
    title: str
    story: str
    base: str
    design: Design | None = None
    may_edit: bool = False

    @property
    def context(self) -> dict[str, Any]:
        """For the read parts, which examples, one's own designs and reviews share."""
        names = ("title", "story", "base", "design", "may_edit")
        return {**{name: getattr(self, name) for name in names}, "shown": design_page(self.spec)}


def _example(request: HttpRequest, *, slug: str) -> Source:
    one = found(slug)
    return Source(one.spec, one.title, one.story, reverse("design", args=[slug]))


def _content(request: HttpRequest, *, key: str, sha256: str) -> Source:
    """One content of a design; the address holds its hash, so what stands there never changes."""
    design = design_for(request, key, "view")
    document = design.head if design.head_id == sha256 else None
    if document is None:
        revision = design.revisions.filter(document=sha256).select_related("document").first()
        if revision is None:
            raise Http404  # typing has gone on: an answer to it would only be dropped
        document = revision.document
    spec = document.spec
    base = reverse("content", args=[key, sha256])
    may_edit = may(person(request).role_in(design.team_id), "edit")
    return Source(spec, spec.name, spec.description, base, design, may_edit)


def _source(request: HttpRequest, where: dict[str, str]) -> Source:
    return _example(request, **where) if "slug" in where else _content(request, **where)


@require_safe
def design(request: HttpRequest, **where: str) -> HttpResponse:
    """The whole estimate of one design, to read."""
    return page(request, "estimator/design.html", _source(request, where).context)


@require_safe
def insight(request: HttpRequest, **where: str) -> HttpResponse:
    """What stands beside the editor, and beside the controls of the element that is open (`?at=`)."""
    source, at = _source(request, where), request.GET.get("at", "")
    context = source.context
    shown: DesignPage = context["shown"]
    context |= {"table": table_of(shown, at), "beside": beside(shown, at)}
    return render(request, "estimator/insight.html", context)


@require_safe
def summary(request: HttpRequest, key: str) -> HttpResponse:
    """What a list of designs shows of the estimate: the findings and the bill."""
    return render(request, "estimator/_summary.html", {"shown": design_page(design_for(request, key, "view").spec)})


@require_safe
def card(request: HttpRequest, slug: str) -> HttpResponse:
    """What a card of the start page shows of the estimate: a sample key, the gravest findings, the bill."""
    shown = design_page(found(slug).spec)
    samples = [kind.samples[0] for table in shown.tables for kind in table.kinds if kind.samples]
    context = {"slug": slug, "shown": shown, "samples": samples, "bill": shown.estimate.bill}
    return render(request, "estimator/_card.html", context)


@require_safe
def heat(request: HttpRequest, table: str, **where: str) -> HttpResponse:
    """A table's heatmap as asked for: of writes or reads, against its own busiest cell or against one node."""
    of, against = request.GET.get("of", OF[0]), request.GET.get("against", AGAINST[0])
    name = f"heat-{table}-{of}-{against}"
    context = _source(request, where).context
    shown: DesignPage = context["shown"]
    context |= {"name": name, "chart": _chart(shown, name), "of": of, "against": against}
    context["table"] = next(t for t in shown.tables if t.it.id == table)
    return page(request, "estimator/heat.html", context, part="estimator/_chart.html")


@require_safe
def chart(request: HttpRequest, name: str, form: str, **where: str) -> HttpResponse:
    """One chart as a plotly figure, an SVG picture, a CSV file or the rows of a table."""
    source = _source(request, where)
    one = _chart(design_page(source.spec), name)
    if form == "json":
        return JsonResponse(to_plotly(one, say))
    if form == "svg":
        return HttpResponse(to_svg(one, say), content_type="image/svg+xml")
    grid = one.rows(say)
    if form == "csv":
        headers = {"Content-Disposition": f'attachment; filename="{where.get("slug") or where["key"]}-{name}.csv"'}
        response = HttpResponse("\ufeff", content_type="text/csv; charset=utf-8", headers=headers)
        csv.writer(response).writerows([grid.header, *map(_plain, grid.rows)])
        return response
    return render(request, "estimator/_rows.html", {"grid": grid})


def _plain(row: tuple[str, ...]) -> list[str]:
    """Cells that no spreadsheet takes for a formula."""
    return [f"'{cell}" if cell[:1] in "=+-@\t\r" else cell for cell in row]


def _chart(shown: DesignPage, name: str) -> Chart:
    make = shown.charts.get(name)
    if make is None:
        raise Http404
    return make()


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """The catalogue of rules, searched and narrowed as the address says."""
    asked = asked_of(request.GET)
    fitting = groups(asked, gettext)
    context = {
        "asked": asked,
        "groups": fitting,
        "count": sum(len(group.lines) for group in fitting),
        "all": len(RULES),
        "engines": ENGINES,
        "severities": SEVERITIES,
        "sites": by_site(),
    }
    return page(request, "estimator/rules.html", context, part="estimator/_rule_list.html")


@require_safe
def rule(request: HttpRequest, code: str) -> HttpResponse:
    """What one rule finds, why it matters and what to do instead."""
    if code not in RULES:
        raise Http404
    return page(request, "estimator/rule.html", {"shown": rule_page(code)})
