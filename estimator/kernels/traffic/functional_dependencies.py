"""Fields that a field's value determines: a device has one seller, the seller one country."""

from collections.abc import Iterator

from designer.document import Spec
from estimator.kernels.keys.values.drawn_fields import owner_chain


def owner_ids(spec: Spec, field: str) -> Iterator[str]:
    """Ids of the fields that the field belongs to, nearest first; a circle ends where it closes."""
    return reversed(owner_chain(spec, field)[:-1])
