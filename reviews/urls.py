"""Addresses of reviews. Those below `review/TOKEN/` are open to anyone with the link."""

from collections.abc import Callable

from django.contrib.auth.decorators import login_not_required
from django.http.response import HttpResponseBase
from django.urls import URLPattern, path, re_path
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django.views.decorators.vary import vary_on_cookie

from estimator.urls import CHART, CONTENT, MAP

from .views import (
    comparison,
    discussion,
    drift,
    exports,
    links,
    replay,
    review,
    trials,
    variants,
    verdict_data,
    verdicts,
)
from .views import verdict_form as giving
from .views.viewer import View, for_members, for_visitors

OWN = r"^designs/(?P<key>[\w-]+)/review/"
LINK = r"^review/(?P<token>[\w-]{1,100})/"


def _paired_patterns(address: str, view: View, name: str, *, only: Callable[[View], View]) -> list[URLPattern]:
    """Build the patterns of a page for members and for visitors; visitors' names begin with `link_`."""
    return [
        re_path(rf"{OWN}{address}", only(for_members(view)), name=f"review_{name}"),
        re_path(rf"{LINK}{address}", for_visitors(only(view)), name=f"link_{name}"),
    ]


def _cache_in_browser(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Allow browsers to cache the pages of a content, which never changes.

    Texts depend on the language, which is in a cookie.
    """
    return vary_on_cookie(cache_control(private=True, max_age=600)(view))


urlpatterns = [
    path("designs/<slug:key>/drift/", never_cache(drift.drift), name="drift"),
    path("designs/<slug:key>/replay/", never_cache(replay.replay), name="replay"),
    path("designs/<slug:key>/try/", never_cache(trials.trial), name="trial"),
    path("designs/<slug:key>/links/", never_cache(links.links), name="links"),
    path("designs/<slug:key>/links/exposed", never_cache(links.preview), name="link_preview"),
    path("designs/<slug:key>/links/<int:link>/revoke", links.revoke, name="revoke_link"),
    re_path(rf"{OWN}$", require_safe(for_members(review.review)), name="review"),
    re_path(rf"{LINK}$", for_visitors(review.review), name="link"),
    re_path(rf"{LINK}password$", login_not_required(never_cache(links.password)), name="link_password"),
    re_path(rf"{LINK}verdicts\.json$", verdict_data.verdict_data, name="link_verdicts"),
    re_path(rf"{LINK}heat/(?P<table>[\w-]+)$", for_visitors(review.heat), name="link_heat"),
    re_path(
        rf"{LINK}changes/(?P<before>[0-9]{{1,9}})/(?P<after>[0-9]{{1,9}})$",
        for_visitors(review.changes),
        name="link_comparison",
    ),
    re_path(rf"{LINK}map/(?P<table>[\w-]+)/$", for_visitors(review.explore), name="link_map"),
    re_path(rf"{LINK}{MAP}", for_visitors(review.map_figures), name="link_map_data"),
    re_path(rf"{LINK}{CHART}", for_visitors(review.chart), name="link_chart"),
    re_path(rf"{LINK}rules/(?P<code>[A-Z]\d{{3}})/$", for_visitors(review.rule), name="link_rule"),
    re_path(
        rf"{LINK}rules/(?P<code>[A-Z]\d{{3}})/(?P<which>[a-z_]+)$",
        for_visitors(review.rule_example),
        name="link_example",
    ),
    re_path(rf"{LINK}files/(?P<name>pdf|json)$", for_visitors(exports.visitor_file), name="link_file"),
    path("designs/<slug:key>/export/", never_cache(exports.export), name="exports"),
    re_path(rf"^{CONTENT}export/(?P<name>[a-z_]+)/$", never_cache(exports.export_page), name="export"),
    re_path(rf"^{CONTENT}export/(?P<name>[a-z_]+)\.zip$", _cache_in_browser(exports.archive), name="export_archive"),
    re_path(
        rf"^{CONTENT}export/(?P<name>[a-z_]+)/(?P<file>[^/]+)$", _cache_in_browser(exports.file), name="export_file"
    ),
    path("designs/<slug:key>/compare/", never_cache(comparison.choose), name="compare"),
    path(
        "designs/<slug:key>/compare/<slug:before>/<slug:after>", never_cache(comparison.comparison), name="comparison"
    ),
    path("designs/<slug:key>/variants/", never_cache(variants.variants), name="variants"),
    path("designs/<slug:key>/adopt", variants.adopt, name="adopt"),
    *_paired_patterns(r"talk$", discussion.talk, "talk", only=require_http_methods(["GET", "HEAD", "POST"])),
    *_paired_patterns(r"talk/heat/(?P<table>[\w-]+)$", discussion.cells, "cells", only=require_safe),
    *_paired_patterns(r"set/(?P<name>[a-z]+)$", review.section, "section", only=require_safe),
    *_paired_patterns(r"recommended$", review.recommendation, "recommended", only=require_safe),
    *_paired_patterns(r"talked$", discussion.updated_threads, "talked", only=require_safe),
    *_paired_patterns(r"threads/(?P<number>[0-9]{1,9})$", discussion.thread, "thread", only=require_POST),
    *_paired_patterns(r"verdict$", giving.give, "verdict", only=require_POST),
    re_path(rf"{OWN}ask$", require_POST(for_members(verdicts.ask, post="share")), name="review_ask"),
    re_path(
        rf"{OWN}ask/(?P<asked>[0-9]{{1,15}})/withdraw$",
        require_POST(for_members(verdicts.withdraw, post="share")),
        name="review_withdraw",
    ),
    re_path(rf"{OWN}mail$", require_POST(for_members(verdicts.follow, post="view")), name="review_mail"),
    re_path(rf"^{CONTENT}review$", never_cache(review.count), name="review_count"),
    re_path(rf"^{CONTENT}parts$", vary_on_cookie(review.parts), name="content_parts"),
    # also what is not there tells nobody of it
    re_path(rf"{LINK}", for_visitors(review.not_found), name="link_nothing"),
]
