"""Findings for people who read a terminal."""

from collections import Counter
from collections.abc import Iterator, Sequence

from designer.wording.formatting import english
from designer.wording.printable import printable
from estimator.results import Finding

from .checked_design import CheckedDesign, sentence
from .unchecked_file import UncheckedFile

SIGNS = ("error", "warning", "question", "note", "accepted")


def text_report(designs: Sequence[CheckedDesign], unchecked: Sequence[UncheckedFile] = ()) -> str:
    """Return the findings of each design as lines; standard error has what could not be checked."""
    with_file = len(designs) + len(unchecked) > 1
    return "\n\n".join("\n".join(printable(line) for line in _lines_of_design(design, with_file)) for design in designs)


def _lines_of_design(design: CheckedDesign, with_file: bool) -> Iterator[str]:
    name = design.spec.name or design.file
    counts = Counter("accepted" if f.ignored else f.severity for f in design.findings)
    summary = [_count_text(counts[sign], sign) for sign in SIGNS if counts[sign]]
    if not summary:
        summary = ["nothing can be judged yet" if design.missing else "nothing found"]
    if design.known:
        summary.append(f"{design.known} in the baseline")
    if with_file and name != design.file:
        name = f"{design.file} ({name})"
    yield f"{name}: {', '.join(summary)}"
    for finding in design.findings:
        yield ""
        yield from _lines(design, finding, "  ")
    if design.missing:
        yield ""
        yield f"  {design.missing_text}:"
        yield from (f"    {reason}" for reason in design.missing_reasons)
    yield from (f"  open: {design.reason_text(reason)}" for reason in design.unknown if reason not in design.missing)


def _count_text(count: int, sign: str) -> str:
    return f"{count} {sign}{'s' if count > 1 and sign != 'accepted' else ''}"


def _lines_of_fix(design: CheckedDesign, finding: Finding, indent: str) -> Iterator[str]:
    """Yield what a fix adds to the findings, or that it is not known."""
    added = design.added_by_fix(finding)
    if added is None:
        yield f"{indent}not checked whether it adds findings"
    for new_finding in added or ():
        yield f"{indent}adds {new_finding.rule} {new_finding.severity}: {sentence(new_finding)}"


def _lines(design: CheckedDesign, finding: Finding, indent: str) -> Iterator[str]:
    inner = indent + " " * 5
    yield f"{indent}{finding.rule} {'accepted' if finding.ignored else finding.severity}  {design.place(finding)}"
    yield inner + sentence(finding)
    if finding.fix is not None:
        yield f"{inner}fix ({'safe' if finding.fix_safe else 'unsafe'}): {english(finding.fix_label, finding.params)}"
        yield from _lines_of_fix(design, finding, inner + "  ")
    if finding.ignored:
        yield f"{inner}accepted by {finding.ignored.owner}: {finding.ignored.reason}"
    if finding.choices:
        yield f"{inner}answers: {' · '.join(english(choice.label, choice.params) for choice in finding.choices)}"
    for part in finding.under:
        if finding.is_summary and part.rule == finding.rule:
            yield f"{inner}{design.place(part)}: {sentence(part)}"
        else:
            yield from _lines(design, part, inner)
