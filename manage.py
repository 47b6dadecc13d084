"""Django's command line, with Keywright's own commands: serve, lint, estimate, keys, heatmap and more."""

import os
import sys


def lint() -> None:
    """Lint reads one file and nothing stored: it starts without the site, its addresses and its database."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings_of_files")
    from django.apps import apps
    from django.conf import settings

    apps.populate(settings.INSTALLED_APPS)
    from estimator.management.commands.lint import Command

    Command().run_from_argv(sys.argv)


def manage() -> None:
    """Any other command."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from django.core.management import execute_from_command_line

    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    lint() if sys.argv[1:2] == ["lint"] else manage()
