"""Keys that were pasted give the pattern that made them; what cannot be understood is said, quickly."""

import hashlib
import random
import string
import time
import uuid
from base64 import b64encode
from collections import Counter
from collections.abc import Callable, Sequence
from urllib.parse import quote
from zlib import crc32

import pytest

from designer import imports
from designer.document import Spec
from designer.document.field import Field
from designer.document.key import LONG_MAX
from designer.document.keytext import parse_key, render_key
from designer.examples import example
from designer.imports.keys import Proposal, hashes, match_keys, propose, read_lines, times
from designer.imports.keys.counting import count_values
from designer.wording import key_of
from estimator.kernels.keys.samples.sample import sample_keys
from tests.cases import cases

RNG = random.Random(7)


def told(proposal: Proposal) -> str:
    """The proposed key as text."""
    return render_key(Spec(fields=proposal.fields), proposal.segments)


def proposed(make: Callable[[random.Random], str | bytes], lines: int = 400) -> Proposal:
    rng = random.Random(3)
    keys = [made.encode() if isinstance(made := make(rng), str) else made for _ in range(lines)]
    proposal = propose(Spec(), keys)
    assert match_keys(Spec(fields=proposal.fields), proposal.segments, keys).share > 0.97
    return proposal


# --- built-in examples ------------------------------------------------------------------------------------------

SHAPES = {
    "mobile-devices": '{kind}#{token}#{time:day:"%Y%m%d"}',
    "machine-metrics-newest-first": "{machine}#{time:rev}",
    "multi-tenant-devices": '{kind}#{"phone"}#{phone_id}#{time:day:"%Y%m%d"}',
    "reversed-domains": "{domain:domain}#{id}",
    "karte": "{hash(id)}_{id}",
    "balloons-new-columns": '{region}#{id}#{time:week:"%Gw%V"}',
    "balloons-serialised": '{region}#{id}#{time:minute:"%Y-%m-%d-%H%M"}',
    "saas-tenants": "{id}#{id2}#{time:rev}#{id3}",
    "timestamp-first": "{time}#{machine}",
    "unpadded-numbers": "{id}#{id2}",
    "one-counter-row": '{token}#{"memusage"}',
    "few-write-fronts": "{region}#{time}#{id}",
}
"""Examples whose keys give their own pattern again, one of each shape. Of two others a part cannot be known from the
keys alone: the twelve digits of sequential-id have no zeros in front yet, and what hash-only hashes is not in them."""


@pytest.mark.parametrize("slug", SHAPES)
def test_keys_of_an_example_give_its_pattern_again(slug: str) -> None:
    spec = example(slug).spec
    kind = next(kind for _, kind in spec.row_kinds())
    keys = list(sample_keys(spec, kind.id, 500))

    proposal = propose(Spec(), keys)

    assert told(proposal) == SHAPES[slug]
    assert match_keys(Spec(fields=proposal.fields), proposal.segments, keys).share == 1
    assert [segment.after for segment in proposal.segments] == [segment.after for segment in kind.key]


# --- generated shapes -------------------------------------------------------------------------------------------

NOW = 1_790_000_000


def at(rng: random.Random) -> int:
    return NOW + rng.randrange(86_400 * 300)


def day(rng: random.Random, pattern: str = "%Y-%m-%d") -> str:
    return time.strftime(pattern, time.gmtime(at(rng)))


def user(rng: random.Random) -> str:
    return f"user{rng.randrange(5000):06}"


def word(rng: random.Random) -> str:
    return "".join(rng.choices(string.ascii_lowercase, k=rng.randrange(3, 9)))


def digest(text: str, digits: int, name: str = "md5") -> str:
    return hashlib.new(name, text.encode()).hexdigest()[:digits]


def of_user(rng: random.Random, make: Callable[[str], str]) -> str:
    return make(user(rng))


