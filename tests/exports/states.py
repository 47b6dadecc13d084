"""States as `terraform show -json` prints them: an instance in a module, tables by `for_each`, old and new policies."""

from typing import Any

KEY = "projects/shop-project/locations/europe-west1/keyRings/ring/cryptoKeys/key"
SCHEMA = (
    '{"structType":{"encoding":{"delimitedBytes":{"delimiter":"Iw=="}},"fields":[{"fieldName":"shop","type":'
    '{"stringType":{"encoding":{"utf8Bytes":{}}}}},{"fieldName":"order","type":{"stringType":{"encoding":{"utf8Bytes":'
    "{}}}}}]}}"
)


def resource(address: str, **values: Any) -> dict[str, Any]:
    """One resource, with what the provider adds of its own."""
    type_, label = address.removeprefix("module.bt.").split("[")[0].split(".")
    own = {"id": f"projects/shop-project/instances/shop-prod/{label}", "project": "shop-project", "timeouts": None}
    return {"address": address, "mode": "managed", "type": type_, "name": label, "schema_version": 0,
            "provider_name": "registry.terraform.io/hashicorp/google", "values": {**own, **values}}  # fmt: skip


def policy(address: str, table: str, family: str, **values: Any) -> dict[str, Any]:
    empty = {
        "gc_rules": "",
        "mode": "",
        "max_age": [],
        "max_version": [],
        "deletion_policy": "",
        "ignore_warnings": False,
    }
    return resource(address, instance_name="shop-prod", table=table, column_family=family, **{**empty, **values})


def table(address: str, name: str, families: list[dict[str, str]], **values: Any) -> dict[str, Any]:
    empty = {"split_keys": None, "change_stream_retention": "", "automated_backup_policy": [], "row_key_schema": "",
             "deletion_protection": "UNPROTECTED"}  # fmt: skip
    return resource(address, name=name, instance_name="shop-prod", column_family=families, **{**empty, **values})


def profile(address: str, name: str, **values: Any) -> dict[str, Any]:
    empty = {"description": "", "multi_cluster_routing_use_any": False, "multi_cluster_routing_cluster_ids": None,
             "single_cluster_routing": [], "standard_isolation": [{"priority": "PRIORITY_HIGH"}],
             "data_boost_isolation_read_only": [], "row_affinity": False, "ignore_warnings": False,
             "name": f"projects/shop-project/instances/shop-prod/appProfiles/{name}"}  # fmt: skip
    return resource(address, app_profile_id=name, instance="shop-prod", **{**empty, **values})


def cluster(name: str, zone: str, **values: Any) -> dict[str, Any]:
    return {"cluster_id": name, "zone": zone, "num_nodes": 3, "storage_type": "SSD", "kms_key_name": KEY,
            "autoscaling_config": [], "state": "READY", "node_scaling_factor": "NodeScalingFactor1X",
            **values}  # fmt: skip


def state() -> dict[str, Any]:
    """A state of everything that a design keeps."""
    labels = {"team": "data", "env": "prod"}
    scaling = [{"min_nodes": 2, "max_nodes": 8, "cpu_target": 45, "storage_target": 2560}]
    instance = resource(
        "module.bt.google_bigtable_instance.this[0]", name="shop-prod", display_name="Shop (production)",
        instance_type="PRODUCTION", force_destroy=True, deletion_protection=False,
        labels=labels, terraform_labels=labels, effective_labels=labels,
        timeouts={"create": "2h", "read": None, "update": None},
        cluster=[cluster("shop-prod-c1", "europe-west1-b", autoscaling_config=scaling),
                 cluster("shop-prod-c2", "europe-west1-c")],
    )  # fmt: skip
    root = [
        table("google_bigtable_table.orders", "orders",
              [{"family": "o", "type": ""}, {"family": "sums", "type": "intsum"}],
              split_keys=["m", "c", "x"], deletion_protection="PROTECTED", change_stream_retention="72h0m0s",
              automated_backup_policy=[{"retention_period": "168h0m0s", "frequency": "24h0m0s"}],
              row_key_schema=SCHEMA),
        policy("google_bigtable_gc_policy.orders_o", "orders", "o", deletion_policy="ABANDON",
               gc_rules='{"mode":"union","rules":[{"max_age":"720h"},{"mode":"union","rules":[{"max_version":3},'
                        '{"max_age":"2160h"}]}]}'),
        profile("google_bigtable_app_profile.default", "default", multi_cluster_routing_use_any=True,
                ignore_warnings=True),
        profile("google_bigtable_app_profile.Batch_jobs", "batch", description="nightly",
                single_cluster_routing=[{"cluster_id": "shop-prod-c2", "allow_transactional_writes": True}],
                standard_isolation=[{"priority": "PRIORITY_LOW"}]),
        profile("google_bigtable_app_profile.near", "near", multi_cluster_routing_use_any=True, row_affinity=True,
                multi_cluster_routing_cluster_ids=["shop-prod-c1", "shop-prod-c2"]),
    ]  # fmt: skip
    module = [
        instance,
        table('module.bt.google_bigtable_table.t["eu.events"]', "events-eu", [{"family": "e", "type": ""}]),
        table('module.bt.google_bigtable_table.t["us.events"]', "events-us",
              [{"family": "e", "type": ""}, {"family": "s", "type": '{"stringType":{"encoding":{"utf8Bytes":{}}}}'}]),
        policy('module.bt.google_bigtable_gc_policy.p["eu"]', "events-eu", "e",
               max_age=[{"days": 7, "duration": ""}], ignore_warnings=True),
        policy('module.bt.google_bigtable_gc_policy.p["us"]', "events-us", "e", mode="UNION",
               max_age=[{"days": 0, "duration": "604800s"}], max_version=[{"number": 4}]),
        policy("module.bt.google_bigtable_gc_policy.none", "events-us", "s"),
    ]  # fmt: skip
    return {"format_version": "1.0", "terraform_version": "1.11.4", "values": {"root_module": {
        "resources": root, "child_modules": [{"address": "module.bt", "resources": module}]}}}  # fmt: skip
