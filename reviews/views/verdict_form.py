"""Giving a verdict on a section: what is refused is said beside the form, which keeps what was typed."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from designer.document.texts import N_, Text
from designer.http.pages import page
from reviews.models import Mail, Verdict
from reviews.models.talk import LONGEST
from reviews.verdicts.sections import SECTIONS, Section, titles

from .discussion import name_given, words_given
from .review import page_of
from .verdicts import alone, authored
from .viewer import Desk, remember


@require_POST
def give(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Approve a section or request changes."""
    section = next((name for name in SECTIONS if name == request.POST.get("section")), None)
    if section is None or (section == "cost" and desk.hides.cost):
        raise Http404
    approves, text = request.POST.get("verdict") == "approve", words_given(request)
    name = name_given(request, desk) if desk.link else str(desk.person)
    mine = approves and desk.person is not None and authored(desk.design, desk.person, section, upto=desk.number)
    problem = _problem(request, desk, section, approves=approves, text=text, name=name)
    if problem is None and mine and not alone(desk):
        words = N_("You changed this section in revision {number}. Another person must approve it.")
        problem = Text(words, {"number": mine})
    if problem is not None:
        wrong = {"wrong": {section: problem}, "typed": text, "typed_name": name}
        return page(request, "reviews/review/review.html", {**page_of(desk), **wrong}, status=422)
    _store(request, desk, section, approves=approves, text=text, name=name, own=bool(mine))
    asked = f"?revision={desk.number}" if not desk.link and desk.newer else ""
    return redirect(f"{desk.home}{asked}#{section}")


def _problem(
    request: HttpRequest, desk: Desk, section: Section, *, approves: bool, text: str, name: str
) -> Text | None:
    if not approves and request.POST.get("verdict") != "changes":
        return Text(N_("Approve the section or request changes."))
    if not approves and not text:
        return Text(N_("Enter the changes that you request."))
    if len(text) > LONGEST:
        return Text(N_("A comment can have at most {most} characters."), {"most": LONGEST})
    if not name:
        return Text(N_("Enter your name."))
    if request.POST.get("hash", "") != desk.marks[section]:
        return Text(N_("This section was changed while you were viewing it. Review it again, then give your verdict."))
    return None


def _store(
    request: HttpRequest, desk: Desk, section: Section, *, approves: bool, text: str, name: str, own: bool
) -> None:
    if desk.link:
        remember(request, desk.link, name=name)
    desk.design.keep(desk.number)
    Verdict.objects.create(
        design=desk.design, section=section, approves=approves, text=text, hash=desk.hashes[section],
        number=desk.number, sha256=desk.sha256, person=desk.person, link=desk.link, name=name,
        visitor=desk.link is not None, own=own,
    )  # fmt: skip
    what = "approved" if approves else "changes"
    Mail.objects.tell(
        desk.design, what, who=name, by=desk.person, link=desk.link, section=titles(desk.full.engine)[section]
    )