MADE: dict[str, tuple[Callable[[random.Random], str | bytes], str]] = {
    "milliseconds": (lambda r: f"{user(r)}#{at(r) * 1000 + r.randrange(1000)}", "{user}#{time}"),
    "microseconds": (
        lambda r: f"{user(r)}#{at(r) * 10**6 + r.randrange(10**6)}", "{user}#{time:unit=us}"
    ),
    "five minutes as milliseconds": (lambda r: f"{user(r)}#{at(r) // 300 * 300_000}", "{user}#{time:bucket=5m}"),
    "ten days as seconds": (
        lambda r: f"{user(r)}#{(at(r) - r.randrange(10**9) // 3) // 864_000 * 864_000}",
        "{user}#{time:bucket=10d:unit=s}",
    ),
    "days since 1970": (lambda r: f"{user(r)}#{at(r) // 86_400}", "{user}#{time:day:unit=d}"),
    "a quarter of an hour as text": (
        lambda r: f"{user(r)}#{time.strftime('%Y%m%d%H%M', time.gmtime(at(r) // 900 * 900))}",
        '{user}#{time:bucket=15m:"%Y%m%d%H%M"}',
    ),
    "percent-encoded paths": (
        lambda r: f"{user(r)}#{quote(f'/{word(r)}/{word(r)}?page={r.randrange(99)}', safe='')}#{at(r)}",
        "{user}#{path:percent}#{time:second:unit=s}",
    ),
    "hours as seconds": (lambda r: f"{user(r)}|{at(r) // 3600 * 3600}", "{user}|{time:hour:unit=s}"),
    "reversed from Long.MAX": (lambda r: f"{user(r)}#{LONG_MAX - at(r) * 1000}", "{user}#{time:second:rev}"),
    "reversed from thirteen nines": (
        lambda r: f"{user(r)}#{10**13 - 1 - at(r) * 1000 - r.randrange(1000):013}",
        "{user}#{time:rev:from=9999999999999}"
    ),
    "raw milliseconds": (
        lambda r: b"u%03d#" % r.randrange(90) + (at(r) * 1000 + r.randrange(999)).to_bytes(8, "big"),
        "{id}#{time:raw}"
    ),
    "iso date and time": (
        lambda r: f"{user(r)}#{day(r, '%Y-%m-%dT%H:%M:%S')}",
        '{user}#{time:second:"%Y-%m-%dT%H:%M:%S"}'
    ),
    "time between colons": (
        lambda r: f"{user(r)}:{day(r, '%Y-%m-%d %H:%M:%S')}:x",
        '{user}:{time:second:"%Y-%m-%d %H:%M:%S"}:{"x"}'
    ),
    "month and uuid": (
        lambda r: f"{day(r, '%Y%m')}/{uuid.UUID(int=r.getrandbits(128), version=4)}", '{time:month:"%Y%m"}/{uuid}'
    ),
    "months, which could be weeks": (lambda r: f"{user(r)}_{day(r, '%Y-%m')}", '{user}_{time:month:"%Y-%m"}'),
    "numbers below zero": (lambda r: f"{r.randrange(-90, 90)}:{r.randrange(-180, 180)}", "{number}:{number2}"),
    "mail addresses": (lambda r: f"{user(r)}@{r.choice(['mail.example.com', 'x.org'])}", "{user}@{domain}"),
    "date behind a dash": (lambda r: f"{user(r)}-{day(r, '%Y%m%d')}", '{user}-{time:day:"%Y%m%d"}'),
    "padded numbers": (lambda r: f"t{r.randrange(20)}#{r.randrange(900_000):08}", "{id}#{id2:pad8}"),
    "hexadecimal numbers": (lambda r: f"t{r.randrange(20)}#{r.randrange(900_000):08x}", "{id}#{id2:hex8}"),
    "hexadecimal numbers in upper case": (
        lambda r: f"{user(r)}:{r.randrange(900_000):06X}", "{user}:{id:hex6:upper}"
    ),
    "numbers counted down": (
        lambda r: f"{user(r)}#{10**10 - 1 - r.randrange(900_000)}", "{user}#{id:from=9999999999:pad10}"
    ),
    "numbers counted down from Long.MAX": (
        lambda r: f"{user(r)}#{LONG_MAX - r.randrange(90_000)}", "{user}#{id:from=9223372036854775807:pad19}"
    ),
    "numbers of five bytes": (
        lambda r: b"u%03d/" % r.randrange(90) + r.randrange(10**6, 10**7).to_bytes(5, "big"), "{id}/{id2:bytes5}"
    ),
    "a hash of a hexadecimal number": (
        lambda r: (lambda n: f"{digest(str(n), 4)}#{n:08x}")(r.randrange(90_000)), "{hash(id)}#{id:hex8}"
    ),
    "a literal in front": (lambda r: f"v1#{user(r)}#{day(r)}", 'v1#{user}#{time:day:"%Y-%m-%d"}'),
    "double delimiters": (lambda r: f"{user(r)}::{r.randrange(10**6)}", "{user}::{id}"),
    "a path": (lambda r: "/".join([user(r), *"abc"[: r.randrange(1, 4)]]), "{user}/{kind}"),
    "md5 of a later part": (lambda r: of_user(r, lambda u: f"{digest(u, 6)}#{u}"), "{hash(user):6}#{user}"),
    "sha256 of a later part": (
        lambda r: of_user(r, lambda u: f"{digest(u, 8, 'sha256')}:{u}"), "{hash(user):sha256:8}:{user}"
    ),
    "crc32 of a later part": (
        lambda r: of_user(r, lambda u: f"{crc32(u.encode()):08x}#{u}"), "{hash(user):crc32:8}#{user}"
    ),
    "a reversed date": (
        lambda r: of_user(r, lambda u: f"{u}#{99_999_999 - int(day(r, '%Y%m%d'))}"), '{user}#{time:day:"%Y%m%d":rev}'
    ),
    "base64 of a later part": (
        lambda r: of_user(r, lambda u: f"{b64encode(bytes.fromhex(digest(u, 32))).decode()[:6]}#{u}"),
        "{hash(user):base64:6}#{user}",
    ),
    "a hash without a delimiter": (lambda r: of_user(r, lambda u: digest(u, 4) + u), "{hash(user)}{user}"),
    "a hash of a number without its zeros": (
        lambda r: (lambda n: f"{digest(str(n), 4)}#{n:08}")(r.randrange(90_000)), "{hash(id)}#{id:pad8}"
    ),
    "a hash of a number with its zeros": (
        lambda r: (lambda n: f"{digest(f'{n:08}', 4)}#{n:08}")(r.randrange(90_000)), "{hash(id)}#{id}"
    ),
    "a salt": (
        lambda r: of_user(r, lambda u: f"{int(digest(u, 16), 16) % 16:02}#{u}"), "{salt(user):16}#{user}"
    ),
    "a time without a delimiter": (
        lambda r: f"{r.choice('abcdef')}{r.choice('xyz')}{r.choice('klm')}.{at(r) * 1000 + r.randrange(1000)}",
        "{name}.{time}"
    ),
    "a day and a time of the same event": (
        lambda r: (lambda t: f"{time.strftime('%Y%m%d', time.gmtime(t))}#{user(r)}#{t}")(at(r)),
        '{time:day:"%Y%m%d"}#{user}#{time:second:unit=s}',
    ),
    "two times that have nothing to do with each other": (
        lambda r: f"{day(r)}#{user(r)}#{LONG_MAX - at(r) * 1000}",
        '{time:day:"%Y-%m-%d"}#{user}#{time2:second:rev}',
    ),
    "control characters": (lambda r: f"{user(r)}\x00{r.randrange(10**6)}", r"{user}\x00{id}"),
    "another script with a counter": (lambda r: f"ユーザー{r.randrange(900)}", '{field("ユーザー")}'),
    "another script": (lambda r: f"{r.choice('東京大阪福岡札幌')}{r.randrange(99)}#{user(r)}", "{name}#{user}"),
}  # fmt: skip


