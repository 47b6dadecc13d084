"""Comments in files: always one line, whatever stands in the text."""


def one_line(text: str) -> str:
    """Return the text without line ends and invisible characters.

    They could end a comment or reorder a line.
    """
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def comment(text: str) -> str:
    """Return a comment in the syntax of shells, Terraform, YAML and Ruby."""
    return f"# {one_line(text)}"
