"""cbt's scripts: what the shell and cbt make of them, and the emulator's schema read back."""

import re
import shlex
import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from designer.document import Spec
from designer.document.load import from_data
from reviews.exports import format_named
from reviews.exports.cbt import age_text, make, rule_text
from reviews.exports.shared import gc
from reviews.exports.shared.shell import quote_argument
from tests.contexts import Content
from tests.designs import forty_tables, hostile
from tests.exports import tools


def one_family(rule: dict | None, **table: object) -> Spec:
    family = {"id": "f", "name": "m", **({"gc": rule} if rule else {})}
    return from_data({"name": "One table", "tables": [{"id": "t", "name": "readings", "families": [family], **table}]})


def tables_of(spec: Spec) -> str:
    return next(one.text for one in make(Content(spec)).files if one.name.endswith("-tables.sh"))


def created(script: str) -> list[list[str]]:
    """The commands of a script whose words need no shell to be read."""
    lines = [line for line in script.splitlines() if line.startswith("cbt createtable")]
    return [shlex.split(line) for line in lines]


def test_a_rule_is_always_written_and_parenthesised() -> None:
    both = {"kind": "max_age", "age_days": 30}, {"kind": "max_versions", "versions": 2}
    inner = {"kind": "intersection", "rules": [*both]}

    def text(rule: dict | None) -> str:
        return created(tables_of(one_family(rule)))[0][3]

    assert text(None) == text({"kind": "never"}) == "families=m:never"
    assert text(both[0]) == "families=m:(maxage=30d)"
    assert text({"kind": "union", "rules": [*both]}) == "families=m:(maxage=30d or maxversions=2)"
    assert (
        text({"kind": "union", "rules": [both[0], inner]})
        == "families=m:(maxage=30d or (maxage=30d and maxversions=2))"
    )


def test_an_age_is_a_whole_number_of_a_unit_that_cbt_knows() -> None:
    assert [age_text(ms) for ms in (86_400_000, 5_400_000, 90_000, 1_500)] == ["1d", "90m", "90s", "1500ms"]


def test_an_age_of_no_whole_milliseconds_is_refused_and_its_family_left_out() -> None:
    made = make(Content(one_family({"kind": "max_age", "age_days": 0.000000001})))

    assert [remark.at for remark in made.refusals] == ["f"]
    assert "families=" not in made.files[0].text.split("cbt createtable")[1]


@pytest.mark.parametrize(("size", "refused"), [(500, False), (503, True)])
def test_a_rule_of_more_than_500_bytes_is_refused(size: int, refused: bool) -> None:
    """3,600 versions are 3 bytes, a union of n members 5n + 3 of them: sizes made by hand from the wire format."""
    members = tuple(gc.Versions(3_600 + n) for n in range(99))
    assert gc.size_bytes(gc.AnyOf(members)) == 99 * 5 + 3 == 498
    rules = [{"kind": "max_versions", "versions": 3_600 + n} for n in range(99 if size == 500 else 100)]

    made = make(Content(one_family({"kind": "union", "rules": rules})))

    assert [remark.at for remark in made.refusals] == (["f"] if refused else [])


def test_split_keys_are_one_record_and_keys_with_commas_or_quotes_are_quoted() -> None:
    script = tables_of(one_family(None, split_keys=["b", "a,1", 'c"d', "z z"]))

    assert created(script)[0][4] == 'splits="a,1",b,"c""d",z z'


def test_a_split_key_of_bytes_is_written_byte_by_byte_and_a_nul_is_refused() -> None:
    made = make(Content(one_family(None, split_keys=["\\xffa", "n\\x00"])))

    assert "$'splits=\\xffa'" in made.files[0].text
    assert [(remark.at, "NUL" in str(remark)) for remark in made.refusals] == [("t", True)]


def test_what_cbt_cannot_say_is_refused_by_element() -> None:
    cluster = {
        "id": "c",
        "name": "europe",
        "zone": "europe-west1-b",
        "nodes": {"kind": "autoscaling", "min": 1, "max": 3},
    }
    spec = from_data(
        {
            "name": "Much",
            "tables": [
                {"id": "t", "name": "x", "deletion_protection": True, "change_stream_days": 2,
                 "infrequent_access_days": 30, "backups": [{"id": "b"}]}
            ],
            "instance": {"edition": "enterprise_plus", "clusters": [cluster],
                         "app_profiles": [{"id": "p", "name": "low", "priority": "low"},
                                          {"id": "q", "name": "to", "routing": "single", "clusters": ["c"]}]},
        }
    )  # fmt: skip

    refused = [remark.at for remark in make(Content(spec)).refusals]

    assert sorted(refused) == ["", "c", "p", "q", "t", "t", "t", "t"]


