"""Terraform's data of an element: its resource's address, and arguments that are no part of a schema."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from pydantic import Field

from .base import Flaw, Model, list_field, optional_field
from .texts import N_, build_text

_NAME = r"[A-Za-z_][A-Za-z0-9_-]*"
_KEY = r'\[(?:[0-9]+|"(?:[^"\\]|\\.)*")\]'
_ADDRESS = re.compile(
    rf"(?P<modules>(?:module\.{_NAME}(?:{_KEY})?\.)*)(?P<type>{_NAME})\.(?P<label>{_NAME})(?P<key>{_KEY})?"
)
_TEMPLATE = re.compile(r"(?<!\$)\$\{|(?<!%)%\{")
_ARGUMENT = re.compile(r"[a-z][a-z0-9_]*")


@dataclass(frozen=True)
class Address:
    """The address of a resource, in parts (Terraform, "Resource addressing", read 2026-11-27)."""

    modules: str
    """`module.a["b"].`; empty in the root module."""
    type: str
    label: str
    key: str
    """`[0]` or `["a"]` of `count` and `for_each`."""

    @property
    def is_block(self) -> bool:
        """Return True if one block of the root module, and no other, has this address."""
        return not (self.modules or self.key)


def parse_address(text: str) -> Address | None:
    """Return the parts of an address, or None if it is none."""
    # An address is written into files of Terraform: a template in it would be evaluated there.
    match = _ADDRESS.fullmatch(text) if text.isprintable() and not _TEMPLATE.search(text) else None
    # A data source reads a resource and does not make it; "module" is a word and no type.
    if match is None or match["type"] in ("module", "data"):
        return None
    return Address(match["modules"], match["type"], match["label"], match["key"] or "")


class TerraformArgument(Model):
    """An argument or a block that Terraform alone knows, such as `lifecycle`, as JSON."""

    name: str = Field(title="Argument")
    value: str = Field(title="Value as JSON", max_length=4_000)

    def flaws(self) -> Iterator[Flaw]:
        if not _ARGUMENT.fullmatch(self.name):
            yield Flaw(("name",), build_text(N_("{name} is not the name of an argument"), name=self.name[:40]))
        try:
            json.loads(self.value)
        except (ValueError, RecursionError):
            yield Flaw(("value",), build_text(N_("the value is not JSON")))


class Terraform(Model):
    """The resource of an element: of a column family it is its garbage-collection policy."""

    address: str = Field(
        default="", title="Address",
        description="The address of the resource in the state; exports write it, or move the resource from it.",
    )  # fmt: skip
    arguments: tuple[TerraformArgument, ...] = list_field(
        "Further arguments", help="Written to Terraform files as they are."
    )

    def flaws(self) -> Iterator[Flaw]:
        if self.address and parse_address(self.address) is None:
            yield Flaw(("address",), build_text(N_("{address} is not the address of a resource"), address=self.address))
        names = [argument.name for argument in self.arguments]
        if len(set(names)) < len(names):
            yield Flaw(("arguments",), build_text(N_("an argument is specified twice")))

    def argument(self, name: str) -> object:
        """Return an argument's value, or None."""
        return next((json.loads(argument.value) for argument in self.arguments if argument.name == name), None)


class TerraformInstance(Terraform):
    """The resource of the instance, and the provider that makes it."""

    provider_version: str | None = optional_field(
        "Provider version", help="Versions of the provider in use, as Terraform writes them: `~> 6.50`."
    )

    def flaws(self) -> Iterator[Flaw]:
        yield from super().flaws()
        if self.provider_version is not None and not is_constraint(self.provider_version):
            message = N_("{version} is not a version constraint of a provider")
            yield Flaw(("provider_version",), build_text(message, version=self.provider_version[:80]))

    def is_possible(self, least: tuple[int, int]) -> bool:
        """Return whether the versions in use have any from this one on."""
        return all(_has_from(clause, least) for clause in _CLAUSE.finditer(self.provider_version or ""))


_CLAUSE = re.compile(r"(=|!=|>=|<=|~>|>|<)?\s*v?(\d+(?:\.\d+)*)")
_CONSTRAINT = re.compile(rf"{_CLAUSE.pattern}(?:\s*,\s*{_CLAUSE.pattern})*")


def is_constraint(text: str) -> bool:
    """Return whether a text names versions as Terraform does."""
    return len(text) <= 80 and _CONSTRAINT.fullmatch(text) is not None


def _has_from(clause: "re.Match[str]", least: tuple[int, int]) -> bool:
    sign, version = clause[1] or "=", tuple(map(int, clause[2].split(".")))
    if sign in ("=", "<="):
        return version >= least
    if sign == "<":
        return version > least + (0,) * (len(version) - len(least))  # below 6.50.0 is below 6.50
    if sign != "~>":
        return True
    # "~> 6.50" allows up to, but not including, 7: the last part but one is raised.
    above = (*version[:-2], version[-2] + 1) if len(version) > 1 else (version[0] + 1,)
    return above > least
