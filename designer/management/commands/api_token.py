"""`manage.py api_token NAME`: makes an API token and prints it."""

from argparse import ArgumentParser

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from designer.models import Membership, Person, Token
from designer.permissions import TokenScope
from designer.views.audit import COMMAND_LINE, record

MOST_DAYS = 3650


class Command(BaseCommand):
    """For one's own machine, and where nobody wants to open the page of a team."""

    help = "Make an API token and print it, once."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add options for the token's name, scope, lifetime and owner."""
        parser.add_argument("name", metavar="NAME", help="what the token is for")
        scopes = parser.add_mutually_exclusive_group()
        writes = "it may also change designs (default: only read)"
        scopes.add_argument("--write", dest="scope", action="store_const", const="write", default="read", help=writes)
        reviews = "it may also comment, give verdicts and make review links in the name of its owner"
        scopes.add_argument("--review", dest="scope", action="store_const", const="review", help=reviews)
        parser.add_argument("--days", type=int, metavar="N", help="days until it ends (default: never)")
        parser.add_argument("--owner", metavar="EMAIL", help="team mode: an owner of the team")
        parser.add_argument("--team", metavar="NAME", help="the team, where its owner has several")

    def handle(
        self, *, name: str, scope: TokenScope, days: int | None, owner: str | None, team: str | None, **options: object
    ) -> None:
        """Print only the token, so that a script can use the output."""
        if not name.strip():
            raise CommandError("Say what the token is for: it needs a name.")
        if days is not None and not 1 <= days <= MOST_DAYS:
            raise CommandError(f"A token lasts for 1 to {MOST_DAYS:,} days.")
        person = self._person(owner)
        owned = Membership.objects.filter(person=person, role="owner").select_related("team").order_by("since")
        teams = [membership.team for membership in owned if team is None or membership.team.name == team]
        if not teams:
            raise CommandError("There is no such team with this owner.")
        if len(teams) > 1:
            raise CommandError(f"Say which with --team: {', '.join(team.name for team in teams)}.")
        with transaction.atomic():
            _, text = Token.objects.issue(teams[0], name=name.strip()[:100], scope=scope, by=person, days=days)
            record(None, "token_created", f"{name.strip()[:100]} ({scope})", team=teams[0], person=COMMAND_LINE)
        self.stdout.write(text)

    @staticmethod
    def _person(owner: str | None) -> Person:
        if owner is None:
            if settings.KEYWRIGHT_MODE != "embedded":
                raise CommandError("Say with --owner for whom: the e-mail address of an owner of the team.")
            return Person.objects.get_or_create_local()
        person = Person.objects.by_email(owner)
        if person is None:
            raise CommandError(f"No account has the address {owner}.")
        return person
