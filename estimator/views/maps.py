"""Maps to explore: what the browser draws of them, exact figures, and what is shown as PNG, CSV and table."""

import csv
import re
from dataclasses import replace
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import get_language, gettext
from django.views.decorators.http import require_safe

from designer.document.key import as_text
from designer.document.texts import N_
from designer.http.pages import page
from designer.http.parameters import query
from designer.templatetags.keywright import translate
from designer.wording import element_label
from designer.wording.formatting import format_value
from estimator.comparison.explanation import explanation
from estimator.presentation.charts.key_labels import range_labels
from estimator.presentation.charts.maps import KeyMap, MapArea, Metric
from estimator.presentation.charts.maps.hot import hot_ranges
from estimator.presentation.charts.maps.levels import pack_grid
from estimator.presentation.charts.maps.live import live_map
from estimator.presentation.charts.maps.pane import Pane
from estimator.presentation.charts.maps.still import active_area, map_observation, scale_top, still_heatmap
from estimator.presentation.charts.maps.types import plain_rows
from estimator.presentation.charts.picture import heat_png
from estimator.presentation.design_page import DesignPage
from estimator.presentation.segments import key_reader
from estimator.presentation.sheet import Sheet

from .design import escape_formulas
from .sources import source

MOST_CHARACTERS = 120
"""Of a key in the read-out; whole ones are in what is copied, in the tables and in CSV."""
PICTURE_ROWS = 512


@require_safe
def live(request: HttpRequest, table: str, **where: str) -> HttpResponse:
    """Show the map of the reference day on a separate page."""
    context = source(request, where).context
    view: DesignPage = context["page"]
    key_map = reference_day_map(view, table)
    pane = Pane(key_map, f"{context['base']}map/{table}/", element_label(view.spec, table))
    element = view.spec.by_id[table]
    more = {"panes": (pane,), "table": element, "day": key_map.starts[0].date(), "explains": view.has_fix(element)}
    return page(request, "estimator/maps/live.html", context | more)


@require_safe
def live_data(request: HttpRequest, table: str, name: str, form: str, **where: str) -> HttpResponse:
    """Figures of that map in one of their forms."""
    view: DesignPage = source(request, where).context["page"]
    return map_response(request, reference_day_map(view, table), name, form, element_label(view.spec, table))


@require_safe
def explain(request: HttpRequest, table: str, **where: str) -> HttpResponse:
    """Explain the map of a table: its cause, the node, the money, and the map with the fix."""
    context = source(request, where).context
    view: DesignPage = context["page"]
    if table not in view.estimate.tables:
        raise Http404
    more = {"explanation": explanation(view, table), "table": view.spec.by_id[table], "sheet": Sheet(view)}
    return page(request, "estimator/maps/explain.html", context | more)


def reference_day_map(shown: DesignPage, table: str) -> KeyMap:
    """Return the map of a table on the reference day."""
    part = shown.estimate.tables.get(table)
    if part is None or part.traffic is None:
        raise Http404
    return live_map(table, part.traffic, key_reader(shown.spec, part))


def map_response(request: HttpRequest, key_map: KeyMap, name: str, form: str, title: str) -> HttpResponse:
    """Return a map's head, one cell of it, or one metric in the requested form."""
    if form == "json":
        return JsonResponse(_head(key_map, title) if name == "head" else _cell(request, key_map))
    metric = key_map.metrics.get(name)
    if metric is None:
        raise Http404
    part = _part(request, key_map)
    if form == "bin":
        data = pack_grid(metric.load(), part, adds=metric.adds)
        headers = {"Content-Encoding": "gzip"}
        return HttpResponse(data, content_type="application/octet-stream", headers=headers)
    if form == "rows":
        context = {
            "metric": metric,
            "hot": hot_ranges(key_map, metric, part),
            "title": map_observation(part.select(metric.load()), metric),
        }
        return render(request, "estimator/maps/_hot.html", context)
    file = f"{re.sub(r'[^A-Za-z0-9_-]+', '-', title) or key_map.table}-{name}-{metric.unit}"
    if form == "png":
        against = "absolute" if query(request).get("against") == "absolute" else "relative"
        steps = _number(request, "brightness", maximum=16)
        chart = still_heatmap(key_map, metric, part, against=against, brightness=steps, rows=PICTURE_ROWS)  # type: ignore[arg-type]
        headers = {"Content-Disposition": f'attachment; filename="{file}.png"'}
        return HttpResponse(heat_png(chart), content_type="image/png", headers=headers)
    headers = {"Content-Disposition": f'attachment; filename="{file}.csv"'}
    response = HttpResponse("\ufeff", content_type="text/csv; charset=utf-8", headers=headers)
    csv.writer(response).writerows(escape_formulas(row) for row in plain_rows(key_map, metric, part))
    return response


