"""The hashed requirement files: complete, free of addresses, and in step with pyproject.toml."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

FILES = ("requirements.txt", "requirements-dev.txt")
GROUPS = {name: f"requirements-{name}.txt" for name in ("fuzz", "bench")}
"""Groups of tools of development, each in a folder of its own."""
CLI = "requirements-cli.txt"
CLIENTS = {name: f"requirements-{name}.txt" for name in ("bigtable", "tablestore", "traces")}


def pins(text: str) -> dict[str, str]:
    """Name → the whole entry, with its hashes."""
    entries = re.split(r"\n(?=[a-z0-9])", text.strip(), flags=re.IGNORECASE)
    return {re.split(r"[=\[; ]", entry)[0].lower(): entry for entry in entries}


def names(requirements: list[str]) -> set[str]:
    return {re.split(r"[\[<>=~!; ]", requirement)[0].lower() for requirement in requirements}


@pytest.mark.parametrize("file", [*FILES, CLI, *GROUPS.values(), *CLIENTS.values()])
def test_a_requirement_file_holds_no_address(root: Path, file: str) -> None:
    text = (root / file).read_text()

    assert "://" not in text
    assert "--index" not in text
    assert "--find-links" not in text


@pytest.mark.parametrize("file", [*FILES, CLI, *GROUPS.values(), *CLIENTS.values()])
def test_every_pin_is_hashed(root: Path, file: str) -> None:
    for name, entry in pins((root / file).read_text()).items():
        assert "==" in entry.splitlines()[0], name
        assert "--hash=sha256:" in entry, name


INSTALLED_BY_NAME = {"mcp", "observe", *CLIENTS}
"""Extras that a clone does not have: large packages that few need."""


def required_packages(root: Path) -> list[str]:
    """What a clone's environment has: the dependencies, and those of the other extras."""
    project = tomllib.loads((root / "pyproject.toml").read_text())["project"]
    extras = (each for name, each in project["optional-dependencies"].items() if name not in INSTALLED_BY_NAME)
    return [*project["dependencies"], *(package for extra in extras for package in extra)]


def test_the_files_hold_what_pyproject_asks_for(root: Path) -> None:
    project = tomllib.loads((root / "pyproject.toml").read_text())
    run = pins((root / "requirements.txt").read_text())
    develop = pins((root / "requirements-dev.txt").read_text())
    groups = project["dependency-groups"]

    assert names(required_packages(root)) <= run.keys()
    assert names(groups["test"] + groups["lint"] + groups["docs"]) <= develop.keys()
    assert all(develop[name].split("\\")[0] == entry.split("\\")[0] for name, entry in run.items())
    assert not names(groups["test"] + groups["lint"] + groups["docs"]) & run.keys()


@pytest.mark.parametrize(
    ("file", "group"), [(FILES[0], None), (FILES[1], "test"), (FILES[1], "lint"), (FILES[1], "docs")]
)
def test_pinned_versions_are_ones_that_pyproject_allows(root: Path, file: str, group: str | None) -> None:
    project = tomllib.loads((root / "pyproject.toml").read_text())
    requirements = project["dependency-groups"][group] if group else required_packages(root)
    pinned = re.findall(r"^([\w.-]+)(?:\[\w,-]+\])?==(\S+)", (root / file).read_text(), flags=re.MULTILINE)

    for requirement in map(Requirement, requirements):
        versions = [version for name, version in pinned if name.lower() == requirement.name.lower()]
        assert versions, requirement
        assert all(version in requirement.specifier for version in versions), requirement


@pytest.mark.parametrize("client", CLIENTS)
def test_the_file_of_a_client_holds_what_its_extra_asks_for_and_nothing_that_a_clone_has(
    root: Path, client: str
) -> None:
    extra = tomllib.loads((root / "pyproject.toml").read_text())["project"]["optional-dependencies"][client]
    held = pins((root / CLIENTS[client]).read_text())

    assert names(extra) <= held.keys()
    for requirement in map(Requirement, extra):
        pinned = held[requirement.name].splitlines()[0].split("==")[1].split()[0]
        assert pinned in requirement.specifier
    assert not held.keys() & pins((root / FILES[0]).read_text()).keys()


def test_the_command_in_its_image_has_the_versions_of_a_clone_and_no_extras(root: Path) -> None:
    run, command = (pins((root / file).read_text()) for file in (FILES[0], CLI))
    project = tomllib.loads((root / "pyproject.toml").read_text())["project"]

    assert names(project["dependencies"]) <= command.keys()
    assert {name: entry.strip() for name, entry in command.items()}.items() <= {
        name: entry.strip() for name, entry in run.items()
    }.items()
    assert not command.keys() & (names(project["optional-dependencies"]["site"]))


@pytest.mark.parametrize("name", ["bigtable", "traces"])
def test_tests_have_the_library_that_users_install(root: Path, name: str) -> None:
    client, develop = (pins((root / file).read_text()) for file in (CLIENTS[name], FILES[1]))

    assert {name: entry.split()[0] for name, entry in client.items()}.items() <= {
        name: entry.split()[0] for name, entry in develop.items()
    }.items()


@pytest.mark.parametrize("name", GROUPS)
def test_tools_that_few_need_are_pinned_as_their_group_asks(root: Path, name: str) -> None:
    group = tomllib.loads((root / "pyproject.toml").read_text())["dependency-groups"][name]
    held = pins((root / GROUPS[name]).read_text())

    assert names(group) <= held.keys()
    for requirement in map(Requirement, group):
        assert held[requirement.name].splitlines()[0].split("==")[1].split()[0] in requirement.specifier
    assert not held.keys() & pins((root / FILES[1]).read_text()).keys()


def test_every_dependency_says_what_it_is_for(root: Path) -> None:
    text = (root / "pyproject.toml").read_text()

    for start in (
        "\ndependencies = [",
        "\nfuzz = [",
        "\nbench = [",
        "\nsite = [",
        "\npdf = [",
        "\nteam = [",
        "\ntraces = [",
        "\nmcp = [",
        "\nbigtable = [",
        "\ntablestore = [",
        "\nobserve = [",
    ):
        lines = text.split(start)[1].split("\n]")[0].splitlines()[1:]
        assert all("  # " in line for line in lines)


def test_all_of_the_run_is_in_the_environment_of_development(root: Path) -> None:
    """`run.py` takes an environment that was made for development for one to run in."""
    run, develop = (pins((root / file).read_text()) for file in FILES)

    assert {name: entry.strip() for name, entry in run.items()}.items() <= {
        name: entry.strip() for name, entry in develop.items()
    }.items()
