"""A rule's page as data (for the app) and as Markdown (for a documentation site): one description, two views of it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from designer.document import Spec, effective_value, write_mode
from designer.document.activity import Activity
from designer.document.engines import DESCRIPTIONS
from designer.document.family import Column
from designer.document.instance import FixedNodes
from designer.document.texts import N_
from designer.wording import (
    MODES,
    VALUE_KINDS,
    describe_read,
    element_label,
    gc_sentence,
    key_of,
    qualifier_of,
    resolution_name,
    shorten,
)
from designer.wording.formatting import Text, english
from estimator.kernels.growth.longest_values import qualifier_bytes_max

from ..rules import RULES, Explanation, Rule
from .rule_list import RuleFilter, RuleGroup, RuleRow, SourcePage, groups, pages_by_site, pages_of

Which = Literal["bad", "good", "near_miss"]

HEADINGS: dict[Which, str] = {
    "bad": N_("Flagged"),
    "good": N_("Better"),
    "near_miss": N_("Borderline but acceptable"),
}
SEVERITIES = {"error": N_("Error"), "warning": N_("Warning"), "question": N_("Question"), "note": N_("Note")}
ENGINES = {name: each.title for name, each in DESCRIPTIONS.items()}


@dataclass(frozen=True)
class RuleExample:
    """One of a rule's designs: what it shows, the document itself, and its features as label and message."""

    which: Which
    heading: str
    spec: Spec
    features: tuple[tuple[str, Text], ...]


@dataclass(frozen=True)
class RulePage:
    """Everything that a rule's page shows; texts are messages."""

    rule: Rule
    explanation: Explanation
    severity: str
    engines: tuple[str, ...]
    examples: tuple[RuleExample, ...]
    causes: tuple[Rule, ...]
    """Rules whose findings this one's stand under."""
    consequences: tuple[Rule, ...]
    """Rules whose findings stand under this one's."""


def rule_page(code: str) -> RulePage:
    """Return the page of one rule; raise KeyError if no rule has this code."""
    rule = RULES[code]
    makers = {"bad": rule.bad, "good": rule.good, "near_miss": rule.near_miss}
    examples = [(which, makers[which]()) for which in HEADINGS]
    column_lists = [tuple(columns(spec)) for _, spec in examples]
    tell = any(row != column_lists[0] for row in column_lists)
    return RulePage(
        rule=rule,
        explanation=rule.explanation,
        severity=SEVERITIES[rule.severity],
        engines=tuple(ENGINES[engine] for engine in rule.engines),
        examples=tuple(
            RuleExample(which, HEADINGS[which], spec, (*features(spec), *(own if tell else ())))
            for (which, spec), own in zip(examples, column_lists, strict=True)
        ),
        causes=tuple(RULES[code] for code in rule.under if code in RULES),
        consequences=tuple(other for other in RULES.values() if code in other.under),
    )


def features(spec: Spec) -> Iterator[tuple[str, Text]]:
    """Yield the features of an example: keys, writes, reads, garbage collection, nodes, accepted risks."""
    for table, kind in spec.row_kinds():
        yield N_("Key"), Text("{key}", {"key": key_of(spec, kind)})
        for write in kind.writes:
            yield N_("Write"), _write(spec, write.activity, MODES[write_mode(spec, write)])
        for read in kind.reads:
            yield N_("Read"), Text(N_("specifies {known}"), {"known": describe_read(spec, read)})
        for family in table.families:
            params = {"name": family.label, "collection": gc_sentence(family.gc)}
            yield N_("Family"), Text("{name}: {collection}" if len(table.families) > 1 else "{collection}", params)
    for cluster in spec.instance.clusters:
        if isinstance(cluster.nodes, FixedNodes):
            yield N_("Nodes"), Text("{count_nodes}", {"count_nodes": cluster.nodes.count})
        yield N_("Region"), Text("{region}", {"region": cluster.region})
    for ignore in spec.ignores:
        yield (
            N_("Accepted risk"),
            Text(N_("{rule} on {place}"), {"rule": ignore.rule, "place": element_label(spec, ignore.at)}),
        )


FEW = 3
"""So many families, and columns of one, are told one by one."""


def columns(spec: Spec) -> Iterator[tuple[str, Text]]:
    """Yield the columns of an example, for rules where columns distinguish it."""
    families = [family for table in spec.tables for family in table.families]
    for family in families if len(families) <= FEW else ():
        if len(family.columns) <= FEW:
            for column in family.columns:
                yield N_("Column"), Text("{column}", {"column": tuple(_column(spec, column))})
        else:
            size = sum(float(effective_value(spec, c.value, "typical_bytes")) for c in family.columns) / len(
                family.columns
            )
            message = N_("{columns} of {value_bytes} each")
            yield N_("Columns"), Text(message, {"columns": len(family.columns), "value_bytes": size})


