"""`keywright observe` as a person runs it: the table of figures, JSON by its schema, refusals and exit codes."""

import datetime
import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from jsonschema import Draft202012Validator

from designer.document import load
from designer.management.base import CommandError
from estimator.management.commandline import FOUND, UNUSABLE, USABLE
from estimator.presentation.observation_data import schema
from tests.core.observations.fleet import DESIGN, FILES, MADE_FILES

ALL_FILES = [str(FILES / name) for name in MADE_FILES]


def run(*arguments: str) -> str:
    out = io.StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("observe", *arguments, stdout=out, stderr=io.StringIO())
    assert ended.value.code == USABLE
    return out.getvalue()


@pytest.fixture
def design(tmp_path: Path) -> str:
    path = tmp_path / "fleet.json"
    path.write_text(json.dumps({"format": 1, **DESIGN}))
    return str(path)


def test_what_runs_stands_beside_what_was_designed(design: str) -> None:
    lines = run(design, *ALL_FILES).splitlines()
    assert lines[0] == "Readings, measured 20 Nov 2026"
    assert "Table stats are approximate" in lines[1]
    rows = {line[:26].strip(): line[26:].split("  ") for line in lines}
    assert [cell.strip() for cell in rows["Rows"] if cell.strip()] == ["72M", "75.6M", "+5\u00a0%"]
    text = "\n".join(lines)
    assert "rows are 1.05× the designed number, and bytes of a row 1.09×" in text
    assert "72\u00a0% of a node, 2026-11-20 09:00 to 09:01 UTC: device from d0007 to d0012" in text
    assert "largest difference 35\u00a0%: before d0250#1795132800000 lie 60\u00a0% of the bytes" in text
    assert "compared with nothing: backup/bytes_used" in text


def series(metric: str, *, at: str = "2026-11-20T10:00:00Z", **labels: str) -> dict[str, Any]:
    point = {"interval": {"startTime": "2026-11-13T10:00:00Z", "endTime": at}, "value": {"int64Value": "60"}}
    where = {"type": "bigtable_table", "labels": {name: value for name, value in labels.items() if name != "method"}}
    named = {"method": labels["method"]} if "method" in labels else {}
    return {"metric": {"type": f"bigtable.googleapis.com/{metric}", "labels": named}, "resource": where,
            "metricKind": "DELTA", "valueType": "INT64", "points": [point]}  # fmt: skip


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ([series("server/request_count", table="readings", method="Bigtable.MutateRow"),
          series("server/request_count", table="readings", method="Bigtable.CheckAndMutateRow")],
         ["read: series of server/request_count: 2",
          "server/request_count: only requests of CheckAndMutateRow, MutateRow; reads are those of ReadRows",
          "Nothing that was read can be compared", "Nothing can be calibrated"]),
        ([series("server/modified_rows_count")], ["server/modified_rows_count: its series name no table"]),
        ([series("server/modified_rows_count", at="2026-11-13T10:00:00Z", table="readings")],
         ["a single point covers no time"]),
        ([{**series("cluster/cpu_load"), "metricKind": "GAUGE"}], ["cluster/cpu_load: its series name no cluster"]),
        ([{**series("cluster/cpu_load", cluster="c"), "points": []}], ["no values in the time"]),
        ([series("server/returned_rows_count", table="readings", method="ReadRows")],
         ["need server/request_count of the same time"]),
    ],
)  # fmt: skip
def test_what_was_read_and_why_it_is_compared_with_nothing_is_said(
    design: str, tmp_path: Path, content: Any, told: list[str]
) -> None:
    path = tmp_path / "series.json"
    path.write_text(json.dumps({"timeSeries": content}))
    text = run(design, str(path))
    assert [one for one in told if one not in text] == [], text
    data = json.loads(run(design, str(path), "--json"))
    assert (len(data["read"]) > 0, len(data["not_compared"]) > 0) == (True, True)


def test_the_answer_of_readrows_with_its_stats_is_read(design: str, tmp_path: Path) -> None:
    chunk = {"rowKey": "ZA==", "familyName": "my_d", "qualifier": "dg==", "value": "eA==", "commitRow": True}
    counts = {"rowsSeenCount": "30", "rowsReturnedCount": "10", "cellsSeenCount": "30", "cellsReturnedCount": "10"}
    stats = {"requestStats": {"fullReadStatsView": {"readIterationStats": counts}}}
    path = tmp_path / "rows.json"
    path.write_text(json.dumps([{"chunks": [chunk]}, stats]))
    assert "Rows scanned" in run(design, str(path))


def test_json_is_what_its_schema_says(design: str) -> None:
    data = json.loads(run(design, *ALL_FILES, "--json"))
    Draft202012Validator.check_schema(schema())
    Draft202012Validator(schema()).validate(data)
    assert [data["format"], data["date"]] == ["keywright-observe/1", "2026-11-20"]
    assert data["tables"][0]["figures"][0]["measured"] == 75_600_000


