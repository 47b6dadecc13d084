"""A design tried on an engine: what a trial does, and results."""

import json
from typing import Any

from django.http import HttpRequest

from designer.document.texts import N_
from designer.models import Design
from reviews.api import schemas
from reviews.api.access import design_of, token_of
from reviews.api.errors import BODY, FAILURES, PlacedError
from reviews.api.site import api
from reviews.models import KeptTrial
from reviews.trials.reports import BYTES_MAX, UnreadResultError, as_data, read_data
from reviews.views.trials import trial_plan


@api.get(
    "/designs/{key}/trials",
    response={200: schemas.TrialInfo, **FAILURES},
    tags=["computed"],
    operation_id="getTrials",
    summary=N_("What a trial on an engine does, and the results that were kept"),
    url_name="api_trials",
)
def trials(request: HttpRequest, key: str) -> Any:
    return _info(design_of(request, key, "view"))


@api.post(
    "/designs/{key}/trials",
    response={200: schemas.TrialInfo, **BODY, **FAILURES},
    tags=["computed"],
    operation_id="keepTrial",
    summary=N_("Keep the result of a trial"),
    url_name="api_trials",
)
def keep_trial(request: HttpRequest, key: str, asked: schemas.TrialGiven) -> Any:
    design = design_of(request, key, "edit")
    try:
        if len(json.dumps(asked.result)) > BYTES_MAX:
            raise UnreadResultError
        result = read_data(asked.result)
    except UnreadResultError as error:
        raise PlacedError(N_("This is not what `keywright try --json` prints."), place=("result",)) from error
    if not result.target:
        raise PlacedError(N_("This is a plan and not a result: it has not run."), place=("result",))
    KeptTrial.store(design, result, by=token_of(request).by)
    return _info(design)


def _info(design: Design) -> dict[str, Any]:
    return {
        "plan": as_data(trial_plan(design)),
        "results": [trial.data for trial in KeptTrial.objects.filter(design=design)],
    }
