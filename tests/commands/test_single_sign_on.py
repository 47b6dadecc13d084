"""Single sign-on, through a provider on loopback; and that nothing of it is there when it is not set up."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.core.exceptions import ImproperlyConfigured
from django.test import Client

from config import single_sign_on

ROOT = Path(__file__).parents[2]
SET = {
    "KEYWRIGHT_OIDC_ISSUER": "https://id.example.com/realm/",
    "KEYWRIGHT_OIDC_CLIENT_ID": "keywright",
    "KEYWRIGHT_OIDC_CLIENT_SECRET": "secret",
}


@pytest.fixture(scope="module")
def came_to(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """What everybody came to who signed in at the provider."""
    file = tmp_path_factory.mktemp("sso") / "site.sqlite3"
    told = subprocess.run(
        [sys.executable, "tests/commands/single_sign_on/drive.py", str(file)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode == 0, told.stderr
    return json.loads(told.stdout)


def test_who_has_an_account_with_the_verified_address_is_signed_in_and_led_on(came_to: Any) -> None:
    assert came_to["button"]
    assert came_to["known"] == {"status": 302, "to": "/teams/", "who": "ana@example.com", "told": ""}
    assert came_to["password_kept"]
    assert came_to["pkce"]


@pytest.mark.parametrize(
    ("case", "words"),
    [
        ("unverified", "does not confirm that your e-mail address is verified"),
        ("unsaid", "does not confirm that your e-mail address is verified"),
        ("unknown", "There is no account for eve@example.com"),
        ("closed", "is closed"),
        ("refused", "Signing in with Our &lt;house&gt; failed"),
    ],
)
def test_nobody_else_is_let_in_and_the_page_says_why(came_to: Any, case: str, words: str) -> None:
    found = came_to[case]

    assert (found["status"], found["who"]) == (403, "")
    assert words in found["told"]


def test_who_was_not_let_in_is_in_the_audit_log(came_to: Any) -> None:
    assert came_to["refusals"] == [
        ["hal@example.com", "single sign-on: no account", "127.0.0.1"],
        ["ana@example.com", "single sign-on: address not verified", "127.0.0.1"],
        ["eve@example.com", "single sign-on: no account", "127.0.0.1"],
        ["gone@example.com", "single sign-on: account closed", "127.0.0.1"],
        ["", "single sign-on: failed at the provider", "127.0.0.1"],
    ]


def test_nobody_is_led_away_to_another_site(came_to: Any) -> None:
    assert came_to["elsewhere"]["who"] == "ana@example.com"
    assert "evil" not in came_to["elsewhere"]["to"]


def test_who_comes_with_an_invitation_gets_an_account_and_goes_on_to_join(came_to: Any) -> None:
    assert came_to["invited_button"]
    assert came_to["invited"]["who"] == "ben@example.com"
    assert came_to["invited"]["to"].startswith("/invitations/")
    assert "eve@example.com" not in came_to["people"]


def test_groups_give_roles_and_take_them_at_the_next_sign_in(came_to: Any) -> None:
    *roles, last_owner, is_made, acts = came_to["groups"]

    assert roles == [
        [302, "editor", "viewer"], [302, "owner", "viewer"], [302, "editor", "viewer"], [302, None, None],
        [302, None, None],
    ]  # fmt: skip
    assert (last_owner, is_made) == ("owner", False)
    assert acts == [
        ["member_joined", 2, "gil@example.com: editor (single sign-on)"],
        ["member_joined", 3, "gil@example.com: viewer (single sign-on)"],
        ["role_changed", 2, "gil@example.com: owner (single sign-on)"],
        ["role_changed", 2, "gil@example.com: editor (single sign-on)"],
        ["member_removed", 2, "gil@example.com (single sign-on)"],
        ["member_removed", 3, "gil@example.com (single sign-on)"],
    ]


def test_who_has_a_second_factor_is_asked_for_it_after_the_provider_too(came_to: Any) -> None:
    assert came_to["second"] == {"status": 302, "to": "/sign-in/second-step", "who": "", "told": ""}


def test_who_has_no_password_signs_in_there_again_and_goes_on_with_what_was_posted(came_to: Any) -> None:
    assert came_to["again"] == [403, True, "/account/go-on", True, 200]


def test_no_other_page_of_the_library_is_there(came_to: Any) -> None:
    assert came_to["other_addresses"] == [404, 404]


def test_nothing_of_it_is_there_when_it_is_not_set_up() -> None:
    assert not apps.is_installed("allauth.socialaccount")
    assert Client().get("/single-sign-on/oidc/login/").status_code == 404


def environ(monkeypatch: pytest.MonkeyPatch, **changed: str) -> None:
    for name, value in {**SET, **changed}.items():
        monkeypatch.setenv(name, value)


def test_its_variables_come_together_for_team_mode_and_by_https(monkeypatch: pytest.MonkeyPatch) -> None:
    assert single_sign_on.from_environment(team=True) is None
    environ(monkeypatch)
    found = single_sign_on.from_environment(team=True)
    assert found is not None
    assert (found.issuer, found.name) == ("https://id.example.com/realm", "OpenID Connect")
    with pytest.raises(ImproperlyConfigured, match="team mode"):
        single_sign_on.from_environment(team=False)
    for name, value, words in (
        ("KEYWRIGHT_OIDC_CLIENT_SECRET", "", "Set KEYWRIGHT_OIDC_CLIENT_SECRET"),
        ("KEYWRIGHT_OIDC_ISSUER", "http://id.example.com", "https://"),
        ("KEYWRIGHT_OIDC_GROUPS", "admins=x:owner", "GROUP=TEAM:ROLE"),
        ("KEYWRIGHT_OIDC_GROUPS", "a=1:viewer;=2:owner", "GROUP=TEAM:ROLE"),
        ("KEYWRIGHT_OIDC_GROUPS", "a=1:chief", "owner, editor, viewer"),
        ("KEYWRIGHT_OIDC_ISSUER", "id.example.com", "https://"),
    ):
        environ(monkeypatch, **{name: value})
        with pytest.raises(ImproperlyConfigured, match=words):
            single_sign_on.from_environment(team=True)
