"""Designs made of an application and keys: fields, activities, and one table for each key with its reads."""

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from designer.application import AccessPattern, Application, Record, begins_with_vowel, latin_name, pattern_name, plural
from designer.document import Engine, Spec
from designer.document.access import Bind, Read, TimeRange, Write, WriteMode
from designer.document.activity import Activity, Every
from designer.document.dump import to_plain_data
from designer.document.durations import DAY_SECONDS, RESOLUTION_SECONDS
from designer.document.engines import description_of
from designer.document.family import Column, Family, Gc, MaxAge, MaxVersions, Needed, Union
from designer.document.field import Field, FieldKind
from designer.document.field_names import kind_of, role_of
from designer.document.instance import Cluster, Instance
from designer.document.key import FieldSegment, KeyColumn, SaltSegment, Segment, TimeSegment
from designer.document.table import Derived, RowKind, Table, Tablestore, time_to_live
from designer.document.texts import N_, Text
from designer.wording.formatting import english_text
from estimator.engines import engine_of
from estimator.facts.numbers import readable_segment

from .table_keys import TIME, TableKey, record_identity

Translate = Callable[[Text], str]
MOST_ID = 24
"""Characters of a name that go into an id."""
SALT = "salt"
"""Name of the primary-key column of a salt."""


@dataclass(frozen=True)
class DesignParts:
    """Parts that all candidate schemas of an application share: the design without tables, and the ids of its parts."""

    application: Application
    base: Spec
    fields: Mapping[str, str]
    """Ids by name."""
    activities: Mapping[str, str]
    """Ids by record."""
    translate: Translate


@dataclass(frozen=True)
class TablePlan:
    """A table of a schema: its key and the patterns that it serves, as places in the application."""

    key: TableKey
    patterns: tuple[int, ...]


def design_parts(
    application: Application, *, name: str, base: Spec, translate: Translate = english_text
) -> DesignParts:
    """Return the design's fields and activities; `base` has its start date, engine and price book."""
    names = tuple(dict.fromkeys(part for record in application.records for part in application.known_fields(record)))
    ids = _ids("f", names)
    activity_ids = _ids("a", tuple(record.name for record in application.records))
    fields = tuple(_field(application, ids, name) for name in names)
    activities = tuple(_activity(record, activity_ids, ids, translate) for record in application.records)
    spec = base.model_copy(update={"name": name, "fields": fields, "activities": activities})
    return DesignParts(application, spec, ids, activity_ids, translate)


def empty_design(engine: Engine, region: str) -> Spec:
    """Return a design with nothing but its engine and, if one is named, an instance in that region."""
    clusters = (Cluster(id="main", name="main", region=region),) if region else ()
    return Spec(engine=engine, instance=Instance(clusters=clusters))


def _ids(prefix: str, names: Sequence[str]) -> dict[str, str]:
    ids: dict[str, str] = {}
    for number, name in enumerate(names, start=1):
        short = re.sub(r"[^a-z0-9_]+", "", name.lower())[:MOST_ID]
        new_id = f"{prefix}-{short}" if short else f"{prefix}-{number}"
        ids[name] = new_id if new_id not in ids.values() else f"{new_id}-{number}"
    return ids


def _field(application: Application, ids: Mapping[str, str], name: str) -> Field:
    owner, distinct = _owner(application, name), application.distinct.get(name)
    growth_per_day = None if distinct is not None else _new_per_day(application, name)
    # An id is in use while its record is kept: as many as come in that time.
    lifetime_days = None if growth_per_day is None else _finite_days(application, name)
    if growth_per_day is not None and lifetime_days is not None:
        distinct = math.ceil(growth_per_day * lifetime_days)
    return Field(
        id=ids[name],
        name=application.name_in_design(name),
        kind=_field_kind(application, name),
        distinct=distinct,
        growth_per_day=growth_per_day,
        lifetime_days=lifetime_days,
        belongs_to=ids.get(owner),
    )


