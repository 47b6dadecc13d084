"""Regions and the network routes between them, by name: Google names its regions after continents."""

_AREAS: tuple[tuple[str, str], ...] = (
    ("us-", "us_canada"),
    ("northamerica-northeast", "us_canada"),
    ("northamerica-", "mexico"),
    ("southamerica-", "south_america"),
    ("europe-", "europe"),
    ("asia-southeast2", "indonesia_oceania"),
    ("australia-", "indonesia_oceania"),
    ("asia-", "asia"),
    ("africa-", "africa"),
    ("me-", "middle_east"),
)
"""How a region's name begins → area; the first that fits. asia-southeast2 is Jakarta. Read 2026-11-20."""

_WITHIN = ("us_canada", "south_america", "europe", "asia")
"""Areas with a rate of their own for traffic that stays inside them."""


def area(region: str) -> str | None:
    """Return the part of the world that network tables use; None if the name is no region's."""
    return next((name for start, name in _AREAS if region.startswith(start)), None)


def places(where: str) -> tuple[str, ...]:
    """Return the places to look up a price for this one, nearest first; the empty one holds everywhere.

    >>> places("us-central1>europe-west1")
    ('us-central1>europe-west1', 'us-central1>europe', 'us_canada>europe', 'europe-west1', '')
    >>> places("us-central1>china"), places("us-central1")
    (('us-central1>china', 'china', ''), ('us-central1', ''))
    """
    source, arrow, to = where.partition(">")
    if not arrow:
        return tuple(dict.fromkeys((where, "")))
    areas = area(source), area(to)
    wider = (f"{source}>{areas[1]}", f"{areas[0]}>{areas[1]}") if None not in areas else ()
    return (where, *wider, to, "")


def network_sku(first: str, second: str) -> str | None:
    """Return the SKU of traffic between two regions; None if one of them is not known.

    >>> network_sku("us-central1", "us-west1"), network_sku("asia-northeast1", "australia-southeast1")
    ('network.interregion.us_canada', 'network.interregion.indonesia_oceania')
    """
    if first == second:
        return "network.interregion.same_region"
    areas = area(first), area(second)
    if None in areas:
        return None
    # Google's table has one rate for all traffic to or from these places, whatever the other end is.
    if "indonesia_oceania" in areas:
        return "network.interregion.indonesia_oceania"
    if areas[0] == areas[1] and areas[0] in _WITHIN:
        return f"network.interregion.{areas[0]}"
    # Inside an area without a rate (Africa, Middle East, Mexico) the rate between continents stands in.
    return "network.interregion.between_continents"
