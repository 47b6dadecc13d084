"""Names of the program, read from its syntax trees: what a function, class or exception may be called."""

import ast
import builtins
import doctest
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import NamedTuple

from tests import sources

pytestmark = sources.OF_SOURCES

IRREGULAR = {
    "begun", "bent", "bought", "broken", "brought", "built", "caught", "chosen", "done", "drawn", "driven", "fallen",
    "felt", "forgotten", "found", "given", "gone", "grown", "heard", "held", "hidden", "kept", "known", "laid", "led",
    "left", "lent", "lost", "made", "meant", "met", "mistaken", "overridden", "paid", "proven", "rewritten", "risen",
    "said", "seen", "sent", "shown", "sold", "sought", "spent", "spoken", "stood", "struck", "sunk", "sworn", "taken",
    "taught", "thought", "thrown", "told", "torn", "understood", "undone", "unknown", "unsaid", "won", "worn", "woven",
    "written",
}  # fmt: skip
"""Past participles that do not end in -ed, but for those that are verbs or nouns as well: bound, read, split."""
NO_PARTICIPLES = {
    "bed", "bleed", "breed", "embed", "exceed", "feed", "hundred", "need", "proceed", "red", "seed", "shed", "speed",
    "succeed",
}  # fmt: skip
"""Words in -ed that are no participles."""
VERBS = {
    "apply", "build", "can", "check", "clip", "count", "create", "describe", "draft", "encode", "find", "format",
    "from", "get", "has", "hold", "holds", "is", "list", "load", "make", "mark", "may", "measure", "merge", "needs",
    "order", "parse", "read", "render", "resolve", "return", "say", "set", "sort", "to", "walk", "was", "were",
}  # fmt: skip
"""First words after which a participle says what is acted on, or what holds."""
SHARED = {"Command", "Config", "Meta", "Migration", "Part"}
"""Class names that Django gives, and Part: a table and the document's schema have it in their names."""

OTHERS_EXCEPTIONS = {
    "CommandError",
    "Http404",
    "ImproperlyConfigured",
    "ObjectDoesNotExist",
    "PermissionDenied",
    "ValidationError",
}
"""What libraries raise."""


class Definition(NamedTuple):
    """A function or a class of the program."""

    path: str
    line: int
    name: str
    bases: tuple[str, ...] | None
    """Last words of the names of a class's bases; None for a function."""


@cache
def definitions() -> tuple[Definition, ...]:
    return tuple(_definitions())


def _definitions() -> Iterator[Definition]:
    for name in sources.modules():
        if "migrations" not in name.split("/"):
            for node in sources.nodes(name):
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                    yield Definition(name, node.lineno, node.name, None)
                elif isinstance(node, ast.ClassDef):
                    bases = tuple(ast.unparse(base).rpartition(".")[2] for base in node.bases)
                    yield Definition(name, node.lineno, node.name, bases)


def is_participle(word: str) -> bool:
    """Return whether a word is a past participle: an irregular one, or one in -ed that is no other word."""
    return word in IRREGULAR or (len(word) > 3 and word.endswith("ed") and word not in NO_PARTICIPLES)


def is_bare_participle(name: str) -> bool:
    """Return whether a name is a bare participle.

    It is one if its last word is a past participle, so that no noun says what was made, found or kept, and its first
    word is no verb: `stored`, `_rows_found`; not `stored_bytes`, `is_stored`, `find_used`.
    """
    words = name.strip("_").split("_")
    return is_participle(words[-1]) and (len(words) == 1 or words[0] not in VERBS)


def test_a_participle_is_bare_without_a_verb_before_it_or_a_noun_after_it() -> None:
    bare = ["stored", "_made", "rows_found", "_read_and_grown"]
    fine = ["stored_bytes", "is_stored", "find_used", "seed", "needs_feed", "read"]
    assert [name for name in (*bare, *fine) if is_bare_participle(name)] == bare[:3]


def test_functions_are_not_named_by_a_bare_participle() -> None:
    functions = [each for each in definitions() if each.bases is None]
    bare = [f"{each.path}:{each.line} {each.name}" for each in functions if is_bare_participle(each.name)]
    assert len(bare) <= len(functions) / 100, "\n".join(bare)


VAGUE = {
    "asked", "each", "found", "given", "held", "kept", "known", "made", "missed", "one", "said", "seen", "served",
    "shown", "taken", "told", "wanted",
}  # fmt: skip
"""They say that something happened to a value, or that there is one, and not what it is."""


def variables() -> Iterator[str]:
    """Yield the names of variables and parameters, each where it is given."""
    for path in sources.modules():
        for node in sources.nodes(path):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                yield f"{path}:{node.lineno} {node.id}"
            elif isinstance(node, ast.arg):
                yield f"{path}:{node.lineno} {node.arg}"


