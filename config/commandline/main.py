"""From a command line to a command and its exit code; terse where something goes wrong."""

import gc
import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path
from typing import NoReturn, TextIO

from config.commandline.catalogue import GROUPS, Entry, commands
from config.commandline.completion import SHELLS, completion_script
from config.installation import BASE_DIR, IS_INSTALLED

UNUSABLE, FAILED, INTERRUPTED, NO_READER = 2, 3, 130, 128 + 13
"""Exit codes beside those of a command's answer; the last two as shells say it of what SIGINT and SIGPIPE ended."""
OF_DJANGO = ("--version", "--settings", "--pythonpath", "--verbosity", "--no-color", "--force-color", "--skip-checks")
"""Options that Django gives to every command; `--help` does not show them."""

EXTRAS = {
    "mcp": ("mcp",),
    "pdf": ("typst", "noto_cjk_sans_jp_bold", "noto_cjk_sans_jp_regular"),
    "observe": ("sentry_sdk", "opentelemetry"),
    "team": ("allauth", "gunicorn", "prometheus_client", "psycopg", "redis"),
    "traces": ("pyarrow",),
    "bigtable": ("google",),
    "tablestore": ("tablestore",),
    "site": ("babel", "celery", "csp", "django", "django_htmx", "ninja", "polib", "waitress", "whitenoise"),
}
"""What is installed with which extra of the package."""
CLIENTS = ("bigtable", "tablestore")
"""Of those, what `run.py --with` installs."""

OTHERS = {
    "completion": "Print a script that completes commands: completion bash, zsh or fish.",
    "manage": "Run a command of Django, such as: manage migrate.",
}


def main(program: str, arguments: Sequence[str]) -> int:
    """Run a command line; return its exit code: 0 fine, 1 findings, 2 unusable input, 3 Keywright itself failed."""
    # `-OO` removes docstrings, from which explanations of rules are read: pages would be empty without any error.
    if sys.flags.optimize > 1:
        return _refuse(program, "The texts of rules are docstrings: run Python without -OO and PYTHONOPTIMIZE=2.")
    _open_streams()
    # A pipe in the locale C or on Windows has an encoding without "≥" or Japanese, and printing would end in a
    # UnicodeEncodeError.
    for stream in (sys.stdout, sys.stderr):
        _make_writable(stream)
    try:
        try:
            return _run(program, list(arguments))
        finally:
            # Flushed here: at the interpreter's exit, an error of the last bytes would be a traceback and not an exit
            # code.
            sys.stdout.flush()
    except BrokenPipeError:  # who reads it has gone, as `head` does; the rest goes nowhere
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return NO_READER
    except OSError as error:  # of the last of what was written, as on a full disk
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _refuse(program, _machine_failure(error) or _failure(error), FAILED)
    except KeyboardInterrupt:
        return INTERRUPTED


