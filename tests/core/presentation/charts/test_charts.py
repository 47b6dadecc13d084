"""Charts: titles that state what is to be seen, figures that plotly accepts, pictures that are whole."""

import datetime
import re
import struct
import xml.etree.ElementTree as ET
import zlib
from dataclasses import replace
from decimal import Decimal
from functools import partial

import numpy as np
import plotly.graph_objects as go
import pytest

from designer.examples import example
from designer.wording.formatting import Text, english, format_message
from estimator.kernels.population.timeline import month_dates
from estimator.presentation.charts import BarChart, ChartBar, HeatMap, LineChart
from estimator.presentation.charts.forecast import forecast_chart
from estimator.presentation.charts.growth import row_growth, shares, stored_bytes, table_growth
from estimator.presentation.charts.heatmap import active_ranges, heatmap, rebin_ranges
from estimator.presentation.charts.key_labels import KeyLabel, axis_texts, range_labels
from estimator.presentation.charts.money import bill_lines, monthly_cost_chart, sensitivity
from estimator.presentation.charts.node_load import nodes_by_month, week_load
from estimator.presentation.charts.picture import heat_png
from estimator.presentation.charts.png import SIGNATURE, png
from estimator.presentation.charts.scale import STOPS, levels, palette, rgb
from estimator.presentation.charts.simulation.hot import measurable
from estimator.presentation.charts.ticks import log_ticks, moment_ticks, round_ticks
from estimator.presentation.charts.to_plotly import to_plotly
from estimator.presentation.charts.to_svg import to_svg
from estimator.presentation.charts.utilisation import node_load
from estimator.presentation.segments import key_reader
from estimator.simulation.results import HotKey
from tests import estimates
from tests.cases import cases
from tests.contexts import design_page


def forecast(months: int, factor: float = 2.0) -> LineChart:
    """Return the rows of a table beside a measurement of so many months in, of so many times the forecast."""
    growth = estimates.table_growth()
    measured = (growth.dates[months], factor * float(growth.rows[months]))
    chart = forecast_chart(growth, "rows", [(growth.dates[1], float(growth.rows[1])), measured])
    assert chart is not None
    return chart


CHARTS = {
    "writes": heatmap(estimates.traffic()),
    "reads": heatmap(estimates.traffic(), of="reads"),
    "front": heatmap(estimates.traffic(front=True), against="absolute"),
    "week": week_load(estimates.traffic()),
    "nodes": nodes_by_month(estimates.cluster_nodes(), "tokyo", estimates.MONTHS),
    "peak": nodes_by_month(estimates.cluster_nodes(peak=6), "tokyo", estimates.MONTHS),
    "row": row_growth(estimates.row_growth()),
    "small row": row_growth(estimates.row_growth(crosses=False)),
    "table": table_growth(estimates.table_growth()),
    "causes": stored_bytes(estimates.table_growth()),
    "billed causes": stored_bytes(replace(estimates.table_growth(), compression_origin="none")),
    "bill": bill_lines(estimates.bill()),
    "open bill": bill_lines(estimates.bill(open_line=True)),
    "months": monthly_cost_chart((estimates.bill(), estimates.bill())),
    "sensitivity": sensitivity(estimates.sensitivities()),
    "forecast": forecast(months=2),
}
every_chart = pytest.mark.parametrize("chart", CHARTS.values(), ids=CHARTS.keys())


@pytest.mark.parametrize(("months", "factor"), [(2, 2.0), (6, 2.0), (6, 0.5), (12, 1.5)])
def test_the_name_of_measurements_stands_beside_the_last_of_them(months: int, factor: float) -> None:
    root = ET.fromstring(to_svg(forecast(months, factor)))
    circles, (name,) = root.findall(".//{*}circle"), [t for t in root.findall(".//{*}text") if t.text == "measured"]
    x, y = (float(circles[-1].attrib[f"c{axis}"]) for axis in "xy")

    assert float(name.attrib["x"]) == x
    assert abs(float(name.attrib["y"]) - y) < 18
    (note,) = [
        note for note in to_plotly(forecast(months, factor))["layout"]["annotations"] if note["text"] == "measured"
    ]
    assert note["x"] == estimates.table_growth().dates[months].isoformat()


