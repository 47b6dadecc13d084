"""Memory stays where it is however many edits are made: the quick form of `python3 run.py bench soak`."""

import gc

import pytest

from benchmarks.context import fresh_context
from benchmarks.designs import wide_design
from benchmarks.soak import resident_mb, soak


@pytest.mark.parametrize(
    ("tables", "edits"), [pytest.param(2, 150, marks=pytest.mark.slow), pytest.param(20, 24, marks=pytest.mark.slow)]
)
def test_edits_do_not_make_a_process_grow(tables: int, edits: int) -> None:
    context = fresh_context(memory_mb=16)
    run = soak(wide_design(tables), context, edits)
    for _ in range(edits // 3):
        next(run)
    gc.collect()
    early = resident_mb()
    for _ in run:
        assert context.cache.used_bytes <= context.cache.limit_bytes
    gc.collect()

    assert len(context.cache) > 3
    assert resident_mb() - early < 20  # 40 MB and more where results are kept without being weighed
