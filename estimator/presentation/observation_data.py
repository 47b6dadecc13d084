"""Measurements beside the design, as JSON for programs."""

from typing import Any

from designer.wording.formatting import english_text, format_value
from estimator.observations import ComparedDesign, ComparedFigure
from estimator.observations.contents import read_parts
from estimator.observations.key_ranges import HotTabletRange, StoredSpread

from .json_schema import NUMBER, TEXT, document, list_of, object_of, or_null

FORMAT = "keywright-observe/1"
"""Named anew when a field changes its meaning or goes; new fields may come."""


def observation_data(comparison: ComparedDesign) -> dict[str, Any]:
    """Return a comparison as plain data."""
    observation = comparison.observation
    return {
        "format": FORMAT,
        "date": observation.date.isoformat(),
        "is_date_stated": observation.is_date_stated,
        "later_start": None if comparison.later_start is None else comparison.later_start.isoformat(),
        "tables": [
            {
                "table": table.table,
                "name": table.name,
                "figures": [_figure_data(figure) for figure in table.figures],
                "hot_ranges": [_hot_data(hot) for hot in table.hot_ranges],
                "stored_shares": _spread_data(table.spread),
            }
            for table in comparison.tables
        ],
        "clusters": [
            {
                "cluster": cluster.cluster,
                "name": cluster.name,
                "figures": [_figure_data(figure) for figure in cluster.figures],
            }
            for cluster in comparison.clusters
        ],
        "reads": [
            {"read": read.read, "figures": [_figure_data(figure) for figure in read.figures]}
            for read in comparison.reads
        ],
        "unknown_tables": list(comparison.unknown_tables),
        "unused_metrics": list(comparison.unused_metrics),
        "read": list(map(english_text, read_parts(observation))),
        "not_compared": list(map(english_text, comparison.unused_reasons)),
    }


def _figure_data(figure: ComparedFigure) -> dict[str, Any]:
    band = figure.designed
    return {
        "name": figure.name,
        "unit": figure.unit,
        "designed": None if band is None else band.typical,
        "designed_low": None if band is None else band.low,
        "designed_high": None if band is None else band.high,
        "measured": figure.measured,
        "difference": figure.difference,
        "cause": "" if figure.cause is None else english_text(figure.cause),
    }


def _hot_data(hot: HotTabletRange) -> dict[str, Any]:
    tablet = hot.tablet
    return {
        "segment": hot.segment,
        "where": english_text(hot.where),
        "first_key": format_value("key", tablet.first_key),
        "last_key": format_value("key", tablet.last_key),
        "first": None if tablet.first is None else tablet.first.isoformat(),
        "last": None if tablet.last is None else tablet.last.isoformat(),
        "cpu_share": tablet.cpu_share,
        "load_share": hot.load_share,
        "stored_share": hot.stored_share,
    }


def _spread_data(spread: StoredSpread | None) -> list[dict[str, Any]] | None:
    if spread is None:
        return None
    columns = zip(spread.keys, spread.measured_shares, spread.least_designed, spread.most_designed, strict=True)
    return [
        {
            "key": format_value("key", key),
            "measured": float(measured),
            "designed_low": float(low),
            "designed_high": float(high),
        }
        for key, measured, low, high in columns
    ]


def schema() -> dict[str, Any]:
    """Return the JSON Schema of that data."""
    figures = list_of({"$ref": "#/$defs/ComparedFigure"})
    boolean = {"type": "boolean"}
    table = object_of(
        table=TEXT, name=TEXT, figures=figures,
        hot_ranges=list_of({"$ref": "#/$defs/HotTabletRange"}),
        stored_shares=or_null(list_of({"$ref": "#/$defs/StoredShare"})),
    )  # fmt: skip
    whole = object_of(
        date={**TEXT, "format": "date"}, is_date_stated=boolean,
        later_start=or_null({**TEXT, "format": "date"}), tables=list_of(table),
        clusters=list_of(object_of(cluster=TEXT, name=TEXT, figures=figures)),
        reads=list_of(object_of(read=TEXT, figures=figures)),
        unknown_tables=list_of(TEXT), unused_metrics=list_of(TEXT), read=list_of(TEXT),
        not_compared=list_of(TEXT),
    )  # fmt: skip
    numbers = dict.fromkeys(("designed", "designed_low", "designed_high", "measured", "difference"), NUMBER)
    time = or_null({**TEXT, "format": "date-time"})
    definitions = {
        "ComparedFigure": object_of(name=TEXT, unit=TEXT, **numbers, cause=TEXT),
        "HotTabletRange": object_of(
            **dict.fromkeys(("segment", "where", "first_key", "last_key"), TEXT), first=time, last=time,
            **dict.fromkeys(("cpu_share", "load_share", "stored_share"), NUMBER),
        ),
        "StoredShare": object_of(key=TEXT, **dict.fromkeys(("measured", "designed_low", "designed_high"), NUMBER)),
    }  # fmt: skip
    return document(FORMAT, "Output of `keywright observe --json`", whole, definitions)
