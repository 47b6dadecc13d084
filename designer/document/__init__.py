"""The design document `Spec`, its edits and key text."""

from .assumptions import assumptions
from .base import Element, Model
from .design import FORMAT, Engine, Ignore, Spec
from .dump import dump, fingerprint
from .guesses import effective_value, guess, owner_id, owner_of, write_mode
from .load import load, load_file
from .validation_errors import InvalidDocumentError

__all__ = [
    "FORMAT",
    "Element",
    "Engine",
    "Ignore",
    "InvalidDocumentError",
    "Model",
    "Spec",
    "assumptions",
    "dump",
    "effective_value",
    "fingerprint",
    "guess",
    "load",
    "load_file",
    "owner_id",
    "owner_of",
    "write_mode",
]  # fmt: skip
