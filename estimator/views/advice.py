"""The key advisor beside the key builder."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe
from django_htmx.middleware import HtmxDetails

from designer.document.table import RowKind
from designer.views.access import design_for
from estimator.contexts import current_context
from estimator.presentation.advisor_page import AdvicePage, advice_page

from .sources import DesignSource, source


@require_safe
def advise(request: HttpRequest, key: str, kind: str) -> HttpResponse:
    """Advice on the content that is the design's now: sends to the address where that is kept.

    Whoever opens the address by hand is sent to the row kind, whose page asks for its advice.
    """
    design = design_for(request, key, "view")
    is_part: HtmxDetails = request.htmx  # type: ignore[attr-defined]
    return redirect("advice", key, design.head_id, kind) if is_part else redirect("element", key, kind)


@require_safe
def advice(request: HttpRequest, kind: str, **where: str) -> HttpResponse:
    """Candidate keys of one row kind, measured beside the present one."""
    about = source(request, where)
    context = {"page": _page(about, kind), "kind": kind, "base": about.base, "design": about.design}
    context |= {"may_edit": about.may_edit, "sha256": where["sha256"]}
    return render(request, "estimator/advice/advice.html", context)


@require_safe
def heat(request: HttpRequest, kind: str, number: str, **where: str) -> HttpResponse:
    """Return the heatmap that one of these keys would give; the present key is number 0."""
    lines = _page(source(request, where), kind).lines
    if int(number) >= len(lines) or lines[int(number)].heat is None:
        raise Http404
    return render(request, "estimator/advice/_heat.html", {"chart": lines[int(number)].heat})


def _page(about: DesignSource, kind: str) -> AdvicePage:
    if not isinstance(about.spec.by_id.get(kind), RowKind):
        raise Http404
    return advice_page(about.spec, kind, current_context())
