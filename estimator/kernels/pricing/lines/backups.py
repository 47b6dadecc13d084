"""Backups: incremental, in each cluster that is backed up and in each region that gets copies.

They share what has not changed with the table: at least what changed while they are kept, at most as many full copies
as are kept; expected is one full copy and the changes. Copies in another region have no table to share with, so they
are at least one full copy. No public price was found.
Source: Bigtable, "Backups" (read 2026-11-20).
"""

from collections.abc import Iterator

from designer.document import effective_value
from designer.document.texts import N_
from estimator.engines import GiB
from estimator.kernels.capacity.amounts import BillMonth, Charge, price_charge, round_quantity
from estimator.kernels.capacity.demand import region_of
from estimator.results import BillLine

ORDER = 60


def backup_gib(table_gib: float, changed_gib_per_day: float, kept_days: float, every_hours: float) -> tuple[float, ...]:
    """Return the expected, least and most GiB of one table's retained backups in one place.

    >>> backup_gib(100, 2, 7, 24)
    (114, 14, 700.0)
    """
    copies = max(kept_days * 24 / every_hours, 1.0)
    most = copies * table_gib
    changed = min(changed_gib_per_day * kept_days, most)
    return min(table_gib + changed, most), changed, most


def lines(month: BillMonth) -> Iterator[BillLine]:
    """One line per backup and place: the first cluster (automated ones: every cluster), then the regions of copies."""
    stored, changed = month.mean_stored() / GiB, month.demand.changed_per_day[:, month.index] / GiB
    storage = effective_value(month.spec, month.spec.instance, "storage")
    own_regions = {region_of(cluster) for cluster in month.demand.clusters}
    for plan in month.demand.backups:
        table, backup = month.demand.tables[plan.table], plan.backup
        kind = f"bigtable.backup.{backup.kind}"
        skus = (kind, f"{kind}.{storage}", "bigtable.backup")
        clusters = month.demand.clusters if backup.automated else month.demand.clusters[:1]
        regions = (*(region_of(c) for c in clusters), *backup.copies)
        if all(month.can_omit(skus, region) for region in regions):
            continue
        sizes = backup_gib(float(stored[plan.table]), float(changed[plan.table]), plan.kept_days, plan.every_hours)
        amount, low, high = map(round_quantity, sizes)
        full_copy = min(round_quantity(float(stored[plan.table])), amount)
        for region in regions:
            yield price_charge(
                month,
                Charge(
                    item="backup",
                    label=N_("Backups of “{table}” in {region}"),
                    at=backup.id,
                    skus=skus,
                    where=region,
                    amount=amount,
                    unit="GiB-month",
                    formula=N_("{amount} GiB (one full copy and {kept_days} of changes) × {unit_price}"),
                    params={"table": table.label, "region": region, "kept_days": plan.kept_days},
                    low=low if region in own_regions else max(low, full_copy),
                    high=high,
                ),
            )