def _finite_days(application: Application, id_field: str) -> float | None:
    """Return how long the records of an id are kept; None: for ever, or no sentence says it. [day]"""
    kept_days = next((record.kept_days for record in application.records if record.id_field == id_field), None)
    return kept_days if kept_days is not None and math.isfinite(kept_days) else None


def _new_per_day(application: Application, name: str) -> float | None:
    """Return how many new values a field has a day: of what is added, if other records are of one of it each."""
    record = next((record for record in application.records if record.id_field == name), None)
    if record is None or record.per_second is None or not any(name in other.fields for other in application.records):
        return None
    return record.per_second * DAY_SECONDS


def _owner(application: Application, name: str) -> str:
    """Return the field that a field belongs to: as a sentence says, or the first that its own record names.

    A session of one server is on that server wherever it is named.
    """
    record = next((record for record in application.records if record.id_field == name and record.fields), None)
    is_shared = any(name in record.fields for record in application.records)
    return application.owners.get(name) or (record.fields[0] if record is not None and is_shared else "")


def _field_kind(application: Application, name: str) -> FieldKind | None:
    """Return the kind of a field where its name alone would mislead: ids are texts, those of records are new each."""
    is_id = any(record.id_field == name or name in record.unique_fields for record in application.records)
    is_shared = any(name in record.fields and name not in record.unique_fields for record in application.records)
    if is_id and not is_shared and role_of(name).subject == "":
        return "uuid"
    return None if kind_of(name, distinct=None) in (None, "string", "uuid", "domain") else "string"


def _activity(
    record: Record, activities: Mapping[str, str], fields: Mapping[str, str], translate: Translate
) -> Activity:
    if record.every_seconds is not None:
        arrival = Every(seconds=record.every_seconds, field=fields[record.thing])
        message = N_("An {thing} reports") if begins_with_vowel(record.thing) else N_("A {thing} reports")
        name = translate(Text(message, {"thing": record.thing}))
        return Activity(id=activities[record.name], name=name, arrival=arrival)
    message = N_("An {record} is added") if begins_with_vowel(record.name) else N_("A {record} is added")
    name = translate(Text(message, {"record": record.name}))
    return Activity(id=activities[record.name], name=name, rate_per_second=record.per_second)


def build_design(parts: DesignParts, plans: Sequence[TablePlan]) -> Spec:
    """Return the whole design: for each record its main table, and index tables that its activity writes as well."""
    mains = main_tables(parts.application, plans)
    records = [record.name for record in parts.application.records]
    plans = sorted(plans, key=lambda plan: (records.index(plan.key.record), plan is not mains[plan.key.record]))
    names = table_names(parts.application, plans)
    ids = _ids("t", names)
    tables = []
    for plan, name in zip(plans, names, strict=True):
        main = mains[plan.key.record]
        source = None if plan is main else ids[names[plans.index(main)]]
        tables.append(build_table(parts, plan, name=name, table_id=ids[name], source=source))
    return Spec.model_validate(to_plain_data(parts.base.model_copy(update={"tables": tuple(tables)})))


def main_tables(application: Application, plans: Sequence[TablePlan]) -> dict[str, TablePlan]:
    """Return the main table of each record: the one keyed as its records are told apart, else that with most reads."""

    def rank(plan: TablePlan) -> tuple[bool, bool, int]:
        record = application.record(plan.key.record)
        return not plan.key.is_state, plan.key.parts[:1] == record_identity(record)[:1], len(plan.patterns)

    main_plans: dict[str, TablePlan] = {}
    for plan in plans:
        other = main_plans.get(plan.key.record)
        if other is None or rank(plan) > rank(other):
            main_plans[plan.key.record] = plan
    return main_plans


