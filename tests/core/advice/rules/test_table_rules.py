"""Tables: how many, how alike, how small, and what is deleted from them, on figures made by hand."""

from dataclasses import replace

import numpy as np
import pytest

from designer.document import Spec
from designer.document.edits import apply
from designer.document.table import Table
from designer.examples import example
from designer.wording.formatting import english
from estimator.advice.rules import findings
from estimator.advice.rules.shared.examples import DEVICE, TENANT, design, field_part, hash_part, salt_part, time_part
from estimator.engines import GiB
from estimator.facts.similar_tables import similar_tables_groups, split_table_names
from estimator.results import BytesByCause, ColumnSize, Estimate, RowKindSize, TablePart
from tests.cases import cases
from tests.core.advice.rules.made import TODAY, estimate, growth, keys, segment, traffic


def found(code, spec, made=None, **parts):
    every = findings(spec, made or estimate(spec, **parts), TODAY)
    return [one for f in every for one in (f, *f.under) if one.rule == code]


# --- T001 too-many-tables ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("engine", "tables", "at"),
    [
        ("bigtable", 1_000, []),
        ("bigtable", 1_001, ["t999"]),
        ("tablestore", 64, []),
        ("tablestore", 65, ["t63"]),
        ("tablestore", 70, ["t63"]),
    ],
)
def test_more_tables_than_an_instance_holds_are_an_error_at_the_first_too_many(engine, tables, at):
    spec = design(field_part("device", "#"), time_part(), engine=engine)
    spec = spec.model_copy(update={"tables": (*spec.tables, *(Table(id=f"t{n}") for n in range(tables - 1)))})

    assert [(f.at, f.severity) for f in found("T001", spec)] == [(one, "error") for one in at]


@pytest.mark.parametrize(
    ("rotation", "months", "counted"),
    [
        ({"period": "day", "kept_tables": 1_000}, 12, None),
        ({"period": "day", "kept_tables": 1_500}, 12, 1_500),
        ({"period": "day"}, 12, None),
        ({"period": "day"}, 36, 1_097),
        ({"period": "month"}, 36, None),
    ],
)
def test_a_table_that_rotates_counts_as_all_that_are_there(rotation, months, counted):
    spec = design(field_part("device", "#"), time_part())
    rotating = spec.tables[0].model_validate({**spec.tables[0].model_dump(exclude_unset=True), "rotation": rotation})
    spec = spec.model_copy(update={"tables": (rotating,), "horizon_months": months})

    assert [one.params["tables"] for one in found("T001", spec)] == ([] if counted is None else [counted])


# --- T002 tables-alike ------------------------------------------------------------------------------------------


def table(name, *, key="device", family="m", **more):
    segments = [{"id": f"{name}-k", "kind": "field", "field": key, "after": "#"}, {"id": f"{name}-t", "kind": "time"}]
    columns = [{"id": f"{name}-c", "qualifier": "v"}]
    family = {"id": f"{name}-f", "name": family, "columns": columns, **more.pop("kept", {})}
    kind = {"id": f"{name}-r", "key": more.pop("segments", segments), "writes": [], "reads": more.pop("reads", [])}
    return {"id": name.lower(), "name": name, "row_kinds": [kind], "families": [family], **more}


def of_tables(*tables, fields=(DEVICE, TENANT)):
    return Spec.model_validate({"fields": list(fields), "tables": list(tables)})


def groups(*tables):
    return [[one.name for one in group] for group in similar_tables_groups(of_tables(*tables))]


@pytest.mark.parametrize(
    "names",
    [
        ("readings_acme", "readings_globex"),
        ("events-2024", "events-2025"),
        ("events2024", "events2025"),
        ("2024", "2025"),
        ("acme_eu_events", "globex_events"),
        ("acme", "globex", "initech"),  # over the same fields, and three of them
    ],
)
def test_a_table_per_customer_or_year_is_found_by_shape_and_name(names):
    assert groups(*(table(name) for name in names)) == [list(names)]


