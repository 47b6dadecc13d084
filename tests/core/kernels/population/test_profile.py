"""The shape of a week, and the rate after so many months."""

import numpy as np
import pytest

from designer.document.activity import BatchWindow, Diurnal, Flat, OfficeHours, Week
from estimator.kernels.population.profile import busy_week, day_rates, profile_minutes, profile_week

WEEK = Week(hours=(3.0, *(1.0,) * 167))


@pytest.mark.parametrize(
    "profile",
    [Flat(), Diurnal(), Diurnal(peak_to_mean=1), Diurnal(peak_to_mean=6), OfficeHours(), BatchWindow(), WEEK],
    ids=str,
)
def test_every_week_has_the_mean_one(profile):
    assert profile_week(profile).shape == (168,)
    assert profile_week(profile).mean() == pytest.approx(1)


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
    assert busy_week(nightly)[1] == pytest.approx(96)
    assert busy_week(nightly)[[0, 2]].tolist() == [0, 0]
    # From half past one to half past five, in parts of both hours at the full rate.
    assert busy_week(BatchWindow(start_hour=1.5, hours=4))[:7] == pytest.approx([0, 6, 6, 6, 6, 6, 0])
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