def test_lines_that_never_change_are_flat_and_those_with_a_band_or_a_change_are_not() -> None:
    week, table = CHARTS["week"], CHARTS["table"]
    assert isinstance(week, LineChart)
    assert isinstance(table, LineChart)
    level = replace(week, lines=tuple(replace(line, values=np.full_like(line.values, 2.2)) for line in week.lines))
    known = replace(level.lines[0], values=np.where(np.arange(level.lines[0].values.size) < 3, np.nan, 2.2))

    assert level.is_flat
    assert replace(level, lines=(known,)).is_flat
    assert not week.is_flat
    assert not table.is_flat
    assert not replace(level, lines=(replace(known, low=known.values, high=known.values),)).is_flat
    assert not replace(level, lines=(replace(known, values=known.values * np.nan),)).is_flat


@cases(
    "name, title",
    [
        ("peak", "tokyo: 1 node needed now, up to 6 nodes, 1 node by 1 Jan 2027"),
        ("writes", "Writes spread evenly over all 1,024 key ranges"),
        ("front", "Writes on the busiest key range use 150\u00a0% of one node"),
        ("week", "The busiest hour of the week uses 2.2 nodes, 1.83× the mean"),
        ("nodes", "tokyo: insufficient nodes from 1 Oct 2026; 3 nodes needed"),
        ("row", "The largest row exceeds 100 MiB on 9 Oct 2026"),
        ("small row", "The largest row stays at 2.86 MiB until 1 Jan 2027"),
        ("causes", "55\u00a0% of the stored bytes are qualifiers"),
        ("billed causes", "60\u00a0% of the stored bytes are column names"),
        ("bill", "One line accounts for 98\u00a0% of $483.00 a month"),
        ("open bill", "At least $483.00 a month; lines without a price: 1"),
        ("sensitivity", "One uncertain input changes the bill by $600.00 a month"),
    ],
)
def test_a_title_states_what_is_to_be_seen(name, title):
    assert CHARTS[name].title.translate(english) == title


@every_chart
def test_plotly_accepts_every_figure(chart):
    figure = to_plotly(chart)

    assert len(go.Figure(figure).data) == len(figure["data"])
    assert figure["layout"]["template"] is None


@every_chart
def test_an_svg_is_well_formed_and_says_its_title(chart):
    svg = ET.fromstring(to_svg(chart))

    assert svg.get("aria-label") == chart.title.translate(english)
    assert "nan" not in to_svg(chart)


@every_chart
def test_rows_fill_their_header_and_are_plain_numbers_for_programs(chart):
    for grid in (chart.rows(), plain := chart.rows(plain=True)):
        assert grid.rows
        assert all(len(row) == len(grid.header) for row in grid.rows)
    amounts = [i for i, name in enumerate(plain.header) if name.endswith("]") or chart.unit == "count"]
    assert amounts
    assert all(float(row[i] or 0) >= 0 for row in plain.rows for i in amounts)


def test_each_hour_of_a_week_has_a_row_of_its_own():
    when = [row[0] for row in CHARTS["week"].rows().rows]

    assert (when[0], when[-1], len(set(when))) == ("Mon 00:00", "Sun 23:00", 168)


@pytest.mark.parametrize(("name", "shape"), [("peak", "vh"), ("week", "hv")])
def test_nodes_of_a_month_hold_since_the_last_one_and_those_of_an_hour_until_the_next(name, shape):
    path = re.findall(r'<path d="M([^"Z]+)" fill="none" class="series-', to_svg(CHARTS[name]))[-1]
    first, corner, second = (tuple(map(float, point.split())) for point in path.split("L")[:3])

    assert corner == ((first[0], second[1]) if shape == "vh" else (second[0], first[1]))
    assert {trace["line"]["shape"] for trace in to_plotly(CHARTS[name])["data"]} == {shape}


def test_names_from_people_are_escaped():
    assert "<b>" not in to_svg(CHARTS["sensitivity"])
    assert "rate of &lt;b&gt;" in to_svg(CHARTS["sensitivity"])


def test_a_bar_without_a_price_is_hatched_and_says_why():
    chart = CHARTS["open bill"]

    assert isinstance(chart, BarChart)
    assert chart.bars[-1].value is None
    assert "no price" in to_svg(chart)
    assert to_plotly(chart)["data"][0]["marker"]["pattern"]["shape"][0] == "/"


