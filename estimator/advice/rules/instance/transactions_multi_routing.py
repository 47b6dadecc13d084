"""A single-row transaction uses an app profile that does not support it.

**What** A write reads before it writes (an increment, a read-modify-write, a conditional write). Its app profile
uses multi-cluster routing or does not allow single-row transactions.
**Why** Two clusters could run such a transaction at the same time, and both would succeed. The engine therefore
rejects these requests unless the app profile routes to one cluster and allows them.
**Instead** Send these writes through an app profile with single-cluster routing that allows single-row
transactions. For counters, use aggregate cells, which accept additions in any cluster.
**Fine when** Never. The engine rejects each of these requests.
**Source** https://cloud.google.com/bigtable/docs/app-profiles (read 2026-11-20)
https://cloud.google.com/bigtable/docs/writes (read 2026-11-20)
"""

from collections.abc import Iterator
from typing import Any

from designer.document import Spec, effective_value
from designer.document.access import Write
from designer.document.instance import AppProfile
from designer.document.texts import N_, Text
from designer.wording import element_label
from estimator.facts.routing import has_multi_cluster_routing, profile_of, writes
from estimator.results import Estimate, TablePart

from ..shared import BIGTABLE, Rule, Violation
from ..shared.edits import change
from ..shared.examples import DEVICE, NEWEST_ONLY, Part, design, field_part, read_part

TRANSACTIONS = ("increment", "read_modify_write", "check_and_mutate")
"""Modes of writes that the engine does as a single-row transaction."""

DEFAULT = N_("the default app profile")
SWITCHED_OFF = N_(
    "{write} on {table} is a single-row transaction, but {profile} does not allow them. The engine "
    "rejects every request: {rate_per_second}."
)
UNRATED = N_(
    "{write} on {table} is a single-row transaction, but {profile} uses multi-cluster routing. The "
    "engine rejects every request."
)
SWITCHED_OFF_UNRATED = N_(
    "{write} on {table} is a single-row transaction, but {profile} does not allow them. The engine "
    "rejects every request."
)
CONTRADICTION = N_(
    "{profile} allows single-row transactions and uses multi-cluster routing. The engine rejects this app profile."
)
ALLOW = N_("Allow single-row transactions in {profile}")


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per write that is refused, and per profile that cannot be created."""
    for profile in spec.instance.app_profiles:
        if profile.transactions and profile.routing == "multi":
            yield Violation(profile.id, {"profile": profile.label}, "transactions", message=CONTRADICTION)
    for table, _, write in writes(spec):
        if write.mode not in TRANSACTIONS:
            continue
        through = profile_of(spec, write)
        params: dict[str, Any] = {
            "write": element_label(spec, write.id),
            "table": table.label,
            "profile": through.label if through else Text(DEFAULT),
            "rate_per_second": _rate(spec, estimate.tables.get(table.id), write),
        }
        if has_multi_cluster_routing(spec, write):
            rate = params["rate_per_second"]
            yield Violation(write.id, params, "app_profile", rate, message=UNRATED if rate is None else "")
        elif through is not None and not through.transactions:
            yield _disabled_violation(write, through, params)


def _disabled_violation(write: Write, profile: AppProfile, params: dict[str, Any]) -> Violation:
    return Violation(
        write.id,
        params,
        "app_profile",
        params["rate_per_second"],
        message=SWITCHED_OFF if params["rate_per_second"] is not None else SWITCHED_OFF_UNRATED,
        fix=change(profile, "transactions", True),
        fix_safe=True,
        fix_label=ALLOW,
    )


def _rate(spec: Spec, part: TablePart | None, write: Write) -> float | None:
    """Return the rate of refused requests; the activity's own rate where no key can be made yet [1/s]."""
    loads = part.traffic.writes if part and part.traffic else ()
    rate = sum(load.rows_per_second for load in loads if load.write == write.id)
    if rate:
        return rate
    activity = None if write.activity is None else spec.find(write.activity)
    return None if activity is None else effective_value(spec, activity, "rate_per_second")


def _counters(*clusters: Part, **profile: Any) -> Spec:
    return design(
        field_part("device"),
        fields=(DEVICE,),
        per_second=100,
        write={"mode": "read_modify_write", "app_profile": "counting"},
        column={"value": {"kind": "integer", "typical_bytes": 8}},
        gc=NEWEST_ONLY,
        reads=(read_part(binds=("device",)),),
        instance={"clusters": clusters, "app_profiles": ({"id": "counting", "name": "counting", **profile},)},
    )


_WEST: Part = {"id": "cluster", "name": "west", "region": "us-west1"}
_CENTRAL: Part = {"id": "central", "name": "central", "region": "us-central1"}

RULE = Rule(
    code="I002",
    severity="error",
    message=N_(
        "{write} on {table} is a single-row transaction, but {profile} uses multi-cluster routing. The "
        "engine rejects every request: {rate_per_second}."
    ),
    check=check,
    bad=lambda: _counters(_WEST, _CENTRAL, routing="multi"),
    good=lambda: _counters(_WEST, _CENTRAL, routing="single", clusters=("cluster",), transactions=True),
    near_miss=lambda: _counters(_WEST, routing="single", transactions=True),
    engines=BIGTABLE,
)
