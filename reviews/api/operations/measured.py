"""Measurements beside the design, from files."""

import hashlib
from typing import Any

from django.http import HttpRequest, HttpResponse

from designer.document.texts import N_, Text
from designer.http.beside import read_beside
from designer.http.errors import DesignError
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
from estimator.presentation.observation_data import observation_data
from estimator.presentation.observation_page import forecast_differences, kept_figures
from reviews.api import schemas
from reviews.api.access import design_of, token_of
from reviews.api.errors import BODY, FAILURES
from reviews.api.site import Limit, Offset, api, list_page


class UnreadMeasurementError(DesignError):
    """Measurements that cannot be compared."""

    status = 422


@api.post(
    "/designs/{key}/measured",
    response={200: schemas.MeasuredInfo, **BODY, **FAILURES},
    tags=["computed"],
    operation_id="compareMeasurements",
    summary=N_("Measurements of what runs, beside the design of the same day"),
    url_name="api_measured",
)
def measured(request: HttpRequest, key: str, body: schemas.MeasuredAsked) -> Any:
    design = design_of(request, key, "edit" if body.keep else "view")
    context = current_context()
    try:
        length = sum(map(len, body.files))
        measurements, empty = read_beside(
            _read_files, body.files, body.table, length=length, raises=(ObservationError,)
        )
        observation = build_observation(measurements, today=context.today, date=body.date)
        state = designed_state_beside(design.spec, observation.date, context)
    except ObservationError as error:
        reason = Text(error.message, error.params)
        message = N_("The measurements cannot be compared: {reason}.")
        raise UnreadMeasurementError(message, reason=reason).at("files") from error
    compared = compare_with_design(state, observation, read=body.read)
    if body.keep:
        digest = hashlib.sha256("\0".join(body.files).encode("utf-8", "replace")).hexdigest()
        by = token_of(request).by
        figures, differences = kept_figures(compared), forecast_differences(compared)
        KeptObservation.store(design, figures, differences, date=observation.date, digest=digest, by=by)
    return {"kept": body.keep, "empty_files": list(empty), "report": observation_data(compared)}


@api.get(
    "/designs/{key}/observations",
    response={200: schemas.Listed[schemas.ObservationInfo], **FAILURES},
    tags=["computed"],
    operation_id="listObservations",
    summary=N_("Kept figures of what runs, newest first"),
    url_name="api_observations",
)
def observations(request: HttpRequest, response: HttpResponse, key: str, offset: Offset = 0, limit: Limit = 50) -> Any:
    rows = design_of(request, key, "view").observations.select_related("by").order_by("-date", "-pk")
    return list_page(request, response, rows, offset=offset, limit=limit, to_data=_observation)


def _read_files(files: list[str], table: str) -> tuple[list[Measurement], tuple[str, ...]]:
    """Return what files measure, and the names of those that are empty lists."""
    return read_several([(f"files[{n}]", text.encode("utf-8", "replace")) for n, text in enumerate(files)], table=table)


def _observation(row: KeptObservation) -> dict[str, Any]:
    return {"date": row.date, "figures": row.data, "at": row.at, "by": str(row.by) if row.by else None}
