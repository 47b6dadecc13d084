"""K012: expected losses against closed forms and a small simulation."""

import math

import numpy as np
import pytest

from designer.document.edits import apply
from designer.wording.formatting import english
from estimator.advice.rules import findings
from estimator.advice.rules.keys.key_not_unique import EACH_ITS_OWN, IN_BUCKETS, UPDATES
from estimator.advice.rules.shared.examples import DEVICE, design, field_part, time_part
from estimator.results import EntityShares
from tests.contexts import estimate as design_estimate
from tests.core.advice.rules.made import TODAY, estimate, growth, keys, row_size, segment

DAY = 86_400


def lost_event_findings(
    *key, per_second=100.0, entities=1_000, arrival=None, mode="append_row", column=None, facts=(), spread=None, **more
):
    activity = {"arrival": arrival} if arrival else None
    spec = design(*key, per_second=per_second, activity=activity, write={"mode": mode}, column=column, **more)
    spread = spread or EntityShares(np.array([1 / entities]), np.array([float(entities)]))
    made = estimate(spec, keys=keys(spec, *facts), growth=growth(entities={"write": spread}))
    return [f for f in findings(spec, made, TODAY) if f.rule == "K012"]


def by(resolution, **more):
    unit = {"microsecond": "us", "millisecond": "ms"}.get(resolution, "s")
    return field_part("device", "#"), time_part(resolution=resolution, unit=unit, **more)


POISSON = {"kind": "poisson"}


def test_independent_events_within_one_second_are_lost_as_the_law_says():
    (finding,) = lost_event_findings(*by("second"), arrival=POISSON)

    m = 100 / 1_000
    assert finding.severity == "error"
    assert finding.effect == pytest.approx(1_000 * DAY * (m - 1 + math.exp(-m)))
    assert "4.8\u00a0%" in english(finding.message, finding.params)


def test_the_law_agrees_with_counting_events():
    rng = np.random.default_rng(7)
    events = rng.poisson(0.1, size=1_000 * 500)
    counted = float(np.maximum(events - 1, 0).sum()) / 500

    (finding,) = lost_event_findings(*by("second"), arrival=POISSON)

    assert finding.effect / DAY == pytest.approx(counted, rel=0.05)


def test_tiny_expectations_are_not_lost_in_rounding():
    (finding,) = lost_event_findings(*by("microsecond"), arrival=POISSON)

    assert finding.effect == pytest.approx(100 * DAY * 1e-7 / 2, rel=1e-3)


@pytest.mark.parametrize(
    ("per_second", "expected"), [(152.2, ["error"]), (152.0, ["note"]), (4.9, ["note"]), (4.8, [])]
)
def test_one_lost_event_a_day_is_an_error_and_one_in_years_a_note(per_second, expected):
    """At r/s over 1,000 entities and microseconds, r² · 1e-9 / 2 · 86,400 are lost a day: 1 at 152.1, 0.001 at 4.81."""
    assert [
        f.severity for f in lost_event_findings(*by("microsecond"), arrival=POISSON, per_second=per_second)
    ] == expected


def skewed_facts(times):
    """A thousand entities, one of them so busy that few events meet this many times as often as evenly."""
    one = (1 + math.sqrt((1e3 - 1) * (times - 1))) / 1e3
    return EntityShares(np.array([one, (1 - one) / 999]), np.array([1.0, 999.0]))


@pytest.mark.parametrize(
    ("times", "per_second", "popularity", "expected", "said"),
    [
        (2.01, 152.0, None, "warning", True),  # evenly spread, less than one a day were lost
        (2.01, 152.2, None, "error", True),  # evenly spread, more
        (1.99, 152.0, None, "error", False),  # the skew makes less than half of it
        (2.01, 152.0, {"kind": "zipf", "theta": 0.9}, "error", False),
    ],
)
def test_what_only_a_guessed_skew_loses_is_a_warning_and_says_so(times, per_second, popularity, expected, said):
    fields = ({**DEVICE, "popularity": popularity},)

    (finding,) = lost_event_findings(
        *by("microsecond"), arrival=POISSON, per_second=per_second, spread=skewed_facts(times), fields=fields
    )

    assert finding.severity == expected
    assert ("assumes a default distribution for device_id" in english(finding.message, finding.params)) == said


def test_an_event_every_minute_per_device_is_never_lost():
    assert lost_event_findings(*by("second"), arrival={"kind": "every", "seconds": 60, "field": "device"}) == []


def test_a_backfill_does_not_say_how_close_together_its_events_were():
    assert lost_event_findings(*by("second"), arrival={"kind": "backfill", "days": 30}) == []


def test_a_bucket_longer_than_the_interval_loses_the_rest():
    (finding,) = lost_event_findings(*by("hour"), arrival={"kind": "every", "seconds": 60, "field": "device"})

    assert finding.params["lost_share"] == pytest.approx(59 / 60)


def test_a_burst_shares_its_second():
    (finding,) = lost_event_findings(*by("second"), arrival={"kind": "bursts", "size": 5}, per_second=1e-3)

    assert finding.effect == pytest.approx(1e-3 * DAY * 4 / 5, rel=1e-3)


def test_a_key_without_time_keeps_one_event_of_an_entity():
    (finding,) = lost_event_findings(field_part("device"), arrival=POISSON)

    assert finding.params["lost_share"] == pytest.approx(1 - 1_000 / (100 * DAY), rel=1e-6)


