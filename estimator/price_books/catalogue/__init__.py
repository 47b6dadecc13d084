"""A dated price book from the Cloud Billing Catalog: each figure with its SKU, and all that was not understood."""

from .build import ImportedBook, SkippedSku, build_price_book
from .shape import CatalogueError

__all__ = ["CatalogueError", "ImportedBook", "SkippedSku", "build_price_book"]
