"""`observe --live`: what is asked of the cloud, and what is made of its answers, in its own message types."""

import datetime
import io
import json
from typing import Any

import pytest
from django.core.management import call_command

from designer.management.base import CommandError
from estimator.management import live_measurements
from estimator.management.live_measurements import LiveInstance, read_answer
from tests.core.observations.fleet import DESIGN, FILES

PROJECT = "projects/fleet/instances/main"
NOW = datetime.datetime(2026, 11, 20, 3, 20, tzinfo=datetime.UTC)


def recorded(address: str) -> Any:
    """Return what the cloud answers."""
    place = address.partition("?")[0]
    if place.endswith(f"{PROJECT}/tables/readings"):
        assert address.endswith("?view=STATS_VIEW")
        return load("table_stats")
    if place.endswith("/tables/readings:sampleRowKeys"):
        return load("sampled_keys")
    if place.endswith("/clusters"):
        return {"clusters": load("clusters")}
    if place.endswith("/clusters/one/hotTablets"):
        return {"hotTablets": load("hot_tablets")}
    assert place == "https://monitoring.googleapis.com/v3/projects/fleet/timeSeries"
    series = load("time_series")["timeSeries"]
    asked = [each for each in series if each["metric"]["type"].replace("/", "%2F") in address]
    if "server%2Frequest_count" in address and "pageToken" not in address:
        return {"timeSeries": asked[:1], "nextPageToken": "more"}
    return {"timeSeries": asked[1:] if "pageToken" in address else asked}


def load(name: str) -> Any:
    return json.loads((FILES / f"{name}.json").read_text())


@pytest.fixture
def design(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> str:
    path = tmp_path / "fleet.json"
    path.write_text(json.dumps({"format": 1, **DESIGN}))
    monkeypatch.setattr(live_measurements, "_authorized_fetch", lambda: recorded)
    return str(path)


def test_a_running_instance_is_read_without_files(design: str) -> None:
    out = io.StringIO()
    with pytest.raises(SystemExit):
        call_command("observe", design, "--live", "fleet/main", stdout=out)
    text = out.getvalue()
    for said in (
        "its cells hold at least 12.6 B",
        "device from d0007 to d0012",
        "before d0250#",
        "Rows written",
        "Nodes",
    ):
        assert said in text
    assert "compared with nothing" not in text  # only what is compared is asked for


def test_nothing_is_asked_of_tables_that_are_not_there(design: str) -> None:
    asked: list[str] = []

    def nothing(address: str) -> None:
        asked.append(address)

    contents = list(LiveInstance("p", "i", nothing).contents(["gone"], NOW))
    assert contents == []
    assert not [address for address in asked if "sampleRowKeys" in address]


@pytest.mark.parametrize("name", ["fleet", "fleet/", "/main", "a/b/c"])
def test_another_form_of_name_is_refused(design: str, name: str) -> None:
    with pytest.raises(CommandError, match="PROJECT/INSTANCE"):
        call_command("observe", design, "--live", name)


def test_neither_files_nor_an_instance_is_refused(design: str) -> None:
    with pytest.raises(CommandError, match="name files of measurements, or --live"):
        call_command("observe", design)


@pytest.mark.parametrize(
    ("status", "content", "said"),
    [
        (403, b'{"error": {"message": "Permission denied on table"}}', "Permission denied on table"),
        (403, b'[{"error": {"message": "in a list"}}]', "in a list"),
        (500, b"{}", "status 500"),
        (502, b"<html>", "no JSON, status 502"),
    ],
)
def test_what_the_cloud_refuses_is_said_with_its_address(status: int, content: bytes, said: str) -> None:
    with pytest.raises(CommandError, match=f"https://a.example/v2/x: {said}"):
        read_answer("https://a.example/v2/x?view=1", status, content)


def test_nothing_at_an_address_is_no_error() -> None:
    assert read_answer("https://a.example", 404, b"<html>") is None
    assert read_answer("https://a.example", 200, b"[1]") == [1]
