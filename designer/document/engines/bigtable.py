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
    has_key_columns=False,
    has_several_places=True,
    absent_fields=((Instance, ("tablestore_type",)), (Table, ("tablestore",))),
    unassumed_fields=((Instance, ("tablestore_type",)), (Tablestore, tuple(Tablestore.model_fields))),
    regions=_REGIONS,
    zone_letters={region: _LATER_ZONES.get(region, "abc") for region in _REGIONS},
)
