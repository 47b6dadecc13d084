"""The list of rules by subject, searched, and narrowed by engine, severity and source. Texts are messages."""

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from itertools import groupby
from typing import NamedTuple

from designer.document.texts import N_

from ..rules import RULES, Rule
from ..rules.shared import SourceReference

SUBJECTS: dict[str, str] = {
    "K": N_("Keys"),
    "T": N_("Tables"),
    "F": N_("Column families"),
    "C": N_("Columns and cells"),
    "R": N_("Rows"),
    "Q": N_("Reads"),
    "W": N_("Writes"),
    "I": N_("Instance and cost"),
    "G": N_("Assumed values"),
    "A": N_("Accepted risks"),
}
"""What the first letter of a code says the rule is about, in the order of the list."""

SITES: dict[str, str] = {
    "https://cloud.google.com/bigtable/": N_("Bigtable documentation"),
    "https://www.alibabacloud.com/": N_("Tablestore documentation"),
    "https://help.aliyun.com/": N_("Tablestore documentation"),
    "": N_("Other sources"),
}
"""How an address begins → whose it is; the first that fits."""


@dataclass(frozen=True)
class SourcePage:
    """A page that rules rest on: its address without the place in it, a short name, and whose it is."""

    address: str
    label: str
    site: str


@dataclass(frozen=True)
class RuleFilter:
    """Filters of the rule list; an empty field matches everything."""

    q: str = ""
    engine: str = ""
    severity: str = ""
    source: str = ""

    @property
    def is_set(self) -> bool:
        """True if the list is filtered at all."""
        return any(getattr(self, field.name) for field in fields(self))


class RuleRow(NamedTuple):
    """A rule with the pages that it rests on."""

    rule: Rule
    pages: tuple[SourcePage, ...]


@dataclass(frozen=True)
class RuleGroup:
    """The rules of one subject, by code."""

    letter: str
    subject: str
    lines: tuple[RuleRow, ...]


def page_of(source: SourceReference) -> SourcePage:
    """Return the page of a source; a source without an address is named by its own words."""
    address = source.address.partition("#")[0]
    site = next(name for start, name in SITES.items() if address.startswith(start))
    label = address.removeprefix("https://").rstrip("/").rpartition("/")[2] if "://" in address else address
    return SourcePage(address, label, site)


def pages_of(rule: Rule) -> tuple[SourcePage, ...]:
    """Return the distinct pages that a rule cites."""
    return tuple(dict.fromkeys(page_of(source) for source in rule.explanation.sources))


def pages_by_site() -> Mapping[str, tuple[SourcePage, ...]]:
    """Every page that any rule rests on, by whose it is, then by its name."""
    pages = {page for rule in RULES.values() for page in pages_of(rule)}
    sites = dict.fromkeys(SITES.values())
    return {site: tuple(sorted((p for p in pages if p.site == site), key=_label)) for site in sites}


def _label(page: SourcePage) -> str:
    return page.label.casefold()


def parse_filter(query: Mapping[str, str]) -> RuleFilter:
    """Return the filters in an address; a choice that no longer exists is ignored."""
    values = {field.name: query.get(field.name, "").strip() for field in fields(RuleFilter)}
    choices: dict[str, set[str]] = {
        "engine": {str(engine) for rule in RULES.values() for engine in rule.engines},
        "severity": {str(rule.severity) for rule in RULES.values()},
        "source": {page.address for rule in RULES.values() for page in pages_of(rule)},
    }
    return RuleFilter(**{name: text for name, text in values.items() if text in choices.get(name, {text})})


def groups(rule_filter: RuleFilter, translate: Callable[[str], str] = str) -> tuple[RuleGroup, ...]:
    """Return the matching rules by subject; words are searched in English and in the reader's language."""
    order = list(SUBJECTS)
    fitting = sorted(_matching_rules(rule_filter, translate), key=lambda rule: (order.index(rule.code[0]), rule.code))
    return tuple(
        RuleGroup(letter, SUBJECTS[letter], tuple(RuleRow(rule, pages_of(rule)) for rule in rules))
        for letter, rules in groupby(fitting, lambda rule: rule.code[0])
    )


def _matching_rules(rule_filter: RuleFilter, translate: Callable[[str], str]) -> Iterator[Rule]:
    # Text in wide letters, as Japanese input methods write it, finds the same rules.
    words = fold_text(rule_filter.q).split()
    for rule in RULES.values():
        if rule_filter.engine and rule_filter.engine not in rule.engines:
            continue
        if rule_filter.severity and rule_filter.severity != rule.severity:
            continue
        if rule_filter.source and rule_filter.source not in {page.address for page in pages_of(rule)}:
            continue
        text = fold_text("\n".join(_rule_texts(rule, translate))) if words else ""
        if all(word in text for word in words):
            yield rule


def _rule_texts(rule: Rule, translate: Callable[[str], str]) -> Iterable[str]:
    texts = rule.explanation.texts
    return rule.code, rule.name, *texts, *(translate(text) for text in texts), *(p.label for p in pages_of(rule))


def fold_text(text: str) -> str:
    """Text as it is compared: wide and narrow letters, upper and lower case alike."""
    return unicodedata.normalize("NFKC", text).casefold()
