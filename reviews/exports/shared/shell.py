"""Words of a shell command (bash): each is one argument, byte for byte; nothing in it is expanded or executed."""

import shlex

WIDTH = 110


class Bare(str):
    """Text that is written to the script unquoted, such as "$INSTANCE"."""

    __slots__ = ()


def word(argument: str | bytes) -> str:
    """Return the argument, quoted.

    >>> print(word("a b"), word(b"\\xff'"), word("plain"))
    'a b' $'\\xff\\'' plain

    Raises
    ------
    ValueError
        If the argument has a NUL, which no argument can contain.
    """
    if isinstance(argument, Bare):
        return str(argument)
    raw = argument if isinstance(argument, bytes) else argument.encode()
    if b"\0" in raw:
        raise ValueError("an argument cannot hold a NUL")
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        return _ansi(raw)
    return shlex.quote(text) if text.isprintable() else _ansi(raw)


def _ansi(raw: bytes) -> str:
    """In bash's form with escapes: all but plain ASCII is written byte by byte."""
    return "$'" + "".join(_byte(one) for one in raw) + "'"


def _byte(one: int) -> str:
    if one in b"'\\":
        return "\\" + chr(one)
    return chr(one) if 0x20 <= one < 0x7F else f"\\x{one:02x}"


def command(*arguments: str | bytes) -> str:
    """Return a command on one line."""
    return " ".join(map(word, arguments))


def long_command(*arguments: str | bytes) -> str:
    """Return a command, with each flag on a line of its own if one line would be too long."""
    line = command(*arguments)
    if len(line) <= WIDTH:
        return line
    flags = [word(each) for each in arguments]
    return "".join(f" \\\n    {flag}" if flag.lstrip("'").startswith("--") else f" {flag}" for flag in flags).lstrip()


def asked(what: str, name: str, held: object) -> str:
    """Return a value that needs no quotes, or a variable that the user of the script must set."""
    if held is not None:
        return str(held)
    variable = f"{what}_{name.replace('-', '_').upper()}"
    return Bare(f'"${{{variable}:?set {variable}}}"')
