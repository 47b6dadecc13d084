"""Regions that a cluster can be put into, to choose from; any other can be typed. Prices are not known of all.

Google Cloud: regions of cloud.google.com/bigquery/docs/locations (read 2026-11-20), which offers every region that
customers have. Alibaba Cloud: help.aliyun.com/en/tablestore/product-overview/basic-concepts (read 2026-11-20).
"""

from collections.abc import Mapping

from designer.document.texts import N_

_GOOGLE = {
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
_ALIBABA = {
    "cn-hangzhou": N_("Hangzhou"), "cn-shanghai": N_("Shanghai"), "cn-qingdao": N_("Qingdao"),
    "cn-beijing": N_("Beijing"), "cn-zhangjiakou": N_("Zhangjiakou"), "cn-huhehaote": N_("Hohhot"),
    "cn-wulanchabu": N_("Ulanqab"), "cn-shenzhen": N_("Shenzhen"), "cn-heyuan": N_("Heyuan"),
    "cn-guangzhou": N_("Guangzhou"), "cn-chengdu": N_("Chengdu"), "cn-zhongwei": N_("Zhongwei"),
    "cn-hongkong": N_("Hong Kong"), "ap-northeast-1": N_("Tokyo"), "ap-northeast-2": N_("Seoul"),
    "ap-southeast-1": N_("Singapore"), "ap-southeast-3": N_("Kuala Lumpur"), "ap-southeast-5": N_("Jakarta"),
    "ap-southeast-6": N_("Manila"), "ap-southeast-7": N_("Bangkok"), "ap-southeast-8": N_("Johor"),
    "eu-central-1": N_("Frankfurt"), "eu-west-1": N_("London"), "eu-west-2": N_("Paris"),
    "us-west-1": N_("Silicon Valley"), "us-east-1": N_("Virginia"), "me-east-1": N_("Dubai"),
}  # fmt: skip
REGIONS: Mapping[str, Mapping[str, str]] = {"bigtable": _GOOGLE, "tablestore": _ALIBABA}
"""Of each engine its regions with the places that they stand in."""

_OTHER_ZONES = {"us-east1": "bcd", "europe-west1": "bcd"}


def zones(engine: str, region: str) -> tuple[str, ...]:
    """Names of zones to suggest: Google's are called a, b, c but for its two oldest regions after Iowa (b, c, d)."""
    if engine != "bigtable" or region not in REGIONS["bigtable"]:
        return ()
    return tuple(f"{region}-{letter}" for letter in _OTHER_ZONES.get(region, "abc"))
