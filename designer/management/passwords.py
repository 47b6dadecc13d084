"""A password for somebody, asked for on the terminal or read from KEYWRIGHT_PASSWORD."""

import getpass
import os
import sys

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management.base import CommandError

from designer.models import Person


def password_for(person: Person) -> str:
    """Read a password from the environment or the terminal, and validate it.

    Raises
    ------
    CommandError
        If there is none, or it is too weak.
    """
    password = os.environ.get("KEYWRIGHT_PASSWORD", "")
    if not password:
        # getpass would wait for input for ever in a container without a terminal.
        if not sys.stdin.isatty():
            raise CommandError("The password cannot be asked for without a terminal: set KEYWRIGHT_PASSWORD.")
        password = getpass.getpass("Password: ")
        if password != getpass.getpass("Again: "):
            raise CommandError("The two differ; nothing was changed.")
    try:
        validate_password(password, person)
    except ValidationError as wrong:
        raise CommandError(" ".join(wrong.messages)) from None
    return password
