"""Every test here may use the database: SQLite by default, PostgreSQL with `-p tests.postgres`."""

from collections.abc import Iterator

import pytest
from django.utils import translation


@pytest.fixture(autouse=True)
def _database(db: None) -> None:
    return None


@pytest.fixture(autouse=True)
def _language() -> Iterator[None]:
    """The language that a request was answered in stays that of the thread: the next test begins without."""
    yield
    translation.deactivate()