def test_app_profiles_of_an_instance_that_is_there_are_written_and_the_default_one_is_changed() -> None:
    spec = from_data({"instance": {"app_profiles": [{"id": "d", "name": "default"}, {"id": "p", "name": "more"}]}})

    commands = [line.split()[:4] for line in make(Content(spec)).files[0].text.splitlines() if "appprofile" in line]

    assert commands == [["cbt", "updateappprofile", '"$INSTANCE"', "default"],
                        ["cbt", "createappprofile", '"$INSTANCE"', "more"]]  # fmt: skip
    in_gcloud = format_named("gcloud").make(Content(spec)).files[0].text
    assert ("app-profiles update default" in in_gcloud, "instances create" in in_gcloud) == (True, False)
    assert [one.at for one in format_named("terraform").make(Content(spec)).refusals] == ["d"]


TEXTS = st.text(st.characters(exclude_characters="\0", exclude_categories=("Cs",)), max_size=20)


@given(TEXTS)
def test_a_word_is_one_line_and_one_word_for_a_shell(text: str) -> None:
    quoted = quote_argument(text)

    assert quoted.isprintable()
    if not quoted.startswith("$'"):
        assert shlex.split(quoted) == [text]


@settings(max_examples=5)
@given(st.lists(st.binary(max_size=12).filter(lambda raw: b"\0" not in raw), min_size=1, max_size=60))
def test_bash_reads_every_word_byte_for_byte(words: list[bytes]) -> None:
    bash = tools.needs("bash")

    script = "printf '%s\\0' " + " ".join(map(quote_argument, words))
    done = subprocess.run([bash, "-c", script], capture_output=True, check=True, env={"LC_ALL": "C"})

    assert done.stdout.split(b"\0")[:-1] == words


def test_nothing_in_a_hostile_design_is_executed(tmp_path) -> None:
    bash = tools.needs("bash")
    log = tmp_path / "calls"
    fake = tmp_path / "cbt"
    fake.write_text(f'#!/bin/sh\nprintf "%s\\0" "$@" >> {log}; printf "\\n\\0" >> {log}\n')
    fake.chmod(0o755)
    for one in make(Content(hostile())).files:
        (tmp_path / one.name).write_bytes(one.data)

        done = tools.run(bash, one.name, folder=tmp_path, PROJECT="p", PATH=f"{tmp_path}:/usr/bin:/bin")

        assert done.returncode == 0, done.stderr
    calls = [call.split("\0") for call in log.read_text().split("\n\0")]
    names = [call[call.index("createtable") + 1] for call in calls if "createtable" in call]
    assert len(set(names)) == len(hostile().tables)
    assert all(re.fullmatch(r"[_a-zA-Z0-9][-_.a-zA-Z0-9]{0,49}", name) for name in names)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
        ["calls", "cbt", *(one.name for one in make(Content(hostile())).files)]
    )


def test_the_emulator_has_the_schema_that_the_design_says(emulator: str, tmp_path) -> None:
    tools.needs("cbt")
    bash = tools.needs("bash")
    spec = forty_tables()
    script = tmp_path / "tables.sh"
    script.write_text(tables_of(spec))
    settings_ = {
        "PROJECT": "p",
        "INSTANCE": "forty",
        "CBT_FLAGS": "-creds /dev/null",
        "BIGTABLE_EMULATOR_HOST": emulator,
    }

    done = tools.run(bash, str(script), **settings_)

    assert done.returncode == 0, done.stderr
    cbt = ("cbt", "-project", "p", "-instance", "forty", "-creds", "/dev/null")
    listed = tools.run(*cbt, "ls", BIGTABLE_EMULATOR_HOST=emulator).stdout.split()
    assert sorted(listed) == sorted(table.name for table in spec.tables)
    for table in spec.tables[:7]:  # one of each rule
        shown = tools.run(*cbt, "ls", table.name, BIGTABLE_EMULATOR_HOST=emulator).stdout
        for family in table.families:
            line = next(line for line in shown.splitlines() if line.startswith(f"{family.name}\t"))
            assert _as_cbt_shows(gc.rule_of(family.gc)) == line.split("\t", 1)[1].rsplit("{", 1)[0].strip()


def _as_cbt_shows(rule: gc.Rule | None) -> str:
    """A rule as `cbt ls` prints it."""
    match rule:
        case None:
            return ""
        case gc.Versions(count):
            return f"versions() > {count}"
        case gc.Age(ms):
            days, hours = ms % 86_400_000 == 0, ms % 3_600_000 == 0
            return f"age() > {f'{ms // 86_400_000}d' if days else f'{ms // 3_600_000}h' if hours else ms * 1000}"
    return f"({(' || ' if isinstance(rule, gc.AnyOf) else ' && ').join(map(_as_cbt_shows, rule.rules))})"


def test_rules_read_the_same_inside_and_outside_of_groups() -> None:
    assert rule_text(gc.AnyOf((gc.Versions(1), gc.AllOf((gc.Age(1), gc.Versions(2)))))) == (
        "(maxversions=1 or (maxage=1ms and maxversions=2))"
    )
