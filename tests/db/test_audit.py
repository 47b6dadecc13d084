"""The audit log: acts are added with who, when, from where and on what, and nothing takes them away."""

import datetime
import json
from io import StringIO

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from designer.models import AuditEvent, Person, Team
from designer.models.audit import AppendOnlyError


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


def test_nothing_changes_or_removes_a_row() -> None:
    row = AuditEvent.objects.create(kind="signed_in", person="ana@example.com")

    for act in (row.save, row.delete, AuditEvent.objects.all().delete):
        with pytest.raises(AppendOnlyError):
            act()
    with pytest.raises(AppendOnlyError):
        AuditEvent.objects.update(person="ben@example.com")
    assert AuditEvent.objects.get().person == "ana@example.com"


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
