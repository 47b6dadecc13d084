"""Answers of `lint` that are kept on disk: the same to the byte, and never those of something else."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from config.commandline import main
from designer.document import dump
from designer.examples import example
from estimator.management import answers, linting
from estimator.presentation.lint_reports import FORMATS

DAY = ("--today", "2026-11-29")
FIRST, SECOND = "timestamp-first", "sequential-id"


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "cache"
    monkeypatch.setattr("config.settings_of_files.KEYWRIGHT_CACHE", folder)
    monkeypatch.setattr("config.settings_of_files.KEYWRIGHT_BOOKS", tmp_path / "books")
    monkeypatch.chdir(tmp_path)
    for name in (FIRST, SECOND):
        Path(f"{name}.keywright.json").write_text(dump(example(name).spec), encoding="utf-8")
    return folder


@pytest.fixture
def judgements(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of designs that were judged, and not only reported on."""
    names: list[str] = []
    judge = linting._judge
    monkeypatch.setattr(linting, "_judge", lambda file, *rest: names.append(file) or judge(file, *rest))
    return names


@pytest.fixture
def lint(cache: Path, capfd: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    def run(*arguments: str) -> tuple[int, str, str]:
        capfd.readouterr()
        return main("keywright", ["lint", *arguments, *DAY]), *capfd.readouterr()

    return run


@pytest.mark.parametrize("form", FORMATS)
def test_a_kept_answer_is_the_same_to_the_byte(lint, monkeypatch, form):
    arguments = ("--format", form, ".")
    first = lint(*arguments)
    monkeypatch.setattr(linting, "lint_files", None)

    assert lint(*arguments) == first
    assert first[0] == 1
    assert first[1]


def test_what_is_known_is_found_without_numpy_and_pydantic(root, cache):
    code = (
        "import sys; from config.commandline import main; code = main('keywright', sys.argv[1:]);"
        "print(code, [name for name in ('numpy', 'pydantic', 'designer.document') if name in sys.modules])"
    )
    command = [sys.executable, "-c", code, "lint", f"{FIRST}.keywright.json", *DAY]
    environ = {**os.environ, "PYTHONPATH": str(root), "KEYWRIGHT_CACHE": str(cache)}

    first, second = (subprocess.run(command, env=environ, text=True, capture_output=True, check=True) for _ in "12")

    assert first.stdout.endswith("1 ['numpy', 'pydantic', 'designer.document']\n")
    assert second.stdout.endswith("1 []\n")
    assert first.stdout.splitlines()[:-1] == second.stdout.splitlines()[:-1]


def test_of_many_designs_only_the_changed_one_is_judged_again(lint, judgements):
    first = lint(".")[1]
    assert len(judgements) == 2
    file = Path(f"{SECOND}.keywright.json")
    file.write_text(file.read_text().replace('"name": "Sequential', '"name": "Changed'), encoding="utf-8")

    second = lint(".")[1]

    assert judgements[2:] == [file.name]
    assert second == first.replace("(Sequential", "(Changed") != first


def test_another_layout_moves_lines_and_is_not_judged_again(lint, judgements):
    file = Path(f"{FIRST}.keywright.json")
    first = json.loads(lint(file.name, "--json")[1])["findings"]
    file.write_text(f"\n\n{file.read_text()}", encoding="utf-8")

    second = json.loads(lint(file.name, "--json")[1])["findings"]

    assert judgements == [file.name]
    assert [each["line"] for each in second] == [each["line"] + 2 for each in first]


@pytest.mark.parametrize("change", ["day", "program", "book", "no cache"])
def test_what_else_an_answer_depends_on_makes_it_another(lint, cache, judgements, monkeypatch, change):
    arguments = [f"{FIRST}.keywright.json"]
    lint(*arguments)
    if change == "program":
        monkeypatch.setattr(answers, "_file_states", lambda folder: [("lint.py", 1, 2)])
    elif change == "book":
        Path("books").mkdir()
        Path("books/other.json").write_text("{}", encoding="utf-8")
    more = {"day": ["--today", "2027-01-01"], "no cache": ["--no-cache"]}.get(change, [])

    assert main("keywright", ["lint", *arguments, *(more if change == "day" else [*DAY, *more])]) == 1
    assert len(judgements) == 2


def test_what_is_read_only_once_is_in_no_question(cache):
    Path("-").write_text("a file of this name", encoding="utf-8")
    os.mkfifo("pipe")

    for name in ("-", "pipe", "absent", "."):
        assert answers.file_digests([f"{FIRST}.keywright.json", name]) is None
    assert len(answers.file_digests([f"{FIRST}.keywright.json"])) == 1


def test_levels_and_baselines_are_part_of_the_question(lint):
    file = f"{FIRST}.keywright.json"
    Path("baseline.json").write_text(lint(file, "--json")[1], encoding="utf-8")
    assert lint(file)[0] == 1
    assert lint(file, "--fail-on", "never")[0] == 0
    assert lint(file, "--baseline", "baseline.json")[0] == 0
    nothing = {"format": "keywright-lint/1", "findings": []}
    Path("baseline.json").write_text(json.dumps(nothing), encoding="utf-8")
    assert lint(file, "--baseline", "baseline.json")[0] == 1


@pytest.mark.parametrize("damage", [lambda content: content[:-1], lambda content: b"", lambda content: b"x" + content])
def test_damaged_answers_are_not_believed(lint, cache, judgements, damage):
    first = lint(".")
    for path in cache.iterdir():
        path.write_bytes(damage(path.read_bytes()))

    assert lint(".") == first
    assert len(judgements) == 4
    assert lint(".") == first
    assert len(judgements) == 4  # written anew


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
def test_a_folder_where_others_write_is_not_used(lint, cache, judgements):
    cache.mkdir()
    cache.chmod(0o777)

    assert lint(".") == lint(".")
    assert len(judgements) == 4
    assert not list(cache.iterdir())


@pytest.mark.skipif(os.name == "nt" or os.getuid() != 0, reason="only root can take the place of others")
def test_root_makes_no_folder_in_the_home_of_somebody_else(lint, tmp_path, monkeypatch):
    home = tmp_path / "home"
    home.mkdir()
    os.chown(home, 1000, 1000)
    monkeypatch.setattr("config.settings_of_files.KEYWRIGHT_CACHE", home / ".cache" / "keywright")

    assert lint(".") == lint(".")
    assert not list(home.iterdir())


def test_a_place_where_nothing_can_be_kept_is_no_error(lint, cache, judgements):
    cache.write_text("a file")

    assert lint(".") == lint(".")
    assert len(judgements) == 4


def test_unusable_files_and_failed_rules_are_told_again(lint, monkeypatch):
    Path("broken.keywright.json").write_text("{", encoding="utf-8")

    first, second = lint("."), lint(".")

    assert first == second
    assert (first[0], "broken.keywright.json" in first[2]) == (2, True)


def test_a_file_that_changes_while_it_is_judged_is_not_kept_under_its_old_content(lint, cache, monkeypatch):
    file = Path(f"{FIRST}.keywright.json")
    old, new = file.read_text(), dump(example("mobile-devices").spec)
    read = linting.read_file

    def read_changed(name, today):
        file.write_text(new, encoding="utf-8")
        return read(name, today=today)

    monkeypatch.setattr(linting, "read_file", read_changed)
    assert lint(file.name)[0] == 0  # of the new content
    monkeypatch.setattr(linting, "read_file", read)
    file.write_text(old, encoding="utf-8")

    assert lint(file.name)[0] == 1


def test_the_folder_stays_small_and_what_was_used_stays(tmp_path, monkeypatch):
    monkeypatch.setattr(answers, "MOST_BYTES", 10 * (100 + answers.DIGEST_BYTES))
    answers.set_answer_folder(tmp_path / "cache")
    cache = answers.AnswerCache(DAY[1])
    for number in range(30):
        cache.put(b"x" * 100, number)
        path = cache._path((number,))
        os.utime(path, (number, number))
        assert cache.get(0) is not None  # which makes it the newest

    assert len(list((tmp_path / "cache").iterdir())) == 10
    assert [number for number in range(30) if cache.get(number)] == [0, *range(21, 30)]


def test_processes_that_write_at_the_same_time_leave_whole_answers(root, tmp_path):
    code = (
        "import sys; from pathlib import Path; from estimator.management import answers\n"
        "answers.set_answer_folder(Path(sys.argv[1]))\n"
        "cache = answers.AnswerCache('2026-11-29')\n"
        "for number in range(300):\n"
        "    cache.put(sys.argv[2].encode() * 50_000, 'question')\n"
        "    assert len(set(cache.get('question'))) == 1"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "cache")]
    writers = [subprocess.Popen([*command, letter], cwd=root) for letter in "abc"]

    assert [writer.wait(timeout=120) for writer in writers] == [0, 0, 0]
    assert len(list((tmp_path / "cache").iterdir())) == 1
