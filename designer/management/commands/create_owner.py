"""The first owner of a team, on a site that knows nobody yet."""

from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.core.validators import validate_email
from django.db import transaction

from designer.management.passwords import password_for
from designer.models import Person, Team
from designer.views.audit import COMMAND_LINE, record


class Command(BaseCommand):
    help = "Make a person and a team that they own. The password is asked for, or read from KEYWRIGHT_PASSWORD."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("email", help="the address to sign in with")
        parser.add_argument("--team", default="Designs", help="the team's name (default: Designs)")
        parser.add_argument("--name", default="", help="the person's name")

    def handle(self, *args: Any, email: str, team: str, name: str, **options: Any) -> None:
        try:
            validate_email(email)
        except ValidationError:
            raise CommandError(f"{email} is no e-mail address.") from None
        person = Person.objects.by_email(email)
        with transaction.atomic():
            if person is None:
                person = Person.objects.create_user(email, password_for(Person(email=email, name=name)), name=name)
            owned, is_new = Team.objects.get_or_create(name=team)
            owned.add(person, "owner")
            record(
                None, "team_created" if is_new else "role_changed", f"{email}: owner", team=owned, person=COMMAND_LINE
            )
        self.stdout.write(f"{email} owns the {'new ' if is_new else ''}team {team}.")
