"""Requests by hour → requests of each hour of a week, the busiest hour, and requests over the time of the log."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from estimator.results.arrays import Floats

from .blocks import HOUR_SECONDS

WEEK_HOURS = 168
EPOCH_WEEKDAY = 3
"""1 January 1970 was a Thursday."""
PROFILE_DAYS = 23.5 / 24
"""A log of so many days tells the shape of a day: one of a calendar day ends with its last request, before midnight."""
HOURS_MAX, DAYS_MAX = 14 * 24, 800
"""A log of up to so many hours is shown by hours, one of up to so many days by days."""


@dataclass(frozen=True)
class RequestSteps:
    """Requests over the time of a log, in steps of an hour or a day, beside the profile that a design gets of them."""

    first_s: float
    """Where the first step begins. [s since 1970]"""
    step_seconds: float
    logged_per_second: Floats
    modelled_per_second: Floats
    """By the rate and profile of the design that is made of the log."""


def hours_of_week(hours: Mapping[int, float], first_s: float, last_s: float) -> Floats:
    """Return the mean requests of each hour of the week, Monday 00:00 UTC first. Shape (168,) [1/h].

    An hour of the week that the log does not cover has the mean of the same hour on other days, or the log's mean; one
    that it covers by less than half has at least what came in it.
    """
    first, last = int(first_s // HOUR_SECONDS), int(last_s // HOUR_SECONDS)
    weeks, rest = divmod(last + 1 - first, WEEK_HOURS)
    covered = np.full(WEEK_HOURS, float(weeks))
    covered[(week_place(first) + np.arange(rest)) % WEEK_HOURS] += 1
    seconds = HOUR_SECONDS * covered
    # The log covers only parts of its first and last hour; counted as whole hours they would look quiet.
    seconds[week_place(first)] -= first_s - first * HOUR_SECONDS
    seconds[week_place(last)] -= (last + 1) * HOUR_SECONDS - last_s
    requests = np.zeros(WEEK_HOURS)
    for hour, count in hours.items():
        requests[week_place(hour)] += count
    total_seconds = max(seconds.sum(), 1.0)
    mean = requests.sum() / total_seconds
    # A rate from a few seconds is noise: one request in the first second of an hour would be 3,600 an hour.
    is_known = seconds >= HOUR_SECONDS / 2
    rates = np.divide(requests, seconds, out=np.zeros(WEEK_HOURS), where=is_known)
    by_hour, known_hours = rates.reshape(7, 24), is_known.reshape(7, 24)
    daily = np.divide(
        (by_hour * known_hours).sum(axis=0),
        known_hours.sum(axis=0),
        out=np.full(24, mean),
        where=known_hours.any(axis=0),
    )
    # What came in an hour came, even if the rest of the hour was quiet: that is the least rate of a whole hour.
    least = requests / HOUR_SECONDS / np.maximum(np.ceil(covered), 1)
    usual_rates = np.where(known_hours, by_hour, daily[np.newaxis, :]).reshape(WEEK_HOURS)
    return HOUR_SECONDS * np.where(is_known, usual_rates, np.maximum(usual_rates, least))


def requests_over_time(hours: Mapping[int, float], week: Floats, first_s: float, last_s: float) -> RequestSteps | None:
    """Return the requests of each step that the log covers at least by half; None of less than two, or of too many.

    `week` are the requests of each hour of the week that the design has. [1/h]
    """
    first, last = int(first_s // HOUR_SECONDS), int(last_s // HOUR_SECONDS)
    hours_per_step = 1 if last + 1 - first <= HOURS_MAX else 24
    if (last - first) // 24 > DAYS_MAX:
        return None
    every = np.arange(first, last + 1)
    covered = np.full(every.size, HOUR_SECONDS)
    covered[0] -= first_s - first * HOUR_SECONDS
    covered[-1] -= (last + 1) * HOUR_SECONDS - last_s
    steps = every // hours_per_step - first // hours_per_step
    logged = np.array([hours.get(hour, 0) for hour in every.tolist()], dtype=np.float64)
    modelled = week[week_place(every)] / HOUR_SECONDS * covered
    seconds, *requests = (np.bincount(steps, weights=amounts) for amounts in (covered, logged, modelled))
    (valid_steps,) = np.nonzero(seconds >= hours_per_step * HOUR_SECONDS / 2)
    if valid_steps.size < 2:
        return None
    span = slice(valid_steps[0], valid_steps[-1] + 1)
    start = (first // hours_per_step + int(valid_steps[0])) * hours_per_step * HOUR_SECONDS
    rates = (request[span] / seconds[span] for request in requests)
    return RequestSteps(start, hours_per_step * HOUR_SECONDS, *rates)


def week_place(hour: Any) -> Any:
    """Return the hour of the week of an hour since 1970, or of each of an array."""
    return (hour + 24 * EPOCH_WEEKDAY) % WEEK_HOURS


def rates_by_hour(hours: Mapping[int, float], first_s: float, last_s: float) -> dict[int, float]:
    """Return the mean rate in each hour of a log; of one of less than an hour the mean of all. [1/s]

    What came in an hour that the log covers by less than half counts for a whole hour. In a log some hour has the mean
    of all its requests at least, also where it is no hour of the clock: then the busiest one has it.
    """
    mean = sum(hours.values()) / max(last_s - first_s, 1.0)
    if last_s - first_s < HOUR_SECONDS:
        return dict.fromkeys(hours, mean)
    rates = {}
    for hour, requests in hours.items():
        covered = min((hour + 1) * HOUR_SECONDS, last_s) - max(hour * HOUR_SECONDS, first_s)
        rates[hour] = requests / (covered if covered >= HOUR_SECONDS / 2 else HOUR_SECONDS)
    # A log from 10:30 to 11:40 can be below its own mean in both clock hours, but some 60 minutes reach the mean.
    busiest = max(rates, key=lambda hour: rates[hour])
    return rates | {busiest: max(rates[busiest], mean)}


def busiest_hour_rate(hours: Mapping[int, float], first_s: float, last_s: float) -> float:
    """Return the mean rate of the busiest hour. [1/s]"""
    return max(rates_by_hour(hours, first_s, last_s).values())
