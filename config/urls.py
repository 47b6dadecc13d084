"""Which package answers which addresses."""

from django.templatetags.static import static
from django.urls import include, path
from django.views.generic import RedirectView
from django.views.i18n import set_language

from config import views

urlpatterns = [
    path("", include("designer.urls")),
    path("", include("estimator.urls")),
    path("healthz", views.healthz, name="healthz"),
    path("language", set_language, name="set_language"),
    path("favicon.ico", lambda request: RedirectView.as_view(url=static("favicon.svg"))(request)),
]
