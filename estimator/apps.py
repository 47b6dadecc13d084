"""Registers the package with Django."""

from django.apps import AppConfig
from django.conf import settings

from .management.limits import Limits, set_limits
from .price_books.folders import set_folders


class EstimatorConfig(AppConfig):
    name = "estimator"

    def ready(self) -> None:
        set_folders(settings.KEYWRIGHT_BOOKS)
        set_limits(
            Limits(
                settings.KEYWRIGHT_MEMORY,
                settings.KEYWRIGHT_MOST_EVENTS,
                settings.KEYWRIGHT_RUN_MINUTES,
                settings.KEYWRIGHT_RUN_MEMORY_MB,
            )
        )
