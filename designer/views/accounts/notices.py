"""Mail about changes of an account's credentials, to the person, where mail is set up."""

from collections.abc import Mapping
from typing import Literal

from django.conf import settings
from django.core.mail import send_mail
from django.utils import translation
from django.utils.translation import gettext

from designer.document.texts import N_
from designer.models import Person

Notice = Literal[
    "password_changed", "factor_added", "factor_removed", "recovery_codes_created", "recovery_code_used", "code_reused"
]
SENTENCES: Mapping[Notice, str] = {
    "password_changed": N_("The password of your Keywright account was changed."),
    "factor_added": N_("A second factor was added to your Keywright account."),
    "factor_removed": N_("A second factor was removed from your Keywright account."),
    "recovery_codes_created": N_("New recovery codes were created for your Keywright account."),
    "recovery_code_used": N_("A recovery code of your Keywright account was used."),
    "code_reused": N_("A code of your authenticator app was entered a second time and refused."),
}


def send_notice(person: Person, notice: Notice) -> None:
    """Send a sentence in the person's language; what a mail server does not take is not sent again."""
    if not settings.EMAIL_HOST:
        return
    with translation.override(person.language or settings.LANGUAGE_CODE):
        subject = gettext("A change to your Keywright account")
        advice = gettext("If this was not you, change your password and tell the administrator of the site.")
        body = f"{gettext(SENTENCES[notice])}\n\n{advice}\n"
    send_mail(subject, body, None, [person.email], fail_silently=True)
