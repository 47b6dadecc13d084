"""Designs for the key tests: builders, and Hypothesis strategies over every kind of segment, transform and field."""

from typing import Any

from hypothesis import reject
from hypothesis import strategies as st
from pydantic import ValidationError

from designer.document import Spec

Part = dict[str, Any]


def design(fields: list[Part], segments: list[Part], writes: float | None = None) -> Spec:
    """One table with one row kind `k`; `writes` is events per second of an activity that writes it."""
    named = [{**segment, "id": f"s{place}"} for place, segment in enumerate(segments)]
    kind: Part = {"id": "k", "key": named}
    activities = []
    if writes is not None:
        activities = [{"id": "act", "rate_per_second": writes}]
        kind["writes"] = [{"id": "w", "activity": "act"}]
    return Spec.model_validate(
        {"fields": fields, "activities": activities, "tables": [{"id": "table", "row_kinds": [kind]}]}
    )


def escaped(raw: bytes) -> str:
    """Bytes as a delimiter is written in a document."""
    return "".join(f"\\x{byte:02x}" for byte in raw)


delimiters = st.one_of(
    st.just(""), st.sampled_from(["#", ":", ",", "-", "0", "a", "\\x00", "\\xff", "##", "#\\x00"]),
    st.binary(min_size=1, max_size=1).map(escaped),
)  # fmt: skip

_texts = st.text(st.sampled_from("a0#-:9z.é\x00"), max_size=4)
items = st.lists(_texts, min_size=1, max_size=5, unique=True).map(
    lambda texts: {"kind": "enumeration", "items": [{"value": t, "weight": n + 1} for n, t in enumerate(texts)]}
)

popularities = st.sampled_from(
    [None, {"kind": "uniform"}, {"kind": "zipf", "theta": 0.9}, {"kind": "zipf", "theta": 1.0}, {"kind": "latest"},
     {"kind": "zipf", "theta": 0.9, "busiest": [0.4, 0.3]},
     {"kind": "hot_set", "value_share": 0.2, "traffic_share": 0.8}, {"kind": "weights", "weights": [5, 1], "rest": 2}]
)  # fmt: skip

kinds = st.sampled_from(
    [
        {"kind": "string"}, {"kind": "uuid"}, {"kind": "boolean"}, {"kind": "float"}, {"kind": "integer"},
        {"kind": "domain"}, {"kind": "bytes"}, {"kind": "bytes", "values": {"kind": "random", "min": 1, "max": 2}},
        {"values": {"kind": "pattern", "text": "u{n}", "start": 8}},
        {"values": {"kind": "pattern", "text": "{n:03}x"}},
        {"values": {"kind": "pattern", "text": "{n}"}},
        {"values": {"kind": "range", "min": -12, "max": 103}},
        {"values": {"kind": "range", "min": 95, "max": 10_000_000_000_000}},
        {"values": {"kind": "random", "min": 0, "max": 3, "alphabet": "a-c#"}},
        {"values": {"kind": "random", "min": 6, "typical": 7, "max": 12}},
        {"kind": "domain", "values": {"kind": "enumeration", "items": [
            {"value": v} for v in ("drive.google.com", "en.wikipedia.org", "maps.google.com", "com")]}},
    ]
)  # fmt: skip


@st.composite
def fields(draw: st.DrawFn, name: str, owners: tuple[str, ...] = ()) -> Part:
    """A field of any kind with few values."""
    field: Part = {"id": name, "name": name, **draw(kinds)}
    if draw(st.booleans()) and "values" not in field and field.get("kind") == "string":
        field["values"] = draw(items)
    listed = field.get("values", {}).get("kind")
    if listed != "enumeration" and field.get("kind") != "boolean":
        field["distinct"] = draw(st.sampled_from([1, 2, 7, 12]))
    popularity = draw(popularities)
    if popularity is not None:
        field["popularity"] = popularity
    if owners and draw(st.booleans()):
        field["belongs_to"] = draw(st.sampled_from(owners))
        if draw(st.booleans()):
            field["fan_out"] = {"law": {"kind": "zipf", "theta": 1.0}}
    return field


transforms = st.lists(
    st.sampled_from(
        [{"kind": "pad", "width": 2}, {"kind": "pad", "width": 12}, {"kind": "reverse_digits"},
         {"kind": "reverse_domain"}, {"kind": "case", "to": "upper"}, {"kind": "truncate", "length": 2},
         {"kind": "percent"}]
    ),
    max_size=2,
)  # fmt: skip
number_transforms = st.sampled_from(
    [
        [], [{"kind": "pad", "width": 3}], [{"kind": "offset", "by": 20}],
        [{"kind": "offset", "by": 20}, {"kind": "big_endian", "length": 8}],
        [{"kind": "offset", "by": 1000}, {"kind": "pad", "width": 4}, {"kind": "reverse_digits"}],
        [{"kind": "hex", "width": 2}],
        [{"kind": "offset", "by": 20}, {"kind": "hex", "width": 3}, {"kind": "case", "to": "upper"}],
        [{"kind": "descending", "top": 150}, {"kind": "pad", "width": 3}],
        [{"kind": "descending", "top": 2**40}, {"kind": "big_endian", "length": 6}],
        [{"kind": "descending", "top": 8}, {"kind": "hex", "width": 1}],
    ]
)  # fmt: skip