def test_long_labels_stand_above_their_bars_and_are_not_cut():
    long = BarChart(Text(""), "usd", Text(""), (ChartBar(Text("Rate of all traffic: half to twice as much"), 3.0),))

    assert "Rate of all traffic: half to twice as much</text>" in to_svg(long)


def test_the_title_of_a_moving_front_says_how_many_writes_share_a_range():
    title = heatmap(estimates.traffic(front=True)).title

    assert title.translate(english) == "At any time, 100\u00a0% of the writes go to one of 1,024 key ranges"


def test_an_even_load_is_not_shown_as_an_alarm():
    even = estimates.traffic(writes_per_second=5.0)

    chart = heatmap(even)

    assert chart.top == pytest.approx(6 * chart.values.max())


def test_rebinning_keeps_every_operation():
    values = np.random.default_rng(1).random((1000, 7))
    bounds = [f"{i:04d}".encode() for i in range(1, 1000)]

    shown, between = rebin_ranges(values, bounds, 128)

    assert shown.shape == (128, 7)
    assert len(between) == 127
    np.testing.assert_allclose(shown.sum(axis=0), values.sum(axis=0))
    first = bounds.index(between[0]) + 1
    np.testing.assert_allclose(shown[0], values[:first].sum(axis=0))


def test_a_range_is_labelled_by_the_shortest_beginning_that_tells_it_apart():
    labels = range_labels([b"alpha#1", b"alpha#2", b"beta#7", b"beta#7\x00"])

    assert [label.text() for label in labels] == ["", "a", "alpha#2", "b", "beta#7\\x00"]


@pytest.mark.parametrize(
    ("slug", "table", "label"),
    [
        ("timestamp-first", 0, r"27 Dec \d\d:\d\d"),
        ("few-write-fronts", 0, r"asia-east1#\d\d Dec \d\d:\d\d"),
        ("iot-fleet", 2, r"f\d+#\d+ [A-Z][a-z]+ \d\d:\d\d"),  # the time is reversed
    ],
)
def test_times_in_keys_are_labelled_as_dates(slug, table, label):
    page = design_page(example(slug).spec)
    part = page.estimate.tables[page.spec.tables[table].id]
    assert part.traffic

    labels = heatmap(part.traffic, read_key=key_reader(page.spec, part)).labels

    assert any(re.fullmatch(label, each.text()) for each in labels)
    assert not any(re.search(r"\d{8}", each.text()) for each in labels)


def test_times_on_a_narrow_axis_lose_their_day_not_their_hour():
    labels = tuple(KeyLabel((moment(day, hour),)) for day, hour in ((21, 22), (22, 7), (22, 15)))
    narrow = replace(CHARTS["writes"], labels=labels, values=CHARTS["writes"].values[:3], bounds=(b"a", b"b", b"c"))

    drawn = to_svg(narrow, english, width=280)

    assert "07:00" in drawn
    assert "…" not in drawn
    assert "Nov" not in drawn


def test_keys_of_several_columns_are_told_apart_on_a_narrow_axis():
    labels = tuple(KeyLabel((f"(customer{number}, 26 Aug)",)) for number in (17508, 59208, 99057))
    narrow = replace(CHARTS["writes"], labels=labels, values=CHARTS["writes"].values[:3], bounds=(b"a", b"b", b"c"))

    drawn = to_svg(narrow, english, width=280)

    assert re.findall(r">…(\d+)", drawn) == ["17508", "59208", "99057"]


def moment(day, hour=0, year=2027):
    return datetime.datetime(year, 11, day, hour, tzinfo=datetime.UTC)


def test_an_axis_says_each_day_once_and_the_year_where_years_differ():
    one_year = [KeyLabel(), KeyLabel((moment(21, 22), "#")), KeyLabel((moment(22, 7),)), KeyLabel((moment(22, 15),))]
    years = [KeyLabel((moment(21, 22),), has_year=True), KeyLabel((moment(21, 22, 2026),), has_year=True)]

    assert axis_texts(one_year) == ["", "21 Nov 22:00#", "22 Nov 07:00", "15:00"]
    assert axis_texts(one_year, partial(format_message, locale="ja"))[1] == "11/21 22:00#"
    assert axis_texts(years) == ["21 Nov 2027 22:00", "21 Nov 2026 22:00"]


