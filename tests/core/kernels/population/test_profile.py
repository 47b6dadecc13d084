"""The shape of a week, and the rate after so many months."""

import numpy as np
import pytest

from designer.document.activity import BatchWindow, Diurnal, Flat, OfficeHours, Week
from designer.document.shapes import week_hours
from estimator.kernels.population.profile import (
    busy_week,
    day_rates,
    hour_parts,
    profile_minutes,
    profile_week,
    stack_weeks,
    week_parts,
)

WEEK = Week(hours=(3.0, *(1.0,) * 167))


@pytest.mark.parametrize(
    "profile",
    [Flat(), Diurnal(), Diurnal(peak_to_mean=1), Diurnal(peak_to_mean=6), OfficeHours(), BatchWindow(), WEEK],
    ids=str,
)
def test_every_week_has_the_mean_one(profile):
    assert profile_week(profile).shape == (168,)
    assert profile_week(profile).mean() == pytest.approx(1)


@pytest.mark.parametrize(
    ("profile", "parts"),
    [
        (Diurnal(), 1), (WEEK, 1), (BatchWindow(start_hour=2, hours=1), 1), (BatchWindow(start_hour=23, hours=2), 1),
        (BatchWindow(start_hour=2.5, hours=1), 2), (BatchWindow(start_hour=2, hours=0.25), 4),
        (BatchWindow(start_hour=2.5, hours=1 / 3), 6), (OfficeHours(start_hour=8.75, end_hour=17.5), 4),
        (BatchWindow(start_hour=0, hours=7 / 60), 60),
    ],
    ids=str,
)  # fmt: skip
def test_hours_are_cut_where_batches_and_offices_begin_and_end_within_them(profile, parts):
    assert hour_parts(profile) == parts
    assert week_parts(profile).mean() == pytest.approx(1)


@pytest.mark.parametrize("hours", [0.001, 0.01, 1 / 60])
def test_a_batch_of_seconds_comes_within_its_minute(hours):
    """A day's events in one of 1,440 minutes; before, they came at no time at all."""
    nightly = BatchWindow(start_hour=2.5, hours=hours)

    assert profile_minutes(nightly)[2 * 60 + 29 : 2 * 60 + 32] == pytest.approx([0, 1_440, 0])
    assert profile_week(nightly).mean() == pytest.approx(1)
    assert week_hours(nightly)[2] == pytest.approx(24)
    daily = OfficeHours(start_hour=2.5, end_hour=2.5 + hours, rest_share=0)
    assert profile_minutes(daily)[2 * 60 + 29 : 2 * 60 + 32] == pytest.approx([0, 1_440 * 7 / 5, 0])


def test_weeks_are_stacked_in_as_many_parts_as_any_of_them_needs():
    half, third = BatchWindow(start_hour=0, hours=0.5), BatchWindow(start_hour=0, hours=1 / 3)

    stacked = stack_weeks([busy_week(profile) for profile in (half, third, Flat())])

    assert stacked.shape == (3, 6 * 168)
    assert stacked[:, :6] == pytest.approx(np.array([[48] * 3 + [0] * 3, [72] * 2 + [0] * 4, [1] * 6]))


@pytest.mark.parametrize("peak", [1.2, 1.8, 2.0, 3.0, 8.0])
def test_a_daily_wave_has_the_peak_to_mean_that_was_asked_for_at_its_hour(peak):
    minutes = profile_minutes(Diurnal(peak_to_mean=peak, peak_hour=20))

    assert minutes.max() == pytest.approx(peak, rel=1e-4)
    assert int(minutes[:1440].argmax()) in (20 * 60 - 1, 20 * 60)
    assert minutes.min() >= 0


def test_a_batch_of_a_quarter_of_an_hour_runs_at_four_times_its_hours_mean():
    nightly = BatchWindow(start_hour=1, hours=0.25)

    # All of a day in a quarter of an hour: 96 times the mean, of which the hour's mean is 24.
    assert profile_week(nightly)[1] == pytest.approx(24)
    # Its hours are cut into quarters; of the second hour the first is busy.
    assert busy_week(nightly)[:12] == pytest.approx([0] * 4 + [96] + [0] * 7)
    assert week_parts(nightly) == pytest.approx(busy_week(nightly))
    # From half past one to half past five: half hours.
    assert busy_week(BatchWindow(start_hour=1.5, hours=4))[:14] == pytest.approx([0] * 3 + [6] * 8 + [0] * 3)
    assert busy_week(Diurnal()) == pytest.approx(profile_week(Diurnal()))


def test_office_hours_are_busy_on_working_days_and_may_pass_midnight():
    office = profile_week(OfficeHours(start_hour=9, end_hour=18, rest_share=0))
    night = profile_week(OfficeHours(start_hour=22, end_hour=2, rest_share=0))

    assert office[9] > 0
    assert office[8] == office[18] == office[5 * 24 + 9] == 0
    assert night[23] == night[1] > 0
    assert night[3] == 0


def test_a_batch_window_holds_all_of_the_day():
    day = day_rates(BatchWindow(start_hour=23, hours=2), weekday=3)

    assert day[92:].tolist() == day[:4].tolist() == [12.0] * 4
    assert day[4:92].sum() == 0


def test_a_week_of_zeros_is_no_traffic():
    assert profile_week(Week(hours=(0.0,) * 168)).sum() == 0


def test_day_rates_are_relative_to_the_week():
    assert day_rates(WEEK, weekday=0, windows=24)[0] == pytest.approx(3 / (170 / 168))
    assert day_rates(WEEK, weekday=1).mean() == pytest.approx(168 / 170)


def test_minutes_are_shared_and_cannot_be_written_to():
    with pytest.raises(ValueError, match="read-only"):
        np.multiply(profile_minutes(Flat()), 2, out=profile_minutes(Flat()))
