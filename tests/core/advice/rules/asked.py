"""One rule asked about an estimate made by hand."""

from designer.document import Spec
from designer.document.edits import apply
from estimator.advice.rules import findings
from estimator.results import Finding
from tests.core.advice.rules.made import TODAY, estimate, keys


def found(spec: Spec, code: str, *, facts=(), **parts) -> list[Finding]:
    """The findings of one rule, consequences of others included; `facts` are of segments, `parts` of the estimate."""
    key_parts = {name: parts.pop(name) for name in KEY_PARTS if name in parts}
    made = estimate(spec, keys=keys(spec, *facts, **key_parts), **parts)
    every = [one for f in findings(spec, made, TODAY) for one in (f, *f.under)]
    return [f for f in every if f.rule == code]


def severities(spec: Spec, code: str, **parts) -> list[str]:
    """Of the rule's findings."""
    return [f.severity for f in found(spec, code, **parts)]


def mended(spec: Spec, finding: Finding) -> Spec:
    """The design after the finding's fix."""
    return apply(spec, finding.fix)[0]


KEY_PARTS = (
    "ambiguous",
    "disordered",
    "samples",
    "bytes_min",
    "bytes_typical",
    "bytes_max",
    "distinct_rows",
    "columns",
)


def in_columns(spec: Spec, *places: int, types: tuple[str, ...] = ()) -> Spec:
    """The design on Tablestore: its key's segments from each place up to the next are a primary-key column."""
    document = spec.model_dump(mode="json", exclude_unset=True)
    kind = document["tables"][0]["row_kinds"][0]
    segments = kind.pop("key")
    ends = (*places[1:], len(segments)) if places else ()
    kind["key_columns"] = [
        {"id": f"column{n}", "name": f"c{n}", "segments": segments[start:end], "type": types[n] if types else "STRING"}
        for n, (start, end) in enumerate(zip(places, ends, strict=True))
    ]
    return Spec.model_validate({**document, "engine": "tablestore"})
