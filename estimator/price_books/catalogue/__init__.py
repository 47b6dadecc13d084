"""A dated price book from the Cloud Billing Catalog: each figure with its SKU, and all that was not understood."""

from .build import LeftOut, Made, made
from .shape import CatalogueError

__all__ = ["CatalogueError", "LeftOut", "Made", "made"]
