"""What is fuzzed: functions of bytes, each refusing with its own error or keeping a promise about what it read."""

import io
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import parse_qs

from designer import imports
from designer.application.meaning import understand
from designer.application.typed_text import UnknownSentenceError, read_text
from designer.document import InvalidDocumentError, Spec, dump, load
from designer.document.compact import dump_compact
from designer.document.edits import EditConflictError, Set, apply
from designer.document.keytext.columns import parse_columns, render_columns
from designer.document.keytext.read import KeyTextError, parse_key
from designer.document.keytext.render import render_key
from designer.editing import forms
from designer.examples import example
from estimator.observations import ObservationError
from estimator.observations.files import read_measurements
from estimator.observations.recognition import recognise
from estimator.traces import TraceFormError, TraceReader, UnreadLines, read_log

LOG_BYTES_MAX = 1 << 20
"""As a page bounds what it unpacks of a log."""


def _text(data: bytes) -> str:
    return data.decode(errors="replace")


def _is_said(refused: Exception) -> None:
    """Assert that a refusal has a sentence."""
    assert str(refused)


def _is_kept(spec: Spec) -> None:
    """Assert that a document that was read is read again from both of its forms."""
    assert load(dump(spec)) == spec
    assert load(dump_compact(spec), name="x.yaml") == spec


def read_document(data: bytes) -> None:
    """A document as JSON, or as YAML where its first line says so."""
    try:
        spec = load(data)
    except InvalidDocumentError as refused:
        _is_said(refused)
    else:
        _is_kept(spec)


def read_compact_form(data: bytes) -> None:
    """The compact form of a document."""
    try:
        spec = load(data, name="x.yaml")
    except InvalidDocumentError as refused:
        _is_said(refused)
    else:
        _is_kept(spec)


def read_key_text(data: bytes) -> None:
    """A row key as text, with names that the design has and others."""
    spec = sample_design()
    try:
        parsed = parse_key(spec, _text(data), new_fields=True)
    except KeyTextError as refused:
        _is_said(refused)
        return
    known = spec.model_copy(update={"fields": (*spec.fields, *parsed.new_fields)})
    again = parse_key(known, render_key(known, parsed.segments), previous=parsed.segments)
    assert again.segments == parsed.segments


def read_key_columns(data: bytes) -> None:
    """Primary-key columns as text."""
    spec = sample_design()
    try:
        parsed = parse_columns(spec, _text(data), new_fields=True)
    except KeyTextError as refused:
        _is_said(refused)
        return
    known = spec.model_copy(update={"fields": (*spec.fields, *parsed.new_fields)})
    again = parse_columns(known, render_columns(known, parsed.columns), previous=parsed.columns)
    assert again.columns == parsed.columns


def read_import(data: bytes) -> None:
    """Output of other tools."""
    try:
        found = imports.read(data)
    except InvalidDocumentError as refused:
        _is_said(refused)
    else:
        assert load(dump(found.spec)) == found.spec


def read_sentence(data: bytes) -> None:
    """What an application does, as typed."""
    try:
        sentence = read_text(_text(data))
    except UnknownSentenceError as refused:
        _is_said(refused)
    else:
        understand([sentence])


def post_form(data: bytes) -> None:
    """A control's form: the field's number among all fields, then what a browser posts."""
    spec = sample_design()
    controls = control_places(spec)
    at, name = controls[int.from_bytes(data[:2]) % len(controls)]
    given = parse_qs(_text(data[2:]), keep_blank_values=True)
    was: Any = None
    try:
        value = forms.read_posted_value(spec, at, name, given, previous=was)
        action = (given.get("do") or [""])[-1]
        value = forms.reshape(value, action, forms.initial_item(spec, at, name, value) if action == "add " else None)
        changed = apply(spec, Set(at=at, name=name, value=value, was=was))[0]
    except (EditConflictError, forms.InvalidActionError, KeyError):
        return
    assert load(dump(changed)) == changed


def read_trace(data: bytes) -> None:
    """An access log, plain or compressed."""
    unread = UnreadLines()
    reader = TraceReader(unread)
    try:
        for events in read_log(io.BytesIO(data), unread, bytes_max=LOG_BYTES_MAX):
            reader.add(events)
    except (TraceFormError, EOFError, OSError) as refused:
        _is_said(refused)
    else:
        reader.summary()


def read_observation(data: bytes) -> None:
    """What the cloud's own commands print of what runs."""
    recognise(data)
    try:
        assert read_measurements(data)
    except ObservationError as refused:
        _is_said(refused)


def sample_design() -> Spec:
    """Return the design whose keys and forms are fuzzed."""
    return example("iot-fleet").spec


def control_places(spec: Spec) -> list[tuple[str, str]]:
    """Return all controls of a design, by element and field."""
    return [(at, name) for at in ("", *sorted(spec.by_id)) for name in forms.control_fields(spec, at)]


TARGETS: Mapping[str, Callable[[bytes], None]] = {
    "document": read_document,
    "compact": read_compact_form,
    "key-text": read_key_text,
    "key-columns": read_key_columns,
    "imports": read_import,
    "sentences": read_sentence,
    "forms": post_form,
    "traces": read_trace,
    "observations": read_observation,
}
