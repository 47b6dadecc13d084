"""Giving a verdict on a section: what is refused is said beside the form, which keeps what was typed."""

from dataclasses import dataclass

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
from .verdicts import is_only_reviewer, last_section_change
from .viewer import Viewer, write_session

VERDICTS = {"approve": True, "changes": False}


@dataclass(frozen=True)
class VerdictInput:
    """A verdict as it was submitted."""

    section: Section
    approves: bool | None
    """None: neither was chosen."""
    text: str
    name: str
    mark: str
    """Of the section as it was seen."""


@require_POST
def give(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Approve a section or request changes."""
    section = next((name for name in SECTIONS if name == form(request).get("section")), None)
    if section is None or (section == "cost" and viewer.hides.cost):
        raise Http404
    text = submitted_text(request)
    name = visitor_name(request, viewer) if viewer.link else str(viewer.person)
    verdict = VERDICTS.get(form(request).get("verdict", ""))
    verdict_input = VerdictInput(section, verdict, text, name, form(request).get("hash", ""))
    problem, is_own = check_verdict(viewer, verdict_input)
    if problem is not None:
        wrong = {"wrong": {section: problem}, "typed": text, "typed_name": name}
        return page(request, "reviews/review/review.html", {**page_of(request, viewer), **wrong}, status=422)
    if viewer.link:
        write_session(request, viewer.link, name=name)
    store_verdict(viewer, verdict_input, is_own=is_own)
    suffix = f"?revision={viewer.number}" if not viewer.link and viewer.newer_count else ""
    return redirect(f"{viewer.home}{suffix}#{section}")


def check_verdict(viewer: Viewer, given: VerdictInput) -> tuple[Text | None, bool]:
    """Return why a verdict cannot be stored, and whether it is a lone person's on their own work."""
    problem = _find_problem(viewer, given)
    if problem is not None or not given.approves or viewer.person is None:
        return problem, False
    mine = last_section_change(viewer.design, viewer.person, given.section, upto=viewer.number)
    if mine and not is_only_reviewer(viewer):
        words = N_("You changed this section in revision {number}. Another person must approve it.")
        return Text(words, {"number": mine}), False
    return None, bool(mine)


def _find_problem(viewer: Viewer, given: VerdictInput) -> Text | None:
    if given.approves is None:
        return Text(N_("Approve the section or request changes."))
    if not given.approves and not given.text:
        return Text(N_("Enter the changes that you request."))
    if len(given.text) > LONGEST:
        return Text(N_("A comment can have at most {most} characters."), {"most": LONGEST})
    if not given.name:
        return Text(N_("Enter your name."))
    if given.mark != viewer.marks[given.section]:
        return Text(N_("This section was changed while you were viewing it. Review it again, then give your verdict."))
    return None


def store_verdict(viewer: Viewer, given: VerdictInput, *, is_own: bool) -> None:
    """Store a verdict that `check_verdict` found nothing against, and tell who follows the design."""
    viewer.design.protect_revision(viewer.number)
    verdict = {
        "section": given.section, "approves": bool(given.approves), "by": given.name[:100],
        "by_link": viewer.link is not None, "revision": viewer.number, "sha256": viewer.sha256,
    }  # fmt: skip
    with transaction.atomic():
        Verdict.objects.create(
            design=viewer.design, section=given.section, approves=bool(given.approves), text=given.text,
            hash=viewer.hashes[given.section], number=viewer.number, sha256=viewer.sha256, person=viewer.person,
            link=viewer.link, name=given.name[:100], visitor=viewer.link is not None, by_program=viewer.is_program,
            own=is_own,
        )  # fmt: skip
        event = {**design_data(viewer.design), "verdict": verdict}
        publish("verdict.given", event, team=viewer.design.team_id)
    Mail.objects.notify_followers(
        viewer.design,
        "approved" if given.approves else "changes",
        who=given.name,
        by=viewer.person,
        link=viewer.link,
        section=titles(viewer.full_spec.engine)[given.section],
    )
