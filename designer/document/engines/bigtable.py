"""Google Cloud Bigtable as a design describes it.

Regions: cloud.google.com/bigquery/docs/locations (read 2026-11-20), which offers every region that customers have.
"""

from ..instance import Instance
from ..table import Table, Tablestore
from ..texts import N_
from .description import EngineDescription

_REGIONS = {
    "us-central1": N_("Iowa"), "us-east1": N_("South Carolina"), "us-east4": N_("Northern Virginia"),
    "us-east5": N_("Columbus"), "us-south1": N_("Dallas"), "us-west1": N_("Oregon"), "us-west2": N_("Los Angeles"),
    "us-west3": N_("Salt Lake City"), "us-west4": N_("Las Vegas"), "northamerica-northeast1": N_("Montréal"),
    "northamerica-northeast2": N_("Toronto"), "northamerica-south1": N_("Mexico"),
    "southamerica-east1": N_("São Paulo"), "southamerica-west1": N_("Santiago"), "europe-west1": N_("Belgium"),
    "europe-west2": N_("London"), "europe-west3": N_("Frankfurt"), "europe-west4": N_("Netherlands"),
    "europe-west6": N_("Zürich"), "europe-west8": N_("Milan"), "europe-west9": N_("Paris"),
    "europe-west10": N_("Berlin"), "europe-west12": N_("Turin"), "europe-southwest1": N_("Madrid"),
    "europe-north1": N_("Finland"), "europe-north2": N_("Stockholm"), "europe-central2": N_("Warsaw"),
    "asia-east1": N_("Taiwan"), "asia-east2": N_("Hong Kong"), "asia-northeast1": N_("Tokyo"),
    "asia-northeast2": N_("Osaka"), "asia-northeast3": N_("Seoul"), "asia-south1": N_("Mumbai"),
    "asia-south2": N_("Delhi"), "asia-southeast1": N_("Singapore"), "asia-southeast2": N_("Jakarta"),
    "australia-southeast1": N_("Sydney"), "australia-southeast2": N_("Melbourne"), "me-west1": N_("Tel Aviv"),
    "me-central1": N_("Doha"), "me-central2": N_("Dammam"), "africa-south1": N_("Johannesburg"),
}  # fmt: skip

_LATER_ZONES = {"us-east1": "bcd", "europe-west1": "bcd"}
"""Zones are called a, b, c but for the two oldest regions after Iowa."""

BIGTABLE = EngineDescription(
    title="Bigtable",
    product="Google Cloud Bigtable",
    export_format="terraform",
    trial_options="--emulator localhost:8086",
    trial_needs=((N_("On a real instance:"), "--yes-write-to PROJECT/INSTANCE"),),
    has_key_columns=False,
    has_families=True,
    has_several_places=True,
    absent_fields=((Instance, ("tablestore_type",)), (Table, ("tablestore",))),
    unassumed_fields=((Instance, ("tablestore_type",)), (Tablestore, tuple(Tablestore.model_fields))),
    terms={
        "family": N_("Column family"),
        "families": N_("Column families"),
        "no families": N_("No column families yet."),
        "cluster": N_("Cluster"),
        "no clusters": N_(
            "No clusters yet. Nodes and the bill assume one cluster in the region with the most complete "
            "prices. Add your clusters; with a second one in another region, the instance survives the loss "
            "of a region."
        ),
        "row key": N_("row key"),
        "row key as text": N_("Row key, as text"),
        "keys review": N_("row keys and their fields"),
        "families title": N_("Families and retention"),
        "families review": N_("column families, columns, garbage collection, backups and protection"),
        "instance review": N_("clusters, nodes, app profiles, storage type"),
        "keys title": N_("Row keys"),
        "keys paper": N_("segments, sample keys, and the fields of the key"),
        "families paper": N_("column families, garbage collection, columns and stored data"),
        "instance paper": N_("clusters, nodes, routing and the reason for the node count"),
        "places": N_("locations of the clusters: {clusters}"),
        "stored bytes": N_("on disk, compressed"),
        "stored row": N_("computed for the mean stored row, uncompressed, after garbage collection"),
        "row sizes": N_("computed from live cells, uncompressed; expired cells stay for up to one week"),
        "patterns": N_("Expected Key Visualizer pattern:"),
        "slow read": N_("“{read}” takes {node_seconds} of node time"),
        "no bill": N_("No bill yet. A bill requires a table, and a cluster in a region with prices."),
        "bill range": N_(
            "low to high: the uncertainty of compression, uncollected garbage, throughput and other inputs"
        ),
        "servers over time": N_("Nodes over time"),
        "no splits": N_("No writes or stored rows to split."),
        "retries": N_("Retry operations that a full node rejects"),
        "against one server": N_("Relative to one node"),
    },
    regions=_REGIONS,
    zone_letters={region: _LATER_ZONES.get(region, "abc") for region in _REGIONS},
)
