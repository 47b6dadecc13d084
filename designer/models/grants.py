"""Access that a member gives to others in a team, and that ends with the role that allows it.

Invitations, API tokens and review links are such: the manager of each is a `Grants`, by which a team finds them all.
"""

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, TypeVar

from django.apps import apps
from django.db import models
from django.db.models import Count, Exists, OuterRef

from designer.permissions import ROLES, Action, Role, is_allowed

M = TypeVar("M", bound=models.Model)


class Grants(models.Manager[M]):
    """Finds what members made, and ends it when their role does not allow it any more."""

    action: ClassVar[Action]
    """A role has to allow this."""
    team_field: ClassVar[str] = "team"
    maker_field: ClassVar[str] = "by"

    def current(self) -> models.QuerySet[M]:
        """Return what was neither withdrawn nor ended by itself."""
        raise NotImplementedError

    def valid(self) -> models.QuerySet[M]:
        """Return of the current ones those whose maker is still there, in a role that allows them."""
        roles = [role for role in ROLES if is_allowed(role, self.action)]
        members = apps.get_model("designer", "Membership")._base_manager.filter(
            team=OuterRef(self.team_field), person=OuterRef(self.maker_field), person__is_active=True, role__in=roles
        )
        return self.current().filter(Exists(members))

    def of(self, person: Any, team: Any) -> models.QuerySet[M]:
        """Return the current ones of a person in a team."""
        return self.current().filter(**{self.maker_field: person, self.team_field: team})

    def counts(self, team: Any) -> Mapping[int, int]:
        """Return how many current ones each person has in a team."""
        rows = self.current().filter(**{self.team_field: team}).order_by()
        return dict(rows.values_list(self.maker_field).annotate(Count("pk")))

    def withdraw(self, rows: models.QuerySet[M], *, by: Any) -> None:
        """End these at once and for good."""
        raise NotImplementedError

    def count_text(self, count: int) -> str:
        """Return a number of them in words."""
        raise NotImplementedError


def all_grants() -> Iterator[Grants[Any]]:
    """Yield the manager of every kind."""
    for model in apps.get_models():
        if isinstance(model._default_manager, Grants):
            yield model._default_manager


def excess_grants(role: Role | None, person: Any, team: Any) -> Iterator[tuple[Grants[Any], models.QuerySet[Any]]]:
    """Yield what a person has in a team and this role does not allow; None is the role of who is no member."""
    for grants in all_grants():
        if not is_allowed(role, grants.action):
            yield grants, grants.of(person, team)
