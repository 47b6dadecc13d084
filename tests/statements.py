"""Chooses the tests that run on PostgreSQL, too: together they run every statement that the tests in tests/db run.

`pytest -p tests.statements tests/db` records on SQLite what each test asks the database, and fails if the tests of
`tests/db/postgres.txt` do not cover it; with `--choose`, it writes that list. All of tests/db runs on PostgreSQL in
`.ci/run`.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from django.db import DatabaseError
from django.db.backends.signals import connection_created

CHOSEN = Path(__file__).parent / "db/postgres.txt"
"""One test a line, so that pytest reads it as arguments: `pytest -p tests.postgres @tests/db/postgres.txt`."""

HOW = "python3 run.py test -p tests.statements --choose -n 2 tests/db"
NAMES_SHOWN = 5

BY_CHANCE = ("tests/db/test_interleaved.py",)
"""Their threads race, so which statements they run differs from run to run: they cover none of other tests'."""

Statements = Mapping[str, Iterable[str]]
"""By test."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--choose", action="store_true", help=f"write {CHOSEN.name} anew")


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Recorder(config), "statements")


class Recorder:
    """Statements by test, from this process and from those that xdist starts."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.by_test: dict[str, set[str]] = defaultdict(set)
        self.seconds: dict[str, float] = defaultdict(float)
        self.test = ""
        self.lines: list[str] = []
        connection_created.connect(self.listen)

    def listen(self, connection: Any, **_: Any) -> None:
        if self.record not in connection.execute_wrappers:
            connection.execute_wrappers.append(self.record)

    def record(self, execute: Callable[..., Any], sql: Any, *arguments: Any) -> Any:
        statement = shape(str(sql))
        try:
            return execute(sql, *arguments)
        except DatabaseError as error:
            statement += f" -- {type(error).__name__}"
            raise
        finally:
            if statement and self.test:
                self.by_test[self.test].add(statement)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Any:
        self.test = name_of(item.nodeid)
        transaction = item.get_closest_marker("django_db")
        if transaction is not None and transaction.kwargs.get("transaction"):
            self.by_test[self.test].add(f"transactions of its own: {self.test}")
        try:
            return (yield)
        finally:
            self.test = ""

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[Any]) -> Any:
        """Migrations are of no test: whichever comes first would have run them."""
        test = self.test
        if fixturedef.argname == "django_db_setup":
            self.test = ""
        try:
            return (yield)
        finally:
            self.test = test

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.seconds[name_of(report.nodeid)] += report.duration

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        for test, statements in getattr(node, "workeroutput", {}).get("statements", {}).items():
            self.by_test[test] |= set(statements)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if hasattr(session.config, "workeroutput"):
            session.config.workeroutput["statements"] = {test: list(asked) for test, asked in self.by_test.items()}
            return
        listed = CHOSEN.read_text(encoding="utf-8").splitlines() if CHOSEN.exists() else []
        if self.config.getoption("choose"):
            tests = smallest(self.by_test, lambda test: self.seconds[test])
            CHOSEN.write_text("".join(f"{test}\n" for test in tests), encoding="utf-8")
            self.lines.append(f"{len(tests)} of {len(self.seconds)} tests run on PostgreSQL")
        elif set(listed) <= self.seconds.keys() and (lacking := uncovered(self.by_test, listed)):
            self.lines += [f"{len(lacking)} statements are of no test in {CHOSEN.name}. Write it anew: {HOW}"]
            self.lines += [f"{test}: {statement}" for statement, test in lacking.items()][:NAMES_SHOWN]
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self.lines:
            terminalreporter.section("statements")
            terminalreporter.write("".join(f"{line}\n" for line in self.lines))


def name_of(nodeid: str) -> str:
    """The test, without parameters that hold words, which somebody may word otherwise."""
    name, bracket, parameters = nodeid.partition("[")
    return nodeid if re.fullmatch(r"[\w-]+\]", parameters) or not bracket else name


@cache
def shape(sql: str) -> str:
    """The statement without the values in it and the number of them; empty where it is not about data."""
    if not re.match(r"(SELECT|INSERT|UPDATE|DELETE|WITH)\b", sql):
        return ""
    sql = re.sub(r"%s(, %s)+", "%s, …", sql)
    sql = re.sub(r"\(([^()]*%s[^()]*)\)(, \(\1\))+", r"(\1), …", sql)
    return re.sub(r"\b(LIMIT|OFFSET) \d+", r"\1 n", sql)


def steadily(by_test: Statements) -> dict[str, set[str]]:
    """Return what each test runs every time; of those that race, only that they need transactions of their own."""
    return {
        test: {one for one in asked if not test.startswith(BY_CHANCE) or one.endswith(test)}
        for test, asked in by_test.items()
    }


def uncovered(by_test: Statements, tests: Iterable[str]) -> dict[str, str]:
    """Statements that none of the tests runs, each with a test that does."""
    steady = steadily(by_test)
    covered = {statement for test in tests for statement in steady.get(test, ())}
    return {one: test for test, asked in sorted(by_test.items()) for one in sorted(asked) if one not in covered}


def smallest(by_test: Statements, seconds: Callable[[str], float]) -> list[str]:
    """Tests that run all statements in little time: greedily the one that adds most a second, then none in vain."""
    asked = steadily(by_test)
    left = set().union(*asked.values())
    chosen: list[str] = []
    while left:
        best = max(sorted(asked), key=lambda test: len(asked[test] & left) / (0.03 + seconds(test)))
        chosen.append(best)
        left -= asked[best]
    for test in sorted(chosen, key=seconds, reverse=True):
        others = set().union(*(asked[other] for other in chosen if other != test))
        if asked[test] <= others:
            chosen.remove(test)
    return sorted(chosen)
