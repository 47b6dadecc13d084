"""gcloud's scripts: what gcloud itself asks of the API when it runs them, caught before it leaves the machine."""

import base64
import http.server
import json
import os
import re
import shlex
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from designer.document.load import from_data
from reviews.exports import format_named
from reviews.exports.gcloud import join_items, make, terms
from reviews.exports.shared import gc
from tests.contexts import Content
from tests.designs import hostile
from tests.exports import tools


def test_one_term_or_two_are_said_and_nothing_else() -> None:
    week, two = gc.Age(604_800_000), gc.Versions(2)

    assert terms(week) == "maxage=604800s"
    assert terms(gc.AnyOf((week, two))) == "maxage=604800s||maxversions=2"
    assert terms(gc.AllOf((week, two))) == "maxage=604800s&&maxversions=2"
    assert (
        terms(None)
        == terms(gc.AnyOf((week, two, gc.Age(1_000))))
        == terms(gc.AnyOf((week, gc.AllOf((week, two)))))
        == ""
    )
    assert terms(gc.Age(1_500)) == ""


def test_an_age_of_years_is_in_seconds() -> None:
    """Of `730d` gcloud makes 18.2 hours less."""
    assert terms(gc.Age(730 * 86_400_000)) == "maxage=63072000s"


def test_the_edition_is_said_and_that_older_ones_refuse_it() -> None:
    clusters = [{"id": "c", "name": "cluster-a", "nodes": {"kind": "fixed", "count": 1}}]
    made = make(Content(from_data({"instance": {"edition": "enterprise_plus", "clusters": clusters}})))

    assert "--edition=ENTERPRISE_PLUS" in made.files[0].text
    assert made.refusals == ()
    assert any("--edition" in str(note) for note in made.notes)


def test_a_list_whose_items_have_commas_gets_another_delimiter() -> None:
    assert join_items(["a", "b"]) == "a,b"
    assert join_items(["a,1", "b"]) == "^|^a,1|b"
    assert join_items(["^x"]) == "^,^^x"
    assert join_items([",|;@%+~!*?=/:_"])[1] not in ",|;@%+~!*?=/:_"


class Api(http.server.BaseHTTPRequestHandler):
    """Takes every request, keeps it, and says that it is done."""

    asked: list[tuple[str, Any]] = []

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.asked.append((self.path.split("?")[0], json.loads(body)))
        kind = self.path.split("?")[0].rsplit("/", 1)[1]
        name = "operations/o" if kind == "instances" else f"projects/p/instances/i/{kind}/x"
        self._answer({"name": name, "done": True, "response": {}})

    def do_PATCH(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.asked.append((self.path, json.loads(body)))
        self._answer({"name": "operations/o", "done": True, "response": {}})

    def do_GET(self) -> None:
        self._answer({"name": "operations/o", "done": True, "response": {"name": "projects/p/instances/i"}})

    def _answer(self, data: Any) -> None:
        raw = json.dumps(data).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)

    def log_message(self, *_: Any) -> None:
        """Nothing is printed."""


@pytest.fixture
def api(tmp_path: Path) -> Iterator[dict[str, str]]:
    """What makes gcloud ask a server of ours; without account and without asking back."""
    Api.asked.clear()
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Api) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield {
            "CLOUDSDK_API_ENDPOINT_OVERRIDES_BIGTABLEADMIN": f"http://127.0.0.1:{server.server_port}/",
            "CLOUDSDK_AUTH_DISABLE_CREDENTIALS": "true", "CLOUDSDK_CORE_DISABLE_PROMPTS": "1",
            "CLOUDSDK_CONFIG": str(tmp_path / "gcloud"), "PROJECT": "p",
        }  # fmt: skip
        server.shutdown()


