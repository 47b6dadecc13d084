"""Dataclasses whose methods are compiled when they are called: like all others, and cheaper to make."""

import dataclasses
import pickle
import sys
from collections.abc import Callable
from dataclasses import FrozenInstanceError, replace
from types import ModuleType
from typing import Any

import pytest

from config.commandline.dataclass_methods import compile_when_called

pytestmark = pytest.mark.skipif(sys.version_info >= (3, 13), reason="compiles the methods of a class together")


SOURCE = '''
from dataclasses import dataclass, field

@dataclass(frozen=True)
class Base:
    """A base."""
    a: int
    b: list[int] = field(default_factory=list, compare=False)

@dataclass(frozen=True)
class Frozen(Base):
    """A subclass that refuses some values."""
    c: str = "c"

    def __post_init__(self) -> None:
        if self.a < 0:
            raise ValueError("below 0")

@dataclass(order=True, kw_only=True)
class Ordered:
    """One with an order."""
    a: int
    b: int = 2

@dataclass(frozen=True, slots=True)
class Slotted:
    """One without a dictionary."""
    a: int
'''


def make_module(name: str, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Return a module of that name with dataclasses of several kinds."""
    made = ModuleType(name)
    monkeypatch.setitem(sys.modules, name, made)
    exec(SOURCE, vars(made))
    return made


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the methods that are compiled, from when the program's are compiled late."""
    names: list[str] = []
    ordinary = dataclasses._create_fn  # type: ignore[attr-defined]

    def count(name: str, *arguments: Any, **named: Any) -> Any:
        names.append(name)
        return ordinary(name, *arguments, **named)

    monkeypatch.setattr(dataclasses, "_create_fn", count)
    compile_when_called()
    return names


def test_only_what_is_called_is_compiled(compiled: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    made = make_module("estimator.made_late", monkeypatch)
    assert compiled == []
    first, second = made.Frozen(1), made.Frozen(2)
    assert compiled == ["__init__"]
    assert first != second
    assert first != second
    assert compiled == ["__init__", "__eq__"]
    make_module("made_at_once", monkeypatch)
    assert compiled.count("__init__") == 5


def outcome(act: Callable[[], Any]) -> Any:
    """Return what a call answers, or its error."""
    try:
        return act()
    except Exception as error:
        return type(error), str(error)


def test_they_do_what_all_dataclasses_do(compiled: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    late, at_once = make_module("estimator.made_late", monkeypatch), make_module("made_at_once", monkeypatch)

    def answers(made: Any) -> list[Any]:
        one = made.Frozen(1, [3])
        kinds = (made.Base, made.Frozen, made.Ordered, made.Slotted)
        acts: list[Callable[[], Any]] = [
            lambda: repr(one),
            lambda: one == made.Frozen(1, [4]),
            lambda: one == made.Base(1),
            lambda: hash(one) == hash(made.Frozen(1)),
            lambda: setattr(one, "a", 2),
            lambda: delattr(one, "a"),
            lambda: repr(replace(one, c="d")),
            lambda: dataclasses.asdict(one),
            lambda: made.Frozen(-1),
            lambda: made.Frozen(),
            lambda: made.Frozen(1, d=2),
            lambda: made.Ordered(1),
            lambda: sorted([made.Ordered(a=2), made.Ordered(a=1, b=9)])[0].a,
            lambda: made.Ordered(a=1) < 3,
            lambda: {made.Ordered(a=1)},
            lambda: repr(made.Slotted(4)),
            lambda: setattr(made.Slotted(4), "a", 3),
            lambda: pickle.loads(pickle.dumps(one)) == one,
            lambda: [kind.__init__.__qualname__ for kind in kinds],
            lambda: [kind.__match_args__ for kind in kinds],
        ]
        return [outcome(act) for act in acts]

    assert answers(late) == answers(at_once)
    with pytest.raises(FrozenInstanceError):
        late.Frozen(1).a = 2
