"""K016, K019, K024, K028 on figures made by hand: times and characters that people and tools read."""

import pytest

from designer.wording.formatting import english
from estimator.advice.rules.shared.examples import DEVICE, TENANT, design, field_part, read_part, time_part
from estimator.results import LeadValues
from tests.cases import cases
from tests.core.advice.rules.asked import found, mended, severities
from tests.core.advice.rules.made import family_growth, growth, plan, row_growth, segment, traffic, write_load


def key_after(spec, finding):
    return mended(spec, finding).tables[0].row_kinds[0].key


# --- K016 -----------------------------------------------------------------------------------------------------


LAST_DAY = (read_part(binds=("device",), time={"days": 1}),)


def reversed_time(*reads, **settings):
    return design(field_part("device", "#"), time_part(**{"reversed": True, **settings}), reads=reads)


def test_a_reversed_time_that_nobody_reads_newest_first_says_what_it_costs():
    one_cell = growth(kinds=(row_growth(rows=2**20),), families=(family_growth(cells_per_row=2.0),))

    (finding,) = found(reversed_time(*LAST_DAY), "K016", growth=one_cell)

    assert finding.severity == "note"
    assert "That is 6 B longer in every cell, 12 MiB in total before compression." in english(
        finding.message, finding.params
    )


def test_a_reversed_time_is_right_where_the_newest_are_read_first():
    newest = read_part(binds=("device",), newest_rows=10)

    assert found(reversed_time({**newest, "id": "newest"}, *LAST_DAY), "K016") == []
    assert found(reversed_time(), "K016") == []
    assert found(reversed_time(*LAST_DAY, reversed=False), "K016") == []
    assert severities(reversed_time({**newest, "reverse": True}), "K016") == ["note"]


def test_a_reversed_time_is_let_be_while_nobody_knows_the_reads():
    spec = reversed_time(*LAST_DAY)
    kind = spec.tables[0].row_kinds[0].model_copy(update={"reads_unknown": True})
    table = spec.tables[0].model_copy(update={"row_kinds": (kind,)})

    assert found(spec.model_copy(update={"tables": (table,)}), "K016") == []


def test_a_reversed_time_without_room_fails_nowhere():
    assert severities(reversed_time(*LAST_DAY, reverse_from=5), "K016") == ["note"]


# --- K019 -----------------------------------------------------------------------------------------------------


def test_raw_bytes_say_what_people_see():
    spec = design(field_part("device", "#"), time_part(raw=True))

    (finding,) = found(spec, "K019", bytes_typical=20.0, samples=(b"d1#\x00\xff",))

    assert finding.params["raw_share"] == 0.25
    assert "see d1#\\x00\\xff" in english(finding.message, finding.params)
    assert key_after(spec, finding)[1].raw is False


def test_numbers_as_bytes_become_digits_of_one_width():
    field = {**DEVICE, "kind": "integer", "values": {"kind": "range", "min": 1, "max": 9_999}}
    spec = design(field_part("device", "", {"kind": "big_endian", "length": 4}), fields=(field,))

    (finding,) = found(spec, "K019")

    assert [(t.kind, t.width) for t in key_after(spec, finding)[0].transforms] == [("pad", 10)]


def test_bytes_have_no_encoding_to_choose_from():
    (finding,) = found(design(field_part("device"), fields=({"id": "device", "kind": "bytes"},)), "K019")

    assert finding.fix is None


def test_text_is_not_raw():
    assert found(design(field_part("device", "#"), time_part()), "K019") == []


# --- K024 -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("after", ["-", "_", "#", ":", "/", ".", ","])
def test_usual_delimiters_are_fine(after):
    assert found(design(field_part("device", after), time_part()), "K024") == []


@pytest.mark.parametrize(("after", "shown"), [("|", "|"), ("\\x00", "\\x00"), (" ", "␣"), ("~", "~"), ("é", "\\xa9")])
def test_other_characters_are_named(after, shown):
    (finding,) = found(design(field_part("device", after), time_part()), "K024")

    assert shown in finding.params["characters"]


