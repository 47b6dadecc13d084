"""Words of a shell command (bash): each is one argument, byte for byte; nothing in it is expanded or executed."""

import shlex

WIDTH = 110


class Bare(str):
    """Text that is written to the script unquoted, such as "$INSTANCE"."""

    __slots__ = ()


def quote_argument(argument: str | bytes) -> str:
    """Return the argument, quoted.

    >>> print(quote_argument("a b"), quote_argument(b"\\xff'"), quote_argument("plain"))
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
        return _ansi_quote(raw)
    return shlex.quote(text) if text.isprintable() else _ansi_quote(raw)


def _ansi_quote(raw: bytes) -> str:
    """Return the text in bash's form with escapes: all but plain ASCII is written byte by byte."""
    return "$'" + "".join(_escape_byte(byte) for byte in raw) + "'"


def _escape_byte(byte: int) -> str:
    if byte in b"'\\":
        return "\\" + chr(byte)
    return chr(byte) if 0x20 <= byte < 0x7F else f"\\x{byte:02x}"


def command(*arguments: str | bytes) -> str:
    """Return a command on one line."""
    return " ".join(map(quote_argument, arguments))


def long_command(*arguments: str | bytes) -> str:
    """Return a command, with each flag on a line of its own if one line would be too long."""
    line = command(*arguments)
    if len(line) <= WIDTH:
        return line
    flags = [quote_argument(argument) for argument in arguments]
    return "".join(f" \\\n    {flag}" if flag.lstrip("'").startswith("--") else f" {flag}" for flag in flags).lstrip()


def value_or_variable(description: str, name: str, value: object) -> str:
    """Return a value that needs no quotes, or a variable that the user of the script must set."""
    if value is not None:
        return str(value)
    variable = f"{description}_{name.replace('-', '_').upper()}"
    return Bare(f'"${{{variable}:?set {variable}}}"')


def project_line(project: str | None) -> str:
    """Return the line of a script that takes the project from the environment, or else from the design."""
    if project is None:
        return ': "${PROJECT:?set PROJECT to the id of your Google Cloud project}"'
    return f'PROJECT="${{PROJECT:-{project}}}"'
