"""Keys that begin with the time: what a scan passes until it has found the rows that it wants, beside what is drawn."""

import pytest

from .comparison import Compared, compare
from .designs import Design
from .time_first_designs import time_first_design

HELD, MANY = (16, 29, 33), range(60)


def is_aside(_: Design, compared: Compared) -> bool:
    """Whether a quantity is none of the reads."""
    return not compared.name.startswith(("behind", "first"))


def differing(seed: int) -> list[Compared]:
    made = time_first_design(seed)
    found = () if made is None else compare(made, is_aside)
    return [each for each in found if made is not None and not each.agrees and not is_aside(made, each)]


@pytest.mark.parametrize("seed", HELD)
def test_a_scan_behind_a_leading_time_passes_what_is_drawn(seed: int) -> None:
    assert time_first_design(seed) is not None
    assert differing(seed) == []


@pytest.mark.slow
def test_many_scans_behind_a_leading_time_pass_what_is_drawn() -> None:
    found = {seed: differing(seed) for seed in MANY}

    assert {seed: each for seed, each in found.items() if each} == {}
