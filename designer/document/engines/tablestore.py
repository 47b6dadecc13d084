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
    has_key_columns=True,
    has_families=False,
    has_several_places=False,
    absent_fields=(
        (Instance, ("edition", "storage", "in_memory", "calibration", "commitment", "app_profiles")),
        (Table, ("deletion_protection", "infrequent_access_days", "change_stream_days", "compressed_share", "backups",
                 "split_keys")),
        (Family, ("kind", "gc")),
        (Read, ("app_profile", "families")),
        (Write, ("app_profile",)),
        (Cluster, ("zone", "nodes", "node_scaling")),
    ),
    unassumed_fields=(
        (Instance, ("edition", "storage", "in_memory")),
        (Table, ("deletion_protection",)),
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
        "no families": N_("No attribute column yet."),
        "cluster": N_("Region"),
        "no clusters": N_(
            "The instance stands in one region; its prices are that region's."
        ),
        "row key": N_("primary key"),
        "row key as text": N_("Primary key, as text"),
        "keys review": N_("primary keys and the fields that they are made of"),
        "families title": N_("Attribute columns and retention"),
        "families review": N_("attribute columns, versions and time to live"),
        "instance review": N_("region, instance type, reserved throughput"),
        "keys title": N_("Primary keys"),
        "keys paper": N_("columns, sample keys, and the fields that keys are made from"),
        "families paper": N_("attribute columns, versions, time to live and what is stored"),
        "instance paper": N_("region, instance type and the capacity units of every table"),
        "places": N_("in which region it is: {clusters}"),
        "stored bytes": N_("as it is billed"),
        "stored row": N_("computed for the mean stored row, uncompressed, without versions that have expired"),
        "row sizes": N_("computed, uncompressed, with a day of expired versions that are not gone yet"),
        "patterns": N_("The load is:"),
        "no bill": N_("No bill: it needs at least one table, and a price book."),
        "bill range": N_("from low to high: as far as what is stored and how seconds differ may be off"),
        "servers over time": N_("Partitions over time"),
        "no splits": N_(
            "Tablestore splits its partitions by itself; there is nothing to give when a table is "
            "created."
        ),
        "retries": N_("What a full partition refuses is asked again"),
        "against one server": N_("Against one key value"),
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
