"""Facts that a field's name suggests: what its values stand for, their kind, their number and how busy one can be."""

import re
from typing import Literal, NamedTuple

Subject = Literal[
    "event", "counter", "session", "person", "device", "owner", "thing", "category", "part", "place", "time", "id", ""
]


class Role(NamedTuple):
    """The usual meaning of a field's values, by its name."""

    subject: Subject
    distinct: int = 10_000
    rank: int = 0
    """Place in a chain of owners: values of a higher rank belong to those of a lower one; 0: not in any chain."""
    most_per_second: float | None = None
    """Events that the busiest value causes at most, as the mean of a day; None: no bound. [1/s]"""


PERSON_PER_SECOND = 0.1
"""A person acts at most every ten seconds, day and night (our assumption: more is a program)."""
BUYER_PER_SECOND = 100 / 86_400
"""A person orders, books or pays at most a hundred times a day (our assumption; once a week is usual)."""
DEVICE_PER_SECOND = 10.0
"""A device reports at most ten times a second (our assumption; usual intervals are a second to an hour)."""

_NUMBER = r"(_?(id|no|nr|num|number|key|ref|uuid))?$"
_IN_ORDER = r"(^|_)(ulid|ksuid|tsid|snowflake|object_?id|time_?uuid|uuid_?v?[17])(_?id)?$"
"""Ids that begin with the time at which they are made."""
_ROLES: tuple[tuple[str, Role], ...] = (
    (r"(^|_)(time|timestamp|date|day|ts)$|_at$", Role("time")),
    (r"^(uuid|guid)$", Role("event", 10_000_000)),
    (_IN_ORDER, Role("event", 10_000_000)),
    (r"(^|_)txn?(_?(id|hash))?$", Role("event", 10_000_000)),
    (r"(region|continent|zone|country)", Role("place", 50)),
    (r"(status|state|type|kind|category|level|platform)", Role("category", 10)),
    (r"(shard|partition|bucket|salt|slot)", Role("part", 100)),
    (rf"(^|_)(idempotency|dedup[a-z]*|nonce|correlation){_NUMBER}", Role("event", 10_000_000)),
    (rf"(order|event|transaction|request|message|trip|ride|invoice|payment|trace|span|click){_NUMBER}",
     Role("event", 10_000_000)),
    (rf"(seq|sequence|offset|^index|^version|^revision|line|move|step){_NUMBER}", Role("counter", 10_000_000)),
    (r"(^|_)e_?mail(_?(id|address))?$", Role("person", 1_000_000, 3, PERSON_PER_SECOND)),
    (r"(tenant|customer|org|company|seller|shop|merchant)", Role("owner", 1_000, 1)),
    (r"account", Role("owner", 1_000, 2)),
    (r"(metric|measure)", Role("category", 20)),
    (r"(city|location|site|domain|host)", Role("place", 5_000)),
    (r"(device|sensor|machine|vehicle|phone|balloon|card|meter|camera|thermostat|(^|_)(imei|imsi|mac|vin)(_|$)|_plate$)",
     Role("device", 100_000, 4, DEVICE_PER_SECOND)),
    (r"session", Role("session", 1_000_000, 3, PERSON_PER_SECOND)),
    (r"(user|member|person|visitor|subscriber|patient|player|student|passenger|employee|cookie|e_?mail|^uid$)",
     Role("person", 1_000_000, 3, PERSON_PER_SECOND)),
    (r"(order|event|transaction|request|message|trip)", Role("", 10_000_000)),
    (r"(url|uri|path|page|(^|_)ip($|_))", Role("thing", 1_000_000)),
    (r"(product|item|isbn|sku|article|asset)", Role("thing", 100_000)),
    (r"(^|_)(hash|digest|checksum|fingerprint|etag|md5|sha(1|256|512)?)$", Role("thing", 10_000_000)),
    (r"(^|_)id$", Role("id")),
)  # fmt: skip
"""By pattern of the lower-case name, the first that matches; numbers are orders of magnitude, to be corrected."""

_PURCHASES = r"(order|purchase|booking|reservation|invoice|payment|trip|ride)"

_KINDS: tuple[tuple[str, str], ...] = (
    (r"(^|_)(time|timestamp|date|at|day|ts|dt|datetime|epoch)$", "timestamp"),
    (r"(^|_)(time|timestamp|ts|epoch)_(ms|us|s|sec|seconds|millis|micros)$", "timestamp"),
    (r"(uuid|guid)", "uuid"),
    (r"(domain|host|hostname|site)$", "domain"),
    (r"^(is|has)_", "boolean"),
    (r"(count|amount|number|size|score|price|quantity|offset|(?<![a-z])(age|num|seq))$", "integer"),
    (r"(^|_)id$", "string"),
)


def snake_case(name: str) -> str:
    """Return a name in lower case with underscores between its words.

    >>> snake_case("createdAt"), snake_case("MessageID"), snake_case("IPAddress"), snake_case("user_id")
    ('created_at', 'message_id', 'ip_address', 'user_id')
    """
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()


def role_of(name: str) -> Role:
    """Return what the values of a field of this name usually stand for."""
    words = snake_case(name)
    return next((role for pattern, role in _ROLES if re.search(pattern, words)), Role(""))


def is_in_order(name: str) -> bool:
    """Return True if a name is that of ids which sort by when they were made."""
    return re.search(_IN_ORDER, name.lower()) is not None or re.search(_IN_ORDER, snake_case(name)) is not None


def is_account(name: str) -> bool:
    """Return True if a name is that of accounts, which are an organization's or one person's."""
    return role_of(name).subject == "owner" and re.search("account", name.lower()) is not None


def is_purchase(name: str) -> bool:
    """Return True if a name is that of what one person orders, books or pays for."""
    role = role_of(name)
    return role.subject in ("event", "id", "") and re.search(_PURCHASES, name.lower()) is not None


def can_buy(name: str) -> bool:
    """Return True if a name is that of persons, or of customers or accounts, which can be one person's."""
    role = role_of(name)
    return role.subject == "person" or (
        role.subject == "owner" and re.search("customer|account", name.lower()) is not None
    )


def kind_of(name: str, *, distinct: int | None) -> str | None:
    """Return the kind of values that a name suggests, or None.

    More than two values are not true and false. Dates of which there are so many are days that rows are about, such as
    nights in a hotel, and not the times of events.
    """
    words = snake_case(name)
    for pattern, kind in _KINDS:
        # A field "has_status" with five values is no boolean, and a "day" of which there are 365 is no moment.
        is_excluded = (kind == "boolean" and (distinct or 0) > 2) or (kind == "timestamp" and distinct is not None)
        if re.search(pattern, words) and not is_excluded:
            return kind
    return None
