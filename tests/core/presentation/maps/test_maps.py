"""Maps: what the browser gets can be read back to three digits and stays small; tables and CSV are exact."""

import datetime
import gzip
import struct

import numpy as np

from designer.wording.formatting import Text, english
from estimator.presentation.charts.maps import KeyMap, MapArea, Metric
from estimator.presentation.charts.maps.hot import hot_ranges
from estimator.presentation.charts.maps.levels import MOST_CELLS, pack_grid
from estimator.presentation.charts.maps.still import active_area, map_observation, still_heatmap
from estimator.presentation.charts.maps.types import plain_rows
from estimator.results.arrays import Floats

START = datetime.datetime(2026, 11, 2, tzinfo=datetime.UTC)


def a_map(values: Floats, *, limit: float | None = None) -> KeyMap:
    ranges, windows = values.shape
    metric = Metric("writes", "Writes", "rows written", "per_second", lambda: values, limit=limit, limited=Text("full"))
    starts = tuple(START + datetime.timedelta(minutes=15 * n) for n in range(windows))
    bounds = tuple(b"device%05d#" % n for n in range(1, ranges))
    return KeyMap("t", bounds, starts, 900.0, {"writes": metric})


def unpacked(data: bytes) -> tuple[Floats, Floats, Floats, tuple[int, ...]]:
    """As static/js/map-pane.js reads it."""
    raw = gzip.decompress(data)
    low, growth, *place = struct.unpack_from("<ddIIIII", raw)
    first, last, left, right, together = place
    rows, columns = -(-(last - first) // together), right - left
    planes = np.frombuffer(raw, np.uint8, 2 * rows * columns, 36).reshape(2, rows, columns).astype(np.uint16)
    levels = planes[0] | planes[1] << 8
    values = np.where(levels > 0, low * np.exp(growth * (levels.astype(float) - 1)), 0.0)
    edges = np.frombuffer(raw, "<f4", rows + columns, 36 + 2 * rows * columns)
    return values, edges[:rows].astype(float), edges[rows:].astype(float), tuple(place)


def uneven(ranges: int, windows: int) -> Floats:
    values = np.random.default_rng(1).lognormal(0, 8, (ranges, windows))
    return np.asarray(np.where(np.random.default_rng(2).random((ranges, windows)) < 0.1, 0.0, values))


def test_a_map_opens_on_the_ranges_with_load_and_few_others() -> None:
    def opened(values: Floats) -> MapArea:
        seen = a_map(values)
        return active_area(seen, seen.metrics["writes"])

    growing, even = np.zeros((1024, 4)), np.ones((64, 4))
    growing[-3:] = 100.0

    assert opened(growing) == MapArea(992, 1024, 0, 4)
    assert opened(growing[::-1]) == MapArea(0, 32, 0, 4)
    assert opened(even) == opened(np.zeros((64, 4))) == MapArea(0, 64, 0, 4)
    assert opened(np.ones((3, 4))) == MapArea(0, 3, 0, 4)


def test_figures_over_thirty_powers_of_ten_are_read_back_to_three_digits() -> None:
    values = uneven(64, 96)
    whole = MapArea(0, 64, 0, 96)

    read, sides, tops, _ = unpacked(pack_grid(values, whole, adds=True))

    assert np.allclose(read, values, rtol=5e-4)
    assert (read[values == 0] == 0).all()
    assert np.allclose(sides, values.sum(axis=1), rtol=1e-5)
    assert np.allclose(tops, values.sum(axis=0), rtol=1e-5)


def test_the_worst_map_of_a_day_and_of_a_month_weigh_less_than_250_kb() -> None:
    for windows in (96, 744):
        assert len(pack_grid(uneven(1024, windows), MapArea(0, 1024, 0, windows), adds=True)) < 250_000


def test_a_map_too_large_shows_the_busiest_of_neighbouring_ranges_and_sums_all() -> None:
    values = uneven(1024, 744)

    read, sides, tops, place = unpacked(pack_grid(values, MapArea(0, 1024, 0, 744), adds=True))

    together = place[-1]
    assert together == -(-values.size // MOST_CELLS)
    assert np.isclose(read[3].max(), values[3 * together : 4 * together].max(), rtol=5e-4)
    assert np.isclose(sides[3], values[3 * together : 4 * together].sum(), rtol=1e-5)
    assert np.allclose(tops, values.sum(axis=0), rtol=1e-5)


def test_looked_at_closely_a_large_map_has_every_range() -> None:
    values = uneven(1024, 744)

    read, _, _, place = unpacked(pack_grid(values, MapArea(500, 532, 96, 192), adds=True))

    assert place == (500, 532, 96, 192, 1)
    assert np.allclose(read, values[500:532, 96:192], rtol=5e-4)


def test_an_idle_map_and_an_even_one_are_nothing_and_one_level() -> None:
    idle, even = np.zeros((8, 4)), np.full((8, 4), 3.25)

    assert (unpacked(pack_grid(idle, MapArea(0, 8, 0, 4), adds=True))[0] == 0).all()
    assert (unpacked(pack_grid(even, MapArea(0, 8, 0, 4), adds=True))[0] == 3.25).all()


def test_the_hottest_ranges_say_their_share_and_when_they_peak_in_what_is_looked_at() -> None:
    values = np.zeros((8, 4))
    values[5], values[2, 3], values[7, 0] = [1, 4, 1, 0], 2, 90
    seen = a_map(values)

    first, second = hot_ranges(seen, seen.metrics["writes"], MapArea(0, 7, 0, 4))

    assert (first.index, first.start, first.end, first.share) == (5, b"device00005#", b"device00006#", 0.75)
    assert (first.mean, first.peak, first.at) == (1.5, 4.0, seen.starts[1])
    assert (second.index, second.share) == (2, 0.25)


def test_csv_has_the_exact_figures_of_what_is_shown_with_both_ends_of_every_range() -> None:
    values = np.arange(32.0).reshape(8, 4) / 3
    seen = a_map(values)

    header, first, *rest = plain_rows(seen, seen.metrics["writes"], MapArea(6, 8, 1, 3))

    assert header == ["range from", "range to", "2026-11-02T00:15Z", "2026-11-02T00:30Z"]
    assert first == ["device00006#", "device00007#", f"{25 / 3:.9g}", f"{26 / 3:.9g}"]
    assert rest == [["device00007#", "", f"{29 / 3:.9g}", f"{30 / 3:.9g}"]]


def test_a_picture_of_a_part_has_its_own_keys_and_the_scale_of_the_whole() -> None:
    values = np.ones((8, 4))
    values[0, 0] = 100.0
    seen = a_map(values, limit=50.0)

    relative = still_heatmap(seen, seen.metrics["writes"], MapArea(4, 8, 0, 4), brightness=1)
    absolute = still_heatmap(seen, seen.metrics["writes"], seen.full_area, against="absolute")
    brighter = still_heatmap(seen, seen.metrics["writes"], seen.full_area, against="absolute", brightness=3)

    assert (brighter.top, brighter.limit_value, relative.limit_value) == (100.0 / 8, 50.0, None)
    assert relative.top == 50.0
    assert relative.labels[0].text().startswith("device00004")
    assert len(relative.labels) == len(relative.values) == 4
    assert absolute.top == 100.0


def test_a_title_calls_even_only_what_no_range_stands_out_of() -> None:
    values = np.ones((1_000, 4))
    said = {}
    for busiest in (3.0, 3.1, 500.0):
        values[999] = busiest
        seen = a_map(values)
        said[busiest] = map_observation(values, seen.metrics["writes"]).translate(english)

    assert said[3.0] == "Spread evenly over 1,000 key ranges: rows written"
    assert said[3.1] == "Spread over 1,000 key ranges; the busiest has 3.09× the mean: rows written"
    assert said[500.0] == "At any time, 33\u00a0% is in one of 1,000 key ranges: rows written"
