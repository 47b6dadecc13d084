"""Sessions: their list, and how they end."""

import datetime
from io import StringIO
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.core import mail
from django.core.cache import cache
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from designer.models import AuditEvent, Person, SignIn
from designer.wording.browsers import describe_browser

PASSWORD = "columns-wide-open"
FIREFOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:143.0) Gecko/20100101 Firefox/143.0"


@pytest.fixture
def ana(settings: Any) -> Person:
    settings.KEYWRIGHT_MODE = "team"
    cache.clear()
    return Person.objects.create_user("ana@example.com", PASSWORD, name="Ana")


def signed_in(**environ: Any) -> Client:
    client = Client(**environ)
    assert client.post("/sign-in", {"username": "ana@example.com", "password": PASSWORD}).status_code == 302
    return client


def is_in(client: Client) -> bool:
    return client.get("/account").status_code == 200


def test_the_list_says_which_browser_from_where_and_when(ana: Person) -> None:
    signed_in(REMOTE_ADDR="192.0.2.7", headers={"User-Agent": FIREFOX})
    here = signed_in(REMOTE_ADDR="198.51.100.1", headers={"User-Agent": "<b>curl</b>/8"})
    SignIn.objects.filter(address="192.0.2.7").update(seen=timezone.now() - datetime.timedelta(hours=3))

    page = here.get("/account").content.decode()
    assert "Firefox on Windows" in page
    assert "192.0.2.7" in page
    assert "last seen 3 hours ago" in page
    assert "<b>curl" not in page
    assert page.index("this session") < page.index("Firefox on Windows")
    assert SignIn.objects.first().methods == "password"  # type: ignore[union-attr]


def test_one_session_is_signed_out_and_no_other(ana: Person) -> None:
    first, second, here = signed_in(), signed_in(), signed_in()
    row = SignIn.objects.order_by("pk").first()
    assert row is not None

    assert here.post(f"/account/sessions/{row.pk}/end").status_code == 302
    assert [is_in(client) for client in (first, second, here)] == [False, True, True]
    assert here.post(f"/account/sessions/{row.pk}/end").status_code == 404
    own = SignIn.objects.get(session_key=here.session.session_key)
    assert here.post(f"/account/sessions/{own.pk}/end").status_code == 404


def test_all_others_are_signed_out_at_once(ana: Person) -> None:
    first, here = signed_in(), signed_in()

    assert here.post("/account/sessions/end").status_code == 302
    assert [is_in(client) for client in (first, here)] == [False, True]
    assert SignIn.objects.count() == 1
    assert AuditEvent.objects.filter(kind="session_ended").get().subject == "all others: 1"


def test_nobody_ends_a_session_of_another_person(ana: Person) -> None:
    anas = signed_in()
    ben = Client()
    ben.force_login(Person.objects.create_user("ben@example.com"))

    row = SignIn.objects.get(person=ana)
    assert ben.post(f"/account/sessions/{row.pk}/end").status_code == 404
    ben.post("/account/sessions/end")
    assert is_in(anas)


def test_sessions_end_with_another_password_however_it_came(ana: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    first, here = signed_in(), signed_in()
    words = {"old_password": PASSWORD, "new_password1": "other-wide-columns", "new_password2": "other-wide-columns"}

    assert here.post("/account", words).status_code == 302
    assert [is_in(client) for client in (first, here)] == [False, True]
    assert SignIn.objects.get().session_key == here.session.session_key
    monkeypatch.setenv("KEYWRIGHT_PASSWORD", "third-wide-columns")
    call_command("set_password", "ana@example.com", stdout=StringIO())
    assert not is_in(here)
    assert not SignIn.objects.exists()


def test_passwords_have_128_characters_at_most_and_their_change_is_told_by_mail(ana: Person, settings: Any) -> None:
    settings.EMAIL_HOST = "mail.example.com"
    here = signed_in()
    for count, status in ((129, 422), (128, 302)):
        words = {"old_password": PASSWORD, "new_password1": "天" * count, "new_password2": "天" * count}
        assert here.post("/account", words).status_code == status

    (message,) = mail.outbox
    assert (message.to, "The password of your Keywright account was changed" in message.body) == (
        ["ana@example.com"], True,
    )  # fmt: skip


def test_who_gets_another_password_by_command_is_told_by_mail(
    ana: Person, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.EMAIL_HOST = "mail.example.com"
    monkeypatch.setenv("KEYWRIGHT_PASSWORD", "quite-long-words")
    call_command("set_password", ana.email, stdout=StringIO())

    (message,) = mail.outbox
    assert message.to == [ana.email]
    assert "password of your Keywright account was changed" in message.body


def test_sessions_end_with_the_account(ana: Person) -> None:
    here = signed_in()
    Person.objects.update(is_active=False)

    assert not is_in(here)


def test_signing_out_takes_the_session_off_the_list(ana: Person) -> None:
    here = signed_in()
    here.post("/sign-out")

    assert not SignIn.objects.exists()


def test_what_ended_by_itself_is_not_listed_and_is_forgotten_at_the_next_sign_in(ana: Person) -> None:
    signed_in()
    Session.objects.update(expire_date=timezone.now() - datetime.timedelta(seconds=1))

    assert not SignIn.objects.current(ana).exists()
    signed_in()
    assert SignIn.objects.count() == 1


def test_addresses_and_browsers_go_with_sessions_that_ended(ana: Person) -> None:
    signed_in()
    Session.objects.update(expire_date=timezone.now() - datetime.timedelta(seconds=1))
    signed_in()
    ended = SignIn.objects.create(person=ana, session_key="gone")

    call_command("purge", stdout=StringIO())

    assert SignIn.objects.count() == 1
    assert not SignIn.objects.filter(pk=ended.pk).exists()


def test_use_is_noted_every_few_minutes_with_the_present_address(ana: Person) -> None:
    here = signed_in(REMOTE_ADDR="192.0.2.7")
    long_ago = timezone.now() - datetime.timedelta(days=2)
    SignIn.objects.update(seen=long_ago)

    here.get("/account", REMOTE_ADDR="203.0.113.9")
    row = SignIn.objects.get()
    assert (row.seen > long_ago, row.address) == (True, "203.0.113.9")
    SignIn.objects.update(seen=long_ago)
    here.get("/account")
    assert SignIn.objects.get().seen == long_ago


@pytest.mark.parametrize(
    ("agent", "words"),
    [
        (FIREFOX, "Firefox on Windows"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605 Safari/604", "Safari on iPhone"),
        ("Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/142.0 Safari/537.36 Edg/142.0", "Edge on Linux"),
        ("curl/8.5.0", "curl"),
        ("", "Unknown browser"),
    ],
)
def test_browsers_are_named_by_what_they_call_themselves(agent: str, words: str) -> None:
    assert str(describe_browser(agent)) == words
