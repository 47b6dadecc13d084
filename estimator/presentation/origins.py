"""Origins of an element's values: entered, assumed (with the reason), fitted to what is known, measured, calibrated."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from designer.document import Model, Spec, guess
from designer.document.assumptions import guessable_fields
from designer.document.table import Table
from designer.document.texts import N_, Text
from designer.editing import forms
from designer.wording import measured_text
from estimator.results import Estimate


class Origin(NamedTuple):
    """The origin of one control's value: the control's id, the kind of origin, and the whole of it."""

    control: str
    kind: str
    why: str | Text


ENTERED = N_("entered in this design")
COMPRESSION = {
    "measured": N_("measured by compressing sample blocks of the table"),
    "calibrated": N_("calibrated with the storage of an existing cluster"),
    "guess": N_("assumed from the kinds of value; not measured"),
}


def origins(spec: Spec, estimate: Estimate, at: str) -> Iterator[Origin]:
    """Yield the origin of each number of an element and of its other assumed values."""
    of_instance = at == forms.INSTANCE
    owner: Any = spec.instance if of_instance else spec.by_id[at] if at else spec
    for name in forms.control_fields(spec, at):
        measured = spec.find_measured(at, name)
        kind, why = (
            _origin(spec, estimate, owner, name.rpartition(".")[2])
            if measured is None
            else ("measured", measured_text(measured))
        )
        if name != "instance.prices":
            yield Origin(forms.control_id("" if of_instance else at, name) + "-origin", kind, why)


def _origin(spec: Spec, estimate: Estimate, owner: Model, field: str) -> tuple[str, str | Text]:
    value = getattr(owner, field)
    entered = value is not None
    if isinstance(owner, Table) and field == "compressed_share" and not entered:
        grown = estimate.tables[owner.id].growth
        name = grown.compression_origin if grown else "none"
        return ("guess" if name == "guess" else "measured", COMPRESSION[name]) if name in COMPRESSION else ("", "")
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if entered and (number or field in guessable_fields(type(owner))):
        return "you", ENTERED
    if entered or field not in guessable_fields(type(owner)):
        return "", ""
    assumed = guess(spec, owner, field)
    if isinstance(assumed.why, Text):
        return "fitted", assumed.why
    return ("guess", assumed.why) if assumed.value is not None else ("", "")
