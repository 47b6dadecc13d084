"""F004, R001, R002, R003 on figures made by hand."""

import datetime

import numpy as np
import pytest

from designer.document import Spec
from designer.wording.formatting import english
from estimator.advice.rules import findings
from estimator.advice.rules.shared.examples import design, field_part, time_part
from estimator.engines import MiB
from estimator.results.growth import BytesByCause
from tests.cases import cases
from tests.core.advice.rules.made import (
    TODAY,
    crossing,
    estimate,
    family_growth,
    growth,
    keys,
    row_growth,
    traffic,
    write_load,
)

JUNE = datetime.date(2026, 6, 1)


def unbounded(*, table=None, gc=None, families=(), kinds=(), known=True):
    spec = design(field_part("device"), write={"mode": "new_cell"}, gc=gc, table=table)
    grown = growth(families=families or (family_growth(bounded=False),), kinds=kinds or (row_growth(),))
    made = estimate(spec, keys=keys(spec), growth=grown if known else None)
    return [f for f in findings(spec, made, TODAY) if f.rule == "F004"]


def test_cells_that_pile_up_in_rows_warn_with_the_growth_of_a_month():
    (finding,) = unbounded(families=(family_growth(bounded=False, gib_per_month=12.0),))

    assert (finding.severity, finding.effect) == ("warning", 12.0)
    assert "They grow by 12 GiB a month, but no row exceeds a limit within the horizon." in english(
        finding.message, finding.params
    )


def collection(column=None, unknown=False):
    """The fix for a family whose cells are overwritten and of which nobody says what is needed."""
    spec = design(field_part("device"), write={"mode": "overwrite"}, gc=None, column=column)
    kind = spec.tables[0].row_kinds[0].model_copy(update={"reads_unknown": unknown})
    spec = spec.model_copy(update={"tables": (spec.tables[0].model_copy(update={"row_kinds": (kind,)}),)})
    made = estimate(spec, keys=keys(spec), growth=growth(families=(family_growth(bounded=False),)))
    return next(f.fix for f in findings(spec, made, TODAY) if f.rule == "F004")


def test_only_the_newest_is_kept_where_nothing_else_can_be_wanted():
    assert collection().value == {"kind": "max_versions", "versions": 1}
    assert collection(column={"needed": {"versions": 9}}) is None
    assert collection(unknown=True) is None


def test_cells_that_pile_up_say_when_a_row_passes_the_limit():
    kinds = (row_growth(crossings=(crossing("row_bytes", 256 * MiB, JUNE),)),)

    (finding,) = unbounded(kinds=kinds)

    assert "They grow by 1 GiB a month; the largest row exceeds 256 MiB from 1 Jun 2026." in english(
        finding.message, finding.params
    )


def test_a_little_of_a_new_row_per_event_for_ever_is_a_note():
    (finding,) = unbounded(families=(family_growth(bounded=True, gib_per_month=0.5),))

    assert finding.severity == "note"


def test_how_long_much_of_a_new_row_per_event_is_kept_is_asked_once():
    assert unbounded(families=(family_growth(bounded=True, gib_per_month=3.0),)) == []


def test_a_table_that_is_kept_for_ever_on_purpose_is_fine():
    assert unbounded(table={"keep_forever": True}) == []
    assert unbounded(gc={"kind": "never"}) == []


def test_a_family_that_is_collected_is_fine():
    assert unbounded(gc={"kind": "max_age", "age_days": 30}, families=(family_growth(bounded=True),)) == []


def test_an_age_that_still_lets_cells_pile_up_warns():
    gc = {"kind": "intersection", "rules": [{"kind": "max_age", "age_days": 30}, {"kind": "never"}]}

    assert [f.severity for f in unbounded(gc=gc)] == ["warning"]


def test_a_family_without_collection_is_a_note_while_nothing_is_known():
    assert [f.severity for f in unbounded(known=False)] == ["note"]


def rows_of(
    largest_mib, *, resolution="month", bucket_seconds=30 * 86_400, hard=None, recommended=None, p99_mib=0.1,
    **settings,
):  # fmt: skip
    spec = design(field_part("device", "#"), time_part(resolution=resolution), write={"mode": "new_cell"}, **settings)
    kind = row_growth(
        largest_bytes=np.array([0.0, largest_mib * MiB]),
        p99_bytes=np.array([0.0, p99_mib * MiB]),
        bucket_seconds=bucket_seconds,
        crossings=(crossing("row_bytes", 256 * MiB, hard), crossing("row_bytes_recommended", 100 * MiB, recommended)),
    )
    made = estimate(
        spec,
        keys=keys(spec),
        growth=growth(kinds=(kind,)),
        traffic=traffic(writes=(write_load(1.0),)),
    )
    return findings(spec, made, TODAY)


