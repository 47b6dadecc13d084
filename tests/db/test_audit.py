"""The audit log: acts are added with who, when, from where and on what, and nothing takes them away."""

import datetime
import json
from io import StringIO
from pathlib import Path
from typing import get_args

import pytest
from django.contrib.auth.hashers import make_password
from django.contrib.auth.tokens import default_token_generator
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlsafe_base64_encode
from pytest_django import DjangoAssertNumQueries

from designer.document.edits import Set
from designer.examples import example
from designer.models import AuditEvent, Design, Person, Team, Token
from designer.models.audit import AppendOnlyError
from designer.views.accounts import team_log
from designer.views.audit import Kind
from reviews.models import Link
from tests.db.test_permissions import Scene, scene  # noqa: F401


def acts() -> list[tuple[str, str, str]]:
    return list(AuditEvent.objects.order_by("pk").values_list("kind", "person", "subject"))


def test_signing_in_and_out_is_recorded_with_its_address(settings) -> None:
    settings.KEYWRIGHT_MODE = "team"
    Person.objects.create_user("ana@example.com", "quite-long-words")
    client = Client(REMOTE_ADDR="192.0.2.7")

    client.post("/sign-in", {"username": "Ana@example.com", "password": "wrong"})
    client.post("/sign-in", {"username": "ana@example.com", "password": "quite-long-words"})
    client.post("/sign-out")

    assert [kind for kind, *_ in acts()] == ["sign_in_failed", "signed_in", "signed_out"]
    assert set(AuditEvent.objects.values_list("person", "address")) == {("ana@example.com", "192.0.2.7")}


def test_what_owners_do_to_a_team_is_recorded(anas: Client, team: Team) -> None:
    ben = Person.objects.create_user("ben@example.com", "quite-long-words")
    team.add(ben, "viewer")
    AuditEvent.objects.all()._raw_delete("default")

    anas.post(f"/teams/{team.pk}/invite", {"role": "editor", "email": "cleo@example.com"})
    anas.post(f"/teams/{team.pk}/tokens", {"name": "CI", "scope": "read"})
    anas.post(f"/teams/{team.pk}/people/{ben.pk}/role", {"role": "editor"})
    anas.post(f"/teams/{team.pk}/people/{ben.pk}/remove")

    assert [(kind, subject) for kind, _, subject in acts()] == [
        ("invitation_created", "cleo@example.com: editor"),
        ("token_created", "CI (read)"),
        ("role_changed", "ben@example.com: editor"),
        ("member_removed", "ben@example.com"),
    ]
    assert set(AuditEvent.objects.values_list("team", flat=True)) == {team.pk}


def test_what_is_done_to_teams_and_designs_is_recorded(anas: Client, ana: Person, team: Team) -> None:
    design = Design.objects.start(example("timestamp-first").spec, team=team, by=ana)
    design.apply(Set(at="", name="name", value="Orders", was=design.spec.name), by=ana)
    key, invited = design.key, team.invite("viewer", by=ana, email="cleo@example.com")[0]
    AuditEvent.objects.all()._raw_delete("default")

    anas.post("/teams/new", {"name": "Search"})
    anas.post(f"/teams/{team.pk}/rename", {"name": "Core"})
    for _ in range(2):  # the second time there is nothing to withdraw
        anas.post(f"/teams/{team.pk}/invitations/{invited.pk}/withdraw")
    anas.post(f"/designs/{key}/copy", {"team": team.pk})
    anas.post(f"/designs/{key}/archive")
    anas.post(f"/designs/{key}/archive", {"back": ""})
    anas.post(f"/designs/{key}/history/1/restore")
    design.refresh_from_db()
    assert anas.get(f"/designs/{key}/of/{design.head_id}/export/cbt.zip").status_code == 200

    assert [kind for kind, *_ in acts()] == [
        "team_created", "team_renamed", "invitation_withdrawn", "design_copied", "design_archived", "design_unarchived",
        "revision_restored", "design_exported",
    ]  # fmt: skip
    assert {person for _, person, _ in acts()} == {"ana@example.com"}
    assert all(subject for *_, subject in acts())


def test_a_refusal_of_a_later_time_hides_no_other(client: Client, ana: Person) -> None:
    ahead = timezone.now() + datetime.timedelta(days=365)
    AuditEvent.objects.create(kind="sign_in_refused", person=ana.email, address="127.0.0.1", at=ahead)
    for _ in range(12):
        client.post("/sign-in", {"username": ana.email, "password": "wrong"})

    assert [kind for kind, *_ in acts()].count("sign_in_refused") == 2


