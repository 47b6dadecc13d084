"""A file is recognised once, for drift and for observe: each says what the other one reads."""

import json

import pytest

from designer.document.validation_errors import InvalidDocumentError
from estimator.observations import ObservationError, read_observed
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
    with pytest.raises(ObservationError, match="measures nothing: drift compares such files"):
        read_observed(json.dumps(TABLE).encode())
    with pytest.raises(InvalidDocumentError) as refused:
        read_files([json.dumps([HOT])])
    assert "defines nothing: observe compares such files" in str(refused.value.problems[0])
    assert read_observed(json.dumps({**TABLE, **STATS}).encode())
    assert read_files([json.dumps({**TABLE, **STATS})]).told.tables
