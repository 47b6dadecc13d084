"""The book: rows for every SKU that is known, in every region that it is sold in, at the price of the day."""

import datetime
import json
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any, get_args

from designer.document.money import Currency

from ..prices import PriceBook, read_book
from .kinds import matching_types, network_rows
from .shape import CatalogueError, Sku, SkuPricing, parse_skus
from .units import conversion_factor, is_consistent_factor, to_decimal

SERVICE = "services/C3BE-24A5-0975"
"""Cloud Bigtable in the Cloud Billing Catalog. Read 2026-11-21."""
ADDRESS = "https://cloudbilling.googleapis.com/v1/"
ANOTHER_SERVICE = "of another service"
_REGION = re.compile(r"[a-z]+(-[a-z]+)+\d+")


@dataclass(frozen=True)
class SkippedSku:
    """A SKU without a row in the book, and why: in English, for who imports."""

    sku: str
    description: str
    where: str
    why: str


@dataclass(frozen=True)
class ImportedBook:
    """A book with its file's text, and what was left out."""

    book: PriceBook
    text: str
    left_out: tuple[SkippedSku, ...]


@dataclass(frozen=True)
class _Row:
    sku: str
    where: str
    unit: str
    tiers: tuple[tuple[Decimal, Decimal], ...]
    """(from so much, price per our unit), ascending."""
    exact: bool
    source: Sku
    effective: datetime.datetime


class _UnknownSkuError(Exception):
    """Reason for which a SKU gets no row."""


def build_price_book(
    text: str,
    *,
    day: datetime.date,
    read_on: datetime.date | None = None,
    name: str | None = None,
    besides: PriceBook | None = None,
) -> ImportedBook:
    """Return the price book of a catalogue on a given day.

    Parameters
    ----------
    read_on
        When somebody saw the catalogue; that day, unless it is said.
    name
        `bigtable-DAY-catalog`, unless it is said.
    besides
        Another book whose network prices stand in, with their own source, where the catalogue has none.

    Raises
    ------
    CatalogueError
        If the file is not of the catalogue's shape, is in a currency that no book has, or holds nothing known.
    """
    rows: list[_Row] = []
    skipped_skus: list[SkippedSku] = []
    for sku in parse_skus(text):
        try:
            rows += _rows(sku, day)
        except _UnknownSkuError as reason:
            skipped_skus.append(SkippedSku(sku.id, sku.description, ", ".join(sku.regions) or "no region", str(reason)))
    if not rows:
        raise CatalogueError(
            f"None of its {len(skipped_skus)} SKUs is a price of Bigtable that is known: nothing is made."
        )
    rows, doubtful = _unique_rows(rows)
    skipped_skus += doubtful
    currency = _currency(rows, day)
    prices = [_as_json(row, tier, currency, read_on or day) for row in rows for tier in range(len(row.tiers))]
    if besides is not None:
        prices += _network_prices(besides, currency, {(row.sku, row.where) for row in rows})
    note = f"Made from the Cloud Billing Catalog: {len(rows)} prices; {len(skipped_skus)} SKUs were left out."
    other = "" if currency == "USD" else f"-{currency.lower()}"
    raw = {
        "name": name or f"bigtable-{day}-catalog{other}",
        "engine": "bigtable",
        "date": day.isoformat(),
        "currency": currency,
        "note": note,
    }
    book = json.dumps({**raw, "prices": prices}, ensure_ascii=False, indent=1) + "\n"
    # The text is read back by the reader of books: what it would refuse is never stored.
    return ImportedBook(read_book(book), book, tuple(skipped_skus))


def _rows(sku: Sku, day: datetime.date) -> Iterator[_Row]:
    if "bigtable" not in sku.service.lower():
        raise _UnknownSkuError(f"{ANOTHER_SERVICE}: {sku.service}")
    if sku.usage.startswith("Commit"):
        raise _UnknownSkuError("a commitment's price: bills reckon commitments from the list price")
    if sku.usage not in ("", "OnDemand"):
        raise _UnknownSkuError(f"its usage type is {sku.usage}, not OnDemand")
    # A catalogue can announce prices: only the one in effect on the day is taken.
    pricing = sku.pricing(day)
    if pricing is None:
        begins = f"from {sku.timeline[0].effective.date()} on" if sku.timeline else "at no time"
        raise _UnknownSkuError(f"it has a price {begins}, not on {day}")
    strange = [region for region in sku.regions if region != "global" and not _REGION.fullmatch(region)]
    if strange or not sku.regions:
        raise _UnknownSkuError(f"it is sold in {', '.join(strange) or 'no region'}, which is no region")
    fits = matching_types(sku)
    # A guess between two kinds could bill a node as a backup; a SKU that is left out is at least listed.
    if len(fits) > 1:
        raise _UnknownSkuError(f"its description fits {' and '.join(kind.sku for kind in fits)}")
    if fits:
        places = [(fits[0].sku, "" if region == "global" else region) for region in sku.regions]
        unit = fits[0].unit
    else:
        places, unit = list(network_rows(sku)), "GiB"
        if not places:
            raise _UnknownSkuError("its description is not known")
    tiers, exact = _tiers(pricing, unit)
    for name, where in places:
        yield _Row(name, where, unit, tiers, exact, sku, pricing.effective)


