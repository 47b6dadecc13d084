"""Fields that a field's value determines: a device has one seller, the seller one country."""

from collections.abc import Iterator

from designer.document import Spec, owner_id


def owner_ids(spec: Spec, field: str) -> Iterator[str]:
    """Ids of the fields that the field belongs to, nearest first; a circle ends where it closes."""
    visited, at = {field}, owner_id(spec, field)
    while at is not None and at not in visited:
        yield at
        visited.add(at)
        at = owner_id(spec, at)
