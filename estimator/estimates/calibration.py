"""Comparison of measurements of an existing cluster with the model: capacity of a node, compression.

The throughput is rescaled where capacities are read (`engines.bigtable`); here it is reported. Bytes on disk are
rescaled here, over all tables together, because a cluster's GiB are of all of them.
"""

import dataclasses
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import numpy as np

from designer.document import Spec, effective_value
from designer.document.instance import Calibration
from designer.document.texts import N_
from estimator.engines import GiB, bigtable, engine_of
from estimator.kernels.traffic.load import tablet_count
from estimator.results import AppliedCalibration, TableGrowth, TablePart, UnknownReason
from estimator.results.arrays import Floats

PLAUSIBLE_SHARES = (0.01, 2.0)
"""Bytes on disk ÷ logical bytes beyond these are no measurement of the same data: a slip of a unit or of the rows."""


class Outcome(NamedTuple):
    """The tables' parts as calibrated, what was done, and what could not be."""

    parts: Mapping[str, TablePart]
    done: tuple[AppliedCalibration, ...] = ()
    because: tuple[UnknownReason, ...] = ()


def calibrate(spec: Spec, parts: Mapping[str, TablePart]) -> Outcome:
    """Lays the instance's calibration against its tables; a calibration that makes no sense is said and not used."""
    calibration = spec.instance.calibration
    if calibration is None or not engine_of(spec).HAS_NODES:
        return Outcome(parts)
    throughput = tuple(_throughput(spec, calibration))
    bytes_ = _compression(spec, calibration, parts)
    messages = (*throughput, *bytes_.done, *bytes_.because)
    return Outcome(
        bytes_.parts,
        tuple(entry for entry in messages if isinstance(entry, AppliedCalibration)),
        tuple(entry for entry in messages if isinstance(entry, UnknownReason)),
    )


# --- throughput -----------------------------------------------------------------------------------------------


def _throughput(spec: Spec, calibration: Calibration) -> Iterator[AppliedCalibration | UnknownReason]:
    storage = effective_value(spec, spec.instance, "storage")
    carried = {
        "count_nodes": calibration.nodes,
        "cpu_share": calibration.cpu_share,
        "reads_per_second": calibration.reads_per_second,
        "writes_per_second": calibration.writes_per_second,
    }
    measured, used = bigtable.measured_factor(calibration.storage, calibration), bigtable.instance_factor(spec.instance)
    if used is not None:
        yield AppliedCalibration(
            "throughput",
            used,
            N_(
                "Calibrated: {count_nodes} at {cpu_share} CPU served {reads_per_second} reads and "
                "{writes_per_second} writes, {throughput_factor} the published figures."
            ),
            carried | {"throughput_factor": used},
        )
    elif not calibration.reads_per_second + calibration.writes_per_second:
        if calibration.gib_stored is None:
            yield UnknownReason(N_("The calibration has no reads or writes, so nodes use the published figures."))
    elif measured is None:
        yield UnknownReason(N_("The calibration has idle nodes (0 % CPU), so nodes use the published figures."))
    elif calibration.storage != storage:
        yield UnknownReason(
            N_(
                "The calibration was measured on {seen}, but the instance uses {storage}, so it does not apply "
                "to its nodes."
            ),
            params={"seen": calibration.storage.upper(), "storage": storage.upper()},
        )
    else:
        yield UnknownReason(
            N_(
                "The calibration is not used: a node would serve {throughput_factor} the published figures. "
                "Check its CPU and rates."
            ),
            params={"throughput_factor": measured},
        )


# --- bytes on disk --------------------------------------------------------------------------------------------


def _compression(spec: Spec, calibration: Calibration, parts: Mapping[str, TablePart]) -> Outcome:
    """GiB on disk ÷ the model's logical bytes of the same rows, of tables without measured figures of their own."""
    if calibration.gib_stored is None or not spec.tables:
        return Outcome(parts)
    own = {table.id for table in spec.tables if table.compressed_share is not None or table.gib_stored is not None}
    grown = {name: part.growth for name, part in parts.items() if part.growth is not None}
    rest = {name: growth for name, growth in grown.items() if name not in own}
    # The cluster's GiB are of all tables together, so one unknown table leaves nothing to compare them with.
    unknown = next((table for table in spec.tables if table.id not in grown), None)
    if unknown is not None:
        reason = N_("The GiB of the calibration cannot be compared because the size of “{table}” is unknown.")
        return Outcome(parts, because=(UnknownReason(reason, unknown.id, {"table": unknown.label}),))
    if not rest:
        reason = N_("Every table has measured figures, which take precedence over the GiB of the calibration.")
        return Outcome(parts, because=(UnknownReason(reason),))
    scale, month = _row_ratio(calibration, grown)
    logical = scale * sum(float(growth.logical_bytes[month]) for growth in rest.values())
    modelled = scale * sum(float(growth.physical_bytes[month]) for growth in rest.values())
    others = scale * sum(float(growth.physical_bytes[month]) for name, growth in grown.items() if name in own)
    if logical <= 0 or modelled <= 0:
        reason = N_(
            "No data is stored on the start date to compare with the GiB of the calibration. Enter the number of rows."
        )
        return Outcome(parts, because=(UnknownReason(reason),))
    # What remains for tables without figures of their own, after those whose size on disk is stated.
    share = (calibration.gib_stored * GiB - others) / logical
    if not PLAUSIBLE_SHARES[0] <= share <= PLAUSIBLE_SHARES[1]:
        reason = N_(
            "The calibration is not used: bytes on disk would be {compressed_share} of their logical size. "
            "Check its GiB and rows."
        )
        return Outcome(parts, because=(UnknownReason(reason, params={"compressed_share": share}),))
    # One factor for all: the measurement does not tell tables apart, so their ratios stay as modelled.
    factor = share * logical / modelled
    new_parts = {
        name: _rescale_part(part, part.growth, factor) if part.growth is not None and name in rest else part
        for name, part in parts.items()
    }
    return Outcome(new_parts, (_calibration_message(calibration, share, logical, factor),))


