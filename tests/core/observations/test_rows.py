"""Rows as cbt prints them, beside the design: lengths that can be counted by hand, and the cause of a difference."""

import pytest

from designer.wording.formatting import english
from estimator.observations import ObservationError, build_observation, designed_state, read_measurements
from estimator.observations.calibration import calibrated_values
from estimator.observations.measurements import ReadStats, SampledRows
from tests.contexts import TODAY, context
from tests.core.observations.fleet import FILES, fleet, observe

RULE = "-" * 40
AT = "@ 2026/11/27-08:26:57.878000"


def row(key: str, *cells: tuple[str, str]) -> str:
    """Return a row as cbt prints it."""
    lines = [f"  {column:<40} {AT}\n    {value}" for column, value in cells]
    return "\n".join((RULE, key, *lines, ""))


ROWS = "".join(row(f"d000{n}#1795132800000", ("my_d:temperature_long", f'"{"x" * 108}"')) for n in range(4))
SUMMARY = """Summary Stats
====================
rows_seen_count: 4
rows_returned_count: 4
cells_seen_count: 4
cells_returned_count: 4
frontend_server_latency: 0ms
"""


def sample(text: str | bytes) -> SampledRows:
    found = read_measurements(text if isinstance(text, bytes) else text.encode())
    return next(one for one in found if isinstance(one, SampledRows))


def test_lengths_are_counted_in_bytes_as_they_are_stored() -> None:
    text = row("d1", ("f:q", r'"a\"b\\c\x00\xff\u00e9é\n"')) + row(
        "two\nlines\n", ("f:with space ", '"1"'), ("g:", '""')
    )
    found = sample(text)
    assert (found.rows, found.key_bytes) == (2, (2 + 10) / 2)
    assert [(one.name, one.cells, one.qualifier_bytes, one.value_bytes) for one in found.families] == [
        ("f", 2, (1 + 10) / 2, (12 + 1) / 2),
        ("g", 1, 0, 0),
    ]


@pytest.mark.parametrize("half", [r"\ud800", r"\udc80", r"\udfff", r"\U0000d800"])
def test_half_a_character_counts_as_what_is_written_for_it(half: str) -> None:
    (family,) = sample(row("d1", ("f:q", f'"a{half}b"'))).families

    assert family.value_bytes == 5


def test_stats_of_the_request_are_read_too_and_line_ends_of_windows() -> None:
    found = read_measurements((ROWS + SUMMARY).replace("\n", "\r\n").encode())
    assert [type(one) for one in found] == [SampledRows, ReadStats]
    assert sample((ROWS + SUMMARY).replace("\n", "\r\n")) == sample("\ufeff" + ROWS)


def test_keys_that_are_no_text_have_their_bytes() -> None:
    assert sample(row("K", ("f:q", '"1"')).encode().replace(b"K", b"\xff\x00\xc3")).key_bytes == 3


@pytest.mark.parametrize("text", [RULE, f"{RULE}\nkey\n", f"{RULE}\n  f:q {AT}x\n", RULE + "\n" + "x" * 100_000])
def test_rows_without_cells_are_no_measurement(text: str) -> None:
    with pytest.raises(ObservationError):
        read_measurements(text.encode())


def test_the_longest_part_is_the_cause_of_larger_cells() -> None:
    (table,) = observe("table_stats.json", content=ROWS.encode()).tables
    causes = {one.name: english(one.cause.message, one.cause.params) for one in table.figures if one.cause}
    assert causes["families.my_d.qualifier_bytes"] == "the qualifier is 15 B longer than designed"
    assert causes["families.my_d.value_bytes"] == "the value is 8 B longer than designed"
    assert causes["families.my_d.logical_bytes"] == causes["families.my_d.qualifier_bytes"]
    assert "key_bytes" not in causes


def test_a_value_is_calibrated_only_if_nothing_else_has_another_length() -> None:
    def calibrated(rows: str) -> list[str]:
        found = [*read_measurements((FILES / "table_stats.json").read_bytes()), *read_measurements(rows.encode())]
        observation = build_observation(found, today=TODAY)
        state = designed_state(fleet(), observation.date, context())
        return [one.field for one in calibrated_values(state, observation)]

    assert "value.typical_bytes" not in calibrated(ROWS)
    assert "value.typical_bytes" in calibrated(ROWS.replace("temperature_long", "v"))
