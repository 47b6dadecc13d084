"""Changes of a design as data: they are previewed, posted, stored and undone, and never overwrite what another changed.

An edit applies to the head of the design. `was` is its only precondition: the head equals `was`, and it applies; the
head has the new value already, and there is nothing to do; else it is a `Conflict`. Names may go through a part that is
always there: `instance.edition`, `value.kind`. The design itself is the element `""`.
"""

from .apply import apply
from .conflicts import Conflict, InUse, Invalid
from .kinds import NOTHING, Batch, Clear, Edit, Insert, Move, Remove, ReplaceAll, Set
from .lookup import value_of
from .removals import hash_of, insertion, removal, removal_with_uses
from .rewrites import rewritten

__all__ = [
    "NOTHING", "Batch", "Clear", "Conflict", "Edit", "InUse", "Insert", "Invalid", "Move", "Remove", "ReplaceAll",
    "Set", "apply", "hash_of", "insertion", "removal", "removal_with_uses", "rewritten", "value_of",
]  # fmt: skip
