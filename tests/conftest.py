"""What all tests share. tests/core has no database, tests/db runs on both, tests/browser in Chromium."""

import atexit
import gc
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest
from django.conf import settings

from config import settings_of_files
from designer.http import translations
from designer.memory import Cache
from designer.models.memory import MEMORY
from estimator.management import commandline
from tests.contexts import CACHE
from tests.shared_results import Store

pytest_plugins = ["tests.template_lookups"]

CI = os.environ.get("CI", "").lower() in ("1", "true")
ROOT = Path(__file__).resolve().parent.parent
RESULTS_BYTES = 512 << 20

# The clock of a busy machine is no measure of a property: no deadline, and no complaint that making examples is slow.
hypothesis.settings.register_profile(
    "few", max_examples=80, derandomize=True, deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.register_profile("many", hypothesis.settings.get_profile("few"), max_examples=500)
"""`pytest --hypothesis-profile many`, as `.ci/run` tries what holds of keys and documents."""
hypothesis.settings.load_profile("few")


def pytest_configure() -> None:
    settings_of_files.KEYWRIGHT_CACHE = Path(os.devnull)  # an answer of a changed program must not last
    translations.compile_stale()
    # whitenoise finds the files where they are written, so tests need none collected
    settings.STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    settings.WHITENOISE_USE_FINDERS = settings.WHITENOISE_AUTOREFRESH = True
    settings.WHITENOISE_MAX_AGE = 3600  # a browser fetches them once
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # the real one is slow on purpose
    folder = tempfile.mkdtemp(prefix="keywright-test-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    settings.STATIC_ROOT = Path(folder)  # not what an earlier start of the site has collected
    database = settings.DATABASES["default"]
    if database["ENGINE"].endswith("sqlite3"):  # a file: in memory, threads would share one connection's locks
        database.setdefault("TEST", {})["NAME"] = f"{folder}/test.sqlite3"


def pytest_collection() -> None:
    gc.disable()


def pytest_collection_finish() -> None:
    """What is there by now stays to the end: no collection of garbage need walk over it again.

    Tests leave much that stays, such as estimates: it is walked over once, while it is young, and never again.
    """
    gc.freeze()
    gc.set_threshold(100_000, 1_000_000)
    gc.enable()


def pytest_sessionfinish() -> None:
    """Look for garbage once: pytest looks ten times for what could not be deleted, over all that is left."""
    gc.collect()
    gc.freeze()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put tests of one group beside each other, so that one process runs them, and computes what they share once."""
    first: dict[str, int] = {}

    def place(numbered: tuple[int, pytest.Item]) -> int:
        group = numbered[1].get_closest_marker("xdist_group")
        return first.setdefault(group.args[0], numbered[0]) if group else numbered[0]

    items[:] = [item for _, item in sorted(enumerate(items), key=place)]


@pytest.fixture(scope="session", autouse=True)
def _shared_results(request: pytest.FixtureRequest) -> Iterator[None]:
    """What pages and commands compute stays for all tests of a process; a command of a person begins with nothing.

    What takes long is shared with the other processes.
    """
    MEMORY.limit_bytes = RESULTS_BYTES
    results = Cache(RESULTS_BYTES)
    if hasattr(request.config, "cache"):  # not with `-p no:cacheprovider`
        store = Store(request.config.cache.mkdir("results"))
        for cache in (MEMORY, results, CACHE):
            store.share(cache)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(commandline, "Cache", lambda limit_bytes: results)
        yield


@pytest.fixture(scope="session")
def root() -> Path:
    """The project's folder."""
    return ROOT
