"""Core tests are pure: one that asks for a database, a server or a browser fails."""

import pytest

FORBIDDEN = {"db", "transactional_db", "live_server", "page", "browser", "admin_client"}


def database_asked(item: pytest.Item) -> str | None:
    """What makes this test impure, or None."""
    if item.get_closest_marker("django_db"):
        return "the mark django_db"
    return next((f"the fixture {name}" for name in getattr(item, "fixturenames", ()) if name in FORBIDDEN), None)


def pytest_runtest_setup(item: pytest.Item) -> None:
    if asked := database_asked(item):
        pytest.fail(
            f"tests/core is pure, but this test uses {asked}; move it to tests/db or tests/browser", pytrace=False
        )
