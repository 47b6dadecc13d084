"""Small designs that are simulated in a blink, and the way through plan, count and play."""

from designer.document import fingerprint
from estimator.simulation import OperationCounts, Parameters, count, play
from tests.contexts import plan
from tests.core.kernels.traffic.designs import TIME, design, field, of

START = "2026-01-05"
ZIPF = {"kind": "zipf", "theta": 0.99}


def users(*, per_second=40_000.0, popularity=None, lead=(), fixed=10, distinct=2_000, **more):
    """Writes to one row per user, on so many nodes."""
    given = {} if popularity is None else {"popularity": popularity}
    return design(
        *lead, of("user", after=""), fields=[field("user", distinct, **given)], per_second=per_second,
        write={"mode": "overwrite"}, value_bytes=300, start=START, horizon_months=1,
        instance={"clusters": [{"id": "main", "region": "us-central1", "nodes": {"kind": "fixed", "count": fixed}}]},
        **more,
    )  # fmt: skip


def sequence(*, salt=0, lead=(), fields=(), per_second=40_000.0, fixed=10, **more):
    """Rows that begin with the time they are written, behind a salt or other segments or not."""
    lead = ({"kind": "salt", "modulo": salt, "after": "#"},) if salt else lead
    return design(
        *lead, TIME, of("user", after=""), fields=[field("user", 2_000), *fields], per_second=per_second,
        value_bytes=300, start=START, horizon_months=1,
        instance={"clusters": [{"id": "main", "region": "us-central1", "nodes": {"kind": "fixed", "count": fixed}}]},
        **more,
    )  # fmt: skip


_RUNS = {}


def run(spec, **asked):
    """The whole way in one process; the same question is answered once."""
    parameters = Parameters(**asked)
    question = fingerprint(spec), parameters.canonical
    if question not in _RUNS:
        made = plan(spec, parameters)
        _RUNS[question] = play(made, count(made, 0, made.windows))
    return _RUNS[question]


__all__ = ["OperationCounts", "run", "sequence", "users"]
