"""Every package of the house has a short README: what it names exists, and it may import what the contracts allow."""

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests import sources

pytestmark = sources.OF_SOURCES

HOME = Path(__file__).parents[2]
TREES = (*sources.PACKAGES, "docs", "tests", "benchmarks", "templates", "static", "locale")
MOST_LINES = 25
TOKEN = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
PATH = re.compile(r"[\w.*<>-]+(/[\w.*<>-]+)*/?")
DOTTED = re.compile(rf"(?:{'|'.join(sources.PACKAGES)}|tests)(\.\w+)+")
IDENTIFIER = re.compile(r"[a-z]+(?:_[a-z0-9]+)+|(?:[A-Z][a-z]+){2,}")
"""Names of functions and fields of two words or more, and of classes of two or more."""
BINDING = re.compile(r"(?:def|class) (\w+)|^ *(\w+)\s*[:=]|(\w+)=", re.MULTILINE)
SITE = ("config/backups", "config/commandline", "config/documentation", "config/monitoring")
"""Rooms of the top, which no contract parts."""
DOCUMENTS = ("README.md", "CONTRIBUTING.md", "SECURITY.md", "docs/architecture.md", "docs/spec.md", "docs/diff.md")


@cache
def contracts() -> dict[str, list[list[str]]]:
    """Return the layers below each package that has a contract, from the top down."""
    settings = tomllib.loads((HOME / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    return {
        container.replace(".", "/"): [layer.split(" : ") for layer in contract["layers"]]
        for contract in settings["contracts"]
        if contract["type"] == "layers"
        for container in contract.get("containers", [""])
    }


@cache
def rooms() -> tuple[str, ...]:
    """Return the packages that the contracts name, but for the small ones below the kernels of keys."""
    inner = [
        f"{container}/{name}".strip("/")
        for container, layers in contracts().items()
        if container != "estimator/kernels/keys"
        for layer in layers
        for name in layer
    ]
    named = {room for room in inner if (HOME / room / "__init__.py").is_file()}
    return tuple(sorted({*named, *SITE}))


def allowed_imports(room: str) -> list[str]:
    """Return the packages and modules below a room, those of its own contract first."""
    container, _, name = room.rpartition("/")
    if room in SITE:
        return allowed_imports(container)
    layers = contracts()[container]
    level = next(number for number, layer in enumerate(layers) if name in layer)
    paths = [f"{container}/{one}".strip("/") for layer in layers[level + 1 :] for one in layer]
    below = [path if (HOME / path).is_dir() else f"{path}.py" for path in paths]
    return below + (allowed_imports(container) if container else [])


@cache
def names_in(module: Path) -> frozenset[str]:
    """Return the names that a module or a package's `__init__` binds, and those of its submodules."""
    names = {path.stem for path in module.glob("*")} if module.is_dir() else set[str]()
    source = module / "__init__.py" if module.is_dir() else module.with_suffix(".py")
    if source.is_file():
        names |= set(bound_names(sources.tree(source.relative_to(HOME).as_posix())))
    return frozenset(names)


def bound_names(tree: ast.Module) -> Iterator[str]:
    for node in tree.body:
        match node:
            case ast.FunctionDef() | ast.ClassDef():
                yield node.name
            case ast.ImportFrom() | ast.Import():
                yield from (alias.asname or alias.name for alias in node.names)
            case ast.Assign():
                yield from (target.id for target in node.targets if isinstance(target, ast.Name))
            case ast.AnnAssign(target=ast.Name(id=name)):
                yield name


def is_there(token: str, folder: Path) -> bool:
    """Return whether a token in backticks exists, if it is a path or a dotted name of the program."""
    token = token.partition("(")[0].rstrip("/")
    is_file = Path(token).suffix in (".py", ".md")
    if DOTTED.fullmatch(token) and not is_file:
        return _is_bound(token)
    if not PATH.fullmatch(token) or "<" in token:
        return True
    if "/" not in token:
        return not is_file or (folder / token).exists() or token in file_names()
    first = token.partition("/")[0]
    is_ours = first in TREES or (folder != HOME and (folder / first).is_dir())
    return not is_ours or any(any(base.glob(token)) for base in (folder, HOME))


@cache
def file_names() -> frozenset[str]:
    """Return the names of all Python files and documents of the program."""
    places = [HOME, *(HOME / name for name in TREES)]
    return frozenset(path.name for place in places for path in place.glob("*" if place == HOME else "**/*"))


def _is_bound(dotted: str) -> bool:
    *above, last = dotted.split(".")
    for length in range(len(above), 0, -1):
        module = HOME.joinpath(*above[:length])
        if module.is_dir() or module.with_suffix(".py").is_file():
            return (above[length:] or [last])[0] in names_in(module)
    return False


def missing(document: Path) -> list[str]:
    """Return the paths and dotted names of a document that are not there."""
    text = re.sub(r"```.*?```", "", document.read_text(encoding="utf-8"), flags=re.DOTALL)
    return [token for token in dict.fromkeys(TOKEN.findall(text)) if not is_there(token, document.parent)]


def readmes() -> dict[str, str]:
    return {room: (HOME / room / "README.md").read_text(encoding="utf-8") for room in rooms()}


def test_a_room_has_a_short_readme() -> None:
    texts = readmes()

    assert texts
    assert {room for room, text in texts.items() if len(text.splitlines()) > MOST_LINES} == set()
    assert {room for room, text in texts.items() if not text.startswith(f"# {room}\n")} == set()


def test_what_a_readme_names_exists() -> None:
    assert {room: names for room in rooms() if (names := missing(HOME / room / "README.md"))} == {}


def test_a_readme_says_what_the_contracts_allow_to_import() -> None:
    lines = {room: re.findall(r"^- \*\*May import:\*\* (.+)$", text, re.MULTILINE) for room, text in readmes().items()}

    said = {room: [re.findall(r"`([\w/.]+)`", line) for line in found] for room, found in lines.items()}
    assert said == {room: [allowed_imports(room)] for room in rooms()}


@pytest.mark.parametrize("document", DOCUMENTS)
def test_what_a_document_names_exists(document: str) -> None:
    assert missing(HOME / document) == []


@pytest.mark.parametrize("document", DOCUMENTS)
def test_functions_and_classes_that_a_document_names_exist(document: str) -> None:
    tokens = {token.partition("(")[0] for token in TOKEN.findall((HOME / document).read_text(encoding="utf-8"))}

    assert {token for token in tokens if IDENTIFIER.fullmatch(token)} - program_names() == set()


@cache
def program_names() -> frozenset[str]:
    """Return the names of functions, classes, fields, parameters and modules of the program."""
    paths = [HOME / name for name in sources.modules()]
    bound = (name for path in paths for names in BINDING.findall(path.read_text(encoding="utf-8")) for name in names)
    return frozenset((*bound, *(path.stem for path in paths)))


def test_paths_in_a_decision_that_holds_exist() -> None:
    decisions = sorted((HOME / "docs/decisions").glob("*.md"))
    holding = [each for each in decisions if "Superseded by" not in each.read_text(encoding="utf-8")]

    assert holding
    assert {each.name: names for each in holding if (names := missing(each))} == {}


def test_a_name_that_is_not_there_is_found() -> None:
    folder = HOME / "docs"

    assert is_there("designer.http.pages.page(request, template)", folder)
    assert is_there("estimator/kernels/*.py", folder)
    assert is_there("decisions/0001-no-service-by-default.md", folder)
    assert not is_there("designer.http.pages.sheet(request)", folder)
    assert not is_there("estimator/kernels/heat.py", folder)
    assert not is_there("designer.views.nothing", folder)
