"""Watches templates' look-ups: Django shows nothing where an attribute is missing, so a wrong name stays unseen.

A run fails if a template looks up something in vain that is not in `tests/template_lookups.txt`. After a look at what
is new, `python3 run.py test --accept-lookups -q -n 2 tests/db tests/core` adds it. With TEMPLATE_LOOKUPS=FILE, each
process writes the other look-ups into FILE.<pid>: template, expression and the class that defines each attribute.
"""

import os
from pathlib import Path
from typing import Any

import pytest
from django.template.base import FilterExpression, Parser, Variable, VariableDoesNotExist
from django.template.context import BaseContext

KNOWN = Path(__file__).with_suffix(".txt")
"""One failed look-up a line: template, expression, what was missing, and the type of the object that lacks it."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--accept-lookups", action="store_true", help=f"add new failed look-ups to {KNOWN.name}")


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Recorder(config), "template look-ups")


class Source(str):
    """An expression that knows its template: a variable has no room for another attribute."""

    template: str = ""


class Recorder:
    """Failed look-ups with a test that makes them, from this process and from those that xdist starts."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.failed: dict[str, str] = {}
        self.resolved: set[str] = set()
        self.log = os.environ.get("TEMPLATE_LOOKUPS", "")
        self.unknown: list[str] = []
        compile_filter, resolve = Parser.compile_filter, Variable._resolve_lookup

        def note_template(parser: Parser, token: str) -> FilterExpression:
            expression = compile_filter(parser, token)
            arguments = [value for _, filter_arguments in expression.filters for _, value in filter_arguments]
            for variable in (expression.var, *arguments):
                if isinstance(variable, Variable):
                    variable.var = Source(variable.var)
                    variable.var.template = parser.origin.template_name if parser.origin else ""
            return expression

        def record_failure(variable: Variable, context: Any) -> Any:
            template = getattr(variable.var, "template", "")
            try:
                value = resolve(variable, context)
            except VariableDoesNotExist as error:
                if template:
                    missing, holder = error.params
                    holder_type = "context" if isinstance(holder, BaseContext) else type_name(holder)
                    test = os.environ.get("PYTEST_CURRENT_TEST", "").partition(" ")[0]
                    self.failed.setdefault(f"{template}: {variable.var}: {missing} of {holder_type}", test)
                raise
            if self.log and template and len(variable.lookups) > 1:
                self.resolved.add(f"{template}\t{variable.var}\t{' '.join(owners(variable, context))}")
            return value

        Parser.compile_filter, Variable._resolve_lookup = note_template, record_failure

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        self.failed |= getattr(node, "workeroutput", {}).get("template_lookups", {})

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if self.log:
            lines = "".join(f"{line}\n" for line in sorted(self.resolved))
            Path(f"{self.log}.{os.getpid()}").write_text(lines, encoding="utf-8")
        if hasattr(session.config, "workeroutput"):
            session.config.workeroutput["template_lookups"] = self.failed
            return
        known = set(KNOWN.read_text(encoding="utf-8").splitlines()) if KNOWN.exists() else set()
        if self.config.getoption("--accept-lookups"):
            KNOWN.write_text("".join(f"{line}\n" for line in sorted(known | self.failed.keys())), encoding="utf-8")
        elif unknown := sorted(self.failed.keys() - known):
            self.unknown = [f"{lookup} ({self.failed[lookup]})" for lookup in unknown]
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self.unknown:
            terminalreporter.section("templates look these up in vain")
            terminalreporter.write("".join(f"{line}\n" for line in self.unknown))


def type_name(value: Any) -> str:
    """Return the type as a user of the object sees it, also of a lazy object."""
    return str(getattr(value, "__class__", type(value)).__qualname__)


def owners(variable: Variable, context: Any) -> list[str]:
    """Return the definition of each name after the first: `module.Class.name`, or `-` for an item of a mapping."""
    value = context[variable.lookups[0]]
    found = []
    for name in variable.lookups[1:]:
        value = value() if callable(value) and not getattr(value, "do_not_call_in_templates", False) else value
        try:
            value = value[name]
            found.append("-")
        except (TypeError, AttributeError, KeyError, ValueError, IndexError):
            if name.isdigit():
                return [*found, "-"]
            kinds = (value if isinstance(value, type) else value.__class__).__mro__
            kind = next((k for k in kinds if name in vars(k) or name in vars(k).get("__annotations__", {})), kinds[0])
            found.append(f"{kind.__module__}.{kind.__qualname__}.{name}")
            value = getattr(value, name)
    return found
