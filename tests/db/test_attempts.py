"""Limits on attempts: they count the account, the network and the link, however an attempt is written or timed."""

import datetime
import threading
import time
from collections import Counter
from typing import Any

import pytest
from django.contrib.auth.hashers import check_password
from django.core import mail
from django.db import connection
from django.test import Client
from django.utils import timezone

from designer.document import Spec
from designer.models import Attempt, Design, Person, Team
from designer.models.people import normal_email
from designer.views.accounts import sign_in as sign_in_page
from designer.views.accounts.limits import MOST_OF_ACCOUNT
from reviews.models import Link

PASSWORD = "columns-wide-open"
ADDRESS = "ana@example.com"
SPELLINGS = {
    "space": " ana@example.com",
    "no-break space": "\u00a0ana@example.com\u3000",
    "full width": "\uff41na@example.com",
    "full-width domain": "ana@\uff45xample.com",
    "case": "ANA@Example.COM",
    "Kelvin sign": "frank@example.com".replace("k", "\u212a"),
}


@pytest.fixture(autouse=True)
def _team_mode(settings: Any) -> None:
    settings.KEYWRIGHT_MODE, settings.EMAIL_HOST = "team", "mail.example.com"


@pytest.fixture
def people() -> dict[str, Person]:
    return {name: Person.objects.create_user(f"{name}@example.com", PASSWORD) for name in ("ana", "frank")}


def sign_in(username: str, password: str, **environ: Any) -> int:
    return Client(**environ).post("/sign-in", {"username": username, "password": password}).status_code


@pytest.mark.parametrize("spelling", SPELLINGS.values(), ids=SPELLINGS)
def test_another_spelling_of_an_address_gives_no_further_tries(
    people: dict[str, Person], spelling: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sign_in_page, "MOST_OF_ACCOUNT", 2)
    plain = "frank@example.com" if "\u212a" in spelling else ADDRESS
    for _ in range(2):
        assert sign_in(plain, "guess") == 422

    assert sign_in(spelling, "guess") == 429
    assert sign_in(spelling, PASSWORD) == 429


def test_many_spellings_count_as_one_account_and_still_sign_in(people: dict[str, Person]) -> None:
    assert sign_in(SPELLINGS["full width"], PASSWORD) == 302

    spellings = [text for text in SPELLINGS.values() if "ana" in text.lower() or "\uff41" in text]
    answers = [sign_in(spellings[n % len(spellings)], "guess") for n in range(MOST_OF_ACCOUNT + 1)]

    assert answers == [422] * MOST_OF_ACCOUNT + [429]


def test_spellings_of_an_unknown_address_count_as_one_too(people: dict[str, Person]) -> None:
    answers = [sign_in(" \uff4eobody@example.com" if n % 2 else "Nobody@example.com", "x") for n in range(11)]

    assert answers == [422] * MOST_OF_ACCOUNT + [429]


def test_no_text_counts_against_an_account_that_it_does_not_name(
    people: dict[str, Person], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sign_in_page, "MOST_OF_ACCOUNT", 2)
    pk = people["ana"].pk
    for text in (str(pk), f"account {pk}", f"{pk} ", ""):
        for _ in range(2):
            sign_in(text, "x")

    assert sign_in(ADDRESS, PASSWORD) == 302


def test_hostile_texts_are_wrong_passwords(people: dict[str, Person]) -> None:
    assert sign_in("ana\0@example.com", "x") == 400
    for text in ("a" * 5_000 + "@example.com", "\u0301\u0323" * 20_000, " " * 5_000):
        assert sign_in(text, "x") == 422


def test_a_text_too_long_for_an_address_is_not_brought_to_its_plain_form() -> None:
    accents = "a" + "\u0301\u0323" * 500_000  # this takes ten minutes

    assert normal_email(accents) is accents
    assert normal_email(" " * 300 + "ANA@example.com") == "ana@example.com"
    assert Person.objects.by_email(accents) is None


def test_the_account_page_and_the_sign_in_page_count_together(people: dict[str, Person]) -> None:
    client = Client()
    client.force_login(people["ana"])
    new = {"new_password1": "another-wide-column", "new_password2": "another-wide-column"}
    for n in range(MOST_OF_ACCOUNT):
        if n % 2:
            assert sign_in(SPELLINGS["space"], "guess") == 422
        else:
            assert client.post("/account", {"old_password": "guess", **new}).status_code == 422

    assert client.post("/account", {"old_password": PASSWORD, **new}).status_code == 429


def test_links_for_a_new_password_count_the_account(people: dict[str, Person]) -> None:
    spellings = [
        ADDRESS,
        " ana@example.com",
        "ANA@example.com",
        "ana@example.com  ",
        "ana@EXAMPLE.com",
        "Ana@example.com",
    ]
    answers = [
        Client(REMOTE_ADDR=f"192.0.2.{n}").post("/password", {"email": email}).status_code
        for n, email in enumerate(spellings)
    ]

    assert answers == [302] * 5 + [429]
    assert len(mail.outbox) == 5