def test_who_is_refused_by_a_limit_is_recorded(client: Client, ana: Person) -> None:
    for _ in range(11):
        client.post("/sign-in", {"username": "ana@example.com", "password": "wrong"})

    assert [kind for kind, *_ in acts()] == ["sign_in_failed"] * 10 + ["sign_in_refused"]


def test_who_goes_on_after_a_refusal_adds_no_more(client: Client, ana: Person) -> None:
    for _ in range(14):
        client.post("/sign-in", {"username": "ana@example.com", "password": "wrong"})
    client.post("/sign-in", {"username": "ana@example.com", "password": "wrong"}, REMOTE_ADDR="192.0.2.9")

    refused = [
        address for kind, address in AuditEvent.objects.values_list("kind", "address") if kind == "sign_in_refused"
    ]
    assert refused == ["127.0.0.1", "192.0.2.9"]


def test_what_is_typed_in_place_of_an_account_is_not_stored(client: Client, ana: Person) -> None:
    client.post("/sign-in", {"username": "my-secret-password", "password": "ana@example.com"})

    assert acts() == [("sign_in_failed", "", "unknown account")]


def test_passwords_and_mails_that_a_limit_refuses_are_recorded(anas: Client, client: Client, settings) -> None:
    settings.EMAIL_HOST = "mail.example.com"
    AuditEvent.objects.all()._raw_delete("default")
    for _ in range(12):
        anas.post("/account", {"old_password": "wrong", "new_password1": "x", "new_password2": "x"})
    for _ in range(8):
        client.post("/password", {"email": "nobody@example.com"})

    assert acts() == [
        ("password_refused", "ana@example.com", ""), ("reset_mail_refused", "", "unknown account"),
    ]  # fmt: skip


