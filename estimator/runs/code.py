"""Version of the program: results are stored with it, and another version computes them again."""

import hashlib
from functools import cache
from pathlib import Path

from designer.http.version import VERSION

_PACKAGES = ("designer/document", "estimator")
_APART = ("views", "models", "management", "migrations", "templatetags", "presentation", "rules", "catalogue")
"""What shows results or judges a design does not change them."""


@cache
def program_fingerprint() -> str:
    """Return the program's version and a hash of the computing code, the same in every installation."""
    root = Path(__file__).resolve().parents[2]
    digest = hashlib.sha256()
    for package in _PACKAGES:
        # Sorted, and by relative names with "/": the order and the names must not depend on the file system.
        for path in sorted((root / package).rglob("*.py")):
            if not set(path.relative_to(root).parts) & set(_APART):
                digest.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes())
    return f"{VERSION}+{digest.hexdigest()[:8]}"