PATTERNS = ["%Y%m%d", "%Y-%m-%dT%H:%M:%S.%f", "%Gw%V", "%d/%m/%Y", "%B %-d", "%Y%j", "%H%M", "%I%p", "%a", "%%%Y",
            "%y%m%d:%H%M%S", "%y-%m"]  # fmt: skip

times = st.one_of(
    st.builds(
        lambda seconds, unit, reversed_, raw: {
            "kind": "time", "bucket_seconds": seconds, "unit": unit, "reversed": reversed_, "raw": raw,
        },
        st.sampled_from([300, 1_800, 5_400, 864_000]), st.sampled_from(["ms", "s", "m", "d", "bucket"]),
        st.booleans(), st.booleans(),
    ),
    st.builds(
        lambda seconds, pattern: {"kind": "time", "bucket_seconds": seconds, "pattern": pattern},
        st.sampled_from([300, 420, 5_400, 864_000]), st.sampled_from(["%Y%m%d%H%M", "%Y%m%d%H", "%Y%m%d", "%d/%m/%Y"]),
    ),
    st.builds(
        lambda resolution, unit, reversed_, raw: {
            "kind": "time", "resolution": resolution, "unit": unit, "reversed": reversed_, "raw": raw,
        },
        st.sampled_from(["microsecond", "millisecond", "second", "minute", "hour", "day", "week", "month", "year"]),
        st.sampled_from(["us", "ms", "s", "m", "h", "d", "bucket"]), st.booleans(), st.booleans(),
    ),
    st.builds(
        lambda resolution, pattern: {"kind": "time", "resolution": resolution, "pattern": pattern, "reversed": True},
        st.sampled_from(["millisecond", "hour", "day", "week", "month", "year"]),
        st.sampled_from(["%Y%m%d", "%Y-%m-%dT%H:%M:%S.%f", "%Gw%V", "%d/%m/%Y", "%Y%j", "%H%M", "%Y0", "%y%m%d"]),
    ),
    st.builds(
        lambda resolution, pattern: {"kind": "time", "resolution": resolution, "pattern": pattern},
        st.sampled_from(["millisecond", "hour", "day", "week", "month", "year"]),
        st.sampled_from(PATTERNS),
    ),
)  # fmt: skip


@st.composite
def designs(draw: st.DrawFn) -> Spec:
    """Keys of one to four segments over up to three fields."""
    named = [draw(fields("f0")), draw(fields("f1", ("f0",))), draw(fields("f2", ("f0", "f1")))]
    whole = {f["id"]: f.get("kind") == "integer" or f.get("values", {}).get("kind") == "range" for f in named}
    ids = st.sampled_from(["f0", "f1", "f2"])

    def segment() -> Part:
        kind = draw(st.sampled_from(["literal", "field", "field", "field", "time", "hash", "salt", "derived"]))
        if kind == "literal":
            return {"kind": kind, "text": draw(st.sampled_from(["", "x", "#", "\\xff"]))}
        if kind == "time":
            return draw(times)
        if kind == "hash":
            algorithm = draw(st.sampled_from(["md5", "sha1", "sha256", "fnv1a", "crc32"]))
            names = draw(st.lists(ids, min_size=1, max_size=2, unique=True))
            form = draw(st.sampled_from(["hex", "hex", "base64", "base64url", "raw"]))
            most = {"hex": 8, "raw": 4}.get(form, 6)
            return {
                "kind": kind,
                "fields": names,
                "algorithm": algorithm,
                "form": form,
                "digits": draw(st.integers(1, most)),
            }
        if kind == "salt":
            return {
                "kind": kind,
                "fields": draw(st.lists(ids, max_size=1)),
                "modulo": draw(st.sampled_from([1, 3, 11])),
            }
        field = draw(ids)
        if kind == "field":
            changes = draw(number_transforms) if whole[field] else draw(transforms)
            return {"kind": kind, "field": field, "transforms": changes}
        if draw(st.booleans()):
            return {"kind": kind, "field": field, "how": {"kind": "bucket", "size": draw(st.sampled_from([1, 3, 10]))}}
        how = draw(st.sampled_from([{"kind": "part", "start": 1, "length": 2}, {"kind": "part", "before": "0"}]))
        return {"kind": kind, "field": field, "how": how}

    segments = [segment() | {"after": draw(delimiters)} for _ in range(draw(st.integers(1, 4)))]
    try:
        return design(named, segments)
    except ValidationError:  # more values than texts, more digits than the hash has: refused with a sentence elsewhere
        reject()
