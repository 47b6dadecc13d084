"""Findings as the design supports them: what depends on an assumed value is a question, not a warning or an error."""

from ..rules.shared.run import RuleFailure
from .lint import lint

__all__ = ["RuleFailure", "lint"]
