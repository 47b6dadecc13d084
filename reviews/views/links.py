"""Review links of a design: the list, a new one with a preview of what it exposes, and an end to one."""

import datetime
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.contrib.auth.password_validation import MinimumLengthValidator
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from designer.document.texts import N_
from designer.http.pages import page
from designer.http.parameters import RequestParameters, form, query
from designer.models import Attempt, AttemptLimit, Design
from designer.views.access import current_person, design_for
from designer.views.accounts.limits import network_of
from designer.views.audit import record, record_refusal
from estimator.contexts import current_context
from estimator.presentation.design_page import analyze
from reviews.links.exclusions import Exclusions
from reviews.links.exposure import list_exposure
from reviews.models import Link, Thread, Verdict
from reviews.models.links import ENDS_AFTER_DAYS

from .viewer import link_not_found, make_private, password_page, write_session

ROLES = {"link_view": N_("read"), "link_comment": N_("comment and give verdicts")}
ENDS = {"7": N_("7 days"), "30": N_("30 days"), "90": N_("90 days"), "date": N_("on a date"), "never": N_("never")}
SHORTEST_PASSWORD = 8
MOST_ON_LINK, MOST_OF_ADDRESS = 10, 50
"""So many wrong passwords in a quarter of an hour from one network: for one link, for all links."""
MOST_OF_LINK, LINK_CLOSED = 20, datetime.timedelta(minutes=5)
"""So many from all networks together close a link, for so long at most: who guesses keeps others out for minutes."""


@dataclass(frozen=True)
class LinkOptions:
    """Values chosen for a new link, as submitted."""

    name: str = ""
    role: str = "link_comment"
    follows: bool = True
    number: int = 0
    compares: bool = True
    cost: bool = True
    samples: bool = True
    files: bool = True
    ends: str = str(ENDS_AFTER_DAYS)
    day: str = ""
    password: bool = False

    @property
    def hides(self) -> Exclusions:
        """Hidden contents of the new link."""
        return Exclusions(cost=not self.cost, samples=not self.samples)


def _read_options(given: RequestParameters, design: Design) -> LinkOptions:
    if not given.get("form"):
        return LinkOptions(number=design.number)
    return LinkOptions(
        name=given.line("name", most=100),
        role=given.choice("role", ROLES, "link_view"),
        follows=given.get("shows") == "latest",
        number=given.number("number") or 0,
        compares=given.get("compares") == "on",
        cost=given.get("cost") == "on",
        samples=given.get("samples") == "on",
        files=given.get("files") == "on",
        ends=given.choice("ends", ENDS, str(ENDS_AFTER_DAYS)),
        day=given.line("day", most=10),
        password=bool(given.get("password")),
    )


@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
def links(request: HttpRequest, key: str) -> HttpResponse:
    """Show the links and the form that creates one; the new address is displayed only once."""
    design = design_for(request, key, "share")
    chosen = _read_options(form(request) or query(request), design)
    if request.method != "POST" or "preview" in form(request):
        return _links_page(request, design, chosen)
    wrong = _form_errors(request, chosen, design)
    if wrong:
        return _links_page(request, design, chosen, status=422, wrong=wrong)
    with transaction.atomic():
        link, token = _create_link(request, design, chosen)
        record(request, "link_created", f"{design.key} {link.name} ({link.role})", team=design.team)
    address = request.build_absolute_uri(reverse("link", args=[token]))
    return _links_page(request, design, LinkOptions(number=design.number), made=link, address=address)


def _form_errors(request: HttpRequest, options: LinkOptions, design: Design) -> dict[str, str]:
    """Return the errors in the form by field."""
    wrong = {}
    if not options.name:
        wrong["name"] = gettext("Enter a name for the link to identify it in the list.")
    if not options.follows and not design.revisions.filter(number=options.number).exists():
        wrong["number"] = gettext("This revision does not exist.")
    if options.ends == "date" and not _parse_day(options.day):
        wrong["day"] = gettext("Choose a future date.")
    password = form(request).get("password", "")
    if password:
        try:
            MinimumLengthValidator(SHORTEST_PASSWORD).validate(password)
        except ValidationError as short:
            wrong["password"] = " ".join(short.messages)
    return wrong


def _parse_day(text: str) -> datetime.datetime | None:
    """Return the end of the day, or None for an invalid or past day."""
    try:
        day = datetime.date.fromisoformat(text)
        end = datetime.datetime.combine(day, datetime.time.max, datetime.UTC)
    except ValueError:
        return None
    return end if end > timezone.now() else None


def _link_end(options: LinkOptions) -> datetime.datetime | None:
    if options.ends == "never":
        return None
    if options.ends == "date":
        return _parse_day(options.day)
    return timezone.now() + datetime.timedelta(days=int(options.ends))