@cases(
    "tables",
    [
        (table("events_2024"),),
        (table("acme"), table("globex")),  # two of one shape are no pattern
        (table("users_table"), table("orders_table")),  # "table" says nothing
        (table("acme"), table("globex", key="tenant"), table("initech")),
        (table("events_a"), table("events_b", family="n")),
        (table("events_a"), table("events_b", kept={"gc": {"kind": "max_age", "age_days": 9}})),
        (table("events_a"), table("events_b", deletion_protection=True)),
        (table("events_a"), table("events_b", backups=[{"id": "b"}])),
        (table("events_a"), table("events_b", derived_from={"table": "events_a", "how": "index_table"})),
        (table("user_by_mail"), table("user_by_phone")),
        (table("events_a"), table("events_b", segments=[{"id": "x", "kind": "time"}])),
        ({"id": "a", "name": "events_a"}, {"id": "b", "name": "events_b"}),
        (table("events_a", segments=[]), table("events_b", segments=[])),
    ],
)
def test_tables_that_differ_in_shape_keeping_or_meaning_are_let_be(tables):
    assert groups(*tables) == []


@pytest.mark.parametrize(
    ("names", "told"),
    [
        (("readings_acme", "readings_globex-eu"), ("readings", ("acme", "globex-eu"))),
        (("2024-events", "2025-events"), ("events", ("2024", "2025"))),
        (("events2024", "events2025"), ("events", ("2024", "2025"))),
        (("acme", "globex"), ("", ("acme", "globex"))),
        (("events", "events"), ("events", ("", ""))),
    ],
)
def test_what_tells_tables_apart_is_the_part_of_their_names_that_differs(names, told):
    assert split_table_names([Table(id=f"t{n}", name=name) for n, name in enumerate(names)]) == told


def parts(spec, *gib):
    """Tables of so many GiB."""
    made = (growth(physical_bytes=np.array([0.0, one * GiB])) if one is not None else None for one in gib)
    shown = {t.id: TablePart(t.id, {}, (), traffic(), grown, ()) for t, grown in zip(spec.tables, made, strict=True)}
    return Estimate("", shown, (), (), (), (), (), "", None, ())


def test_it_says_how_much_the_tables_hold_and_how_unevenly():
    spec = of_tables(table("events_2024"), table("events_2025"))

    (one,) = found("T002", spec, parts(spec, 2.0, 10.0))

    said = english(one.message, one.params)
    assert (one.severity, one.at, one.effect) == ("warning", "events_2024", 2)
    assert "events_2024, events_2025. Together they hold 12 GiB in 2 tablets, from 2 GiB to 10 GiB each" in said


@pytest.mark.parametrize(("largest", "told"), [(20.5, "about 20.5 GiB each."), (21.1, "from 20 GiB to 21.1 GiB each")])
def test_tables_of_about_one_size_have_it_said_once(largest, told):
    spec = of_tables(table("events_2024"), table("events_2025"))

    (one,) = found("T002", spec, parts(spec, 20.0, largest))

    assert told in english(one.message, one.params)


def test_it_is_said_before_anything_is_known_of_their_size():
    spec = of_tables(table("events_2024"), table("events_2025"))

    (one,) = found("T002", spec, parts(spec, 2.0, None))

    assert "Their size is not known yet." in one.message


def test_many_tables_are_not_all_named():
    names = [f"events_{year}" for year in range(2020, 2027)]

    (one,) = found("T002", spec := of_tables(*(table(name) for name in names)), parts(spec, *[1.0] * 7))

    assert "events_2024, and 2 more. Together" in english(one.message, one.params)


def test_the_fix_keeps_every_row_kind_behind_its_tables_name():
    spec = example("table-per-customer").spec
    (one,) = found("T002", spec, parts(spec, *[1.0] * 5))

    merged, back = apply(spec, one.fix)

    (only,) = merged.tables
    assert only.name == "readings"
    assert [kind.key[0].text + kind.key[0].after for kind in only.row_kinds][:2] == ["altostrat#", "cymbal#"]
    assert [kind.writes for kind in only.row_kinds] == [t.row_kinds[0].writes for t in spec.tables]
    assert apply(merged, back)[0] == spec
    assert not one.fix_safe


def test_columns_that_reads_name_are_those_of_the_first_table():
    reads = [{"id": "r", "columns": ["events_b-c"], "families": ["events_b-f"]}]
    spec = of_tables(table("events_a"), table("events_b", reads=reads))
    (one,) = found("T002", spec, parts(spec, 1.0, 1.0))

    read = apply(spec, one.fix)[0].find("r")

    assert (read.columns, read.families) == (("events_a-c",), ("events_a-f",))


