"""docker-compose.yml and the Dockerfile, as far as they can be judged without Docker."""

import re
import shlex
from pathlib import Path
from typing import Any

import hcl2.parser
import pytest
import yaml

SERVICE_KEYS = {
    "build", "cap_drop", "command", "cpus", "depends_on", "environment", "healthcheck", "image", "init", "mem_limit",
    "ports", "read_only", "restart", "security_opt", "tmpfs", "volumes",
}  # fmt: skip
HEALTH_KEYS = {"test", "interval", "timeout", "retries", "start_period"}
CONDITIONS = {"service_healthy", "service_completed_successfully"}


@pytest.fixture
def compose(root: Path) -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load((root / "docker-compose.yml").read_text())
    return loaded


def test_the_file_has_only_keys_that_compose_knows(compose: dict[str, Any]) -> None:
    assert {key for key in compose if not key.startswith("x-")} == {"name", "services", "volumes"}
    for name, service in compose["services"].items():
        assert not service.keys() - SERVICE_KEYS, name
        assert not service.get("healthcheck", {}).keys() - HEALTH_KEYS, name
        assert {volume.split(":")[0] for volume in service.get("volumes", [])} <= compose["volumes"].keys(), name


def test_there_is_a_database_a_broker_a_web_server_and_a_worker(compose: dict[str, Any]) -> None:
    assert {"postgres", "redis", "web", "worker"} <= compose["services"].keys()
    assert re.fullmatch(r"postgres:\d+-alpine", compose["services"]["postgres"]["image"])
    assert re.fullmatch(r"redis:\d+-alpine", compose["services"]["redis"]["image"])


def test_everything_that_keeps_running_says_whether_it_is_well(compose: dict[str, Any]) -> None:
    for name, service in compose["services"].items():
        assert "healthcheck" in service or service["restart"] == "no", name


def test_everything_that_keeps_running_has_a_limit_of_memory_and_processors(compose: dict[str, Any]) -> None:
    for name, service in compose["services"].items():
        assert {"mem_limit", "cpus"} <= service.keys() or service["restart"] == "no", name


def test_services_wait_for_what_they_need(compose: dict[str, Any]) -> None:
    services = compose["services"]
    for name, service in services.items():
        for needed, how in service.get("depends_on", {}).items():
            assert how["condition"] in CONDITIONS, name
            assert needed in services, name
            assert ("healthcheck" in services[needed]) == (how["condition"] == "service_healthy"), name
    for name in ("web", "worker"):
        assert {"migrate", "redis"} <= services[name]["depends_on"].keys()


def test_secrets_must_be_given_and_are_not_in_the_file(compose: dict[str, Any]) -> None:
    for name in ("web", "worker", "migrate"):
        environment = compose["services"][name]["environment"]
        assert environment["SECRET_KEY"].startswith("${SECRET_KEY:?")
        assert environment["ALLOWED_HOSTS"].startswith("${ALLOWED_HOSTS:?")
        assert ":${POSTGRES_PASSWORD:?" in environment["DATABASE_URL"]
    assert compose["services"]["postgres"]["environment"]["POSTGRES_PASSWORD"].startswith("${POSTGRES_PASSWORD:?")


def test_the_app_reads_every_variable_that_the_file_sets(root: Path, compose: dict[str, Any]) -> None:
    modules = ("settings", "settings_of_files", "single_sign_on")
    settings = "".join((root / "config" / f"{name}.py").read_text() for name in modules)

    passed = compose["services"]["web"]["environment"]
    assert all(f'"{name}"' in settings for name in passed)
    read = set(re.findall(r'environment\.\w+\(\s*"(\w+)"', settings)) | set(
        re.findall(r'"(KEYWRIGHT_OIDC_\w+)"', settings)
    )
    assert {"KEYWRIGHT_MEMORY", "KEYWRIGHT_SESSION_HOURS", "KEYWRIGHT_OIDC_GROUPS", "EMAIL_HOST"} <= read
    # the image's, never for a team, and for `lint` alone, which no service runs
    assert read - passed.keys() == {"KEYWRIGHT_DATA", "KEYWRIGHT_DEBUG", "KEYWRIGHT_CACHE"}


def test_imported_price_books_outlive_a_container_and_the_app_may_write_them(
    root: Path, compose: dict[str, Any]
) -> None:
    for name in ("web", "worker"):
        assert compose["services"][name]["environment"]["KEYWRIGHT_BOOKS"] == "/books"
        assert "books:/books" in compose["services"][name]["volumes"]
    assert "chown -R keywright var /books" in (root / "Dockerfile").read_text()


def test_the_app_runs_without_root_and_without_privileges(root: Path, compose: dict[str, Any]) -> None:
    text = (root / "Dockerfile").read_text()
    stages = [stage for stage in text.split("\nFROM ")[1:] if " AS build\n" not in stage.splitlines()[0] + "\n"]
    installs = re.findall(r"pip .*install .*", text)

    for stage in stages:
        users = [shlex.split(line)[1] for line in stage.splitlines() if line.startswith("USER ")]
        assert users[-1:] == ["keywright"], stage.splitlines()[0]
    assert len(stages) == len(installs) == 2
    assert all("--require-hashes" in line for line in installs)
    for name in ("web", "worker", "migrate"):
        assert compose["services"][name]["cap_drop"] == ["ALL"]
        assert compose["services"][name]["read_only"] is True
    assert not any("privileged" in service for service in compose["services"].values())


def test_both_images_hold_the_parser_of_terraform_as_it_was_built(root: Path) -> None:
    """It keeps that in the folder of its package, which the app may not write."""
    text = (root / "Dockerfile").read_text()
    build = text.partition(" AS build\n")[2].partition("\nFROM ")[0]

    assert re.findall(r"(/opt/\w+)/bin/python -c .*parser\(\)", build) == ["/opt/cli", "/opt/site"]
    assert Path(hcl2.parser.PARSER_FILE).parent == Path(hcl2.__file__).resolve().parent