def test_a_picture_opens_on_no_fewer_ranges_than_tell_where_the_load_lies():
    values = np.zeros((1024, 4))
    values[1000:1003] = 1.0
    wide = np.zeros((1024, 4))
    wide[100:200] = 1.0

    shown = active_ranges(values)

    assert (shown.stop - shown.start, shown.start < 1000, shown.stop > 1003) == (32, True, True)
    assert active_ranges(wide) == slice(100, 198)
    assert active_ranges(values[:60]) == slice(0, 60)


def test_a_key_whose_time_is_cut_or_that_has_none_is_labelled_as_it_is():
    page = design_page(example("timestamp-first").spec)
    (table,) = page.estimate.tables.values()
    read_key = key_reader(page.spec, table)
    assert read_key

    assert read_key(b"17987616", 5) is None
    assert read_key(b"1798761600000#machine_4223421", 16) == (moment(1, year=2027).replace(month=1), "#", "ma")
    assert key_reader(page.spec, replace(table, keys={})) is None


def test_a_long_range_label_keeps_its_beginning_and_its_end():
    label = range_labels([b"a" * 60 + b"1", b"a" * 60 + b"2"])[2].text()

    assert label.startswith("aaa")
    assert label.endswith("a2")
    assert len(label) <= 24


def test_the_scale_ends_at_its_top_and_any_load_differs_from_none():
    index = levels(np.array([[0.0, 0.001, 1.0, 2.0, 2.01]]), 2.0)[0]

    assert index.tolist() == [0, 1, 128, 255, 255]
    assert [tuple(palette()[n]) for n in (0, 255)] == [rgb(STOPS[0]), rgb(STOPS[-1])]


def test_the_scale_only_gets_darker():
    lightness = palette().astype(float) @ np.array([0.2126, 0.7152, 0.0722])

    assert (np.diff(lightness) < 0.6).all()
    assert lightness[0] - lightness[-1] > 200


def test_style_sheets_give_the_stops_of_the_scale(root):
    tokens = (root / "static/css/tokens.css").read_text(encoding="utf-8")

    assert tuple(re.findall(r"--heat-\d: light-dark\((#\w+),", tokens)) == STOPS


@pytest.mark.parametrize(("brightened", "place"), [(1.0, 0.5), (1.2, 0.6), (1.95, 0.975), (2.0, 1.0), (2.1, None)])
def test_plotly_marks_the_limit_where_it_is(brightened: float, place: float | None) -> None:
    chart = replace(CHARTS["front"], brightened=brightened)
    bar = to_plotly(chart)["data"][0]["colorbar"]

    at = [value for value, text in zip(bar["tickvals"], bar["ticktext"], strict=True) if text == str(chart.limit)]
    assert at == ([] if place is None else [pytest.approx(place * chart.top)])


def test_charts_and_figures_have_the_same_dates() -> None:
    spec = example("karte").spec.model_copy(update={"start": datetime.date(2026, 1, 31)})
    (nodes,) = [chart for name, chart in design_page(spec).charts.items() if name.startswith("nodes-")][:1]

    assert nodes().moments == month_dates(spec)
    assert nodes().moments[1] == datetime.date(2026, 2, 28)
    assert nodes().moments[2] == datetime.date(2026, 3, 31)


def test_an_idle_day_is_all_dark_and_says_so():
    idle = estimates.traffic(writes_per_second=0.0)

    chart = heatmap(idle)

    assert chart.title.translate(english) == "No writes on this day"
    assert not levels(chart.values, chart.top).any()
    go.Figure(to_plotly(chart))
    ET.fromstring(to_svg(chart))


def test_the_png_of_a_heatmap_holds_its_pixels():
    data = heat_png(HEAT)
    width, height = struct.unpack(">II", data[16:24])
    start = data.index(b"IDAT")
    size = struct.unpack(">I", data[start - 4 : start])[0]

    assert data.startswith(SIGNATURE)
    assert len(zlib.decompress(data[start + 4 : start + 4 + size])) == height * (width * 3 + 1)
    assert len(data) < 100_000


HEAT = CHARTS["front"]
assert isinstance(HEAT, HeatMap)


def test_a_palette_picture_needs_its_palette():
    with pytest.raises(ValueError, match="palette"):
        png(np.zeros((2, 2), dtype=np.uint8))


