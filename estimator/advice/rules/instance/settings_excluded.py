"""The engine rejects a setting, alone or together with another one.

**What** Infrequent access begins too early, or is set on HDD. Or a change stream is kept too long or too short. Or
Data Boost is in an app profile that also writes or reads in reverse, that uses multi-cluster routing, single-row
transactions or a priority, or that reads what Data Boost cannot read in this edition. Or an app profile with
single-cluster routing names several clusters or has row affinity. Or the in-memory tier is set without Enterprise
Plus, without SSD, or with a key of your own. Or the name of a table, of a column family or, on Tablestore, of a column
is too long. Or a garbage-collection rule takes more than 500 bytes in the admin API.
**Why** The engine rejects the setting, or each request that depends on it. The figures of such a design describe an
instance that cannot exist.
**Instead** Keep one of the settings that exclude each other, or change the edition or the storage type. The storage
type cannot be changed later.
**Fine when** Never. The engine rejects such a design.
**Source** https://cloud.google.com/bigtable/docs/tiered-storage (read 2026-11-20)
https://cloud.google.com/bigtable/docs/data-boost-overview (read 2026-11-28)
https://cloud.google.com/bigtable/docs/reference/admin/rest/v2/projects.instances.tables (read 2026-11-20)
https://cloud.google.com/bigtable/docs/reference/admin/rest/v2/projects.instances.appProfiles (read 2026-11-28)
https://cloud.google.com/bigtable/docs/change-streams-overview (read 2026-11-20)
https://cloud.google.com/bigtable/docs/in-memory-overview (read 2026-11-20)
https://cloud.google.com/bigtable/docs/editions-overview (read 2026-11-20)
https://help.aliyun.com/en/tablestore/product-overview/limits-on-widecolumn-model (read 2026-11-20)
"""

from collections.abc import Iterator
from typing import NamedTuple

from designer.document import Spec, effective_value
from designer.document.access import Read
from designer.document.collection import rule_of, size_bytes
from designer.document.edits import Clear, Edit
from designer.document.engines import description_of
from designer.document.instance import AppProfile
from designer.document.table import Table
from designer.document.texts import N_, Text
from designer.wording import shorten
from estimator.engines import bigtable, tablestore
from estimator.facts.routing import TRANSACTIONS_OF_MANY, profile_rejections, reads, writes
from estimator.kernels.growth.collection import policy
from estimator.results import Estimate

from ..shared import Rule, Violation
from ..shared.edits import all_of, change
from ..shared.examples import field_part, read_part, readings, time_part

EARLY = N_("infrequent access begins after {given_days} (minimum {least_days})")
COLD_ON_HDD = N_("infrequent access requires SSD")
STREAM = N_("the change stream is kept for {given_days} (allowed: {least_days} to {most_days})")
BOOST_WRITES = N_("Data Boost cannot serve writes ({names})")
BOOST_REVERSE = N_("Data Boost does not support reverse scans ({names})")
BOOST_ON_HDD = N_("Data Boost reads HDD only in Enterprise Plus")
BOOST_COLD = N_("Data Boost reads infrequent access only in Enterprise Plus ({names})")
MEMORY_EDITION = N_("the in-memory tier requires Enterprise Plus")
MEMORY_ON_HDD = N_("the in-memory tier requires SSD")
MEMORY_KEY = N_("the in-memory tier excludes customer-managed encryption keys")
TABLE_NAME = N_("the table name has {chars} characters (maximum {limit})")
FAMILY_NAME = N_("the name of family {family} has {chars} characters (maximum {limit})")
TABLE_BYTES = N_("the table name has {name_bytes} (maximum {most_bytes})")
COLUMN_BYTES = N_("the column name {column} has {name_bytes} (maximum {most_bytes})")
GC_RULE = N_("the garbage-collection rule of family {family} has {rule_bytes} (maximum {most_bytes})")
WITHIN = N_("Change {element} to settings that the engine accepts")


