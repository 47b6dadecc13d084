"""Families, their retention and what readers want of them, on figures made by hand."""

import datetime
import math
from dataclasses import replace
from decimal import Decimal

import pytest

from designer.document.edits import apply
from designer.wording.formatting import english
from estimator.advice.rules import findings
from estimator.advice.rules.shared.examples import design, field_part, read_part, time_part
from estimator.facts.policies import collection_rule, describe_policy
from estimator.kernels.growth.collection import Policy, policy
from estimator.results import BillLine, BytesByCause, RowKindSize
from tests.cases import cases
from tests.core.advice.rules.made import (
    TODAY,
    bill,
    estimate,
    family_growth,
    growth,
    plan,
    row_growth,
    traffic,
    write_load,
)


def found(code, spec, **parts):
    return [f for f in findings(spec, estimate(spec, **parts), TODAY) if f.rule == code]


def age(days):
    return {"kind": "max_age", "age_days": days}


def versions(count):
    return {"kind": "max_versions", "versions": count}


# --- F011 retention-below-reads ---------------------------------------------------------------------------------


def kept(gc, asked, *, key=None, mode="append_row", events=None, **more):
    """What is found where a family keeps by `gc` and one read asks."""
    spec = design(
        *(key or (field_part("device", "#"), time_part())),
        gc=gc,
        write={"mode": mode},
        reads=(read_part(**asked),),
        per_second=10,
        **more,
    )
    grown = None if events is None else growth(kinds=(row_growth(events_per_row=events),))
    return found("F011", spec, growth=grown)


@cases(
    "asked, expected",
    [
        ({"time": {"days": 30}}, []),
        ({"time": {"days": 30.001}}, ["error"]),
        ({"time": {"days": 7, "age_days": 23}}, []),
        ({"time": {"days": 7, "age_days": 23.001}}, ["error"]),
        ({"time": {"days": 7}, "age_days": 24}, ["error"]),
        ({"age_days": 31}, ["error"]),
        ({"cell_days": 31}, ["error"]),
        ({"cell_days": 30}, []),
        ({}, []),
    ],
)
def test_a_read_that_looks_further_back_than_cells_are_kept_gets_wrong_answers(asked, expected):
    assert [f.severity for f in kept(age(30), asked)] == expected


@cases(
    "ahead_days, expected",
    [
        (30, []),  # cells of a timestamp 30 days ahead go 30 + 30 days after their write
        (29.9, [30.1]),  # the age that the rule needs then: 60 days without those ahead
        (-10, [70]),
    ],
)
def test_cells_whose_timestamps_lie_ahead_live_so_much_longer_than_the_maximum_age(ahead_days, expected):
    spec = design(
        field_part("device", "#"), time_part(), gc=age(30), write={"timestamp_ahead_days": ahead_days},
        reads=(read_part(time={"days": 60}),), per_second=10,
    )  # fmt: skip

    assert [f.fix.value["age_days"] for f in found("F011", spec)] == [pytest.approx(days) for days in expected]


def test_it_says_what_is_gone_and_from_when_on():
    (one,) = kept(age(30), {"time": {"days": 40}}, start="2026-01-01")

    said = english(one.message, one.params)
    assert one.effect == pytest.approx(0.25)
    assert (
        "Family m of events keeps cells for 30 days, but look up requires 40 days. 25\u00a0% of that "
        "period is missing, and results are incomplete from 31 Jan 2026."
    ) in said


def test_a_table_with_history_is_incomplete_from_the_start():
    (one,) = kept(age(30), {"time": {"days": 40}}, start="2026-01-01", table={"history_months": 2})

    assert one.params["date"] == datetime.date(2026, 1, 1)


@pytest.mark.parametrize(("count", "expected"), [(1_000, 1_000 / 8_640), (60_480, None), (50_000, None)])
def test_versions_that_newer_ones_push_out_before_they_are_read_are_found(count, expected):
    spec = design(
        field_part("device"), gc=versions(count), write={"mode": "new_cell"},
        reads=(read_part(binds=("device",), cell_days=7),), per_second=10,
    )  # fmt: skip
    kind = spec.tables[0].row_kinds[0]
    parts = {
        "growth": growth(kinds=(row_growth(events_per_row=1e6, bucket_seconds=None),)),
        "sizes": {kind.id: RowKindSize(kind.id, 100.0, ())},  # each is written every ten seconds
        "traffic": traffic(writes=(write_load(10.0, write=kind.writes[0].id, row_kind=kind.id),)),
    }

    gaps = found("F011", spec, **parts)

    assert [one.params["kept_days"] for one in gaps] == ([] if expected is None else [pytest.approx(expected)])
    assert all(one.fix.value["versions"] == 60_480 for one in gaps)


