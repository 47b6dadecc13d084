"""Operations of the API; each finds the objects of the token's team, then calls the pages' functions."""

from reviews.api.site import api

from . import computed, designs, drift, exports, imports, measured, replay, revisions, runs, traces, trials, webhooks

__all__ = [
    "api",
    "computed",
    "designs",
    "drift",
    "exports",
    "imports",
    "measured",
    "replay",
    "revisions",
    "runs",
    "traces",
    "trials",
    "webhooks",
]
