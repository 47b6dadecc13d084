"""A file is recognised once, for drift and for observe: each says what the other one reads."""

import json

import pytest

from designer.document.validation_errors import InvalidDocumentError
from estimator.observations import ObservationError, read_observed
from estimator.observations.measurements import HotTablet
from estimator.observations.recognition import recognise
from reviews.drift import read_files

TABLE = {"name": "projects/p/instances/i/tables/t", "columnFamilies": {"d": {}}}
STATS = {"stats": {"rowCount": "5"}}
HOT = {"tableName": "projects/p/instances/i/tables/t", "startKey": "a", "endKey": "b", "nodeCpuUsagePercent": 9}


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (TABLE, {"definitions"}), ({**TABLE, **STATS}, {"definitions", "measurements"}), ([HOT], {"measurements"}),
        ({"table_names": ["t"]}, {"definitions"}), ({"x": 1}, set()),
    ],
)  # fmt: skip
def test_what_a_file_tells_is_recognised(data: object, told: set[str]) -> None:
    assert recognise(json.dumps(data)) == told


def test_a_file_for_the_other_command_is_refused_as_that() -> None:
    with pytest.raises(ObservationError, match="not measurements: compare it with drift"):
        read_observed(json.dumps(TABLE).encode())
    with pytest.raises(InvalidDocumentError) as refused:
        read_files([json.dumps([HOT])])
    assert "not definitions: compare it with observe" in str(refused.value.problems[0])
    assert read_observed(json.dumps({**TABLE, **STATS}).encode())
    assert read_files([json.dumps({**TABLE, **STATS})]).told.tables


FAMILIES = "Family Name\tGC Policy\n-----------\t---------\nd\t(versions() > 1 || age() > 30d)\nx\t<never>\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (FAMILIES, "not measurements: compare it with drift"),
        ("ERROR: (gcloud.bigtable.instances.tables.describe) PERMISSION_DENIED: no\n", "this is an error of gcloud"),
        ("<html>login</html>\n", "not recognised"),
    ],
)
def test_what_measures_nothing_is_said_for_what_it_is(text: str, said: str) -> None:
    with pytest.raises(ObservationError, match=said):
        read_observed(text.encode())


def test_a_page_of_a_login_is_no_row_key_for_drift() -> None:
    with pytest.raises(InvalidDocumentError) as refused:
        read_files(["<html>login</html>\n"])
    assert "not recognised" in str(refused.value.problems[0])


def test_a_file_that_powershell_wrote_is_read() -> None:
    text = json.dumps({**TABLE, **STATS})
    assert read_observed(text.encode("utf-16")) == read_observed(text.encode())


@pytest.mark.parametrize("text", ["name,age\nalice,30\nbob,41\n", '"user","when"\n"a",1\n'])
def test_two_columns_by_other_names_are_no_sampled_keys(text: str) -> None:
    with pytest.raises(ObservationError, match="not recognised: it looks like CSV"):
        read_observed(text.encode())
    assert recognise(text) == set()


@pytest.mark.parametrize("text", ["alice,30\nbob,41\n", "2026-01-01,12\n2026-01-02,15\n", "a\t1\nb\t2\n"])
def test_two_columns_without_names_need_offsets_of_bytes(text: str) -> None:
    with pytest.raises(ObservationError, match="write key,offset above them"):
        read_observed(text.encode())
    assert recognise(text) == set()
    delimiter = "\t" if "\t" in text else ","
    assert read_observed(f"key{delimiter}offset\n{text}".encode())


@pytest.mark.parametrize("text", ["a#1,100000000\nb,250000000\n", "a,70000\n", "a,3\n,9\n"])
def test_sampled_keys_without_names_are_read(text: str) -> None:
    assert read_observed(text.encode())


def test_times_of_measurements_have_two_digits_for_each_part() -> None:
    told = {**HOT, "startTime": "2026-01-01T00:01:002Z", "endTime": "2026-01-01T00:02:00Z"}
    with pytest.raises(ObservationError, match="startTime"):
        read_observed(json.dumps([told]).encode())
    (read,) = read_observed(json.dumps([{**told, "startTime": "2026-01-01T00:01:02.123456789Z"}]).encode())
    assert isinstance(read, HotTablet)
    assert read.first is not None
    assert read.first.microsecond == 123456
