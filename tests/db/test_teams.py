"""Teams: their people, roles, invitations; sign-in and what a stranger may not do."""

import datetime
import re
from typing import Any

import pytest
from django.core import mail
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from designer.document import Spec
from designer.models import Attempt, Design, Invitation, LastOwnerError, Membership, Person, Team
from designer.views.accounts import teams
from designer.views.accounts.limits import MOST_OF_ACCOUNT

PASSWORD = "columns-wide-open"


@pytest.fixture(autouse=True)
def _team_mode(settings: Any) -> None:
    settings.KEYWRIGHT_MODE = "team"


@pytest.fixture
def ana() -> Person:
    return Person.objects.create_user("ana@example.com", PASSWORD, name="Ana")


@pytest.fixture
def team(ana: Person) -> Team:
    team = Team.objects.create(name="Platform")
    team.add(ana, "owner")
    return team


def signed_in(person: Person) -> Client:
    client = Client()
    client.force_login(person)
    return client


def link_of(client: Client, team: Team, **more: str) -> str:
    page = client.post(f"/teams/{team.pk}/invite", {"role": "editor", **more}).content.decode()
    found = re.search(r'value="http://testserver(/invitations/[^"]+)"', page)
    assert found
    return found[1]


def test_the_last_owner_cannot_leave_and_cannot_become_less(team: Team, ana: Person) -> None:
    client = signed_in(ana)

    first = client.post(f"/teams/{team.pk}/people/{ana.pk}/remove", headers={"Referer": "http://testserver/teams/1/"})
    for answer in (
        first,
        client.post(f"/teams/{team.pk}/people/{ana.pk}/role", {"role": "viewer"}),
    ):
        assert answer.status_code == 409
        assert "needs an owner" in answer.content.decode()
    assert '<a href="http://testserver/teams/1/">Go back</a>' in first.content.decode()
    elsewhere = client.post(f"/teams/{team.pk}/people/{ana.pk}/remove", headers={"Referer": "http://evil.example/"})
    assert "evil" not in elsewhere.content.decode()
    with pytest.raises(LastOwnerError):
        team.remove(ana)
    assert ana.role_in(team.pk) == "owner"


def test_an_owner_leaves_when_there_is_another(team: Team, ana: Person) -> None:
    ben = Person.objects.create_user("ben@example.com")
    team.add(ben, "owner")

    signed_in(ana).post(f"/teams/{team.pk}/people/{ana.pk}/remove")

    assert list(team.people.all()) == [ben]


def test_an_invitation_makes_a_member_of_a_stranger_with_a_new_account(team: Team, ana: Person) -> None:
    link, stranger = link_of(signed_in(ana), team), Client()
    assert "Ana invites you as editor" in stranger.get(link).content.decode()

    answer = stranger.post(link, {"name": "Ben", "email": "Ben@Example.com", "password": PASSWORD})

    assert answer["Location"] == "/"
    assert Person.objects.get(email="ben@example.com").role_in(team.pk) == "editor"
    assert stranger.get(link).status_code == 404  # once


def test_an_invitation_makes_a_member_of_who_is_signed_in_and_keeps_a_role_they_have(team: Team, ana: Person) -> None:
    ben = Person.objects.create_user("ben@example.com")
    team.add(ben, "viewer")

    signed_in(ben).post(link_of(signed_in(ana), team))

    assert ben.role_in(team.pk) == "viewer"
    assert Invitation.objects.get().taken_by == ben


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("email", "ana@example.com", "already exists: sign in, then open the link again"),
        ("email", "nobody", "valid email"),
        ("password", "eleven-long", "too short"),
        ("password", "two          words", "too short"),
        ("password", "administrator", "too common"),
    ],
)
def test_what_does_not_do_for_an_account_is_said_and_the_invitation_stays(
    team: Team, ana: Person, field: str, value: str, said: str
) -> None:
    link = link_of(signed_in(ana), team)

    answer = Client().post(link, {"email": "ben@example.com", "password": PASSWORD, field: value})

    assert answer.status_code == 422
    assert said in answer.content.decode()
    assert Client().get(link).status_code == 200