def test_a_time_range_without_a_time_in_the_key_is_no_matter_of_retention():
    assert kept(age(30), {"time": {"days": 60}}, key=(field_part("device"),)) == []


def test_a_read_of_another_family_is_not_meant():
    spec = design(
        field_part("device", "#"), time_part(), reads=(read_part(time={"days": 60}, families=("other",)),),
        table={
            "families": [
                {"id": "family", "gc": age(30), "columns": [{"id": "c"}]},
                {"id": "other", "gc": age(90), "columns": [{"id": "d"}]},
            ]
        },
    )  # fmt: skip

    assert found("F011", spec) == []


@pytest.mark.parametrize(
    ("wanted", "mode", "events", "expected"),
    [
        (3, "new_cell", 100.0, []),
        (4, "new_cell", 100.0, ["error"]),
        (4, "new_cell", None, ["error"]),
        (4, "new_cell", 3.0, []),  # there never are more than are kept
        (4, "append_row", None, []),  # each event makes a row: there is one version of each cell
    ],
)
def test_a_read_that_wants_more_versions_than_are_kept_misses_some(wanted, mode, events, expected):
    found = kept(versions(3), {"newest_versions": wanted}, mode=mode, events=events)

    assert [f.severity for f in found] == expected


def test_versions_within_an_age_are_kept_where_age_alone_collects():
    assert kept(age(30), {"newest_versions": 50}, mode="new_cell", events=100.0) == []


@pytest.mark.parametrize(
    ("needed", "expected"),
    [
        ({"age_days": 30}, []),
        ({"age_days": 31}, ["error"]),
        ({"forever": True}, ["error"]),
        ({"versions": 5}, []),
    ],
)
def test_what_the_family_says_is_needed_must_be_kept(needed, expected):
    assert [f.severity for f in kept(age(30), {}, family={"needed": needed})] == expected


def test_what_is_needed_for_ever_has_no_fix():
    (one,) = kept(age(30), {}, family={"needed": {"forever": True}})

    assert one.fix is None
    assert (
        "Family m of events keeps cells for 30 days, but the design declares that readers need them indefinitely."
    ) in english(one.message, one.params)


def test_constant_timestamps_have_no_age():
    assert kept(age(30), {"time": {"days": 60}}, column={"timestamp": "constant"}) == []


def test_the_fix_raises_the_age_and_leaves_the_versions():
    gc = {"kind": "union", "rules": [versions(1), age(30)]}

    (one,) = kept(gc, {"time": {"days": 60}})

    assert one.fix.value == {"kind": "union", "rules": [versions(1), age(60.0)]}


@pytest.mark.parametrize(("days", "fixed"), [(120, True), (120.1, False)])
def test_a_replicated_table_with_data_takes_no_increase_above_ninety_days(days, fixed):
    two = tuple({"id": f"c{n}", "region": region} for n, region in enumerate(("us-central1", "us-east1")))

    (one,) = kept(age(30), {"time": {"days": days}}, clusters=two, table={"history_months": 1})

    assert (one.fix is not None) == fixed


# --- F006 aggregate-mixed ---------------------------------------------------------------------------------------


def counter_findings(write, *, kind="sum", value="integer", ordinary=True):
    families = [{"id": "counts", "name": "n", "kind": kind, "columns": [{"id": "count", "value": {"kind": value}}]}]
    if ordinary:
        families.append({"id": "family", "name": "m", "columns": [{"id": "column"}]})
    spec = design(field_part("device"), write=write, table={"families": families})
    return found("F006", spec, traffic=traffic())


@pytest.mark.parametrize(
    "mode", ["append_row", "overwrite", "new_cell", "new_column", "increment", "read_modify_write"]
)
def test_ordinary_cells_in_an_aggregate_family_are_refused(mode):
    (one,) = counter_findings({"mode": mode})

    assert (one.severity, one.at, one.params["family"]) == ("error", "write", "n")
    assert "5,000/s" in english(one.message, one.params)


