"""A pytest plugin: the site under test has the tables of a team's accounts, whatever mode a test sets.

What is installed is read once, before any test. No variable is set for it, so processes that tests start are as ever.
"""

from collections.abc import Generator

import pytest


@pytest.hookimpl(wrapper=True)
def pytest_load_initial_conftests() -> Generator[None, None, None]:
    """Before pytest-django reads the settings: add what they have in team mode."""
    from config import second_factors, settings

    if second_factors.MIDDLEWARE not in settings.MIDDLEWARE:
        settings.INSTALLED_APPS += second_factors.APPS
        settings.MIDDLEWARE.append(second_factors.MIDDLEWARE)
        vars(settings).update(second_factors.SETTINGS)
    return (yield)