def test_variables_say_what_they_hold() -> None:
    names = list(variables())
    vague = [name for name in names if name.rpartition(" ")[2] in VAGUE]
    assert len(vague) <= len(names) / 200, "\n".join(vague)


def test_public_class_names_are_unique() -> None:
    places = defaultdict(list)
    for each in definitions():
        if each.bases is not None and not each.name.startswith("_") and each.name not in SHARED:
            places[each.name].append(each.path)
    assert {name: paths for name, paths in places.items() if len(paths) > 1} == {}


def test_exceptions_end_in_error() -> None:
    bases = {each.name: set(each.bases) for each in definitions() if each.bases is not None}
    exceptions = {"BaseException", "Exception", "Http404", "SystemExit"}
    while more := {name for name, of in bases.items() if name not in exceptions and is_exception(of, exceptions)}:
        exceptions |= more
    assert sorted(name for name in exceptions & bases.keys() if not name.endswith("Error")) == []


def is_exception(bases: set[str], exceptions: set[str]) -> bool:
    return any(base in exceptions or base.endswith(("Error", "Exception")) for base in bases)


QUESTION = re.compile(r"(?:What|Which|Whether|Who|Whose|Whom|Where|When|Why|How)\b")


def begins_with_a_question(docstring: str | None) -> bool:
    """Return whether the first word asks instead of naming a thing or an action."""
    return QUESTION.match(docstring or "") is not None


def test_docstrings_name_what_they_describe() -> None:
    asking = [
        f"{module}: {ast.get_docstring(node)}"
        for module in sources.modules()
        for node in sources.nodes(module)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and begins_with_a_question(ast.get_docstring(node))
    ]

    assert asking == []
    assert begins_with_a_question("Whether keys fill.")
    assert not begins_with_a_question("Wholly unknown keys.")


REST = re.compile(r"(?:About|After|As|At|Before|Behind|By|For|From|In|No|Not|Nothing|Of|Out|So|To|Up|Without)\b")


def begins_amid_a_sentence(docstring: str | None) -> bool:
    """Return whether the first word goes on with a sentence whose beginning is only in the function's name."""
    return REST.match(docstring or "") is not None


def test_docstrings_of_functions_say_what_they_return_or_do() -> None:
    unsaid = [
        f"{module}: {node.name}: {ast.get_docstring(node)}"
        for module in sources.modules()
        for node in sources.nodes(module)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and not any("property" in ast.unparse(decorator) for decorator in node.decorator_list)
        and begins_amid_a_sentence(ast.get_docstring(node))
    ]

    assert unsaid == []
    assert begins_amid_a_sentence("Of every table.")
    assert not begins_amid_a_sentence("Offer every table.")


def test_docstrings_name_exceptions_that_exist() -> None:
    known = {each.name for each in definitions() if each.bases is not None} | set(dir(builtins)) | OTHERS_EXCEPTIONS

    unknown = [
        f"{module}: {name}"
        for module in sources.modules()
        for node in sources.nodes(module)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        for section in re.findall(
            r"^Raises\n-+\n(.*?)(?:\n\n|\Z)", ast.get_docstring(node) or "", re.DOTALL | re.MULTILINE
        )
        for line in re.findall(r"^[A-Z].*$", section, re.MULTILINE)
        for name in re.findall(r"\w+", line)
        if name not in known
    ]

    assert not unknown, "\n".join(unknown)


def test_docstrings_name_parameters_that_exist() -> None:
    unknown = [
        f"{module}: {node.name}({name})"
        for module in sources.modules()
        for node in sources.nodes(module)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        for name in described_parameters(ast.get_docstring(node) or "")
        if name not in {each.arg for each in ast.walk(node.args) if isinstance(each, ast.arg)}
    ]

    assert not unknown, "\n".join(unknown)
    assert described_parameters("Do.\n\nParameters\n----------\na, b : float\n    [s]\nc\n\nReturns\n") == [
        "a",
        "b",
        "c",
    ]


def described_parameters(docstring: str) -> list[str]:
    """Return the names that head the paragraphs of a section about parameters."""
    sections = re.findall(r"^Parameters\n-+\n(.*?)(?:\n\n|\Z)", docstring, re.DOTALL | re.MULTILINE)
    heads = [head for section in sections for head in re.findall(r"^[a-z_][\w, ]*(?= :|$)", section, re.MULTILINE)]
    return [name for head in heads for name in re.split(r", ", head)]


def test_examples_in_docstrings_hold() -> None:
    with_examples = [module for module in sources.modules() if ">>> " in (sources.ROOT / module).read_text("utf-8")]
    failed = {module: doctest.testmod(import_module(name_of(module))).failed for module in with_examples}

    assert len(failed) > 10
    assert [module for module, count in failed.items() if count] == []


def name_of(module: str) -> str:
    return module.removesuffix(".py").replace("/", ".").removesuffix(".__init__")