@pytest.mark.parametrize("mode", ["check_and_mutate", "delete_row", "delete_cell", "delete_family"])
def test_what_may_hold_any_mutation_is_not_refused(mode):
    assert counter_findings({"mode": mode}) == []


def test_adding_to_an_ordinary_family_is_refused():
    (one,) = counter_findings({"mode": "add_to_aggregate"})

    assert one.params["family"] == "m"


def test_a_write_that_names_its_columns_is_fine():
    assert counter_findings({"mode": "append_row", "columns": ["column"]}) == []
    assert counter_findings({"mode": "add_to_aggregate", "columns": ["count"]}) == []


@pytest.mark.parametrize(
    ("kind", "value", "at"),
    [("sum", "json", ["count"]), ("max", "text", ["count"]), ("min", "float", ["count"]),
     ("hll", "float", []), ("hll", "text", []), ("sum", "integer", []),
     ("min", "small_integers", []), ("sum", None, [])],
)  # fmt: skip
def test_sums_take_whole_numbers_and_sketches_take_anything(kind, value, at):
    adds = {"mode": "add_to_aggregate", "columns": ["count"]}

    assert [f.at for f in counter_findings(adds, kind=kind, value=value)] == at


# --- F001 too-many-families -------------------------------------------------------------------------------------


def many(count, **asked):
    families = [{"id": f"f{n}", "name": f"f{n}", "columns": [{"id": f"c{n}"}]} for n in range(count)]
    return found("F001", design(field_part("device"), table={"families": families}, reads=(read_part(**asked),)))


def test_more_than_a_hundred_families_warn():
    assert many(100) == []
    assert [(f.severity, f.at, f.effect) for f in many(101)] == [("warning", "table", 101)]


def test_it_names_the_reads_that_touch_all_of_them():
    everything, one = many(101)[0], many(101, families=("f0",))[0]

    assert "Reads that use all of them: look up." in english(everything.message, everything.params)
    assert "look up" not in english(one.message, one.params)


# --- F005 versions-surplus, F003 mixed-retention: surplus bytes -------------------------------------------------

GIB = 2**30
CELLS = 1_000 * GIB


def bytes_of(total):
    return BytesByCause(0.0, 0.0, 0.0, 0.0, float(total), 0.0)


def stored_growth(**family):
    """A family of 1,000 GiB uncompressed, half of that on disk."""
    return growth(families=(family_growth(bytes_by_cause=bytes_of(CELLS), **family),), compressed_share=0.5)


def price_findings(spec, grown, price="0.17", rest="0"):
    unit = None if price is None else Decimal(price)
    line = BillLine(
        "storage",
        "",
        {},
        "cluster",
        "",
        "us-central1",
        Decimal(1),
        "GiB-month",
        unit,
        "",
        "",
        "book",
        None,
        None,
        None,
        "",
    )
    nodes = replace(line, item="node", unit="node-hour", cost=Decimal(rest))
    return found_with(spec, growth=grown, bills=(bill(line, nodes),))


def found_with(spec, **parts):
    return {f.rule: f for f in findings(spec, estimate(spec, **parts), TODAY)}


def kept_versions(count, asked, surplus_gib, *, gc=None, price="0.17"):
    spec = design(
        field_part("device"),
        write={"mode": "new_cell"},
        gc=gc or versions(count),
        reads=(read_part(newest_versions=asked),),
    )
    return price_findings(spec, stored_growth(surplus_bytes=surplus_gib * GIB), price).get("F005")


@pytest.mark.parametrize(
    ("surplus_gib", "severity"), [(200.0, "warning"), (199.9, "note"), (100.0, "note"), (99.9, None)]
)
def test_surplus_versions_warn_from_a_hundred_gib_and_are_a_note_from_a_tenth_of_the_table(surplus_gib, severity):
    """Half of 200 GiB uncompressed are 100 GiB on disk; a tenth of the table is 100 GiB uncompressed."""
    one = kept_versions(10, 2, surplus_gib)

    assert (one and one.severity) == severity


def test_surplus_below_ten_gib_is_not_worth_a_line():
    spec = design(
        field_part("device"), write={"mode": "new_cell"}, gc=versions(10), reads=(read_part(newest_versions=2),)
    )

    def of_size(total, surplus):
        family = family_growth(bytes_by_cause=bytes_of(total * GIB), surplus_bytes=surplus * GIB)
        return price_findings(spec, growth(families=(family,), compressed_share=0.5)).get("F005")

    assert of_size(40, 20) is not None
    assert of_size(40, 19.9) is None


