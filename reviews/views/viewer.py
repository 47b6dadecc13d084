"""Viewer of a design's content and the viewer's role: a member, or a visitor with a link.

A view of a review takes a Desk. `for_members` and `for_visitors` build it from an address; it leaves out
everything that its link hides.
"""

import datetime
import functools
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.views.decorators.cache import never_cache

from designer.document import Spec
from designer.document.texts import N_, Text
from designer.http.errors import DesignError, error_response
from designer.http.pages import page
from designer.http.parameters import query
from designer.http.shares import charge
from designer.models import Attempt, AttemptLimit, Design, Person
from designer.permissions import Action, LinkRole, Role, TokenRole, is_allowed
from designer.views.access import PermissionDeniedError, current_person, design_for
from designer.views.accounts.limits import network_of
from estimator.contexts import current_context
from estimator.estimates.context import Context
from estimator.presentation.design_page import DesignAnalysis, DesignPage, analyze, kept_page
from reviews.links.exclusions import Exclusions
from reviews.links.redaction import page_without
from reviews.models import Link, Verdict
from reviews.verdicts.sections import Section, hashes

SESSION = "reviews"
"""What a visitor's browser may remember, by link: the name given, that the password was right, the last visit."""
MOST_MISSES = 50
"""So many addresses of links that do not exist may be tried from one network in a quarter of an hour."""


@dataclass(frozen=True)
class Viewer:
    """One content of a design as one person sees it."""

    design: Design
    number: int
    """The revision that is shown."""
    sha256: str
    full_spec: Spec
    """With everything; what is shown is `page.spec`."""
    role: Role | LinkRole | TokenRole
    token: str = ""
    link: Link | None = None
    person: Person | None = None
    name: str = ""
    """Of the visitor, once given."""
    is_program: bool = False
    """Whether a program asks, with an API token that the person made."""

    @cached_property
    def context(self) -> Context:
        """Context of everything that is computed here, besides the document."""
        return current_context()

    @cached_property
    def analysis(self) -> DesignAnalysis:
        """All that is computed, with everything."""
        return analyze(self.full_spec, self.context)

    @cached_property
    def page(self) -> DesignPage:
        """Visible contents."""
        return page_without(self.full_spec, self.analysis, self.hides, self.context)

    @cached_property
    def hashes(self) -> dict[Section, str]:
        """The hash of each section of what is shown, whole."""
        whole = kept_page(self.full_spec, self.analysis, self.context) if self.hides else self.page
        return whole.derive("hashes of sections", lambda: dict(hashes(self.full_spec, self.analysis.estimate)))

    @cached_property
    def marks(self) -> dict[Section, str]:
        """Keyed hashes for forms, which identify the displayed content of each section.

        A viewer of a section with a hidden price could otherwise find the price by comparing possible prices with
        the section's plain hash.
        """
        hashes = self.hashes.items()
        return {
            name: salted_hmac("reviews.section", section_hash, algorithm="sha256").hexdigest()
            for name, section_hash in hashes
        }

    @property
    def hides(self) -> Exclusions:
        """Hidden contents."""
        return self.link.hides if self.link else Exclusions()

    @property
    def base(self) -> str:
        """Below which charts and heatmaps of this content stand."""
        return self.home if self.link else reverse("content", args=[self.design.key, self.sha256])

    @property
    def home(self) -> str:
        """The address of the review, below which everything to do there stands."""
        return reverse("link", args=[self.token]) if self.link else reverse("review", args=[self.design.key])

    @property
    def rules(self) -> str:
        """The address below which the pages of rules stand: visitors of a link have no account for the site's."""
        return f"{self.home}rules/" if self.link else reverse("rules")

    @property
    def newer_count(self) -> int:
        """Number of revisions after the displayed one."""
        return self.design.number - self.number

    @property
    def last_visible_number(self) -> int | None:
        """The revision that is shown, where a link tells nothing of later ones; else None."""
        pinned = self.link is not None and self.link.number is not None and not self.link.compares
        return self.number if pinned else None

    def comparison(self, number: int) -> str:
        """Return the address of the changes from another revision to the displayed one.

        Return "" if the viewer may not see them.
        """
        if self.link is None:
            return reverse("comparison", args=[self.design.key, number, self.number])
        may = self.can_compare(number, self.number)
        return reverse("link_comparison", args=[self.token, number, self.number]) if may else ""

    @property
    def changes_since(self) -> str:
        """The address of what newer revisions changed; empty where there are none or it is not told."""
        if not self.newer_count:
            return ""
        if self.link is None:
            return reverse("comparison", args=[self.design.key, self.number, "now"])
        newest = self.design.number
        may = self.can_compare(self.number, newest)
        return reverse("link_comparison", args=[self.token, self.number, newest]) if may else ""

    def can_compare(self, before: int, after: int) -> bool:
        """Return whether a visitor may see the changes between two revisions.

        They may be from a pinned revision to the newest, if the link allows it, or to the displayed revision from
        one on which a verdict was given through this link.
        """
        assert self.link is not None
        # Only these two pairs: any other comparison would show a revision that the link does not.
        if (before, after) == (self.link.number, self.design.number):
            return self.link.compares
        return after == self.number and before in self._revisions_with_verdict

    @cached_property
    def _revisions_with_verdict(self) -> frozenset[int]:
        """Revisions on which verdicts came by this link."""
        return frozenset(Verdict.objects.filter(link=self.link).values_list("number", flat=True))

    def can(self, action: Action) -> bool:
        """Return whether the viewer may perform the action."""
        return is_allowed(self.role, action)


