"""Addresses of reviews. Those below `review/TOKEN/` are a link's; whoever has none of these has nothing by a link."""

from django.contrib.auth.decorators import login_not_required
from django.urls import path, re_path
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from estimator.urls import CHART
from reviews.views import comparison, links, review, variants
from reviews.views.desk import for_members, for_visitors

LINK = r"^review/(?P<token>[\w-]{1,100})/"

urlpatterns = [
    path("designs/<slug:key>/links/", never_cache(links.links), name="links"),
    path("designs/<slug:key>/links/exposed", never_cache(links.preview), name="link_preview"),
    path("designs/<slug:key>/links/<int:link>/revoke", links.revoke, name="revoke_link"),
    path("designs/<slug:key>/review/", require_safe(for_members(review.review)), name="review"),
    re_path(rf"{LINK}$", for_visitors(review.review), name="link"),
    re_path(rf"{LINK}password$", login_not_required(never_cache(links.password)), name="link_password"),
    re_path(rf"{LINK}heat/(?P<table>[\w-]+)$", for_visitors(review.heat), name="link_heat"),
    re_path(rf"{LINK}{CHART}", for_visitors(review.chart), name="link_chart"),
    path("designs/<slug:key>/compare/", never_cache(comparison.choose), name="compare"),
    path(
        "designs/<slug:key>/compare/<slug:before>/<slug:after>", never_cache(comparison.comparison), name="comparison"
    ),
    path("designs/<slug:key>/variants/", never_cache(variants.variants), name="variants"),
    path("designs/<slug:key>/adopt", variants.adopt, name="adopt"),
]