def _column(spec: Spec, column: Column) -> Iterator[Text]:
    """Its name, what its value is, and how its cells tell their time."""
    value = {"kind": Text(VALUE_KINDS[effective_value(spec, column.value, "kind")])}
    value |= {"value_bytes": effective_value(spec, column.value, "typical_bytes")}
    yield Text("{qualifier}", {"qualifier": shorten(qualifier_of(spec, column))})
    if column.qualifier_from:
        yield Text(N_("qualifiers up to {name_bytes}"), {"name_bytes": qualifier_bytes_max(spec, column)})
    yield Text(N_("{kind}, {value_bytes}"), value)
    if column.value.max_bytes is not None:
        yield Text(N_("at most {value_bytes}"), {"value_bytes": column.value.max_bytes})
    if column.timestamp == "event":
        resolution = resolution_name(effective_value(spec, column, "timestamp_resolution"))
        yield Text(N_("event timestamps, to the {resolution}"), {"resolution": resolution})


def _write(spec: Spec, activity_id: str | None, mode: str) -> Text:
    activity = spec.by_id.get(activity_id or "")
    if not isinstance(activity, Activity):
        return Text(mode)
    if activity.rate_per_second is not None:
        return Text(N_("{rate_per_second}, {mode}"), {"rate_per_second": activity.rate_per_second, "mode": Text(mode)})
    interval = getattr(activity.arrival, "seconds", None)
    if interval is None:
        return Text(mode)
    return Text(N_("every {interval_seconds} per entity, {mode}"), {"interval_seconds": interval, "mode": Text(mode)})


# --- Markdown -------------------------------------------------------------------------------------------------


def markdown_pages() -> dict[str, str]:
    """File name → text of every page, the index included."""
    pages = {f"{rule.code}-{rule.name}.md": markdown(rule_page(rule.code)) for rule in RULES.values()}
    return {"README.md": _index(), **pages}


def markdown(page: RulePage) -> str:
    """One rule's page."""
    rule, explanation = page.rule, page.explanation
    head = f"{page.severity} · {' and '.join(page.engines)} · since {rule.since}"
    parts = [
        f"# {rule.code} {rule.name}\n",
        f"**{explanation.title}**\n",
        f"{head}\n",
        f"{explanation.what}\n",
        f"## Why it matters\n\n{explanation.why}\n",
        f"## Instead\n\n{explanation.instead}\n",
        f"## When it is fine\n\n{explanation.fine_when}\n",
        "## Examples\n",
        *(_example(example) for example in page.examples),
    ]
    if page.causes:
        parts.append(f"Stands under {_links(page.causes)} where that is the cause.\n")
    if page.consequences:
        parts.append(f"Has under it, as consequences: {_links(page.consequences)}.\n")
    sources = "\n".join(f"- {source.address} (read {source.read})" for source in explanation.sources)
    return "\n".join([*parts, f"## Sources\n\n{sources}\n"])


def _example(example: RuleExample) -> str:
    lines = "\n".join(f"- {label}: {_code(label, text.translate(english))}" for label, text in example.features)
    return f"{example.heading}:\n\n{lines}\n"


def _code(label: str, text: str) -> str:
    return f"`{text}`" if label == "Key" else text


def _links(rules: tuple[Rule, ...]) -> str:
    return ", ".join(f"[{rule.code} {rule.name}]({rule.code}-{rule.name}.md)" for rule in rules)


def _index() -> str:
    head = (
        "# Rules\n\nWhat Keywright checks in a design. Codes are stable: they can be searched, quoted and accepted as "
        "a risk. In the application the list can be searched and narrowed.\n"
    )
    subjects = [_subject(group) for group in groups(RuleFilter())]
    narrowed = [
        "## By severity\n",
        *(_codes(name, (r for r in RULES.values() if r.severity == key)) for key, name in SEVERITIES.items()),
        "\n## By engine\n",
        *(_codes(name, (r for r in RULES.values() if key in r.engines)) for key, name in ENGINES.items()),
        *(line for site, pages in pages_by_site().items() if pages for line in _site(site, pages)),
    ]
    return head + "\n" + "\n".join([*subjects, *narrowed]) + "\n"


def _subject(group: RuleGroup) -> str:
    head = f"## {group.subject}\n\n| Rule | Severity | Engines | What it finds | Rests on |\n|---|---|---|---|---|\n"
    return head + "\n".join(_row(line) for line in group.lines) + "\n"


def _row(line: RuleRow) -> str:
    rule = line.rule
    cells = (
        _links((rule,)),
        SEVERITIES[rule.severity].lower(),
        ", ".join(ENGINES[engine] for engine in rule.engines),
        rule.title,
        ", ".join(page.label for page in line.pages),
    )
    return f"| {' | '.join(cells)} |"


def _site(site: str, pages: tuple[SourcePage, ...]) -> Iterator[str]:
    yield f"\n## By source: {site}\n"
    for page in pages:
        name = f"[{page.label}]({page.address})" if "://" in page.address else page.label
        yield _codes(name, (rule for rule in RULES.values() if page in pages_of(rule)))


def _codes(name: str, rules: Iterable[Rule]) -> str:
    return f"- {name}: " + ", ".join(f"[{rule.code}]({rule.code}-{rule.name}.md)" for rule in rules)
