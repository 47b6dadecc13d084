"""Storage of secrets of django-allauth's MFA: encrypted by a key that follows from the site's secret key."""

import base64

from allauth.mfa.adapter import DefaultMFAAdapter
from cryptography.fernet import Fernet, MultiFernet
from django.conf import settings
from django.utils.crypto import salted_hmac


class EncryptedSecrets(DefaultMFAAdapter):  # type: ignore[misc]
    """Hooks that allauth calls."""

    def encrypt(self, text: str) -> str:
        return _cipher().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """Return the text; raise `InvalidToken` if none of the site's keys encrypted it."""
        return _cipher().decrypt(encrypted_text.encode()).decode()

    def build_totp_svg(self, url: str) -> str:
        """Return the picture on white paper: cameras need it, also on a dark page."""
        import qrcode
        from qrcode.image.svg import SvgPathFillImage

        return str(qrcode.make(url, image_factory=SvgPathFillImage).to_string(encoding="unicode"))

    def _get_site_name(self) -> str:
        return "Keywright"


def _cipher() -> MultiFernet:
    """Encrypts by the present secret key; reads what earlier ones encrypted while they are listed."""
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    digests = (salted_hmac("designer.second_factors", "", secret=key, algorithm="sha256").digest() for key in keys)
    return MultiFernet([Fernet(base64.urlsafe_b64encode(digest)) for digest in digests])
