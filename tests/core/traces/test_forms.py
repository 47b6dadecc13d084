"""Columns of logs without a header: which are the keys is told by their contents."""

from estimator.traces.forms import find_form
from tests.cases import cases


def lines(keys: int, key: str = "user{}", *, count: int = 1_000, more: str = "") -> list[bytes]:
    """Return lines of a log in which so many keys come, and sizes that differ in each line."""
    return [
        f"{1_790_000_000 + n},get,{key.format(n % keys)},{100 + n}{more.format(('hit', 'miss')[n % 2])}\n".encode()
        for n in range(count)
    ]


@cases("keys, key, count, more, columns", [
        (20, "user{}", 1_000, "", "1234"),
        (900, "user{}", 1_000, "", "1234"),
        (5, "user{}", 10, "", "1234"),
        (20, "user{}", 1_000, ",{}", "1234"),
        (1_000, "{}00000", 1_000, ",{}", "1234"),
    ])  # fmt: skip
def test_keys_are_texts_though_sizes_differ_more(keys: int, key: str, count: int, more: str, columns: str) -> None:
    form = find_form(lines(keys, key, count=count, more=more))

    names = form.column_names
    assert "".join(names[name] for name in ("time", "operation", "key", "bytes")) == columns
