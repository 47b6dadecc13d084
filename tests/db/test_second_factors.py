"""Second factors: codes, recovery codes and passkeys; sign-in with them, teams that require them, recent sign-ins."""

import re
import time
from collections.abc import Callable
from typing import Any

import pytest
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from django.core import mail
from django.core.management import CommandError, call_command
from django.test import Client

from designer.models import AuditEvent, Person, SignIn, Team, Token
from designer.models.factors import factors_of, recovery_codes_of
from designer.views.accounts import credentials, sign_in
from tests.passkeys import Device, b64

PASSWORD = "columns-wide-open"


@pytest.fixture
def ana(settings: Any) -> Person:
    settings.KEYWRIGHT_MODE, settings.EMAIL_HOST = "team", "mail.example.com"
    return Person.objects.create_user("ana@example.com", PASSWORD, name="Ana")


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Moves the clock that sessions and codes are told the time by."""
    shift, real = [0.0], time.time

    def move(seconds: float) -> None:
        shift[0] += seconds

    monkeypatch.setattr(time, "time", lambda: real() + shift[0])
    return move


def options(client: Client, purpose: str) -> dict[str, Any]:
    answer = client.post("/passkey-options", {"for": purpose})
    assert answer.status_code == 200
    return dict(answer.json())


def signed_in(person: Person) -> Client:
    client = Client()
    client.force_login(person)
    return client


def app_of(client: Client) -> str:
    """Set an authenticator app up; its secret."""
    secret = re.search(r"<code>([A-Z2-7 ]+)</code>", client.get("/account/factors/app").content.decode())
    assert secret is not None
    text = secret.group(1).replace(" ", "")
    answer = client.post("/account/factors/app", {"app_code": code(text)})
    assert answer.status_code in (200, 302), answer.content
    return text


def code(secret: str) -> str:
    return format_hotp_value(hotp_value(secret, int(time.time()) // 30))


def by_password(client: Client, **more: Any) -> Any:
    return client.post("/sign-in", {"username": "ana@example.com", "password": PASSWORD, "next": "/teams/", **more})


def kinds() -> list[str]:
    return list(AuditEvent.objects.order_by("pk").values_list("kind", flat=True))


def test_an_app_is_set_up_by_its_code_and_asked_for_after_the_password(ana: Person, clock: Any) -> None:
    mine, elsewhere = signed_in(ana), signed_in(ana)
    assert mine.post("/account/factors/app", {"app_code": "000000"}).status_code == 422
    secret = app_of(mine)

    assert secret not in str(factors_of(ana).get().data)
    assert elsewhere.get("/account").status_code == 302  # what was opened without it has ended
    assert mine.get("/account").status_code == 200
    assert "added" in mail.outbox[0].body

    clock(30)
    other = Client()
    assert by_password(other)["Location"] == "/sign-in/second-step"
    assert other.get("/teams/")["Location"].startswith("/sign-in")
    assert other.post("/sign-in/second-step", {"code": "123 45"}).status_code == 422
    answer = other.post("/sign-in/second-step", {"code": code(secret)})
    assert (answer.status_code, answer["Location"]) == (302, "/teams/")
    assert AuditEvent.objects.filter(kind="signed_in").last().subject == "password, code"  # type: ignore[union-attr]
    assert "second_step_failed" in kinds()


def test_a_code_works_once(ana: Person, clock: Any) -> None:
    secret = app_of(signed_in(ana))
    clock(60)
    first, second = Client(), Client()
    for client in (first, second):
        by_password(client)
    typed = code(secret)

    assert first.post("/sign-in/second-step", {"code": typed}).status_code == 302
    assert second.post("/sign-in/second-step", {"code": typed}).status_code == 422
    assert "code_reused" in kinds()
    assert "second time" in mail.outbox[-1].body
    clock(-30)
    by_password(second)
    assert second.post("/sign-in/second-step", {"code": code(secret)}).status_code == 422  # nor an older one


def test_a_code_is_worth_nothing_after_a_minute(ana: Person, clock: Any) -> None:
    secret = app_of(signed_in(ana))
    clock(60)
    typed = code(secret)
    clock(90)

    assert credentials.verify_code(ana, typed) == ("", False)
    assert credentials.verify_code(ana, code(secret)) == ("totp", False)


def test_a_removed_factor_signs_out_everywhere_else(ana: Person) -> None:
    mine = signed_in(ana)
    app_of(mine)
    other = signed_in(ana)

    mine.post(f"/account/factors/{factors_of(ana).get().pk}/remove")
    assert [client.get("/account").status_code for client in (mine, other)] == [200, 302]
    assert "A second factor was removed" in mail.outbox[-1].body


def test_recovery_codes_are_shown_once_stored_as_hashes_and_work_once(ana: Person) -> None:
    mine = signed_in(ana)
    app_of(mine)
    texts = re.findall(r"[A-Z2-7]{4}(?:-[A-Z2-7]{4}){3}", mine.post("/account/factors/codes").content.decode())

    assert len(texts) == credentials.RECOVERY_CODES
    assert not [text for text in texts if text in mine.get("/account/factors").content.decode()]
    assert texts[0].replace("-", "") not in str(recovery_codes_of(ana).data)
    first, second = Client(), Client()
    for client in (first, second):
        by_password(client)
    assert first.post("/sign-in/second-step", {"code": f" {texts[0].lower()} "}).status_code == 302
    assert second.post("/sign-in/second-step", {"code": texts[0]}).status_code == 422
    assert len(recovery_codes_of(ana).data["hashes"]) == 9
    assert "recovery code of your Keywright account was used" in mail.outbox[-1].body


def test_wrong_second_factors_close_the_way_in(ana: Person, clock: Any) -> None:
    secret = app_of(signed_in(ana))
    clock(60)
    client = Client()
    by_password(client)

    tries = [client.post("/sign-in/second-step", {"code": "x"}).status_code for _ in range(11)]
    assert tries == [422] * 10 + [429]
    assert client.post("/sign-in/second-step", {"code": code(secret)}).status_code == 429
    assert kinds().count("second_step_refused") == 1
    assert by_password(Client()).status_code == 302  # passwords have a limit of their own


def test_the_second_step_ends_with_time_and_with_another_password(ana: Person, clock: Any) -> None:
    app_of(signed_in(ana))
    assert Client().get("/sign-in/second-step")["Location"] == "/sign-in"
    late, changed = Client(), Client()
    for client in (late, changed):
        by_password(client)
    ana.set_password("other-wide-columns")
    ana.save()
    assert changed.get("/sign-in/second-step").status_code == 302
    ana.set_password(PASSWORD)
    ana.save()
    again = Client()
    by_password(again)
    assert again.get("/sign-in/second-step").status_code == 200
    clock(sign_in.PENDING_SECONDS + 1)
    assert again.get("/sign-in/second-step").status_code == 302


def enrol(client: Client, device: Device, **more: Any) -> Any:
    credential = device.create(options(client, "new"), **more)
    return client.post("/account/factors/passkey", {"name": "Laptop", "new_credential": credential})


def test_a_passkey_is_enrolled_named_and_removed(ana: Person) -> None:
    mine, device = signed_in(ana), Device()
    answer = enrol(mine, device)

    assert "Recovery codes" in answer.content.decode()
    row = factors_of(ana).get()
    assert mine.post(f"/account/factors/{row.pk}/name", {"name": "Key <b>"}).status_code == 302
    assert "Key &lt;b&gt;" in mine.get("/account/factors").content.decode()
    assert mine.post(f"/account/factors/{row.pk}/remove").status_code == 302
    assert not factors_of(ana).exists()
    assert recovery_codes_of(ana) is None
    assert kinds()[-3:] == ["factor_added", "recovery_codes_created", "factor_removed"]


@pytest.mark.parametrize(
    "more", [{"origin": "https://evil.example"}, {"flags": 0x41}], ids=["another site", "without a PIN or a finger"]
)
def test_what_another_site_or_nobody_verified_made_is_no_passkey(ana: Person, more: dict[str, Any]) -> None:
    mine = signed_in(ana)

    assert enrol(mine, Device(), **more).status_code == 422
    assert not factors_of(ana).exists()


def test_a_passkey_signs_in_alone_and_as_second_step(ana: Person) -> None:
    device = Device()
    enrol(signed_in(ana), device)
    alone, second = Client(), Client()

    answer = alone.post("/sign-in", {"credential": device.get(options(alone, "sign_in")), "next": "/teams/"})
    assert (answer.status_code, answer["Location"]) == (302, "/teams/")
    assert AuditEvent.objects.filter(kind="signed_in").last().subject == "passkey"  # type: ignore[union-attr]
    by_password(second)
    assert options(second, "second_step")["publicKey"]["allowCredentials"][0]["id"] == b64(device.id)
    answer = second.post("/sign-in/second-step", {"credential": device.get(options(second, "second_step"))})
    assert answer.status_code == 302
    assert second.get("/account").status_code == 200


def test_a_passkey_answers_one_challenge_of_one_session(ana: Person) -> None:
    device = Device()
    enrol(signed_in(ana), device)
    client, other = Client(), Client()
    answer = device.get(options(client, "sign_in"))

    assert other.post("/sign-in", {"credential": answer}).status_code == 422
    assert client.post("/sign-in", {"credential": device.get(options(client, "sign_in"), flags=1)}).status_code == 422
    assert client.post("/sign-in", {"credential": answer}).status_code == 422  # its challenge is gone
    ana.is_active = False
    ana.save()
    assert client.post("/sign-in", {"credential": device.get(options(client, "sign_in"))}).status_code == 422


def test_no_passkey_of_another_person_is_renamed_or_removed(ana: Person) -> None:
    enrol(signed_in(ana), Device())
    ben = signed_in(Person.objects.create_user("ben@example.com"))
    pk = factors_of(ana).get().pk

    assert ben.post(f"/account/factors/{pk}/name", {"name": "x"}).status_code == 404
    assert ben.post(f"/account/factors/{pk}/remove").status_code == 404


def test_another_secret_key_reads_codes_only_while_the_earlier_one_is_listed(ana: Person, settings, clock: Any) -> None:
    secret = app_of(signed_in(ana))
    clock(60)
    earlier, settings.SECRET_KEY = settings.SECRET_KEY, "y" * 50

    assert credentials.verify_code(ana, code(secret)) == ("", False)
    settings.SECRET_KEY_FALLBACKS = [earlier]
    assert credentials.verify_code(ana, code(secret)) == ("totp", False)


# --- teams that require one ---------------------------------------------------------------------------------------


@pytest.fixture
def strict(ana: Person) -> Team:
    team = Team.objects.create(name="Platform", second_factor_required=True)
    team.add(ana, "owner")
    return team


def test_an_owner_who_has_one_requires_it_of_the_team(ana: Person) -> None:
    team = Team.objects.create(name="Platform")
    team.add(ana, "owner")
    mine = signed_in(ana)
    address = f"/teams/{team.pk}/second-factor"

    assert mine.post(address, {"required": "1"}).status_code == 422
    app_of(mine)
    for _ in range(2):
        assert mine.post(address, {"required": "1"}).status_code == 302
    mine.post(address, {"required": "0"})
    assert [kind for kind in kinds() if kind.startswith("second_factor")] == [
        "second_factor_required", "second_factor_optional",
    ]  # fmt: skip


def test_who_has_none_sees_nothing_of_the_team_until_they_add_one(ana: Person, strict: Team) -> None:
    ben = Person.objects.create_user("ben@example.com")
    strict.add(ben, "editor")
    client = signed_in(ben)

    for address in ("/", "/teams/", f"/teams/{strict.pk}/", "/examples/timestamp-first/design.json"):
        assert client.get(address)["Location"] == "/account/factors"
    assert client.get("/", headers={"HX-Request": "true"})["HX-Redirect"] == "/account/factors"
    page = client.get("/account/factors").content.decode()
    assert "The team Platform requires a second factor" in page
    app_of(client)
    assert client.get("/").status_code == 200


def test_nobody_is_held_by_a_team_that_requires_one(ana: Person, strict: Team) -> None:
    ben = Person.objects.create_user("ben@example.com")
    strict.add(ben, "viewer")
    client = signed_in(ben)

    assert client.post(f"/teams/{strict.pk}/people/{ana.pk}/remove")["Location"] == "/account/factors"
    assert client.post(f"/teams/{strict.pk}/people/{ben.pk}/remove")["Location"] == "/teams/"
    assert client.get("/teams/").status_code == 200


def test_the_last_factor_stays_while_a_team_requires_one(ana: Person, strict: Team) -> None:
    client = signed_in(ana)
    app_of(client)
    row = factors_of(ana).get()

    answer = client.post(f"/account/factors/{row.pk}/remove")
    assert answer.status_code == 409
    assert "The team “Platform” requires a second factor" in answer.content.decode()
    enrol(client, Device())
    assert client.post(f"/account/factors/{row.pk}/remove").status_code == 302


def test_tokens_of_who_has_none_do_nothing_until_they_add_one(ana: Person, strict: Team, client: Client) -> None:
    text = Token.objects.issue(strict, name="CI", scope="read", by=ana)[1]
    bearer = {"Authorization": f"Bearer {text}"}

    assert client.get("/api/v1/designs", headers=bearer).status_code == 401
    app_of(signed_in(ana))
    assert client.get("/api/v1/designs", headers=bearer).status_code == 200


# --- recent sign-ins ----------------------------------------------------------------------------------------------


def test_what_does_harm_asks_again_and_goes_on_with_what_was_posted(ana: Person, clock: Any) -> None:
    team = Team.objects.create(name="Platform")
    team.add(ana, "owner")
    mine, token = signed_in(ana), {"name": "Night <build>", "scope": "write", "ends": "90"}
    clock(sign_in.RECENT_SECONDS + 1)

    asked = mine.post(f"/teams/{team.pk}/tokens", token)
    page = asked.content.decode()
    assert asked.status_code == 403
    held = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', page))
    assert (held["name"], held["scope"], held["ends"]) == ("Night &lt;build&gt;", "write", "90")
    again = mine.post(f"/teams/{team.pk}/tokens", token | {"proof": "1", "password": "wrong"})
    assert (again.status_code, "Night &lt;build&gt;" in again.content.decode()) == (422, True)
    assert not Token.objects.exists()

    assert mine.post(f"/teams/{team.pk}/tokens", token | {"proof": "1", "password": PASSWORD}).status_code == 200
    assert Token.objects.get().name == "Night <build>"
    assert mine.post(f"/teams/{team.pk}/tokens", token).status_code == 200  # for ten minutes
    assert "proof_failed" in kinds()


def test_a_webhook_that_waited_for_a_proof_keeps_each_of_its_events(ana: Person, clock: Any) -> None:
    team = Team.objects.create(name="Platform")
    team.add(ana, "owner")
    mine, address = signed_in(ana), f"/teams/{team.pk}/webhooks"
    clock(sign_in.RECENT_SECONDS + 1)

    asked = mine.post(address, {"address": "https://example.com/", "kind": ["run.ended", "verdict.given"]})
    held = re.findall(r'type="hidden" name="(address|kind)" value="([^"]*)"', asked.content.decode())
    assert not team.webhooks.exists()
    again = {"proof": ["1"], "password": [PASSWORD]}
    for name, value in held:
        again.setdefault(name, []).append(value)

    assert mine.post(address, again).status_code == 200
    assert team.webhooks.get().kinds == ["run.ended", "verdict.given"]


def test_every_act_that_does_harm_asks_and_others_do_not(ana: Person, clock: Any) -> None:
    team, ben = Team.objects.create(name="Platform"), Person.objects.create_user("ben@example.com")
    team.add(ana, "owner")
    team.add(ben, "viewer")
    mine = signed_in(ana)
    app_of(mine)
    row = factors_of(ana).get()
    clock(sign_in.RECENT_SECONDS + 1)

    signed_in(ana)
    other = SignIn.objects.filter(person=ana).latest("pk")
    base = f"/teams/{team.pk}"
    for address, data in (
        (f"/account/sessions/{other.pk}/end", {}), ("/account/sessions/end", {}),
        (f"{base}/tokens", {"name": "CI"}), (f"{base}/invite", {"role": "owner"}),
        (f"{base}/webhooks", {"address": "https://example.com/", "kind": ["run.ended", "verdict.given"]}),
        (f"{base}/people/{ben.pk}/role", {"role": "owner"}), (f"{base}/people/{ben.pk}/remove", {}),
        (f"{base}/second-factor", {"required": "1"}), (f"/account/factors/{row.pk}/remove", {}),
        ("/account/factors/codes", {}), ("/account/factors/passkey", {"name": "x"}), ("/account/factors/app", {}),
    ):  # fmt: skip
        answer = mine.post(address, data)
        assert (answer.status_code, 'name="proof"' in answer.content.decode()) == (403, True), address
    assert mine.get("/account/factors/app").status_code == 403
    assert mine.post(f"{base}/invite", {"role": "viewer"}).status_code == 200
    assert mine.post(f"{base}/rename", {"name": "Core"}).status_code == 302
    assert ben.role_in(team.pk) == "viewer"


def test_it_is_asked_who_it_is_before_a_device_makes_a_passkey(ana: Person, clock: Any) -> None:
    mine = signed_in(ana)
    clock(sign_in.RECENT_SECONDS + 1)

    assert mine.post("/passkey-options", {"for": "new"}).status_code == 403
    data = {"name": "Laptop", "new_credential": ""}
    assert mine.post("/account/factors/passkey", data).status_code == 403
    page = mine.post("/account/factors/passkey", data | {"proof": "1", "password": PASSWORD}).content.decode()
    assert re.search(r'id="passkey-name"[^>]* value="Laptop"', page)
    assert enrol(mine, Device()).status_code == 200


def test_who_has_a_second_factor_shows_that_and_not_the_password(ana: Person, clock: Any) -> None:
    team = Team.objects.create(name="Platform")
    team.add(ana, "owner")
    mine = signed_in(ana)
    secret = app_of(mine)
    clock(sign_in.RECENT_SECONDS + 1)
    address, data = f"/teams/{team.pk}/tokens", {"name": "CI", "proof": "1"}

    assert mine.post(address, data | {"password": PASSWORD}).status_code == 422
    assert mine.post(address, data | {"code": code(secret)}).status_code == 200


def test_wrong_proofs_are_limited_together_with_wrong_passwords(ana: Person, clock: Any) -> None:
    team = Team.objects.create(name="Platform")
    team.add(ana, "owner")
    mine = signed_in(ana)
    clock(sign_in.RECENT_SECONDS + 1)
    data = {"name": "CI", "proof": "1", "password": "wrong"}

    tries = [mine.post(f"/teams/{team.pk}/tokens", data).status_code for _ in range(11)]
    assert tries == [422] * 10 + [429]
    assert by_password(Client()).status_code == 429
    assert kinds().count("proof_refused") == 1


def test_the_operator_removes_second_factors_of_who_lost_them(ana: Person) -> None:
    mine = signed_in(ana)
    app_of(mine)

    call_command("reset_factors", "ana@example.com")

    assert not factors_of(ana).exists()
    assert mine.get("/account").status_code == 302
    assert by_password(Client())["Location"] == "/teams/"
    with pytest.raises(CommandError, match="No account with a second factor"):
        call_command("reset_factors", "ana@example.com")
