"""People, teams and who may do what in them; sign-in is Django's own."""

import datetime
import hashlib
import secrets
import unicodedata
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, ClassVar, cast

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.db import connection, models, transaction
from django.utils import timezone
from django.utils.translation import gettext, ngettext

from designer.document.texts import N_
from designer.http.errors import DesignError
from designer.permissions import ROLES, Role

from .grants import Grants, all_grants, excess_grants

INVITATION_DAYS = 14
LOCAL_EMAIL = "you@localhost"
"""Of the one person of the embedded mode; nobody signs in with it."""
LONGEST_EMAIL = 254
"""Characters of an address that mail can be sent to (RFC 5321)."""


class LastOwnerError(DesignError):
    """A team always has an owner."""

    status = 409


def normal_email(text: str) -> str:
    """Return an e-mail address as it is stored: without spaces around it, in small letters, each in its plain form.

    A longer text is nobody's address and stays as it is: many accents on one letter take time by their square.
    """
    if len(text.strip()) > LONGEST_EMAIL:
        return text
    return unicodedata.normalize("NFKC", text).strip().lower()


class People(BaseUserManager["Person"]):
    """Makes and finds people by their e-mail address, however it is spelled."""

    def get_by_natural_key(self, username: str | None) -> "Person":
        return self.get(email=normal_email(username or ""))

    def by_email(self, email: str) -> "Person | None":
        """Return the person with this address."""
        return self.filter(email=normal_email(email)).first()

    def create_user(self, email: str, password: str | None = None, **more: Any) -> "Person":
        """Create a person who signs in with this address; without a password, only after a reset."""
        person = self.model(email=normal_email(email), **more)
        person.set_password(password)
        person.save(using=self._db)
        return person

    def get_or_create_local(self) -> "Person":
        """Return the only person of the embedded mode, and create that person with a team if missing."""
        person = self.filter(email=LOCAL_EMAIL).first()
        if person is None:
            with transaction.atomic():
                # Windows of a first start ask at the same time; only the one that made the person makes the team. "!"
                # marks a password that never fits.
                person, is_new = self.get_or_create(email=LOCAL_EMAIL, defaults={"password": "!"})
                if is_new:
                    Team.objects.create(name="").add(person, "owner")
        return person


class Person(AbstractBaseUser):
    """Somebody who signs in, known by e-mail address."""

    email = models.EmailField(unique=True)
    name = models.CharField(max_length=100, blank=True)
    language = models.CharField(max_length=8, blank=True)
    """Chosen by the switch; empty: as the browser asks."""
    is_active = models.BooleanField(default=True)
    joined = models.DateTimeField(default=timezone.now)

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    objects: ClassVar[People] = People()

    confirmed_roles: Mapping[int, Role] = MappingProxyType({})
    """By team, where they were confirmed a moment ago and need not be looked up."""

    def __str__(self) -> str:
        return self.name or (gettext("you") if self.is_local else self.email.partition("@")[0])

    @property
    def is_local(self) -> bool:
        """The one person of the embedded mode, who has no other address and no password."""
        return self.email == LOCAL_EMAIL

    def role_in(self, team_id: int) -> Role | None:
        """Their role in a team; None for a stranger."""
        if team_id in self.confirmed_roles:
            return self.confirmed_roles[team_id]
        with connection.cursor() as cursor:
            cursor.execute(_role_query(connection.vendor), [team_id, self.pk])
            row = cursor.fetchone()
        return cast(Role, row[0]) if row else None


