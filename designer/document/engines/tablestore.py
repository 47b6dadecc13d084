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
    has_key_columns=True,
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
        "Column family": N_("Attribute columns"),
        "Cluster": N_("Region"),
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
