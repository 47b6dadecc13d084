"""Registers the package with Django."""

from django.apps import AppConfig
from django.conf import settings

from .price_books.folders import set_folders


class EstimatorConfig(AppConfig):
    name = "estimator"

    def ready(self) -> None:
        set_folders(settings.KEYWRIGHT_BOOKS)
