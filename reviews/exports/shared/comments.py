"""Comments in files: always one line, whatever stands in the text."""


def one_line(text: str) -> str:
    """The text without line ends and other characters that do not show, which could end a comment or reorder a line."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def comment(text: str) -> str:
    """A comment as shells, Terraform, YAML and Ruby know it."""
    return f"# {one_line(text)}"