def test_it_says_bytes_share_and_money():
    one = kept_versions(10, 2, 400.0)

    said = english(one.message, one.params)
    assert "Family m of events keeps 10 versions of a cell, but no read needs more than 2." in said
    assert "200 GiB (40\u00a0% of the table) is surplus. Cost a month: $34." in said


def test_money_is_unknown_where_a_price_is_open():
    one = kept_versions(10, 2, 400.0, price=None)

    assert one.params["surplus_cost"] is None


def test_an_age_that_keeps_all_versions_says_so_and_the_fix_adds_the_count():
    one = kept_versions(0, 2, 400.0, gc=age(30))

    assert (
        "Family m of events keeps every version until it expires, but no read needs more than 2. 200 GiB "
        "(40\u00a0% of the table) is surplus. Cost a month: $34."
    ) in english(one.message, one.params)
    assert one.fix.value == {"kind": "union", "rules": [versions(2), age(30)]}


def test_a_replicated_table_may_well_collect_by_age_alone():
    two = tuple({"id": f"c{n}", "region": region} for n, region in enumerate(("us-central1", "us-east1")))
    asked = {"write": {"mode": "new_cell"}, "reads": (read_part(newest_versions=2),), "clusters": two}

    by_age = design(field_part("device"), gc=age(30), **asked)
    by_count = design(field_part("device"), gc=versions(10), **asked)

    assert "F005" not in price_findings(by_age, stored_growth(surplus_bytes=CELLS / 2))
    assert "F005" in price_findings(by_count, stored_growth(surplus_bytes=CELLS / 2))


def test_as_many_versions_as_are_asked_for_are_no_surplus():
    assert kept_versions(10, 10, 0.0) is None


@pytest.mark.parametrize("gc", [None, {"kind": "never"}])
def test_a_family_that_collects_nothing_is_not_blamed_for_versions(gc):
    spec = design(field_part("device"), write={"mode": "new_cell"}, gc=gc, reads=(read_part(newest_versions=2),))

    assert "F005" not in price_findings(spec, stored_growth(surplus_bytes=CELLS / 2))


def test_versions_that_nobody_speaks_of_are_not_surplus():
    spec = design(field_part("device"), write={"mode": "new_cell"}, gc=versions(10), reads=(read_part(),))

    assert "F005" not in price_findings(spec, stored_growth(surplus_bytes=CELLS / 2))


def shared_family_findings(history, newest, surplus_gib, **more):
    """A family whose one column is asked for in `history` versions, the other in `newest`."""
    spec = design(
        field_part("device"), write={"mode": "new_cell"},
        family={
            "gc": versions(1_000),
            "columns": [{"id": "states", "qualifier": "s"}, {"id": "set", "qualifier": "c"}],
        },
        reads=(
            *([read_part(columns=("states",), newest_versions=history)] if history else []),
            {"id": "newest", "columns": ("set",), "newest_versions": newest, **more},
        ),
    )  # fmt: skip
    return spec, price_findings(spec, stored_growth(surplus_by_column={"set": surplus_gib * GIB})).get("F003")


@pytest.mark.parametrize(("surplus_gib", "severity"), [(200.0, "warning"), (199.9, "note"), (99.9, None)])
def test_a_modest_column_beside_a_demanding_one_keeps_too_much(surplus_gib, severity):
    _, one = shared_family_findings(1_000, 1, surplus_gib)

    assert (one and one.severity) == severity


def test_the_fix_gives_the_modest_columns_a_family_and_their_readers_both_names():
    spec, one = shared_family_findings(1_000, 1, 400.0, families=("family",))

    mended, _ = apply(spec, one.fix)
    states, settings = mended.tables[0].families
    assert [c.id for c in states.columns] == ["states"]
    assert [c.id for c in settings.columns] == ["set"]
    assert (settings.name, settings.gc.versions) == ("m2", 1)
    assert mended.find("newest").families == ("family", settings.id)
    assert mended.find("read").families == ()
    assert not one.fix_safe


def test_it_says_who_needs_what():
    _, one = shared_family_findings(1_000, 1, 400.0)

    said = english(one.message, one.params)
    assert "The family keeps 1,000 versions for its other columns." in said
    assert "That leaves 200 GiB that no read uses, 40\u00a0% of the table. Cost a month: $34." in said


