"""Messages of the core in English words."""

import datetime
from decimal import Decimal

import pytest

from designer.document.money import Money
from designer.wording.plain_english import said, worded


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("write_share", 0.914, "91 %"),
        ("write_share", 0.0204, "2.0 %"),
        ("write_share", 0.0000001, "< 0.1 %"),
        ("write_share", 0.0, "0.0 %"),
        ("after_factor", 1e-11, "< 0.01×"),
        ("after_factor", 0.01, "0.01×"),
        ("row_bytes", 100, "100 B"),
        ("row_bytes", 1536, "1.5 KiB"),
        ("row_bytes", 256 << 20, "256 MiB"),
        ("total_usd", Decimal("1440.5"), "$1,440.50"),
        ("rows_per_second", 2800.4, "2,800/s"),
        ("rate_per_second", 0.001, "3.6/h"),
        ("rate_per_second", 2e-05, "1.73 a day"),
        ("kept_days", 0.5, "12 hours"),
        ("kept_days", 7, "1 week"),
        ("kept_days", 8, "8 days"),
        ("rows", 1234567, "1,234,567"),
        ("node_share_nodes", 3.24, "3.24 nodes"),
        ("first", b"a\x00b", "a\\x00b"),
        ("when", datetime.date(2026, 5, 3), "2026-05-03"),
        ("total_usd", None, "unknown"),
        ("total_cost", Money(Decimal("572.16"), "CNY"), "CN¥572.16"),
        ("unit_price", Money(Decimal("0.00056"), "CNY"), "CN¥0.00056"),
        ("credit_cost", Money(Decimal("-5"), "USD"), "-$5.00"),
    ],
)
def test_a_parameter_is_said_with_the_unit_that_its_name_carries(name, value, words):
    assert said(name, value) == words


def test_a_message_keeps_its_sentence_and_formats_what_it_names():
    assert worded("{write_share} of writes reach {nodes_nodes}", {"write_share": 0.5, "nodes_nodes": 1}) == (
        "50 % of writes reach 1 node"
    )
