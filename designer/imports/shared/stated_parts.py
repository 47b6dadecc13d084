"""Statements of a text about the parts that run; all else in the design made of it is a default, or unknown."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

Values = Mapping[str, Any]
"""Values of one part by the names of their fields in a document, `None` where there is none for certain."""

TABLES, CLUSTERS, PROFILES = "tables", "clusters", "app_profiles"
COPIES = "copies"
"""Backups of a table, each as its kind and the days for which it is kept."""
TABLE_DEFAULTS: Values = {
    "deletion_protection": False,
    "change_stream_days": None,
    "infrequent_access_days": None,
    "backups": [],
    "split_keys": [],
}
"""What a table has where its whole description is silent."""


@dataclass(frozen=True)
class StatedParts:
    """Statements by name. Families are in the `families` of their table, by name, clusters of a profile by name."""

    instance: Values = field(default_factory=dict)
    tables: Mapping[str, Values] = field(default_factory=dict)
    clusters: Mapping[str, Values] = field(default_factory=dict)
    app_profiles: Mapping[str, Values] = field(default_factory=dict)
    whole: frozenset[str] = frozenset()
    """Lists of which the text has every member: what is not in them does not run."""

    def of_list(self, name: str) -> Mapping[str, Values]:
        """Return the parts in one of the lists of an instance."""
        return {TABLES: self.tables, CLUSTERS: self.clusters, PROFILES: self.app_profiles}[name]

    @property
    def is_empty(self) -> bool:
        """True if nothing is stated that a design defines."""
        return not (self.instance or self.tables or self.clusters or self.app_profiles or self.whole)


def known_values(values: Values, unknown: Iterable[str] = ()) -> Values:
    """Return the values without those that the text leaves open."""
    return {name: value for name, value in values.items() if name not in unknown}


def stated_families(families: Iterable[Values], unknown: Mapping[str, set[str]]) -> Mapping[str, Values]:
    """Return what is told of families, by name; `unknown` names those of their fields that were not understood."""
    by_name = {
        str(family["name"]): {"gc": family.get("gc"), "kind": family.get("kind", "ordinary")} for family in families
    }
    return {name: known_values(values, unknown.get(name, ())) for name, values in by_name.items()}


def merge_stated(parts: Iterable[StatedParts]) -> tuple[StatedParts, tuple[str, ...]]:
    """Return what several texts tell together, and the places of which they tell different things.

    Of two values the later one counts. A list is whole if any text has it whole.
    """
    instance: dict[str, Any] = {}
    lists: dict[str, dict[str, Values]] = {TABLES: {}, CLUSTERS: {}, PROFILES: {}}
    whole, conflicts = frozenset[str](), list[str]()
    for part in parts:
        whole |= part.whole
        conflicts += _conflicting_places("instance", instance, part.instance)
        instance |= part.instance
        for name, entries in lists.items():
            for key, values in part.of_list(name).items():
                conflicts += _conflicting_places(key, entries.get(key, {}), values)
                entries[key] = _merge(entries.get(key, {}), values)
    result = StatedParts(instance, lists[TABLES], lists[CLUSTERS], lists[PROFILES], whole)
    return result, tuple(dict.fromkeys(conflicts))


def _merge(before: Values, after: Values) -> Values:
    families = {**before.get("families", {})}
    for name, values in after.get("families", {}).items():
        families[name] = {**families.get(name, {}), **values}
    merged = {**before, **after, **({"families": families} if families or "families" in after else {})}
    if COPIES in merged:
        # Copies add up: each file may hold those of another cluster.
        merged[COPIES] = (*before.get(COPIES, ()), *after.get(COPIES, ()))
    return merged


def _conflicting_places(place: str, before: Values, after: Values) -> Iterator[str]:
    for name in before.keys() & after.keys():
        if isinstance(before[name], Mapping) and name == "families":
            for key in before[name].keys() & after[name].keys():
                yield from _conflicting_places(f"{place} / {key}", before[name][key], after[name][key])
        elif before[name] != after[name] and name not in ("name", COPIES):
            yield f"{place}: {name}"