def each_needs(*needs, kept=None):
    """Columns of one family with what is needed of each; the first keeps most in vain."""
    columns = [{"id": f"c{n}", "qualifier": f"q{n}", "needed": need} for n, need in enumerate(needs)]
    gc = kept or {"kind": "intersection", "rules": [versions(3), age(30)]}
    spec = design(field_part("device"), write={"mode": "new_cell"}, family={"gc": gc, "columns": columns})
    return spec, price_findings(spec, stored_growth(surplus_by_column={"c0": 400.0 * GIB, "c1": 1.0 * GIB})).get("F003")


def test_columns_that_each_need_something_else_are_told_apart():
    spec, one = each_needs({"versions": 3}, {"age_days": 30})

    said = english(one.message, one.params)
    assert "For q0 in family m of events, 3 versions is enough." in said
    assert "The family keeps 3 versions and everything within 30 days for its other columns." in said
    assert apply(spec, one.fix)[0].tables[0].families[1].gc.versions == 3


def test_three_different_needs_have_no_simple_fix():
    _, one = each_needs({"versions": 3}, {"age_days": 30}, {"versions": 1})

    assert one.fix is None


@pytest.mark.parametrize(
    ("caps", "ages", "said"),
    [
        ((1.0,), (math.inf,), "the newest version"),
        ((5.0, 0.0), (9.0, math.inf), "5 versions within 9 days"),
        ((math.inf, 0.0), (9.0, math.inf), "9 days"),
        ((math.inf, 1.0), (9.0, math.inf), "the newest version and everything within 9 days"),
        ((math.inf,), (math.inf,), "everything"),
    ],
)
def test_a_policy_is_said_in_words_and_made_a_rule_again(caps, ages, said):
    steps = Policy(ages, caps)

    assert english("{x}", {"x": describe_policy(steps)}) == said
    rule = collection_rule(steps)
    assert (rule is None) if said == "everything" else policy(rule) == steps


def test_columns_that_need_the_same_do_not_suffer():
    assert shared_family_findings(1, 1, 400.0)[1] is None


def test_a_column_that_nobody_is_known_to_want_is_no_reason_to_split():
    assert shared_family_findings(None, 1, 400.0)[1] is None


# --- F009 gc-lag ------------------------------------------------------------------------------------------------


def waiting(share, *, total=CELLS, rest="0", **asked):
    spec = design(field_part("device", "#"), time_part(), reads=(read_part(**asked),))
    family = family_growth(bytes_by_cause=bytes_of(total), uncollected_bytes=share * total)
    return price_findings(spec, growth(families=(family,), compressed_share=0.5), rest=rest).get("F009")


@pytest.mark.parametrize(
    ("share", "total", "noted"),
    [(0.25, CELLS, True), (0.249, CELLS, False), (0.25, 80 * GIB, True), (0.25, 79 * GIB, False)],
)
def test_expired_cells_are_noted_from_a_quarter_of_the_table_and_ten_gib(share, total, noted):
    assert (waiting(share, total=total) is not None) == noted


def test_it_says_bytes_money_and_that_a_week_is_the_most():
    one = waiting(0.4)

    said = english(one.message, one.params)
    assert one.severity == "note"
    assert "About 200 GiB of events (40\u00a0%) is expired cells of m awaiting compaction." in said
    assert "This assumes half a week until compaction; at most a week: 400 GiB. Cost a month: $34." in said
    assert "Reads without a filter may return expired cells: look up." in said


def test_deleted_cells_are_said_to_be_returned_by_no_read():
    spec = design(field_part("device", "#"), time_part(), reads=(read_part(),), write={"mode": "delete_row"})
    family = family_growth(bytes_by_cause=bytes_of(CELLS), uncollected_bytes=0.4 * CELLS)
    one = price_findings(spec, growth(families=(family,), compressed_share=0.5), rest="0")["F009"]

    said = english(one.message, one.params)
    assert "is expired or deleted cells of m awaiting compaction." in said
    assert "may return" not in said


