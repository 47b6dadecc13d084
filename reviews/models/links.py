"""Review links: an unguessable token that shows one design, or lets somebody comment on it, and nothing else."""

import datetime
import secrets
from typing import ClassVar, cast

from django.contrib.auth.hashers import check_password, make_password
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import ngettext

from designer.models import Design, Document, Person
from designer.models.grants import Grants
from designer.models.people import hash_token
from designer.permissions import LinkRole
from reviews.links.exclusions import Exclusions

ENDS_AFTER_DAYS = 30
"""Unless something else is chosen."""
SOON = datetime.timedelta(days=3)
ONE_VISIT = datetime.timedelta(minutes=30)
"""Who opens the page again within so long is still on the same visit."""


class Links(Grants["Link"]):
    """Makes links, and finds the one that a token opens."""

    action = "share"
    team_field = "design__team"
    maker_field = "made_by"

    def current(self) -> models.QuerySet["Link"]:
        return self.filter(Q(ends=None) | Q(ends__gt=timezone.now()), revoked=None)

    def by_which_to_answer(self, design: Design) -> models.QuerySet["Link"]:
        """Return the links to a design whose visitors can give a verdict now."""
        return self.valid().filter(design=design, role="link_comment")

    def withdraw(self, rows: models.QuerySet["Link"], *, by: Person | None) -> None:
        # One by one: each gets a hash of its own, which must be unique.
        for link in rows:
            link.revoke(by=by)

    def count_text(self, count: int) -> str:
        return ngettext("%(count)s review link", "%(count)s review links", count) % {"count": count}

    def start(self, *, design: Design, password: str = "", **more: object) -> tuple["Link", str]:
        """Create a link and its token, which is returned only here and stored only as a hash."""
        token = secrets.token_urlsafe(32)
        # A password is chosen by people, so its hash must be slow; the token is random, and a plain hash of it is
        # enough.
        password_hash = make_password(password) if password else ""
        return self.create(design=design, token_hash=hash_token(token), password=password_hash, **more), token

    def find_valid(self, token: str) -> "Link | None":
        """Return the link for this token.

        Return None alike for an unknown, expired or revoked link and for a link to a deleted design.
        """
        living = self.valid().filter(token_hash=hash_token(token), design__deleted=None)
        return living.select_related("design", "design__head", "design__team", "document", "made_by").first()


class Link(models.Model):
    """One link that somebody of the team made."""

    design = models.ForeignKey(Design, on_delete=models.CASCADE, related_name="links")
    name = models.CharField(max_length=100)
    role = models.CharField(max_length=12)
    """link_view or link_comment."""
    number = models.PositiveIntegerField(null=True)
    """The revision that it shows; None follows the latest."""
    document = models.ForeignKey(Document, null=True, on_delete=models.PROTECT, related_name="+")
    """The content of that revision."""
    compares = models.BooleanField(default=True)
    """Whether it also shows what newer revisions changed."""
    hides_cost = models.BooleanField(default=False)
    hides_samples = models.BooleanField(default=False)
    allows_files = models.BooleanField(default=False)
    """Whether visitors may take the design as files."""
    token_hash = models.CharField(max_length=64, unique=True)
    password = models.CharField(max_length=128, blank=True)
    """Hashed; empty asks for none."""
    made_by = models.ForeignKey(Person, null=True, on_delete=models.SET_NULL, related_name="+")
    made = models.DateTimeField(default=timezone.now)
    ends = models.DateTimeField(null=True)
    revoked = models.DateTimeField(null=True)
    revoked_by = models.ForeignKey(Person, null=True, on_delete=models.SET_NULL, related_name="+")
    visits = models.PositiveIntegerField(default=0)
    last_visit = models.DateTimeField(null=True)

    objects: ClassVar[Links] = Links()

    class Meta:
        indexes = [models.Index(fields=["design", "-made"], name="links_of_a_design")]

    def __str__(self) -> str:
        return self.name

    @property
    def has_expired(self) -> bool:
        """True if the link has expired."""
        return self.ends is not None and self.ends <= timezone.now()

    @property
    def is_ending_soon(self) -> bool:
        """True if the link expires within days."""
        return self.ends is not None and not self.has_expired and self.ends <= timezone.now() + SOON

    @property
    def permission_role(self) -> LinkRole:
        """Its role, for the table of permissions."""
        return cast(LinkRole, self.role)

    @property
    def hides(self) -> Exclusions:
        """Hidden contents of the link."""
        return Exclusions(cost=self.hides_cost, samples=self.hides_samples)

    def offers_file(self, name: str) -> bool:
        """Return whether visitors may take this file.

        A PDF is made without what the link hides; the other files hold all of a design.
        """
        return self.allows_files and (name == "pdf" or not self.hides)

    @property
    def offers_pdf(self) -> bool:
        """True if visitors may take the PDF."""
        return self.offers_file("pdf")

    @property
    def offers_json(self) -> bool:
        """True if visitors may take the JSON."""
        return self.offers_file("json")

    @property
    def session_proof(self) -> str:
        """Value that a browser stores after the correct password.

        A new password makes it invalid.
        """
        return salted_hmac("reviews.link", f"{self.pk} {self.password}", algorithm="sha256").hexdigest()

    def is_password(self, password: str) -> bool:
        """Return whether this is the password."""
        return check_password(password, self.password)

    def change(self, **fields: object) -> None:
        """Change what it is called, what it shows, or when it ends; a new password closes the browsers it was open in.

        A link that was revoked stays so.
        """
        if "password" in fields:
            password = str(fields["password"])
            fields["password"] = make_password(password) if password else ""
        Link.objects.filter(pk=self.pk, revoked=None).update(**fields)
        self.refresh_from_db()

    def revoke(self, *, by: Person | None) -> None:
        """End it at once and for ever: its token is forgotten."""
        # The hash is overwritten: not even a restored session or a bug in a filter opens the link again.
        dead = hash_token(secrets.token_urlsafe(32))
        Link.objects.filter(pk=self.pk, revoked=None).update(revoked=timezone.now(), revoked_by=by, token_hash=dead)

    def record_visit(self, before: datetime.datetime | None) -> datetime.datetime:
        """Note a visit; `before` is when this browser was here last. The moment is for it to remember."""
        now = timezone.now()
        again = before is not None and now - before < ONE_VISIT
        # Added in the database, because two visits at once would both write the same number.
        Link.objects.filter(pk=self.pk).update(visits=F("visits") + (0 if again else 1), last_visit=now)
        return now
