"""The page on which a design is exported: what is shown, refused, copied and taken."""

import io
import zipfile
from collections.abc import Callable

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from designer.document import Spec, dump, load
from designer.document.edits import Set
from designer.document.load import from_data
from designer.models import Design, Person
from reviews.exports import NAMES
from tests.designs import hostile
from tests.exports.code_calls import example

SMALL = {
    "name": "Small",
    "tables": [
        {"id": "t", "name": "readings", "deletion_protection": True,
         "families": [{"id": "f", "name": "m", "gc": {"kind": "max_age", "age_days": 30}}]}
    ],
}  # fmt: skip


@pytest.fixture
def start(ana: Person) -> Callable[[Spec], Design]:
    return lambda spec: Design.objects.start(spec, team=ana.memberships.get().team, by=ana)


def shown(anas: Client, design: Design, name: str, **query: str) -> HttpResponse:
    return anas.get(reverse("exports", args=[design.key]), {"to": name, **query}, follow=True)


def test_a_preview_has_the_file_and_links_each_refusal_to_its_element(anas, start) -> None:
    design = start(from_data(SMALL))

    page = shown(anas, design, "cbt").content.decode()

    assert "cbt createtable readings &#x27;families=m:(maxage=30d)&#x27;" in page
    assert reverse("element", args=[design.key, "t"]) in page
    assert "does not support “" in page or "does not support &quot;Deletion protection&quot;" in page


def test_the_file_of_an_earlier_revision_stays_at_its_address(anas, start, ana) -> None:
    design = start(from_data(SMALL))
    first = design.head_id
    taken = reverse("export_file", args=[design.key, first, "json", "small.json"])
    before = anas.get(taken)
    design.apply(Set(at="t", name="name", value="other", was="readings"), by=ana)

    after = anas.get(taken)

    assert before.content == after.content
    assert load(after.content) == from_data(SMALL)
    assert after["Content-Disposition"] == 'attachment; filename="small.json"'
    assert "max-age" in after["Cache-Control"]
    assert "1 newer revision" in shown(anas, design, "json", revision="1").content.decode()


@pytest.mark.parametrize("name", [name for name in NAMES if name not in ("pdf", "markdown", "csv")])
def test_every_format_of_a_hostile_design_is_shown_as_text(anas, start, name) -> None:
    design = start(hostile())

    answer = shown(anas, design, name)

    assert answer.status_code == 200
    assert "<script>alert" not in answer.content.decode()


def test_several_files_come_in_one_archive_in_which_scripts_can_be_run(anas, start) -> None:
    cluster = {"id": "c", "name": "cluster-a", "zone": "us-central1-b", "nodes": {"kind": "fixed", "count": 1}}
    design = start(from_data({**SMALL, "instance": {"clusters": [cluster]}}))

    answer = anas.get(reverse("export_archive", args=[design.key, design.head_id, "cbt"]))

    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        assert archive.namelist() == ["small-instance.sh", "small-tables.sh"]
        assert all(one.external_attr >> 16 == 0o755 for one in archive.infolist())


def test_code_is_shown_and_kept_in_the_language_that_is_chosen(anas, start) -> None:
    design = start(example("iot-fleet"))
    link = reverse("export_file", args=[design.key, design.head_id, "code", "vehicle_fleet_in_two_regions_keys.ts"])

    page = shown(anas, design, "code", language="typescript").content.decode()

    assert f'href="{link}?language=typescript"' in page
    assert b"export function verify(): number" in anas.get(f"{link}?language=typescript").content
    assert anas.get(link).status_code == 404
    assert "vehicle_fleet_in_two_regions_keys.py" in shown(anas, design, "code", language="klingon").content.decode()


def test_what_there_is_not_is_not_found(anas, start) -> None:
    design = start(from_data(SMALL))
    sha256 = design.head_id

    for path in (
        reverse("export", args=[design.key, sha256, "base"]), reverse("export", args=[design.key, "0" * 64, "cbt"]),
        reverse("export_file", args=[design.key, sha256, "cbt", "passwd"]),
        f"{reverse('exports', args=[design.key])}?revision=99",
    ):  # fmt: skip
        assert anas.get(path).status_code == 404, path


def test_the_json_carries_findings_when_asked(anas, start) -> None:
    design = start(from_data(SMALL))
    path = reverse("export_file", args=[design.key, design.head_id, "json", "small.json"])

    data = anas.get(f"{path}?with=findings").json()

    assert data["sha256"] == design.head_id
    assert load(dump(from_data(data["design"]))) == design.spec
    assert "findings" in data
