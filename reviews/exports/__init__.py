"""A design as files for other tools.

A format's module has a `FORMAT`; nothing but the one that is asked for is loaded.
"""

import importlib
import pkgutil
from collections.abc import Mapping

from .shared.content import ExportContent
from .shared.result import ExportRemark, ExportResult, File, Format

__all__ = [
    "NAMES",
    "ExportContent",
    "ExportRemark",
    "ExportResult",
    "File",
    "Format",
    "format_named",
    "formats_by_name",
]

_ORDER = ("json", "pdf", "markdown", "csv", "terraform", "cbt", "gcloud", "row_key_schema", "hbase", "tablestore")
_FOUND = {module.name for module in pkgutil.iter_modules(__path__) if not module.ispkg}

NAMES = (*(name for name in _ORDER if name in _FOUND), *sorted(_FOUND - set(_ORDER)))
"""What can be asked for: documents first, then definitions for tools."""


def format_named(name: str) -> Format:
    """Return the format with this name.

    Raises
    ------
    KeyError
        If there is none.
    """
    if name not in _FOUND:
        raise KeyError(name)
    export_format: Format = importlib.import_module(f"{__name__}.{name}").FORMAT
    return export_format


def formats_by_name() -> Mapping[str, Format]:
    """All formats by their names, in the order in which they are shown."""
    return {name: format_named(name) for name in NAMES}
