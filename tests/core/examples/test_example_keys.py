"""Keys of the built-in designs look as their sources publish them, in bytes."""

import re

import pytest

from designer.document.key import as_text
from designer.examples import example, examples
from estimator.kernels.keys import compile_pattern, key_summary

MS = r"1[78]\d{11}"
REVERSED_MS = r"92233\d{14}"
REGION = r"[a-z]+-[a-z]+\d+"

SHAPES = {
    ("mobile-devices", "device-day"): r"(phone|tablet|watch)#[0-9a-f]{8}#202[78]\d{4}",
    ("continents-cities", "place"): r"(africa|asia|europe|north-america|oceania|south-america)#country\d{3}#city\d{6}",
    ("machine-metrics", "reading"): rf"machine_4\d{{6}}#{MS}",
    ("machine-metrics-newest-first", "reading"): rf"machine_4\d{{6}}#{REVERSED_MS}",
    ("multi-tenant-devices", "phone-day"): r"[a-z-]+#phone#[0-9a-f]{8}#202[78]\d{4}",
    ("multi-tenant-devices", "tablet-day"): r"[a-z-]+#tablet#[0-9a-f]{8}#202[78]\d{4}",
    ("reversed-domains", "page-row"): r"(com|org|net|eu|fr|de|jp)(\.[a-z]+)+#[a-z0-9]{10}",
    ("friends-columns", "person"): r"[a-z0-9]{10}",
    ("friends-rows", "friendship"): r"[a-z0-9]{10}#[a-z0-9]{10}",
    ("karte", "user-state"): r"[0-9a-f]{4}_[a-z0-9]{16}",
    ("karte", "user-event"): rf"[0-9a-f]{{4}}_[a-z0-9]{{16}}_{REVERSED_MS}",
    ("balloons-new-columns", "balloon-week"): rf"{REGION}#\d{{6}}#202[678]w[0-5]\d",
    ("balloons-new-cells", "balloon-week"): rf"{REGION}#\d{{6}}#202[678]w[0-5]\d",
    ("balloons-serialised", "reading"): rf"{REGION}#\d{{6}}#202[78]-[01]\d-[0-3]\d-[0-2]\d[0-5]\d",
    ("balloons-unserialised", "reading"): rf"{REGION}#\d{{6}}#202[78]-[01]\d-[0-3]\d-[0-2]\d[0-5]\d",
    ("ggen-tokyo", "article-row"): r"[a-z0-9]{12}",
    ("saas-tenants", "by-person"): rf"t\d{{4}}#[a-z0-9]{{10}}#{REVERSED_MS}#[a-z0-9]{{6}}",
    ("saas-tenants", "by-object"): rf"t\d{{4}}#[a-z0-9]{{12}}#{REVERSED_MS}#[a-z0-9]{{6}}",
    ("iot-fleet", "vehicle-day"): r"f\d{3}#[A-Z0-9]{11}#202[78]\d{4}",
    ("iot-fleet", "vehicle-now"): r"f\d{3}#[A-Z0-9]{11}",
    ("iot-fleet", "alert-row"): rf"f\d{{3}}#{REVERSED_MS}#[A-Z0-9]{{11}}",
    ("timestamp-first", "reading"): rf"{MS}#machine_4\d{{6}}",
    ("sequential-id", "order-row"): r"\d{12}",
    ("hash-only", "device-day"): r"[0-9a-f]{16}#202[78]\d{4}",
    ("unpadded-numbers", "entry"): r"[a-z0-9]{10}#[1-9]\d{0,2}",
    ("one-counter-row", "counter"): r"[0-9a-f]{8}#memusage",
    ("few-write-fronts", "log-row"): rf"{REGION}#{MS}#[a-z0-9]{{12}}",
    ("balloon-without-bucket", "balloon-row"): rf"{REGION}#\d{{6}}",
    ("campus-cards", "purchase-row"): r"\(20\d{8}, \d{12}\)",
    ("campus-tills", "purchase-row"): r"\(d\d{6}, \d{12}\)",
    ("campus-sellers", "purchase-row"): r"\(a[1-9]\d{2,3}, \d{12}\)",
    ("campus-orders", "purchase-row"): r"\d{12}",
    ("campus-orders-hashed", "purchase-row"): r"[0-9a-f]{4}\d{12}",
    ("campus-comma", "total-row"): r"\d{6},a[1-9]\d{2,3},[1-9]\d{4,5}",
    ("campus-colon", "total-row"): r"\d{6}:a[1-9]\d{2,3}:[1-9]\d{4,5}",
    **{("campus-months", f"purchase-row-{age}"): r"\(20\d{8}, \d{12}\)" for age in ("hot", "warm", "cold")},
    **{
        ("table-per-customer", f"row-{customer}"): r"[0-9a-f]{8}#1[78]\d{8}"
        for customer in ("altostrat", "cymbal", "examplepetstore", "example-airlines", "example-grocer")
    },
}


def test_every_row_kind_of_every_example_has_a_published_shape():
    assert set(SHAPES) == {(shown.slug, kind.id) for shown in examples() for _, kind in shown.spec.row_kinds()}


@pytest.mark.parametrize(("slug", "row_kind"), SHAPES)
def test_keys_look_as_published_and_stand_in_byte_order(slug: str, row_kind: str):
    samples = key_summary(compile_pattern(example(slug).spec, row_kind)).samples

    assert len(samples) >= 8
    assert list(samples) == sorted(samples)
    for key in samples:
        assert re.fullmatch(SHAPES[slug, row_kind], as_text(key)), key
