"""Tables that rotate, as tools make them and as drift finds them."""

import json
import subprocess
from pathlib import Path

from designer.document.load import from_data
from reviews.drift.differences import find_drift
from reviews.drift.files import read_files
from reviews.exports import format_named
from reviews.exports.shared.content import ExportContent
from tests.contexts import Content

SPEC = from_data({
    "start": "2026-12-30",
    "tables": [{"id": "t", "name": "events", "rotation": {"period": "month", "kept_tables": 3},
                "families": [{"id": "f", "name": "d", "gc": {"kind": "max_versions", "versions": 1}}]}],
})  # fmt: skip


def exported(name: str) -> str:
    return format_named(name).make(Content(SPEC)).files[0].text


def test_terraform_declares_a_set_by_the_periods_whose_tables_exist() -> None:
    text = exported("terraform")

    assert 'variable "periods_of_t"' in text
    assert 'default = ["2026_12", "2027_01"]' in text
    assert 'name          = "events_${each.key}"' in text
    assert "for_each      = google_bigtable_table.t\n" in text
    assert "table         = each.value.name" in text


def test_a_script_of_cbt_makes_the_table_of_the_period_that_it_is_told(tmp_path: Path) -> None:
    script = exported("cbt").replace("command cbt", "echo")
    (tmp_path / "tables.sh").write_text(script)

    made = subprocess.run(
        ["bash", str(tmp_path / "tables.sh")], env={"PROJECT": "p", "MONTH": "2027_02", "PATH": "/usr/bin:/bin"},
        capture_output=True, text=True, check=True,
    )  # fmt: skip

    assert "createtable events_2027_02 families=d:(maxversions=1)" in made.stdout


def drift_of(*tables: str) -> list[str]:
    names = (f"projects/p/instances/i/tables/{name}" for name in tables)
    rule = {"d": {"gcRule": {"maxNumVersions": 1}}}
    text = json.dumps([{"name": name, "columnFamilies": rule} for name in names])
    return [each.path for each in find_drift(ExportContent(SPEC), read_files([text])).differences]


def test_tables_of_a_set_are_no_drift_and_others_are() -> None:
    assert drift_of("events_2026_11", "events_2026_12", "events_2027_01") == []
    assert drift_of("events_2026_11", "events_2026_11_30", "events") == ["table/events", "table/events_2026_11_30"]
    assert drift_of("other") == ["table/events_*", "table/other"]
