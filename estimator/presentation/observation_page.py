"""The page of a design beside its measurements: figures, hot tablets over the designed heat, forecasts."""

import datetime
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np

from designer.document import Spec
from designer.document.texts import N_, Text
from designer.wording import element_label, element_locations, field_title
from estimator.observations import ComparedDesign, ComparedTable, DesignedState
from estimator.observations.calibration import CalibratedValue, calibrated_values
from estimator.observations.contents import read_parts
from estimator.observations.designed import DesignedBand
from estimator.observations.key_ranges import StoredSpread
from estimator.observations.report import later_start_text
from estimator.results import Estimate

from .charts import Chart, HeatMap
from .charts.forecast import FORECASTS, forecast_chart
from .charts.heatmap import heatmap

MOST_SPANS = 12
"""So many spans between sampled keys are shown: those that differ the most."""


@dataclass(frozen=True)
class StoredSpan:
    """Bytes between two sampled keys."""

    first_key: bytes
    last_key: bytes
    measured_share: float
    least_share: float
    most_share: float

    @property
    def designed(self) -> DesignedBand:
        """The designed share."""
        return DesignedBand(self.least_share, (self.least_share + self.most_share) / 2, self.most_share)

    @property
    def difference(self) -> float:
        """By how much the measured share lies outside the designed."""
        return max(self.measured_share - self.most_share, self.least_share - self.measured_share, 0.0)


@dataclass(frozen=True)
class ObservedTableView:
    """One table, measured beside designed."""

    compared: ComparedTable
    state: DesignedState

    @cached_property
    def heat(self) -> HeatMap | None:
        """The designed heat with the hot tablets outlined; None without them, or without traffic."""
        traffic = self.state.estimate.tables[self.compared.table].traffic
        ranges = [(hot.first_range, hot.end_range) for hot in self.compared.hot_ranges]
        if traffic is None or not ranges:
            return None
        writes = traffic.heat.write_node_share.sum() >= traffic.heat.read_node_share.sum()
        return heatmap(traffic, of="writes" if writes else "reads", outlined=ranges)

    @cached_property
    def spans(self) -> tuple[StoredSpan, ...]:
        """The bytes between sampled keys that differ the most from the designed, in the order of keys."""
        spread = self.compared.spread
        all_spans = list(_spans(spread)) if spread is not None else []
        most = sorted(all_spans, key=lambda span: -span.difference)[:MOST_SPANS]
        return tuple(span for span in all_spans if span in most)


def _spans(spread: StoredSpread) -> Iterator[StoredSpan]:
    keys = (b"", *spread.keys)
    measured = np.diff(spread.measured_shares, prepend=0.0)
    # Least where the share up to this key is least and that up to the key before is most; most the other way.
    least = np.maximum(spread.least_designed - np.concatenate(([0.0], spread.most_designed[:-1])), 0.0)
    most = spread.most_designed - np.concatenate(([0.0], spread.least_designed[:-1]))
    for place in range(len(spread.keys)):
        shares = (float(series[place]) for series in (measured, least, most))
        yield StoredSpan(keys[place], keys[place + 1], *shares)


@dataclass(frozen=True)
class ObservationPage:
    """A whole comparison."""

    compared: ComparedDesign
    state: DesignedState

    @property
    def tables(self) -> tuple[ObservedTableView, ...]:
        """The tables that were measured."""
        return tuple(ObservedTableView(table, self.state) for table in self.compared.tables)

    @property
    def read_parts(self) -> tuple[Text, ...]:
        """Counts of what was read, by kind."""
        return tuple(read_parts(self.compared.observation))

    @property
    def reads(self) -> tuple[tuple[Text, Any], ...]:
        """Names and figures of reads."""
        return tuple(
            (Text("{name}", {"name": element_label(self.state.spec, read.read)}) if read.read else UNKNOWN_READ, read)
            for read in self.compared.reads
        )

    @cached_property
    def calibrated(self) -> tuple[CalibratedValue, ...]:
        """Values that the measurements give without doubt."""
        return calibrated_values(self.state, self.compared.observation)

    @property
    def later_start(self) -> Text | None:
        """A sentence about a design that starts after the measurement; None of any other."""
        return later_start_text(self.compared)

    @property
    def calibrations(self) -> tuple[tuple[str, str, CalibratedValue], ...]:
        """The same with their places in words, and with the titles of their fields, which are messages."""
        spec = self.state.spec
        places = element_locations(spec)
        return tuple(
            (" › ".join(places[value.at]), field_title(spec, value.at, value.field)[0], value)
            for value in self.calibrated
        )


UNKNOWN_READ = Text(N_("A read that the file does not name"))
KeptFigures = Mapping[str, Mapping[str, float]]
"""What is kept of one day: figures by name, by the id of a table."""


def kept_figures(compared: ComparedDesign) -> dict[str, dict[str, float]]:
    """Return the figures of tables to keep over time; no row key is among them."""
    return {
        table.table: {
            figure.name: figure.measured
            for figure in table.figures
            if figure.name in FORECASTS and figure.measured is not None
        }
        for table in compared.tables
    }


def forecast_differences(compared: ComparedDesign) -> dict[str, dict[str, float]]:
    """Return by how much the figures to keep differ from their forecasts of that day, as shares of these."""
    return {
        table.table: {
            figure.name: figure.difference
            for figure in table.figures
            if figure.name in FORECASTS and figure.difference is not None
        }
        for table in compared.tables
    }


@dataclass(frozen=True)
class ForecastPage:
    """The forecast of a design beside all that was kept of measurements."""

    spec: Spec
    estimate: Estimate
    kept: Sequence[tuple[datetime.date, KeptFigures]]

    @cached_property
    def charts(self) -> Mapping[str, Callable[[], Chart]]:
        """Charts by name."""
        makers = {}
        for table in self.spec.tables:
            growth = self.estimate.tables[table.id].growth
            for name in FORECASTS:
                values = [
                    (date, figures[table.id][name]) for date, figures in self.kept if name in figures.get(table.id, {})
                ]
                if growth is not None and forecast_chart(growth, name, values) is not None:
                    makers[f"forecast-{table.id}-{name}"] = partial(forecast_chart, growth, name, values)
        return makers  # type: ignore[return-value]  # those that are None are left out

    @property
    def tables(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Tables that have charts: their labels and the names of the charts."""
        names = tuple(self.charts)
        pairs = (
            (table.label, tuple(n for n in names if n.startswith(f"forecast-{table.id}-")))
            for table in self.spec.tables
        )
        return tuple(pair for pair in pairs if pair[1])
