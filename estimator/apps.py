"""Registers the package with Django."""

from django.apps import AppConfig


class EstimatorConfig(AppConfig):
    name = "estimator"
