"""Another password for somebody who forgot theirs, on a site without mail."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from designer.management.passwords import password_for
from designer.models import Attempt, Person, SignIn
from designer.models.attempts import account_subject
from designer.views.accounts.notices import send_notice
from designer.views.audit import COMMAND_LINE, record


class Command(BaseCommand):
    help = "Give a person another password. It is asked for, or read from KEYWRIGHT_PASSWORD. Their sessions end."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("email", help="the address that they sign in with")

    def handle(self, *args: Any, email: str, **options: Any) -> None:
        person = Person.objects.by_email(email)
        if person is None or person.is_local:
            raise CommandError(f"No account has the address {email}.")
        person.set_password(password_for(person))
        with transaction.atomic():
            person.save(update_fields=["password"])
            SignIn.objects.end_all(person)
            record(None, "password_reset", person.email, person=COMMAND_LINE)
        Attempt.objects.clear(account_subject(person.email))
        send_notice(person, "password_changed")
        self.stdout.write(f"{person.email} signs in with the new password from now on.")