@pytest.mark.parametrize(
    "more", [{"history_months": 1}, {"rows_stored": 10}, {"gib_stored": 1.0}],
)  # fmt: skip
def test_tables_with_data_are_not_merged_by_a_button(more):
    spec = of_tables(table("events_a"), table("events_b", **more))

    (one,) = found("T002", spec, parts(spec, 1.0, 1.0))

    assert one.fix is None


# --- T004 delete-not-a-prefix -----------------------------------------------------------------------------------

OWNED = {**DEVICE, "belongs_to": "tenant"}
CELL = BytesByCause(20.0, 1.0, 1.0, 8.0, 58.0, 12.0)


def deleting(*key, rows=1e6, facts=(), per_month=1.0, clusters=1, tenant=TENANT, **write):
    fields, regions = (tenant, OWNED), [{"id": f"c{n}", "region": f"us-east{n}"} for n in range(clusters)]
    usual = {"mode": "delete_row", "selected_by": ("tenant",)}
    spec = design(*key, fields=fields, per_second=per_month / (30 * 86_400), write={**usual, **write}, clusters=regions)
    made = estimate(spec, keys=keys(spec, *facts))
    size = RowKindSize("rows", rows, (ColumnSize("column", "family", CELL, 1.0, 1.0),))
    part = replace(made.tables["table"], sizes={"rows": size} if rows else {})
    return found("T004", spec, replace(made, tables={"table": part}))


BEHIND = (field_part("device", "#"), time_part())


@pytest.mark.parametrize(
    ("rows_per_event", "severity"), [(100_000, ["warning"]), (99_999, ["note"]), (1_000, ["note"]), (999, [])]
)
def test_a_deletion_of_scattered_rows_warns_from_more_than_a_request_holds(rows_per_event, severity):
    assert [f.severity for f in deleting(*BEHIND, rows_per_event=rows_per_event)] == severity


def test_rows_of_one_tenant_are_an_even_share_unless_said():
    (one,) = deleting(*BEHIND, rows=10_000_000)

    assert one.params["rows"] == 200_000
    said = english(one.message, one.params)
    assert "store deletes by tenant, but the key of events starts with other fields." in said
    assert "That takes 18.8 seconds of one node, once in 30 days." in said


def test_rows_of_one_tenant_are_its_share_among_the_tenants_of_the_date_that_is_spoken_of():
    """50 tenants, and as many that come in the year of the horizon: the rows of its end are those of 100."""
    (one,) = deleting(*BEHIND, rows=10_000_000, tenant={**TENANT, "growth_per_day": TENANT["distinct"] / 365.25})

    assert one.params["rows"] == pytest.approx(100_000)


def test_rows_of_a_device_of_a_tenant_are_its_share_among_the_devices():
    """A device has one tenant: 50 tenants with 1,000 devices are no 50,000 pairs."""
    (one,) = deleting(time_part("#"), *BEHIND[:1], rows=1e9, selected_by=("tenant", "device"))

    assert one.params["rows"] == pytest.approx(1e9 / DEVICE["distinct"])


@pytest.mark.parametrize(("per_month", "severity"), [(49_300, ["warning"]), (49_200, ["note"])])
def test_a_deletion_that_keeps_a_hundredth_of_a_node_busy_warns(per_month, severity):
    """A million rows of 100 bytes are scanned in 0.45 s, and 1,000 deleted in 0.07: 0.526 s each."""
    found = deleting(*BEHIND, rows_per_event=1_000, per_month=per_month)

    assert [f.severity for f in found] == severity


@pytest.mark.parametrize(
    "key",
    [
        (field_part("tenant", "#"), field_part("device", "#"), time_part()),
        ({"id": "l", "kind": "literal", "text": "x#"}, field_part("tenant", "#"), time_part()),
        ({"id": "h", "kind": "hash", "fields": ["tenant"], "after": "#"}, field_part("tenant", "#"), time_part()),
        (salt_part(16, "tenant"), field_part("tenant", "#"), time_part()),
    ],
)
def test_a_deletion_of_one_beginning_of_the_key_is_fine(key):
    assert deleting(*key, rows=1e9) == []


