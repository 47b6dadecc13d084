"""Passkeys, codes of authenticator apps and recovery codes: making and verifying them, with django-allauth's MFA.

Its tables and its cryptography are used; pages, limits, sessions and the log are ours. What it leaves open is here: a
code works once on all processes, and recovery codes are stored as hashes. It is loaded when somebody uses a factor.
"""

import base64
import hashlib
import secrets
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from designer.models import Person
from designer.models.factors import APP, PASSKEY, RECOVERY, factors_of, recovery_codes_of

RECOVERY_CODES = 10
RECOVERY_BYTES = 10
"""Of chance in each code, which is written in 16 letters and digits."""
MOST_PASSKEYS = 20
METHODS = {PASSKEY: "passkey", APP: "code", RECOVERY: "recovery code"}
"""How the log and the list of sessions name them."""


def _model() -> Any:
    from allauth.mfa.models import Authenticator

    return Authenticator


# --- passkeys -----------------------------------------------------------------------------------------------------


def registration_options(person: Person) -> dict[str, Any]:
    """Return what a browser needs to make a passkey; its challenge stays in the session."""
    from allauth.mfa.webauthn.internal import auth

    # A discoverable passkey, which the device offers without being told who signs in.
    options: dict[str, Any] = auth.begin_registration(person, passwordless=True)
    return options


def authentication_options(person: Person | None) -> dict[str, Any]:
    """Return what a browser needs to show a passkey: one of this person's, or whichever is on the device."""
    from allauth.mfa.webauthn.internal import auth

    options: dict[str, Any] = auth.begin_authentication(person)
    return options


def add_passkey(person: Person, credential: Any, name: str) -> Any:
    """Store a passkey that a browser made; None if it does not answer the challenge."""
    from allauth.mfa.webauthn.internal import auth

    try:
        auth.parse_registration_response(credential)
        binding = auth.complete_registration(credential)
    except UNREADABLE:
        return None
    # The browser was asked for a finger, a face or a PIN, but only the answer says whether there was one.
    if not binding.is_user_verified() or factors_of(person).filter(type=PASSKEY).count() >= MOST_PASSKEYS:
        return None
    return auth.WebAuthn.add(person, name, credential).instance


def verify_passkey(person: Person | None, credential: Any) -> Any:
    """Return the row of the passkey that answers the challenge; None if none does. Without a person, anybody's."""
    from allauth.mfa.webauthn.internal import auth

    try:
        auth.parse_authentication_response(credential)
        # As a second factor only a passkey of the person who showed the password counts, whichever the device sent.
        owner = person or auth.extract_user_from_response(credential)
        row = auth.complete_authentication(owner, credential)
    except UNREADABLE:
        return None
    finally:
        auth.clear_state()  # a challenge is answered once, rightly or wrongly
    row.record_usage()
    return row


UNREADABLE = (ValidationError, ValueError, TypeError, KeyError, AttributeError, IndexError, OverflowError)
"""What parsers of what a browser sends raise; the text may be anybody's."""


# --- authenticator apps -------------------------------------------------------------------------------------------


def new_secret() -> str:
    """Return the secret of an authenticator app, encrypted: it waits in the session until a code shows that it took."""
    from allauth.mfa.totp.internal.auth import generate_totp_secret
    from allauth.mfa.utils import encrypt

    return str(encrypt(generate_totp_secret()))


def app_setup(person: Person, encrypted: str) -> dict[str, str]:
    """Return the secret as text, in groups of four, and as the picture that an app reads."""
    from allauth.mfa.adapter import get_adapter

    adapter = get_adapter()
    secret = adapter.decrypt(encrypted)
    picture = adapter.build_totp_svg(adapter.build_totp_url(person, secret))
    groups = " ".join(secret[at : at + 4] for at in range(0, len(secret), 4))
    return {"secret": groups, "picture": base64.b64encode(picture.encode()).decode()}


def add_app(person: Person, encrypted: str, code: str) -> Any:
    """Store an authenticator app that shows the code of this secret, in the place of an earlier one; else None."""
    counter = _matching_counter(encrypted, code)
    if counter is None:
        return None
    with transaction.atomic():
        # One app for each person: allauth's table has a unique constraint for it, and an old phone should stop to work.
        factors_of(person).filter(type=APP).delete()
        data = {"secret": encrypted, "counter": counter}
        return _model().objects.create(user=person, type=APP, data=data, last_used_at=timezone.now())


def _matching_counter(encrypted: str, code: str) -> int | None:
    """Return of which half minute a code is; None if of none near now, or if the secret cannot be read any more."""
    from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value, yield_hotp_counters_from_time
    from allauth.mfa.utils import decrypt
    from cryptography.fernet import InvalidToken

    try:
        secret = decrypt(encrypted)
    except InvalidToken:
        return None
    typed = _plain(code)
    counters = list(yield_hotp_counters_from_time())
    # The counters are of the half minutes around now, within the tolerance of `MFA_TOTP_TOLERANCE`.
    return next((n for n in counters if constant_time_compare(format_hotp_value(hotp_value(secret, n)), typed)), None)


def verify_code(person: Person, code: str) -> tuple[str, bool]:
    """Return what a code is of, "" if it is wrong; and whether it was right but used before. It works once."""
    app = factors_of(person).filter(type=APP).first()
    if app is not None:
        counter = _matching_counter(app.data["secret"], code)
        # RFC 6238, section 5.2: a code must not be accepted a second time. Older codes than the last one are refused
        # with it.
        if counter is not None and counter > app.data.get("counter", -1) and _replace(app, {"counter": counter}):
            return APP, False
        if counter is not None:
            return "", True
    codes = recovery_codes_of(person)
    if codes is not None:
        digest = _digest(codes.data["salt"], code)
        # Ten fast hashes are enough: the codes are 80 random bits, not words that somebody chose.
        remaining = [code_hash for code_hash in codes.data["hashes"] if not constant_time_compare(code_hash, digest)]
        if len(remaining) < len(codes.data["hashes"]) and _replace(codes, {"hashes": remaining}):
            return RECOVERY, False
    return "", False


def _replace(row: Any, change: dict[str, Any]) -> bool:
    """Store what a code changes; False if another request was quicker."""
    # The condition is in the UPDATE: of two requests with the same code at the same moment, one succeeds.
    same = _model().objects.filter(pk=row.pk, last_used_at=row.last_used_at)
    return bool(same.update(data=row.data | change, last_used_at=timezone.now()))


def _plain(code: str) -> str:
    # Apps and printed codes show spaces and hyphens for reading; neither is part of the code.
    return "".join(code.split()).replace("-", "").upper()


# --- recovery codes -----------------------------------------------------------------------------------------------


def make_recovery_codes(person: Person) -> list[str]:
    """Store new recovery codes in the place of earlier ones; return them, which happens only here."""
    texts = [base64.b32encode(secrets.token_bytes(RECOVERY_BYTES)).decode() for _ in range(RECOVERY_CODES)]
    salt = secrets.token_hex(8)
    data = {"salt": salt, "hashes": [_digest(salt, text) for text in texts]}
    rows = _model().objects.filter(user=person, type=RECOVERY)
    with transaction.atomic():
        rows.delete()
        _model().objects.create(user=person, type=RECOVERY, data=data)
    return ["-".join(text[at : at + 4] for at in range(0, len(text), 4)) for text in texts]


def _digest(salt: str, code: str) -> str:
    return hashlib.sha256(f"{salt}{_plain(code)}".encode()).hexdigest()