def test_where_no_price_is_known_none_is_spoken_of():
    spec = design(field_part("device", "#"), time_part(), reads=(read_part(),))
    family = family_growth(bytes_by_cause=bytes_of(CELLS), uncollected_bytes=0.4 * CELLS)
    one = found_with(spec, growth=growth(families=(family,), compressed_share=0.5))["F009"]

    said = english(one.message, one.params)

    assert "Cost" not in said
    assert said.endswith("at most a week: 400 GiB. Reads without a filter may return expired cells: look up.")


@pytest.mark.parametrize("asked", [{"newest_versions": 1}, {"cell_days": 1}, {"time": {"days": 1}}, {"newest_rows": 1}])
def test_a_read_that_filters_is_not_named(asked):
    assert "returned by" not in waiting(0.4, **asked).message


@pytest.mark.parametrize(("rest", "noted"), [("680", True), ("681", False)])
def test_where_reads_filter_it_is_noted_from_a_twentieth_of_the_bill(rest, noted):
    """200 GiB for 34 dollars."""
    assert (waiting(0.4, newest_versions=1, rest=rest) is not None) == noted


def test_where_a_read_does_not_filter_it_is_noted_however_large_the_bill():
    assert waiting(0.4, rest="100000") is not None


# --- F010 version-gc-replicated ---------------------------------------------------------------------------------


def replica_findings(*, regions=2, events=100.0, gc=None, mode="overwrite", busy=1.0):
    """`busy`: node time of all writes, of which an eleventh is taken to be for deletes."""
    clusters = [{"id": f"c{n}", "region": f"us-east{n}"} for n in range(regions)]
    spec = design(field_part("device"), write={"mode": mode}, gc=gc or versions(1), clusters=clusters)
    loads = (write_load(100.0, node_seconds_per_row=busy / 100),)
    return found("F010", spec, growth=growth(kinds=(row_growth(events_per_row=events),)), traffic=traffic(writes=loads))


def test_replicated_deletes_are_noted_from_a_tenth_of_a_node():
    (one,) = replica_findings(busy=1.1001)

    assert one.severity == "note"
    assert "100/s" in english(one.message, one.params)
    assert replica_findings(busy=1.0999) == []


@pytest.mark.parametrize(
    "quiet",
    [
        {"regions": 1},
        {"events": 1.0},
        {"gc": {"kind": "max_age", "age_days": 1}},
        {"mode": "append_row"},
        {"mode": "new_column"},
    ],
)
def test_nothing_is_deleted_by_count_in_one_cluster_by_age_or_where_rows_are_new(quiet):
    assert replica_findings(busy=10.0, **quiet) == []


# --- F008 read-drags-along --------------------------------------------------------------------------------------


def dragging_reads(dragged_bytes, scanned_bytes, per_second, *, others=(), **asked):
    spec = design(
        field_part("device"),
        family={"columns": [{"id": "report", "qualifier": "report"}, {"id": "state", "qualifier": "s"}]},
        reads=(read_part(**{"columns": ("state",), **asked}), *others),
    )
    plans = (plan("point", bytes_scanned=scanned_bytes, bytes_dragged=dragged_bytes, per_second=per_second),)
    return spec, found("F008", spec, reads=plans)


@pytest.mark.parametrize(
    ("per_second", "severity"), [(2_000.0, "warning"), (1_999.0, "note"), (500.0, "note"), (499.0, None)]
)
def test_what_is_dragged_along_warns_from_a_fifth_of_a_node(per_second, severity):
    """22,000 bytes take a ten-thousandth of a second at 220 MB/s."""
    _, found = dragging_reads(22_000.0, 30_000.0, per_second)

    assert [f.severity for f in found] == ([severity] if severity else [])


def test_less_than_half_is_not_worth_another_family():
    assert dragging_reads(14_999.0, 30_000.0, 10_000.0)[1] == []
    assert dragging_reads(15_000.0, 30_000.0, 10_000.0)[1] != []


def test_it_names_the_columns_and_the_rate_from_which_it_hurts():
    _, (one,) = dragging_reads(22_000.0, 30_000.0, 4_000.0)

    said = english(one.message, one.params)
    assert "look up reads 29.3 KiB of events each time but needs only 7.81 KiB; the rest is report." in said
    assert "At 4,000/s, that wastes 0.4 nodes. The threshold is 2,000/s." in said


