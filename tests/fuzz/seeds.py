"""Where fuzzing starts from: real documents, keys, files and forms of every kind, made from the built-in designs."""

import gzip
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from urllib.parse import urlencode

from designer.application.sentences import KINDS
from designer.document import dump
from designer.document.compact import dump_compact
from designer.document.keytext.columns import render_columns
from designer.document.keytext.render import render_key
from designer.examples import examples
from reviews.exports import format_named
from tests.contexts import Content
from tests.core.application.test_free_text import typed_sentences
from tests.exports.running import cbt, gcloud, terraform_state

from .targets import TARGETS, control_places, sample_design

FOUND = Path(__file__).with_name("found")
"""Inputs that once broke a target, a folder for each: they stay, and ordinary tests read them."""
OBSERVED = Path(__file__).parents[1] / "core" / "observations" / "files"
LOGS = (
    b"time,operation,key,bytes,table\n1764547200,write,dev#0001#9,120,readings\n1764547201,read,dev#0002,,readings\n",
    b'{"time": "2026-11-01T00:00:00Z", "operation": "read", "key": "a#1", "bytes": 12}\n{"key": 1}\nnonsense\n',
    b"1764547200\tread\tZGV2IzE=\n",
)
FORMS = (
    {"v": "12h"}, {"v": "20k"}, {"v": "on"}, {"v": "union", "v.kind": "union", "do": "rule add max_age"},
    {"v.items.0.value": "a", "v.items.0.weight": "2", "do": "add items"}, {"v": "a, b", "do": "remove items.0"},
    {"v": "week", "v.hours": ["1"] * 24, "do": "shape alike"}, {"do": "fill"}, {"v.min": "1", "v.max": "x"},
)  # fmt: skip


def _row_kinds() -> Iterator[tuple[str, bool]]:
    """Yield the key text of every row kind, and whether it is of columns."""
    for each in examples():
        for table in each.spec.tables:
            for kind in table.row_kinds:
                if kind.columns:
                    yield render_columns(each.spec, kind.columns), True
                else:
                    yield render_key(each.spec, kind.key), False


def _documents() -> Iterator[bytes]:
    return (dump(each.spec).encode() for each in examples())


def _compact_texts() -> Iterator[bytes]:
    return (dump_compact(each.spec).encode() for each in examples())


def _key_texts() -> Iterator[bytes]:
    yield from (text.encode() for text, has_columns in _row_kinds() if not has_columns)
    yield from (b"{device}#{time:reversed:ms}", b"{hash(device):4}#{device}", b"a{{b}}\\x00{n:06}")


def _column_texts() -> Iterator[bytes]:
    yield from (text.encode() for text, has_columns in _row_kinds() if has_columns)
    yield b"[pk string] {device} | [n integer auto] {time}"


def _other_tools_files() -> Iterator[bytes]:
    for each in [each for each in examples() if each.spec.engine == "bigtable"][:6]:
        for printed in (terraform_state, gcloud, cbt):
            yield from (text.encode() for text in printed(each.spec))
        yield format_named("terraform").make(Content(each.spec)).files[0].text.encode()
    yield from (b"user#0001#2026\nuser#0002#2026\n", b"sensors\n\tmaxversions 1\n")


def _sentences() -> Iterator[bytes]:
    yield from (kind.template.encode() for kind in KINDS)
    yield from (text.encode() for text in typed_sentences())


def _forms() -> Iterator[bytes]:
    for number in range(len(control_places(sample_design()))):
        given = FORMS[number % len(FORMS)]
        yield number.to_bytes(2) + urlencode(given, doseq=True).encode()


def _logs() -> Iterator[bytes]:
    yield from LOGS
    yield gzip.compress(LOGS[0], mtime=0)


def _observed_files() -> Iterator[bytes]:
    return (file.read_bytes() for file in sorted(OBSERVED.iterdir()))


_SEEDS: Mapping[str, Callable[[], Iterator[bytes]]] = {
    "document": _documents,
    "compact": _compact_texts,
    "key-text": _key_texts,
    "key-columns": _column_texts,
    "imports": _other_tools_files,
    "sentences": _sentences,
    "forms": _forms,
    "traces": _logs,
    "observations": _observed_files,
}
assert _SEEDS.keys() == TARGETS.keys()


def seeds(target: str) -> list[bytes]:
    """Return all inputs to begin a target with: those that are made, then those that once broke it."""
    folder = FOUND / target
    found = sorted(folder.iterdir()) if folder.is_dir() else ()
    return [*_SEEDS[target](), *(file.read_bytes() for file in found)]
