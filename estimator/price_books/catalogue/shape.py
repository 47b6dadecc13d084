"""The Cloud Billing Catalog's JSON as values: what `services.skus.list` answers, one page or several, checked by place.

Source: Cloud Billing API, REST reference of `services.skus` (read 2026-11-21). Figures are kept as decimals.
"""

import datetime
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any

from designer.imports.shared.dates import parse_date

NANO = Decimal("1e-9")
MOST, LEAST_EXPONENT = Decimal(10) ** 30, -30
"""No figure of a catalogue is larger, or finer: exact arithmetic with one that is would not end."""


class CatalogueError(ValueError):
    """A file that is no catalogue, or no whole one; the text is a sentence that names the place."""


@dataclass(frozen=True)
class Tier:
    """One rate: from this usage on (in the usage unit), so much money per usage unit."""

    start: Decimal
    amount: Decimal
    currency: str


@dataclass(frozen=True)
class SkuPricing:
    """Price of a SKU from a moment on."""

    effective: datetime.datetime
    unit: str
    """As the catalogue writes it: `h`, `GiBy.mo`, `GiBy`."""
    factor: Decimal | None
    """Base units (seconds, bytes, byte-seconds) in a usage unit, where the file says so."""
    tiers: tuple[Tier, ...]
    interval: str
    """Over which time usage counts towards the tiers: `MONTHLY`, `DAILY`, or empty."""


@dataclass(frozen=True)
class Sku:
    """One SKU with all its prices, oldest first."""

    id: str
    name: str
    """`services/…/skus/…`"""
    description: str
    service: str
    group: str
    usage: str
    """`OnDemand`, `Commit1Yr`, `Preemptible` …"""
    regions: tuple[str, ...]
    timeline: tuple[SkuPricing, ...]

    def pricing(self, day: datetime.date) -> SkuPricing | None:
        """Return the pricing in effect on a day; None if all begin later."""
        return next((pricing for pricing in reversed(self.timeline) if pricing.effective.date() <= day), None)


def parse_skus(text: str) -> tuple[Sku, ...]:
    """Every SKU of a file: one page, a list of pages or of SKUs, or pages one after another.

    Raises
    ------
    CatalogueError
        If it is not of that shape, a page is missing, or a SKU stands there twice and differently.
    """
    skus: dict[str, Sku] = {}
    for place, raw in _raw_skus(text):
        sku = _sku(raw, place)
        # The same SKU twice happens where pages were joined; with two contents, nobody can say which is right.
        if skus.setdefault(sku.id, sku) != sku:
            raise CatalogueError(f"{place} says something else of SKU {sku.id} than before it.")
    if not skus:
        raise CatalogueError("There is no SKU in it: a catalogue is what services.skus.list answers.")
    return tuple(skus.values())


def _raw_skus(text: str) -> Iterator[tuple[str, Any]]:
    pages = [page for document in _documents(text) for page in (document if isinstance(document, list) else [document])]
    if pages and all(isinstance(page, dict) and "skuId" in page for page in pages):
        yield from ((f"[{number}]", raw) for number, raw in enumerate(pages))
        return
    for number, page in enumerate(pages):
        place = f"page {number + 1}: " if len(pages) > 1 else ""
        if not isinstance(page, dict) or not isinstance(page.get("skus"), list):
            raise CatalogueError(f"{place}there is no list named skus{_error(page)}.")
        yield from ((f"{place}skus[{n}]", raw) for n, raw in enumerate(page["skus"]))
    # A part of the catalogue would make a book in which prices are missing without a sign.
    if pages and pages[-1].get("nextPageToken"):
        raise CatalogueError("The last page has a nextPageToken: more pages belong to it, and a part makes no book.")


def _error(page: Any) -> str:
    """Return the service's error message for the end of a sentence; empty without one."""
    error = page.get("error") if isinstance(page, dict) else None
    return f"; it says: {error['message']}" if isinstance(error, dict) and error.get("message") else ""


def _documents(text: str) -> Iterator[Any]:
    """JSON documents that stand one after another."""
    # Decimals from the text: a float would change the last digits of a price before it is checked.
    decoder = json.JSONDecoder(parse_float=Decimal, parse_constant=_reject_number)
    place, text = 0, text.lstrip("\ufeff").strip()
    while place < len(text):
        try:
            document, place = decoder.raw_decode(text, place)
        except (ValueError, RecursionError) as error:
            raise CatalogueError(f"This is no JSON: {error}.") from error
        yield document
        # Pages that were saved one after another, with or without commas between them.
        while place < len(text) and text[place] in " \t\r\n,":
            place += 1


