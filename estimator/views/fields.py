"""Beside a field's controls: examples of its values, and what the most popular of them take."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from designer.document import Spec
from designer.document.field import Field
from designer.http.parameters import query
from estimator.estimates.fits import with_fits
from estimator.presentation.fields import examples, top_values

from .sources import source


@require_safe
def values(request: HttpRequest, **where: str) -> HttpResponse:
    """Show some values of the field `?at=`."""
    spec, field = _field(request, where)
    return render(request, "estimator/fields/values.html", {"examples": examples(spec, field)})


@require_safe
def popularity(request: HttpRequest, **where: str) -> HttpResponse:
    """Show the distribution of traffic over the values of the field `?at=`."""
    spec, field = _field(request, where)
    return render(request, "estimator/fields/popularity.html", {"tops": top_values(spec, field)})


def _field(request: HttpRequest, where: dict[str, str]) -> tuple[Spec, Field]:
    spec = with_fits(source(request, where).spec)
    field = spec.by_id.get(query(request).get("at", ""))
    if not isinstance(field, Field):
        raise Http404
    return spec, field