def _tiers(pricing: SkuPricing, unit: str) -> tuple[tuple[tuple[Decimal, Decimal], ...], bool]:
    """Return the rates by our unit, and True if they are exact."""
    times = conversion_factor(pricing.unit, unit)
    if times is None:
        raise _UnknownSkuError(f"its unit {pricing.unit} cannot be told as {unit}")
    # A unit that does not mean what its name says would make a price wrong by a factor such as 1.07 or 730.
    if not is_consistent_factor(pricing.unit, pricing.factor):
        raise _UnknownSkuError(f"its unit {pricing.unit} does not agree with its factor {pricing.factor}")
    rates = sorted(pricing.tiers, key=lambda tier: tier.start)
    starts = [tier.start for tier in rates]
    # The book refuses tiers with a gap (`_add_tier`); here the reason can name the SKU.
    if not rates or starts[0] != 0 or len(set(starts)) != len(starts):
        raise _UnknownSkuError("its rates do not begin at nothing, or two begin at the same usage")
    if any(tier.amount < 0 for tier in rates):
        raise _UnknownSkuError("it has a negative price")
    if len(rates) > 1 and (unit != "GiB" or pricing.interval not in ("", "MONTHLY")):
        raise _UnknownSkuError(
            f"its rates go by volume ({pricing.interval or unit}), which bills know by GiB and month alone"
        )
    # Fractions, since a price by the second has no end as a decimal: rounding is done once, at the end.
    amounts = [to_decimal(Fraction(tier.amount) * times) for tier in rates]
    bounds = [to_decimal(Fraction(tier.start) / times) for tier in rates]
    exact = all(done for _, done in (*amounts, *bounds))
    return tuple((start, amount) for (start, _), (amount, _) in zip(bounds, amounts, strict=True)), exact


def _unique_rows(rows: Sequence[_Row]) -> tuple[list[_Row], list[SkippedSku]]:
    """One row per SKU and place; where two SKUs say different prices neither is taken."""
    by_place: dict[tuple[str, str], list[_Row]] = defaultdict(list)
    for row in rows:
        by_place[row.sku, row.where].append(row)
    retained, skipped_skus = [], []
    for (name, where), same in sorted(by_place.items()):
        # The catalogue lists some prices under several SKUs; the same price twice is no doubt.
        if len({row.tiers for row in same}) == 1:
            retained.append(same[0])
            continue
        others = " and ".join(sorted({row.source.id for row in same}))
        why = f"{others} price {name} differently"
        skipped_skus += [SkippedSku(row.source.id, row.source.description, where or "everywhere", why) for row in same]
    if not retained:
        raise CatalogueError("All of its SKUs contradict each other: nothing is made.")
    return retained, skipped_skus


def _currency(rows: Sequence[_Row], day: datetime.date) -> Currency:
    currencies = {tier.currency for row in rows if (now := row.source.pricing(day)) for tier in now.tiers}
    # Taken from the type's own values, so that a type checker knows the result as a Currency.
    known_currencies = [argument for argument in get_args(Currency) if argument in currencies]
    if len(currencies) > 1:
        raise CatalogueError(f"Its prices are in {' and '.join(sorted(currencies))}: a book is in one currency.")
    if not known_currencies:
        raise CatalogueError(f"Its prices are in {min(currencies)}; books are in {', '.join(get_args(Currency))}.")
    return known_currencies[0]  # type: ignore[no-any-return]


def _as_json(row: _Row, tier: int, currency: Currency, read_on: datetime.date) -> dict[str, Any]:
    start, amount = row.tiers[tier]
    sku = row.source
    service = sku.name.partition("/skus/")[0] if "/skus/" in sku.name else SERVICE
    source = f"Cloud Billing Catalog, SKU {sku.id} ({sku.description}), effective {row.effective:%Y-%m-%d}, "
    entry: dict[str, Any] = {
        "sku": row.sku,
        "where": row.where,
        "unit": row.unit,
        currency.lower(): f"{amount:f}",
        "seen": read_on.isoformat(),
        "confidence": "high",
        "source": f"{source}{ADDRESS}{service}/skus",
    }
    if len(row.tiers) > 1:
        entry["from_gb"] = f"{start:f}"
        if tier + 1 < len(row.tiers):
            entry["to_gb"] = f"{row.tiers[tier + 1][0]:f}"
    if not row.exact:
        entry["note"] = "converted from another unit and rounded to 18 digits"
    return entry


def _network_prices(book: PriceBook, currency: Currency, there: set[tuple[str, str]]) -> Iterator[dict[str, Any]]:
    """Network prices of another book, as its file has them."""
    if book.currency != currency:
        raise CatalogueError(f"{book.name} is in {book.currency}, the catalogue in {currency}: nothing is converted.")
    for (sku, where), tiers in book.prices.items():
        # What the catalogue itself says goes first: two prices in one place would make the book unreadable.
        if not sku.startswith("network.") or (sku, where) in there:
            continue
        for price in tiers:
            row = {
                "sku": sku, "where": where, "unit": price.unit, currency.lower(): f"{price.amount:f}",
                "seen": price.seen, "confidence": price.confidence, "source": f"{price.source}; by way of {book.name}",
                "note": price.note,
            }  # fmt: skip
            bounds = {"from_gb": f"{price.from_gb:f}"} | ({} if price.to_gb is None else {"to_gb": f"{price.to_gb:f}"})
            yield row | (bounds if len(tiers) > 1 or price.to_gb is not None else {})
