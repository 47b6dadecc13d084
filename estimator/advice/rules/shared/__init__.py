"""Shared parts of all rules: `Rule`, construction of findings, and access to spec and estimate."""

from .explanation import Explanation, SourceReference
from .rule import BIGTABLE, BOTH, TABLESTORE, Rule, Violation

__all__ = ["BIGTABLE", "BOTH", "TABLESTORE", "Explanation", "Rule", "SourceReference", "Violation"]
