"""Signs people in through the provider, in a process of its own, as single sign-on is on from its very start there.

`python tests/commands/single_sign_on/drive.py DATABASE_FILE` prints what everybody came to, as JSON.
"""

import json
import os
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, os.fspath(Path(__file__).resolve().parents[3]))

LOGIN = "/single-sign-on/oidc/login/"
REFUSAL = ("person", "subject", "address")


def environ(issuer: str, secret: str, file: str) -> dict[str, str]:
    """A site of a team with single sign-on."""
    return {
        "DJANGO_SETTINGS_MODULE": "config.settings", "KEYWRIGHT_MODE": "team", "SECRET_KEY": "x" * 50,
        "ALLOWED_HOSTS": "testserver", "KEYWRIGHT_HTTPS": "false", "DATABASE_URL": f"sqlite:///{file}",
        "KEYWRIGHT_OIDC_ISSUER": issuer, "KEYWRIGHT_OIDC_CLIENT_ID": "keywright",
        "KEYWRIGHT_OIDC_CLIENT_SECRET": secret, "KEYWRIGHT_OIDC_NAME": "Our <house>",
        "KEYWRIGHT_OIDC_GROUPS": "CN=admins,O=x=2:owner; designers=2:editor;designers=3:viewer;gone=99:owner",
    }  # fmt: skip


def signed_in(provider: Any, client: Any, *, to: str = "/", refuses: bool = False, **saying: Any) -> Any:
    """The site's answer to somebody who comes back from the provider and wanted to go `to`."""
    provider.saying, provider.refuses = saying, refuses
    away = client.get(LOGIN, {"next": to})
    assert away.headers.get("Location", "").startswith(f"{provider.issuer}/authorize?"), away.content
    return client.get(provider.authorize(away.headers["Location"]))


def came_to(provider: Any, **saying: Any) -> dict[str, Any]:
    """What somebody came to: the answer, who they are now, and what they were told."""
    from django.test import Client

    from designer.models import Person

    client = Client()
    answer = signed_in(provider, client, **saying)
    told = answer.content.decode().partition('role="alert">')[2].partition("</p>")[0]
    who = Person.objects.filter(pk=client.session.get("_auth_user_id")).first()
    return {
        "status": answer.status_code, "to": answer.headers.get("Location", ""), "who": who.email if who else "",
        "told": told,
    }  # fmt: skip


def results(provider: Any) -> dict[str, Any]:
    """Everybody's turn."""
    from django.core.management import call_command
    from django.test import Client

    from designer.models import AuditEvent, Person, Team

    call_command("migrate", verbosity=0)
    ana = Person.objects.create_user("ana@example.com", "columns-wide-open")
    Person.objects.create_user("gone@example.com", is_active=False)
    team = Team.objects.create(name="Platform")
    team.add(ana, "owner")
    invitation = f"/invitations/{team.invite('editor', by=ana)[1]}"
    page = Client().get("/sign-in?next=/teams/").content.decode()
    verified = {"email": "ana@example.com", "email_verified": True}
    known = Client()
    signed_in(provider, known, **verified)
    known_elsewhere = came_to(provider, email="Ana@Example.com", email_verified=True, to="/teams/")
    return {
        "groups": by_groups(provider),
        "second": with_second_factor(provider),
        "again": asked_again(provider),
        "known": known_elsewhere,
        "button": f'href="{LOGIN}?next=/teams/"' in page and "Sign in with Our &lt;house&gt;" in page,
        "unverified": came_to(provider, email="ana@example.com", email_verified=False),
        "unsaid": came_to(provider, email="ana@example.com"),
        "unknown": came_to(provider, email="eve@example.com", email_verified=True),
        "closed": came_to(provider, email="gone@example.com", email_verified=True),
        "elsewhere": came_to(provider, **verified, to="https://evil.example/"),
        "refused": came_to(provider, refuses=True),
        "pkce": "code_verifier" in provider.asked["token"],
        "invited_button": f"next={invitation}" in Client().get(invitation).content.decode(),
        "invited": came_to(provider, email="ben@example.com", email_verified=True, name="Ben", to=invitation),
        "password_kept": Person.objects.get(pk=ana.pk).check_password("columns-wide-open"),
        "people": sorted(Person.objects.values_list("email", flat=True)),
        "refusals": list(AuditEvent.objects.filter(kind="sign_in_failed").order_by("pk").values_list(*REFUSAL)),
        "other_addresses": [
            known.get(f"/{path}/").status_code for path in ("accounts/login", "single-sign-on/x/login")
        ],
    }


