"""The design document: frozen models, the guesses for what is not set, edits, text forms."""

from .base import Element, Model
from .design import FORMAT, Engine, Ignore, Spec
from .guesses import assumed, assumptions, guess

__all__ = ["FORMAT", "Element", "Engine", "Ignore", "Model", "Spec", "assumed", "assumptions", "guess"]
