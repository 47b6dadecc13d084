"""Addresses of the estimator. Those with a content's hash never change, so browsers may keep them."""

from collections.abc import Callable
from typing import Any

from django.urls import URLPattern, path, re_path
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.vary import vary_on_cookie

from estimator.views import (
    advice,
    beside,
    cards,
    corrections,
    design,
    fields,
    insight,
    keys,
    maps,
    observations,
    prices,
    rules,
    runs,
    schemas,
    sheet,
    simulations,
    splits,
    text,
    traces,
)  # fmt: skip

CHART = r"charts/(?P<name>[\w-]+)\.(?P<form>json|svg|csv|rows)$"
MAP = r"map/(?P<table>[\w-]+)/(?P<name>\w+)\.(?P<form>json|bin|csv|png|rows)$"
RUN = r"designs/(?P<key>\w+)/runs/(?P<pk>[0-9]{1,12})/"
CONTENT = r"designs/(?P<key>\w+)/of/(?P<sha256>[0-9a-f]{64})/"


def _content_path(address: str, view: Callable[..., Any], name: str) -> URLPattern:
    """Return the pattern of an address below a content; the page depends on the language, in a cookie."""
    return re_path(rf"^{CONTENT}{address}", vary_on_cookie(cache_control(private=True, max_age=600)(view)), name=name)


urlpatterns = [
    path("examples/<slug:slug>/", design.design, name="design"),
    path("examples/<slug:slug>/card", cards.card, name="card"),
    path("cure", cards.cure, name="cure"),
    path("designs/schemas", never_cache(schemas.schemas), name="schemas"),
    path("designs/access-log", never_cache(traces.access_log), name="access_log"),
    path("examples/<slug:slug>/heat/<slug:table>", design.heat, name="heat"),
    re_path(rf"^examples/(?P<slug>[\w-]+)/{CHART}", design.chart, name="chart"),
    path("examples/<slug:slug>/map/<slug:table>/", maps.live, name="map"),
    path("examples/<slug:slug>/explain/<slug:table>/", maps.explain, name="explain"),
    re_path(rf"^examples/(?P<slug>[\w-]+)/{MAP}", vary_on_cookie(maps.live_data), name="map_data"),
    path("designs/<slug:key>/summary", never_cache(cards.summary), name="summary"),
    _content_path(r"$", design.design, "content"),
    _content_path(r"insight$", insight.insight, "insight"),
    _content_path(r"sheet$", sheet.sheet, "sheet"),
    _content_path(r"rows$", sheet.all_rows, "all_rows"),
    _content_path(r"stored/(?P<table>[\w-]+)$", sheet.table_rows, "table_rows"),
    _content_path(r"what-if$", sheet.what_if, "what_if"),
    _content_path(r"effects$", insight.effects, "effects"),
    _content_path(r"keys$", keys.keys, "content_keys"),
    _content_path(r"marks$", insight.marks, "marks"),
    path("designs/<slug:key>/advice/<slug:kind>", never_cache(advice.advise), name="advise"),
    _content_path(r"advice/(?P<kind>[\w-]+)$", advice.advice, "advice"),
    _content_path(r"advice/(?P<kind>[\w-]+)/heat/(?P<number>[0-9])$", advice.heat, "advice_heat"),
    _content_path(r"findings$", insight.findings, "findings"),
    _content_path(r"findings/(?P<number>[0-9]{1,6})$", insight.finding, "finding"),
    _content_path(r"fix/(?P<number>[0-9]{1,6})$", insight.fix, "fix"),
    _content_path(r"values$", fields.values, "field_values"),
    _content_path(r"popularity$", fields.popularity, "field_popularity"),
    _content_path(r"books$", prices.books, "books"),
    _content_path(r"prices$", prices.prices, "prices"),
    _content_path(r"accept/(?P<number>[0-9]{1,6})$", insight.acceptance, "acceptance"),
    _content_path(r"guesses$", insight.guesses, "guesses"),
    path("designs/<slug:key>/accept", insight.accept, name="accept"),
    path("designs/<slug:key>/text", never_cache(text.panel), name="text"),
    path("designs/<slug:key>/text/write", text.write, name="write_text"),
    _content_path(r"text$", text.content, "content_text"),
    _content_path(r"heat/(?P<table>[\w-]+)$", design.heat, "content_heat"),
    _content_path(r"map/(?P<table>[\w-]+)/$", maps.live, "content_map"),
    _content_path(MAP, maps.live_data, "content_map_data"),
    _content_path(r"explain/(?P<table>[\w-]+)/$", maps.explain, "content_explain"),
    _content_path(CHART, design.chart, "content_chart"),
    path("designs/<slug:key>/correct", never_cache(corrections.correct), name="correct"),
    path("designs/<slug:key>/measured/", never_cache(observations.measured), name="measured"),
    re_path(
        rf"^designs/(?P<key>\w+)/measured/{CHART}", never_cache(observations.forecast_chart), name="measured_chart"
    ),
    path("designs/<slug:key>/runs/", never_cache(runs.runs), name="runs"),
    path("designs/<slug:key>/runs/<int:pk>/", never_cache(runs.run), name="run"),
    path("designs/<slug:key>/runs/<int:pk>/progress", never_cache(runs.progress), name="run_progress"),
    path("designs/<slug:key>/runs/<int:pk>/cancel", runs.cancel, name="run_cancel"),
    path("designs/<slug:key>/runs/<int:pk>/file", never_cache(runs.file), name="run_file"),
    re_path(
        rf"^{RUN}{MAP}", vary_on_cookie(cache_control(private=True, max_age=600)(simulations.data)), name="run_map"
    ),
    re_path(rf"^{RUN}{CHART}", vary_on_cookie(simulations.chart), name="run_chart"),
    re_path(rf"^{RUN}splits/(?P<table>[\w-]+)$", never_cache(splits.splits), name="run_splits"),
    re_path(rf"^{RUN}beside/(?P<other>[0-9]{{1,12}})$", never_cache(beside.compare_runs), name="run_beside"),
    path("calculator/", design.calculator, name="calculator"),
    path("rules/", rules.rules, name="rules"),
    path("rules/<str:code>/", rules.rule, name="rule"),
    path("rules/<str:code>/<slug:which>", rules.miniature, name="rule_miniature"),
]
