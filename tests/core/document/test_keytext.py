"""Keys as text: what is written is read back, and what cannot be read is said with its place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from designer.document import Spec
from designer.document.key import KeyColumn, LiteralSegment, Segment
from designer.document.keytext import KeyTextError, parse_columns, parse_key, render_columns, render_key
from tests.cases import cases

SPEC = Spec.model_validate(
    {
        "fields": [
            {"id": "tenant", "name": "tenant"},
            {"id": "device", "name": "device_id"},
            {"id": "made", "name": "created_at", "kind": "timestamp"},
            {"id": "odd", "name": 'odd "name": {1}'},
            {"id": "time", "name": "time"},
            {"id": "twin-1", "name": "twin"},
            {"id": "twin-2", "name": "twin"},
            {"id": "nameless"},
        ]
    }
)
FIELDS = [f.id for f in SPEC.fields]

texts = st.text(st.sampled_from('ab1#:{}"=,. |\u00e9'), max_size=4) | st.sampled_from(["\\x00", "\\xff", "\\\\", "#"])
transforms = st.lists(
    st.one_of(
        st.builds(lambda w: {"kind": "pad", "width": w}, st.integers(1, 40)),
        st.just({"kind": "reverse_digits"}),
        st.sampled_from([{"kind": "reverse_domain"}, {"kind": "percent"}]),
        st.sampled_from([{"kind": "case", "to": "lower"}, {"kind": "case", "to": "upper"}]),
        st.builds(lambda n: {"kind": "truncate", "length": n}, st.integers(1, 99)),
        st.builds(lambda n: {"kind": "offset", "by": n}, st.integers(-999, 999)),
        st.builds(lambda n: {"kind": "big_endian", "length": n}, st.integers(1, 8)),
        st.builds(lambda n: {"kind": "hex", "width": n}, st.integers(1, 40)),
        st.builds(lambda n: {"kind": "descending", "top": n}, st.integers(0, 2**63 - 1)),
    ),
    max_size=3,
)
fields = st.sampled_from(FIELDS)
some_fields = st.lists(fields, min_size=1, max_size=3)
resolutions = st.sampled_from(
    ["microsecond", "millisecond", "second", "minute", "hour", "day", "week", "month", "year"]
)
segments = st.one_of(
    st.fixed_dictionaries({"kind": st.just("literal"), "text": texts}),
    st.fixed_dictionaries({"kind": st.just("field"), "field": fields, "transforms": transforms}),
    st.fixed_dictionaries(
        {"kind": st.just("time"), "field": st.none() | fields, "resolution": resolutions},
        optional={
            "unit": st.sampled_from(["us", "ms", "s", "m", "h", "d", "bucket"]),
            "reversed": st.booleans(),
            "reverse_from": st.integers(1, 2**63 - 1),
        },
    ),
    st.fixed_dictionaries({"kind": st.just("time"), "resolution": resolutions, "raw": st.just(True)}),
    st.fixed_dictionaries(
        {"kind": st.just("time"), "bucket_seconds": st.integers(1, 10**9) | st.sampled_from([300, 864_000])}
    ),
    st.fixed_dictionaries(
        {
            "kind": st.just("time"),
            "resolution": resolutions,
            "pattern": st.sampled_from(["%Y%m%d", '%Gw%V "{x}"', "%H:%M"]),
        }
    ),
    st.fixed_dictionaries(
        {"kind": st.just("time"), "pattern": st.sampled_from(["%Y%m%d", "%Gw%V"]), "reversed": st.just(True)}
    ),
    st.fixed_dictionaries(
        {"kind": st.just("hash"), "fields": some_fields},
        optional={
            "algorithm": st.sampled_from(["md5", "sha1", "sha256", "fnv1a", "crc32"]),
            "form": st.sampled_from(["hex", "base64", "base64url", "raw"]),
            "digits": st.integers(1, 4),
        },
    ),
    st.fixed_dictionaries(
        {"kind": st.just("salt"), "fields": st.lists(fields, max_size=2), "modulo": st.integers(1, 65_536)}
    ),
    st.fixed_dictionaries(
        {
            "kind": st.just("derived"),
            "field": fields,
            "how": st.one_of(
                st.builds(lambda n: {"kind": "bucket", "size": n}, st.integers(1, 10**9)),
                st.fixed_dictionaries(
                    {"kind": st.just("part")},
                    optional={"start": st.integers(0, 9), "length": st.integers(1, 9), "before": texts.filter(bool)},
                ),
            ),
            "transforms": transforms,
        }
    ),
)


@st.composite
def keys(draw: st.DrawFn) -> tuple[Segment, ...]:
    drawn = draw(st.lists(st.tuples(segments, texts), max_size=5))
    parts = [{**segment, "after": after, "id": f"s{place}"} for place, (segment, after) in enumerate(drawn)]
    kind = (
        Spec.model_validate({**SPEC.model_dump(), "tables": [{"id": "t", "row_kinds": [{"id": "r", "key": parts}]}]})
        .tables[0]
        .row_kinds[0]
    )
    return kind.key


@given(keys())
def test_a_key_written_as_text_is_read_back_as_it_was(key):
    text = render_key(SPEC, key)

    assert parse_key(SPEC, text, previous=key).segments == key, text


@pytest.mark.parametrize(
    "text",
    [
        "{tenant}#{device_id:pad6}#{time:rev}",
        'phone#{device_id}#{time:day:"%Y%m%d"}',
        "{hash(device_id)}_{device_id}_{time:rev}",
        "{salt(device_id):16}#{created_at:second:unit=s}",
        "{bucket(device_id,100):pad6}/{part(tenant,length=3)}",
        '{"v1"}#{tenant:domain}',
        "{{{tenant}}}",
    ],
)
def test_the_text_that_people_write_is_the_text_that_they_see(text):
    assert render_key(SPEC, parse_key(SPEC, text).segments) == text.replace('{"v1"}', "v1")


def test_a_sign_that_no_page_shows_is_read_as_its_byte():
    assert render_key(SPEC, parse_key(SPEC, "{tenant}\0{tenant}").segments) == "{tenant}\\x00{tenant}"


def test_the_end_of_leading_text_is_its_delimiter():
    (first, _) = parse_key(SPEC, "phone#{tenant}").segments

    assert first == LiteralSegment(id="phone", text="phone", after="#")


def test_a_segment_keeps_its_id_when_the_text_around_it_changes():
    before = parse_key(SPEC, "{tenant}#{device_id}#{time}").segments
    after = parse_key(SPEC, "{time:rev}|{device_id:pad6}|{tenant}", previous=before).segments

    assert [s.id for s in after] == [before[2].id, before[1].id, before[0].id]


def test_new_segments_get_ids_that_nothing_else_has():
    first, second = parse_key(SPEC, "{tenant}#{tenant}").segments

    assert len({first.id, second.id, *SPEC.by_id}) == len(SPEC.by_id) + 2


def test_names_that_the_design_does_not_know_become_fields_when_asked():
    read = parse_key(Spec(), "{tenant}#{device_id:pad6}#{tenant}", new_fields=True)

    assert [(f.name, f.kind) for f in read.new_fields] == [("tenant", None), ("device_id", "integer")]
    assert [s.field for s in read.segments] == [read.new_fields[0].id, read.new_fields[1].id, read.new_fields[0].id]


@cases(
    "text, said",
    [
        ("{tennant}", "character 2: unknown field tennant; did you mean tenant?"),
        ("{zebra}", "character 2: unknown field zebra; add it to the fields first"),
        ("{twin}", "character 2: several fields have the name twin; specify one by id: twin-1, twin-2"),
        ("{tenant", "character 8: the segment that starts at character 1 is not closed"),
        ("{}", "character 2: expected a field, time, hash(…), salt(…), bucket(…), part(…) or a text in quotes"),
        ("a}b", "character 2: } without {; write }} for a literal brace"),
        ("{time:weak}", "character 7: weak is not a time option; did you mean week?"),
        ("{tenant:pad0}", "character 9: 0 is not between 1 and 40"),
        ("{tenant:shout}", "character 9: shout is not a transform"),
        ("{salt(tenant)}", "character 2: a salt needs its number of values, for example salt(user):16"),
        ("{hash()}", "character 2: a hash needs its fields, for example hash(user)"),
        ("{hesh(tenant)}", "character 2: unknown function hesh(…); did you mean hash?"),
        ("{bucket(tenant)}", "character 2: a bucket needs a field and a size, for example bucket(amount,100)"),
        ("{tenant}\\q", "character 9: write a backslash as \\\\, a byte as \\xNN"),
        ('{"abc}', "character 2: closing quote missing"),
        ("{tenant:bytes9}", "character 9: 9 is not between 1 and 8"),
        ("{tenant:hex0}", "character 9: 0 is not between 1 and 40"),
        ("{tenant:from=x}", "character 14: x is not a whole number"),
        ("{time:bucket=5w}", "character 14: 5w is not a length of time, for example 5m or 10d"),
        ("{time:bucket=40000d}", "character 14: 3456000000 is not between 1 and 1000000000"),
        ("{time:hour:bucket=5m}", "character 1: a bucket length takes the place of the resolution"),
        ('{tenant}#{time:"%Q"}', 'character 10: "%Q" is not a date directive'),
        (
            '{time:"%d %B":rev}',
            "character 1: a date is reversed digit by digit, and %B is a name or has no leading zero",
        ),
        ("{hash(tenant):40}", "character 1: 40 digits exceed the 32 digits of md5"),
        ("{hash(tenant):crc32:raw:5}", "character 1: a length of 5 exceeds that of crc32 as raw, which is 4"),
        ("x" * 9000, "character 1: the text is longer than 8192 characters"),
    ],
)
def test_what_cannot_be_read_is_said_with_its_place(text, said):
    with pytest.raises(KeyTextError) as error:
        parse_key(SPEC, text)

    assert str(error.value).startswith(said)


@cases("text", ["{salt(tenant):N}", "{hash(tenant):N}", "{tenant:padN}", "{tenant:firstN}", "{tenant:plusN}",
     "{tenant:minusN}", "{tenant:from=N}", "{tenant:hexN}", "{tenant:bytesN}", "{time:bucket=Nd}", "{time:rev:from=N}",
     "{bucket(device_id,N)}", "{part(tenant,start=N)}"])  # fmt: skip
@cases("digits", ["1" * 5_000, "9" * 30, "0" * 5_000, "\u0661" * 5_000])
def test_a_number_without_end_is_told_by_its_beginning(text, digits):
    with pytest.raises(KeyTextError, match=r"is not between|is not a length of time") as error:
        parse_key(SPEC, text.replace("N", digits))

    assert len(str(error.value)) < 6_000


columns = st.lists(
    st.fixed_dictionaries(
        {
            "name": st.sampled_from(["", "card", "STRING", "auto", 'odd "name]', "a | b", "日"]),
            "type": st.sampled_from(["STRING", "INTEGER", "BINARY"]),
            "auto_increment": st.booleans(),
            "segments": st.lists(st.tuples(segments, texts).map(lambda s: s[0] | {"after": s[1]}), max_size=3),
        }
    ),
    min_size=1,
    max_size=4,
)


def primary_key(given_columns: list[dict]) -> tuple[KeyColumn, ...]:
    made = []
    for place, column in enumerate(given_columns):
        named = [{**s, "id": f"s{place}-{n}"} for n, s in enumerate(column["segments"])]
        made.append(KeyColumn.model_validate({**column, "id": f"c{place}", "segments": named}))
    return tuple(made)


@given(given_columns=columns)
def test_primary_key_columns_written_as_text_are_read_back(given_columns):
    made = primary_key(given_columns)

    assert parse_columns(SPEC, render_columns(SPEC, made), previous=made).columns == made


def test_columns_are_typed_in_one_line():
    read = parse_columns(SPEC, '{tenant} | [day INTEGER] {time:day:"%Y%m%d"}|[seq INTEGER auto]').columns

    assert [(c.name, c.type, c.auto_increment, len(c.segments)) for c in read] == [
        ("", "STRING", False, 1), ("day", "INTEGER", False, 1), ("seq", "INTEGER", True, 0),
    ]  # fmt: skip


def test_a_forgotten_bar_between_columns_is_said_and_never_read_as_text():
    with pytest.raises(KeyTextError, match="write a bar") as told:
        parse_columns(SPEC, "[tenant] {tenant} [day INTEGER] {time}")
    assert told.value.at == 18
    text = LiteralSegment(id="s", text=" [day INTEGER] {")
    column = KeyColumn(id="c", name="tenant", segments=(text, LiteralSegment(id="s2", text="[INTEGER]")))
    for before in ((), (column.segments[1].model_copy(update={"id": "s3", "text": "x[ BINARY ]"}),)):
        one = column.model_copy(update={"segments": (*before, *column.segments)})

        assert parse_columns(SPEC, render_columns(SPEC, (one,)), previous=(one,)).columns == (one,)


def test_a_new_field_may_be_called_as_a_column_is():
    read = parse_columns(Spec(), "[till] {shop} | [shop] {till}", new_fields=True)

    ids = [*(c.id for c in read.columns), *(s.id for c in read.columns for s in c.segments)]
    assert [field.id for field in read.new_fields] == ["shop", "till"]
    assert not {"shop", "till"} & set(ids)
    assert len(set(ids)) == 4


def test_what_is_wrong_in_a_column_is_told_with_its_place():
    with pytest.raises(KeyTextError) as told:
        parse_columns(SPEC, "{tenant} | [day] {devise_id}")

    assert told.value.at == len("{tenant} | [day] {")


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("{user_id}#{reverse_timestamp}", "{user_id}#{timestamp:rev}"),
        ("{user_id}#{rts}", "{user_id}#{ts:rev}"),
        ("{user_id}#{created_at_desc}", "{user_id}#{created_at:rev}"),
        ("{sensor}#{yyyyMMdd}", '{sensor}#{yyyyMMdd:day:"%Y%m%d"}'),
        ("{sensor}#{event_date:rev}#{time}", '{sensor}#{event_date:day:"%Y%m%d":rev}#{time}'),
        ("{sensor}#{month}#{time}", '{sensor}#{month:month:"%Y%m"}#{time}'),
        ("{user}#{birth_date}", "{user}#{birth_date}"),
        ("{userId}#{createdAt}", "{userId}#{createdAt}"),
        ("{sensor}#{eventDate}#{dt}", '{sensor}#{eventDate:day:"%Y%m%d"}#{dt:day:"%Y%m%d"}'),
        ("{sensor}#{hourBucket}#{ts}", '{sensor}#{hourBucket:hour:"%Y%m%d%H"}#{ts}'),
        ("{sensor}#{time_bucket}#{tsUs}", '{sensor}#{time_bucket:day:"%Y%m%d"}#{tsUs:unit=us}'),
        ("{deviceId}#{reverseTimestamp}", "{deviceId}#{timestamp:rev}"),
    ],
)
def test_a_new_name_says_how_a_time_is_written(typed, read):
    spec = Spec()
    parsed = parse_key(spec, typed, new_fields=True)

    assert render_key(spec.model_copy(update={"fields": parsed.new_fields}), parsed.segments) == read


@pytest.mark.parametrize(
    ("typed", "read"),
    [("USER#${userId}#ORDER#${orderId}", "USER#{userId}#ORDER#{orderId}"), ("$${a}$", "$${a}$"), ("{a}$$", "{a}$$")],
)
def test_a_dollar_before_a_brace_is_of_a_programs_text_and_two_are_one_dollar(typed, read):
    parsed = parse_key(Spec(), typed, new_fields=True)
    spec = Spec(fields=parsed.new_fields)

    assert render_key(spec, parsed.segments) == read
    assert parse_key(spec, read, previous=parsed.segments).segments == parsed.segments


def test_a_name_that_the_design_has_says_nothing_of_times():
    spec = Spec.model_validate({"fields": [{"id": "reverse_timestamp", "name": "reverse_timestamp"}]})

    [segment] = parse_key(spec, "{reverse_timestamp}", new_fields=True).segments

    assert not segment.reversed


def test_a_salt_of_the_events_own_time_is_told_as_what_it_does():
    with pytest.raises(KeyTextError, match=r"own time is not computed.*\{salt:16\}"):
        parse_key(Spec(), "{salt(time):8}", new_fields=True)


@pytest.mark.parametrize(
    "text",
    ["{hash(time):8}#{tenant}", "{hash(time:hour)}#{time}", '{hash(created_at:day:"%Y%m%d"):sha256:raw:8}',
     "{hash(time:bucket=5m:unit=bucket):base64url:6}", "{hash(created_at)}"],
)  # fmt: skip
def test_a_hash_of_a_time_is_written_as_it_is_read(text):
    spec = SPEC.model_copy(update={"fields": tuple(field for field in SPEC.fields if field.id != "time")})

    assert render_key(spec, parse_key(spec, text).segments) == text


def test_a_field_called_time_is_told_from_the_time_of_the_event_in_a_hash():
    of_event, of_field = parse_key(SPEC, "{hash(time:millisecond)}#{hash(time)}").segments

    assert (of_event.fields, of_field.fields) == ((), ("time",))
    assert render_key(SPEC, (of_event, of_field)) == "{hash(time:millisecond)}#{hash(time)}"


def test_a_new_name_in_a_hash_of_a_bucket_is_a_time():
    parsed = parse_key(Spec(), "{hash(seen:hour)}", new_fields=True)

    assert [field.kind for field in parsed.new_fields] == ["timestamp"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{hash(tenant,created_at:hour)}", "character 14: a hash of a time with other fields is not computed"),
        ("{hash(created_at:hour,tenant)}", "character 22: a hash of a time with other fields is not computed"),
        ("{salt(created_at:hour):4}", "character 7: a salt of a bucket of time is not computed; write a hash"),
        ("{hash(tenant:hour)}", "character 7: tenant is no time: only a time is hashed by its bucket"),
        ("{hash(created_at:millisecond)}", "character 1: a hash of a bucket needs a bucket of a second or longer"),
        ("{hash(created_at:hour:rev)}", "character 1: a hash of a time has no order"),
        ("{hash(created_at:hour):40}", "character 1: 40 digits exceed the 32 digits of md5"),
    ],
)
def test_what_is_not_computed_of_a_hashed_time_is_said(text, said):
    with pytest.raises(KeyTextError) as error:
        parse_key(SPEC, text)

    assert str(error.value).startswith(said)


@pytest.mark.parametrize(
    ("typed", "hint"),
    [
        ("{u}#{Long.MAX_VALUE - ts}", "{ts:rev}"), ("{ts desc}", "{ts:rev}"),
        ("{sha256(url)}", "{hash(url):sha256:64}"), ("{MD5(x)}#{x}", "{hash(x):md5:32}"), ("{HASH(x)}", "{hash(x)}"),
        ("{md5(a, b):8}", "{hash(a,b):md5:8}"), ("{sha1(time:hour)}", "{hash(time:hour):sha1:40}"),
        ("{url:sha256:16}", "{hash(url):sha256:16}"), ("{url.md5()}", "{hash(url):md5:32}"),
        ("{reverse(seq)}", "{seq:reverse}"), ("{Reverse(created_at)}", "{created_at:rev}"),
        ("{REVERSE(host)}", "{host:domain}"), ("{LOWER(email)}", "{email:lower}"), ("{lpad(n, 6, '0')}", "{n:pad6}"),
        ("{substr(zip,0,3)}", "{zip:first3}"), ("{substr(zip,2,3)}", "{part(zip,start=2,length=3)}"),
        ("{mod(user,16)}", "{salt(user):16}"), ("{user % 16}", "{salt(user):16}"), ("{SALT(user):8}", "{salt(user):8}"),
        ("{date(ts)}", "{ts:day}"), ("{date_trunc('hour', ts)}", "{ts:hour}"), ("{time:DAY}", "{time:day}"),
        ("{n:PAD6}", "{n:pad6}"), ("{urlencode(path)}", "{path:percent}"),
    ],
)  # fmt: skip
def test_an_expression_in_braces_is_told_what_it_means(typed, hint):
    with pytest.raises(KeyTextError, match="did you mean") as refused:
        parse_key(Spec(), typed, new_fields=True)

    assert refused.value.params["hint"] == hint
    assert parse_key(Spec(), hint, new_fields=True).segments


def test_what_an_expression_means_is_told_at_its_place_also_where_no_field_is_made():
    with pytest.raises(KeyTextError) as refused:
        parse_key(SPEC, "{tenant}#{sha256(url)}")

    assert str(refused.value) == "character 10: this is no segment; did you mean {hash(url):sha256:64}?"


@pytest.mark.parametrize("typed", ["{now()}", "{tenant:shout}", "{md5()}", "{pad(tenant,99)}", "{md5(tenant):40}"])
def test_no_segment_is_proposed_that_could_not_be_read(typed):
    with pytest.raises(KeyTextError) as refused:
        parse_key(SPEC, typed)

    assert "{" not in str(refused.value.params.get("hint", ""))


@pytest.mark.parametrize("text", ["{a}" * 501, "a" * 40_000, "{" * 40_000, "".join(f"{{a{n}}}" for n in range(501))])
def test_a_text_that_would_be_read_for_minutes_is_refused_with_its_place(text: str) -> None:
    with pytest.raises(KeyTextError, match=r"a key (as text )?has at most"):
        parse_key(SPEC, text, new_fields=True)


@pytest.mark.parametrize("text", ["a|" * 5_000, "[a] {b} | " * 65, "[" * 40_000])
def test_so_are_more_columns_than_any_engine_has(text: str) -> None:
    with pytest.raises(KeyTextError, match=r"a key (as text )?has at most"):
        parse_columns(SPEC, text, new_fields=True)


@pytest.mark.parametrize(
    ("text", "resolution"),
    [
        ("{time:unit=us}", "microsecond"), ("{time:rev:unit=us}", "microsecond"), ("{time}", "millisecond"),
        ("{time:millisecond:unit=us}", "millisecond"), ("{time:second:unit=us}", "second"),
        ("{time:bucket=5m:unit=us}", "millisecond"), ("{time:unit=ms}", "millisecond"),
    ],
)  # fmt: skip
def test_who_counts_microseconds_knows_them(text: str, resolution: str) -> None:
    """“{time:unit=us}” was read as milliseconds with three zeros behind: its events met a thousand times as often."""
    spec = Spec()
    parsed = parse_key(spec, text)

    assert parsed.segments[0].resolution == resolution
    assert parse_key(spec, render_key(spec, parsed.segments)).segments == parsed.segments
