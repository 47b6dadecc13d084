"""Backups hold everything, on every database; a file that does not fit changes nothing."""

import gzip
import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from config.backups import BackupError, backup, restore
from config.backups.file_format import backed_up_models
from designer.document import Spec
from designer.document.edits import Set
from designer.models import Design, Document, Invitation, Membership, Person, Revision, Team, Webhook
from reviews.models import Link
from reviews.models.talk import create_thread


@pytest.fixture
def design() -> Design:
    ana = Person.objects.create_user("ana@example.com", "columns-wide-open", name="穴")
    ben = Person.objects.create_user("ben@example.com")
    team = Team.objects.create(name="Platform")
    team.add(ana, "owner")
    team.add(ben, "viewer")
    team.invite("editor", by=ana, email="eve@example.com")
    design = Design.objects.start(Spec(name="Ballöns 🎈"), team=team, by=ana)
    design.apply(Set(at="", name="name", value="a\0b", was="Ballöns 🎈"), by=ana)
    design.apply(Set(at="", name="horizon_months", value=24), by=ben)
    design.undo(by=ben)
    design.revisions.filter(number=2).update(name="the first")
    Design.objects.start(Spec(), team=team, by=ben, variant_of=design)
    review_design(design, ana)
    return design


def review_design(design: Design, by: Person) -> None:
    """A review with one row of everything."""
    kept = design.protect_revision(2)
    assert kept
    pinned: dict[str, Any] = {"number": 2, "document": kept.document}
    link, _ = Link.objects.start(design=design, name="outside", password="columns", made_by=by, **pinned)
    thread = create_thread(
        design, anchor='["section","keys"]', called={"message": "Keys", "params": {}}, revision=2, link=link
    )
    thread.comments.create(link=link, name="穴", visitor=True, text="a\nb 🎈")
    design.verdicts.create(section="keys", approves=True, hash="0" * 64, number=2, sha256=kept.document_id, person=by)
    design.asked.create(by=by, link=link, sections=["keys", "cost"], due="2026-12-01")
    Webhook.objects.start(design.team, address="https://example.com/", kinds=["run.ended"], by=by)[0].cursors.create(
        design=design, number=2
    )
    design.followed.create(person=by, language="ja", address="https://example.com/x/", number=2)


def write_backup() -> bytes:
    file = io.BytesIO()
    backup(file)
    return file.getvalue()


def lines(content: bytes) -> list[Any]:
    return [json.loads(line) for line in gzip.decompress(content).splitlines()]


def pack(held: list[Any]) -> io.BytesIO:
    return io.BytesIO(gzip.compress(b"\n".join(json.dumps(line).encode() for line in held)))


def everything() -> list[Any]:
    return [list(model._base_manager.order_by("pk").values()) for model in backed_up_models().values()]


def test_what_was_restored_is_what_was_there_to_the_last_field(design: Design) -> None:
    content, before = write_backup(), everything()
    Person.objects.create_user("later@example.com")
    Revision.objects.filter(undone=True).delete()
    Document.objects.filter(pk=design.head_id).update(data={})

    restore(io.BytesIO(content))

    assert everything() == before
    assert lines(write_backup())[1:] == lines(content)[1:]


def test_the_manifest_says_what_is_in_it(design: Design) -> None:
    manifest, *rows, end = lines(write_backup())

    assert manifest["keywright_backup"] == 1
    assert manifest["version"]
    assert manifest["counts"]["designer.revision"] == Revision.objects.count() == 5
    assert manifest["counts"].keys() == backed_up_models().keys() >= {"designer.invitation", "designer.document"}
    assert end == {"end": len(rows)} == {"end": sum(manifest["counts"].values())}


ELSEWHERE: list[Any] = [
    {
        "keywright_backup": 1, "version": "0.1.0", "made": "2026-11-21T12:00:00+00:00",
        "counts": {"designer.person": 1, "designer.team": 1, "designer.membership": 1},
    },
    {"model": "designer.membership", "fields": {"id": 70, "team_id": 8, "person_id": 900, "role": "owner"}},
    {
        "model": "designer.person",
        "fields": {"id": 900, "email": "ana@example.com", "password": "!", "joined": "2026-01-31T23:59:59.123456Z"},
    },
    {"model": "designer.team", "fields": {"id": 8, "name": "Platform"}},
    {"end": 3},
]  # fmt: skip
"""As another database and an older version would write it: other numbers, other order, fields that have defaults."""


def test_a_backup_of_another_database_fits_and_new_rows_get_new_numbers() -> None:
    restore(pack(ELSEWHERE))

    ana = Person.objects.get()
    assert (ana.pk, ana.joined.isoformat()) == (900, "2026-01-31T23:59:59.123456+00:00")
    assert ana.role_in(8) == "owner"
    assert Person.objects.create_user("ben@example.com").pk > 900
    assert Team.objects.create().pk > 8


