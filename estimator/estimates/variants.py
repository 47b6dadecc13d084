"""The same design with other inputs: faster, larger, growing otherwise, or looked at for longer."""

from collections.abc import Collection, Iterable

from designer.document import Spec, effective_value
from designer.document.access import Read
from designer.document.activity import Activity, Every
from designer.document.durations import DAY_SECONDS
from designer.document.family import Column, Family
from designer.document.field import Field
from designer.document.key import segment_fields
from designer.document.table import RowKind, Table
from estimator.kernels.growth.cells import value_bytes
from estimator.kernels.keys.patterns.inputs import PER_EVENT_SHARE


def faster(spec: Spec, factor: float, tables: Collection[str]) -> Spec:
    """Return the design with all events and reads of some tables `factor` times as often, from its history on.

    Ids that are new with each event come as often as the events. Other tables keep the events that they have now.
    """
    used = {w.activity for t in spec.tables if t.id in tables for k in t.row_kinds for w in k.writes if w.activity}
    # Copies under new ids: another table that uses the same activity keeps its rate.
    names = {activity.id: f"{activity.id}*{factor:g}" for activity in spec.activities if activity.id in used}
    new = new_with_events(spec, (kind for table in spec.tables if table.id in tables for kind in table.row_kinds))
    return spec.model_copy(
        update={
            "activities": (
                *spec.activities,
                *(
                    _faster(spec, activity, factor, names[activity.id])
                    for activity in spec.activities
                    if activity.id in used
                ),
            ),
            "fields": tuple(
                field.model_copy(update={"growth_per_day": field.growth_per_day * factor})
                if field.id in new and field.growth_per_day is not None
                else field
                for field in spec.fields
            ),
            "tables": tuple(_faster_table(t, names, factor) if t.id in tables else t for t in spec.tables),
        }
    )


def _faster(spec: Spec, activity: Activity, factor: float, name: str) -> Activity:
    changed: dict[str, object] = {"id": name}
    if isinstance(activity.arrival, Every):
        arrival = activity.arrival
        changed["arrival"] = arrival.model_copy(update={"seconds": arrival.seconds / factor})
    rate = effective_value(spec, activity, "rate_per_second")
    if rate is not None and (activity.rate_per_second is not None or not isinstance(activity.arrival, Every)):
        changed["rate_per_second"] = rate * factor
    return activity.model_copy(update=changed)


def _faster_table(table: Table, names: dict[str, str], factor: float) -> Table:
    return table.model_copy(
        update={
            "row_kinds": tuple(
                kind.model_copy(
                    update={
                        "writes": tuple(
                            write.model_copy(update={"activity": names[write.activity]}) if write.activity else write
                            for write in kind.writes
                        ),
                        "reads": tuple(_faster_read(read, factor) for read in kind.reads),
                    }
                )
                for kind in table.row_kinds
            )
        }
    )


def _faster_read(read: Read, factor: float) -> Read:
    if read.rate_per_second is None:
        return read
    return read.model_copy(update={"rate_per_second": read.rate_per_second * factor})


def new_with_events(spec: Spec, kinds: Iterable[RowKind]) -> frozenset[str]:
    """Return the fields of keys that get about as many new values as rows are written."""
    fields = set()
    for kind in kinds:
        rows_per_day = sum(
            (effective_value(spec, spec.find(write.activity), "rate_per_second") or 0.0)
            * float(effective_value(spec, write, "rows_per_event"))
            * DAY_SECONDS
            for write in kind.writes
            if write.activity is not None
        )
        for field in {name for segment in kind.segments for name in segment_fields(segment)}:
            growth = float(effective_value(spec, spec.find(field), "growth_per_day") or 0.0)
            if 0 < rows_per_day * PER_EVENT_SHARE <= growth:
                fields.add(field)
    return frozenset(fields)


def with_value_sizes(spec: Spec, factor: float) -> Spec:
    """Return the design with all values `factor` times as large."""

    def column_of(family: Family, column: Column) -> Column:
        most = column.value.max_bytes
        changed = {
            "typical_bytes": value_bytes(spec, family, column) * factor,
            "max_bytes": None if most is None else max(round(most * factor), 1),
        }
        return column.model_copy(update={"value": column.value.model_copy(update=changed)})

    return spec.model_copy(
        update={
            "tables": tuple(
                table.model_copy(
                    update={
                        "families": tuple(
                            family.model_copy(update={"columns": tuple(column_of(family, c) for c in family.columns)})
                            for family in table.families
                        )
                    }
                )
                for table in spec.tables
            )
        }
    )


def grows(spec: Spec) -> bool:
    """Return True if a rate grows over the horizon, or the values that act."""
    accesses = (*spec.activities, *(read for table in spec.tables for kind in table.row_kinds for read in kind.reads))
    return any(effective_value(spec, access, "growth_per_month") for access in accesses) or bool(_growing_fields(spec))


def _growing_fields(spec: Spec) -> frozenset[str]:
    """Return the fields with a stated growth that is not that of events."""
    events = new_with_events(spec, (kind for table in spec.tables for kind in table.row_kinds))
    return frozenset(field.id for field in spec.fields if field.growth_per_day and field.id not in events)


def growing(spec: Spec, power: float) -> Spec:
    """Return the design with compound growth `power` times as fast in its logarithm, and as many more new values."""
    fields = _growing_fields(spec)

    def faster_growth(source: Activity | Read) -> dict[str, float | None]:
        growth = float(effective_value(spec, source, "growth_per_month") or 0.0)
        # ln(1 + g) is multiplied, so half the growth of 10 % a month is 4.9 %, and two halves make the whole.
        return {"growth_per_month": (1 + growth) ** power - 1 if growth else source.growth_per_month}

    def kind_of(kind: RowKind) -> RowKind:
        return kind.model_copy(
            update={"reads": tuple(read.model_copy(update=faster_growth(read)) for read in kind.reads)}
        )

    def field_of(field: Field) -> Field:
        if field.id not in fields or field.growth_per_day is None:
            return field
        return field.model_copy(update={"growth_per_day": field.growth_per_day * power})

    return spec.model_copy(
        update={
            "activities": tuple(activity.model_copy(update=faster_growth(activity)) for activity in spec.activities),
            "fields": tuple(map(field_of, spec.fields)),
            "tables": tuple(
                table.model_copy(update={"row_kinds": tuple(map(kind_of, table.row_kinds))}) for table in spec.tables
            ),
        }
    )


def longer(spec: Spec, months: int) -> Spec:
    """Return the design looked at for so many more months."""
    return spec.model_copy(update={"horizon_months": int(effective_value(spec, spec, "horizon_months")) + months})
