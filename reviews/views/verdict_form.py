"""Giving a verdict on a section: what is refused is said beside the form, which keeps what was typed."""

from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from designer.document.texts import N_, Text
from designer.http.pages import page
from designer.http.parameters import form
from designer.models import publish
from designer.models.webhooks import design_data
from reviews.models import Mail, Verdict
from reviews.models.talk import LONGEST
from reviews.verdicts.sections import SECTIONS, Section, titles

from .discussion import submitted_text, visitor_name
from .review import page_of
from .verdicts import is_only_reviewer, last_own_change
from .viewer import Viewer, write_session


@require_POST
def give(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Approve a section or request changes."""
    section = next((name for name in SECTIONS if name == form(request).get("section")), None)
    if section is None or (section == "cost" and viewer.hides.cost):
        raise Http404
    approves, text = form(request).get("verdict") == "approve", submitted_text(request)
    name = visitor_name(request, viewer) if viewer.link else str(viewer.person)
    mine = (
        approves
        and viewer.person is not None
        and last_own_change(viewer.design, viewer.person, section, upto=viewer.number)
    )
    problem = _find_problem(request, viewer, section, approves=approves, text=text, name=name)
    if problem is None and mine and not is_only_reviewer(viewer):
        words = N_("You changed this section in revision {number}. Another person must approve it.")
        problem = Text(words, {"number": mine})
    if problem is not None:
        wrong = {"wrong": {section: problem}, "typed": text, "typed_name": name}
        return page(request, "reviews/review/review.html", {**page_of(request, viewer), **wrong}, status=422)
    _store(request, viewer, section, approves=approves, text=text, name=name, is_own=bool(mine))
    asked = f"?revision={viewer.number}" if not viewer.link and viewer.newer_count else ""
    return redirect(f"{viewer.home}{asked}#{section}")


def _find_problem(
    request: HttpRequest, viewer: Viewer, section: Section, *, approves: bool, text: str, name: str
) -> Text | None:
    if not approves and form(request).get("verdict") != "changes":
        return Text(N_("Approve the section or request changes."))
    if not approves and not text:
        return Text(N_("Enter the changes that you request."))
    if len(text) > LONGEST:
        return Text(N_("A comment can have at most {most} characters."), {"most": LONGEST})
    if not name:
        return Text(N_("Enter your name."))
    if form(request).get("hash", "") != viewer.marks[section]:
        return Text(N_("This section was changed while you were viewing it. Review it again, then give your verdict."))
    return None


def _store(
    request: HttpRequest, viewer: Viewer, section: Section, *, approves: bool, text: str, name: str, is_own: bool
) -> None:
    if viewer.link:
        write_session(request, viewer.link, name=name)
    viewer.design.protect_revision(viewer.number)
    verdict = {
        "section": section, "approves": approves, "by": name, "by_link": viewer.link is not None,
        "revision": viewer.number, "sha256": viewer.sha256,
    }  # fmt: skip
    with transaction.atomic():
        Verdict.objects.create(
            design=viewer.design, section=section, approves=approves, text=text, hash=viewer.hashes[section],
            number=viewer.number, sha256=viewer.sha256, person=viewer.person, link=viewer.link, name=name,
            visitor=viewer.link is not None, own=is_own,
        )  # fmt: skip
        event = {**design_data(viewer.design), "verdict": verdict}
        publish("verdict.given", event, team=viewer.design.team_id)
    what = "approved" if approves else "changes"
    Mail.objects.notify_followers(
        viewer.design,
        what,
        who=name,
        by=viewer.person,
        link=viewer.link,
        section=titles(viewer.full_spec.engine)[section],
    )
