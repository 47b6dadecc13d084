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
        (1, "user{}", 1_000, "", "1234"),
        (1, "counter", 1_000, "", "1234"),
        (9, "user{}", 1_000, ",{}", "1234"),
        (3, "user{}", 10, "", "1234"),
    ])  # fmt: skip
def test_keys_are_texts_though_sizes_differ_more(keys: int, key: str, count: int, more: str, columns: str) -> None:
    form = find_form(lines(keys, key, count=count, more=more))

    names = form.column_names
    assert "".join(names[name] for name in ("time", "operation", "key", "bytes")) == columns


@cases("text, columns", [
        # Durations are no keys though each differs: 1 key, 20 keys, 20 keys that are numbers.
        ("{time},get,user7,512,0.{n:04}", "1234"),
        ("{time},get,user{few},{size},0.{n:04}", "1234"),
        ("{time},get,{few}00000,{few},1.{n:04}", "1234"),
        # Without an operation, a word may be the operation's name; a text with digits is the only key.
        ("{time},user7,{size}", "123"),
        ("{time},FetchRow,{size}", "13"),
        ("{time},get,-,{size}", "124"),
    ])  # fmt: skip
def test_one_key_is_a_key_and_durations_are_none(text: str, columns: str) -> None:
    log = [text.format(time=1_790_000_000 + n, few=n % 20, size=100 + n, n=n) for n in range(1_000)]
    form = find_form([f"{line}\n".encode() for line in log])

    names = form.column_names
    order = ("time", "operation", "key", "bytes")
    assert "".join(names[name] for name in order if name in names) == columns
