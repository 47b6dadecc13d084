"""The choice of tables is the best of all sets, as trying each of them shows."""

from itertools import product

import numpy as np

from estimator.advice.schemas.choice import choose_tables
from tests.cases import cases


@cases("seed", range(8))
def test_no_other_set_costs_less(seed: int) -> None:
    random = np.random.default_rng(seed)
    table_costs = random.integers(0, 30, 5).astype(float)
    read_costs = random.integers(0, 30, (5, 4)).astype(float)
    read_costs[random.random((5, 4)) < 0.2] = np.inf
    read_costs[0] = np.minimum(read_costs[0], 50)

    chosen = choose_tables(list(table_costs), read_costs)

    every = product(range(5), repeat=4)
    least = min(table_costs[list(set(way))].sum() + read_costs[list(way), range(4)].sum() for way in every)
    assert chosen is not None
    assert chosen.cost == least
    assert table_costs[list(chosen.tables)].sum() + read_costs[list(chosen.assignment), range(4)].sum() == least
    assert set(chosen.assignment) == set(chosen.tables), "no table is written that nothing reads"


def test_twelve_questions_and_sixty_tables_are_chosen_from() -> None:
    random = np.random.default_rng(1)
    chosen = choose_tables(list(random.random(60)), random.random((60, 12)))
    assert chosen is not None
    assert len(chosen.assignment) == 12


def test_a_question_that_no_table_serves_leaves_no_choice() -> None:
    assert choose_tables([1.0], np.full((1, 1), np.inf)) is None
    stored_only = choose_tables([3.0, 2.0], np.zeros((2, 0)))
    assert stored_only is not None
    assert stored_only.tables == (1,)
