"""Results that processes of the tests share: as they were computed, of this program only."""

from pathlib import Path
from typing import Any

import pytest

from designer.examples import example
from designer.memory import Cache
from estimator.estimates.estimate import PARTS, estimate
from estimator.estimates.what_if import with_what_if
from estimator.presentation.plain_data import to_plain
from tests import shared_results
from tests.contexts import context
from tests.shared_results import Store


@pytest.fixture(autouse=True)
def _everything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared_results, "LEAST_SECONDS", 0.0)


def fails() -> Any:
    raise AssertionError("it is computed again")


def test_another_process_reads_what_was_computed_and_estimates_the_same(tmp_path: Path) -> None:
    spec, made = example("campus-sellers").spec, []
    for _ in range(2):
        given = context()
        object.__setattr__(given, "cache", Store(tmp_path).share(Cache(1 << 30)))
        made.append(to_plain(with_what_if(spec, estimate(spec, given), given)))

    assert made[0] == made[1]
    assert len(list(next(tmp_path.iterdir()).iterdir())) > len(spec.tables)


def test_a_result_is_of_its_kind_its_key_and_its_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Store(tmp_path).share(Cache(1 << 20)).get(PARTS, ("a", 1), lambda: "a part")

    other = Store(tmp_path).share(Cache(1 << 20))
    assert other.get(PARTS, ("a", 1), fails) == "a part"
    assert other.get(PARTS, ("a", 2), lambda: "another") == "another"
    monkeypatch.setattr(shared_results, "program_hash", lambda: "changed")
    assert Store(tmp_path).share(Cache(1 << 20)).get(PARTS, ("a", 1), lambda: "new") == "new"
    assert [folder.name for folder in tmp_path.iterdir()] == ["changed"]


def test_what_is_no_result_of_tables_stays_in_its_process(tmp_path: Path) -> None:
    Store(tmp_path).share(Cache(1 << 20)).get("documents", "a", lambda: 1)

    assert Store(tmp_path).share(Cache(1 << 20)).get("documents", "a", lambda: 2) == 2


def test_the_hash_of_the_program_is_of_what_its_files_hold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "estimator/x").mkdir(parents=True)
    (tmp_path / "requirements-dev.txt").write_text("numpy==2\n")
    monkeypatch.setattr(shared_results, "_root", tmp_path)
    seen = {shared_results.program_hash()}
    for name, text in (("x/a.py", "1"), ("x/a.py", "2"), ("x/b.json", "{}"), ("../requirements-dev.txt", "numpy==3")):
        (tmp_path / "estimator" / name).write_text(text)
        seen.add(shared_results.program_hash())

    assert len(seen) == 5
