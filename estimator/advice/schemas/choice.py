"""The best set of tables: exact, for every question is served by one table, and every table costs its writes."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from estimator.results.arrays import Floats


@dataclass(frozen=True)
class TableSet:
    """Tables, the one that serves each question, and what that costs."""

    tables: tuple[int, ...]
    assignment: tuple[int, ...]
    """The table of each question."""
    cost: float


def choose_tables(table_costs: Sequence[float], read_costs: Floats) -> TableSet | None:
    """Return the set of least cost, and of those with equal cost the first with fewest tables.

    `read_costs` is (tables, questions); infinity is a table that cannot serve a question. The costs of all subsets of
    questions are kept: each table in turn is opened, and takes any questions (uncapacitated facility location by
    dynamic programming over 2^questions subsets). None if a question is served by no table.
    """
    tables, questions = read_costs.shape
    if not questions:
        cheapest = min(range(tables), key=lambda table: table_costs[table], default=None)
        return None if cheapest is None else TableSet((cheapest,), (), float(table_costs[cheapest]))
    # Bit n of a subset is question n: with 12 questions there are 4,096 subsets, each an entry of `best`.
    subsets = np.arange(1 << questions)
    best = np.full(1 << questions, math.inf)
    best[0] = 0.0
    before, stages_by_table = [best], list[tuple[Floats, ...]]()
    for table in range(tables):
        # The table is paid for once, then each question may be added to what it serves, in turn.
        opened = best + table_costs[table]
        stages = [opened]
        for question in range(questions):
            bit = 1 << question
            has = (subsets & bit) > 0
            with_it = np.where(has, stages[-1][subsets & ~bit] + read_costs[table, question], math.inf)
            stages.append(np.minimum(stages[-1], with_it))
        best = np.minimum(best, stages[-1])
        before.append(best)
        stages_by_table.append(tuple(stages))
    if not math.isfinite(best[-1]):
        return None
    return _trace(before, stages_by_table, read_costs, float(best[-1]))


def _trace(
    before: Sequence[Floats], stages_by_table: Sequence[tuple[Floats, ...]], read_costs: Floats, cost: float
) -> TableSet:
    """Return the tables and assignments that made the best cost of all questions."""
    questions = read_costs.shape[1]
    rest, assignment, tables = (1 << questions) - 1, [-1] * questions, list[int]()
    for table in reversed(range(len(stages_by_table))):
        # Without this table the rest costs no more, so it was not opened; ties go to fewer tables.
        if before[table][rest] <= before[table + 1][rest]:
            continue  # not opened
        tables.append(table)
        stages = stages_by_table[table]
        for question in reversed(range(questions)):
            if stages[question][rest] > stages[question + 1][rest]:
                assignment[question] = table
                rest &= ~(1 << question)
    return TableSet(tuple(reversed(tables)), tuple(assignment), cost)