@pytest.mark.parametrize(
    ("top", "unit", "ticks"),
    [
        (9.0, "per_second", (0, 5, 10)),
        (0.3, "share", (0, 0.1, 0.2, 0.3)),
        (3 * 1024**3, "bytes", (0, 1024**3, 2 * 1024**3, 3 * 1024**3)),
        (800 * 1024**3, "bytes", tuple(n * 200 * 1024**3 for n in range(5))),
        (801 * 1024**3, "bytes", tuple(n * 256 * 1024**3 for n in range(5))),  # 1,000 GiB would be said as 0.977 TiB
        (2.2, "nodes", (0, 1, 2, 3)),
        (0.0, "usd", (0, 1)),
    ],
)
def test_ticks_are_round_in_their_unit(top, unit, ticks):
    assert round_ticks(top, unit) == pytest.approx(ticks)


def test_a_logarithmic_axis_of_bytes_goes_in_powers_of_two():
    assert log_ticks(300, 5e6, "bytes") == (32, 1024, 32 * 1024, 1024**2, 32 * 1024**2)


@pytest.mark.parametrize(
    ("count", "ticks", "marked"),
    [
        (13, "month", (0, 3, 6, 9, 12)),
        (168, "weekday", (0, 24, 48, 72, 96, 120, 144)),
        (1, "month", (0,)),
        (12, "month", (0, 2, 4, 6, 8, 10)),
    ],
)
def test_months_are_marked_from_the_first_to_the_last(count, ticks, marked):
    assert moment_ticks(range(count), ticks) == marked


def test_causes_are_named_largest_first():
    parts = shares(estimates.table_growth().families[0].bytes_by_cause)

    assert parts[0][0] == "qualifiers"
    assert sum(share for _, share in parts) == pytest.approx(1)


def test_money_in_a_chart_is_the_bill_itself():
    chart = bill_lines(estimates.bill())

    assert Decimal(str(sum(bar.value or 0 for bar in chart.bars))) == Decimal("483.0")


def test_days_are_marked_where_they_begin_whenever_the_windows_do():
    first = datetime.datetime(2026, 9, 21, 14, 13, tzinfo=datetime.UTC)
    for minutes, count, marked in ((90, 40, (7, 23, 39)), (18, 90, (0, 33)), (1440, 3, (1, 2))):
        moments = [first + n * datetime.timedelta(minutes=minutes) for n in range(count)]
        assert moment_ticks(moments, "dayofmonth") == marked
    midnights = [datetime.datetime(2026, 9, day, tzinfo=datetime.UTC) for day in (21, 22, 23)]
    assert moment_ticks(midnights, "dayofmonth") == (0, 1, 2)


def test_hours_of_a_part_of_a_day_are_marked_where_they_are_full() -> None:
    start = datetime.datetime(2027, 1, 4, 21, 44, tzinfo=datetime.UTC)
    moments = [start + datetime.timedelta(minutes=4 * i) for i in range(80)]

    marked = [moments[i] for i in moment_ticks(moments, "clock")]

    assert [f"{moment:%H:%M}" for moment in marked] == ["22:00", "23:00", "00:00", "01:00", "02:00", "03:00"]
    assert [f"{moments[i]:%H:%M}" for i in moment_ticks(moments, "clock", maximum=3)] == ["22:00", "00:00", "02:00"]
    apart = [start + datetime.timedelta(minutes=7 * i) for i in range(5)]
    assert moment_ticks(apart, "clock") == (0, 1, 2, 3, 4)  # no full hour is among them


def test_maps_of_two_designs_have_the_limit_of_a_node_in_their_middle() -> None:
    hot, calm = (design_page(example(name).spec) for name in ("timestamp-first", "machine-metrics"))
    maps = [page.charts["heat-metrics-writes-absolute"]() for page in (hot, calm)]

    assert [(each.top, each.limit_value) for each in maps if isinstance(each, HeatMap)] == [(2.0, 1.0)] * 2
    (top, other), loads = (each.values.max() for each in maps), [node_load(p.spec, p.estimate) for p in (hot, calm)]
    assert 0 < other < top <= loads[0].hottest_share
    assert other == pytest.approx(loads[1].mean_share, rel=0.5)


def test_a_row_without_a_measurable_share_is_not_the_busiest():
    key = HotKey(b"a", "a", "w", "rows", 0.2, 0.0, 0.0, 1.0, 0.1)

    assert measurable((key, replace(key, share=1e-13))) == (key,)
    assert measurable((replace(key, share=0.0),)) == ()