def test_an_act_and_its_entry_are_stored_together_or_not_at_all(
    anas: Client, team: Team, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise DatabaseError("disk full")

    monkeypatch.setattr(AuditEvent.objects, "create", fail)
    name = team.name
    with pytest.raises(DatabaseError):
        anas.post(f"/teams/{team.pk}/rename", {"name": "Core"})
    with pytest.raises(DatabaseError):
        anas.post("/teams/new", {"name": "Search"})
    with pytest.raises(DatabaseError):
        call_command("api_token", "CI", owner="ana@example.com", stdout=StringIO())
    assert not Token.objects.exists()
    team.refresh_from_db()
    assert team.name == name
    assert not Team.objects.filter(name="Search").exists()


def test_files_are_recorded_when_they_are_taken(anas: Client, ana: Person, team: Team, client: Client) -> None:
    design = Design.objects.start(example("timestamp-first").spec, team=team, by=ana)
    text = Token.objects.issue(team, name="CI", scope="read", by=ana)[1]
    address = f"/designs/{design.key}/of/{design.head_id}/export/cbt.zip"
    AuditEvent.objects.all()._raw_delete("default")

    assert anas.head(address).status_code == 200
    assert acts() == []
    bearer = {"Authorization": f"Bearer {text}"}
    assert client.get(f"/api/v1/designs/{design.key}/exports/json", headers=bearer).status_code == 200
    ((kind, person, subject),) = acts()
    assert (kind, person) == ("design_exported", "token CI")
    assert subject.startswith(design.key)
    assert ".json" in subject

    AuditEvent.objects.all()._raw_delete("default")
    assert client.head(f"/api/v1/designs/{design.key}/exports/json", headers=bearer).status_code == 200
    for place in ("", "history/1/", f"of/{design.head_id}/"):
        assert anas.head(f"/designs/{design.key}/{place}design.json").status_code == 200
        assert anas.get(f"/designs/{design.key}/{place}design.json").status_code == 200
    name = f"{design.key} {design.title}, 1: design-{design.key}-r1.json"
    assert acts() == [("design_exported", "ana@example.com", name)] * 3


def test_a_copy_for_another_team_is_in_the_log_of_the_team_that_it_leaves(ana: Person, team: Team) -> None:
    ben, own = Person.objects.create_user("ben@example.com", name="ben"), Team.objects.create(name="Own")
    team.add(ben, "viewer")
    own.add(ben, "owner")
    design = Design.objects.start(example("timestamp-first").spec, team=team, by=ana)
    bens = Client()
    bens.force_login(ben)

    bens.post(f"/designs/{design.key}/copy", {"team": own.pk})

    copies = AuditEvent.objects.filter(kind="design_copied")
    assert sorted(copies.values_list("team", "person")) == [(team.pk, ben.email), (own.pk, ben.email)]
    assert all(subject.startswith(design.key) for subject in copies.values_list("subject", flat=True))


def test_a_password_that_was_reset_by_mail_is_recorded_once(client: Client, ana: Person, settings) -> None:
    settings.EMAIL_HOST = "mail.example.com"
    uid = urlsafe_base64_encode(str(ana.pk).encode())
    begin = client.post(reverse("password_reset_confirm", args=[uid, default_token_generator.make_token(ana)]))
    passwords = {"new_password1": "other-long-words", "new_password2": "other-long-words"}
    assert acts() == []

    assert client.post(begin["Location"], passwords).status_code == 302
    assert acts() == [("password_reset", "ana@example.com", "")]


def test_what_commands_do_to_accounts_is_recorded(ana: Person, team: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KEYWRIGHT_PASSWORD", "quite-long-words")
    call_command("create_owner", "ben@example.com", team="New", stdout=StringIO())
    call_command("set_password", "ana@example.com", stdout=StringIO())
    call_command("api_token", "CI", owner="ana@example.com", stdout=StringIO())

    assert acts() == [
        ("team_created", "command line", "ben@example.com: owner"),
        ("password_reset", "command line", "ana@example.com"),
        ("token_created", "command line", "CI (read)"),
    ]


def test_nothing_changes_or_removes_a_row() -> None:
    row = AuditEvent.objects.create(kind="signed_in", person="ana@example.com")

    for act in (row.save, row.delete, AuditEvent.objects.all().delete):
        with pytest.raises(AppendOnlyError):
            act()
    with pytest.raises(AppendOnlyError):
        AuditEvent.objects.update(person="ben@example.com")
    assert AuditEvent.objects.get().person == "ana@example.com"


def test_the_database_itself_refuses_to_change_a_row() -> None:
    row = AuditEvent.objects.create(kind="signed_in", person="ana@example.com")

    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("UPDATE designer_auditevent SET person = 'ben@example.com' WHERE id = %s", [row.pk])
    row.refresh_from_db()
    assert row.person == "ana@example.com"


def test_every_kind_of_act_is_tested() -> None:
    """A test names each beside what makes it, so that none is recorded by nobody."""
    texts = "".join(path.read_text() for path in (Path(__file__).parents[1]).rglob("test_*.py"))

    assert not [kind for kind in get_args(Kind) if f'"{kind}"' not in texts]


def test_rows_end_with_the_retention_period(settings) -> None:
    settings.KEYWRIGHT_AUDIT_DAYS = 30
    for days in (29, 31):
        AuditEvent.objects.create(kind="signed_in", at=timezone.now() - datetime.timedelta(days=days))

    assert AuditEvent.objects.all().purge() == 1
    assert AuditEvent.objects.count() == 1


def test_the_command_prints_one_object_a_line() -> None:
    AuditEvent.objects.create(kind="design_deleted", person="ana@example.com", subject="x\u202e天", team=3)
    AuditEvent.objects.create(kind="signed_in", person="ben@example.com")
    out = StringIO()

    call_command("audit_log", kind="design_deleted", since=timezone.now().date(), stdout=out)

    (line,) = out.getvalue().splitlines()
    assert "\u202e" not in line
    told = json.loads(line)
    assert (told["person"], told["team"], told["subject"]) == ("ana@example.com", 3, "x\u202e天")


def test_owners_read_what_happened_in_their_team_and_nothing_of_others(anas: Client, ana: Person, team: Team) -> None:
    other = Team.objects.create(name="Other")
    rows = [
        ("member_removed", "ana@example.com", team.pk, "ben@example.com"), ("signed_in", "ana@example.com", None, ""),
        ("link_created", "ana@example.com", team.pk, "<b>draft</b>"), ("signed_in", "zoe@example.com", None, ""),
        ("role_changed", "ana@example.com", other.pk, "eve@example.com"), ("password_reset", "command line", None, ""),
    ]  # fmt: skip
    AuditEvent.objects.all()._raw_delete("default")
    for kind, person, of, subject in rows:
        AuditEvent.objects.create(kind=kind, person=person, team=of, subject=subject)
    address = f"/teams/{team.pk}/log"

    page = anas.get(address).content.decode()
    assert page.index("&lt;b&gt;draft") < page.index("Member removed</strong> <span>ben@example.com")
    assert page.count("<time") == 3
    assert not [text for text in ("zoe@", "eve@", "command line", "<b>") if text in page]
    only = anas.get(f"{address}?kind=signed_in&who={ana.pk}", headers={"HX-Request": "true"}).content.decode()
    assert (only.count("<time"), "<main" in only) == (1, False)
    zoe = Person.objects.create_user("zoe@example.com")  # of no team of ana's
    assert "No matching events." in anas.get(f"{address}?who={zoe.pk}").content.decode()

    file = b"".join(anas.get(f"{address}.ndjson?kind=").streaming_content).decode()
    assert [json.loads(line)["kind"] for line in file.splitlines()] == ["member_removed", "signed_in", "link_created"]


def test_owners_see_no_sign_in_from_before_somebody_joined(anas: Client, team: Team) -> None:
    ben = Person.objects.create_user("ben@example.com", "quite-long-words")
    AuditEvent.objects.create(kind="signed_in", person=ben.email, address="192.0.2.1")
    team.add(ben, "viewer")
    AuditEvent.objects.create(kind="signed_in", person=ben.email, address="192.0.2.2")

    page = anas.get(f"/teams/{team.pk}/log").content.decode()
    assert "192.0.2.2" in page
    assert "192.0.2.1" not in page


def test_the_log_comes_in_pages_that_count_nothing(
    anas: Client, team: Team, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    address = f"/teams/{team.pk}/log"
    for number in range(51):
        AuditEvent.objects.create(kind="team_renamed", team=team.pk, subject=f"name {number}")

    with django_assert_max_num_queries(20) as asked:
        first = anas.get(f"{address}?kind=team_renamed").content.decode()
    assert not [query for query in asked if "COUNT(" in query["sql"].upper() and "audit" in query["sql"]]
    assert (">Newer<" in first, "?page=2&amp;kind=team_renamed" in first) == (False, True)
    second = anas.get(f"{address}?page=2&kind=team_renamed").content.decode()
    assert ("name 0<" in second, ">Newer<" in second, ">Older<" in second) == (True, True, False)


def test_the_log_of_one_day(anas: Client, team: Team) -> None:
    for hour, name in ((0, "first"), (23, "last")):
        at = datetime.datetime(2026, 3, 8, hour, 59, tzinfo=datetime.UTC)
        AuditEvent.objects.create(kind="team_renamed", team=team.pk, subject=name, at=at)

    page = anas.get(f"/teams/{team.pk}/log?day=2026-03-08").content.decode()
    assert page.count("<time") == 2
    assert 'value="2026-03-08"' in page
    assert "No matching events." in anas.get(f"/teams/{team.pk}/log?day=2026-03-07").content.decode()
    assert anas.get(f"/teams/{team.pk}/log?day=0001-01-01").status_code == 200


def test_every_act_of_a_team_has_a_title() -> None:
    of_the_site = {"token_refused", "backup_written", "backup_restored", "audit_purged"}
    assert set(team_log.KINDS) == set(get_args(Kind)) - of_the_site


def test_what_is_done_with_links_tokens_files_and_passwords_is_recorded(scene: Scene) -> None:  # noqa: F811
    """Acts that other tests of this file do not do."""
    owner, person = scene.client("owner"), scene.people["owner"]
    person.set_password("quite-long-words")
    person.save()
    owner.force_login(person)
    AuditEvent.objects.all()._raw_delete("default")
    link = Link.objects.filter(pk=scene.values["link"])
    link.update(password=make_password("columns"))
    visitor = Client()
    for _ in range(11):
        visitor.post(scene.path("link_password"), {"password": "guess"})
    words = {"old_password": "quite-long-words", "new_password1": "other-long-words"}

    link.update(password="")
    owner.post("/account", words | {"new_password2": "other-long-words"})
    owner.post(scene.path("revoke_token"))
    Client().get(scene.path("link_file"))
    owner.post(scene.path("revoke_link"))
    owner.post(scene.path("delete"))
    owner.post(f"/designs/{scene.design.key}/undelete")
    owner.get(scene.path("run_file"))
    bearer = {
        "Authorization": f"Bearer {Token.objects.issue(scene.design.team, name='CI', scope='read', by=person)[1]}"
    }
    for method in ("head", "get"):
        getattr(Client(), method)(f"/api/v1{scene.path('run_file')}", headers=bearer)

    kinds = [kind for kind, *_ in acts()]
    assert kinds[:11] == ["link_password_failed"] * 10 + ["link_password_refused"]
    assert kinds[11:] == [
        "password_changed", "token_revoked", "link_file_taken", "link_revoked", "design_deleted",
        "design_brought_back", "run_downloaded", "run_downloaded",
    ]  # fmt: skip