def _create_link(request: HttpRequest, design: Design, options: LinkOptions) -> tuple[Link, str]:
    pinned = None if options.follows else design.protect_revision(options.number)
    return Link.objects.start(
        design=design, name=options.name, role=options.role, password=form(request).get("password", ""),
        number=pinned.number if pinned else None, document=pinned.document if pinned else None,
        compares=options.compares, hides_cost=not options.cost, hides_samples=not options.samples,
        allows_files=options.files, made_by=current_person(request), ends=_link_end(options),
    )  # fmt: skip


def _links_page(
    request: HttpRequest, design: Design, options: LinkOptions, *, status: int = 200, **more: Any
) -> HttpResponse:
    every = list(Link.objects.filter(design=design).select_related("made_by", "revoked_by").order_by("-made", "-pk"))
    context = {
        "design": design, "may_edit": True, "chosen": options, "roles": ROLES, "ends": ENDS,
        "shortest": SHORTEST_PASSWORD,
        "open": [link for link in every if link.revoked is None and not link.has_expired],
        "ended": [link for link in every if link.revoked is not None or link.has_expired],
        "local": settings.KEYWRIGHT_MODE == "embedded", "address": "", **_exposure_context(design, options), **more,
    }  # fmt: skip
    return page(request, "reviews/links/links.html", context, status=status)


def _exposure_context(design: Design, options: LinkOptions) -> dict[str, Any]:
    """Return the contents that the link would show."""
    spec = design.spec
    if not options.follows:
        revision = design.revisions.select_related("document").filter(number=options.number).first()
        spec = revision.spec if revision else spec
    threads, verdicts = Thread.objects.filter(design=design), Verdict.objects.filter(design=design)
    if not options.follows and not options.compares:
        threads, verdicts = threads.filter(revision__lte=options.number), verdicts.filter(number__lte=options.number)
    # A new link that hides something shows no thread: those that exist were written where more was seen.
    thread_count, verdict_count = 0 if options.hides else threads.count(), verdicts.count()
    return {
        "exposed": list_exposure(
            spec,
            analyze(spec, current_context()),
            options.hides,
            allows_files=options.files,
            comment_threads=thread_count,
            verdict_count=verdict_count,
        ),
        "chosen": options,
    }


@require_safe
def preview(request: HttpRequest, key: str) -> HttpResponse:
    """Show the contents that a link with these options would expose, before it is created."""
    design = design_for(request, key, "share")
    chosen = _read_options(query(request), design)
    return render(request, "reviews/links/_exposed.html", {"design": design, **_exposure_context(design, chosen)})


@require_POST
def revoke(request: HttpRequest, key: str, link: int) -> HttpResponse:
    """End a link at once."""
    design = design_for(request, key, "share")
    row = Link.objects.filter(design=design, pk=link).first()
    if row is None:
        raise Http404
    with transaction.atomic():
        row.revoke(by=current_person(request))
        record(request, "link_revoked", f"{design.key} {row.name}", team=design.team)
    return redirect("links", key)


@sensitive_post_parameters("password")
@require_POST
def password(request: HttpRequest, token: str) -> HttpResponse:
    """Check a link's password from a visitor."""
    return make_private(_read_password(request, token))


def _read_password(request: HttpRequest, token: str) -> HttpResponse:
    link = Link.objects.find_valid(token)
    if link is None:
        return link_not_found(request)
    closed_minutes, is_right = try_password(request, link, form(request).get("password", ""))
    if closed_minutes:
        response = password_page(request, link, token, status=429, minutes=closed_minutes)
        response["Retry-After"] = f"{closed_minutes * 60}"
        return response
    if not is_right:
        return password_page(request, link, token, status=422, wrong=True)
    # Whoever knew the key of the session before must not be let in by somebody else's password.
    request.session.cycle_key()
    write_session(request, link, opened=link.session_proof)
    return redirect("link", token)


def try_password(request: HttpRequest, link: Link, given: str) -> tuple[int, bool]:
    """Return for how many minutes nobody may try, 0 if one may, and whether this is the link's password."""
    network = network_of(request)
    attempt = Attempt.objects.reserve(
        AttemptLimit(f"link {link.pk} from {network}", MOST_ON_LINK),
        AttemptLimit(f"link passwords from {network}", MOST_OF_ADDRESS),
        # A short closing: otherwise anybody who has the address could keep all of its readers out for good.
        AttemptLimit(f"link {link.pk}", MOST_OF_LINK, LINK_CLOSED),
    )
    # While it is closed, the password is not even looked at, right or wrong.
    is_right = not attempt.closed_minutes and link.is_password(given)
    subject = f"{link.design.key} {link.name}"
    if is_right:
        attempt.release()
    elif attempt.closed_minutes:
        record_refusal(request, "link_password_refused", subject, team=link.design.team)
    else:
        record(request, "link_password_failed", subject, team=link.design.team)
    return attempt.closed_minutes, is_right
