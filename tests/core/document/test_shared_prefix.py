"""The beginning that keys of several row kinds share."""

import pytest

from designer.document import Spec
from designer.document.field import Field
from designer.document.key import Segment
from designer.document.keytext.read import parse_key
from designer.document.shared_prefix import begins_alike, shared_prefix

SPEC = Spec(fields=tuple(Field(id=name, name=name) for name in ("user", "order", "day")))


def segments(text: str) -> tuple[Segment, ...]:
    return parse_key(SPEC, text).segments


@pytest.mark.parametrize(
    ("own", "other", "count", "after"),
    [
        ("{user}#profile", "{user}#order#{time}", 1, b"#"),
        ("{user}#order#{time}", "{user}#order#{time:rev}", 1, b"#order#"),
        ("{user}#{day}", "{user}#{day}#{time}", 2, b""),
        ("{user}", "{user}#{time}", 1, b""),
        ("v1#{user}#a", "v1#{user}#b", 2, b"#"),
        ("v1#{user}#a", "v2#{user}#a", 0, b""),
        ("{hash(user)}_{user}#a", "{hash(user)}_{user}#b", 2, b"#"),
        ("{hash(user):8}_{user}#a", "{hash(user):4}_{user}#b", 0, b""),
        ("{user:pad6}#a", "{user}#b", 0, b""),
    ],
)  # fmt: skip
def test_keys_share_segments_of_the_same_fields_and_the_text_between_them(own, other, count, after) -> None:
    shared = shared_prefix(segments(own), [segments(other)])

    assert (shared.segments, shared.after) == (count, after)
    assert begins_alike(segments(own), shared, segments(other))


def test_a_key_that_begins_otherwise_is_in_no_range_of_the_others() -> None:
    own = segments("{user}#order#{time}")
    shared = shared_prefix(own, [segments("{user}#order#{day}")])

    assert shared.after == b"#order#"
    assert not begins_alike(own, shared, segments("{user}#profile"))
    assert not begins_alike(own, shared, segments("{user}"))
