"""Reports of lint, one format per file; a file is loaded when its format is asked for."""

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .checked_design import CheckedDesign
    from .unchecked_file import UncheckedFile

FORMATS: Mapping[str, str] = {
    "text": "text", "json": "json_data", "sarif": "sarif", "github": "github", "gitlab": "gitlab", "junit": "junit",
}  # fmt: skip
"""The file of each format; it has the function `FORMAT_report`."""


def report(format_name: str, designs: "Sequence[CheckedDesign]", unchecked: "Sequence[UncheckedFile]" = ()) -> str:
    """Return the findings of designs in one of the formats, and what could not be checked."""
    module = import_module(f"{__name__}.{FORMATS[format_name]}")
    text: str = getattr(module, f"{format_name}_report")(designs, unchecked)
    return text