def _open_streams() -> None:
    """Have streams that the caller closed, as `>&-` does, be there with nothing in or behind them."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - until the process ends


def _make_writable(stream: TextIO) -> None:
    """Have a stream take every character: a file or pipe gets UTF-8, a terminal of another encoding gets escapes."""
    encoding = getattr(stream, "encoding", None) or "utf-8"
    if isinstance(stream, TextIOWrapper) and encoding.lower().replace("-", "") != "utf8":
        stream.reconfigure(encoding=None if stream.isatty() else "utf-8", errors="backslashreplace")


def _run(program: str, arguments: list[str]) -> int:
    name, *rest = arguments or ["serve"]
    if os.environ.get("NO_COLOR"):
        # Django looks at DJANGO_COLORS only; NO_COLOR is what other tools have agreed on (no-color.org).
        os.environ["DJANGO_COLORS"] = "nocolor"
    if name in ("--version", "-V"):
        return _print_version()
    if name == "help" and rest and not rest[0].startswith("-"):
        name, rest = rest[0], ["--help"]
    if name in ("--help", "-h", "help"):
        _write(sys.stdout, usage(program))
        return 0
    own_commands = commands(is_installed=IS_INSTALLED)
    if name in own_commands:
        return _run_own(program, own_commands[name], rest)
    if name == "completion":
        return _print_completion(program, rest)
    if name == "manage":
        return _run_django(f"{program} manage", rest or ["help"])
    # Only `manage.py` passes unknown names on to Django: for an installed copy these are typing errors, and `manage` is
    # there for Django's commands.
    if program == "manage.py":
        return _run_django(program, arguments)
    return _refuse(program, _unknown(program, name, [*own_commands, *OTHERS]))


def usage(program: str) -> str:
    """Return the text of `--help`: the commands in groups."""
    program = "python3 run.py" if program == "manage.py" else program  # which calls it
    own_commands = commands(is_installed=IS_INSTALLED)
    width = max(map(len, own_commands))
    lines = [f"usage: {program} COMMAND …", "", "Design wide-column schemas and see where they run hot, how they grow"]
    lines += ["and what they cost.", ""]
    for group, entries in GROUPS.items():
        group_entries = [entry for entry in entries if entry.name in own_commands]
        if group_entries:
            lines += [f"{group}:", *(f"  {entry.name:<{width}}  {entry.summary}" for entry in group_entries), ""]
    lines += ["Others:", *(f"  {name:<{width}}  {summary}" for name, summary in OTHERS.items()), ""]
    lines += [f"`{program} COMMAND --help` describes a command. Exit codes: 0 fine, 1 findings, 2 unusable input,"]
    lines += ["3 Keywright itself failed."]
    return "\n".join(lines)


def _print_version() -> int:
    from designer.http.version import VERSION

    _write(sys.stdout, f"keywright {VERSION}")
    return 0


def _print_completion(program: str, shells: Sequence[str]) -> int:
    if shells and shells[0] in ("--help", "-h"):
        _write(sys.stdout, f"usage: {program} completion {{{','.join(SHELLS)}}}\n\n{OTHERS['completion']}")
        return 0
    if len(shells) != 1 or shells[0] not in SHELLS:
        return _refuse(f"{program} completion", f"Name one shell: {', '.join(SHELLS)}.")
    own_commands = commands(is_installed=IS_INSTALLED)
    _write(sys.stdout, completion_script(shells[0], own_commands, OTHERS))
    return 0


def _parse(parser: ArgumentParser, arguments: list[str]) -> Namespace:
    """Return the options; what is wrong with them is told without signs that steer a terminal."""
    fail = parser.error

    def fail_printable(message: str) -> NoReturn:
        from designer.wording.printable import printable  # words are heavy

        fail(printable(message))

    parser.error = fail_printable  # type: ignore[method-assign]
    return parser.parse_args(arguments)


def _run_own(program: str, entry: Entry, arguments: list[str]) -> int:
    place = f"{program} {entry.name}"
    try:
        gc.disable()  # what is imported stays: searching it for garbage would take a fifth of the start
        _set_up(entry)
        command = import_module(entry.module).Command()
        # Objects of modules live as long as the process; frozen, they are in no later search for garbage.
        gc.freeze()
        gc.enable()
        if not entry.of_files:
            command.suppressed_base_arguments = set(OF_DJANGO)
            command._called_from_command_line = True  # so that its parser ends with 2, as parsers do
            command.check = import_module("config.checks").refuse_faults
        options = vars(_parse(command.create_parser(program, entry.name), arguments))
        command.execute(*options.pop("args", ()), **options)
    except ModuleNotFoundError as error:
        return _refuse(place, absence(error) or _failure(error), UNUSABLE if absence(error) else FAILED)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except (BrokenPipeError, KeyboardInterrupt):
        raise
    except Exception as error:
        if "--traceback" in arguments:
            import traceback

            traceback.print_exc()
        # Asked only now: a command of files has not loaded Django, and its errors need not be loaded to be told apart.
        if isinstance(error, _refusals()):
            code = getattr(error, "returncode", UNUSABLE)
            return _refuse(place, str(error), code if code != 1 else UNUSABLE)  # 1 is Django's default, and our "found"
        if missing := _missing_database(program, error):
            return _refuse(place, missing, UNUSABLE)
        return _refuse(place, _machine_failure(error) or _failure(error), FAILED)
    return 0


def _refusals() -> tuple[type[Exception], ...]:
    """Return the errors whose text is for the person: ours, and Django's where it is part of this process."""
    from config.environment import SettingError
    from designer.management.base import CommandError

    if "django" not in sys.modules:
        return SettingError, CommandError
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management.base import CommandError as CommandErrorOfDjango

    return SettingError, CommandError, ImproperlyConfigured, CommandErrorOfDjango