@pytest.mark.parametrize("name", MADE)
def test_a_shape_is_found(name: str) -> None:
    make, text = MADE[name]
    assert told(proposed(make)) == text


def test_each_device_that_always_stands_behind_one_tenant_belongs_to_it() -> None:
    owners = {n: n % 30 for n in range(200)}
    proposal = proposed(lambda r: (lambda n: f"tenant{owners[n]:03}#device{n:05}#{at(r)}")(r.randrange(200)))

    assert {field.name: field.belongs_to for field in proposal.fields} == {"tenant": None, "device": "tenant"}


def test_a_part_that_is_few_values_is_listed_with_its_weights() -> None:
    proposal = proposed(lambda r: f"{r.choices(['ios', 'web'], [3, 1])[0]}#{user(r)}")

    items = proposal.fields[0].values.items  # type: ignore[union-attr]
    assert [item.value for item in items] == ["ios", "web"]
    assert 2 < items[0].weight / items[1].weight < 4.5
    assert proposal.fields[0].kind == "string"


def test_values_are_made_of_what_was_seen() -> None:
    """Sixteen salts are no seventeen, a network address has no z, and a few domains are as long as they are."""
    proposal = proposed(
        lambda r: f"{r.randrange(16):02}#{r.choice(['com.a.www', 'org.bbc'])}#" + "-".join(r.choices("02468abe", k=6))
    )

    salt, domain, address = proposal.fields
    assert (salt.distinct, salt.values.max) == (16, 15)  # type: ignore[union-attr]
    assert [item.value for item in domain.values.items] == ["bbc.org", "www.a.com"]  # type: ignore[union-attr]
    assert address.values.alphabet == "abe02468-"  # type: ignore[union-attr]