def by_groups(provider: Any) -> list[Any]:
    """Roles of somebody in the teams that groups give roles in, after each of several sign-ins; and the log of it."""
    from designer.models import AuditEvent, Person, Team

    core, search = Team.objects.create(pk=2, name="Core"), Team.objects.create(pk=3, name="Search")
    ana = Person.objects.get(email="ana@example.com")
    core.add(ana, "owner")
    found: list[Any] = []
    for groups in (["designers"], ["CN=admins,O=x", "designers", 7], "designers", [], ["nobody"]):
        told = came_to(provider, email="gil@example.com", email_verified=True, groups=groups)
        gil = Person.objects.filter(email="gil@example.com").first()
        found.append([told["status"], *((gil.role_in(team.pk) if gil else None) for team in (core, search))])
    came_to(provider, email="ana@example.com", email_verified=True, groups=[])
    found.append(ana.role_in(core.pk))  # the last owner
    came_to(provider, email="hal@example.com", email_verified=True, groups=["nobody"])
    found.append(Person.objects.filter(email="hal@example.com").exists())
    acts = AuditEvent.objects.filter(subject__contains="single sign-on", team__gt=1).order_by("pk")
    return [*found, list(acts.values_list("kind", "team", "subject"))]


def asked_again(provider: Any) -> list[Any]:
    """What somebody without a password comes to who signed in long ago and makes a token."""
    from django.test import Client

    from designer.models import Person, Team

    team, kim = Team.objects.create(pk=5, name="Kims"), Person.objects.create_user("kim@example.com")
    team.add(kim, "owner")
    client, saying = Client(), {"email": "kim@example.com", "email_verified": True}
    signed_in(provider, client, **saying)
    session = client.session
    session["proved_at"] = 0
    session.save()
    posted = {"name": "Night <build>", "scope": "write"}
    asked = client.post("/teams/5/tokens", posted)
    led_on = signed_in(provider, client, to="/account/go-on", **saying)["Location"]
    page = client.get(led_on).content.decode()
    held = 'action="/teams/5/tokens"' in page and 'value="Night &lt;build&gt;"' in page
    made = client.post("/teams/5/tokens", posted).status_code
    return [asked.status_code, "?next=/account/go-on" in asked.content.decode(), led_on, held, made]


def with_second_factor(provider: Any) -> Any:
    """What somebody with a second factor comes to: the step that asks for it."""
    from allauth.mfa.models import Authenticator

    from designer.models import Person

    ivy = Person.objects.create_user("ivy@example.com")
    Authenticator.objects.create(user=ivy, type="totp", data={"secret": "x"})
    return came_to(provider, email="ivy@example.com", email_verified=True, to="/teams/")


def main(file: str) -> None:
    """Set up, then all of it."""
    from tests.commands.single_sign_on.provider import SECRET, Provider

    provider = Provider()
    os.environ |= environ(provider.issuer, SECRET, file)
    import django
    from django.conf import settings

    settings.STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    settings.WHITENOISE_USE_FINDERS = settings.WHITENOISE_AUTOREFRESH = True
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    django.setup()
    json.dump(results(provider), sys.stdout)


if __name__ == "__main__":
    main(sys.argv[1])