class _Problem(NamedTuple):
    reason: Text
    field: str
    edits: tuple[Edit, ...] | None = None
    """None: what to give up is for a person to decide."""


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per table, app profile and instance, with all of its problems and one fix for them."""
    problems_of = _table_problems if description_of(spec).has_families else _names_too_long
    elements = [(table.id, table.label, tuple(problems_of(spec, table))) for table in spec.tables]
    elements += [
        (app_profile.id, app_profile.label, tuple(_profile_problems(spec, app_profile)))
        for app_profile in spec.instance.app_profiles
    ]
    if spec.instance.clusters and description_of(spec).has_families:
        first = spec.instance.clusters[0]
        elements.append((first.id, first.label, tuple(_memory_problems(spec))))
    for at, label, problems in elements:
        if not problems:
            continue
        edits = [edit for problem in problems for edit in problem.edits or ()]
        fix = all_of(edits) if all(problem.edits is not None for problem in problems) else None
        yield Violation(
            at=at,
            field=problems[0].field,
            params={"element": label, "reasons": tuple(problem.reason for problem in problems)},
            effect=float(len(problems)),
            fix=fix,
            fix_safe=True,
            fix_label=WITHIN if fix is not None else "",
        )


def _is_hdd(spec: Spec) -> bool:
    return bool(effective_value(spec, spec.instance, "storage") == "hdd")


def _is_plus(spec: Spec) -> bool:
    return bool(effective_value(spec, spec.instance, "edition") == "enterprise_plus")


def _table_problems(spec: Spec, table: Table) -> Iterator[_Problem]:
    limits, days, stream = bigtable.LIMITS, table.infrequent_access_days, table.change_stream_days
    if days is not None and _is_hdd(spec):
        off = Clear(at=table.id, name="infrequent_access_days", was=days)
        yield _Problem(Text(COLD_ON_HDD), "infrequent_access_days", (off,))
    elif days is not None and days < (least := limits["infrequent_access_days"].value):
        params = {"given_days": days, "least_days": least}
        yield _Problem(Text(EARLY, params), "infrequent_access_days", (change(table, "infrequent_access_days", least),))
    if len(table.name) > (longest := limits["table_name_chars"].value):
        yield _Problem(Text(TABLE_NAME, {"chars": len(table.name), "limit": longest}), "name")
    for family in table.families:
        if len(family.name) > (longest := limits["family_name_chars"].value):
            name = {"family": family.label, "chars": len(family.name), "limit": longest}
            yield _Problem(Text(FAMILY_NAME, name), "name")
        message = rule_of(family.gc)
        if message is not None and (rule_bytes := size_bytes(message)) > (most := limits["gc_rule_bytes"].value):
            size = {"family": family.label, "rule_bytes": rule_bytes, "most_bytes": most}
            yield _Problem(Text(GC_RULE, size), "")
    least, most = limits["change_stream_days_min"].value, limits["change_stream_days"].value
    if stream is not None and not least <= stream <= most:
        params = {"given_days": stream, "least_days": least, "most_days": most}
        nearest = min(max(stream, least), most)
        yield _Problem(Text(STREAM, params), "change_stream_days", (change(table, "change_stream_days", nearest),))


def _names_too_long(spec: Spec, table: Table) -> Iterator[_Problem]:
    """Yield names that Tablestore refuses: of the table, its primary key columns and its attributes."""
    most_bytes = tablestore.LIMITS["name_bytes"].value
    columns = [column.name for kind in table.row_kinds for column in kind.key_columns]
    columns += [column.qualifier for family in table.families for column in family.columns]
    for message, name in ((TABLE_BYTES, table.name), *((COLUMN_BYTES, name) for name in dict.fromkeys(columns))):
        if (name_bytes := len(name.encode())) > most_bytes:
            sizes = {"column": shorten(name), "name_bytes": name_bytes, "most_bytes": most_bytes}
            yield _Problem(Text(message, sizes), "name")


def _profile_problems(spec: Spec, profile: AppProfile) -> Iterator[_Problem]:
    # Transactions beside several clusters are a finding of their own (I002).
    for one in profile_rejections(spec, profile) if spec.instance.clusters else ():
        if one.message != TRANSACTIONS_OF_MANY:
            edits = tuple(change(profile, name, value) for name, value in one.accepted.items())
            yield _Problem(Text(one.message), next(iter(one.accepted)), edits)
    if not profile.data_boost:
        return
    writing = tuple(write.label for _, _, write in writes(spec) if write.app_profile == profile.id)
    if writing:
        yield _Problem(Text(BOOST_WRITES, {"names": writing}), "data_boost")
    backwards = tuple(read.label for _, read in reads(spec) if read.app_profile == profile.id and read.reverse)
    if backwards:
        yield _Problem(Text(BOOST_REVERSE, {"names": backwards}), "data_boost")
    if _is_plus(spec):
        return
    cold = tuple(
        read.label
        for table, read in reads(spec)
        if read.app_profile == profile.id and _may_meet_cold(table, read) and not _is_hdd(spec)
    )
    if _is_hdd(spec):
        yield _Problem(Text(BOOST_ON_HDD), "data_boost")
    if cold:
        yield _Problem(Text(BOOST_COLD, {"names": cold}), "data_boost")


def _may_meet_cold(table: Table, read: Read) -> bool:
    """Return whether a read asks for cells that are old enough to be in infrequent access."""
    days = table.infrequent_access_days
    if days is None or read.newest_rows is not None:
        return False
    if all(policy(family.gc).age_bound_days <= days for family in table.families):
        return False
    if read.cell_days is not None:
        return read.cell_days > days
    return read.time is None or read.time.age_days + read.time.days > days


def _memory_problems(spec: Spec) -> Iterator[_Problem]:
    if not effective_value(spec, spec.instance, "in_memory"):
        return
    if not _is_plus(spec):
        yield _Problem(Text(MEMORY_EDITION), "")
    if _is_hdd(spec):
        yield _Problem(Text(MEMORY_ON_HDD), "")
    if any(cluster.kms_key for cluster in spec.instance.clusters):
        yield _Problem(Text(MEMORY_KEY), "kms_key")


def _tier_violations(days: float, **settings: object) -> Spec:
    return readings(
        field_part("device", "#"),
        time_part(),
        per_second=100,
        gc={"kind": "max_age", "age_days": 400},
        reads=(read_part(binds=("device",), time={"days": 1}),),
        table={"infrequent_access_days": days, **settings},
    )


RULE = Rule(
    code="I027",
    severity="error",
    message=N_("The engine rejects the settings of {element}: {reasons}."),
    check=check,
    bad=lambda: _tier_violations(14, change_stream_days=30),
    good=lambda: _tier_violations(60, change_stream_days=3),
    near_miss=lambda: _tier_violations(30, change_stream_days=7),
)
