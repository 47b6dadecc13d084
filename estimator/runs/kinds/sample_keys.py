"""Sample keys of a row kind as a compressed file: it can be read while it is made."""

import re
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, cast

import cramjam

from designer.document import Spec
from designer.document.integers import parse_integer
from designer.document.table import RowKind
from designer.document.texts import N_, Text, TextList
from designer.http.errors import DesignError
from designer.wording import element_label
from estimator.estimates.context import Context
from estimator.estimates.fits import with_fits
from estimator.kernels.keys import KeyPattern, compile_pattern
from estimator.kernels.keys.samples.lines import Format, sample_lines
from estimator.kernels.keys.samples.sample import Order, pass_count

from . import PARAMETERS, ProgressCallback, RunPlan, RunType

LEAST_KEYS, USUAL_KEYS = 10_000, 100_000
KEYS_PER_SECOND = 1e6
MEMORY_BYTES = 300 << 20
SAMPLE = 2_000
"""Lines drawn and packed to estimate the size of the file: more of them, in order, are more alike and pack better."""
PIECE_BYTES = 2 << 20
"""Lines that are compressed together; of the first piece fewer, so that somebody who waits sees it soon."""
DOING = N_("generating keys")
CHOICES = {"order": ("sorted", "arrival"), "form": ("csv", "ndjson")}


@dataclass(frozen=True)
class SampleSource:
    """Inputs of the lines."""

    pattern: KeyPattern
    names: dict[str, str]
    parameters: Mapping[str, Any]


class InvalidSampleParameterError(DesignError):
    """A parameter that makes no sense."""

    status = 422


def canonical(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return the row kind, the number of keys and their format."""
    values: dict[str, Any] = {"row_kind": str(parameters.get("row_kind", ""))}
    for name, choices in CHOICES.items():
        values[name] = str(parameters.get(name) or choices[0])
        if values[name] not in choices:
            message = N_("{name} must be one of {known}")
            raise InvalidSampleParameterError(message, name=name, known=TextList(choices)).at(PARAMETERS, name)
    values["values"] = str(parameters.get("values", "")).lower() in ("true", "1", "on")
    for name, usual in (("count", USUAL_KEYS), ("seed", 0)):
        text = str(parameters.get(name) or usual).strip().replace(",", "").replace("_", "")
        number = parse_integer(text, maximum=2**63 - 1)
        if number is None:
            message = N_('{name}: "{value}" is not a whole number')
            raise InvalidSampleParameterError(message, name=name, value=text).at(PARAMETERS, name)
        values[name] = number
    if values["count"] < LEAST_KEYS:
        raise InvalidSampleParameterError(
            N_("A file contains at least {least} keys. For fewer keys, see the samples next to the key."),
            least=LEAST_KEYS,
        ).at(PARAMETERS, "count")
    return values


def plan(spec: Spec, parameters: Mapping[str, Any], context: Context) -> RunPlan:
    """Plan the run: the compiled key and the expected size of the file."""
    kind = spec.by_id.get(parameters["row_kind"])
    if not isinstance(kind, RowKind):
        raise DesignError(N_("This row kind was removed from the design.")).at(PARAMETERS, "row_kind")
    pattern = compile_pattern(with_fits(spec), kind.id, cache=context.cache)
    count: int = parameters["count"]
    # Sorted keys are drawn in passes, one for each range that fits in the memory.
    passes = 1 if parameters["order"] == "arrival" else pass_count(pattern, count)
    source = SampleSource(pattern, {field.id: field.label for field in spec.fields}, parameters)
    # How well keys compress depends on the design, so that the size cannot be told from their length.
    sample = gzip_member(b"".join(lines for lines, _ in _lines(source, SAMPLE)))
    return RunPlan(
        seconds=count * passes / KEYS_PER_SECOND, keys=count, memory_bytes=MEMORY_BYTES,
        file_bytes=count * len(sample) // SAMPLE, held=source,
    )  # fmt: skip


def pieces(planned: RunPlan, beat: ProgressCallback) -> Iterator[bytes]:
    """Yield gzip members that together are one gzip file; the next is compressed in parallel."""
    source: SampleSource = planned.held
    count, done = planned.keys, 0
    with ThreadPoolExecutor(1) as beside:
        waiting = None
        for lines, keys in _line_batches(source):
            # Compression releases the GIL: the next lines are made meanwhile. One at a time, so that the order is kept
            # and the memory bounded.
            packing = beside.submit(gzip_member, lines)
            if waiting is not None:
                yield waiting.result()
            waiting, done = packing, done + keys
            beat(done / count, Text(DOING))
        if waiting is not None:
            yield waiting.result()


def gzip_member(lines: bytes) -> bytes:
    """Return a gzip member without a date: the same lines give the same bytes."""
    # The members follow each other in the file; RFC 1952 makes that one gzip file, which can be read while it grows.
    return bytes(cramjam.gzip.compress(lines, level=1))


def _lines(usage: SampleSource, count: int) -> Iterator[tuple[bytes, int]]:
    parameters = usage.parameters
    return sample_lines(
        usage.pattern, usage.pattern.steady_distribution(), count, form=cast(Format, parameters["form"]),
        values=parameters["values"], seed=parameters["seed"], order=cast(Order, parameters["order"]), names=usage.names,
    )  # fmt: skip


def _line_batches(usage: SampleSource) -> Iterator[tuple[bytes, int]]:
    some: list[bytes] = []
    size_bytes = keys = 0
    first = True
    for lines, more in _lines(usage, usage.parameters["count"]):
        some.append(lines)
        size_bytes, keys = size_bytes + len(lines), keys + more
        # Batches depend on the lines alone and not on time: another attempt makes the same pieces, of which some are
        # stored.
        if size_bytes >= PIECE_BYTES or (first and keys):
            yield b"".join(some), keys
            some, size_bytes, keys, first = [], 0, 0, False
    if some:
        yield b"".join(some), keys


def work(planned: RunPlan, first: int, last: int, beat: ProgressCallback) -> bytes:
    """Do nothing: the file is all."""
    return b""


def finish(planned: RunPlan, shards: Iterable[bytes], beat: ProgressCallback) -> dict[str, bytes]:
    """Do nothing: the file is all."""
    return {}


def title(spec: Spec, parameters: Mapping[str, Any]) -> Text:
    """Return the number of keys and their row kind."""
    return Text(N_("{count} sample keys of {row_kind}"), {
        "count": parameters["count"], "row_kind": element_label(spec, parameters["row_kind"]),
    })  # fmt: skip


def file_name(spec: Spec, parameters: Mapping[str, Any]) -> str:
    """Return the name of the file, after the row kind."""
    # The label is a person's text and becomes part of a header and of a path.
    name = re.sub(r"[^\w-]+", "-", element_label(spec, parameters["row_kind"])).strip("-")
    return f"{name or parameters['row_kind']}-keys.{parameters['form']}.gz"


KIND = RunType(title, canonical, plan, work, finish, pieces=pieces, file_name=file_name)
