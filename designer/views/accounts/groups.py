"""Groups at the provider of single sign-on → roles in teams, at every sign-in there.

A team that the setting names is the provider's: whoever is in none of its groups any more leaves it.
"""

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.db import transaction
from django.http import HttpRequest

from designer.models import LastOwnerError, Person, Team
from designer.permissions import ROLES, Role
from designer.views.audit import Kind, record


def groups_in(claims: Mapping[str, Any]) -> frozenset[str]:
    """Return the groups that the provider names; none if it names none."""
    assert settings.OIDC is not None
    raw_groups: object = None
    # Providers differ in where they put groups: some in the ID token only, some in the userinfo endpoint's answer only.
    for part in ("userinfo", "id_token"):
        claim_set = claims.get(part)
        raw_groups = raw_groups or (
            claim_set.get(settings.OIDC.groups_claim) if isinstance(claim_set, Mapping) else None
        )
    # A person in one group may have it as a text in place of a list.
    group_names = [raw_groups] if isinstance(raw_groups, str) else raw_groups if isinstance(raw_groups, list) else []
    return frozenset(group for group in group_names if isinstance(group, str))


def roles_of(groups: frozenset[str]) -> dict[int, Role | None]:
    """Return for each team that the setting names the largest role that these groups give; None is no role."""
    assert settings.OIDC is not None
    roles: dict[int, Role | None] = {}
    for group, team, role in settings.OIDC.groups:
        candidates = [candidate for candidate in (roles.get(team), role if group in groups else None) if candidate]
        roles[team] = min(candidates, key=ROLES.index, default=None)
    return roles


def apply_groups(request: HttpRequest, person: Person, groups: frozenset[str]) -> None:
    """Give somebody the roles of their groups, and take what they do not give; the last owner stays."""
    for team in Team.objects.filter(pk__in=(roles := roles_of(groups))).order_by("pk"):
        role, before = roles[team.pk], person.role_in(team.pk)
        if role == before:
            continue
        try:
            # One transaction for each team: a team that must keep its last owner does not undo what changed in others.
            with transaction.atomic():
                _change(request, team, person, before, role)
        except LastOwnerError:
            continue


def _change(request: HttpRequest, team: Team, person: Person, before: Role | None, role: Role | None) -> None:
    if role is None:
        team.remove(person)
        record(request, "member_removed", f"{person.email} (single sign-on)", team=team, person=person.email)
        return
    team.add(person, role)
    kind: Kind = "role_changed" if before else "member_joined"
    record(request, kind, f"{person.email}: {role} (single sign-on)", team=team, person=person.email)
