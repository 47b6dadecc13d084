"""Changes of a design as data: they are previewed, posted, stored and undone, and never overwrite what another changed.

An edit applies to the head of the design. `was` is its only precondition: the head equals `was`, and it applies; the
head has the new value already, and there is nothing to do; else it is a `EditConflictError`. Names may go through a
part that is always there: `instance.edition`, `value.kind`. The design itself is the element `""`.
"""

from .apply import apply
from .conflicts import EditConflictError, ElementInUseError, InvalidResultError
from .kinds import NOTHING, Batch, Clear, Edit, Insert, Move, Remove, ReplaceAll, Set
from .lookup import current_value
from .removals import hash_of, insertion, removal, removal_with_uses
from .rewrites import rename_index_tables, rewrite_list

__all__ = [
    "NOTHING",
    "Batch",
    "Clear",
    "Edit",
    "EditConflictError",
    "ElementInUseError",
    "Insert",
    "InvalidResultError",
    "Move",
    "Remove",
    "ReplaceAll",
    "Set",
    "apply",
    "current_value",
    "hash_of",
    "insertion",
    "removal",
    "removal_with_uses",
    "rename_index_tables",
    "rewrite_list",
]  # fmt: skip
