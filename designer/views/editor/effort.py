"""A bound on edits that are posted as data: no button makes as many as a client may send."""

from designer.document import Spec
from designer.document.edits import Batch, Edit
from designer.document.texts import N_
from designer.http.errors import DesignError

MOST_LOOKS = 2_000_000
"""At elements: each edit of a batch looks at all of the design, and so many take about a second."""
LONGEST_LABEL = 200


class TooManyChangesError(DesignError):
    """Error for a batch of more edits than fit into one request."""

    status = 422


def check_effort(edit: Edit, spec: Spec) -> None:
    """Raise TooManyChangesError for a batch that would take long in a design of this size."""
    steps = _count_steps(edit)
    is_long = isinstance(edit, Batch) and len(edit.label) > LONGEST_LABEL
    # Each step may add an element, so the design grows by as many while the batch is applied.
    if is_long or steps * (len(spec.by_id) + steps) > MOST_LOOKS:
        raise TooManyChangesError(N_("These are too many changes at once. Make them in several steps, or as text."))


def _count_steps(edit: Edit) -> int:
    return sum(map(_count_steps, edit.edits)) if isinstance(edit, Batch) else 1
