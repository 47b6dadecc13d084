"""Parts of tables made by hand, so that money is tested without keys and traffic."""

import datetime

import numpy as np

from designer.document import Spec
from estimator.engines import GiB
from estimator.kernels.pricing import build_bills, cluster_nodes
from estimator.price_books.shelf import load_book
from estimator.results import AccessHours, Heat, IndivisibleLoad, ReadPlan, TableGrowth, TablePart, TableTraffic


def spec_of(*, months=1, start="2026-01-01", tables=None, activities=(), **instance):
    """A design with table `t` (unless others are given) and this instance."""
    return Spec.model_validate(
        {
            "start": start,
            "horizon_months": months,
            "activities": activities,
            "tables": tables or [{"id": "t", "name": "t"}],
            "instance": instance,
        }
    )


def cluster(id="c1", region="us-central1", **more):  # noqa: A002
    """A cluster; `nodes` as a number is a fixed count."""
    if isinstance(more.get("nodes"), int):
        more["nodes"] = {"kind": "fixed", "count": more["nodes"]}
    return {"id": id, "name": id, "region": region} | more


def growth(
    *gib, mutation_bytes_per_second=0.0, changed_gib_per_day=0.0, band=(1.0, 1.0), infrequent_gib=None, kinds=(), **more
):
    """Physical GiB at the start and after each month."""
    stored = np.array(gib, dtype=np.float64) * GiB
    return TableGrowth(
        dates=tuple(datetime.date(2026, 1 + i, 1) if i < 12 else datetime.date(2027, 1, 1) for i in range(len(gib))),
        rows=np.ones(len(gib)), logical_bytes=stored, physical_bytes=stored,
        physical_bytes_low=stored * band[0], physical_bytes_high=stored * band[1],
        compressed_share=1.0, compressed_share_low=1.0, compressed_share_high=1.0, compression_origin="you",
        kinds=kinds, families=(), changed_bytes_per_day=changed_gib_per_day * GiB,
        mutation_bytes_per_second=mutation_bytes_per_second,
        infrequent_bytes=None if infrequent_gib is None else np.array(infrequent_gib, dtype=np.float64) * GiB, **more,
    )  # fmt: skip


MIDNIGHT = datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC)


def hours(access, *usual, running=None, week=None, is_write=True, **more):
    """Busy nodes of one access in its busiest hour; the shape of the week is flat unless given."""
    by_month = np.array(usual, dtype=np.float64)
    lasting = by_month if running is None else np.array(running, dtype=np.float64)
    shape = np.ones(168) if week is None else np.array(week)
    return AccessHours(access, is_write, by_month, lasting, shape, mean_share=float(shape.mean()), **more)


def traffic(*load, read_share=0.5, week=None, indivisible=(), accesses=()):
    """Busy nodes at the start and after each month; the shape of the week is flat unless given.

    `indivisible`: busy nodes of each access, of rows that one node serves.
    """
    busy = np.array(load, dtype=np.float64)
    shape = np.ones(168) if week is None else np.array(week, dtype=np.float64)
    nothing = np.zeros((1, 1))
    return TableTraffic(
        day=datetime.date(2026, 1, 1),
        heat=Heat.from_arrays((), (MIDNIGHT,), 900.0, np.ones(1), *(nothing,) * 4),
        writes=(), fronts=(), hot_rows=(), leads=(), patterns=(), tablets=1, hottest_range_share=0.0, hottest_range=0,
        indivisible_node_share=max((sum(row.values()) for row in indivisible), default=0.0),
        indivisible=tuple(
            IndivisibleLoad("row", {access: np.array([share]) for access, share in row.items()}) for row in indivisible
        ),
        week_node_share=shape * busy[-1], node_share_by_month=busy,
        read_node_share_by_month=busy * read_share, accesses=accesses,
    )  # fmt: skip


def plan(read="r", **more):
    """How one read is served."""
    given = {
        "read": read, "row_kind": "k", "access": "point", "bound": (), "open_at": None, "filtered": (), "ranges": 1.0,
        "rows_scanned": 1.0, "rows_returned": 1.0, "cells_returned": 1.0, "bytes_scanned": 1_000.0,
        "bytes_returned": 1_000.0, "bytes_wanted": 1_000.0, "node_seconds": 1e-4, "per_second": 1.0, "rows_total": 1.0,
    }  # fmt: skip
    return ReadPlan(**(given | more))


def part(table="t", *, grown=None, busy=None, reads=()):
    """The part of one table."""
    return TablePart(table, keys={}, reads=tuple(reads), traffic=busy, growth=grown, because=())


def bill_of(spec, *parts, book=None):
    """The last month's bill of tables made by hand."""
    known = {p.table: p for p in parts}
    return build_bills(spec, known, cluster_nodes(spec, known), book or load_book())[-1]


def nodes_for(spec, *parts):
    """Nodes of every cluster of tables made by hand."""
    return cluster_nodes(spec, {p.table: p for p in parts})


def by_item(bill):
    """What each kind of line adds up to."""
    totals = {}
    for line in bill.lines:
        totals[line.item] = totals.get(line.item, 0) + (line.cost or 0)
    return totals
