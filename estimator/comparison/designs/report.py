"""A comparison in English for people: plain text for a terminal, Markdown for a pull request."""

from collections.abc import Iterable, Iterator, Sequence

from designer.document.texts import Text
from designer.wording.formatting import english, formatted
from estimator.kernels.pricing.repricing import LineChange
from estimator.presentation.locations import place_of
from estimator.results import Bill, BillLine, Finding

from . import SIGNS, Comparison, Told
from .change_messages import consequences, heat_text, read_text, signed
from .effects import Side


def _w(text: Text) -> str:
    return english(text.message, text.params)


# --- plain text -------------------------------------------------------------------------------------------------------


def as_text(found: Comparison, names: tuple[str, str]) -> str:
    """Return the changes one by one, then in total; `names` replace the names of unnamed designs."""
    lines = [f"{_name(found.before, names[0])} → {_name(found.after, names[1])}", f"  {_counted(found)}"]
    if found.matched_by == "name":
        lines.append("  the designs share few ids: elements are matched by name and kind")
    lines.append(f"  {_total(found)}")
    if found.changes:
        lines += ["", "Changes"]
    for told in found.changes:
        lines += _change(told)
    lines += _section("Findings that come", [_finding(found.after, f) for f in found.together.came])
    lines += _section("Findings that go", [_finding(found.before, f) for f in found.together.gone])
    lines += _section("Reads", [_w(read_text(read)) for read in found.together.reads])
    lines += _section("Heat", [_w(heat_text(heat)) for heat in found.together.heat])
    lines += _bill(found)
    return "\n".join(lines)


def _name(side: Side, name: str) -> str:
    return f"{side.spec.name or name} ({side.estimate.sha256[:12]})"


def _counted(found: Comparison) -> str:
    if not found.changes:
        return "nothing changed"
    each = ", ".join(f"{count} {sign} ({SIGNS[sign]})" for sign, count in found.counts.items() if count)
    return f"{len(found.changes)} change{'s' if len(found.changes) > 1 else ''}: {each}"


def _total(found: Comparison) -> str:
    bill = found.bill
    if bill.before is None or bill.after is None:
        return " ".join(_w(note) for note in bill.notes)
    line = f"{_bill_of(bill.before)} → {_bill_of(bill.after)} a month"
    if bill.difference is None:
        return f"{line} ({_w(bill.notes[0])})"
    return f"{line} ({_w(signed(bill.difference))}{_per_cent(bill.share)})"


def _bill_of(bill: Bill) -> str:
    return f"{'≥ ' if bill.open_lines else ''}{bill.money(bill.total)}"


def _per_cent(value: float | None) -> str:
    if value is None:
        return ""
    told = formatted("share", abs(value))
    exact = f"{abs(value) * 100:.4g}\u00a0%" if told[0] in "<>" else told
    return f", {'+' if value > 0 else '−' if value < 0 else ''}{exact}"


def _change(told: Told) -> Iterator[str]:
    yield f"{told.number:>3} {SIGNS[told.change.sign]} {_headline(told)}"
    for field in told.change.fields:
        yield f"      {field.title}: {_w(field.was)} → {_w(field.now)}"
    for line in _leads_to(told):
        yield f"      = {line}"


def _headline(told: Told) -> str:
    change = told.change
    where = " / ".join(change.place) or change.what
    named = f"{change.what} {where}" if change.place else where
    was, now = _w(change.was), _w(change.now)
    said_ = f"{was} → {now}" if was and now else was or now
    inside = f" (with {change.inside} element{'s' if change.inside > 1 else ''} in it)" if change.inside else ""
    return f"{named}{': ' if said_ else ''}{said_}{inside}"


def _leads_to(told: Told) -> Iterator[str]:
    if not told.leads:
        yield f"together with change {told.step.changes[0] + 1}"
        return
    for one in consequences(told.stored, told.step.effects):
        yield _w(one.text)


def _section(title: str, lines: Sequence[str]) -> list[str]:
    return ["", title, *(f"  {line}" for line in lines)] if lines else []


def _finding(side: Side, finding: Finding) -> str:
    sign = "accepted" if finding.ignored else finding.severity
    return f"{finding.rule} {sign}  {place_of(side.spec, finding.at)}: {english(finding.message, finding.params)}"


