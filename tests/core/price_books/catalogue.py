"""SKUs as `services.skus.list` answers them, made for the tests: the documented shape, with made-up figures."""

import json
from decimal import Decimal

DAY = "2026-11-01T00:00:00Z"
MONTH_OF_31_DAYS = 31 * 86_400
FACTORS = {"h": 3_600, "s": 1, "GiBy": 2**30, "GBy": 10**9, "TiBy": 2**40, "GiBy.mo": 2**30 * MONTH_OF_31_DAYS,
           "GBy.mo": 10**9 * MONTH_OF_31_DAYS}  # fmt: skip


def money(amount, currency="USD"):
    """A price as units and nanos; zeros are left out, as the service does."""
    units, nanos = divmod(int(Decimal(str(amount)).scaleb(9)), 10**9)
    return {"currencyCode": currency} | ({"units": str(units)} if units else {}) | ({"nanos": nanos} if nanos else {})


def priced(*rates, unit="h", effective=DAY, currency="USD", interval="MONTHLY", **expression):
    """One entry of `pricingInfo`: amounts, or (start, amount) where there are tiers."""
    pairs = [rate if isinstance(rate, tuple) else (0, rate) for rate in rates]
    given = {
        "usageUnit": unit,
        "usageUnitDescription": unit,
        "baseUnit": "By" if "By" in unit else "s",
        "baseUnitConversionFactor": FACTORS.get(unit, 1),
        "displayQuantity": 1,
        "tieredRates": [{"startUsageAmount": start, "unitPrice": money(each, currency)} for start, each in pairs],
    }
    aggregation = {"aggregationLevel": "ACCOUNT", "aggregationInterval": interval, "aggregationCount": 1}
    return {
        "summary": "",
        "pricingExpression": given | expression,
        "aggregationInfo": aggregation,
        "currencyConversionRate": 1,
        "effectiveTime": effective,
    }


def sku(
    description,
    *prices,
    regions=("europe-west1",),
    id=None,  # noqa: A002
    usage="OnDemand",
    service="Cloud Bigtable",
    group="Bigtable",
    **more,
):
    """One SKU; a number is its price by the hour."""
    name = id or f"{abs(hash_of(description)):012X}"
    return {
        "name": f"services/C3BE-24A5-0975/skus/{name}",
        "skuId": name,
        "description": description,
        "category": {
            "serviceDisplayName": service,
            "resourceFamily": "ApplicationServices",
            "resourceGroup": group,
            "usageType": usage,
        },
        "serviceRegions": list(regions),
        "pricingInfo": [one if isinstance(one, dict) else priced(one) for one in prices],
        "serviceProviderName": "Google",
        "geoTaxonomy": {"type": "REGIONAL", "regions": list(regions)},
    } | more


def hash_of(text):
    """A number of a text, the same in every process."""
    return sum(ord(letter) * 31**place for place, letter in enumerate(text)) % 16**12


def storage(description, amount, **more):
    """A SKU by the GiB-month."""
    return sku(description, priced(amount, unit="GiBy.mo"), **more)


def page(*skus, **more):
    """One page as JSON."""
    return json.dumps({"skus": list(skus), "nextPageToken": ""} | more)
