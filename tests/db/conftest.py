"""Every test here may use the database: SQLite by default, PostgreSQL with `-p tests.postgres`."""

import pytest


@pytest.fixture(autouse=True)
def _database(db: None) -> None:
    return None
