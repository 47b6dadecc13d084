"""Review links of a design: the list, a new one with a preview of what it exposes, and an end to one."""

import datetime
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.contrib.auth.password_validation import MinimumLengthValidator
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from designer.document.texts import N_
from designer.http.pages import page
from designer.models import Attempt, Design, Limit
from designer.views.access import design_for, person
from designer.views.accounts.account import network_of
from estimator.contexts import current_context
from estimator.presentation.design_page import answer
from reviews.links.exclusions import Hides
from reviews.links.exposure import exposed
from reviews.models import Link, Thread, Verdict
from reviews.models.links import ENDS_AFTER_DAYS

from .viewer import missed, password_page, private, remember

ROLES = {"link_view": N_("read"), "link_comment": N_("comment and give verdicts")}
ENDS = {"7": N_("7 days"), "30": N_("30 days"), "90": N_("90 days"), "date": N_("on a date"), "never": N_("never")}
SHORTEST_PASSWORD = 8
MOST_ON_LINK, MOST_OF_ADDRESS = 10, 50
"""So many wrong passwords in a quarter of an hour from one network: for one link, for all links."""
MOST_OF_LINK, LINK_CLOSED = 20, datetime.timedelta(minutes=5)
"""So many from all networks together close a link, for so long at most: who guesses keeps others out for minutes."""


@dataclass(frozen=True)
class Chosen:
    """Values chosen for a new link, as submitted."""

    name: str = ""
    role: str = "link_comment"
    follows: bool = True
    number: int = 0
    compares: bool = True
    cost: bool = True
    samples: bool = True
    ends: str = str(ENDS_AFTER_DAYS)
    day: str = ""
    password: bool = False

    @property
    def hides(self) -> Hides:
        """Hidden contents of the new link."""
        return Hides(cost=not self.cost, samples=not self.samples)


def _chosen(given: Any, design: Design) -> Chosen:
    if not given.get("form"):
        return Chosen(number=design.number)
    number = given.get("number", "")
    role = given.get("role", "")
    return Chosen(
        name=" ".join(given.get("name", "").replace("\0", "").split())[:100],
        role=role if role in ROLES else "link_view",
        follows=given.get("shows") == "latest",
        number=int(number) if number.isdigit() and len(number) < 10 else 0,
        compares=given.get("compares") == "on",
        cost=given.get("cost") == "on",
        samples=given.get("samples") == "on",
        ends=given.get("ends", "") if given.get("ends", "") in ENDS else str(ENDS_AFTER_DAYS),
        day=given.get("day", "")[:10],
        password=bool(given.get("password", "")),
    )


@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
def links(request: HttpRequest, key: str) -> HttpResponse:
    """Show the links and the form that creates one; the new address is displayed only once."""
    design = design_for(request, key, "share")
    chosen = _chosen(request.POST or request.GET, design)
    if request.method != "POST" or "preview" in request.POST:
        return _shown(request, design, chosen)
    wrong = _wrong(request, chosen, design)
    if wrong:
        return _shown(request, design, chosen, status=422, wrong=wrong)
    made, token = _made(request, design, chosen)
    address = request.build_absolute_uri(reverse("link", args=[token]))
    return _shown(request, design, Chosen(number=design.number), made=made, address=address)


def _wrong(request: HttpRequest, chosen: Chosen, design: Design) -> dict[str, str]:
    """Return the errors in the form by field."""
    wrong = {}
    if not chosen.name:
        wrong["name"] = gettext("Enter a name for the link to identify it in the list.")
    if not chosen.follows and not design.revisions.filter(number=chosen.number).exists():
        wrong["number"] = gettext("This revision does not exist.")
    if chosen.ends == "date" and not _day(chosen.day):
        wrong["day"] = gettext("Choose a future date.")
    password = request.POST.get("password", "")
    if password:
        try:
            MinimumLengthValidator(SHORTEST_PASSWORD).validate(password)
        except ValidationError as short:
            wrong["password"] = " ".join(short.messages)
    return wrong


def _day(text: str) -> datetime.datetime | None:
    """Return the end of the day, or None for an invalid or past day."""
    try:
        day = datetime.date.fromisoformat(text)
        end = datetime.datetime.combine(day, datetime.time.max, datetime.UTC)
    except ValueError:
        return None
    return end if end > timezone.now() else None


