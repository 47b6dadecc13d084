"""Registers the package with Django."""

from django.apps import AppConfig
from django.conf import settings

from .price_books.folders import search_in


class EstimatorConfig(AppConfig):
    name = "estimator"

    def ready(self) -> None:
        search_in(settings.KEYWRIGHT_BOOKS)
