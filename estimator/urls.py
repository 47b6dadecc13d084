"""Addresses of the estimator."""

from django.urls import path, re_path
from django.views.decorators.cache import never_cache

from estimator import views

urlpatterns = [
    path("examples/<slug:slug>/", views.design, name="design"),
    path("examples/<slug:slug>/card", views.card, name="card"),
    path("examples/<slug:slug>/heat/<slug:table>", views.heat, name="heat"),
    re_path(
        r"^examples/(?P<slug>[\w-]+)/charts/(?P<name>[\w-]+)\.(?P<form>json|svg|csv|rows)$", views.chart, name="chart"
    ),
    path("designs/<slug:key>/insight/<slug:sha256>", views.insight, name="insight"),
    path("designs/<slug:key>/summary", never_cache(views.summary), name="summary"),
    path("rules/", views.rules, name="rules"),
    path("rules/<str:code>/", views.rule, name="rule"),
]
