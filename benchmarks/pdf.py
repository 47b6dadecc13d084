"""Figures about the PDF: a design of forty tables, from its file to the file's last byte, and the setting alone."""

import datetime
import io
import time
from collections.abc import Iterator

import pypdf

from designer.document import Spec
from estimator.advice.rules import findings
from estimator.estimates.estimate import estimate
from reviews.pdf.pdf_request import DesignState
from reviews.pdf.typesetting import pdf

from .context import fresh_context
from .designs import wide_design
from .measure import RUNS, BenchmarkFigure

TABLES = 40
STAND = DesignState(datetime.datetime(2026, 11, 20, tzinfo=datetime.UTC), revision=1)


def figures() -> Iterator[BenchmarkFigure]:
    """Seconds with the estimate and without, then pages."""
    data = wide_design(TABLES).model_dump(mode="json", exclude_unset=True)
    whole, setting, document = [], [], b""
    for _ in range(RUNS):
        start = time.perf_counter()
        spec = Spec.model_validate(data)
        context = fresh_context()
        known_estimate = estimate(spec, context)
        remarks = findings(spec, known_estimate, STAND.when.date())
        estimated = time.perf_counter()
        document = pdf(spec, known_estimate, remarks, context, stand=STAND)
        end = time.perf_counter()
        whole.append(end - start)
        setting.append(end - estimated)
    pages = len(pypdf.PdfReader(io.BytesIO(document)).pages)
    yield BenchmarkFigure(f"PDF, {TABLES} tables, with the estimate", tuple(whole), "s", 5)
    yield BenchmarkFigure("  the PDF alone", tuple(setting), "s", note=f"{len(document) / 1e6:.1f} MB")
    yield BenchmarkFigure("  pages", (float(pages),), "", 60)