def member(request: HttpRequest, key: str, action: Action = "view") -> Viewer:
    """Build a member's review page: the newest revision, or the requested one (`?revision=`)."""
    design = design_for(request, key, action)
    me = current_person(request)
    role = me.role_in(design.team_id)
    assert role is not None
    parameters = query(request)
    number = parameters.number("revision") or 0 if parameters.get("revision") else design.number
    return member_at(design, number, role=role, person=me)


def member_at(
    design: Design, number: int, *, role: Role | TokenRole, person: Person, is_program: bool = False
) -> Viewer:
    """Build what a member, or a program in a member's name, sees of one revision of a design.

    Raises
    ------
    Http404
        If there is no such revision.
    """
    if number == design.number:
        sha256, spec = design.head_id, design.spec
    else:
        revision = design.revisions.select_related("document").filter(number=number).first()
        if revision is None:
            raise Http404
        sha256, spec = revision.document_id, revision.spec
    return Viewer(design, number, sha256, spec, role, person=person, is_program=is_program)


class LinkLockedError(Exception):
    """The link asks for its password first."""

    def __init__(self, link: Link) -> None:
        self.link = link


def visitor(request: HttpRequest, token: str) -> Viewer:
    """Build the review page of a visitor with a link.

    Raises
    ------
    Http404
        If the token opens nothing.
    LinkLockedError
        If the link has a password that was not given yet.
    """
    link = Link.objects.find_valid(token)
    if link is None:
        raise Http404
    # The proof changes with the password, so whoever knew an earlier one is asked again.
    if link.password and read_session(request, link).get("opened") != link.session_proof:
        charge("link", link.pk)
        raise LinkLockedError(link)
    return visitor_with_link(request, link, token)


def visitor_with_link(request: HttpRequest, link: Link, token: str) -> Viewer:
    """Build what a visitor sees who may use the link."""
    charge("link", link.pk)
    design, document, number = link.design, link.document or link.design.head, link.number or link.design.number
    name = str(read_session(request, link).get("name", ""))
    return Viewer(
        design, number, document.sha256, document.spec, link.permission_role, token=token, link=link, name=name
    )


def read_session(request: HttpRequest, link: Link) -> dict[str, Any]:
    """Return the session data of a link in this browser."""
    session_data: dict[str, Any] = request.session.get(SESSION, {}).get(str(link.pk), {})
    return session_data


def write_session(request: HttpRequest, link: Link, **more: Any) -> None:
    """Have this browser remember something of a link."""
    session_data = request.session.get(SESSION, {})
    # Assigned anew: Django saves a session whose top level is assigned to, not one whose dictionaries changed inside.
    request.session[SESSION] = {**session_data, str(link.pk): {**session_data.get(str(link.pk), {}), **more}}


def record_visit(request: HttpRequest, link: Link) -> None:
    """Count a visit, unless the same browser was here a moment ago."""
    last = read_session(request, link).get("seen", "")
    moment = link.record_visit(datetime.datetime.fromisoformat(last) if last else None)
    write_session(request, link, seen=moment.isoformat())