def test_the_fix_puts_the_wanted_column_apart_and_tells_readers_of_families():
    all_of_it = {"id": "all", "families": ("family",)}
    spec, (one,) = dragging_reads(22_000.0, 30_000.0, 4_000.0, others=(all_of_it,))

    mended, _ = apply(spec, one.fix)

    assert [[c.id for c in f.columns] for f in mended.tables[0].families] == [["report"], ["state"]]
    assert len(mended.find("all").families) == 2


def test_no_fix_where_another_read_wants_a_part_of_it():
    families = {"columns": [{"id": c, "qualifier": c} for c in ("report", "a", "b")]}
    reads = (read_part(columns=("a", "b")), {"id": "part", "columns": ("a", "report")})
    spec = design(field_part("device"), family=families, reads=reads)
    plans = (plan("point", bytes_scanned=30_000.0, bytes_dragged=22_000.0, per_second=4_000.0),)

    (one,) = found("F008", spec, reads=plans)

    assert one.fix is None


# --- F002 long-family-name --------------------------------------------------------------------------------------


def name_findings(name, names_bytes, *, total=100 * GIB, **table):
    """A family whose name takes so many of the table's bytes."""
    other = BytesByCause(0.0, float(names_bytes), 0.0, 0.0, float(total - names_bytes), 0.0)
    spec = design(field_part("device", "#"), time_part(), family={"name": name}, table=table)
    return spec, price_findings(
        spec, growth(families=(family_growth(bytes_by_cause=other),), compressed_share=0.5)
    ).get("F002")


@pytest.mark.parametrize(
    ("gib", "total_gib", "noted"),
    [(12.5, 100, True), (12.5, 100.1, False), (12.5, 50, True), (12.4, 50, False)],
)
def test_a_long_name_is_noted_from_ten_gib_and_a_tenth_of_the_table(gib, total_gib, noted):
    """Of ten characters a short name leaves two: four fifths of 12.5 GiB are 10 GiB, a tenth of 100."""
    _, one = name_findings("abcdefghij", gib * GIB, total=total_gib * GIB)

    assert (one is not None) == noted


def test_it_says_bytes_before_compression_and_the_little_money_after():
    _, one = name_findings("abcdefghij", 50 * GIB)

    said = english(one.message, one.params)
    assert (
        "The name of family abcdefghij of events takes 10 B in every cell. "
        "A short name saves 40 GiB, 40\u00a0% of the table before compression."
    ) in said
    assert "Disk savings a month: $0.54." in said  # 8 % of 40 GiB


def test_a_name_of_two_letters_is_short():
    assert name_findings("mm", 90 * GIB)[1] is None


def test_a_family_is_renamed_safely_only_before_there_is_data():
    spec, one = name_findings("measured_values", 90 * GIB)
    _, live = name_findings("measured_values", 90 * GIB, history_months=1)

    assert apply(spec, one.fix)[0].find("family").name == "m"
    assert (one.fix_safe, live.fix_safe) == (True, False)
    assert one.fix_label != live.fix_label


# --- F007 aggregate-final ---------------------------------------------------------------------------------------


def choice_findings(gib, *, kind="sum", **table):
    spec = design(
        field_part("device", "#"),
        time_part(resolution="day"),
        write={"mode": "add_to_aggregate"},
        family={"kind": kind},
        table=table,
    )
    return found("F007", spec, growth=growth(families=(family_growth(bytes_by_cause=bytes_of(gib * 2 * GIB)),)))


def test_an_aggregate_of_a_gib_is_noted_while_it_can_still_be_chosen():
    (one,) = choice_findings(1.0)

    said = english(one.message, one.params)
    assert one.severity == "note"
    assert "On 1 Jan 2027 it holds 1M cells (1 GiB); changing the aggregate then requires the original values." in said


@pytest.mark.parametrize(
    "quiet",
    [{"gib": 0.99}, {"gib": 9, "kind": "ordinary"}, {"gib": 9, "history_months": 1}, {"gib": 9, "rows_stored": 5}],
)
def test_a_small_aggregate_or_one_that_is_decided_is_not_worth_a_line(quiet):
    assert choice_findings(**quiet) == []


# --- F011 of tables that rotate -----------------------------------------------------------------------------------


def rotating(tables, days, gc=None, period="week", key=None, start=None, history_months=None, needed=None):
    return design(
        *(key or (field_part("device", "#"), time_part())),
        gc=gc,
        reads=(read_part(binds=("device",), time={"days": days}),),
        family={"needed": needed},
        table={"rotation": {"period": period, "kept_tables": tables}, "history_months": history_months},
        start=start,
        per_second=10,
    )