@pytest.mark.parametrize(
    ("held", "said"),
    [
        ([], "no manifest"),
        ([{"designer": []}], "no manifest"),
        ([1], "no object"),
        ([{**ELSEWHERE[0], "keywright_backup": 2, "version": "9.0"}], "of version 9.0"),
        ([{**ELSEWHERE[0], "counts": {"designer.spell": 1}}], "designer.spell, which is not known"),
        (ELSEWHERE[:-1], "cut off"),
        ([{**ELSEWHERE[0], "counts": {"designer.team": "1"}}], "no manifest"),
        ([ELSEWHERE[0], {"model": "designer.team", "fields": {"id": 10**30}}, {"end": 1}], "refuses"),
        (
            [{**ELSEWHERE[0], "counts": {"designer.team": 1}}, *({"model": "designer.team", "fields": {}},) * 300],
            "more rows of designer.team than it says",
        ),
        ([*ELSEWHERE, {"end": 3}], "goes on after its end"),
        ([*ELSEWHERE[:3], {"end": 2}], "as many rows as it says"),
        ([ELSEWHERE[0], {"model": "auth.user", "fields": {}}, {"end": 1}], "a row of auth.user"),
        ([ELSEWHERE[0], {"model": "designer.team", "fields": {"id": 1, "motto": "x"}}, {"end": 1}], "no field motto"),
        ([ELSEWHERE[0], {"model": "designer.team", "fields": {"id": "x"}}, {"end": 1}], "must be an integer"),
        (
            [
                {**ELSEWHERE[0], "counts": {"designer.membership": 1, "designer.person": 1}},
                *ELSEWHERE[1:3],
                {"end": 2},
            ],
            "refuses",
        ),
    ],
)
def test_what_does_not_fit_is_refused_with_a_sentence_and_changes_nothing(
    design: Design, held: list[Any], said: str
) -> None:
    before = everything()

    with pytest.raises(BackupError, match=said):
        restore(pack(held))

    assert everything() == before


@pytest.mark.parametrize("content", [b"", b"PK\3\4", gzip.compress(b"{}", mtime=0)[:-4], gzip.compress(b"{", mtime=0)])
def test_what_is_no_backup_is_refused(content: bytes) -> None:
    with pytest.raises(BackupError, match="no backup"):
        restore(io.BytesIO(content))


def test_a_line_that_is_too_deep_or_too_long_is_refused_by_its_number(monkeypatch: pytest.MonkeyPatch) -> None:
    first = json.dumps(ELSEWHERE[0]).encode() + b"\n"
    deep = b'{"model": "designer.team", "fields": ' + b"[" * 100_000 + b"]" * 100_000 + b"}\n"
    with pytest.raises(BackupError, match="Line 2 is nested too deeply"):
        restore(io.BytesIO(gzip.compress(first + deep)))
    monkeypatch.setattr(sys.modules[restore.__module__], "MAX_LINE_BYTES", 1_000_000)
    with pytest.raises(BackupError, match="Line 2 is longer than 1 MB"):
        restore(io.BytesIO(gzip.compress(first + b" " * 2_000_000)))


def test_the_commands_refuse_to_overwrite_unless_told_to(design: Design, tmp_path: Path, capsys: Any) -> None:
    file = tmp_path / "all.jsonl.gz"
    call_command("backup", str(file))
    assert "2 designs, 2 people" in capsys.readouterr().out
    assert file.stat().st_mode & 0o077 == 0
    assert [path.name for path in tmp_path.iterdir()] == ["all.jsonl.gz"]

    with pytest.raises(CommandError, match="not empty: it holds 2 designs, 2 people"):
        call_command("restore", str(file))
    Membership.objects.all().delete()
    call_command("restore", str(file), "--replace")
    assert Membership.objects.count() == 2
    assert Invitation.objects.count() == 1
    assert "Restored 2 designs, 2 people" in capsys.readouterr().out

    with pytest.raises(CommandError, match="cannot be read: No such file"):
        call_command("restore", str(tmp_path / "none"), "--replace")
    call_command("backup", str(file))
    mine = tmp_path / "design.json"
    mine.write_text("{}")
    with pytest.raises(CommandError, match="not a backup: choose another name"):
        call_command("backup", str(mine))
    with pytest.raises(CommandError, match="cannot be written"):
        call_command("backup", str(tmp_path / "no" / "folder"))


@pytest.mark.django_db(transaction=True)
def test_a_backup_is_of_one_moment_and_leaves_no_transaction_open(design: Design) -> None:
    assert lines(write_backup())[-1]["end"] > 0

    assert not connection.in_atomic_block
    design.apply(Set(at="", name="description", value="later", was=""), by=Person.objects.first())  # type: ignore[arg-type]
    restore(io.BytesIO(write_backup()))
