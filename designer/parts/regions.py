"""Regions that a cluster can be put into, to choose from; any other can be typed. Prices are not known of all.

Google Cloud: regions of cloud.google.com/bigquery/docs/locations (read 2026-11-20), which offers every region that
customers have. Alibaba Cloud: help.aliyun.com/en/tablestore/product-overview/basic-concepts (read 2026-11-20).
"""

from collections.abc import Mapping

_GOOGLE = (
    "us-central1 Iowa|us-east1 South Carolina|us-east4 Northern Virginia|us-east5 Columbus|us-south1 Dallas"
    "|us-west1 Oregon|us-west2 Los Angeles|us-west3 Salt Lake City|us-west4 Las Vegas"
    "|northamerica-northeast1 Montréal|northamerica-northeast2 Toronto|northamerica-south1 Mexico"
    "|southamerica-east1 São Paulo|southamerica-west1 Santiago"
    "|europe-west1 Belgium|europe-west2 London|europe-west3 Frankfurt|europe-west4 Netherlands|europe-west6 Zürich"
    "|europe-west8 Milan|europe-west9 Paris|europe-west10 Berlin|europe-west12 Turin|europe-southwest1 Madrid"
    "|europe-north1 Finland|europe-north2 Stockholm|europe-central2 Warsaw"
    "|asia-east1 Taiwan|asia-east2 Hong Kong|asia-northeast1 Tokyo|asia-northeast2 Osaka|asia-northeast3 Seoul"
    "|asia-south1 Mumbai|asia-south2 Delhi|asia-southeast1 Singapore|asia-southeast2 Jakarta"
    "|australia-southeast1 Sydney|australia-southeast2 Melbourne"
    "|me-west1 Tel Aviv|me-central1 Doha|me-central2 Dammam|africa-south1 Johannesburg"
)
_ALIBABA = (
    "cn-hangzhou Hangzhou|cn-shanghai Shanghai|cn-qingdao Qingdao|cn-beijing Beijing|cn-zhangjiakou Zhangjiakou"
    "|cn-huhehaote Hohhot|cn-wulanchabu Ulanqab|cn-shenzhen Shenzhen|cn-heyuan Heyuan|cn-guangzhou Guangzhou"
    "|cn-chengdu Chengdu|cn-zhongwei Zhongwei|cn-hongkong Hong Kong|ap-northeast-1 Tokyo|ap-northeast-2 Seoul"
    "|ap-southeast-1 Singapore|ap-southeast-3 Kuala Lumpur|ap-southeast-5 Jakarta|ap-southeast-6 Manila"
    "|ap-southeast-7 Bangkok|ap-southeast-8 Johor|eu-central-1 Frankfurt|eu-west-1 London|eu-west-2 Paris"
    "|us-west-1 Silicon Valley|us-east-1 Virginia|me-east-1 Dubai"
)


def _named(listed: str) -> Mapping[str, str]:
    pairs = (each.partition(" ") for each in listed.split("|"))
    return {region: place for region, _, place in pairs}


REGIONS: Mapping[str, Mapping[str, str]] = {"bigtable": _named(_GOOGLE), "tablestore": _named(_ALIBABA)}
"""Of each engine its regions with the places that they stand in."""

_OTHER_ZONES = {"us-east1": "bcd", "europe-west1": "bcd"}


def zones(engine: str, region: str) -> tuple[str, ...]:
    """Names of zones to suggest: Google's are called a, b, c but for its two oldest regions after Iowa (b, c, d)."""
    if engine != "bigtable" or region not in REGIONS["bigtable"]:
        return ()
    return tuple(f"{region}-{letter}" for letter in _OTHER_ZONES.get(region, "abc"))
