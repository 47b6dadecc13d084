"""Shared parts of all rules: `Rule`, construction of findings, and access to spec and estimate."""

from .explanation import Explanation, Source
from .rule import BIGTABLE, BOTH, TABLESTORE, Found, Rule

__all__ = ["BIGTABLE", "BOTH", "TABLESTORE", "Explanation", "Found", "Rule", "Source"]
