"""Java methods that verify test vectors, each within the 64 KiB of code that a method may have."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from .writing import pascal_name

MOST_CHARACTERS = 50_000
"""Of a method's source: its code is shorter than what says it."""


@dataclass(frozen=True)
class JavaCheck:
    """One call without what closes it, with the ends of ranges that it compares as its last arguments."""

    call: str
    ends: tuple[str, ...] = ()

    @property
    def source(self) -> str:
        """Source of the statement."""
        return f"    {', '.join([self.call, *self.ends])});"


@dataclass(frozen=True)
class KeyChecks:
    """Statements that verify the keys of a row kind, and the number of its test vectors."""

    name: str
    statements: Iterable[JavaCheck]
    count: int


def verify_methods(keys: Sequence[KeyChecks]) -> Iterator[str]:
    """Yield a method for each row kind, in parts where one would be too large, and the one that calls them."""
    for key in keys:
        yield from _methods_of_key(key)
    calls = " + ".join(f"verify{pascal_name(key.name)}()" for key in keys)
    about = "/** Makes the key of every test vector, and returns how many there are; an exception if one differs. */"
    yield f"  {about}\n  public static int verify() {{\n    return {calls};\n  }}"


def _methods_of_key(key: KeyChecks) -> Iterator[str]:
    name, statements = pascal_name(key.name), list[str]()
    for number, one in enumerate(key.statements, 1):
        said = one.source
        if len(said) > MOST_CHARACTERS:
            methods, said = _split_ends(one, f"ends{name}{number}")
            yield from methods
        statements.append(said)
    parts = _in_parts(statements)
    if len(parts) > 1:
        for number, part in enumerate(parts, 1):
            head = f"  private static byte[] verify{name}{number}(byte[] previous) {{"
            yield "\n".join([head, *part, "    return previous;", "  }"])
        statements = [f"    previous = verify{name}{number}(previous);" for number in range(1, len(parts) + 1)]
    begin = [f"  private static int verify{name}() {{", "    byte[] previous = {};"]
    yield "\n".join([*begin, *statements, f"    return {key.count};", "  }"])


def _split_ends(one: JavaCheck, name: str) -> tuple[list[str], str]:
    """Return methods that give the ends of many ranges, and the statement with what they give together."""
    methods = [
        f"  private static String[] {name}Of{number}() {{\n    return new String[] {{{', '.join(part)}}};\n  }}"
        for number, part in enumerate(_in_parts(one.ends), 1)
    ]
    calls = ", ".join(f"{name}Of{number}()" for number in range(1, len(methods) + 1))
    return methods, f"    {one.call}, Stream.of({calls}).flatMap(Arrays::stream).toArray(String[]::new));"


def _in_parts(texts: Iterable[str]) -> list[list[str]]:
    """Return the texts in parts that each have room in a method."""
    parts, length = [list[str]()], 0
    for text in texts:
        if length + len(text) > MOST_CHARACTERS and parts[-1]:
            parts.append([])
            length = 0
        parts[-1].append(text)
        length += len(text)
    return parts
