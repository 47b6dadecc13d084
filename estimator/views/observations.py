"""What runs beside what was designed: files are read, compared, and kept over time."""

import datetime
import hashlib
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from designer.document.texts import N_, Text
from designer.http.pages import page
from designer.http.parameters import form, query, uploads
from designer.models import Design
from designer.views.access import can_edit, current_person, design_for
from estimator.contexts import current_context
from estimator.estimates.estimate import estimate
from estimator.models import KeptObservation
from estimator.observations import (
    Observation,
    ObservationError,
    build_observation,
    compare_with_design,
    designed_state,
    read_measurements,
)
from estimator.observations.calibration import calibrate_design
from estimator.observations.numbers import KEY_READERS
from estimator.observations.report import PRECISION
from estimator.presentation.observation_page import ForecastPage, ObservationPage

from .design import chart_response

OBSERVATIONS = "observations"
"""What the cache holds, by the content of the files and how they were read."""
FILES_BYTES_MAX = 7_500_000
FILES_MAX = 100
FIELDS = ("table", "read", "keys", "date")
KEY_FORMS = {"text": N_("text"), "hex": N_("hexadecimal"), "base64": "Base64"}
NO_FILE = Text(N_("choose a file"))
TOO_LARGE = Text(N_("the files are larger than 7.5 MB together: use the command"))
NO_DATE = Text(N_("the date is not a date"))
GONE = Text(N_("the files are no longer on this server: choose them again"))


@dataclass(frozen=True)
class _ReadFiles:
    """What files tell, and which read their request stats are of."""

    observation: Observation
    read: str


@require_http_methods(["GET", "HEAD", "POST"])
def measured(request: HttpRequest, key: str) -> HttpResponse:
    """Read the files of the form and compare them; `keep` their figures, `remove` kept ones, `calibrate` the design."""
    design = design_for(request, key, "edit" if request.method == "POST" else "view")
    given = form(request)
    if request.method == "POST" and (number := given.number("remove")):
        design.observations.filter(pk=number).delete()
        return redirect(request.path)
    if request.method == "POST" and "digest" not in given:
        found = _read_upload(request, design)
        return _show(request, design, found) if isinstance(found, Text) else redirect(f"{request.path}?files={found}")
    digest = given.get("digest", "") or query(request).get("files", "")
    if not digest:
        return _show(request, design, None)
    held = current_context().cache.find(OBSERVATIONS, (design.key, digest))
    if held is None:
        return _show(request, design, GONE)
    compared = _compare(design, held)
    if request.method == "POST" and isinstance(compared, ObservationPage) and "calibrate" in given:
        _calibrate(request, design, compared)
        return redirect(f"{request.path}?files={digest}")
    if request.method == "POST" and isinstance(compared, ObservationPage):
        KeptObservation.store(design, compared.compared, digest=digest, by=current_person(request))
        return redirect(request.path)
    return _show(request, design, compared, digest)


def _show(request: HttpRequest, design: Design, found: ObservationPage | Text | None, digest: str = "") -> HttpResponse:
    is_refused = isinstance(found, Text)
    kept = list(design.observations.select_related("by"))
    context: dict[str, Any] = {
        "design": design, "may_edit": can_edit(request, design), "problem": found if is_refused else None,
        "shown": found if isinstance(found, ObservationPage) else None, "digest": digest, "kept": kept,
        "forecasts": _forecasts(design, kept) if kept else None, "base": reverse("measured", args=[design.key]),
        "given": {name: form(request).line(name, most=100) for name in FIELDS},
        "key_forms": KEY_FORMS, "spec": design.spec, "precision": PRECISION,
        "reads": [read for _, kind in design.spec.row_kinds() for read in kind.reads],
    }  # fmt: skip
    return page(request, "estimator/observations/measured.html", context, status=422 if is_refused else 200)


def _read_upload(request: HttpRequest, design: Design) -> str | Text:
    """Read the uploaded files; return what finds them again, or what is wrong."""
    given, context = form(request), current_context()
    files = uploads(request, "file", most_bytes=FILES_BYTES_MAX)[:FILES_MAX]
    if not files:
        return NO_FILE
    if sum(len(content) for _, content in files) > FILES_BYTES_MAX:
        return TOO_LARGE
    table, read = given.line("table", most=100), given.line("read", most=40)
    keys, day = given.choice("keys", KEY_READERS, "text"), given.line("date", most=10)
    try:
        date = datetime.date.fromisoformat(day) if day else None
    except ValueError:
        return NO_DATE
    found = []
    for name, content in files:
        try:
            found += read_measurements(content, keys=keys, table=table)
        except ObservationError as error:
            return Text(N_("{file}: {reason}"), {"file": name[:80], "reason": Text(error.message, error.params)})
    parts = (*(content for _, content in files), table.encode(), read.encode(), keys.encode(), day.encode())
    digest = hashlib.sha256(b"\0".join(parts)).hexdigest()
    held = _ReadFiles(build_observation(found, today=context.today, date=date), read)
    context.cache.put(OBSERVATIONS, (design.key, digest), held, seconds=1.0)
    return digest


def _compare(design: Design, held: _ReadFiles) -> ObservationPage | Text:
    try:
        state = designed_state(design.spec, held.observation.date, current_context())
    except ObservationError as error:
        return Text(error.message, error.params)
    return ObservationPage(compare_with_design(state, held.observation, read=held.read), state)


def _calibrate(request: HttpRequest, design: Design, shown: ObservationPage) -> None:
    """Take over the values that are known without doubt, as one change that can be undone."""
    date = shown.compared.observation.date
    made = calibrate_design(design.spec, shown.calibrated, date)
    words = Text(N_("calibrated with measurements of {date}"), {"date": date})
    design.replace(made, expected_sha256=design.head_id, by=current_person(request), description=words)


def _forecasts(design: Design, kept: list[KeptObservation]) -> ForecastPage:
    made = estimate(design.spec, current_context())
    return ForecastPage(design.spec, made, tuple((each.date, each.data) for each in kept))


@require_safe
def forecast_chart(request: HttpRequest, key: str, name: str, form: str) -> HttpResponse:
    """One chart of forecast and measurements in one of its forms."""
    design = design_for(request, key, "view")
    return chart_response(request, _forecasts(design, list(design.observations.all())), name, form=form, file=key)
