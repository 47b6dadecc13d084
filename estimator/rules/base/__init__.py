"""What all rules share: the `Rule` itself, how findings are put together, and how a rule reads spec and estimate."""

from .explanation import Explanation, Source
from .rule import BIGTABLE, BOTH, Found, Rule

__all__ = ["BIGTABLE", "BOTH", "Explanation", "Found", "Rule", "Source"]