def _part(request: HttpRequest, key_map: KeyMap) -> MapArea:
    """Return the selected part, `?ranges=0-512&windows=8-24`, or the whole map without it."""
    size = (key_map.ranges, len(key_map.starts))
    spans = [re.fullmatch(r"([0-9]{1,6})-([0-9]{1,6})", query(request).get(name, "")) for name in ("ranges", "windows")]
    edges = [(int(span[1]), int(span[2])) if span else (0, most) for span, most in zip(spans, size, strict=True)]
    return MapArea(*edges[0], *edges[1]).clip(*size)


def _number(request: HttpRequest, name: str, *, maximum: int) -> int:
    return min(maximum, query(request).number(name) or 0)


def _head(key_map: KeyMap, title: str) -> dict[str, Any]:
    keys = (as_text(key) for key in key_map.bounds)
    return {
        "title": title,
        "ranges": key_map.ranges,
        "start": int(key_map.starts[0].timestamp()),
        "windows": len(key_map.starts),
        "window": key_map.window_seconds,
        "keys": [f"{key[:MOST_CHARACTERS]}…" if len(key) > MOST_CHARACTERS else key for key in keys],
        "labels": _labels(key_map),
        "metrics": {metric.name: _metric_data(metric, key_map) for metric in key_map.metrics.values()},
        "share": _unit("share"),
        "words": {name: gettext(words) for name, words in WORDS.items()},
    }


def _labels(key_map: KeyMap) -> list[tuple[str, str, str]] | None:
    """Return the label of each range but the first: whole, without day, without year; None if keys have no dates."""
    if not key_map.read_key:
        return None
    labels = range_labels(key_map.bounds, key_map.read_key)[1:]
    return [
        (label.text(translate), label.text(translate, with_day=False), replace(label, has_year=False).text(translate))
        for label in labels
    ]


def _metric_data(metric: Metric, key_map: KeyMap) -> dict[str, Any]:
    active = active_area(key_map, metric)
    return {
        "label": translate(metric.label, {}),
        "what": translate(metric.what, {}),
        "unit": _unit(metric.unit),
        "adds": metric.adds,
        "top": scale_top(metric.load()),
        "limit": metric.limit,
        "limited": metric.limited.translate(translate) if metric.limited else None,
        "active": [active.first_range, active.last_range],
    }


def _unit(unit: str) -> dict[str, Any]:
    """Return the browser's format for amounts, as in `format_value`, with separate words for eight units."""
    factor = 100 if unit == "share" else 1
    pattern = format_value(unit, 8 / factor, _locale()).replace("8", "{}")
    small = {"pattern": format_value(unit, 8 / 3600, _locale()).replace("8", "{}"), "factor": 3600, "below": 0.05}
    return {
        "pattern": pattern, "one": format_value(unit, 1 / factor, _locale()), "factor": factor,
        "binary": unit.startswith("bytes"), "small": small if unit == "per_second" else None,
    }  # fmt: skip


def _cell(request: HttpRequest, key_map: KeyMap) -> dict[str, Any]:
    """Exact figures of one cell, each said with its unit, and its keys whole."""
    row = min(_number(request, "range", maximum=10**6), key_map.ranges - 1)
    window = min(_number(request, "window", maximum=10**6), len(key_map.starts) - 1)
    figures = []
    for metric in key_map.metrics.values():
        values = metric.load()
        value, total = float(values[row, window]), float(values[:, window].sum())
        share = format_value("share", value / total, _locale()) if metric.adds and total else None
        text = format_value(metric.unit, value, _locale())
        if metric.unit == "per_second" and value:  # a count of the window, too
            text = f"{text}, {round(value * key_map.window_seconds):,}"
        figures.append({"label": translate(metric.label, {}), "value": value, "share": share, "said": text})
    return {
        "start": as_text(key_map.bounds[row - 1]) if row else "",
        "end": as_text(key_map.bounds[row]) if row < len(key_map.bounds) else "",
        "figures": figures,
    }


def _locale() -> str:
    return (get_language() or "en").partition("-")[0]


WORDS = {
    "first": N_("(first key)"),
    "last": N_("(last key)"),
    "all": N_("All keys in this view start with {start}"),
    "of": N_("{share} of this window"),
    "cell": N_("{from} to {to}, {when}: {value}"),
    "whole": N_("Showing the full map"),
    "zoomed": N_("{ranges} key ranges, {from} to {to}"),
    "pinned": N_("Pinned: {cell}"),
    "full": N_("The maximum of four pinned cells is reached: remove one first"),
    "remove": N_("Remove"),
    "copied": N_("Copied"),
    "bright": N_("brightest from {amount}"),
    "together": N_("Each line of the heatmap shows the busiest of {count} key ranges. Zoom in to see every range."),
}
"""What the explorer says, beside figures and keys."""