@pytest.mark.slow
def test_gcloud_asks_the_api_for_exactly_the_design(api: dict[str, str], tmp_path: Path) -> None:
    tools.needs("gcloud")
    bash = tools.needs("bash")
    calls = tmp_path / "calls"
    (tmp_path / "cbt").write_text(f'#!/bin/sh\necho "$@" >> {calls}\n')
    (tmp_path / "cbt").chmod(0o755)
    spec = from_data(
        {
            "name": "Gcloud",
            "tables": [
                {"id": "t", "name": "readings", "deletion_protection": True, "change_stream_days": 2,
                 "infrequent_access_days": 400, "split_keys": ["a,1", "^b", " c "],
                 "backups": [{"id": "b", "kept_days": 30}],
                 "families": [
                     {"id": "f1", "name": "age", "gc": {"kind": "max_age", "age_days": 730}},
                     {"id": "f2", "name": "both", "gc": {"kind": "union", "rules": [
                         {"kind": "max_age", "age_days": 1}, {"kind": "max_versions", "versions": 2}]}},
                     {"id": "f3", "name": "none"},
                     {"id": "f4", "name": "much", "gc": {"kind": "union", "rules": [
                         {"kind": "max_age", "age_days": 9}, {"kind": "intersection", "rules": [
                             {"kind": "max_age", "age_days": 1}, {"kind": "max_versions", "versions": 2}]}]}},
                     {"id": "f5", "name": "total", "kind": "sum", "gc": {"kind": "max_age", "age_days": 1}},
                 ]},
            ],
            "instance": {"name": "instance-1", "clusters": [
                {"id": "c1", "name": "cluster-a", "zone": "europe-west1-b", "node_scaling": 2,
                 "nodes": {"kind": "autoscaling", "min": 2, "max": 4}}],
                "app_profiles": [
                    {"id": "d", "name": "default", "routing": "single", "clusters": ["c1"], "priority": "low"},
                    {"id": "p", "name": "tx", "routing": "single", "clusters": ["c1"], "transactions": True}]},
        }
    )  # fmt: skip
    made = make(Content(spec))
    assert made.refusals == ()

    for one in made.files:
        (tmp_path / one.name).write_bytes(one.data)
        done = tools.run(bash, one.name, folder=tmp_path, **api, PATH=f"{tmp_path}:{os.environ['PATH']}")
        if "gcloud components install beta" in done.stderr:
            pytest.skip(
                "gcloud's beta component is not on this machine: tables with infrequent access are not verified"
            )
        assert done.returncode == 0, done.stderr

    asked = dict(Api.asked)
    table = asked["/v2/projects/p/instances/instance-1/tables"]
    assert sorted(base64.b64decode(each["key"]).decode() for each in table["initialSplits"]) == [" c ", "^b", "a,1"]
    assert table["table"]["columnFamilies"] == {
        "age": {"gcRule": {"maxAge": "63072000s"}},
        "both": {"gcRule": {"union": {"rules": [{"maxAge": "86400s"}, {"maxNumVersions": 2}]}}},
        "none": {}, "much": {},
    }  # fmt: skip
    assert table["table"]["deletionProtection"] is True
    assert table["table"]["changeStreamConfig"] == {"retentionPeriod": "172800s"}
    assert table["table"]["automatedBackupPolicy"] == {"retentionPeriod": "2592000s"}
    assert table["table"]["tieredStorageConfig"]["infrequentAccess"] == {"includeIfOlderThan": "34560000s"}
    cluster = asked["/v2/projects/p/instances"]["clusters"]["cluster-a"]
    assert cluster["nodeScalingFactor"] == "NODE_SCALING_FACTOR_2X"
    assert cluster["clusterConfig"]["clusterAutoscalingConfig"]["autoscalingTargets"] == {"cpuUtilizationPercent": 60}
    profile = asked["/v2/projects/p/instances/instance-1/appProfiles"]
    assert profile["singleClusterRouting"] == {"allowTransactionalWrites": True, "clusterId": "cluster-a"}
    path, changed = next((path, body) for path, body in Api.asked if "/appProfiles/default?" in path)
    assert changed["singleClusterRouting"] == {"allowTransactionalWrites": False, "clusterId": "cluster-a"}
    assert "allowTransactionalWrites" in path
    said = calls.read_text().splitlines()
    assert any(line.endswith("setgcpolicy readings much (maxage=9d or (maxage=1d and maxversions=2))") for line in said)
    assert any(line.endswith("createfamily readings total:(maxage=1d):intsum") for line in said)


def test_gcloud_encodes_the_delimiter_of_a_row_key_schema_itself(api: dict[str, str], tmp_path: Path) -> None:
    gcloud = tools.needs("gcloud")
    spec = from_data(
        {"name": "x",
         "fields": [{"id": "a", "name": "a", "kind": "uuid"}, {"id": "b", "name": "b", "kind": "uuid"}],
         "tables": [{"id": "t", "name": "t", "row_kinds": [{"id": "r", "key": [
             {"id": "k1", "kind": "field", "field": "a", "after": "#"},
             {"id": "k2", "kind": "field", "field": "b"}]}]}]}
    )  # fmt: skip
    files = format_named("row_key_schema").make(Content(spec)).files
    schema = tmp_path / "schema.yaml"
    schema.write_text(next(one.text for one in files if one.name.endswith(".yaml")))

    done = tools.run(
        gcloud, "bigtable", "instances", "tables", "create", "t", "--instance=i", "--project=p",
        "--column-families=m", f"--row-key-schema-definition-file={schema}", **api,
    )  # fmt: skip

    assert done.returncode == 0, done.stderr
    sent = Api.asked[0][1]["table"]["rowKeySchema"]
    in_json = json.loads(next(one.text for one in files if one.name.endswith(".json")))["structType"]
    assert sent == in_json
    assert sent["encoding"] == {"delimitedBytes": {"delimiter": "Iw=="}}


def test_nothing_of_a_hostile_design_is_executed_and_every_word_stays_whole(tmp_path: Path) -> None:
    bash = tools.needs("bash")
    log = tmp_path / "calls"
    for name in ("gcloud", "cbt"):
        (tmp_path / name).write_text(f'#!/bin/sh\nprintf "%s\\0" "$@" >> {log}; printf "\\n\\0" >> {log}\n')
        (tmp_path / name).chmod(0o755)
    made = make(Content(hostile()))
    for one in made.files:
        (tmp_path / one.name).write_bytes(one.data)
        done = tools.run(bash, one.name, folder=tmp_path, PROJECT="p", PATH=f"{tmp_path}:/usr/bin:/bin")
        assert done.returncode == 0, done.stderr

    calls = [call.split("\0") for call in log.read_text().split("\n\0")]
    created = [call for call in calls if "tables" in call]
    assert len(created) == len(hostile().tables)
    assert all(re.fullmatch(r"[_a-zA-Z0-9][-_.a-zA-Z0-9]{0,49}", call[call.index("create") + 1]) for call in created)
    assert {path.name for path in tmp_path.iterdir()} == {"calls", "gcloud", "cbt", *(one.name for one in made.files)}


def test_a_long_command_is_the_same_command() -> None:
    from reviews.exports.shared.shell import command, long_command

    words = ["gcloud", "x", "--a=" + "b" * 80, "--c=d e", "--f"]

    assert shlex.split(long_command(*words)) == shlex.split(command(*words)) == words
