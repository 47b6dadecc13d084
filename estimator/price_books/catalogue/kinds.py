"""Mapping of the catalogue's SKUs to ours, by description and resource group: one table, no guesses.

Only "Backup storage in REGION region" could be read on a public page (cloud.google.com/skus/sku-groups/
cloud-bigtable-backups, read 2026-11-21). The other rows rest on the terms of the pricing page, so each asks for
all of its words and for none that would make it something else; a SKU that fits no row, or two, is left out and
listed.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from .shape import Sku


@dataclass(frozen=True)
class SkuType:
    """One of our SKUs: what the catalogue says of it and never says (words; `|` between alternatives)."""

    sku: str
    unit: str
    says: tuple[str, ...]
    never: tuple[str, ...] = ()

    def matches(self, text: str) -> bool:
        """Return True if a text has all of the words and none of the excluded ones."""
        return all(_has(text, words) for words in self.says) and not any(_has(text, words) for words in self.never)


def _has(text: str, words: str) -> bool:
    # Whole words, with or without a plural: "node" must not match within a longer word.
    return re.search(rf"\b(?:{words})s?\b", text) is not None


def _normalize(text: str) -> str:
    return " ".join(re.sub(r"[^a-z0-9]+", " ", text.lower()).split())


PLUS = "enterprise plus"
MEMORY = "memory"
BOOST = "data boost|serverless|spu|processing unit"
STORED = "storage|backup"
COLD = "infrequent|ia storage"
NETWORK = "network|egress|data transfer|replication|inter region|inter zone"
OTHER = (
    "development|trial|commitment|committed|cud|operation|request|retrieval|compaction|move|moved|moving|early deletion"
)

KINDS: tuple[SkuType, ...] = (
    # Our SKU                                 Unit         says                         and never
    SkuType("bigtable.node.enterprise",          "node-hour", ("node",),                   ("hdd", STORED, PLUS)),
    SkuType("bigtable.node.enterprise.hdd",      "node-hour", ("node", "hdd"),             (STORED, PLUS)),
    SkuType("bigtable.node.enterprise_plus",     "node-hour", ("node", PLUS),              ("hdd", STORED)),
    SkuType("bigtable.node.enterprise_plus.hdd", "node-hour", ("node", PLUS, "hdd"),       (STORED,)),
    SkuType("bigtable.storage.ssd",              "GiB-month", ("storage", "ssd"),          ("backup", "hdd", COLD)),
    SkuType("bigtable.storage.hdd",              "GiB-month", ("storage", "hdd"),          ("backup", "ssd", COLD)),
    SkuType("bigtable.storage.infrequent_access", "GiB-month", (COLD,),                    ("backup",)),
    SkuType("bigtable.backup.standard",          "GiB-month", ("backup",),                 ("hot", "ssd", "hdd", COLD)),
    SkuType("bigtable.backup.standard.ssd",      "GiB-month", ("backup", "ssd"),           ("hot", "hdd", COLD)),
    SkuType("bigtable.backup.standard.hdd",      "GiB-month", ("backup", "hdd"),           ("hot", "ssd", COLD)),
    SkuType("bigtable.backup.hot",               "GiB-month", ("backup", "hot"),           ("hdd", COLD)),
)  # fmt: skip
"""Everything but memory, Data Boost and the network; those words, and `OTHER`, are never in these."""

SPECIAL: tuple[SkuType, ...] = (
    SkuType("bigtable.in_memory.node_hour", "node-hour", (MEMORY,), (BOOST, NETWORK, OTHER, "storage")),
    SkuType("bigtable.data_boost.spu_second", "SPU-second", (BOOST,), (MEMORY, NETWORK, OTHER, "storage")),
)


def matching_types(sku: Sku) -> tuple[SkuType, ...]:
    """Return the kinds that a SKU fits; if not exactly one, the SKU is not known."""
    group = re.sub(r"(?<=[a-z])(?=[A-Z])|(?=[A-Z][a-z])", " ", sku.group)  # SSDBackupStorage is three words
    # Description and group together: either may leave out a word that the other has.
    text = _normalize(f"{sku.description} {group}")
    fits = [kind for kind in SPECIAL if kind.matches(text)]
    if not _has(text, "|".join((MEMORY, BOOST, NETWORK, OTHER))):
        fits += [kind for kind in KINDS if kind.matches(text)]
    return tuple(fits)


# --- the network ----------------------------------------------------------------------------------------------

AREAS: dict[str, tuple[str, ...]] = {
    "americas": ("us_canada", "mexico", "south_america"),
    "north america": ("us_canada",),
    "northern america": ("us_canada",),
    "us and canada": ("us_canada",),
    "south america": ("south_america",),
    "latin america": ("south_america",),
    "europe": ("europe",),
    "emea": ("europe", "middle_east", "africa"),
    "middle east": ("middle_east",),
    "africa": ("africa",),
    "asia": ("asia",),
    "apac": ("asia",),
    "asia pacific": ("asia",),
    "oceania": ("indonesia_oceania",),
    "indonesia and oceania": ("indonesia_oceania",),
    "australia": ("indonesia_oceania",),
}
"""Parts of the world as the catalogue names them → our areas (`regions.area`). Cities are not here: they are listed."""

DESTINATIONS: dict[str, str] = {
    "worldwide": "worldwide", "worldwide destinations": "worldwide", "americas": "worldwide", "emea": "worldwide",
    "asia": "asia", "apac": "asia", "china": "china", "australia": "australia",
}  # fmt: skip
"""Destinations on the internet as the catalogue names them → ours."""

_TO = re.compile(r"\b(?:from (?P<source>[a-z ]+?) )?to (?P<to>[a-z ]+?)$")


def network_rows(sku: Sku) -> Iterator[tuple[str, str]]:
    """Our SKU and place of each price of a network SKU; nothing where its description says no route that is known.

    Places: `us-central1>europe` from a region to an area, `us-central1>china` to a destination on the internet.
    """
    # Notes in parentheses stand after the destination, where the route's end is looked for.
    text = _normalize(re.sub(r"\([^)]*\)", " ", sku.description))
    if not _has(text, NETWORK):
        return
    # Traffic between zones names no route: it stays in its region.
    if "inter zone" in text and " to " not in text:
        yield from (("network.interregion.same_region", f"{region}>{region}") for region in _region_names(sku))
        return
    route = _TO.search(text)
    if route is None:
        return
    to = route["to"].removesuffix(" region").strip()
    if "internet" in text:
        if to in DESTINATIONS:
            destination = DESTINATIONS[to]
            yield from (
                ("network.internet.premium", destination if region == "global" else f"{region}>{destination}")
                for region in sku.regions
            )
    elif "inter region" in text or "replication" in text:
        name = "bigtable.replication" if "replication" in text else "network.interregion"
        yield from ((name, f"{region}>{area}") for region in _region_names(sku) for area in AREAS.get(to, ()))


def _region_names(sku: Sku) -> tuple[str, ...]:
    return tuple(region for region in sku.regions if region != "global")
