"""Authentication by sessions, and the rules for passwords."""

import re
from typing import Any

from django.contrib.auth import password_validation
from django.contrib.auth.backends import ModelBackend
from django.core.exceptions import ValidationError
from django.utils.translation import gettext

from designer.models import Person
from designer.models.factors import find_person

LONGEST_PASSWORD = 128
"""Characters. Longer texts take time to hash and protect no better."""


class Accounts(ModelBackend):
    """Django's own, by e-mail address and password; each request learns whether a second factor is still owed."""

    def get_user(self, user_id: int) -> Person | None:
        person = find_person(user_id)
        return person if person is not None and self.user_can_authenticate(person) else None


class MinimumLengthValidator(password_validation.MinimumLengthValidator):
    """Django's own, with each run of spaces counted as one: twelve spaces are no password."""

    def validate(self, password: str, user: Any = None) -> None:
        super().validate(re.sub(r"\s+", " ", password), user)


class MaximumLengthValidator:
    """Refuses passwords of more than 128 characters."""

    def validate(self, password: str, user: Any = None) -> None:
        if len(password) > LONGEST_PASSWORD:
            raise ValidationError(gettext("This password is too long. It may have at most 128 characters."))

    def get_help_text(self) -> str:
        return gettext("Your password may have at most 128 characters.")
