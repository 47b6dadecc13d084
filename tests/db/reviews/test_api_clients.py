"""Clients made from the description work against a live server, and nothing is found by requests made from it.

The tools are none of this project's: `KEYWRIGHT_OPENAPI_TOOLS` names the folder of an environment of Python that has
openapi-python-client and schemathesis, `KEYWRIGHT_TYPESCRIPT_TOOLS` a folder with openapi-typescript, openapi-fetch and
typescript 5 in `node_modules`. Without them these tests are skipped, each with its reason.
"""

import importlib
import itertools
import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from django.core.handlers.wsgi import WSGIHandler

from reviews.api.examples import DOCUMENT
from reviews.api.views import openapi_description
from tests.db.reviews.api_scene import V1, Scene, make_scene

CLIENTS = Path(__file__).parents[1] / "clients"
PYTHON_TOOLS = os.environ.get("KEYWRIGHT_OPENAPI_TOOLS", "")
NODE_TOOLS = os.environ.get("KEYWRIGHT_TYPESCRIPT_TOOLS", "")
REQUESTS_LEAST = 200
REQUESTS = int(os.environ.get("KEYWRIGHT_API_REQUESTS", "500"))
"""In chains: 10,000 take ten minutes of a processor or so."""
SECONDS = 80
PARTS = {
    "values": ("--phases", "coverage", "--exclude-operation-id-regex", "createDesign|replaceDocument"),
    "documents": ("--phases", "coverage", "--include-operation-id-regex", "createDesign|replaceDocument"),
}
"""Values of documents are so many that nothing else would have its turn: as many as there is time for."""
CAME_TO = {
    "same": True, "advice": ["{balloon}#{time}", 0], "tables": ["readings"], "revision": 2,
    "fixes_are_typed": True, "run": ["sample_keys", "queued"],
    "thread": 1, "terraform": True, "missing": [True, 404, "/api/#problem-not-found"],
}  # fmt: skip

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def scene(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Scene:
    settings.KEYWRIGHT_TOKEN_REQUESTS = 1_000_000
    return make_scene(settings, monkeypatch)


@pytest.fixture
def description(tmp_path: Path) -> Path:
    """The file that generators read."""
    path = tmp_path / "openapi.json"
    path.write_text(json.dumps(openapi_description()))
    return path


def tool(name: str) -> Path:
    path = Path(PYTHON_TOOLS) / "bin" / name
    if not PYTHON_TOOLS or not path.exists():
        pytest.skip(f"no {name} on this machine (KEYWRIGHT_OPENAPI_TOOLS): it would verify the description")
    return path


def ran(*command: object, **options: Any) -> str:
    """What a command prints, which must end well."""
    done = subprocess.run(list(map(str, command)), text=True, capture_output=True, timeout=480 + SECONDS, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_python_client_is_made_without_a_warning_and_works(
    scene: Scene, live_server: Any, description: Path, tmp_path: Path
) -> None:
    generator, target = tool("openapi-python-client"), tmp_path / "client"
    path = f"{generator.parent}{os.pathsep}{os.environ['PATH']}"
    made = ("generate", "--path", description, "--config", CLIENTS / "generator.yaml", "--output-path", target)
    told = ran(generator, *made, "--fail-on-warning", env={**os.environ, "PATH": path})
    assert "arning" not in told

    used = ran(
        generator.parent / "python", CLIENTS / "use_client.py", live_server.url, scene.tokens["reviewing"],
        input=json.dumps(DOCUMENT), env={**os.environ, "PYTHONPATH": str(target)},
    )  # fmt: skip

    assert json.loads(used) == CAME_TO


def test_typescript_types_are_made_without_a_warning_and_work(
    scene: Scene, live_server: Any, description: Path, tmp_path: Path
) -> None:
    modules = Path(NODE_TOOLS) / "node_modules"
    if not NODE_TOOLS or not (modules / "openapi-typescript").exists():
        pytest.skip("no openapi-typescript on this machine (KEYWRIGHT_TYPESCRIPT_TOOLS)")
    (tmp_path / "node_modules").symlink_to(modules)
    (tmp_path / "package.json").write_text('{"type": "module"}')
    shutil.copy(CLIENTS / "use_client.ts", tmp_path)
    bins = modules / ".bin"
    told = ran(bins / "openapi-typescript", description, "--default-non-nullable=false", "-o", tmp_path / "schema.d.ts")
    assert "arning" not in told
    options = ("--strict", "--module", "nodenext", "--target", "es2022", "--lib", "es2022,dom")
    ran(bins / "tsc", *options, "use_client.ts", cwd=tmp_path)

    used = ran("node", "use_client.js", live_server.url, scene.tokens["reviewing"], json.dumps(DOCUMENT), cwd=tmp_path)

    assert json.loads(used) == CAME_TO


@pytest.mark.parametrize("part", PARTS)
def test_requests_made_from_the_description_find_nothing(
    scene: Scene, live_server: Any, tmp_path: Path, part: str
) -> None:
    schemathesis = tool("schemathesis")
    design = scene.ask("post", "/designs", body=DOCUMENT).json()["key"]
    known = {
        "KEYWRIGHT_TOKEN": scene.tokens["reviewing"], "KEYWRIGHT_DESIGN": design,
        "SCHEMATHESIS_HOOKS": str(CLIENTS / "schemathesis_hooks.py"),
    }  # fmt: skip

    told = ran(
        schemathesis, "--config-file", CLIENTS / "schemathesis.toml", "run", f"{live_server.url}{V1}/openapi.json",
        *PARTS[part], "--max-time", SECONDS, "--seed", 1,
        "--generation-deterministic", "--request-timeout", 60, "--no-color", cwd=tmp_path, env={**os.environ, **known},
    )  # fmt: skip

    sys.stdout.write(told)  # -s shows it
    [generated] = re.findall(r"^ *([\d,]+) generated", told, re.MULTILINE)
    assert int(generated.replace(",", "")) >= REQUESTS_LEAST


def test_chains_of_requests_find_nothing(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """What an answer links to is asked next, in this process: through a server each request takes ten times as long."""
    program = tool("schemathesis")
    libraries = program.parents[1] / "lib" / f"python{sys.version_info[0]}.{sys.version_info[1]}" / "site-packages"
    if not libraries.is_dir():
        pytest.skip("schemathesis is there for another version of Python")
    monkeypatch.setattr(sys, "path", [*sys.path, str(libraries), str(CLIENTS)])
    engine, openapi = (importlib.import_module(f"schemathesis.{name}") for name in ("engine", "openapi"))
    settings = importlib.import_module("schemathesis.config").SchemathesisConfig
    importlib.import_module("schemathesis_hooks")
    monkeypatch.setenv("KEYWRIGHT_TOKEN", scene.tokens["reviewing"])
    monkeypatch.setenv("KEYWRIGHT_DESIGN", scene.ask("post", "/designs", body=DOCUMENT).json()["key"])
    site, statuses = WSGIHandler(), Counter[int]()

    def answer(environ: dict[str, Any], start: Any) -> Any:
        environ.pop("HTTP_ACCEPT_ENCODING", None)  # nobody here would unpack what is packed
        response = site(environ, start)
        statuses[response.status_code] += 1
        return response

    written = (CLIENTS / "schemathesis.toml").read_text()
    phases = {"examples": True, "coverage": False, "fuzzing": False, "stateful": True}
    written += "".join(f"[phases.{name}]\nenabled = {str(on).lower()}\n" for name, on in phases.items())
    written = written.replace("allow-x00 = true", f"allow-x00 = true\nmax-examples = {REQUESTS}", 1)
    found = []
    for seed in itertools.count(1):  # one seed ends when it finds nothing new
        config = settings.from_str(f"seed = {seed}\n{written}")
        described = openapi.from_wsgi(f"{V1}/openapi.json", answer, config=config)
        events = engine.from_schema(described).execute()
        for event in events:
            found += failures(event)
            if statuses.total() >= REQUESTS:
                events.stop()
        if statuses.total() >= REQUESTS:
            break

    sys.stdout.write(f"{statuses.total()} requests: {dict(statuses)}\n")  # -s shows it
    assert not found
    assert statuses[200] + statuses[201] > REQUESTS / 10


def failures(event: Any) -> list[str]:
    """What checks of one event of the engine found, or what went wrong in it."""
    recorder = getattr(event, "recorder", None)
    checks = [one for checks in recorder.checks.values() for one in checks] if recorder is not None else []
    found = [
        f"{one.name}: {one.failure_info.failure}\n{one.failure_info.code_sample}"
        for one in checks
        if one.failure_info is not None
    ]
    return [*found, str(event)] if "Error" in type(event).__name__ else found