def _reject_number(text: str) -> Any:
    raise ValueError(f"{text} is no number")


def _sku(raw: Any, place: str) -> Sku:
    if not isinstance(raw, dict):
        raise CatalogueError(f"{place} is no SKU but {_kind(raw)}.")
    category = _parse_container(raw, "category", dict, place)
    regions, prices = (
        _parse_container(raw, "serviceRegions", list, place),
        _parse_container(raw, "pricingInfo", list, place),
    )
    if not all(isinstance(region, str) for region in regions):
        raise CatalogueError(f"{place}.serviceRegions must hold texts.")
    timeline = (_pricing(entry, f"{place}.pricingInfo[{n}]") for n, entry in enumerate(prices))
    return Sku(
        id=_text(raw, "skuId", place),
        name=str(raw.get("name", "")),
        description=_text(raw, "description", place),
        service=_text(category, "serviceDisplayName", f"{place}.category"),
        group=str(category.get("resourceGroup", "")),
        usage=str(category.get("usageType", "")),
        regions=tuple(regions),
        timeline=tuple(sorted(timeline, key=lambda pricing: pricing.effective)),
    )


def _pricing(raw: Any, place: str) -> SkuPricing:
    if not isinstance(raw, dict):
        raise CatalogueError(f"{place} is no price but {_kind(raw)}.")
    expression = _parse_container(raw, "pricingExpression", dict, place)
    at = f"{place}.pricingExpression"
    rates = _parse_container(expression, "tieredRates", list, at)
    factor = expression.get("baseUnitConversionFactor")
    return SkuPricing(
        effective=_moment(_text(raw, "effectiveTime", place), place),
        unit=_text(expression, "usageUnit", at),
        factor=None if factor is None else _decimal(factor, f"{at}.baseUnitConversionFactor"),
        tiers=tuple(_tier(rate, f"{at}.tieredRates[{n}]") for n, rate in enumerate(rates)),
        interval=str(_parse_container(raw, "aggregationInfo", dict, place).get("aggregationInterval", "")),
    )


def _tier(raw: Any, place: str) -> Tier:
    """Fields that are zero are left out by the service."""
    if not isinstance(raw, dict):
        raise CatalogueError(f"{place} is no rate but {_kind(raw)}.")
    price = raw.get("unitPrice")
    if not isinstance(price, dict):
        raise CatalogueError(f"{place} has no unitPrice.")
    units, nanos = (_decimal(price.get(name, 0), f"{place}.unitPrice.{name}") for name in ("units", "nanos"))
    if units != units.to_integral() or nanos != nanos.to_integral() or abs(nanos) >= 10**9:
        raise CatalogueError(f"{place}.unitPrice must be whole units and fewer than 1,000,000,000 nanos.")
    start = _decimal(raw.get("startUsageAmount", 0), f"{place}.startUsageAmount")
    return Tier(start, units + nanos * NANO, _text(price, "currencyCode", f"{place}.unitPrice"))


def _moment(text: str, place: str) -> datetime.datetime:
    moment = parse_date(text)
    if moment is None:
        raise CatalogueError(f"{place}.effectiveTime is no time: {text!r}.")
    # Without a zone, comparing it with other times would raise TypeError.
    return moment if moment.tzinfo else moment.replace(tzinfo=datetime.UTC)


def _decimal(value: object, place: str) -> Decimal:
    """Whole numbers of 64 bits come as text."""
    try:
        # In Python, True is a whole number.
        if not isinstance(value, bool) and isinstance(value, str | int | Decimal):
            number = Decimal(value)
            # "1e999999999" is a short text, but its fraction has a billion digits.
            if number.is_finite() and abs(number) <= MOST and int(number.as_tuple().exponent) >= LEAST_EXPONENT:
                return number
    except InvalidOperation:
        pass
    raise CatalogueError(f"{place} is no number: {value!r:.60}.")


def _text(raw: Mapping[str, Any], name: str, place: str) -> str:
    value = raw.get(name)
    if not isinstance(value, str) or not value.strip():
        raise CatalogueError(f"{place} has no {name}.")
    return value


def _parse_container(raw: Mapping[str, Any], name: str, kind: type, place: str) -> Any:
    """Return a list or an object by its name; an empty one where it is left out."""
    value = raw.get(name, kind())
    if not isinstance(value, kind):
        raise CatalogueError(f"{place}.{name} must be {'a list' if kind is list else 'an object'}, not {_kind(value)}.")
    return value


def _kind(value: object) -> str:
    names = {dict: "an object", list: "a list", str: "a text", bool: "true or false", type(None): "null"}
    return names.get(type(value), "a number")