View = Callable[..., HttpResponse]


def for_members(view: View, action: Action = "view", post: Action = "comment") -> View:
    """Build the view at a design's own address; posting requires a permission of its own."""

    @functools.wraps(view)
    def at_design(request: HttpRequest, key: str, **more: Any) -> HttpResponse:
        return view(request, member(request, key, post if request.method == "POST" else action), **more)

    return never_cache(at_design)


def for_visitors(view: View) -> View:
    """Build the view at a link's address.

    It needs no sign-in, and reveals nothing to other sites or to search engines.
    """

    @functools.wraps(view)
    def at_link(request: HttpRequest, token: str, **more: Any) -> HttpResponse:
        return _keep_input(request, make_private(answer(request, token, **more)))

    def answer(request: HttpRequest, token: str, **more: Any) -> HttpResponse:
        try:
            desk = visitor(request, token)
        except Http404:
            return link_not_found(request)
        except LinkLockedError as locked:
            return password_page(request, locked.link, token)
        try:
            if request.method == "POST" and not desk.can("comment"):
                raise PermissionDeniedError(N_("This link is read-only."))
            return view(request, desk, **more)
        except Http404:
            return _not_found_response(request)
        except DesignError as error:  # what the middleware would answer, without these headers
            return error_response(request, error)

    return login_not_required(never_cache(at_link))


def link_not_found(request: HttpRequest) -> HttpResponse:
    """Answer that nothing is there; who tries too often waits, which says nothing of any link either."""
    # A token of 256 random bits cannot be guessed; this keeps those who try from costing a query each time.
    attempt = Attempt.objects.reserve(AttemptLimit(f"link from {network_of(request)}", MOST_MISSES))
    if minutes := attempt.closed_minutes:
        response = page(request, "404.html", {"minutes": minutes}, status=429)
        response["Retry-After"] = f"{minutes * 60}"
        return response
    return _not_found_response(request)


def _not_found_response(request: HttpRequest) -> HttpResponse:
    """Answer that nothing is there: with a page, or what a page that is open says beside what was asked of it."""
    words = Text(N_("This page no longer exists."))
    return page(request, "404.html", {"error": words}, part="_error.html", status=404)


def _keep_input(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Insert an error message above the content when the response does not contain the form."""
    if request.method == "POST" and response.status_code in (404, 409):
        # The form with what was typed stays on the page, and the sentence goes above it.
        response["HX-Reswap"] = "afterbegin"
    return response


def password_page(request: HttpRequest, link: Link, token: str, *, status: int = 200, **more: Any) -> HttpResponse:
    """Asks for the link's password; says nothing about the design."""
    if request.htmx and not more:  # type: ignore[attr-defined]  # a page that is open, after its session
        words = N_(
            "This link requires its password again. Open the link in another tab, enter the password, then "
            "continue here."
        )
        return page(request, "error.html", {"error": Text(words)}, part="_error.html", status=409)
    # The link's own address answers 200, as mail programs and chats that look at it should not call it broken.
    if request.method != "POST" and request.resolver_match and request.resolver_match.url_name != "link":
        status = 403
    address = reverse("link_password", args=[token])
    return page(request, "reviews/viewer/password.html", {"address": address, **more}, status=status)


def make_private(response: HttpResponse) -> HttpResponse:
    """Keep search engines out, and the address, which is the secret, from other sites.

    Nor does a refusal write it into the log. Where a page of ours posts, the browser must say where from, or the form
    is refused as foreign: `reviews/viewer/_private.html` allows that by a meta element, for our own site alone.
    """
    # Errors of ours are still logged; their lines pass the filter that masks such addresses.
    if response.status_code < 500:
        response._has_been_logged = True  # type: ignore[attr-defined]  # Django logs addresses of what is refused
    response["X-Robots-Tag"] = "noindex, nofollow, noarchive"
    response["Referrer-Policy"] = "no-referrer"
    return response


def today() -> datetime.date:
    """Return the current date, for expiry and due dates."""
    return timezone.now().date()


__all__ = [
    "Viewer",
    "for_members",
    "for_visitors",
    "link_not_found",
    "make_private",
    "member",
    "member_at",
    "password_page",
    "read_session",
    "record_visit",
    "today",
    "visitor",
    "visitor_with_link",
    "write_session",
]  # fmt: skip
