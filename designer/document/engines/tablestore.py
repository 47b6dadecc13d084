"""Alibaba Cloud Tablestore, wide-column model, as a design describes it.

Regions: help.aliyun.com/en/tablestore/product-overview/basic-concepts (read 2026-11-20).
"""

from ..access import Read, Write
from ..family import Column, Family
from ..instance import Autoscaling, Cluster, Instance
from ..table import Table
from ..texts import N_
from .description import EngineDescription

TABLESTORE = EngineDescription(
    title="Tablestore",
    product="Alibaba Cloud Tablestore",
    export_format="tablestore",
    trial_options="--endpoint https://INSTANCE.REGION.ots.aliyuncs.com --yes-write-to INSTANCE",
    trial_needs=((N_("Access key, from the environment:"), "OTS_ACCESS_KEY_ID"), ("", "OTS_ACCESS_KEY_SECRET")),
    has_key_columns=True,
    has_families=False,
    has_several_places=False,
    absent_fields=(
        (Instance, ("project", "edition", "storage", "in_memory", "calibration", "commitment", "app_profiles", "labels",
                    "terraform")),
        (Table, ("deletion_protection", "infrequent_access_days", "change_stream_days", "compressed_share", "backups",
                 "split_keys", "row_key_schema", "terraform", "rotation")),
        (Family, ("kind", "gc", "terraform")),
        (Read, ("app_profile", "families")),
        (Write, ("app_profile",)),
        (Cluster, ("zone", "nodes", "node_scaling", "kms_key")),
    ),
    unassumed_fields=(
        (Instance, ("edition", "storage", "in_memory")),
        (Table, ("deletion_protection", "row_key_schema")),
        (Autoscaling, tuple(Autoscaling.model_fields)),
    ),
    field_titles={
        (Table, "families"): N_("Attribute columns"),
        (Instance, "clusters"): N_("Region"),
        (Column, "qualifier"): N_("Column name"),
        (Column, "qualifier_from"): N_("Column name from fields"),
    },
    terms={
        "family": N_("Attribute columns"),
        "families": N_("Attribute columns"),
        "no families": N_("No attribute columns yet."),
        "cluster": N_("Region"),
        "no clusters": N_(
            "The instance is in one region and uses its prices."
        ),
        "row key": N_("primary key"),
        "row key as text": N_("Primary key, as text"),
        "keys review": N_("primary keys and their fields"),
        "families title": N_("Attribute columns and retention"),
        "families review": N_("attribute columns, versions and time to live"),
        "instance review": N_("region, instance type, reserved throughput"),
        "keys title": N_("Primary keys"),
        "keys paper": N_("columns, sample keys, and the fields of the key"),
        "families paper": N_("attribute columns, versions, time to live and stored data"),
        "instance paper": N_("region, instance type and the capacity units of every table"),
        "places": N_("regions: {clusters}"),
        "stored bytes": N_("as billed"),
        "stored row": N_("computed for the mean stored row, uncompressed, without expired versions"),
        "row sizes": N_("computed from live cells, uncompressed; expired versions stay for up to one day"),
        "patterns": N_("Load pattern:"),
        "slow read": N_("“{read}” takes what one partition-key value can serve in {node_seconds}"),
        "no bill": N_("No bill yet. A bill requires at least one table and a price book."),
        "bill range": N_("low to high: the uncertainty of stored data and of variation between seconds"),
        "servers over time": N_("Partitions over time"),
        "no splits": N_(
            "Tablestore splits partitions automatically. You specify nothing when you create a table."
        ),
        "retries": N_("Retry operations that a full partition rejects"),
        "against one server": N_("Relative to one key value"),
    },
    regions={
        "cn-hangzhou": N_("Hangzhou"), "cn-shanghai": N_("Shanghai"), "cn-qingdao": N_("Qingdao"),
        "cn-beijing": N_("Beijing"), "cn-zhangjiakou": N_("Zhangjiakou"), "cn-huhehaote": N_("Hohhot"),
        "cn-wulanchabu": N_("Ulanqab"), "cn-shenzhen": N_("Shenzhen"), "cn-heyuan": N_("Heyuan"),
        "cn-guangzhou": N_("Guangzhou"), "cn-chengdu": N_("Chengdu"), "cn-zhongwei": N_("Zhongwei"),
        "cn-hongkong": N_("Hong Kong"), "ap-northeast-1": N_("Tokyo"), "ap-northeast-2": N_("Seoul"),
        "ap-southeast-1": N_("Singapore"), "ap-southeast-3": N_("Kuala Lumpur"), "ap-southeast-5": N_("Jakarta"),
        "ap-southeast-6": N_("Manila"), "ap-southeast-7": N_("Bangkok"), "ap-southeast-8": N_("Johor"),
        "eu-central-1": N_("Frankfurt"), "eu-west-1": N_("London"), "eu-west-2": N_("Paris"),
        "us-west-1": N_("Silicon Valley"), "us-east-1": N_("Virginia"), "me-east-1": N_("Dubai"),
    },
)  # fmt: skip
