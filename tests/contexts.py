"""What is computed in tests: in one context for all of a process, so that nothing is computed twice."""

import datetime
from functools import partial
from typing import Any

from designer.document import Spec
from designer.document.table import Table
from designer.memory import Cache
from estimator.advice import advisor
from estimator.estimates import estimate as estimates
from estimator.estimates import what_if as what_ifs
from estimator.estimates.context import Context
from estimator.estimates.what_if import WhatIf
from estimator.kernels.compression.measurements import Measurements
from estimator.presentation import design_page as pages
from estimator.price_books.shelf import read_price_books
from estimator.results import Estimate, TablePart
from estimator.simulation import Parameters, Plan, Simulation
from estimator.simulation import build_plan as planned
from estimator.simulation import simulate as simulated
from reviews.exports.shared import content

TODAY = datetime.date(2026, 11, 22)
CACHE = Cache(512 << 20)


def context(today: datetime.date = TODAY, measurements: Measurements | None = None) -> Context:
    """Build a context of the shipped price books."""
    return Context(today, read_price_books(), measurements or Measurements(), CACHE)


Content = partial(content.ExportContent, context=context())
"""What is exported, with a context for formats that compute something."""


def estimate(spec: Spec, **options: Any) -> Estimate:
    return estimates.estimate(spec, context(), **options)


def table_estimate(spec: Spec, table: Table, **options: Any) -> TablePart:
    return estimates.table_estimate(spec, table, cache=CACHE, **options)


def instance_estimate(spec: Spec, parts: dict[str, TablePart]) -> Estimate:
    return estimates.instance_estimate(spec, parts, read_price_books())


def what_if(spec: Spec, made: Estimate) -> WhatIf:
    return what_ifs.what_if(spec, made, context())


def advise(spec: Spec, row_kind: str, *, today: datetime.date = TODAY, most: int = advisor.MOST) -> advisor.Advice:
    return advisor.advise(spec, row_kind, context(today), maximum=most)


def plan(spec: Spec, parameters: Parameters) -> Plan:
    return planned(spec, parameters, context())


def simulate(spec: Spec, parameters: Parameters | None = None, **options: Any) -> Simulation:
    return simulated(spec, context(), parameters, **options)


def answer(spec: Spec) -> pages.DesignAnalysis:
    return pages.analyze(spec, context())


def design_page(spec: Spec) -> pages.DesignPage:
    return pages.design_page(spec, context())
