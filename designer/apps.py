"""Registers the package with Django."""

from django.apps import AppConfig


class DesignerConfig(AppConfig):
    name = "designer"
