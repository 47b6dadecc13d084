"""Trials of designs as results of tools: what one would do, and one on an emulator. A real instance is for people."""

import datetime
import time
from dataclasses import replace

from estimator.estimates.estimate import estimate
from estimator.presentation.locations import element_path
from reviews.management.bigtable_engine import BigtableEngine
from reviews.trials import EngineUnreachableError, TrialResult, describe_plan, plan_trial, run_trial
from reviews.trials.reports import finding_text
from reviews.trials.tables import BigtableTable

from . import results
from .judging import OpenDesign
from .stores import StoreError

MOST_SECONDS = 120.0


def trial_summary(opened: OpenDesign, rows: int, emulator: str = "") -> results.TrialSummary:
    """Return what a trial does, or, with the address of an emulator, what it found there."""
    plan = plan_trial(opened.spec, estimate(opened.spec, opened.context), rows=rows)
    result = describe_plan(plan, design=opened.stored.name, rows=rows)
    if not emulator:
        return _summary(opened, result)
    if not all(isinstance(table, BigtableTable) for table in plan.tables):
        raise StoreError("The emulator is of Bigtable, and this design is for another engine.")
    now, ends = datetime.datetime.now(datetime.UTC), time.monotonic() + MOST_SECONDS
    dated_result = replace(result, target=emulator, date=now.date().isoformat())
    try:
        engine = BigtableEngine.at_emulator(emulator, int(now.timestamp() * 1_000_000))
        engine.reach()
        outcome = run_trial(plan, engine, dated_result, has_time=lambda: time.monotonic() < ends)
    except EngineUnreachableError as error:
        raise StoreError(f"{emulator} does not answer: {error}") from error
    except ModuleNotFoundError as error:
        raise StoreError("Google's client is not installed: pip install 'keywright[bigtable]'.") from error
    return _summary(opened, outcome)


def _summary(opened: OpenDesign, result: TrialResult) -> results.TrialSummary:
    def place(element: str) -> str:
        return element_path(opened.spec, element)

    return results.TrialSummary(
        design=opened.stored.name,
        ran_on=result.target,
        rows_per_kind=result.rows_per_kind,
        tables=[
            results.TrialTableSummary(
                name=table.name,
                rows_written=table.written.rows,
                rows_found=None if table.found is None else table.found.rows,
            )
            for table in result.tables
        ],
        reads=[
            results.TrialReadSummary(
                read=read.read,
                name=read.name,
                requests=read.request_count,
                filters=read.filters,
                rows_planned=read.planned.rows,
                rows_found=None if read.found is None else read.found.rows,
                bytes_found=None if read.found is None else read.found.bytes,
            )
            for read in result.reads
        ],
        differences=[finding_text(finding) for finding in result.findings],
        not_tried=[f"{place(omission.element)}: {omission.text}" for omission in result.not_tried],
    )
