"""What all rules share: the `Rule` itself, how findings are put together, and how a rule reads spec and estimate."""

from .explanation import Explanation, Source
from .rule import BIGTABLE, BOTH, TABLESTORE, Found, Rule

__all__ = ["BIGTABLE", "BOTH", "TABLESTORE", "Explanation", "Found", "Rule", "Source"]