def _row_ratio(calibration: Calibration, growths: Mapping[str, TableGrowth]) -> tuple[float, int]:
    """Return the ratio of the calibration's rows to the model's in a month, and which: start or end."""
    if calibration.rows_stored is None:
        return 1.0, 0
    # A measurement with rows can be of any day, so the model's last month is scaled to its number of rows. Without
    # rows it is taken to be of the start date.
    rows = sum(float(growth.rows[-1]) for growth in growths.values())
    return (calibration.rows_stored / rows if rows > 0 else 0.0), -1


def _calibration_message(calibration: Calibration, share: float, logical: float, factor: float) -> AppliedCalibration:
    params = {
        "stored_gib": calibration.gib_stored,
        "compressed_share": share,
        "logical_bytes": logical,
        "bytes_factor": factor,
    }
    if calibration.rows_stored is None:
        message = N_(
            "Calibrated: the data on the start date takes {stored_gib} on disk, {compressed_share} of "
            "{logical_bytes} uncompressed, {bytes_factor} the modelled size."
        )
        return AppliedCalibration("compression", factor, message, params)
    message = N_(
        "Calibrated: {rows} rows take {stored_gib} on disk, {compressed_share} of {logical_bytes} "
        "uncompressed, {bytes_factor} the modelled size."
    )
    return AppliedCalibration("compression", factor, message, params | {"rows": calibration.rows_stored})


def recalibrate(
    spec: Spec, parts: Mapping[str, TablePart], done: Iterable[AppliedCalibration]
) -> Mapping[str, TablePart]:
    """Return the parts of a changed design with the bytes on disk that the design itself was calibrated to."""
    factor = next((calibration.factor for calibration in done if calibration.of == "compression"), None)
    if factor is None:
        return parts
    own = {table.id for table in spec.tables if table.compressed_share is not None or table.gib_stored is not None}
    return {
        name: part if name in own or part.growth is None else _rescale_part(part, part.growth, factor)
        for name, part in parts.items()
    }


def _rescale_part(part: TablePart, growth: TableGrowth, factor: float) -> TablePart:
    """Return the part with its bytes on disk times the factor, and as many tablets as they then fill."""
    new_growth, traffic = _rescale(growth, factor), part.traffic
    if traffic is not None:
        traffic = dataclasses.replace(traffic, tablets=tablet_count(float(new_growth.physical_bytes[-1])))
    return dataclasses.replace(part, growth=new_growth, traffic=traffic)


def _rescale(growth: TableGrowth, factor: float) -> TableGrowth:
    """All bytes on disk times the factor; of their band only what is not yet collected remains."""
    share = growth.compressed_share
    # Compression is known now; what is left of the band is garbage that is not yet collected.
    low = _without_compression(growth.physical_bytes_low, share, growth.compressed_share_low)
    high = _without_compression(growth.physical_bytes_high, share, growth.compressed_share_high)
    stored = growth.physical_bytes * factor
    return dataclasses.replace(
        growth,
        physical_bytes=stored,
        physical_bytes_low=np.minimum(low * factor, stored),
        physical_bytes_high=np.maximum(high * factor, stored),
        compressed_share=share * factor,
        compressed_share_low=share * factor,
        compressed_share_high=share * factor,
        compression_origin="calibrated",
        families=tuple(
            dataclasses.replace(family, gib_per_month=family.gib_per_month * factor) for family in growth.families
        ),
        changed_bytes_per_day=growth.changed_bytes_per_day * factor,
        changed_bytes={write: row_bytes * factor for write, row_bytes in growth.changed_bytes.items()},
        passing_bytes=growth.passing_bytes * factor,
        infrequent_bytes=None if growth.infrequent_bytes is None else growth.infrequent_bytes * factor,
    )


def _without_compression(bound: Floats, share: float, of_bound: float) -> Floats:
    """Return a bound as it would be with the expected compression."""
    return bound * (share / of_bound) if of_bound > 0 else bound
