"""API tokens of a team: what programs show in the place of a person who signs in."""

import datetime
import secrets
from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import ngettext

from designer.permissions import TOKEN_ROLES, TOKEN_SCOPES, TokenRole, TokenScope

from .factors import second_factor_of
from .grants import Grants
from .people import Person, Team, hash_token

BEGINNING = "kw_"
"""Of every token, so that programs that look for secrets know one."""
USE_NOTED_EVERY = datetime.timedelta(minutes=1)


class Tokens(Grants["Token"]):
    """Makes and finds tokens."""

    action = "manage"

    def current(self) -> models.QuerySet["Token"]:
        return self.filter(Q(ends=None) | Q(ends__gt=timezone.now()), revoked=None)

    def valid(self) -> models.QuerySet["Token"]:
        """Return the usable tokens; where a team requires a second factor, only those whose maker has one."""
        return super().valid().filter(Q(team__second_factor_required=False) | Q(second_factor_of("by")))

    def withdraw(self, rows: models.QuerySet["Token"], *, by: Person | None) -> None:
        rows.update(revoked=timezone.now())

    def count_text(self, count: int) -> str:
        return ngettext("%(count)s API token", "%(count)s API tokens", count) % {"count": count}

    def issue(
        self, team: Team, *, name: str, scope: TokenScope, by: Person, days: int | None = None
    ) -> "tuple[Token, str]":
        """Create a token; return it with its text, which is returned only here and stored only as a hash.

        Without days it does not expire.
        """
        text = BEGINNING + secrets.token_urlsafe(32)
        ends = None if days is None else timezone.now() + datetime.timedelta(days=days)
        return self.create(team=team, name=name, scope=scope, by=by, token_hash=hash_token(text), ends=ends), text

    def find_valid(self, text: str) -> "Token | None":
        """Return the valid token with this text, and record its use at most once a minute."""
        now = timezone.now()
        token = self.valid().filter(token_hash=hash_token(text)).select_related("team", "by").first()
        # A program may ask ten times a second, and each note is a write, of which SQLite takes one at a time: also one
        # whose condition no row meets.
        if token is not None and (token.used is None or token.used < now - USE_NOTED_EVERY):
            self.filter(pk=token.pk).update(used=now)
        return token


class Token(models.Model):
    """Lets a program read a team's designs, or also change them, or also review them in the name of its maker."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="tokens")
    name = models.CharField(max_length=100)
    scope = models.CharField(max_length=10, choices=[(scope, scope) for scope in TOKEN_SCOPES])
    token_hash = models.CharField(max_length=64, unique=True)
    by = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="+")
    """Who made it; what is changed with it is in the history under this name."""
    made = models.DateTimeField(default=timezone.now)
    used = models.DateTimeField(null=True)
    revoked = models.DateTimeField(null=True)
    ends = models.DateTimeField(null=True)

    objects: ClassVar[Tokens] = Tokens()

    def __str__(self) -> str:
        return self.name

    @property
    def role(self) -> TokenRole:
        """Name of the token's role in the table of permissions."""
        return TOKEN_ROLES.get(self.scope, "token_read")

    @property
    def has_ended(self) -> bool:
        """True if the token has expired."""
        return self.ends is not None and self.ends <= timezone.now()

    def revoke(self) -> None:
        """Revoke the token at once."""
        Token.objects.filter(pk=self.pk, revoked=None).update(revoked=timezone.now())