def _set_up(entry: Entry) -> None:
    """Tell the program its settings: a command of files does without Django, which would bring stored rows."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", f"config.settings{'_of_files' if entry.of_files else ''}")
    if not entry.of_files:
        import django

        django.setup()
        return
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "1")  # it would search all installed packages for some
    from config import settings_of_files as settings
    from estimator.management.answers import set_answer_folder
    from estimator.management.limits import Limits, set_limits
    from estimator.price_books.folders import set_folders

    set_folders(settings.KEYWRIGHT_BOOKS)
    set_answer_folder(settings.KEYWRIGHT_CACHE)
    set_limits(
        Limits(
            settings.KEYWRIGHT_MEMORY,
            settings.KEYWRIGHT_MOST_EVENTS,
            settings.KEYWRIGHT_RUN_MINUTES,
            settings.KEYWRIGHT_RUN_MEMORY_MB,
        )
    )


def _run_django(program: str, arguments: list[str]) -> int:
    """Run a command of Django or of another application; Django says what is wrong."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    name = arguments[0]
    own = commands(is_installed=IS_INSTALLED)
    if name in own:
        return _run_own(program, own[name], arguments[1:])
    try:
        import django
        from django.core.management import ManagementUtility, get_commands

        django.setup()
    except ModuleNotFoundError as error:
        return _refuse(program, absence(error) or _failure(error), UNUSABLE if absence(error) else FAILED)
    except Exception as error:
        is_said = isinstance(error, _refusals())
        return _refuse(program, str(error) if is_said else _failure(error), UNUSABLE if is_said else FAILED)
    if name not in ("help", "runserver", "testserver") and not name.startswith("-") and name not in get_commands():
        return _refuse(program, _unknown(program.removesuffix(" manage"), name, [*own, *get_commands()]))
    # Django's parsers take the program's name for `usage:` from here.
    sys.argv = [program, *arguments]
    ManagementUtility(sys.argv).execute()
    return 0


def _unknown(program: str, name: str, names: Sequence[str]) -> str:
    import difflib

    near = difflib.get_close_matches(name, names, n=1)
    meant = f" Did you mean {near[0]}?" if near else ""
    return f"There is no command {name!r}.{meant} `{program} --help` lists them."


def absence(error: ModuleNotFoundError) -> str:
    """Return a sentence about the extra that a module comes with; empty for other modules."""
    module = (error.name or "").partition(".")[0]
    extra = next((extra for extra, modules in EXTRAS.items() if module in modules), None)
    if extra is None:
        return ""
    clone = f", or in a clone python3 run.py --with {extra}" if extra in CLIENTS and not IS_INSTALLED else ""
    return f"{module} is not installed: it comes with the extra {extra}, as in pip install 'keywright[{extra}]'{clone}."


def _missing_database(program: str, error: Exception) -> str:
    """Return a sentence about a database that does not answer, is still empty or damaged; empty for other errors."""
    if "django" not in sys.modules:
        return ""
    from django.db.utils import DatabaseError, OperationalError, ProgrammingError

    if type(error) is DatabaseError:  # of SQLite: no file of its own, or a damaged one; subclasses mean other things
        return f"The database cannot be read ({error}). Put a backup in its place: see keywright doctor."
    if not isinstance(error, OperationalError | ProgrammingError):
        return ""
    migrate = "keywright manage migrate" if program == "keywright" else f"{program} migrate"
    return f"The database does not answer or has no tables yet ({error}). Make them first: {migrate}"


def _machine_failure(error: Exception) -> str:
    """Return a sentence about what the machine refused, such as a full disk; empty for other errors."""
    if not isinstance(error, OSError) or not error.strerror:
        return ""
    return f"{error.filename}: {error.strerror}" if error.filename else error.strerror


def _failure(error: Exception) -> str:
    """Return a sentence about an error of the program itself, with its place."""
    import traceback

    last = traceback.extract_tb(error.__traceback__)[-1]
    file = Path(last.filename)
    place = file.relative_to(BASE_DIR) if file.is_relative_to(BASE_DIR) else file
    description = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return f"{description} ({place}, line {last.lineno}). This is an error in Keywright; --traceback shows more."


def _refuse(place: str, reason: str, code: int = UNUSABLE) -> int:
    from designer.wording.printable import printable_lines

    _write(sys.stderr, printable_lines(f"{place}: {reason}"))
    return code


def _write(stream: TextIO, text: str) -> None:
    stream.write(f"{text}\n")