def _ends(chosen: Chosen) -> datetime.datetime | None:
    if chosen.ends == "never":
        return None
    if chosen.ends == "date":
        return _day(chosen.day)
    return timezone.now() + datetime.timedelta(days=int(chosen.ends))


def _made(request: HttpRequest, design: Design, chosen: Chosen) -> tuple[Link, str]:
    pinned = None if chosen.follows else design.keep(chosen.number)
    return Link.objects.start(
        design=design, name=chosen.name, role=chosen.role, password=request.POST.get("password", ""),
        number=pinned.number if pinned else None, document=pinned.document if pinned else None,
        compares=chosen.compares, hides_cost=not chosen.cost, hides_samples=not chosen.samples,
        made_by=person(request), ends=_ends(chosen),
    )  # fmt: skip


def _shown(request: HttpRequest, design: Design, chosen: Chosen, *, status: int = 200, **more: Any) -> HttpResponse:
    every = list(Link.objects.filter(design=design).select_related("made_by", "revoked_by").order_by("-made", "-pk"))
    context = {
        "design": design, "chosen": chosen, "roles": ROLES, "ends": ENDS, "shortest": SHORTEST_PASSWORD,
        "open": [link for link in every if link.revoked is None and not link.over],
        "ended": [link for link in every if link.revoked is not None or link.over],
        "local": settings.KEYWRIGHT_MODE == "embedded", **_exposed(design, chosen), **more,
    }  # fmt: skip
    return page(request, "reviews/links/links.html", context, status=status)


def _exposed(design: Design, chosen: Chosen) -> dict[str, Any]:
    """Return the contents that the link would show."""
    spec = design.spec
    if not chosen.follows:
        found = design.revisions.select_related("document").filter(number=chosen.number).first()
        spec = found.spec if found else spec
    threads, verdicts = Thread.objects.filter(design=design), Verdict.objects.filter(design=design)
    if not chosen.follows and not chosen.compares:
        threads, verdicts = threads.filter(revision__lte=chosen.number), verdicts.filter(number__lte=chosen.number)
    said, judged = 0 if chosen.hides else threads.count(), verdicts.count()
    return {
        "exposed": exposed(spec, answer(spec, current_context()), chosen.hides, said=said, judged=judged),
        "chosen": chosen,
    }


@require_safe
def preview(request: HttpRequest, key: str) -> HttpResponse:
    """Show the contents that a link with these options would expose, before it is created."""
    design = design_for(request, key, "share")
    chosen = _chosen(request.GET, design)
    return render(request, "reviews/links/_exposed.html", {"design": design, **_exposed(design, chosen)})


@require_POST
def revoke(request: HttpRequest, key: str, link: int) -> HttpResponse:
    """End a link at once."""
    design = design_for(request, key, "share")
    found = Link.objects.filter(design=design, pk=link).first()
    if found is None:
        raise Http404
    found.revoke(by=person(request))
    return redirect("links", key)


@sensitive_post_parameters("password")
@require_POST
def password(request: HttpRequest, token: str) -> HttpResponse:
    """Check a link's password from a visitor."""
    return private(_given(request, token))


def _given(request: HttpRequest, token: str) -> HttpResponse:
    link = Link.objects.open(token)
    if link is None:
        return missed(request)
    network = network_of(request)
    attempt = Attempt.objects.reserve(
        Limit(f"link {link.pk} from {network}", MOST_ON_LINK),
        Limit(f"link passwords from {network}", MOST_OF_ADDRESS),
        Limit(f"link {link.pk}", MOST_OF_LINK, LINK_CLOSED),
    )
    if minutes := attempt.minutes_closed:
        response = password_page(request, link, token, status=429, minutes=minutes)
        response["Retry-After"] = f"{minutes * 60}"
        return response
    if not link.unlocks(request.POST.get("password", "")):
        return password_page(request, link, token, status=422, wrong=True)
    attempt.release()
    request.session.cycle_key()
    remember(request, link, opened=link.opened)
    return redirect("link", token)
