"""The start page: designs by name, team and state, and the gallery. What is computed comes from its own addresses."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, QueryDict
from django.urls import reverse
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from designer.examples import GROUPS, examples
from designer.http.pages import page
from designer.http.parameters import query
from designer.models import Design, Person, Team
from designer.models.designs import KEPT_AFTER_DELETION
from designer.permissions import Role, is_allowed
from designer.templatetags.kept_tags import render_once
from designer.wording import key_chips, key_of

from ..access import current_person
from .sentences import example_sentences, sentences_context

PAGE_SIZE = 20
STATES = ("", "archived", "deleted")
ASKED = ("q", "team", "show", "page")
"""What an address of the start page may say."""


@dataclass(frozen=True)
class DesignRow:
    """One design of the list, and whether the one who asks may keep it (copy within the team, archive, delete)."""

    design: Design
    can_manage: bool


@require_safe
def start(request: HttpRequest) -> HttpResponse:
    """Show the start page."""
    return start_page(request)


def start_page(request: HttpRequest, *, status: int = 200, **more: Any) -> HttpResponse:
    """Return the start page for its query; `more` is input that could not be used."""
    me, parameters = current_person(request), query(request)
    roles = _roles(me)
    keeps = [team for team, role in roles.values() if is_allowed(role, "keep")]
    one_team = next((team for team, _ in roles.values() if str(team.pk) == parameters.get("team")), None)
    state, words = parameters.choice("show", STATES, ""), parameters.line("q")
    designs = _find_designs(state, roles)
    if words:
        designs = designs.filter(title__icontains=words)
    if one_team:
        designs = designs.filter(team=one_team)
    listing = Paginator(designs, PAGE_SIZE).get_page(parameters.number("page"))
    context = {
        "lines": [DesignRow(design, is_allowed(roles[design.team_id][1], "keep")) for design in listing],
        "listed": listing,
        "asked": words, "state": state, "team": one_team, "teams": keeps,
        "all_teams": [team for team, _ in roles.values()], "here": address_of(parameters),
        **_page_addresses(parameters, listing),
        # Nothing found by a search is told otherwise than a site without designs.
        "any": bool(listing) or Design.objects.filter(team__in=roles).exists(), "kept_days": KEPT_AFTER_DELETION.days,
        "undo": _find_deleted(me, parameters.line("deleted", most=12)), "gallery": _gallery(may_copy=bool(keeps)),
        **sentences_context(example_sentences()),
    }  # fmt: skip
    return page(
        request, "designer/start/start.html", context | more, part="designer/start/_results.html", status=status
    )


def _roles(me: Person) -> dict[int, tuple[Team, Role]]:
    """One's teams and one's role in each, those of longest standing first."""
    members = me.memberships.select_related("team").order_by("since", "pk")
    return {member.team_id: (member.team, cast(Role, member.role)) for member in members}


def _find_designs(state: str, roles: dict[int, tuple[Team, Role]]) -> QuerySet[Design]:
    """One's designs in this state; what was deleted is shown to those who may bring it back."""
    related = ("team", "edited_by", "variant_of")
    if state == "deleted":
        keeps = [team for team, (_, role) in roles.items() if is_allowed(role, "keep")]
        gone = Design.objects.filter(team__in=keeps, deleted__isnull=False)
        return gone.select_related(*related).order_by("-deleted", "pk")
    # By the teams that are read already: a join with memberships costs more with thousands of designs (decision 88).
    there = Design.objects.filter(team__in=roles, deleted=None, archived__isnull=state != "archived")
    return there.select_related(*related).order_by("-edited", "pk")


def address_of(asked: Mapping[str, str], **other: object) -> str:
    """Return the start page's address with the current query, changed in the given parts.

    Unknown parameters are dropped.
    """
    address = QueryDict(mutable=True)
    for name in ASKED:
        if value := str(other.get(name, asked.get(name, ""))):
            address[name] = value
    return f"{reverse('start')}?{address.urlencode()}".removesuffix("?")


def _page_addresses(asked: Mapping[str, str], designs: "Page[Design]") -> dict[str, str]:
    """Return the addresses of the previous and next pages, and of the list of each state."""
    addresses = {f"to_{state or 'mine'}": address_of(asked, show=state, page="") for state in STATES}
    if designs.has_previous():
        addresses["before"] = address_of(asked, page=designs.previous_page_number())
    if designs.has_next():
        addresses["after"] = address_of(asked, page=designs.next_page_number())
    return addresses


def _find_deleted(me: Person, key: str) -> Design | None:
    """Return the design that was just deleted, for an undo link."""
    gone = Design.objects.filter(team__members__person=me, key=key, deleted__isnull=False)
    return gone.first() if key else None


def _gallery(*, may_copy: bool) -> SafeString:
    """Return the examples, each with what opens a copy of it."""
    return render_once("designer/start/_gallery.html", {"groups": _examples_by_group, "may_copy": may_copy}, may_copy)


def _examples_by_group() -> list[tuple[str, list[tuple[Any, ...]]]]:
    """Return examples by group, each with its first key as text and as chips, and the number of its other keys."""
    cards = []
    for example in examples():
        kinds = [kind for _, kind in example.spec.row_kinds()]
        chips = key_chips(example.spec, kinds[0].segments)
        cards.append((example, key_of(example.spec, kinds[0]), chips, len(kinds) - 1))
    return [(name, [card for card in cards if card[0].group == name]) for name in GROUPS]
