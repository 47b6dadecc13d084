"""W001 and W002: what one request holds."""

import pytest

from designer.document.dump import to_plain_data
from designer.document.load import from_data
from designer.wording.formatting import english
from estimator.advice.rules import findings
from estimator.advice.rules.shared.examples import design, field_part, time_part
from estimator.advice.rules.tables import secondary_index_unfit
from tests.cases import cases
from tests.contexts import estimate as whole_estimate
from tests.core.advice.rules.made import TODAY, estimate, traffic, write_load


def findings_of(code, spec, **parts):
    return [f for f in findings(spec, estimate(spec, **parts), TODAY) if f.rule == code]


# --- W002 too-many-mutations ------------------------------------------------------------------------------------


def write_findings(write, *, columns=4, presence=1.0):
    cells = [{"id": f"c{number}", "qualifier": f"q{number}", "presence": presence} for number in range(columns)]
    families = [{"id": f"f{n}", "name": f"f{n}", "columns": cells[n::2]} for n in range(2)]
    return findings_of(
        "W002", design(field_part("device", "#"), time_part(), write=write, table={"families": families})
    )


@cases(
    "write, mutations",
    [
        ({"rows_per_request": 25_000}, None),
        ({"rows_per_request": 25_001}, 100_004),
        ({"rows_per_request": 100_000, "columns": ["c0"]}, None),
        ({"rows_per_request": 100_001, "columns": ["c0"]}, 100_001),
        ({"rows_per_request": 50_000, "mode": "delete_family"}, None),
        ({"rows_per_request": 50_001, "mode": "delete_family"}, 100_002),
        ({"rows_per_request": 100_001, "mode": "delete_row"}, 100_001),
        ({}, None),
    ],
)
def test_a_request_of_more_than_a_hundred_thousand_mutations_is_refused(write, mutations):
    assert [f.effect for f in write_findings(write)] == ([] if mutations is None else [mutations])


def test_cells_that_are_seldom_there_count_as_seldom():
    assert write_findings({"rows_per_request": 50_000}, presence=0.5) == []


def test_the_fix_sends_as_many_rows_as_fit():
    (one,) = write_findings({"rows_per_request": 30_000})

    assert (one.severity, one.fix.value) == ("error", 25_000)


# --- W001 unbatched-writes --------------------------------------------------------------------------------------


def apart(per_second=1_000.0, *, activity=None, engine="bigtable", **write):
    spec = design(field_part("device", "#"), time_part(), write=write, activity=activity, engine=engine)
    return findings_of("W001", spec, traffic=traffic(writes=(write_load(per_second),)))


@pytest.mark.parametrize(("per_second", "noted"), [(200.0, True), (199.0, False)])
def test_calls_that_a_batch_would_save_are_noted_from_a_hundred_a_second(per_second, noted):
    assert len(apart(per_second, rows_per_event=2)) == noted


def test_it_says_how_many_calls_there_are_and_would_be():
    (one,) = apart(rows_per_event=10)

    said = english(one.message, one.params)
    assert one.severity == "note"
    assert "store writes 10 rows of events at a time but sends them in separate calls: 1,000/s." in said
    assert "Batches reduce this to 100/s, 90\u00a0% fewer." in said


@pytest.mark.parametrize(
    "quiet",
    [
        {},
        {"rows_per_event": 10, "rows_per_request": 10},
        {"rows_per_event": 10, "mode": "increment"},
        {"rows_per_event": 10, "mode": "read_modify_write"},
        {"rows_per_event": 10, "mode": "check_and_mutate"},
        {"rows_per_event": 10, "mode": "delete_prefix"},
    ],
)
def test_single_rows_batches_and_what_has_no_batch_are_fine(quiet):
    assert apart(1e6, **quiet) == []


@pytest.mark.parametrize(
    ("arrival", "rows"),
    [
        ({"kind": "bursts", "size": 50}, 50),
        ({"kind": "backfill", "days": 9}, 100),
        ({"kind": "backfill", "days": 9, "sorted": False}, None),
    ],
)
def test_a_burst_and_a_load_in_key_order_bring_rows_together(arrival, rows):
    assert [f.params["rows"] for f in apart(activity={"arrival": arrival})] == ([rows] if rows else [])


def test_a_batch_of_tablestore_takes_two_hundred_rows():
    (one,) = apart(rows_per_event=1_000, engine="tablestore")

    assert one.params["rows"] == 200


@pytest.mark.parametrize("rows_per_request", [1, 201])
@pytest.mark.parametrize("how", ["global_index", "local_index", "dual_write"])
def test_no_client_batches_the_rows_of_an_index_that_the_service_writes(how, rows_per_request):
    data = to_plain_data(secondary_index_unfit.RULE.bad())
    table, index = data["tables"]
    index["derived_from"]["how"] = how
    for write in (*table["row_kinds"][0]["writes"], *index["row_kinds"][0]["writes"]):
        write |= {"rows_per_event": 200, "rows_per_request": 200}
    index["row_kinds"][0]["writes"][0]["rows_per_request"] = rows_per_request
    data["activities"][0]["rate_per_second"] = 50
    spec = from_data(data)

    found = {(f.rule, f.at) for f in findings(spec, whole_estimate(spec), TODAY) if f.rule in ("W001", "W003")}

    # 50 events a second of 200 rows: 10,000 calls a second, or a batch of 201 rows.
    sent = {("W001" if rows_per_request == 1 else "W003", "index_write")}
    assert found == (sent if how == "dual_write" else set())