class Team(models.Model):
    """People who share designs."""

    name = models.CharField(max_length=100, blank=True)
    created = models.DateTimeField(default=timezone.now)
    second_factor_required = models.BooleanField(default=False)
    """Whether its members see nothing of it, and their API tokens do nothing, until they have a second factor."""
    people = models.ManyToManyField(Person, through="Membership", related_name="teams")

    def __str__(self) -> str:
        return self.name

    def add(self, person: Person, role: Role, *, by: Person | None = None) -> "Membership":
        """Make somebody a member, or give a member another role; what that does not allow is withdrawn."""
        with transaction.atomic():
            if role != "owner":
                self.ensure_other_owner(person)
            member, _ = Membership.objects.update_or_create(team=self, person=person, defaults={"role": role})
            # In the same transaction: a role must not end while what it allowed goes on.
            self._withdraw(person, role, by)
        return member

    def change_role(self, person: Person, role: Role, *, by: Person | None = None) -> bool:
        """Give a member another role; False, and nothing is changed, if they left meanwhile."""
        with transaction.atomic():
            self._lock()
            # Looked at under the lock; `add` would bring back somebody who was removed a moment ago.
            if not self.members.filter(person=person).exists():
                return False
            self.add(person, role, by=by)
        return True

    def remove(self, person: Person, *, by: Person | None = None) -> None:
        """Take somebody out of the team, with the access that they gave; the last owner cannot leave."""
        with transaction.atomic():
            self.ensure_other_owner(person)
            Membership.objects.filter(team=self, person=person).delete()
            self._withdraw(person, None, by)

    def _withdraw(self, person: Person, role: Role | None, by: Person | None) -> None:
        for grants, rows in excess_grants(role, person, self):
            grants.withdraw(rows, by=by)

    def withdrawal_texts(self, person: Person, role: Role | None) -> list[str]:
        """Return in words what of a person's would be withdrawn with this role; None is after their removal."""
        counts = ((grants, rows.count()) for grants, rows in excess_grants(role, person, self))
        return [grants.count_text(count) for grants, count in counts if count]

    def grant_texts(self) -> dict[int, list[str]]:
        """Return in words what each person, by id, has here that ends with their role."""
        texts: dict[int, list[str]] = {}
        for grants in all_grants():
            for pk, count in grants.counts(self).items():
                texts.setdefault(pk, []).append(grants.count_text(count))
        return texts

    def ensure_other_owner(self, person: Person) -> None:
        """Have anybody else who takes an owner away wait, and see to it that one is left.

        Raises
        ------
        LastOwnerError
            If this person is the only one.
        """
        self._lock()
        # Read after the lock: two owners who leave at the same time would each see the other still there.
        owners = set(Membership.objects.filter(team=self, role="owner").values_list("person_id", flat=True))
        if owners == {person.pk}:
            raise LastOwnerError(N_("A team needs an owner: make another member an owner first."))

    def _lock(self) -> None:
        """Let who else changes the members wait until the transaction ends."""
        # An UPDATE that changes nothing locks the row on both databases; SQLite has no SELECT … FOR UPDATE.
        Team.objects.filter(pk=self.pk).update(name=models.F("name"))

    def invite(self, role: Role, *, by: Person, email: str = "") -> tuple["Invitation", str]:
        """Create an invitation and its token, which is returned only here and stored only as a hash."""
        token = secrets.token_urlsafe(32)
        ends = timezone.now() + datetime.timedelta(days=INVITATION_DAYS)
        invitation = Invitation.objects.create(
            team=self, role=role, by=by, email=normal_email(email), token_hash=hash_token(token), ends=ends
        )
        return invitation, token


class Membership(models.Model):
    """A person's role in a team."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="members")
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=10, choices=[(role, role) for role in ROLES])
    since = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["team", "person"], name="once_in_a_team")]


@cache
def _role_query(vendor: str) -> str:
    """Return the SQL for the role in a team of a person. Every request asks this: it is written once for a database."""
    roles = Membership.objects.filter(team=0).filter(person=0).values_list("role")
    return str(roles.query.sql_with_params()[0])


def hash_token(token: str) -> str:
    """Return the stored form of a token, its hash; 256 random bits need no salt."""
    return hashlib.sha256(token.encode()).hexdigest()


class Invitations(Grants["Invitation"]):
    """Finds invitations by their token."""

    action = "manage"

    def find_open(self, token: str) -> "Invitation | None":
        """Return the invitation for this token.

        It must not be accepted, withdrawn or expired, and its sender must be an owner.
        """
        return self.valid().filter(token_hash=hash_token(token)).select_related("team", "by").first()

    def current(self) -> models.QuerySet["Invitation"]:
        return self.filter(taken_by=None, ends__gt=timezone.now())

    def of(self, person: Person, team: Team) -> models.QuerySet["Invitation"]:
        """Also those sent to this person, who could come back by one in the role that it names."""
        return self.current().filter(models.Q(by=person) | models.Q(email=person.email), team=team)

    def withdraw(self, rows: models.QuerySet["Invitation"], *, by: Person | None) -> None:
        rows.delete()

    def count_text(self, count: int) -> str:
        return ngettext("%(count)s open invitation", "%(count)s open invitations", count) % {"count": count}


class Invitation(models.Model):
    """An offer to join a team, to whoever holds its link."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="invitations")
    role = models.CharField(max_length=10, choices=[(role, role) for role in ROLES])
    email = models.EmailField(blank=True)
    token_hash = models.CharField(max_length=64, unique=True)
    by = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="+")
    made = models.DateTimeField(default=timezone.now)
    ends = models.DateTimeField()
    taken_by = models.ForeignKey(Person, null=True, on_delete=models.SET_NULL, related_name="+")

    objects: ClassVar[Invitations] = Invitations()

    def accept(self, person: Person) -> bool:
        """Join the team, once; a member keeps the role that is theirs. False if somebody else was quicker."""
        with transaction.atomic():
            # The condition is in the UPDATE: of two who open the same link at once, one joins.
            if not Invitation.objects.filter(pk=self.pk, taken_by=None).update(taken_by=person):
                return False
            # An owner who opens an invitation for viewers must not lose their role by it.
            Membership.objects.get_or_create(team=self.team, person=person, defaults={"role": self.role})
        return True