def test_the_hard_limit_has_the_recommended_one_and_the_bucket_under_it():
    (found,) = rows_of(300, hard=JUNE, recommended=JUNE)

    assert (found.rule, found.severity) == ("R001", "error")
    assert [f.rule for f in found.under] == ["R002", "R003"]
    assert "The row of d0001 in events exceeds 256 MiB on 1 Jun 2026 and reaches 300 MiB." in english(
        found.message, found.params
    )


UNSAID = {"fields": ({"id": "device", "name": "device_id", "distinct": 1_000},)}
"""Nobody has said how traffic spreads over devices: some are guessed to be far busier."""
SAID = {"draws": [{"field": "device", "popularity": {"kind": "zipf", "theta": 0.9}}]}


@pytest.mark.parametrize(
    ("settings", "severity"),
    [
        (UNSAID, "warning"),
        ({**UNSAID, "p99_mib": 255.9}, "warning"),
        ({**UNSAID, "p99_mib": 256}, "error"),
        ({**UNSAID, "activity": SAID}, "error"),
        ({**UNSAID, "activity": {"arrival": {"kind": "every", "seconds": 1, "field": "device"}}}, "error"),
        ({"fields": ({"id": "device", "name": "device_id", "distinct": 999},)}, "error"),  # evenly, as is guessed
    ],
)
def test_a_row_that_only_a_guess_makes_too_large_is_no_error(settings, severity):
    (found,) = rows_of(300, hard=JUNE, recommended=JUNE, **settings)

    assert (found.rule, found.severity) == ("R001", severity)
    said = english(found.message, found.params)
    assert ("assumes a default distribution for device_id" in said) == (severity == "warning" or "p99_mib" in settings)


def test_the_recommended_limit_has_the_bucket_under_it():
    (found,) = rows_of(150, recommended=JUNE)

    assert found.rule == "R002"
    assert [f.rule for f in found.under] == ["R003"]


def test_rows_below_both_limits_are_fine():
    assert rows_of(99) == ()


def test_rows_without_a_bucket_are_no_matter_of_buckets():
    (found,) = rows_of(300, bucket_seconds=None, hard=JUNE, recommended=JUNE)

    assert [f.rule for f in found.under] == ["R002"]


@cases(
    "piling_bytes, bounded_bytes, expected",
    [
        (900.0, 100.0, [("F004", ["R001", "R002"])]),
        (100.0, 900.0, [("R001", ["R002"]), ("F004", [])]),  # another family makes the rows large
    ],
)
def test_a_row_is_too_large_because_nothing_is_collected(piling_bytes, bounded_bytes, expected):
    kept = {"id": "kept", "name": "k", "gc": {"kind": "max_versions", "versions": 1}, "columns": [{"id": "note"}]}
    spec = design(field_part("device"), write={"mode": "overwrite"}, gc=None)
    document = spec.model_dump(mode="json", exclude_unset=True)
    document["tables"][0]["families"].append(kept)
    spec = Spec.model_validate(document)
    kind = row_growth(
        largest_bytes=np.array([0.0, 300.0 * MiB]),
        bucket_seconds=None,
        crossings=(crossing("row_bytes", 256 * MiB, JUNE), crossing("row_bytes_recommended", 100 * MiB, JUNE)),
    )
    families = (
        family_growth(bounded=False, bytes_by_cause=BytesByCause(0, 0, 0, 0, piling_bytes, 0), gib_per_month=1.0),
        family_growth(family="kept", bytes_by_cause=BytesByCause(0, 0, 0, 0, bounded_bytes, 0)),
    )
    made = estimate(spec, keys=keys(spec), growth=growth(kinds=(kind,), families=families))

    found = [f for f in findings(spec, made, TODAY) if f.rule in ("F004", "R001")]
    assert [(f.rule, [below.rule for below in f.under]) for f in found] == expected
    assert found[0].severity == "error"


@pytest.mark.parametrize(
    ("largest_mib", "peak", "bucket"),
    [
        (400, 1.0, "week"),
        (450, 1.0, "day"),
        (490, 7.0, "week"),
        (510, 7.0, "hour"),
        (2_900, 1.0, "day"),
        (3_100, 1.0, "hour"),
    ],
)
def test_the_coarsest_bucket_whose_largest_row_stays_small_is_named(largest_mib, peak, bucket):
    """A month is 30 days here: a week has 7/30 of it, a day 1/30; where only Mondays are busy, both have 1/5."""
    week = {"kind": "week", "hours": [1.0] * 24 + [float(peak == 1)] * 144}
    (found,) = rows_of(largest_mib, activity={"profile": week}, hard=JUNE, recommended=JUNE)

    (coarse,) = [f for f in found.under if f.rule == "R003"]
    assert str(coarse.params["bucket"]) == bucket
    assert coarse.params["bucket_bytes"] < 100 * MiB


@pytest.mark.parametrize(("gib_per_month", "expected"), [(0.001, ["note"]), (0.00099, [])])
def test_growth_below_a_mebibyte_a_month_is_not_worth_a_word(gib_per_month, expected):
    found = unbounded(families=(family_growth(bounded=True, gib_per_month=gib_per_month),))

    assert [f.severity for f in found] == expected