@pytest.mark.parametrize(
    ("first", "is_fine"),
    [
        (hash_part("tenant", digits=2, after="#"), False),
        (hash_part("tenant", digits=16, after="#"), True),
        (field_part("tenant", "#", {"kind": "truncate", "length": 2}), False),
        (field_part("tenant", "#"), True),
    ],
)
def test_a_beginning_that_other_values_share_holds_their_rows_too(first, is_fine):
    found = deleting(first, time_part("#"), field_part("device"), rows=1e9)

    assert (found == []) == is_fine


@pytest.mark.parametrize(("distinct", "expected"), [(100.0, ["note"]), (101.0, ["warning"])])
def test_a_few_ranges_can_be_dropped_one_after_another(distinct, expected):
    key = (salt_part(100, "device"), field_part("tenant", "#"), field_part("device"))

    found = deleting(*key, rows=1e9, facts=(segment("salt_part", distinct=distinct),))

    assert [f.severity for f in found] == expected


@pytest.mark.parametrize(
    ("clusters", "mode", "slow"), [(1, "delete_prefix", 0), (2, "delete_prefix", 1), (2, "delete_row", 0)]
)
def test_several_ranges_are_slow_to_drop_where_the_table_is_replicated(clusters, mode, slow):
    key = (salt_part(100, "device"), field_part("tenant", "#"), field_part("device"))

    (finding,) = deleting(*key, facts=(segment("salt_part", distinct=3.0),), clusters=clusters, mode=mode)

    assert ("each drop takes long" in english(finding.message, finding.params)) == slow


def test_a_salt_alone_does_not_tell_tenants_apart():
    assert [f.severity for f in deleting(salt_part(16, "tenant"), time_part(), rows=1e9)] == ["warning"]


def test_a_deletion_that_says_nothing_of_its_rows_is_not_judged():
    assert deleting(*BEHIND, selected_by=()) == []
    assert deleting(*BEHIND, mode="delete_cell") == []


def test_without_a_size_it_is_a_note():
    (one,) = deleting(*BEHIND, rows=None)

    assert (one.severity, "The number of rows is not known yet." in one.message) == ("note", True)


@pytest.mark.parametrize(
    ("clusters", "mode", "expected"), [(2, "delete_prefix", ["note"]), (1, "delete_prefix", []), (2, "delete_row", [])]
)
def test_dropping_ranges_of_a_replicated_table_is_slow(clusters, mode, expected):
    key = (field_part("tenant", "#"), field_part("device"))

    assert [f.severity for f in deleting(*key, clusters=clusters, mode=mode)] == expected


# --- T003 many-small-tables -------------------------------------------------------------------------------------


def of_sizes(*gib):
    names = (f"{chr(97 + n // 26)}{chr(97 + n % 26)}" for n in range(len(gib)))
    spec = of_tables(*(table(name, family=f"f{n}") for n, name in enumerate(names)))
    return found("T003", spec, parts(spec, *gib))


@pytest.mark.parametrize(
    ("small", "large", "noted"),
    [(20, 0, True), (19, 0, False), (11, 9, True), (10, 10, False), (0, 20, False)],
)
def test_twenty_tables_most_of_which_are_small_are_noted(small, large, noted):
    assert len(of_sizes(*[0.99] * small, *[1.0] * large)) == noted


def test_it_says_how_many_are_small_and_how_little_they_hold():
    (one,) = of_sizes(*[0.5] * 12, *[3.0] * 8)

    assert one.severity == "note"
    assert "12 of 20 tables hold less than 1 GiB each at the end of the horizon, 6 GiB" in english(
        one.message, one.params
    )


@pytest.mark.parametrize(("kept_tables", "gib", "small"), [(30, 29.9, [30]), (30, 30.0, []), (19, 1.0, [])])
def test_the_tables_of_a_rotation_are_as_many_as_are_kept(kept_tables, gib, small):
    spec = design(
        field_part("device", "#"), time_part(), table={"rotation": {"period": "day", "kept_tables": kept_tables}}
    )

    assert [one.params["small"] for one in found("T003", spec, parts(spec, gib))] == small


def test_tables_of_unknown_size_are_not_small():
    assert of_sizes(*[0.5] * 10, *[None] * 10) == []


def test_small_tables_that_could_be_one_stand_under_that():
    spec = of_tables(*(table(f"events_{n}") for n in range(20)))

    (alike_,) = [f for f in findings(spec, parts(spec, *[0.5] * 20), TODAY) if f.rule == "T002"]

    assert [f.rule for f in alike_.under] == ["T003"]
