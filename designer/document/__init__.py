"""The design document `Spec`, its edits and key text."""

from .base import Element, Model
from .design import FORMAT, Engine, Ignore, Spec
from .dump import dump, fingerprint
from .guesses import assumed, assumptions, guess
from .load import load, load_file
from .validation_errors import Unusable

__all__ = [
    "FORMAT", "Element", "Engine", "Ignore", "Model", "Spec", "Unusable",
    "assumed", "assumptions", "dump", "fingerprint", "guess", "load", "load_file",
]  # fmt: skip
