"""Tablestore's part of the catalogue's two closing lists: campus cards, after its best practices for table operations.

Loads and sizes are above the thresholds of 1,000 operations a second and 10 GB, and for what is caught below as well.
"""

from collections.abc import Callable
from typing import Literal

from designer.document import Spec
from estimator.advice.rules.shared.examples import DEVICE, Part, field_part, key_column, read_part, tablestore_design

PER_SECOND = 20_000
BELOW_PER_SECOND = 20

Make = Callable[[], Spec]
Severity = Literal["note"] | None

CARD: Part = {**DEVICE, "id": "card", "name": "CardID", "values": {"kind": "pattern", "text": "{n:08}"},
              "distinct": 200_000, "popularity": {"kind": "zipf", "theta": 0.3}}  # fmt: skip
TILL: Part = {**DEVICE, "id": "till", "name": "DeviceID", "values": {"kind": "pattern", "text": "d{n:06}"},
              "distinct": 100_000, "belongs_to": "seller", "popularity": None}  # fmt: skip
"""How busy it is, follows from its seller."""
SELLER: Part = {**DEVICE, "id": "seller", "name": "SellerID", "distinct": 900,
                "values": {"kind": "pattern", "text": "a{n}", "start": 100},
                "popularity": {"kind": "weights", "weights": [20, 10], "rest": 70}}  # fmt: skip
ITEM: Part = {**DEVICE, "id": "item", "name": "ItemID", "kind": "integer",
              "values": {"kind": "range", "min": 10_000, "max": 99_999}}  # fmt: skip
NUMBER: Part = {**DEVICE, "id": "number", "name": "number", "kind": "integer", "distinct": 100_000,
                "values": {"kind": "range", "min": 1, "max": 900_000}}  # fmt: skip
OVERWRITE = {"mode": "overwrite"}
A_MONTH: dict[str, object] = {
    "table": {"tablestore": {"ttl_seconds": 30 * 86_400}},
    "column": {"value": {"kind": "integer", "typical_bytes": 8}},
}
"""Amounts that are kept for a month."""


def orders(per_second: float) -> Part:
    """Numbered as purchases are made."""
    return {**DEVICE, "id": "order", "name": "OrderNumber", "kind": "integer", "assigned": "sequential",
            "values": {"kind": "range", "min": 10**11, "max": 10**14}, "growth_per_day": per_second * 86_400,
            "popularity": {"kind": "latest"}}  # fmt: skip


def purchases(per_second: float, *lead: Part, knows: str, newest: bool = True) -> Make:
    """A row per purchase, the order's number last, unless it leads."""
    last = [] if lead == (field_part("order"),) else [key_column("number", field_part("order"), type="INTEGER")]
    kind = "INTEGER" if lead == (field_part("order"),) else "STRING"
    asked = read_part(binds=(knows,), **({"newest_rows": 20, "reverse": True} if newest else {}))
    return lambda: tablestore_design(
        key_column("lead", *lead, type=kind),
        *last,
        fields=(CARD, TILL, SELLER, orders(per_second)),
        per_second=per_second,
        reads=(asked,),
        **A_MONTH,
    )


def concatenated(delimiter: str) -> Make:
    """The number padded, then a seller's and an item's id, in one column; readers know the number."""
    key = (
        field_part("number", delimiter, {"kind": "pad", "width": 6}),
        field_part("seller", delimiter),
        field_part("item"),
    )
    return lambda: tablestore_design(
        key_column("key", *key),
        fields=(NUMBER, {**SELLER, "distinct": 1_000}, ITEM),
        per_second=PER_SECOND,
        write=OVERWRITE,
        reads=(read_part(binds=("number",)),),
    )


def by_till_and_seller(per_second: float, *, tills: int) -> Make:
    """Purchases under the device and its seller, which the device determines."""
    lead = key_column("lead", field_part("till", ","), field_part("seller"))
    return lambda: tablestore_design(
        lead,
        key_column("number", field_part("order"), type="INTEGER"),
        fields=({**TILL, "distinct": tills}, SELLER, orders(per_second)),
        per_second=per_second,
        reads=(read_part(binds=("till", "seller"), newest_rows=20, reverse=True),),
        **A_MONTH,
    )


PASS: dict[str, Make] = {
    "CardID as the partition key": purchases(PER_SECOND, field_part("card"), knows="card"),
    "DeviceID as the partition key": purchases(PER_SECOND, field_part("till"), knows="till"),
    "a hash before OrderNumber": purchases(
        PER_SECOND,
        {"id": "hash_part", "kind": "hash", "fields": ("order",), "digits": 4},
        {**field_part("order"), "id": "shown_part"},
        knows="order",
        newest=False,
    ),
    "000016,a100,66661 in a partition key": concatenated(","),
}

CAUGHT: dict[str, tuple[str, Make, Make | None, Severity]] = {
    "OrderNumber as the partition key": (
        "K005",
        purchases(PER_SECOND, field_part("order"), knows="order", newest=False),
        purchases(BELOW_PER_SECOND, field_part("order"), knows="order", newest=False),
        "note",
    ),
    "SellerID as the partition key, by its load": (
        "K013",
        purchases(PER_SECOND, field_part("seller"), knows="seller"),
        purchases(BELOW_PER_SECOND, field_part("seller"), knows="seller"),
        "note",
    ),
    "SellerID as the partition key, by its size": (
        "R007",
        purchases(PER_SECOND, field_part("seller"), knows="seller"),
        purchases(BELOW_PER_SECOND, field_part("seller"), knows="seller"),
        None,
    ),
    "a colon before ids of any length in a partition key": ("K011", concatenated(":"), None, None),
    "DeviceID and SellerID, which the device determines": (
        "R008",
        by_till_and_seller(PER_SECOND, tills=900),
        by_till_and_seller(BELOW_PER_SECOND, tills=900),
        "note",
    ),
}
"""Rule, above the thresholds, below them, and what is said there at most."""