def test_a_withdrawn_or_ended_or_made_up_invitation_leads_nowhere(team: Team, ana: Person) -> None:
    client = signed_in(ana)
    withdrawn, ended = link_of(client, team), link_of(client, team)
    client.post(f"/teams/{team.pk}/invitations/{Invitation.objects.order_by('pk')[0].pk}/withdraw")
    Invitation.objects.update(ends="2020-01-01T00:00Z")

    told = [Client().get(link) for link in (withdrawn, ended, "/invitations/x")]
    assert [answer.status_code for answer in told] == [404, 404, 404]
    assert all("Ask the sender for a new invitation." in answer.content.decode() for answer in told)


JOINING = {"email": "new@example.com", "password": PASSWORD, "name": "New"}


def test_who_is_second_by_an_invitation_gets_no_account_either(
    team: Team, ana: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    link, client = link_of(signed_in(ana), team), Client()

    def somebody_is_quicker(*_: Any) -> None:
        Invitation.objects.update(taken_by=ana)

    monkeypatch.setattr(teams, "validate_password", somebody_is_quicker)
    answer = client.post(link, JOINING)

    assert answer.status_code == 404
    assert not Person.objects.by_email("new@example.com")
    assert client.get("/teams/").status_code == 302


def test_an_account_that_is_made_twice_at_once_is_made_once(
    team: Team, ana: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = link_of(signed_in(ana), team)

    def the_other_is_quicker(*_: Any) -> None:
        Person.objects.create_user("new@example.com", PASSWORD)

    monkeypatch.setattr(teams, "validate_password", the_other_is_quicker)
    answer = Client().post(link, JOINING)

    assert answer.status_code == 422
    assert "already exists" in answer.content.decode()
    assert Invitation.objects.get().taken_by is None


def test_a_role_brings_nobody_back_who_was_removed_meanwhile(team: Team, ana: Person) -> None:
    ben = Person.objects.create_user("ben@example.com", PASSWORD)
    team.add(ben, "editor")
    team.remove(ben)

    assert not team.change_role(ben, "owner", by=ana)
    assert ben.role_in(team.pk) is None


def test_only_the_hash_of_an_invitations_token_is_stored(team: Team, ana: Person) -> None:
    token = link_of(signed_in(ana), team).rpartition("/")[2]

    assert len(token) >= 43
    assert not Invitation.objects.filter(token_hash=token).exists()
    assert Invitation.objects.find_open(token)


def test_an_invitation_is_sent_where_mail_is_set_up(team: Team, ana: Person, settings: Any) -> None:
    settings.EMAIL_HOST = "mail.example.com"

    link = link_of(signed_in(ana), team, email="ben@example.com")

    assert mail.outbox[0].to == ["ben@example.com"]
    assert f"http://testserver{link}" in mail.outbox[0].body


def test_members_who_are_no_owners_change_nothing_and_strangers_see_nothing(team: Team, ana: Person) -> None:
    ben, eve = (Person.objects.create_user(f"{name}@example.com") for name in ("ben", "eve"))
    team.add(ben, "editor")

    for path, data in (
        ("rename", {"name": "x"}),
        ("invite", {"role": "owner"}),
        (f"people/{ana.pk}/role", {"role": "viewer"}),
        (f"people/{ana.pk}/remove", {}),
    ):
        assert signed_in(ben).post(f"/teams/{team.pk}/{path}", data).status_code == 403
        assert signed_in(eve).post(f"/teams/{team.pk}/{path}", data).status_code == 404
    assert signed_in(ben).get(f"/teams/{team.pk}/").status_code == 200
    assert signed_in(eve).get(f"/teams/{team.pk}/").status_code == 404
    assert Membership.objects.filter(team=team).count() == 2


def test_sign_in_with_the_address_in_any_case_and_out_again(ana: Person) -> None:
    client = Client()

    wrong = client.post("/sign-in", {"username": "ana@example.com", "password": "no"})
    assert "Wrong e-mail address or password." in wrong.content.decode()
    client.session.save()
    before = client.session.session_key
    right = client.post("/sign-in", {"username": "ANA@example.com", "password": PASSWORD})
    assert right["Location"] == "/"
    during = client.session.session_key
    assert before
    assert during not in (None, before)
    client.post("/sign-out")
    assert client.get("/")["Location"] == "/sign-in?next=/"
    client.cookies["sessionid"] = str(during)
    assert client.get("/")["Location"] == "/sign-in?next=/"


def test_a_forgotten_password_is_set_anew_by_a_link(ana: Person, settings: Any) -> None:
    client, settings.EMAIL_HOST = Client(), "mail.example.com"
    client.post("/password", {"email": "ana@example.com"})
    link = re.search(r"http://testserver(\S+)", mail.outbox[0].body)
    assert link
    form = client.get(link[1], follow=True).request["PATH_INFO"]

    client.post(form, {"new_password1": "another-wide-column", "new_password2": "another-wide-column"})

    assert client.login(username="ana@example.com", password="another-wide-column")


def test_the_first_owner_is_made_by_a_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KEYWRIGHT_PASSWORD", PASSWORD)
    call_command("create_owner", "Ana@example.com", "--team", "Platform", verbosity=0)

    ana = Person.objects.get(email="ana@example.com")
    assert ana.check_password(PASSWORD)
    assert ana.role_in(Team.objects.get(name="Platform").pk) == "owner"

    monkeypatch.setenv("KEYWRIGHT_PASSWORD", "short")
    with pytest.raises(CommandError, match="too short"):
        call_command("create_owner", "ben@example.com")
    with pytest.raises(CommandError, match="no e-mail address"):
        call_command("create_owner", "nobody")


def wrongly(client: Client, email: str, times: int, **more: Any) -> list[int]:
    posted = {"username": email, "password": "no"}
    return [client.post("/sign-in", posted, **more).status_code for _ in range(times)]


def test_after_too_many_wrong_passwords_an_account_is_closed_for_a_while_even_to_the_right_one(
    ana: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert wrongly(Client(), "ana@example.com", MOST_OF_ACCOUNT) == [422] * MOST_OF_ACCOUNT

    right = {"username": "Ana@example.com", "password": PASSWORD}
    closed = Client().post("/sign-in", right)
    assert closed.status_code == 429
    assert "Too many attempts. Try again in 15 minutes." in closed.content.decode()
    assert closed["Retry-After"] == "900"
    assert wrongly(Client(), "ben@example.com", 1) == [422]  # others go on

    later = timezone.now() + datetime.timedelta(minutes=15, seconds=1)
    monkeypatch.setattr("django.utils.timezone.now", lambda: later)
    assert Client().post("/sign-in", right).status_code == 302
    wrongly(Client(), "ben@example.com", 1)
    assert Attempt.objects.count() == 2  # what counts no more is forgotten


def test_an_address_that_tries_many_accounts_is_closed_and_cannot_name_itself_otherwise(
    monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    monkeypatch.setattr("designer.views.accounts.sign_in.MOST_OF_ADDRESS", 3)
    settings.KEYWRIGHT_PROXIES = 1
    client = Client()

    def attempt(n: int, forwarded: str) -> int:
        return wrongly(client, f"{n}@example.com", 1, headers={"X-Forwarded-For": forwarded})[0]

    assert [attempt(n, f"10.0.0.{n}, 192.0.2.7") for n in range(4)] == [422, 422, 422, 429]
    assert attempt(5, "192.0.2.8") == 422


def test_signing_in_forgets_ones_own_slips_and_no_address_is_stored(ana: Person) -> None:
    client = Client()
    wrongly(client, "ana@example.com", MOST_OF_ACCOUNT - 1)

    assert client.post("/sign-in", {"username": "ana@example.com", "password": PASSWORD}).status_code == 302

    assert wrongly(Client(), "ana@example.com", 1) == [422]
    assert not Attempt.objects.filter(about__contains="ana").exists()


@pytest.mark.parametrize(
    ("asked", "leads"), [("/teams/", "/teams/"), ("https://evil.example/", "/"), ("//evil.example", "/")]
)
def test_signing_in_leads_on_to_where_somebody_wanted_to_go_and_never_elsewhere(
    ana: Person, asked: str, leads: str
) -> None:
    answer = Client().post("/sign-in", {"username": "ana@example.com", "password": PASSWORD, "next": asked})

    assert answer["Location"] == leads
    assert signed_in(ana).get("/sign-in", {"next": asked})["Location"] == leads
    cookie = answer.cookies["sessionid"]
    assert (cookie["httponly"], cookie["samesite"]) == (True, "Lax")


def test_a_site_that_nobody_has_an_account_on_says_how_the_first_owner_is_made() -> None:
    assert "create_owner" in Client().get("/sign-in").content.decode()
    Person.objects.create_user("ana@example.com")
    assert "create_owner" not in Client().get("/sign-in").content.decode()


def test_without_mail_there_is_no_password_link_and_the_page_says_who_can_help(ana: Person) -> None:
    assert Client().get("/password").status_code == 404
    assert Client().get("/password/sent").status_code == 404
    assert Client().get("/password/MQ/x-y").status_code == 404
    assert "The administrator can set a new one." in Client().get("/sign-in").content.decode()


def test_links_for_a_new_password_are_not_sent_without_end(ana: Person, settings: Any) -> None:
    settings.EMAIL_HOST = "mail.example.com"

    codes = [Client().post("/password", {"email": "ana@example.com"}).status_code for _ in range(6)]

    assert codes == [302] * 5 + [429]
    assert len(mail.outbox) == 5
    link = re.search(r"/password/\S+", str(mail.outbox[0].body))
    assert link
    client, new = Client(), "another-wide-column"
    form = client.get(link[0])["Location"]
    done = client.post(form, {"new_password1": new, "new_password2": new}, follow=True)
    assert "The new password is set. Sign in with it." in done.content.decode()


def test_a_person_changes_their_name_and_password(ana: Person) -> None:
    client = signed_in(ana)

    client.post("/account", {"name": " Ana <b> "})
    assert "Ana &lt;b&gt;" in client.get("/account").content.decode()

    new = {"new_password1": "another-wide-column", "new_password2": "another-wide-column"}
    wrong = client.post("/account", {"old_password": "no", **new})
    assert wrong.status_code == 422
    assert client.post("/account", {"old_password": PASSWORD, **new, "new_password2": "x"}).status_code == 422
    elsewhere = signed_in(ana)
    assert client.post("/account", {"old_password": PASSWORD, **new})["Location"] == "/account?done=password"
    assert client.get("/account").status_code == 200
    assert elsewhere.get("/account").status_code == 302
    assert Client().login(username="ana@example.com", password="another-wide-column")


def test_a_forgotten_password_is_set_by_a_command(ana: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    wrongly(Client(), "ana@example.com", MOST_OF_ACCOUNT)
    monkeypatch.setenv("KEYWRIGHT_PASSWORD", "another-wide-column")

    call_command("set_password", "ANA@example.com", verbosity=0)

    posted = {"username": "ana@example.com", "password": "another-wide-column"}
    assert Client().post("/sign-in", posted).status_code == 302
    for nobody in ("eve@example.com", "you@localhost"):
        with pytest.raises(CommandError, match="No account has the address"):
            call_command("set_password", nobody)


def test_a_mistyped_address_of_an_invitation_is_said_in_place_and_stays(team: Team, ana: Person) -> None:
    answer = signed_in(ana).post(f"/teams/{team.pk}/invite", {"email": "ben@", "role": "viewer"})

    text = answer.content.decode()
    assert answer.status_code == 422
    assert "Enter a valid e-mail address." in text
    assert 'value="ben@"' in text
    assert '<option value="viewer" selected>' in text
    assert not Invitation.objects.exists()


def test_teams_say_how_many_people_and_designs_they_have(team: Team, ana: Person) -> None:
    team.add(Person.objects.create_user("ben@example.com"), "viewer")
    for name in ("a", "b", "c"):
        Design.objects.start(Spec(name=name), team=team, by=ana)
    Design.objects.filter(title="c").update(deleted=timezone.now())

    text = signed_in(ana).get("/teams/").content.decode()

    assert "2 people" in text
    assert "2 designs" in text


def test_on_ones_own_machine_there_is_no_sign_in_and_no_team_page(settings: Any) -> None:
    settings.KEYWRIGHT_MODE = "embedded"
    client = Client()

    assert client.get("/sign-in")["Location"] == "/"
    for address in ("/account", "/teams/", "/teams/1/", "/password", "/invitations/x", "/sign-out"):
        assert client.get(address).status_code == 404, address
    page = client.get("/").content.decode()
    assert "Sign out" not in page
    assert "/teams/" not in page
