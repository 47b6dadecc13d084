"""The guard that keeps tests/core free of databases."""

from collections.abc import Callable

import pytest


@pytest.fixture
def asked(request: pytest.FixtureRequest) -> Callable[[pytest.Item], str | None]:
    plugins = request.config.pluginmanager.get_plugins()
    return next(plugin.database_asked for plugin in plugins if hasattr(plugin, "database_asked"))


def test_a_core_test_that_asks_for_the_database_is_found_out(
    request: pytest.FixtureRequest, asked: Callable[[pytest.Item], str | None]
) -> None:
    item = pytest.Function.from_parent(request.node.parent, name="impure", callobj=lambda db: None)
    marked = pytest.Function.from_parent(request.node.parent, name="marked", callobj=lambda: None)
    marked.add_marker(pytest.mark.django_db)

    assert asked(item) == "the fixture db"
    assert asked(marked) == "the mark django_db"
    assert asked(request.node) is None
