"""Operations of the API; each finds the objects of the token's team, then calls the pages' functions."""

from reviews.api.site import api

from . import (
    advice,
    comparison,
    computed,
    designs,
    discussion,
    drift,
    exports,
    imports,
    links,
    measured,
    replay,
    requests,
    revisions,
    runs,
    traces,
    trials,
    verdicts,
    webhooks,
)

__all__ = [
    "advice",
    "api",
    "comparison",
    "computed",
    "designs",
    "discussion",
    "drift",
    "exports",
    "imports",
    "links",
    "measured",
    "replay",
    "requests",
    "revisions",
    "runs",
    "traces",
    "trials",
    "verdicts",
    "webhooks",
]
