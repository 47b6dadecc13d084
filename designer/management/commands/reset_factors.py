"""No second factor for somebody who lost theirs and has no recovery code left."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from designer.models import Person, SignIn
from designer.models.factors import factors_of, has_second_factor, recovery_codes_of
from designer.views.accounts.notices import send_notice
from designer.views.audit import COMMAND_LINE, record


class Command(BaseCommand):
    help = "Remove a person's passkeys, authenticator app and recovery codes. Make sure first that it is them who ask."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("email", help="the address that they sign in with")

    def handle(self, *args: Any, email: str, **options: Any) -> None:
        person = Person.objects.by_email(email)
        if person is None or not has_second_factor(person):
            raise CommandError(f"No account with a second factor has the address {email}.")
        with transaction.atomic():
            factors_of(person).delete()
            if (codes := recovery_codes_of(person)) is not None:
                codes.delete()
            SignIn.objects.end_all(person)
            record(None, "factor_removed", person.email, person=COMMAND_LINE)
        send_notice(person, "factor_removed")
        self.stdout.write(f"{person.email} signs in without a second factor from now on. Their sessions ended.")
