"""Lines that are too long go on below, after one of their commas."""

from collections.abc import Iterable, Iterator

from .yaml_text import yaml_scalar

WIDTH = 120
"""A part that fits into so many characters stands on one line."""
MOST_LINES = 3
"""A part whose arguments need more lines of that width has a line for each of them."""


def fold_line(head: str, line: str | None, indent: int) -> str | None:
    """Return a line after its head, broken between arguments where it is too long; None where that does not help."""
    if not line:
        return None if line is None else f"{head} {{}}"
    # Quoted first and folded then: YAML reads a line break within a scalar as one space, in quotes as well.
    scalar = yaml_scalar(line)
    is_escaped = not line.isprintable()
    out = [head]
    for number, argument in enumerate([scalar] if is_escaped else _top_arguments(scalar)):
        room = WIDTH - 2 * (indent + (len(out) > 1))
        if number == 0 or len(out[-1]) + 1 + len(argument) <= room:
            out[-1] += f" {argument}"
        else:
            out.append(argument)
    fits = all(len(text) + 2 * (indent + (at > 0)) <= WIDTH for at, text in enumerate(out))
    return "\n".join(out) if fits and len(out) <= MOST_LINES else None


def wrap(arguments: Iterable[str], width: int) -> Iterator[str]:
    """Yield lines of as many arguments as fit, at least one each."""
    line = ""
    for argument in arguments:
        if line and len(line) + 2 + len(argument) > width:
            yield line
            line = ""
        line += f", {argument}" if line else argument
    if line:
        yield line


def _top_arguments(line: str) -> list[str]:
    """Return the arguments of a line, each with the comma behind it."""
    arguments, start, depth, is_quoted = list[str](), 0, 0, False
    signs = iter(enumerate(line))
    for at, sign in signs:
        # The sign after a backslash is escaped, also if it is a quote.
        if is_quoted and sign == "\\":
            next(signs)
        elif sign == '"':
            is_quoted = not is_quoted
        elif not is_quoted:
            depth += (sign in "([") - (sign in ")]")
            if sign == "," and depth == 0:
                arguments.append(line[start : at + 1])
                start = at + 2
    return [*arguments, line[start:]]
