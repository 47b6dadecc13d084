"""The estimate of crossed designs beside what is drawn of them, event by event."""

from collections.abc import Callable

import pytest

from tests.cases import cases

from .column_designs import named_design, wide_design
from .comparison import Compared, compare
from .designs import FEATURES, Design, design, growing_celebrity
from .gaps import KNOWN_GAPS, is_known

ORDINARY, MANY = range(200), range(200, 2_200)
NAMED, MANY_NAMED = range(30), range(30, 430)
CELEBRITIES, MANY_CELEBRITIES = range(25), range(25, 425)
ONCE_DIFFERING: dict[Callable[[int], Design | None], tuple[int, ...]] = {
    design: (365, 933, 1_965, 2_270, 2_275, 2_379, 2_476, 3_174, 3_345, 3_404),
    named_design: (423,),
    growing_celebrity: (101, 125, 229, 263),
}
AT_ONCE = 25
"""So many designs are one test."""


def parts(seeds: range) -> list[range]:
    return [seeds[first : first + AT_ONCE] for first in range(0, len(seeds), AT_ONCE)]


def differing(seeds: range, make: Callable[[int], Design | None] = design) -> list[str]:
    """Compare designs; return what differs and is in no known gap, and print how much was left out."""
    found, left_out, total = list[str](), 0, 0
    for made in filter(None, map(make, seeds)):
        compared = compare(made, is_known)
        known = [each for each in compared if is_known(made, each)]
        total += len(compared)
        left_out += len(known)
        found += [said(made.seed, each) for each in compared if each not in known and not each.agrees]
    print(f"designs {seeds.start} to {seeds.stop - 1}: {left_out} of {total} quantities are in known gaps")  # noqa: T201
    return found


def said(seed: int, each: Compared) -> str:
    return f"design {seed}, {each.name}: estimated {each.estimated:.5g}, drawn {each.drawn:.5g} ± {each.error:.2g}"


@pytest.mark.parametrize("seeds", parts(ORDINARY), ids=str)
def test_what_is_estimated_is_what_is_drawn(seeds: range) -> None:
    assert differing(seeds) == []


def differing_columns(seeds: range) -> list[str]:
    """Compare what is read of the newest columns, and of those of a span, where time stands in qualifiers."""
    designs = [made for made in map(wide_design, seeds) if made is not None]
    assert len(designs) > len(seeds) / 8

    def is_set_aside(made: Design, each: Compared) -> bool:
        return not each.name.startswith(("newest-columns", "columns")) or is_known(made, each)

    return [
        said(made.seed, each)
        for made in designs
        for each in compare(made, is_set_aside)
        if not each.agrees and not is_set_aside(made, each)
    ]


def test_the_columns_of_times_that_are_read_are_those_that_are_drawn() -> None:
    assert differing_columns(range(100)) == []


@pytest.mark.parametrize("seed", [309, 408])
def test_a_row_may_have_no_column_of_a_span_of_which_the_newest_are_read(seed: int) -> None:
    assert differing_columns(range(seed, seed + 1)) == []


@pytest.mark.parametrize("seeds", parts(NAMED), ids=str)
def test_columns_that_events_name_are_estimated_as_they_are_drawn(seeds: range) -> None:
    assert differing(seeds, named_design) == []


@pytest.mark.parametrize("make", ONCE_DIFFERING, ids=lambda make: make.__name__)
def test_designs_that_once_differed_agree(make: Callable[[int], Design | None]) -> None:
    assert [found for seed in ONCE_DIFFERING[make] for found in differing(range(seed, seed + 1), make)] == []


@pytest.mark.parametrize("seeds", parts(CELEBRITIES), ids=str)
def test_a_celebrity_stays_while_values_come(seeds: range) -> None:
    assert differing(seeds, growing_celebrity) == []


@pytest.mark.slow
@pytest.mark.parametrize("seeds", parts(MANY_CELEBRITIES), ids=str)
def test_a_celebrity_stays_while_values_come_in_many_designs(seeds: range) -> None:
    assert differing(seeds, growing_celebrity) == []


@pytest.mark.slow
@pytest.mark.parametrize("seeds", parts(MANY_NAMED), ids=str)
def test_columns_that_events_name_are_estimated_as_they_are_drawn_of_many_designs(seeds: range) -> None:
    assert differing(seeds, named_design) == []


@pytest.mark.slow
@pytest.mark.parametrize("seeds", parts(MANY), ids=str)
def test_what_is_estimated_is_what_is_drawn_of_many_designs(seeds: range) -> None:
    assert differing(seeds) == []


@cases("gap", KNOWN_GAPS)
def test_a_known_gap_names_what_is_crossed(gap) -> None:
    assert gap.crossed
    assert all(set(choices) <= set(FEATURES[feature]) for feature, choices in gap.crossed.items())


def test_a_design_is_determined_by_its_seed() -> None:
    assert design(7).spec == design(7).spec
    assert design(7).spec != design(8).spec
