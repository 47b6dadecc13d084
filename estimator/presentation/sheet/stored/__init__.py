"""A table as it is stored."""

from .rows import table_rows
from .views import TableRows

__all__ = ["TableRows", "table_rows"]