@pytest.mark.parametrize(("days", "expected"), [(21, []), (21.1, ["error"]), (28, ["error"])])
def test_tables_that_rotate_hold_one_period_less_when_a_new_one_begins(days, expected):
    assert [f.severity for f in found("F011", rotating(4, days))] == expected


def test_what_a_rotation_lacks_is_said_and_mended():
    spec = rotating(2, 14)
    (finding,) = found("F011", spec)

    assert english(finding.message, finding.params) == (
        "events retains 2 tables. When a new one begins, they hold 7 days, but look up requires 14 days. "
        "Up to 50\u00a0% of that period is missing, and results are incomplete from 12 Jan 2026."
    )
    mended, _ = apply(spec, finding.fix)
    assert (mended.tables[0].rotation.kept_tables, found("F011", mended)) == (3, [])


@cases(
    "start, period, tables, days, history, expected",
    [
        # 1 Jan 2026 is a Thursday of the week that began on 29 Dec: its table goes as the second one after it begins.
        ("2026-01-01", "week", 2, 14, None, "12 Jan 2026"),
        ("2026-01-05", "week", 2, 14, None, "19 Jan 2026"),
        ("2026-01-04", "week", 2, 14, None, "12 Jan 2026"),
        ("2026-01-31", "month", 2, 60, None, "1 Mar 2026"),
        ("2026-12-15", "month", 3, 90, None, "1 Mar 2027"),
        ("2026-01-01", "day", 7, 30, None, "8 Jan 2026"),
        # Of a year of rows only those of this month and the one before are there on the first day.
        ("2026-01-20", "month", 2, 60, 12, "20 Jan 2026"),
        ("2026-01-20", "month", 2, 40, 12, "1 Feb 2026"),
    ],
)
def test_the_first_rows_are_missed_when_the_table_of_the_oldest_ones_is_dropped(
    start, period, tables, days, history, expected
):
    spec = rotating(tables, days, period=period, start=start, history_months=history)
    (finding,) = found("F011", spec)

    assert english("{date}", {"date": finding.params["date"]}) == expected


def test_readers_that_need_cells_for_ever_lose_those_of_the_first_table_that_is_dropped():
    spec = rotating(4, 1, needed={"forever": True})
    (finding,) = found("F011", spec)

    assert english(finding.message, finding.params) == (
        "events retains 4 tables, but the design declares that readers need its cells indefinitely. The first table is "
        "dropped on 26 Jan 2026."
    )
    assert apply(spec, finding.fix)[0].tables[0].rotation.kept_tables is None


@pytest.mark.parametrize(("days", "expected"), [(21, []), (28, ["error"])])
def test_rows_without_a_time_in_their_key_have_that_of_their_table(days, expected):
    spec = rotating(4, days, key=(field_part("device"),))

    assert [f.severity for f in found("F011", spec)] == expected


def test_tables_that_are_never_dropped_lack_nothing():
    assert found("F011", rotating(None, 400)) == []


def test_an_age_that_readers_need_is_needed_of_tables_that_rotate():
    assert [f.at for f in found("F011", rotating(4, 1, needed={"age_days": 30}))] == ["table"]


# --- F012 expired-when-written ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ahead_days", "arrival", "expected"),
    [
        (0, {"kind": "backfill", "days": 120}, 0.75),  # of 120 days 30 are kept
        (10, {"kind": "backfill", "days": 120}, 2 / 3),  # 40
        (-40, {"kind": "backfill", "days": 120}, 1.0),
        (0, {"kind": "backfill", "days": 30.2}, None),  # 0.7 % is the edge of a load that was cut
        (-30, {"kind": "poisson"}, 1.0),
        (-29, {"kind": "poisson"}, None),
    ],
)
def test_cells_that_are_too_old_when_they_are_written_are_found(ahead_days, arrival, expected):
    spec = design(
        field_part("device", "#"), time_part(), column={"timestamp": "event"}, activity={"arrival": arrival},
        write={"timestamp_ahead_days": ahead_days}, gc={"kind": "max_age", "age_days": 30},
    )  # fmt: skip

    shares = [finding.params["expired_share"] for finding in found("F012", spec, traffic=traffic())]

    assert shares == ([] if expected is None else [pytest.approx(expected)])
