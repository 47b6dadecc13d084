"""Measured in the browser: files laid against a design, figures kept over time, refusals."""

import datetime
import io
from typing import Any

import pytest
from django.test import Client

from designer.document import Spec
from designer.document.edits import Set
from designer.models import Design, Person
from tests.core.observations.fleet import DESIGN, FILES, MADE_FILES


@pytest.fixture
def design() -> Design:
    local = Person.objects.get_or_create_local()
    return Design.objects.start(Spec.model_validate(DESIGN), team=local.teams.get(), by=local)


def send(client: Client, design: Design, *files: tuple[str, bytes], **more: str) -> Any:
    streams = []
    for name, content in files:
        stream = io.BytesIO(content)
        stream.name = name
        streams.append(stream)
    return client.post(f"/designs/{design.key}/measured/", {"file": streams, **more}, follow=True)


def all_files() -> list[tuple[str, bytes]]:
    return [(name, (FILES / name).read_bytes()) for name in MADE_FILES]


def test_files_are_compared_and_their_figures_kept(client: Client, design: Design) -> None:
    shown = send(client, design, *all_files())
    text = " ".join(shown.content.decode().split())
    assert "Measured on 20 Nov 2026" in text
    assert "its cells hold at least 12.6 B more than designed" in text
    assert "device from d0007 to d0012" in text
    assert "Compared with nothing: backup/bytes_used" in text
    assert 'stroke="#c8443a" stroke-width="2"' in text  # the hot tablets over the designed heat

    kept = client.post(shown.wsgi_request.path, {"compared": shown.context["signed"], "keep": "1"}, follow=True)
    assert kept.status_code == 200
    assert design.observations.get().data == {
        "readings": {"rows": 75_600_000, "logical_bytes": 11_836_800_000, "disk_bytes": 5_000_000_000}
    }
    differences = design.observations.get().differences["readings"]
    assert {name: round(share, 2) for name, share in differences.items()} == {
        "rows": 0.05, "logical_bytes": 0.14, "disk_bytes": 0.0,
    }  # fmt: skip
    page = " ".join(kept.content.decode().split())
    assert "Rows: 75.6M on 20 Nov 2026, forecast 72M" in page
    chart = client.get(f"/designs/{design.key}/measured/charts/forecast-readings-rows.csv").content.decode()
    assert "75600000" in chart

    client.post(shown.wsgi_request.path, {"compared": shown.context["signed"], "keep": "1"})
    assert design.observations.count() == 1
    client.post(shown.wsgi_request.path, {"remove": str(design.observations.get().pk)})
    assert not design.observations.exists()


@pytest.mark.parametrize(
    ("files", "more", "said"),
    [
        ([], {}, "choose a file"),
        ([("x.json", b"hello")], {}, "x.json: not recognised"),
        ([("a.csv", b"key,offset\na,1\nb,x")], {}, "a.csv: line 3: the offset is no number of bytes"),
        ([("a.csv", b"key,offset\na,1")], {"date": "soon"}, "the date is not a date"),
        ([("a.csv", b"key,offset\na,1")], {"date": "2999-01-01"}, "is dated 1 Jan 2999, which is in the future"),
        ([("a.csv", b"x" * 7_500_001)], {}, "larger than 7.5 MB"),
        ([("hot.json", b"[]"), ("clusters.json", b"[]\n")], {}, "an empty list, which measures nothing"),
    ],
)
def test_what_cannot_be_compared_is_said(
    client: Client, design: Design, files: list[tuple[str, bytes]], more: dict[str, str], said: str
) -> None:
    answer = send(client, design, *files, **more)
    assert answer.status_code == 422
    assert said in " ".join(answer.content.decode().split())


def test_an_empty_list_is_passed_over_beside_files_that_measure(client: Client, design: Design) -> None:
    shown = send(client, design, *all_files(), ("hot-now.json", b"[]\n"))
    text = " ".join(shown.content.decode().split())
    assert shown.status_code == 200
    assert "Not read: hot-now.json: an empty list, which measures nothing" in text
    assert "Measured on 20 Nov 2026" in text


def test_a_comparison_that_is_not_ours_or_of_another_content_is_asked_for_again(client: Client, design: Design) -> None:
    shown = send(client, design, *all_files())
    path, signed = shown.wsgi_request.path, shown.context["signed"]
    forged = client.post(path, {"compared": signed[:-1] + ("a" if signed[-1] != "a" else "b"), "keep": "1"})
    assert (forged.status_code, design.observations.count()) == (422, 0)
    assert "too old: choose the files again" in forged.content.decode()

    design.apply(Set(at="readings", name="description", value="x", was=""), by=Person.objects.get())
    changed = client.post(path, {"compared": signed, "calibrate": "1"})
    assert "the design has changed since" in changed.content.decode()
    assert not Design.objects.get().spec.measured


def test_a_design_is_calibrated_in_one_change_that_can_be_undone(client: Client, design: Design) -> None:
    shown = send(client, design, *all_files())
    assert "v, Typical size: 100 B → 119 B" in shown.content.decode()
    path = shown.wsgi_request.path
    calibrated = client.post(path, {"compared": shown.context["signed"], "calibrate": "1"})
    assert calibrated["Location"] == f"/designs/{design.key}/"
    design.refresh_from_db()
    assert design.spec.tables[0].families[0].columns[0].value.typical_bytes == 118.6
    assert {one.field for one in design.spec.measured} == {"value.typical_bytes", "compressed_share"}
    assert str(design.revisions.order_by("-number")[0].text) == "calibrated with measurements of 2026-11-20"

    effects = client.get(f"/designs/{design.key}/of/{design.head_id}/effects?at=v").content.decode()
    assert "measured, table stats of 20 Nov 2026" in effects

    client.post(f"/designs/{design.key}/undo")
    design.refresh_from_db()
    assert not design.spec.measured


def test_the_start_of_what_runs_already_is_corrected_with_one_click(client: Client, design: Design) -> None:
    shown = send(client, design, ("a.csv", b"d0500,1000\n,2000\n"), date="2026-09-20")
    page = " ".join(shown.content.decode().split())
    assert "The design starts on 1 Oct 2026, after the measurement of 20 Sep 2026" in page
    assert "Start date: 1 Oct 2026 → 20 Sep 2026" in page
    client.post(shown.wsgi_request.path, {"compared": shown.context["signed"], "calibrate": "1"})
    design.refresh_from_db()
    assert design.spec.start == datetime.date(2026, 9, 20)