def table_names(application: Application, plans: Sequence[TablePlan]) -> tuple[str, ...]:
    """Return a name for each table: the record in the plural, for an index table with what it is ordered by.

    Names are in Latin letters, as engines want them; what has no such spelling is called records, and ordered by key.
    """
    mains, names = main_tables(application, plans), list[str]()
    for number, plan in enumerate(plans, start=1):
        name = plural(latin_name(plan.key.record, "record"))
        if plan is not mains[plan.key.record]:
            leading = [part for part in plan.key.parts if part != TIME]
            by = (
                "time"
                if plan.key.parts[0] == TIME
                else "_".join(latin_name(part, "key") for part in leading[: max(1, _shared_depth(plan, application))])
            )
            name = f"latest_{name}_by_{by}" if plan.key.is_state else f"{name}_by_{by}"
        names.append(name[:50] if name[:50] not in names else f"{name[:45]}_{number}")
    return tuple(names)


def _shared_depth(plan: TablePlan, application: Application) -> int:
    """Return the number of fields that every question of a table knows."""
    return min((len(application.patterns[place].by) for place in plan.patterns), default=1)


def build_table(parts: DesignParts, plan: TablePlan, *, name: str, table_id: str, source: str | None = None) -> Table:
    """Return one table with its key, the write of its record's activity and its reads."""
    record = parts.application.record(plan.key.record)
    patterns = [(place, parts.application.patterns[place]) for place in plan.patterns]
    newest_first = any(pattern.newest is not None for _, pattern in patterns)
    newest_first = newest_first and not engine_of(parts.base).READS_EITHER_WAY
    message = N_("Add an {record}") if begins_with_vowel(record.name) else N_("Add a {record}")
    name_of_write = parts.translate(Text(message, {"record": record.name}))
    # Rows of a bucket take a column per record; else the mode follows from the key.
    mode: WriteMode | None = "new_column" if plan.key.bucket else None
    write = Write(id=f"{table_id}-w", name=name_of_write, activity=parts.activities[record.name], mode=mode)
    segments = tuple(_segments(parts, plan.key, table_id, newest_first=newest_first))
    in_columns = description_of(parts.base).has_key_columns
    kind = RowKind(
        id=f"{table_id}-r",
        name=record.name,
        key=() if in_columns else segments,
        key_columns=_key_columns(parts, segments, table_id) if in_columns else (),
        writes=(write,),
        reads=tuple(_read(parts, place, pattern, plan.key) for place, pattern in patterns),
    )
    is_forever = record.kept_days is not None and math.isinf(record.kept_days)
    retention_days = None if is_forever else record.kept_days
    has_families = description_of(parts.base).has_families
    family = Family(
        id=f"{table_id}-f",
        name="d",
        gc=_collection(retention_days, is_rewritten=TIME not in plan.key.parts) if has_families else None,
        needed=Needed(forever=True)
        if is_forever
        else None
        if retention_days is None
        else Needed(age_days=retention_days),
        columns=(_column(table_id, plan.key),),
    )
    derived = None if source is None else Derived(table=source, how="index_table")
    settings = None
    if not has_families and record.kept_days is not None:
        settings = Tablestore(ttl_seconds=time_to_live(record.kept_days * DAY_SECONDS))
    return Table(
        id=table_id, name=name, row_kinds=(kind,), families=(family,), derived_from=derived, tablestore=settings
    )


def _column(table_id: str, key: TableKey) -> Column:
    """Return the one column of a record; of many records in a row, each has a column of its time."""
    if key.bucket is None:
        return Column(id=f"{table_id}-c", qualifier="v")
    return Column(id=f"{table_id}-c", qualifier_from=(TimeSegment(id=f"{table_id}-q"),), timestamp="event")


def _collection(kept_days: float | None, *, is_rewritten: bool) -> Gc | None:
    """Return the collection of a record's cells: its age, and one version where the row can be written again."""
    age = None if kept_days is None else MaxAge(age_days=kept_days)
    if not is_rewritten:
        return age
    return MaxVersions(versions=1) if age is None else Union(rules=(age, MaxVersions(versions=1)))


