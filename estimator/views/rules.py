"""The catalogue of rules and the page of one."""

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from config.pages import page
from estimator.rule_list import asked_of, by_site, groups
from estimator.rule_pages import ENGINES, SEVERITIES, rule_page
from estimator.rules import RULES


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
    return page(request, "estimator/rule.html", {"shown": rule_page(code)}, part="estimator/_rule.html")
