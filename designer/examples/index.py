"""Groups of the gallery and the order of the built-in designs in them; what a design is about is in its file."""

from designer.document.texts import N_

GROUPS: dict[str, tuple[str, ...]] = {
    N_("recommended"): (
        "mobile-devices",
        "continents-cities",
        "machine-metrics",
        "machine-metrics-newest-first",
        "multi-tenant-devices",
        "reversed-domains",
        "friends-columns",
        "friends-rows",
    ),
    N_("time series"): (
        "balloons-new-columns",
        "balloons-new-cells",
        "balloons-serialised",
        "balloons-unserialised",
    ),
    N_("realistic workloads"): (
        "saas-tenants",
        "iot-fleet",
        "karte",
        "ggen-tokyo",
    ),
    N_("anti-patterns"): (
        "timestamp-first",
        "sequential-id",
        "hash-only",
        "unpadded-numbers",
        "table-per-customer",
        "one-counter-row",
        "few-write-fronts",
        "balloon-without-bucket",
    ),
    N_("Tablestore"): (
        "campus-cards",
        "campus-tills",
        "campus-sellers",
        "campus-orders",
        "campus-orders-hashed",
        "campus-comma",
        "campus-colon",
        "campus-months",
    ),
}
"""Names of the documents' files by group, as messages."""
