"""Hot tablets are named by the segment in which they lie; sampled keys show where the bytes are."""

from typing import Any

import pytest

from designer.document import Spec
from designer.wording.formatting import english
from tests.cases import cases
from tests.core.observations.fleet import DESIGN, compare_all, observe


def named(first: str, last: str, spec: Spec | None = None) -> tuple[str, str]:
    tablet = '[{"tableName": "a/tables/readings", "startKey": "%s", "endKey": "%s", "nodeCpuUsagePercent": 50}]'
    hot = observe(content=(tablet % (first, last)).encode(), spec=spec).tables[0].hot_ranges[0]
    return hot.segment, english(hot.where.message, hot.where.params)


@cases("first, last, segment, said", [
        ("d0007#1795132800000", "d0012#1795132800000", "of-device", "device from d0007 to d0012"),
        ("d0007#1795132800000", "d0007#1795132900000", "of-time",
         "time from 2026-11-20 00:00:00 to 2026-11-20 00:01:40, within device d0007"),
        ("d0007#17", "d0012", "", "from d0007#17 to d0012"),
        ("d0007#17", "d0012#", "of-device", "device from d0007 to d0012"),
        ("d0007#17", "d0007#19", "of-device", "within device d0007"),
        ("", "", "", "the whole table"),
        ("d0400#", "", "", "from d0400# to the end"),
        ("", "d0400#", "", "from the start to d0400#"),
        ("other", "stuff", "", "from other to stuff"),
    ])  # fmt: skip
def test_a_tablet_is_named_by_the_segment_in_which_its_ends_differ(
    first: str, last: str, segment: str, said: str
) -> None:
    assert named(first, last) == (segment, said)


def test_a_hot_tablet_has_its_designed_share_of_load_and_bytes() -> None:
    hottest, other = compare_all().tables[0].hot_ranges
    assert hottest.tablet.cpu_share > other.tablet.cpu_share
    assert hottest.load_share is not None
    assert hottest.load_share == pytest.approx(6 / 1_000, abs=2 / 1_000)  # of 1,000 devices, and the ranges at its ends
    assert other.load_share == pytest.approx(0.6, abs=2 / 1_000)


def test_bytes_on_one_side_of_a_key_are_told_from_the_designed() -> None:
    spread = compare_all().tables[0].spread
    assert spread is not None
    at, share = spread.largest_difference
    assert (spread.keys[at], share) == (b"d0250#1795132800000", pytest.approx(0.6 - 0.251, abs=2e-3))
    assert spread.measured_shares.tolist() == [0.6, 0.8, 1.0]


def test_bytes_as_designed_have_no_difference() -> None:
    lines = "".join(f"d{device:04}#,{device}\n" for device in range(100, 1_000, 100))
    spread = observe(content=f"{lines},1000\n".encode()).tables[0].spread
    assert spread is not None
    assert spread.largest_difference[1] == pytest.approx(0.0, abs=1e-3)


def test_samples_that_end_before_the_table_are_shares_of_what_they_hold() -> None:
    spread = observe(content=b"key,offset\nd0250#,100\nd0500#,200\n").tables[0].spread
    assert spread is not None
    assert spread.largest_difference[1] == pytest.approx(0.0, abs=5e-3)


def test_a_table_without_a_row_key_names_ranges_by_their_ends() -> None:
    kind: dict[str, Any] = {**DESIGN["tables"][0]["row_kinds"][0], "key": [], "reads": []}
    spec = Spec.model_validate({**DESIGN, "tables": [{**DESIGN["tables"][0], "row_kinds": [kind]}]})
    assert named("a", "b", spec) == ("", "from a to b")
