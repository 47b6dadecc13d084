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
    has_key_columns=False,
    has_families=True,
    has_several_places=True,
    absent_fields=((Instance, ("tablestore_type",)), (Table, ("tablestore",))),
    unassumed_fields=((Instance, ("tablestore_type",)), (Tablestore, tuple(Tablestore.model_fields))),
    terms={
        "family": N_("Column family"),
        "families": N_("Column families"),
        "no families": N_("No column family yet."),
        "cluster": N_("Cluster"),
        "no clusters": N_(
            "No cluster is here yet: nodes and the bill are those of one in the region whose prices are best "
            "known. Add yours; a second one in another region survives the loss of a region."
        ),
        "row key": N_("row key"),
        "row key as text": N_("Row key, as text"),
        "keys review": N_("row keys and the fields that they are made of"),
        "families title": N_("Families and retention"),
        "families review": N_("column families, columns, garbage collection, backups and protection"),
        "instance review": N_("clusters, nodes, app profiles, storage type"),
        "keys title": N_("Row keys"),
        "keys paper": N_("segments, sample keys, and the fields that keys are made from"),
        "families paper": N_("column families, garbage collection, columns and what is stored"),
        "instance paper": N_("clusters, nodes and routing, and why so many nodes"),
        "places": N_("where the clusters are: {clusters}"),
        "stored bytes": N_("on disk, compressed"),
        "stored row": N_("computed for the mean stored row, uncompressed, after garbage collection"),
        "row sizes": N_("computed, uncompressed, with a week of garbage that is not collected yet"),
        "patterns": N_("The Key Visualizer would show:"),
        "no bill": N_("No bill: it needs a table, and a cluster in a region with prices."),
        "bill range": N_(
            "from low to high: as far as compression, uncollected garbage, throughput and other uncertain "
            "inputs may be off"
        ),
        "servers over time": N_("Nodes over time"),
        "no splits": N_("Nothing is written or stored that splits could spread."),
        "retries": N_("What a full node refuses is asked again"),
        "against one server": N_("Against one node"),
    },
    regions=_REGIONS,
    zone_letters={region: _LATER_ZONES.get(region, "abc") for region in _REGIONS},
)