def _bill(found: Comparison) -> list[str]:
    rows = [[_label(line), *_costs(found, line)] for line in found.bill.changed]
    notes = [_w(note) for note in found.bill.notes]
    if not rows:
        return _section("Bill", notes)
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    lines = [
        "  ".join(
            [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
        )
        for row in rows
    ]
    return _section("Bill", [*lines, *notes])


def _label(line: LineChange) -> str:
    return english(line.line.label, line.line.params)


def _costs(found: Comparison, line: LineChange) -> tuple[str, str, str]:
    bills, pair = (found.bill.before, found.bill.after), (line.old, line.new)
    costs = [_cost(bill, one) for bill, one in zip(bills, pair, strict=True)]
    if line.difference is None or found.bill.after is None:
        return costs[0], costs[1], "?"
    return costs[0], costs[1], _w(signed(found.bill.after.money(line.difference)))


def _cost(bill: Bill | None, line: BillLine | None) -> str:
    if line is None or bill is None:
        return "–"
    return "no price" if line.cost is None else formatted("cost", bill.money(line.cost))


# --- Markdown ---------------------------------------------------------------------------------------------------------

MOST_ROWS = 100
"""A pull request's comment holds so many changes; the rest are counted."""


def as_markdown(found: Comparison, names: tuple[str, str]) -> str:
    """Tables for a pull request; what people wrote is escaped."""
    one, other = (_escaped(_name(side, name)) for side, name in zip((found.before, found.after), names, strict=True))
    lines = [f"### {one} → {other}", "", f"{_escaped(_counted(found))} · **{_escaped(_total(found))}**", ""]
    if found.matched_by == "name":
        lines += ["The designs share few ids: elements are matched by name and kind.", ""]
    if found.changes:
        head = ("", "What", "Before", "After", "Leads to")
        lines += _table(head, (_cells(told) for told in found.changes[:MOST_ROWS]))
        if len(found.changes) > MOST_ROWS:
            lines += [f"… {len(found.changes) - MOST_ROWS} more", ""]
    findings = [("+", found.after, f) for f in found.together.came]
    findings += [("−", found.before, f) for f in found.together.gone]
    if findings:
        head = ("", "Finding", "Severity", "Where", "What")
        lines += _table(head, (_finding_cells(*one) for one in findings))
    if found.bill.changed:
        columns = ("Bill", "Before", "After", "Difference")
        rows = [(_label(line), *_costs(found, line)) for line in found.bill.changed]
        total = [_bill_of(bill) if bill else "–" for bill in (found.bill.before, found.bill.after)]
        more = _w(signed(found.bill.difference)) if found.bill.difference else "?"
        lines += _table(columns, [*rows, ("**Total**", *total, f"**{more}**")], right=(1, 2, 3), kept=len(rows))
    lines += [f"- {_escaped(_w(note))}" for note in found.bill.notes if found.bill.before and found.bill.after]
    return "\n".join(lines).rstrip()


def _cells(told: Told) -> tuple[str, ...]:
    change = told.change
    was = "<br>".join([_escaped(_w(change.was)), *(_field(f.title, f.was) for f in change.fields)]).removeprefix("<br>")
    now = "<br>".join([_escaped(_w(change.now)), *(_field(f.title, f.now) for f in change.fields)]).removeprefix("<br>")
    what = f"{change.what} {' / '.join(change.place)}".strip()
    return f"`{SIGNS[change.sign]}`", _escaped(what), was, now, "<br>".join(_escaped(line) for line in _leads_to(told))


def _field(title: str, value: Text) -> str:
    return f"{_escaped(title)}: {_escaped(_w(value))}"


def _finding_cells(sign: str, side: Side, finding: Finding) -> tuple[str, ...]:
    where, severity = place_of(side.spec, finding.at), "accepted" if finding.ignored else finding.severity
    message = english(finding.message, finding.params)
    return f"`{sign}`", finding.rule, severity, _escaped(where), _escaped(message)


def _table(
    head: Sequence[str], rows: Iterable[Sequence[str]], *, right: Sequence[int] = (), kept: int | None = None
) -> list[str]:
    """Rows whose cells are Markdown already; with `kept`, the first so many are texts."""
    ruled = ["--:" if place in right else "---" for place in range(len(head))]
    lines = [_row(head), _row(ruled)]
    for number, row in enumerate(rows):
        lines.append(_row([_escaped(cell) for cell in row] if kept is not None and number < kept else row))
    return [*lines, ""]


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _escaped(text: str) -> str:
    """Return the text escaped for Markdown, including table cells."""
    safe = " ".join(text.replace("&", "&amp;").replace("<", "&lt;").split())
    for sign in "\\`*_[]|~":
        safe = safe.replace(sign, f"\\{sign}")
    return safe.replace("#", "&#35;").replace("@", "&#64;")  # else a number is an issue, a name is notified
