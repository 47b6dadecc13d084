"""What the first version stored is read by this one: its backup on every database, its database after an upgrade."""

import gzip
import os
import re
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from django.db.migrations.loader import MigrationLoader
from django.test import Client
from django.urls import reverse

from config.backups import restore
from designer.document.edits import apply
from designer.models import Design, Person

TAG = re.compile(r"<[^>]*>")
STORED = Path(__file__).with_name("first_version")
LINK = "VRuLmr2Oqnbm3QvUNQimDMyl0g-gVxe1akepacOkslc"
TOKEN = "kw_VomVBxunjoLd0R8mHwYWHQS3gZZQwpK5tNWD0ejr9Gg"
KEYS = ("a03028c98215", "0e8cf7936995", "f24fca17647c")
LAST = {"designer": "0006_token_ends", "estimator": "0002_measurements", "reviews": "0002_mails"}
"""Its migrations."""


@pytest.fixture
def designs(settings: Any) -> list[Design]:
    settings.KEYWRIGHT_MODE = "team"
    with (STORED / "backup.jsonl.gz").open("rb") as file:
        restore(file)
    return [Design.objects.get(key=key) for key in KEYS]


def test_its_histories_lead_to_its_heads(designs: list[Design]) -> None:
    for design in designs:
        revisions = list(design.revisions.order_by("number").select_related("document"))
        spec = revisions[0].document.spec
        for revision in revisions[1:]:
            spec, _ = apply(spec, revision.applied_edit)
            assert spec == revision.document.spec
        assert spec == design.spec
        assert len(revisions) == design.number == 7


def test_its_designs_links_and_tokens_open(designs: list[Design], client: Client) -> None:
    client.force_login(Person.objects.get(email="ann@example.com"))
    for name in ("editor", "history", "review"):
        assert client.get(reverse(name, args=[designs[-1].key])).status_code == 200, name
    visitor, program = Client(), Client(headers={"Authorization": f"Bearer {TOKEN}"})

    assert designs[-1].spec.name in visitor.get(reverse("link", args=[LINK]), follow=True).content.decode()
    assert {each["key"] for each in program.get("/api/v1/designs").json()["items"]} == set(KEYS)


def test_its_histories_are_shown_in_the_language_of_the_reader(designs: list[Design], client: Client) -> None:
    client.force_login(Person.objects.get(email="ann@example.com"))

    page = client.get(reverse("history", args=[designs[-1].key]), headers={"Accept-Language": "ja"}).content.decode()

    rows = re.findall(r'<p class="what">(.*?)<span class="by', page, re.DOTALL)
    shown = [" ".join(TAG.sub("", row).split()) for row in rows]
    assert shown == [
        "リビジョン 1 を復元 現在の内容",
        "A purchase の名前を A purchase twice に変更",
        "やり直し: 名前を Campus cards by order number から Campus cards by order number 2 に変更",
        "元に戻す: 名前を Campus cards by order number から Campus cards by order number 2 に変更 取り消し済み",
        "名前を Campus cards by order number から Campus cards by order number 2 に変更",
        "purchases: 説明を Höhe und 高さ に設定",
        "作成 現在のバージョンと同じ",
    ]


def test_its_designs_are_edited_and_their_edits_undone(designs: list[Design]) -> None:
    ann = Person.objects.get(email="ann@example.com")
    for design in designs:
        before = design.spec

        design.undo(by=ann)

        assert design.spec != before


def test_every_migration_has_a_way_back() -> None:
    migrations = MigrationLoader(None).disk_migrations.items()

    assert not [name for name, migration in migrations if not all(each.reversible for each in migration.operations)]


@pytest.mark.slow
def test_its_database_is_upgraded_taken_back_and_upgraded_again(tmp_path: Path) -> None:
    file = tmp_path / "keywright.sqlite3"
    with closing(sqlite3.connect(file)) as database:
        database.executescript(gzip.decompress((STORED / "database.sql.gz").read_bytes()).decode())

    def manage(*arguments: str) -> str:
        settings = {"DATABASE_URL": f"sqlite:///{file}", "KEYWRIGHT_DATA": str(tmp_path), "KEYWRIGHT_MODE": "embedded"}
        command = [sys.executable, "manage.py", *arguments]
        root = STORED.parents[2]
        done = subprocess.run(command, cwd=root, env=os.environ | settings, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def counts() -> dict[str, int]:
        with closing(sqlite3.connect(file)) as database:
            tables = ("designer_design", "designer_revision", "designer_document", "reviews_comment", "reviews_link")
            return {table: database.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in tables}

    before = counts()
    said = manage("upgrade")
    assert "copied to" in said
    assert counts() == before
    for app, migration in LAST.items():
        manage("migrate", app, migration)
    assert counts() == before
    manage("upgrade", "--no-backup")

    script = "from designer.models import Design; print([(d.key, d.spec.name) for d in Design.objects.order_by('pk')])"
    assert all(key in manage("shell", "-c", script) for key in KEYS)
    assert counts() == before
