"""Registers the site's own commands and checks with Django, and says which static files of others are left out."""

from django.apps import AppConfig
from django.contrib.staticfiles.apps import StaticFilesConfig


class SiteConfig(AppConfig):
    name = "config"

    def ready(self) -> None:
        from config import checks  # noqa: F401 - importing registers them


class StaticsConfig(StaticFilesConfig):
    # django-htmx carries extensions and a second htmx, which nothing here loads
    ignore_patterns = [*StaticFilesConfig.ignore_patterns, "ext", "htm*-4*"]
