"""The laws of the house that import contracts cannot hold: a core is a function, and imports stand at the top."""

import ast
import datetime
import io
import tokenize
from collections.abc import Iterator
from functools import cache

import pytest

from benchmarks.context import fresh_context
from designer.examples import example
from estimator.estimates.estimate import estimate
from tests import sources

pytestmark = sources.OF_SOURCES

CORES = tuple(
    f"designer/{name}" for name in ("application", "document", "wording", "editing", "imports")
) + tuple(
    f"estimator/{name}"
    for name in (
        "results", "engines", "kernels", "facts", "estimates", "simulation", "advice", "presentation", "comparison",
        "observations", "traces",
    )
) + tuple(
    f"reviews/{name}" for name in ("exports", "pdf", "discussion", "verdicts", "links", "drift", "trials")
)  # fmt: skip
"""What is a function of its arguments. Price books are read by `price_books`, which is none of these."""

CLOCKS = {"now", "today", "utcnow", "monotonic", "perf_counter", "process_time", "time_ns", "sleep"}
FORBIDDEN_MODULES = {"glob", "logging", "multiprocessing", "os", "random", "shutil", "socket", "subprocess", "tempfile"}
FILES = {"glob", "iterdir", "open", "read_bytes", "read_text", "rglob", "stat", "unlink", "write_bytes", "write_text"}
MUTABLE = {"Cache", "Counter", "OrderedDict", "WeakKeyDictionary", "WeakValueDictionary", "defaultdict", "deque"}

ALLOWED = {
    "designer/document/load.py: file path.open": "the door for files, given by who asks",
    "reviews/pdf/glyphs.py: file read_bytes": "data of a package, read once",
    "reviews/pdf/typesetting.py: file TEMPLATE.read_bytes": "data of this package",
    "reviews/trials/sample.py: import random": "generators with a seed that is given",
}


@cache
def breaches_of(core: str) -> tuple[str, ...]:
    names = (name for name in sources.modules() if name.startswith(f"{core}/"))
    return tuple(breach for name in names for breach in breaches(name))


def breaches(name: str) -> Iterator[str]:
    """Yield what makes a module more than functions of their arguments."""
    for node in sources.nodes(name):
        match node:
            case ast.Attribute(attr=attribute) if attribute in CLOCKS and _is_clock(node.value):
                yield f"{name}: clock {ast.unparse(node)}"
            case ast.Import() | ast.ImportFrom():
                imported = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or ""]
                for module in imported:
                    if module.split(".")[0] in FORBIDDEN_MODULES:
                        yield f"{name}: import {module}"
            case ast.Call(func=ast.Name(id="open")):
                yield f"{name}: file open"
            case ast.Call(func=ast.Attribute(attr=attribute)) if attribute in FILES:
                assert isinstance(node.func, ast.Attribute)
                known = isinstance(node.func.value, ast.Name)
                yield f"{name}: file {ast.unparse(node.func) if known else attribute}"
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                yield from _of_function(name, node)
            case ast.Global():
                yield f"{name}: global {', '.join(node.names)}"
    for statement in sources.tree(name).body:
        value = getattr(statement, "value", None)
        if isinstance(statement, ast.Assign | ast.AnnAssign) and isinstance(value, ast.Call):
            called = ast.unparse(value.func).partition("[")[0].rpartition(".")[2]
            if called in MUTABLE:
                yield f"{name}: state {called}"


def _is_clock(value: ast.expr) -> bool:
    return ast.unparse(value).split(".")[0] in {"date", "datetime", "time", "timezone"}


