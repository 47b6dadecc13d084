"""The targets of fuzzing, without the fuzzer: where they begin, and what once broke them."""

import pytest

from tests.fuzz.__main__ import NAMES
from tests.fuzz.seeds import FOUND, seeds
from tests.fuzz.targets import TARGETS


def test_the_command_names_every_target() -> None:
    assert tuple(TARGETS) == NAMES
    assert {folder.name for folder in FOUND.iterdir()} <= set(NAMES)


@pytest.mark.parametrize("target", NAMES)
def test_a_target_takes_the_inputs_that_once_broke_it(target: str) -> None:
    made = seeds(target)

    assert made
    for data in (made[0], *(file.read_bytes() for file in sorted(FOUND.glob(f"{target}/*")))):
        TARGETS[target](data)