@pytest.mark.parametrize(
    "addresses",
    [
        [f"2001:db8:0:7::{n:x}" for n in range(1, 6)],
        ["2001:db8:0:7::1", "2001:DB8:0:7:ffff::2", "2001:0db8:0000:0007:1:2:3:4", "[2001:db8:0:7::5]:443"],
        ["192.0.2.1", "::ffff:192.0.2.1", "192.0.2.1:5000", "::ffff:c000:201"],
        ["192.0.2.1", *(f"{'x' * 2_500}{n}, 192.0.2.1" for n in range(3))],
    ],
    ids=["interface identifiers", "spellings", "IPv4 in IPv6", "behind what a client wrote"],
)
def test_one_network_has_one_limit(addresses: list[str], monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    monkeypatch.setattr(sign_in_page, "MOST_OF_ADDRESS", 3)
    settings.KEYWRIGHT_PROXIES = 1

    answers = [
        sign_in(f"{n}@example.com", "x", headers={"X-Forwarded-For": address}) for n, address in enumerate(addresses)
    ]

    assert answers == [422] * 3 + [429] * (len(addresses) - 3)
    for other in ("2001:db8:0:8::1", "192.0.2.2", "nothing"):
        assert sign_in("5@example.com", "x", headers={"X-Forwarded-For": other}) == 422


def at_once(count: int, act: Any) -> Counter[int]:
    """What `count` threads that begin together are answered."""
    answers: list[int] = []
    gate = threading.Barrier(count)

    def run(n: int) -> None:
        try:
            gate.wait()
            answers.append(act(n))
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=[n]) for n in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return Counter(answers)


@pytest.fixture
def slow_passwords(monkeypatch: pytest.MonkeyPatch) -> None:
    """Checking a password takes a while, as it does outside of tests."""

    def slowly(*arguments: Any) -> bool:
        time.sleep(0.2)
        return check_password(*arguments)

    monkeypatch.setattr("django.contrib.auth.base_user.check_password", slowly)
    monkeypatch.setattr("reviews.models.links.check_password", slowly)


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("slow_passwords")
def test_parallel_tries_cannot_pass_the_limit_of_an_account(
    people: dict[str, Person], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sign_in_page, "MOST_OF_ACCOUNT", 3)

    assert at_once(8, lambda n: sign_in(ADDRESS, "guess")) == {422: 3, 429: 5}


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("slow_passwords")
def test_parallel_tries_cannot_pass_the_limits_of_a_link(people: dict[str, Person]) -> None:
    address = link_of(people["ana"])

    answers = at_once(14, lambda n: guess(address, "192.0.2.7"))

    assert answers == {422: 10, 429: 4}


def link_of(ana: Person) -> str:
    """The address of a link that asks for a password."""
    team = Team.objects.create(name="Platform")
    team.add(ana, "owner")
    design = Design.objects.start(Spec(name="x"), team=team, by=ana)
    token = Link.objects.start(design=design, name="Review", role="link_view", password=PASSWORD, made_by=ana)[1]
    return f"/review/{token}/password"


def guess(address: str, source: str, password: str = "guess") -> int:
    return Client(REMOTE_ADDR=source).post(address, {"password": password}).status_code


def test_who_guesses_a_links_password_keeps_nobody_else_out(people: dict[str, Person]) -> None:
    address = link_of(people["ana"])

    assert [guess(address, "192.0.2.7") for _ in range(25)] == [422] * 10 + [429] * 15

    assert guess(address, "192.0.2.7", PASSWORD) == 429
    assert guess(address, "192.0.2.8", PASSWORD) == 302


def test_many_who_guess_together_close_a_link_for_minutes(
    people: dict[str, Person], monkeypatch: pytest.MonkeyPatch
) -> None:
    address = link_of(people["ana"])
    answers = [guess(address, f"2001:db8:0:{n}::1") for n in range(25)]
    assert answers == [422] * 20 + [429] * 5
    closed = Client(REMOTE_ADDR="192.0.2.8").post(address, {"password": PASSWORD})
    assert (closed.status_code, closed["Retry-After"]) == (429, "300")

    later = timezone.now() + datetime.timedelta(minutes=5, seconds=1)
    monkeypatch.setattr("django.utils.timezone.now", lambda: later)
    assert guess(address, "192.0.2.8", PASSWORD) == 302


def test_many_right_passwords_from_one_address_close_nothing(
    people: dict[str, Person], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sign_in_page, "MOST_OF_ADDRESS", 3)
    address = link_of(people["ana"])

    assert [sign_in(ADDRESS, PASSWORD) for _ in range(5)] == [302] * 5
    assert [guess(address, "192.0.2.7", PASSWORD) for _ in range(25)] == [302] * 25
    assert not Attempt.objects.exists()