def _of_function(name: str, node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[str]:
    for default in (*node.args.defaults, *(each for each in node.args.kw_defaults if each)):
        if isinstance(default, ast.List | ast.Dict | ast.Set):
            yield f"{name}: mutable default of {node.name}"
    for decorator in node.decorator_list:
        text = ast.unparse(decorator)
        arguments = [argument for argument in node.args.args if not _is_finite(argument)]
        if text in ("cache", "functools.cache", "lru_cache(maxsize=None)") and arguments:
            yield f"{name}: unbounded cache {node.name}"


def _is_finite(argument: ast.arg) -> bool:
    """Whether there are only so many values: classes, their fields, and names of engines."""
    text = ast.unparse(argument.annotation) if argument.annotation else ""
    return text.startswith("type") or text in ("Engine", "Slot") or argument.arg in ("field", "name")


@pytest.mark.parametrize("core", CORES)
def test_a_core_is_a_function(core: str) -> None:
    assert [breach for breach in breaches_of(core) if breach not in ALLOWED] == []


def test_what_is_allowed_is_there() -> None:
    found = {breach for core in CORES for breach in breaches_of(core)}

    assert set(ALLOWED) <= found


LATE = {
    "designer/document/keytext/read.py": "patterns of other notations are heavy, and of use for a refused text alone",
    "designer/document/load.py": "the reader of YAML is heavy, and of no use to JSON",
    "estimator/advice/rules/keys/key_without_fields.py": "patterns of other notations are heavy, and of rare use",
    "estimator/management/design_files.py": "the writer of YAML is heavy, and of no use to JSON",
    "estimator/comparison/designs/changes.py": "words are heavy, and of no use where nothing is changed",
    "estimator/management/commands/lint.py": "what judges is heavy, and of no use to what was judged before",
    "reviews/exports/pdf.py": "typst is heavy",
    "reviews/management/commands/export.py": "typst is heavy",
    "reviews/management/commands/mcp.py": "the SDK is an extra, and heavy",
}


def test_no_part_of_the_program_is_imported_inside_a_function() -> None:
    found = set()
    for name in sources.modules():
        if name.startswith("config/"):
            continue
        functions = (node for node in sources.nodes(name) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
        for node in (each for function in functions for each in ast.walk(function)):
            own = isinstance(node, ast.ImportFrom) and (
                node.level > 0 or (node.module or "").split(".")[0] in {"config", "designer", "estimator", "reviews"}
            )
            if own:
                found.add(name)

    assert found - set(LATE) == set()


INPUT = {"GET", "POST", "FILES", "COOKIES", "META", "body", "headers"}
READS = {
    "config/limits.py META": "the announced length, before anything of the body is read",
}


def test_views_read_a_request_only_by_the_door_for_input() -> None:
    """`designer/http/parameters.py` says what a request's texts, numbers and files are."""
    found = {
        f"{name} {node.attr}"
        for name in sources.modules()
        if not name.startswith("designer/http/")
        for node in sources.nodes(name)
        if isinstance(node, ast.Attribute) and node.attr in INPUT and ast.unparse(node.value).endswith("request")
    }

    assert found == set(READS)


def test_two_contexts_in_one_process_share_nothing() -> None:
    spec = example("mobile-devices").spec
    first, second = fresh_context(), fresh_context()
    books = {name: book for name, book in second.price_books.by_name.items() if name not in second.price_books.shipped}
    bare = type(second)(
        datetime.date(2030, 1, 1), type(second.price_books)(books, frozenset()), second.measurements, second.cache
    )

    priced, again, unpriced = estimate(spec, first), estimate(spec, first), estimate(spec, bare)

    table = spec.tables[0].id
    assert again.tables[table] is priced.tables[table]
    assert unpriced.tables[table] is not priced.tables[table]
    assert priced.bills
    assert not unpriced.bills
    first.cache.clear()
    assert len(first.cache) == 0
    assert estimate(spec, bare).tables[table] is unpriced.tables[table]


CODE_LINES = 300
"""Of a module: lines of code, without blank ones, comments and docstrings."""
STATEMENTS = 40
CHILDREN = 30
DEPTH = 5
"""Folders above a module."""

OVERSIZED = {
    "designer/document: 43 children": "the classes of a document's parts, which everything imports from here",
}
"""These may become smaller, and no others may be added."""


def oversized_modules() -> Iterator[str]:
    for name in sources.modules():
        is_long = (sources.ROOT / name).read_bytes().count(b"\n") > CODE_LINES
        lines = len(code_lines(name)) if is_long and "/migrations/" not in name else 0
        if lines > CODE_LINES:
            yield f"{name}: {lines} lines"
        for node in sources.nodes(name):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                count = sum(1 for _ in statements(node.body))
                if count > STATEMENTS:
                    yield f"{name}: {node.name} has {count} statements"
        if name.count("/") > DEPTH:
            yield f"{name}: below {name.count('/')} folders"


def statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements of a function; those of functions inside of it are not its own."""
    for one in body:
        yield one
        if not isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            for field in ("body", "orelse", "finalbody", "handlers", "cases"):
                for inner in getattr(one, field, []):
                    yield from statements([inner] if isinstance(inner, ast.stmt) else inner.body)


def code_lines(name: str) -> set[int]:
    """Return the numbers of lines that hold code."""
    layout = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO((sources.ROOT / name).read_text(encoding="utf-8")).readline):
        if token.type not in layout:
            lines.update(range(token.start[0], token.end[0] + 1))
    for node in sources.nodes(name):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            lines -= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return lines


def crowded_folders() -> Iterator[str]:
    children: dict[str, set[str]] = {}
    for name in sources.modules():
        parts = name.split("/")
        for place in range(1, len(parts)):
            if parts[place] != "__init__.py" and "migrations" not in parts:
                children.setdefault("/".join(parts[:place]), set()).add(parts[place])
    return (f"{folder}: {len(held)} children" for folder, held in children.items() if len(held) > CHILDREN)


def test_modules_functions_and_folders_are_small() -> None:
    assert {*oversized_modules(), *crowded_folders()} - set(OVERSIZED) == set()


def test_what_may_be_oversized_is() -> None:
    assert set(OVERSIZED) - {*oversized_modules(), *crowded_folders()} == set()


DEPTHS = {"estimator/runs/code.py"}
"""The module that looks for a file of the project by its own depth; others ask the settings, or have it beside them."""


def test_no_module_knows_its_depth() -> None:
    found = {
        name
        for name in sources.modules()
        for node in sources.nodes(name)
        if isinstance(node, ast.Attribute) and node.attr == "parents" and "__file__" in ast.unparse(node.value)
    }

    assert found == DEPTHS
