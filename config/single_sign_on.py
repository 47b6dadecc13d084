"""Single sign-on by OpenID Connect: what django-allauth needs when the variables are set, and nothing when not."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

from config import environment
from designer.permissions import ROLES, Role

NAMES = ("KEYWRIGHT_OIDC_ISSUER", "KEYWRIGHT_OIDC_CLIENT_ID", "KEYWRIGHT_OIDC_CLIENT_SECRET")
PROVIDER = "oidc"
APPS = ("allauth.socialaccount", "allauth.socialaccount.providers.openid_connect")
_LOOPBACK = ("127.0.0.1", "localhost", "::1")


@dataclass(frozen=True)
class SingleSignOn:
    """The provider that people sign in at, and who we are there."""

    issuer: str
    client_id: str
    secret: str
    name: str
    """What people call it: on the button."""
    groups: tuple[tuple[str, int, Role], ...] = ()
    """A group there, and the role that it gives in a team."""
    groups_claim: str = "groups"

    @property
    def providers(self) -> dict[str, Any]:
        """For allauth."""
        app = {
            "provider_id": PROVIDER, "name": self.name, "client_id": self.client_id, "secret": self.secret,
            "settings": {"server_url": self.issuer},
        }  # fmt: skip
        return {"openid_connect": {"OAUTH_PKCE_ENABLED": True, "APPS": [app]}}


def from_environment(*, team: bool) -> SingleSignOn | None:
    """Return the settings from the environment, or None if there are none.

    Raises
    ------
    ImproperlyConfigured
        If the settings are incomplete, if the site has no sign-in, or if the provider is not reached by HTTPS.
    """
    values = {name: environment.text(name) for name in NAMES}
    missing = [name for name, value in values.items() if not value]
    # With one of the three set, the person meant single sign-on; starting without it would hide the mistake.
    if len(missing) == len(NAMES):
        return None
    if missing:
        raise ImproperlyConfigured(f"Set {missing[0]}, too: single sign-on needs {', '.join(NAMES)}.")
    if not team:
        raise ImproperlyConfigured("KEYWRIGHT_OIDC_ISSUER: single sign-on is for team mode; set KEYWRIGHT_MODE=team.")
    issuer, client_id, secret = values.values()
    parts = urlsplit(issuer)
    if not parts.hostname or (parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in _LOOPBACK)):
        raise ImproperlyConfigured(f"KEYWRIGHT_OIDC_ISSUER is {issuer!r}; it must be an address with https://.")
    return SingleSignOn(
        issuer.rstrip("/"),
        client_id,
        secret,
        environment.text("KEYWRIGHT_OIDC_NAME", "OpenID Connect"),
        tuple(_read_group(part) for part in environment.text("KEYWRIGHT_OIDC_GROUPS").split(";") if part.strip()),
        environment.text("KEYWRIGHT_OIDC_GROUPS_CLAIM", "groups"),
    )


def _read_group(text: str) -> tuple[str, int, Role]:
    """Return what `GROUP=TEAM:ROLE` says."""
    group, _, assignment = text.rpartition("=")  # names of directories have = in them
    team, _, role = assignment.strip().partition(":")
    if not group.strip() or not (team.isascii() and team.isdigit()) or role not in ROLES:
        raise ImproperlyConfigured(
            f"KEYWRIGHT_OIDC_GROUPS holds {text.strip()!r}; write GROUP=TEAM:ROLE with a team's number and one of: "
            f"{', '.join(ROLES)}."
        )
    return group.strip(), int(team), role