@pytest.mark.parametrize(("there", "lines"), [(2000, 3000), (300, 3000)])
def test_the_number_of_values_is_about_right_and_how_is_said(there: int, lines: int) -> None:
    proposal = proposed(lambda r: f"{digest(str(r.randrange(there)), 12)}#{user(r)}", lines)

    count = proposal.observations[0].count
    assert count is not None
    assert 0.85 * there <= count.estimate <= 1.3 * there
    assert str(count.how)


def test_nothing_seen_twice_means_at_least_the_square_of_it() -> None:
    assert count_values(Counter(f"{n}" for n in range(1000))).estimate == 730_000  # 1000² / (2 ln 2), up to two digits


# --- how keys are written ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        (b"a#1\r\nb#2\n\n", (b"a#1", b"b#2")),
        (b"0x6123\n0x6223\n", (b"a#", b"b#")),
        (b'"a\\x00\\"1"\n"b\\x002"\n', (b'a\x00"1', b"b\x002")),
        (b"a\\x00\\377\\new\n", (b"a\x00\xff\\new",)),
        (b"----------------------------------------\nr1\n  cf:a   @ 2026/11/20-10:00:00\n    \"v\"\n"
         b"----------------------------------------\nr2\n", (b"r1", b"r2")),
        (b"\xef\xbb\xbfa\nb", (b"a", b"b")),
    ],
)  # fmt: skip
def test_keys_are_read_as_they_are_printed(text: bytes, keys: tuple[bytes, ...]) -> None:
    assert read_lines(text).keys == keys


def test_lines_that_do_not_fit_are_shown() -> None:
    keys = [f"{user(RNG)}#{at(RNG)}".encode() for _ in range(97)] + [b"garbage", b"a|b|c", b"#"]
    proposal = propose(Spec(), keys)
    found = match_keys(Spec(fields=proposal.fields), proposal.segments, keys)

    assert told(proposal) == "{user}#{time:second:unit=s}"
    assert found.matching_count == 97
    assert set(found.mismatches) == {"garbage", "a|b|c", "#"}
    assert len(found.cut) == 5


# --- what is no key ---------------------------------------------------------------------------------------------

ODD: dict[str, Sequence[bytes]] = {
    "nothing": [],
    "one": [b"a"],
    "all alike": [b"same"] * 50,
    "no delimiter": [bytes(RNG.choices(b"abcdefghijklmnop", k=RNG.randrange(1, 30))) for _ in range(300)],
    "random bytes": [RNG.randbytes(RNG.randrange(1, 40)) for _ in range(300)],
    "only delimiters": [b"#" * n for n in range(1, 40)],
    "braces and backslashes": [b"{a}\\%d{{" % n for n in range(50)],
    "very long": [RNG.randbytes(4000) for _ in range(50)],
    "empty parts": [b"#%d##" % n for n in range(50)],
    "digits of any length": [b"%d" % RNG.getrandbits(RNG.randrange(1, 300)) for _ in range(200)],
}


@cases("name", ODD)
def test_odd_keys_give_a_valid_proposal_or_none(name: str) -> None:
    proposal = propose(Spec(), ODD[name])
    spec = Spec.model_validate({"fields": [field.model_dump(exclude_none=True) for field in proposal.fields]})

    found = match_keys(spec, proposal.segments, ODD[name])

    assert found.checked_count == len(ODD[name])
    assert parse_key(spec, told(proposal)).segments == proposal.segments


