"""The design document `Spec`, its edits and key text."""

from .assumptions import assumptions
from .base import Element, Model
from .design import FORMAT, Engine, Ignore, Spec
from .dump import dump, fingerprint
from .guesses import assumed, guess, owner_id, owner_of, write_mode
from .load import load, load_file
from .validation_errors import Unusable

__all__ = [
    "FORMAT", "Element", "Engine", "Ignore", "Model", "Spec", "Unusable",
    "assumed", "assumptions", "dump", "fingerprint", "guess", "load", "load_file", "owner_id", "owner_of", "write_mode",
]  # fmt: skip