@pytest.mark.parametrize(
    ("table", "share", "message"),
    [("readings", "20", "20 is 2,000%: write 20% or 0.2"), ("other", "20%", "--fail-on has no figure to judge")],
)
def test_a_limit_that_could_never_be_missed_is_refused(
    design: str, tmp_path: Path, table: str, share: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    stats = tmp_path / "stats.json"
    stats.write_text((FILES / "table_stats.json").read_text().replace("/tables/readings", f"/tables/{table}"))
    with pytest.raises((CommandError, SystemExit)) as refused:
        call_command("observe", design, str(stats), "--fail-on", share, stdout=io.StringIO())
    error = refused.value
    assert (error.returncode if isinstance(error, CommandError) else error.code) == UNUSABLE
    assert message in str(error) + capsys.readouterr().err


def test_a_forecast_that_is_missed_by_more_than_a_share_ends_it_with_1(design: str) -> None:
    stats = str(FILES / "table_stats.json")
    assert run(design, stats, "--date", "2026-11-20", "--fail-on", "15%")
    errors = io.StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command(
            "observe", design, stats, "--date", "2026-11-20", "--fail-on", "0.1", stdout=io.StringIO(), stderr=errors
        )
    assert ended.value.code == FOUND
    assert errors.getvalue().strip() == "beyond 10\u00a0%: readings Logical bytes, readings Logical bytes in my_d"
    with pytest.raises(SystemExit, match="2"):
        call_command("observe", design, stats, "--fail-on", "much")


def test_a_day_that_no_file_says_is_today_or_the_one_stated(design: str) -> None:
    stats = str(FILES / "table_stats.json")
    assert "The files hold no date: today is assumed." in run(design, stats)
    stated = run(design, stats, "--date", "2026-10-21")
    assert stated.startswith("Readings, measured 21 Oct 2026")
    assert "no date" not in stated


@pytest.mark.parametrize(
    ("content", "options", "said"),
    [
        ("hello", (), "measured.json: not recognised"),
        ("key,offset\na,1\nb,x", (), "measured.json: line 3: the offset is no number of bytes"),
        ("key,offset\na,1", ("--read", "other"), "there is no read 'other'; the design's reads: The last half hour"),
        ("key,offset\na,1", ("--date", "2037-01-01"), "the measurement is dated 1 Jan 2037, which is in the future"),
    ],
)
def test_what_cannot_be_used_ends_it_with_2_and_a_sentence(
    design: str, tmp_path: Path, content: str, options: tuple[str, ...], said: str
) -> None:
    measured = tmp_path / "measured.json"
    measured.write_text(content)
    with pytest.raises(CommandError) as ended:
        call_command("observe", design, str(measured), *options)
    assert said in str(ended.value)
    assert ended.value.returncode == UNUSABLE


def test_a_system_that_runs_before_its_design_starts_is_compared_and_calibrated(design: str, tmp_path: Path) -> None:
    out = tmp_path / "measured.yaml"
    text = run(design, str(FILES / "table_stats.json"), "--date", "2026-09-20", "--out", str(out))
    assert "The design starts on 1 Oct 2026, after the measurement of 20 Sep 2026: it is compared as of" in text
    assert "\n  start: 1 Oct 2026 → 20 Sep 2026" in text
    spec = load(out.read_bytes(), name=out.name)
    assert (spec.start, spec.tables[0].rows_stored) == (datetime.date(2026, 9, 20), 75_600_000)
    again = run(str(out), str(FILES / "table_stats.json"), "--date", "2026-09-20")
    assert "starts on" not in again


def test_what_the_design_has_nothing_of_misses_every_share(design: str) -> None:
    with pytest.raises(SystemExit) as ended:
        call_command(
            "observe", design, str(FILES / "table_stats.json"), "--date", "2026-10-01", "--fail-on", "500%",
            stdout=io.StringIO(), stderr=(errors := io.StringIO()),
        )  # fmt: skip

    assert ended.value.code == 1
    assert "readings Rows" in errors.getvalue()


def test_what_is_compared_with_nothing_moves_no_start(design: str, tmp_path: Path) -> None:
    measured, out = tmp_path / "others.json", tmp_path / "measured.yaml"
    measured.write_text(json.dumps([series("server/modified_rows_count", table="others", at="2026-09-20T10:00:00Z")]))

    text = run(design, str(measured), "--date", "2026-09-20", "--out", str(out))

    assert "Nothing that was read can be compared" in text
    assert "starts on" not in text
    assert "start:" not in text
    assert "Nothing can be calibrated" in text
    assert load(out.read_bytes(), name=out.name).start == datetime.date(2026, 10, 1)


def test_values_without_doubt_are_written_as_a_design(design: str, tmp_path: Path) -> None:
    out = tmp_path / "measured.yaml"
    text = run(design, *ALL_FILES, "--out", str(out))
    assert "readings › my_d › v, value.typical_bytes: 100 B → 119 B" in text
    spec = load(out.read_bytes(), name=out.name)
    assert spec.tables[0].families[0].columns[0].value.typical_bytes == 118.6
    with pytest.raises(CommandError, match="overwrite"):
        call_command("observe", design, *ALL_FILES, "--out", design, stdout=io.StringIO())


def test_a_list_of_no_hot_tablets_is_passed_over_and_said(design: str, tmp_path: Path) -> None:
    (tmp_path / "hot.json").write_text("[]\n")
    said = io.StringIO()

    with pytest.raises(SystemExit) as ended:
        call_command("observe", design, *ALL_FILES, str(tmp_path / "hot.json"), stdout=io.StringIO(), stderr=said)
    with pytest.raises(CommandError, match=r"hot\.json: an empty list, which measures nothing"):
        run(design, str(tmp_path / "hot.json"))

    assert ended.value.code == USABLE
    assert "hot.json: an empty list, which measures nothing" in said.getvalue()
