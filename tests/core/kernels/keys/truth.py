"""The plain truth about a small pattern: all its keys as real bytes, each with its probability."""

from itertools import product

import numpy as np

from designer.document.key import as_bytes
from estimator.kernels.keys import EventDistribution, KeyPattern
from estimator.kernels.keys.patterns.cells import TimeSpans
from estimator.kernels.keys.patterns.pattern import Constant
from estimator.kernels.keys.patterns.table import ValueTable
from estimator.kernels.keys.patterns.times import EventTime, sequence_number
from estimator.kernels.keys.patterns.uniform import CountedValues, UniformText
from estimator.kernels.keys.rendering import render
from estimator.kernels.keys.values.value_tables import rows_of

Atom = tuple[float, dict[str, bytes]]


def all_keys(pattern: KeyPattern, law: EventDistribution, window: int = 0) -> tuple[list[bytes], np.ndarray]:
    """Every key with its probability in a window: tables enumerated, time at the pieces' starts, rendered plainly."""
    atoms = [_atoms(pattern, place, component, law, window) for place, component in enumerate(pattern.components)]
    constants = {level.segment.id: level.order.text for level in pattern.levels if isinstance(level.order, Constant)}
    keys, shares = [], []
    for combination in product(*atoms):
        texts = dict(constants)
        share = 1.0
        for mass, part in combination:
            texts |= part
            share *= mass
        keys.append(b"".join(texts[level.segment.id] for level in pattern.levels))
        shares.append(share)
    return keys, np.array(shares)


def _atoms(pattern: KeyPattern, place: int, component: object, law: EventDistribution, window: int) -> list[Atom]:
    segments = [level.segment for level in pattern.levels if level.component == place]
    if not segments:
        return [(1.0, {})]
    if isinstance(component, EventTime | TimeSpans):
        return [
            (float(weight), _parts(pattern, segments, _numbered(pattern, round(start * 1e6)), round(start * 1e6)))
            for start, weight in zip(law.time.start_s[window], law.time.weight[window], strict=True)
            if weight > 0
        ]
    if isinstance(component, UniformText):
        texts = [bytes(letters) + component.after for letters in product(*component.places)]
        return [(1 / len(texts), {component.segment: text}) for text in texts]
    if isinstance(component, CountedValues):
        numbers = np.arange(component.shape.total)
        shares = component.mass(law, *component.written_span(numbers, numbers + 1))
        return [(float(shares[n]), _parts(pattern, segments, {component.shape.id: n}, 0)) for n in numbers.tolist()]
    assert isinstance(component, ValueTable)
    shares = component.shares(law)
    if not component.stages:
        return [(float(shares[n]), {segments[0].id: component.columns[0].strings[n]}) for n in range(len(component))]
    rows = rows_of(component.stages, len(component.stages) - 1)
    out = []
    for row, entry in enumerate(component.entry.tolist()):
        numbers = {s.shape.id: int(s.number[at[entry]]) for s, at in zip(component.stages, rows, strict=True)}
        out.append((float(shares[row]), _parts(pattern, segments, numbers, 0)))
    return out


def _numbered(pattern: KeyPattern, time_us: int) -> dict[str, int]:
    """The numbers that fields which are new with every event have reached at a time."""
    return {name: sequence_number(pattern.shapes[name], time_us) for name in pattern.inputs.per_event}


def _parts(pattern: KeyPattern, segments: list, numbers: dict[str, int], time_us: int) -> dict[str, bytes]:
    event = render.Event(numbers, time_us)
    return {s.id: render.segment_text(s, pattern.shapes, event) + as_bytes(s.after) for s in segments}
