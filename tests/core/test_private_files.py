"""Nobody else on a machine can read the database, its logs or the secret key, whatever the umask."""

import os
import sqlite3
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from config import environment, secret
from config.private_files import make_private


@pytest.fixture(autouse=True)
def wide_umask() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def fill(path: Path) -> sqlite3.Connection:
    """Open a database as Django does, so that its logs are there."""
    connection = sqlite3.connect(path)
    connection.executescript("PRAGMA journal_mode=WAL; CREATE TABLE x (y); INSERT INTO x VALUES (1);")
    return connection


def test_new_files_are_for_their_owner_alone(tmp_path: Path) -> None:
    folder = tmp_path / "above" / "data"
    path = folder / "keywright.sqlite3"
    secret.read_or_create(folder / "secret_key")
    make_private(folder, environment.sqlite(path))
    connection = fill(path)

    modes = {each.name: mode(each) for each in folder.iterdir()}

    connection.close()
    files = ("secret_key", path.name, f"{path.name}-wal", f"{path.name}-shm")
    assert modes == dict.fromkeys(files, 0o600)
    assert (mode(folder), mode(folder.parent)) == (0o700, 0o700)


def test_files_that_others_can_read_are_tightened(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    path = folder / "keywright.sqlite3"
    (folder / "secret_key").write_text("x")
    connection = fill(path)
    assert (mode(folder), mode(path)) == (0o777, 0o644)

    make_private(folder, environment.sqlite(path))

    assert mode(folder) == 0o700
    assert {mode(each) for each in folder.iterdir()} == {0o600}
    assert connection.execute("SELECT y FROM x").fetchall() == [(1,)]
    connection.close()


def test_a_folder_of_others_that_holds_the_database_stays_as_it_is(tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()

    make_private(tmp_path / "data", environment.sqlite(shared / "keywright.sqlite3"))

    assert (mode(shared), mode(shared / "keywright.sqlite3")) == (0o777, 0o600)
    assert not (tmp_path / "data").exists()
