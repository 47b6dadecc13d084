"""What the editor shows of the estimate, beside what is being edited."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from estimator.beside import beside, table_of
from estimator.pages import DesignPage

from .sources import source


@require_safe
def insight(request: HttpRequest, **where: str) -> HttpResponse:
    """What stands beside the editor, and beside the controls of the element that is open (`?at=`)."""
    about, at = source(request, where), request.GET.get("at", "")
    context = about.context
    shown: DesignPage = context["shown"]
    context |= {"table": table_of(shown, at), "beside": beside(shown, at)}
    return render(request, "estimator/insight.html", context)
