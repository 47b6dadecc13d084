"""Methods of dataclasses that are compiled once: the same classes, and a file that is trusted only where it may be."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from designer.document import dump
from designer.examples import example

ROOT = Path(__file__).resolve().parents[2]
CLASSES = """
import sys
from pathlib import Path
from config.commandline.compiled_methods import reuse_compiled_methods
methods = reuse_compiled_methods(Path(sys.argv[1]))
from dataclasses import dataclass, field, replace
@dataclass(frozen=True, order=True)
class Point:
    x: int
    y: list = field(default_factory=list, compare=False)
point = Point(1)
try:
    point.x = 2
except AttributeError as error:
    print(error)
print(replace(point, x=3), Point(1) == point, Point(0) < point, hash(point) == hash((1,)), methods.compiled_count)
"""


def run(folder: Path, text: str = CLASSES, **environment: str) -> str:
    own = {"PYTHONPATH": str(ROOT), "PATH": os.environ["PATH"], **environment}
    command = [sys.executable, "-c", text, str(folder)]
    return subprocess.run(command, check=True, capture_output=True, text=True, env=own).stdout


def test_a_second_start_compiles_nothing_and_has_the_same_classes(tmp_path: Path) -> None:
    folder = tmp_path / "made" / "for"
    first, second = run(folder), run(folder)
    [file] = folder.iterdir()

    assert first.startswith("cannot assign to field 'x'\nPoint(x=3, y=[]) True True True ")
    assert int(first.split()[-1]) > 5
    assert second.split()[:-1] == first.split()[:-1]
    assert second.split()[-1] == "0"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert run(folder, PYTHONOPTIMIZE="1") == first  # bytecode of its own
    assert run(folder) == first


@pytest.mark.parametrize("damage", ["a byte", "cut", "empty", "writable by others"])
def test_a_file_that_is_damaged_or_not_its_readers_own_is_made_again(tmp_path: Path, damage: str) -> None:
    first = run(tmp_path)
    [file] = tmp_path.iterdir()
    content = file.read_bytes()
    if damage == "writable by others":
        file.chmod(0o620)
    else:
        changed = content[:-9] + bytes([content[-9] ^ 1]) + content[-8:]
        file.write_bytes({"a byte": changed, "cut": content[:-1], "empty": b""}[damage])

    assert run(tmp_path) == first
    assert run(tmp_path).split()[-1] == "0"


def test_nothing_is_kept_where_python_keeps_no_bytecode_or_no_folder_can_be_made(tmp_path: Path) -> None:
    run(tmp_path / "none", PYTHONDONTWRITEBYTECODE="1")
    (tmp_path / "file").touch()

    assert not (tmp_path / "none").exists()
    assert run(tmp_path / "file" / "folder") == run(tmp_path / "none2")


def test_a_lint_finds_the_same_with_and_without(tmp_path: Path) -> None:
    file = tmp_path / "design.json"
    file.write_text(dump(example("mobile-devices").spec), encoding="utf-8")
    text = (
        "import sys\n"
        "from importlib import import_module\n"
        "from pathlib import Path\n"
        "main = import_module('config.commandline.main')\n"
        "main.cache_folder = lambda: Path(sys.argv[1])\n"
        f"sys.exit(main.main('keywright', ['lint', '--fail-on', 'never', '--json', {str(file)!r}]))\n"
    )
    environment = {"KEYWRIGHT_DATA": str(tmp_path / "data")}

    first, second = (run(tmp_path / "cache", text, **environment) for _ in range(2))
    assert first == second == run(tmp_path / "none", text, PYTHONDONTWRITEBYTECODE="1", **environment)
    assert [file.name for file in (tmp_path / "cache").iterdir()] == [f"methods.{sys.implementation.cache_tag}"]
