"""A design's history: read, name and restore revisions."""

from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST, require_safe

from designer.document import Spec
from designer.document.dump import dump
from designer.http.pages import page
from designer.http.parameters import form, header, query
from designer.models import Design, Person, Revision

from ..access import can_edit, current_person, design_for
from ..audit import record

PAGE_SIZE = 100


@require_safe
def history(request: HttpRequest, key: str) -> HttpResponse:
    """Revisions, newest first: all, one person's, or those that have a name."""
    design = design_for(request, key, "view")
    parameters = query(request)
    who, only_named = parameters.number("who"), parameters.get("named") == "1"
    revisions = design.revisions.select_related("by").order_by("-number")
    if who is not None:
        revisions = revisions.filter(by=who)
    if only_named:
        revisions = revisions.exclude(name="")
    rows = Paginator(revisions, PAGE_SIZE).get_page(parameters.number("page"))
    context = {
        "design": design,
        "revisions": rows,
        "people": Person.objects.filter(pk__in=design.revisions.values("by")).order_by("name", "email"),
        "who": who,
        "named": only_named,
        "asked": f"&{urlencode({'who': who or '', 'named': int(only_named)})}",
        "may_edit": can_edit(request, design),
    }
    return page(request, "designer/history/history.html", context, part="designer/history/_revisions.html")


@require_safe
def document(request: HttpRequest, key: str) -> HttpResponse:
    """Return the head revision's document as a file."""
    design = design_for(request, key, "view")
    return _document_file(request, design, design.number, design.spec)


@require_safe
def revision_document(request: HttpRequest, key: str, number: int) -> HttpResponse:
    """Return the document of one revision as a file."""
    design = design_for(request, key, "view")
    revision = design.revisions.select_related("document").filter(number=number).first()
    if revision is None:
        raise Http404
    return _document_file(request, design, number, revision.document.spec)


def _document_file(request: HttpRequest, design: Design, number: int, spec: Spec) -> HttpResponse:
    """Return a document as a file; that somebody takes it is recorded, as of other files."""
    name = f"design-{design.key}-r{number}.json"
    if request.method == "GET":  # a HEAD brings no file
        record(request, "design_exported", f"{design.key} {design.title}, {number}: {name}", team=design.team)
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(dump(spec), content_type="application/json", headers=headers)


@require_safe
def content_document(request: HttpRequest, key: str, sha256: str) -> HttpResponse:
    """Return a document of the design as a file, by the hash of its content."""
    design = design_for(request, key, "view")
    revision = design.revisions.filter(document=sha256).order_by("number").first()
    if revision is None:
        raise Http404
    return revision_document(request, key, revision.number)


@require_POST
def restore(request: HttpRequest, key: str, number: int) -> HttpResponse:
    """Make an earlier revision the head again."""
    design = design_for(request, key, "edit")
    try:
        with transaction.atomic():
            design.restore(number, by=current_person(request))
            record(request, "revision_restored", f"{design.key} {design.title}: {number}", team=design.team)
    except Revision.DoesNotExist:
        raise Http404 from None
    return redirect("editor", design.key)


@require_POST
def name(request: HttpRequest, key: str, number: int) -> HttpResponse:
    """Set or remove the name of a revision."""
    design = design_for(request, key, "edit")
    if not design.name_revision(number, form(request).line("name", most=100)):
        raise Http404
    if header(request, "HX-Request"):
        return HttpResponse(status=204)
    return redirect("history", design.key)