def _segments(parts: DesignParts, key: TableKey, table_id: str, *, newest_first: bool) -> Iterator[Segment]:
    last = len(key.parts) - 1
    for number, part in enumerate(key.parts):
        after, part_id = "" if number == last else "#", f"{table_id}-k{number + 1}"
        if part == TIME:
            if key.salt_modulo:
                salted = parts.fields[_salted_field(parts.application.record(key.record))]
                yield SaltSegment(id=f"{table_id}-salt", fields=(salted,), modulo=key.salt_modulo, after="#")
            yield TimeSegment(id=part_id, resolution=key.bucket or "millisecond", reversed=newest_first, after=after)
        else:
            segment = FieldSegment(id=part_id, field=parts.fields[part])
            yield readable_segment(parts.base, segment).model_copy(update={"after": after})


def _key_columns(parts: DesignParts, segments: Sequence[Segment], table_id: str) -> tuple[KeyColumn, ...]:
    """Return the primary-key columns of a key: one for each segment, as far as there may be so many.

    A salt is joined to the field before it: the first column alone decides the partition.
    """
    groups = list[list[Segment]]()
    for segment in segments:
        joined = isinstance(segment, SaltSegment) or len(groups) == engine_of(parts.base).LIMITS["key_columns"].value
        groups[-1:] = [[*groups[-1], segment]] if groups and joined else [*groups[-1:], [segment]]
    return tuple(_key_column(parts, group, f"{table_id}-p{n}") for n, group in enumerate(groups, start=1))


def _key_column(parts: DesignParts, segments: Sequence[Segment], column_id: str) -> KeyColumn:
    """Return the column of segments; a time alone is a number."""
    first, last = segments[0], segments[-1].model_copy(update={"after": ""})
    names = {part_id: parts.application.name_in_design(name) for name, part_id in parts.fields.items()}
    name = names[first.field] if isinstance(first, FieldSegment) else SALT if isinstance(first, SaltSegment) else "time"
    is_number = len(segments) == 1 and isinstance(first, TimeSegment) and first.resolution == "millisecond"
    return KeyColumn(
        id=column_id, name=name, type="INTEGER" if is_number else "STRING", segments=(*segments[:-1], last)
    )


def _salted_field(record: Record) -> str:
    """Return the field that the salt is computed from: a reader of the whole key knows it."""
    return record.thing or record.id_field


def _read(parts: DesignParts, place: int, pattern: AccessPattern, key: TableKey) -> Read:
    record = parts.application.record(key.record)
    newest, in_row, span_days = pattern.newest, _records_in_row(record, key), pattern.span_days
    # A history shows the latest of each thing in the interval in which each of them reports once.
    if pattern.latest_of and not key.is_state and record.every_seconds:
        span_days = record.every_seconds / DAY_SECONDS
    return Read(
        id=f"r-{place + 1}",
        name=parts.translate(read_name(parts.application, pattern)),
        rate_per_second=pattern.per_second,
        binds=tuple(Bind(field=parts.fields[name]) for name in pattern.by),
        time=None if span_days is None else TimeRange(days=span_days),
        cell_days=span_days if key.bucket else None,
        newest_rows=newest if newest is None or newest == 1 else math.ceil(newest / in_row) + (in_row > 1),
    )


def _records_in_row(record: Record, key: TableKey) -> float:
    """Return the records that a full row holds; the newest row may have begun just now."""
    return RESOLUTION_SECONDS[key.bucket] / record.every_seconds if key.bucket and record.every_seconds else 1.0


def read_name(application: Application, pattern: AccessPattern) -> Text:
    """Return a pattern in a few words."""
    record = application.record(pattern.record)
    return pattern_name(pattern, unique=(record.id_field, *record.unique_fields))