def test_a_key_without_time_keeps_one_event_of_an_entity_that_acts_once_in_days():
    (finding,) = lost_event_findings(
        field_part("device"), arrival={"kind": "every", "seconds": 10 * DAY, "field": "device"}
    )

    assert finding.params["lost_share"] == pytest.approx(1)


@pytest.mark.parametrize("mode", ["overwrite", "new_cell", "new_column"])
def test_what_means_to_share_a_row_is_fine(mode):
    assert lost_event_findings(field_part("device"), arrival=POISSON, mode=mode) == []


def test_data_in_the_qualifier_keeps_events_apart():
    column = {"qualifier": "", "qualifier_from": [time_part(id="qualifier_time")]}

    assert lost_event_findings(field_part("device"), arrival=POISSON, column=column) == []


def test_a_number_that_counts_the_events_keeps_them_apart():
    order = {"id": "device", "name": "order", "kind": "integer", "assigned": "sequential", "growth_per_day": 100 * DAY}
    spec = design(field_part("device"), fields=(order,), per_second=100, activity={"arrival": POISSON})
    spread = EntityShares(np.array([1e-3]), np.array([1e3]))
    made = estimate(
        spec, keys=keys(spec, segment("device_part", "sequence")), growth=growth(entities={"write": spread})
    )

    assert [f.rule for f in findings(spec, made, TODAY) if f.rule == "K012"] == []


@pytest.mark.parametrize(
    ("resolution", "per_second", "expected"),
    [
        ("millisecond", 1_900, []),
        ("millisecond", 2_100, ["note"]),
        ("second", 100, ["note"]),
        ("second", 110, ["question"]),
        ("second", 1_000, ["question"]),
        ("second", 1_001, ["error"]),
    ],
)
def test_while_nobody_has_said_how_events_arrive_only_sure_losses_are_an_error(resolution, per_second, expected):
    """A share of m / 2 is lost, m events per slot and entity: a thousandth at 2,000/s and ms, 5 % at 103/s and s.

    From one event a second and entity on, events are lost however they arrive.
    """
    assert [f.severity for f in lost_event_findings(*by(resolution), per_second=per_second)] == expected


def test_a_readable_time_tells_apart_what_it_shows():
    (finding,) = lost_event_findings(*by("millisecond", pattern="%Y-%m-%d-%H%M"), arrival=POISSON)

    assert finding.params["lost_share"] == pytest.approx((6 - 1 + math.exp(-6)) / 6)


@pytest.mark.parametrize(("name", "expected"), [("device", ["note"]), ("chat", ["question"]), ("user", ["question"])])
def test_people_act_by_no_clock_so_fewer_losses_are_asked_about(name, expected):
    """At 10/s over a thousand entities and seconds, 0.5 % of independent events are lost."""
    field = {"id": name, "name": name, "distinct": 1_000}
    key = (field_part(name, "#"), time_part(resolution="second", unit="s"))

    found = lost_event_findings(*key, per_second=10.0, fields=(field,))

    assert [each.severity for each in found] == expected


@pytest.mark.parametrize(("rows", "expected"), [(500.0, "question"), (700.0, "error")])
def test_where_keys_are_left_each_event_may_have_its_own(rows, expected):
    """A thousand keys drawn at random: of as many events as keys, 632 are named."""
    peer = {"id": "peer", "name": "peer", "distinct": 1_000}
    spec = design(field_part("peer"), fields=(peer,), per_second=1.0, write={"mode": "append_row"})
    spread = EntityShares(np.array([1e-3]), np.array([1e3]), lost_share=0.5)
    made = estimate(spec, keys=keys(spec), growth=growth(entities={"write": spread}), sizes=row_size(rows=rows))

    (found,) = [each for each in findings(spec, made, TODAY) if each.rule == "K012"]

    assert found.severity == expected
    assert [choice.label for choice in found.choices] == ([EACH_ITS_OWN, UPDATES] if expected == "question" else [])


def rows_by_hour(devices, per_second=1, arrival=None, mode=None):
    """Build a design whose rows are of a device and an hour, and nobody has said what a second event does."""
    return design(
        *by("hour"),
        per_second=per_second,
        activity={"arrival": arrival} if arrival else None,
        write={"mode": mode},
        fields=({**DEVICE, "distinct": devices},),
    )


def asked_of(spec):
    return [f for f in findings(spec, design_estimate(spec), TODAY) if f.rule == "K012"]


def test_events_that_meet_in_a_bucket_are_asked_for_where_updates_are_only_assumed():
    """An hour of 10,000 devices has 3,600 events: one of six meets a row that is there."""
    (question,) = asked_of(rows_by_hour(10_000))

    assert (question.severity, question.message) == ("question", IN_BUCKETS)
    mean = 0.36
    assert question.params["lost_share"] == pytest.approx(1 - (1 - math.exp(-mean)) / mean, rel=1e-3)
    assert question.choices[-1].label == UPDATES
    answered = [apply(rows_by_hour(10_000), choice.edit)[0] for choice in question.choices]
    assert len(answered) > 1
    assert [asked_of(spec) for spec in answered] == [[]] * len(answered)


@pytest.mark.parametrize(
    "spec",
    [
        rows_by_hour(1_000_000),
        rows_by_hour(100),
        rows_by_hour(10_000, mode="overwrite"),
        rows_by_hour(10_000, arrival={"kind": "every", "seconds": 10_000, "field": "device"}),
    ],
    ids=["hardly any", "a row of many events", "updates", "regular events"],
)
def test_events_of_a_bucket_are_not_asked_for_where_it_is_said_or_does_not_matter(spec):
    assert asked_of(spec) == []
