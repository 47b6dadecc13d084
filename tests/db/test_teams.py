"""Teams: their people, roles, invitations; sign-in and what a stranger may not do."""

import re
from typing import Any

import pytest
from django.core import mail
from django.core.management import CommandError, call_command
from django.test import Client

from designer.models import Invitation, LastOwner, Membership, Person, Team

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

    for answer in (
        client.post(f"/teams/{team.pk}/people/{ana.pk}/remove"),
        client.post(f"/teams/{team.pk}/people/{ana.pk}/role", {"role": "viewer"}),
    ):
        assert answer.status_code == 409
        assert "needs an owner" in answer.content.decode()
    with pytest.raises(LastOwner):
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
        ("email", "ana@example.com", "sign in first"),
        ("email", "nobody", "valid email"),
        ("password", "abc", "too short"),
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

    assert [Client().get(link).status_code for link in (withdrawn, ended, "/invitations/x")] == [404, 404, 404]


def test_only_the_hash_of_an_invitations_token_is_stored(team: Team, ana: Person) -> None:
    token = link_of(signed_in(ana), team).rpartition("/")[2]

    assert len(token) >= 43
    assert not Invitation.objects.filter(token_hash=token).exists()
    assert Invitation.objects.open(token)


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
    assert "do not belong together" in wrong.content.decode()
    right = client.post("/sign-in", {"username": "ANA@example.com", "password": PASSWORD})
    assert right["Location"] == "/"
    client.post("/sign-out")
    assert client.get("/")["Location"] == "/sign-in?next=/"


def test_a_forgotten_password_is_set_anew_by_a_link(ana: Person) -> None:
    client = Client()
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
