"""Django's command line, with Keywright's own commands: serve, lint, diff, export, import, estimate and more."""

import importlib
import os
import sys

OF_FILES = {
    "lint": "estimator.management.commands.lint",
    "diff": "reviews.management.commands.diff",
    "export": "reviews.management.commands.export",
    "import": "designer.management.commands.import",
}
"""Commands that read files and nothing stored."""


def of_files(command: str) -> None:
    """They start without the site, its addresses and its database."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings_of_files")
    from django.apps import apps
    from django.conf import settings

    from estimator.price_books.folders import set_folders

    apps.populate(settings.INSTALLED_APPS)  # none: an application would bring its stored rows
    set_folders(settings.KEYWRIGHT_BOOKS)
    importlib.import_module(OF_FILES[command]).Command().run_from_argv(sys.argv)


def manage() -> None:
    """Any other command."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from django.core.management import execute_from_command_line

    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    try:
        try:
            of_files(sys.argv[1]) if sys.argv[1:2] and sys.argv[1] in OF_FILES else manage()
        finally:
            if sys.stdout is not None:
                sys.stdout.flush()
    except BrokenPipeError:  # who reads it has gone, as `head` does; the rest goes nowhere
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(128 + 13)  # as shells say it of a program that SIGPIPE ended
