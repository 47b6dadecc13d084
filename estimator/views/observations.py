"""Measurements beside the design: files are read, compared, and kept over time."""

import datetime
import hashlib
from dataclasses import asdict, dataclass
from typing import Any

from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from designer.document.texts import N_, Text
from designer.http.beside import read_beside
from designer.http.pages import page
from designer.http.parameters import form, uploads
from designer.models import Design
from designer.views.access import can_edit, current_person, design_for
from estimator.contexts import current_context
from estimator.models import KeptObservation
from estimator.observations import (
    Measurement,
    ObservationError,
    build_observation,
    compare_with_design,
    designed_state_beside,
    read_several,
)
from estimator.observations.calibration import CalibratedValue, calibrate_design
from estimator.observations.files import EMPTY
from estimator.observations.numbers import KEY_READERS
from estimator.observations.report import NOTHING_CERTAIN, NOTHING_COMPARED, PRECISION
from estimator.presentation.design_page import analyze
from estimator.presentation.observation_page import ForecastPage, ObservationPage, forecast_differences, kept_figures

from .design import chart_response

SALT = "measured"
SIGNED_SECONDS = 86_400
"""So long the buttons of a comparison work."""
FILES_BYTES_MAX = 7_500_000
FILES_MAX = 100
FIELDS = ("table", "read", "keys", "date")
KEY_FORMS = {"text": N_("text"), "hex": N_("hexadecimal"), "base64": "Base64"}
NO_FILE = Text(N_("choose a file"))
TOO_LARGE = Text(N_("the files are larger than 7.5 MB together: use the command"))
NO_DATE = Text(N_("the date is not a date"))
GONE = Text(N_("this comparison is too old: choose the files again"))
CHANGED = Text(N_("the design has changed since: choose the files again"))


@dataclass(frozen=True)
class _Comparison:
    """A comparison, and what a form of its page sends back."""

    page: ObservationPage
    signed: str
    """Figures and values without row keys: no process has to remember them."""
    passed_over: list[Text]
    """Files that measure nothing, and why."""


@require_http_methods(["GET", "HEAD", "POST"])
def measured(request: HttpRequest, key: str) -> HttpResponse:
    """Read the files of the form and compare them; `keep` their figures, `remove` kept ones, `calibrate` the design."""
    design = design_for(request, key, "edit" if request.method == "POST" else "view")
    parameters = form(request)
    if request.method != "POST":
        return _show(request, design, None)
    if number := parameters.number("remove"):
        design.observations.filter(pk=number).delete()
        return redirect(request.path)
    if "compared" not in parameters:
        return _show(request, design, _read_upload(request, design))
    sent = _read_signed(design, parameters.get("compared", ""))
    if sent is None:
        return _show(request, design, GONE)
    date = datetime.date.fromisoformat(sent["date"])
    if "calibrate" not in parameters:
        KeptObservation.store(
            design, sent["tables"], sent.get("differences", {}), date=date, digest=sent["digest"],
            by=current_person(request),
        )  # fmt: skip
        return redirect(request.path)
    if sent["sha256"] != design.head_id:
        return _show(request, design, CHANGED)
    new_spec = calibrate_design(
        design.spec,
        [CalibratedValue(**value) for value in sent["values"]],
        date,
        moves_start=sent.get("moves_start", False),
    )
    words = Text(N_("calibrated with measurements of {date}"), {"date": date})
    design.replace(new_spec, expected_sha256=design.head_id, by=current_person(request), description=words)
    return redirect("editor", design.key)


def _sign(design: Design, shown: ObservationPage, digest: str) -> str:
    data = {
        "sha256": design.head_id,
        "date": shown.compared.observation.date.isoformat(),
        "digest": digest,
        "tables": kept_figures(shown.compared),
        "differences": forecast_differences(shown.compared),
        "moves_start": shown.compared.later_start is not None,
        "values": [asdict(value) for value in shown.calibrated],
    }
    return signing.dumps(data, salt=f"{SALT}.{design.key}", compress=True)


def _read_signed(design: Design, signed: str) -> dict[str, Any] | None:
    """Return what the page of a comparison sent back; None if it is not what it was given, or too old."""
    try:
        payload: dict[str, Any] = signing.loads(signed, salt=f"{SALT}.{design.key}", max_age=SIGNED_SECONDS)
    except signing.BadSignature:
        return None
    return payload


def _show(request: HttpRequest, design: Design, found: _Comparison | Text | None) -> HttpResponse:
    is_refused = isinstance(found, Text)
    observations = list(design.observations.select_related("by"))
    context: dict[str, Any] = {
        "design": design, "may_edit": can_edit(request, design), "problem": found if is_refused else None,
        "page": found.page if isinstance(found, _Comparison) else None, "kept": observations,
        "signed": found.signed if isinstance(found, _Comparison) else "",
        "passed_over": found.passed_over if isinstance(found, _Comparison) else (),
        "forecasts": _forecasts(design, observations) if observations else None,
        "base": reverse("measured", args=[design.key]),
        "given": {name: form(request).line(name, most=100) for name in FIELDS},
        "key_forms": KEY_FORMS, "spec": design.spec, "precision": PRECISION,
        "nothing_compared": NOTHING_COMPARED, "nothing_certain": NOTHING_CERTAIN,
        "reads": [read for _, kind in design.spec.row_kinds() for read in kind.reads],
    }  # fmt: skip
    return page(request, "estimator/observations/measured.html", context, status=422 if is_refused else 200)


def _read_upload(request: HttpRequest, design: Design) -> _Comparison | Text:
    """Read and compare the uploaded files; return what is wrong where that cannot be."""
    parameters, context = form(request), current_context()
    files = uploads(request, "file", most_bytes=FILES_BYTES_MAX)[:FILES_MAX]
    if not files:
        return NO_FILE
    if sum(len(content) for _, content in files) > FILES_BYTES_MAX:
        return TOO_LARGE
    table, read = parameters.line("table", most=100), parameters.line("read", most=40)
    keys, day = parameters.choice("keys", KEY_READERS, "text"), parameters.line("date", most=10)
    try:
        date = datetime.date.fromisoformat(day) if day else None
    except ValueError:
        return NO_DATE
    length = sum(len(content) for _, content in files)
    named = [(name[:80], content) for name, content in files]
    try:
        measurements, empty = read_beside(_read_files, named, keys, table, length=length, raises=(ObservationError,))
        observation = build_observation(measurements, today=context.today, date=date)
        state = designed_state_beside(design.spec, observation.date, context)
    except ObservationError as error:
        return Text(error.message, error.params)
    view = ObservationPage(compare_with_design(state, observation, read=read), state)
    digest = hashlib.sha256(b"\0".join(content for _, content in files)).hexdigest()
    passed_over = [Text(N_("{file}: {reason}"), {"file": name, "reason": Text(EMPTY)}) for name in empty]
    return _Comparison(view, _sign(design, view, digest), passed_over)


def _read_files(files: list[tuple[str, bytes]], keys: str, table: str) -> tuple[list[Measurement], tuple[str, ...]]:
    return read_several(files, keys=keys, table=table)


def _forecasts(design: Design, kept: list[KeptObservation]) -> ForecastPage:
    estimate = analyze(design.spec, current_context()).estimate
    return ForecastPage(design.spec, estimate, tuple((observation.date, observation.data) for observation in kept))


@require_safe
def forecast_chart(request: HttpRequest, key: str, name: str, form: str) -> HttpResponse:
    """One chart of forecast and measurements in one of its forms."""
    design = design_for(request, key, "view")
    return chart_response(request, _forecasts(design, list(design.observations.all())), name, form=form, file=key)