def test_characters_of_values_patterns_and_literals_count_and_raw_bytes_do_not():
    mail = {**DEVICE, "values": {"kind": "pattern", "text": "u{n}@example.com"}}
    literal = {"id": "name", "kind": "literal", "text": "a b"}
    raw = {"id": "device", "kind": "bytes"}

    assert found(design(field_part("device"), fields=(mail,)), "K024")[0].params["characters"] == "@"
    assert len(found(design(literal, time_part(pattern="%Y+%m")), "K024")[0].params["segments"]) == 2
    assert found(design(field_part("device", "#"), fields=(raw,)), "K024") == []


# --- K028 -----------------------------------------------------------------------------------------------------

SESSIONS = (field_part("tenant", "#"), field_part("device"))
OF_TENANT = (read_part(binds=("tenant",), time={"days": 1}),)
WIDE = (plan("prefix", bound=("tenant_part",), open_at="device_part", rows_scanned=500.0),)


def sessions(*key, reads=OF_TENANT, **settings):
    return design(*(key or SESSIONS), fields=(TENANT, DEVICE), reads=reads, **settings)


def test_a_read_by_time_without_time_in_the_key_looks_at_rows_of_any_age():
    (finding,) = found(sessions(), "K028", reads=WIDE)

    assert finding.severity == "note"
    assert "look up reads 1 day of events, but the key contains no time." in english(finding.message, finding.params)
    assert [s.kind for s in key_after(sessions(), finding)] == ["field", "field", "time"]


def test_time_stands_where_readers_knowledge_ends_if_prefixes_bear_it():
    def order(hottest):
        made = traffic(leads=(LeadValues("rows", 1, hottest, b"t01", 9.0),), writes=(write_load(14_000.0),))
        (finding,) = found(sessions(), "K028", reads=WIDE, traffic=made)
        return [s.kind for s in key_after(sessions(), finding)]

    assert order(0.19) == ["field", "time", "field"]
    assert order(0.2) == ["field", "field", "time"]


def test_time_in_key_cells_or_qualifiers_and_numbers_that_stand_for_it_are_fine():
    counted = (segment("device_part", "sequence"),)
    series = {"qualifier_from": ({"id": "q", "kind": "time"},), "qualifier": ""}

    assert found(sessions(field_part("tenant", "#"), time_part()), "K028", reads=WIDE) == []
    assert found(sessions(), "K028", facts=counted, reads=WIDE) == []
    assert found(sessions(write={"mode": "new_cell"}), "K028", reads=WIDE) == []
    assert found(sessions(column=series), "K028", reads=WIDE) == []
    assert found(sessions(reads=(read_part(binds=("tenant",)),)), "K028", reads=WIDE) == []


def test_a_row_that_is_overwritten_gets_no_history():
    (finding,) = found(sessions(write={"mode": "overwrite"}), "K028", reads=WIDE)

    assert finding.fix is None


@cases(
    "period, days, expected",
    [
        ("day", 1, []),
        ("day", 7, []),
        ("day", 0.5, ["day"]),
        ("week", 6, ["week"]),
        ("week", 7, []),
        ("month", 7, ["month"]),
        ("month", 30, []),
    ],
)
def test_who_asks_for_whole_tables_of_a_rotating_set_is_bounded_by_their_names(period, days, expected):
    spec = sessions(
        reads=(read_part(binds=("tenant",), time={"days": days}),),
        table={"rotation": {"period": period, "kept_tables": 3}},
    )
    findings = found(spec, "K028", reads=WIDE)

    assert [str(f.params["period"]) for f in findings] == expected
    assert all("any time in these tables" in english(f.message, f.params) for f in findings)


def test_one_row_is_no_scan():
    assert found(sessions(), "K028", reads=(plan("point", rows_scanned=1.0),)) == []
