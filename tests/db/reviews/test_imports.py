"""Importing on a page: shown first, saved only then."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from designer.document.load import from_data
from designer.models import Design, Person

HCL = 'resource "google_bigtable_table" "t" {\n  name = "readings"\n  newer = 1\n  column_family { family = "m" }\n}\n'


def test_what_is_understood_and_what_not_is_shown_before_anything_is_saved(anas: Client) -> None:
    page = anas.post("/designs/import", {"text": HCL}).content.decode()

    assert "Import preview: Terraform" in page
    assert "newer not recognised" in page
    assert Design.objects.count() == 0


def test_what_was_shown_becomes_a_design(anas: Client) -> None:
    answer = anas.post("/designs/import", {"text": HCL, "save": "1", "name": "Imported"})

    design = Design.objects.get()
    assert answer.headers["Location"] == f"/designs/{design.key}/"
    assert (design.title, design.spec.tables[0].name) == ("Imported", "readings")
    assert "imported from Terraform" in anas.get(f"/designs/{design.key}/history").content.decode()


def test_ticked_tables_are_added_to_an_open_design_as_one_revision(anas: Client, ana: Person) -> None:
    team = ana.memberships.get().team
    design = Design.objects.start(from_data({"tables": [{"id": "t", "name": "readings"}]}), team=team, by=ana)
    path = f"/designs/{design.key}/import"
    shown = anas.post(path, {"text": "readings\nlatest\n"}).content.decode()

    anas.post(path, {"text": "readings\nlatest\n", "format": "cbt", "save": "1", "table": "latest"})

    assert "name already exists" in shown
    design.refresh_from_db()
    assert [table.name for table in design.spec.tables] == ["readings", "latest"]
    assert design.number == 2


def test_text_that_cannot_be_read_stays_and_its_line_is_named(anas: Client) -> None:
    answer = anas.post("/designs/import", {"text": 'resource "x" {\n  a = [\n}\n'})

    assert answer.status_code == 422
    page = answer.content.decode()
    assert "line 3" in page
    assert "a = [" in page
    assert Design.objects.count() == 0


def test_what_is_pasted_on_the_start_page_and_looks_like_a_tools_is_led_to_the_import(anas: Client) -> None:
    page = anas.post("/designs/new", {"json": HCL}).content.decode()

    assert "It looks like Terraform." in page
    assert '"/designs/import"' in page


def test_hostile_text_is_shown_as_text(anas: Client) -> None:
    text = HCL.replace("readings", "<script>alert(1)</script>")

    assert "<script>alert" not in anas.post("/designs/import", {"text": text}).content.decode()


@pytest.mark.parametrize(
    ("file", "text", "name"),
    [
        ("schema.tf", HCL, "readings"),  # the only table's
        ("fleet.v2.txt", "readings\nlatest\n", "fleet.v2"),
    ],
)
def test_an_imported_design_is_called_as_its_only_table_or_its_file(
    anas: Client, file: str, text: str, name: str
) -> None:
    upload = SimpleUploadedFile(file, text.encode())
    page = anas.post("/designs/import", {"file": upload, "format": "cbt" if file != "schema.tf" else ""})

    assert f'value="{name}"' in page.content.decode()


def test_a_pasted_table_names_its_design_also_where_nobody_does(anas: Client) -> None:
    anas.post("/designs/import", {"text": HCL, "save": "1"})

    assert Design.objects.get().title == "readings"