@pytest.mark.parametrize(
    "text",
    [
        "{a}{b}{c}{d}#",
        "{a}{n}{n}{n}{n}{n}#",
        '{time:"' + "%-d" * 33 + '"}#',
        "{a}{b}#{c}",
        "{n:pad1}{n:pad1}{n:pad1}{a}#",
    ],
)
def test_a_pattern_that_a_person_wrote_cannot_take_for_ever(text: str) -> None:
    spec = Spec(fields=(*(Field(id=name, name=name) for name in "abcd"), Field(id="n", name="n", kind="integer")))
    began = time.process_time()

    match_keys(spec, parse_key(spec, text).segments, [b"1" * length for length in range(50, 4096, 40)])

    assert time.process_time() - began < 2


def test_a_million_lines_are_cut_off_and_answered_soon() -> None:
    lines = read_lines(b"\n".join(b"user%06d#x" % (n % 997) for n in range(1_000_001)))
    assert lines.cut
    assert len(lines.keys) < 1_000_000

    began = time.process_time()
    proposal = propose(Spec(), lines.keys)
    found = match_keys(Spec(fields=proposal.fields), proposal.segments, lines.keys)

    assert told(proposal) == '{user}#{"x"}'
    assert found.share == 1
    assert time.process_time() - began < 10


def test_no_part_of_a_key_of_hundreds_of_parts_is_tried_as_a_hash(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("the pairs to try grow with the square of the parts")

    monkeypatch.setattr(hashes, "_find_hash", refuse)
    keys = ["#".join(random.Random(f"{row} {part}").choice("abcdefgh") for part in range(300)) for row in range(30)]

    assert imports.read("\n".join(keys), "sample_keys").spec.tables


def test_keys_of_several_structures_are_row_kinds_named_by_the_word_in_front() -> None:
    keys = [f"order#{1000 + n * 7}#item#{n % 5}" for n in range(40)]
    keys += [f"user#{'abcdef'[n % 6]}{n:04d}#2026-11-{1 + n % 27:02d}" for n in range(40)]

    found = imports.read("\n".join([*keys, "x", "some other line"]), "sample_keys")

    kinds = found.spec.tables[0].row_kinds
    assert [(kind.name, key_of(found.spec, kind)) for kind in kinds] == [
        ("user", 'user#{user_id}#{time:day:"%Y-%m-%d"}'), ("item", 'order#{order_id}#{"item"}#{item_id}'),
    ]  # fmt: skip
    assert [(found.matched[kind.id].matching, found.matched[kind.id].lines) for kind in kinds] == [(40, 82), (40, 82)]
    assert [str(one) for one in found.remarks] == ["2 of 82 lines have another structure"]


# --- phone numbers ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "key"),
    [
        (lambda rng: f"+8190{rng.randrange(10**8):08}", "+{phone}"),
        (lambda rng: f"+8613{rng.randrange(10**9):09}", "+{phone}"),
        (lambda rng: f"+5511{rng.randrange(10**9):09}", "+{phone}"),
        (lambda rng: f"+1415{rng.randrange(10**7):07}#{1_790_000_000_000 + rng.randrange(10**9)}", "+{phone}#{time}"),
        (lambda rng: rng.choice([f"+8190{rng.randrange(10**8):08}", f"+1415{rng.randrange(10**7):07}"]), "+{phone}"),
    ],
)
def test_phone_numbers_in_the_international_form_are_no_times(make: Callable[[random.Random], str], key: str) -> None:
    assert told(proposed(make)) == key


def test_mobile_numbers_without_a_country_are_not_read_as_times_of_years_to_come() -> None:
    # 9,999,999,999 - 80xxxxxxxx is 1,900,000,000 to 1,999,999,999: 17 March 2030 to 18 May 2033.
    assert "time" not in told(proposed(lambda rng: f"080{rng.randrange(10**8):08}"))


def test_the_expressions_of_dates_are_compiled_once() -> None:
    for pattern in times.PATTERNS:
        times._compile_pattern(pattern)
    before = times._compile_pattern.cache_info().misses

    times.find_time(["no date", "none either", "nor this"])

    assert times._compile_pattern.cache_info().misses == before
