"""Addresses of the site by package."""

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.templatetags.static import static
from django.urls import include, path
from django.views.generic import RedirectView

from config import views
from designer.views.accounts.account import language

handler500 = views.internal_error
urlpatterns = [
    path("", include("designer.urls")),
    path("", include("estimator.urls")),
    path("", include("reviews.urls")),
    path("", include("reviews.api.urls")),
    path("healthz", login_not_required(views.healthz), name="healthz"),
    path("readyz", login_not_required(views.readyz), name="readyz"),
    path("metrics", login_not_required(views.metrics), name="metrics"),
    path("language", language, name="set_language"),
    path("favicon.ico", login_not_required(lambda request: RedirectView.as_view(url=static("favicon.svg"))(request))),
]
if settings.OIDC is not None:
    urlpatterns.append(path("single-sign-on/", include("allauth.socialaccount.providers.openid_connect.urls")))
