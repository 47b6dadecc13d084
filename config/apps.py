"""The site as an application: its commands, its checks, its private files, and static files of others left out."""

from django.apps import AppConfig
from django.contrib.staticfiles.apps import StaticFilesConfig


class SiteConfig(AppConfig):
    name = "config"

    def ready(self) -> None:
        from django.conf import settings

        from config import checks  # noqa: F401 - importing registers them
        from config.private_files import make_private

        make_private(settings.KEYWRIGHT_DATA, settings.DATABASES["default"])


class StaticsConfig(StaticFilesConfig):
    # django-htmx carries extensions and a second htmx, which nothing here loads
    ignore_patterns = [*StaticFilesConfig.ignore_patterns, "ext", "htm*-4*"]
