"""Sessions of people who signed in: since when, from where, with which browser; and how they are ended."""

from importlib import import_module
from typing import ClassVar

from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import models, transaction
from django.utils import timezone

from .people import Person


class SignIns(models.Manager["SignIn"]):
    """Finds sessions and ends them."""

    def current(self, person: Person) -> models.QuerySet["SignIn"]:
        """Return those that still work, the last seen first."""
        alive = Session.objects.filter(expire_date__gt=timezone.now()).values("session_key")
        return self.filter(person=person, session_key__in=alive).order_by("-seen", "-pk")

    def end(self, rows: models.QuerySet["SignIn"]) -> int:
        """Sign these out at once; return their number."""
        with transaction.atomic():
            keys = list(rows.values_list("session_key", flat=True))
            for key in keys:
                # By the engine and not by the table: an engine with a cache would go on answering for a deleted row.
                import_module(settings.SESSION_ENGINE).SessionStore(key).delete()
            self.filter(session_key__in=keys).delete()
        return len(keys)

    def end_all(self, person: Person, *, but: str | None = None) -> int:
        """Sign somebody out everywhere, except in the session with this key."""
        return self.end(self.filter(person=person).exclude(session_key=but or ""))

    def purge(self) -> int:
        """Remove everybody's rows whose session has ended by itself: addresses and browsers are kept no longer."""
        alive = Session.objects.filter(expire_date__gt=timezone.now()).values("session_key")
        return self.exclude(session_key__in=alive).delete()[0]

    def prune(self, person: Person) -> None:
        """Remove rows whose session has ended by itself."""
        self.filter(person=person).exclude(pk__in=self.current(person).values("pk")).delete()


class SignIn(models.Model):
    """One session. What is in it is Django's; a row here is what its owner is shown."""

    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="sign_ins")
    session_key = models.CharField(max_length=40, unique=True)
    started = models.DateTimeField(default=timezone.now)
    seen = models.DateTimeField(default=timezone.now)
    """Last request, to a few minutes."""
    address = models.CharField(max_length=45, blank=True)
    """Network address of that request."""
    agent = models.CharField(max_length=300, blank=True)
    """How the browser names itself."""
    methods = models.CharField(max_length=60, blank=True)
    """What it was opened with: a password, a passkey, …"""

    objects: ClassVar[SignIns] = SignIns()
