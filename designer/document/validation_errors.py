"""Problems of a document as sentences that name the place, built from validation errors."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, get_args

from pydantic import ValidationError

from .base import Flaw, Model, Path, path_text, slots
from .design import Spec
from .texts import N_, Text, TextList, build_text, get_close_matches

SHOWN = 10
"""So many problems are told at once; of the rest only the number."""

MOST = 100
"""So many are looked at."""


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong: where (a path, and a line where the document came as text) and a sentence."""

    path: Path
    text: Text
    line: int | None = None
    column: int | None = None
    named: str = ""
    """The path in the names of the text, where these are others than the document's."""

    @property
    def where(self) -> str:
        """The path in readable form, as the text has it."""
        return self.named or path_text(self.path)

    def __str__(self) -> str:
        place = self.line and f"line {self.line}" + (f", column {self.column}" if self.column else "")
        parts = (place, self.where, str(self.text))
        return ": ".join(str(part) for part in parts if part)


class InvalidDocumentError(ValueError):
    """A document that cannot be read. Its text has one line per problem; `problems` holds them as data."""

    def __init__(self, problems: Iterable[Problem], *, name: str = "") -> None:
        self.problems = tuple(problems)
        self.name = name
        start = f"{name}, " if name else ""
        lines = [f"{start}{problem}" if problem.line else f"{start[:-2]}: {problem}".removeprefix(": ")
                for problem in self.problems[:SHOWN]]  # fmt: skip
        rest = len(self.problems) - SHOWN
        super().__init__("\n".join([*lines, f"… and {rest} more"] if rest > 0 else lines))

    def __reduce__(self) -> tuple[Any, ...]:
        # Exceptions are unpickled from their text, which would be taken for the problems here.
        return partial(type(self), name=self.name), (self.problems,)


def problems(error: ValidationError, model: type[Model] = Spec) -> tuple[Problem, ...]:
    """Return the problems of a validation error of the model, without duplicates and in order."""
    # A hopeless file can have as many errors as it has values.
    all_problems = [
        problem for error in error.errors(include_url=False)[:MOST] for problem in _convert_errors(error, model)
    ]
    inner = {problem.path[:length] for problem in all_problems for length in range(len(problem.path))}
    misspelt = {(*problem.path[:-1], problem.text.params.get("meant")) for problem in all_problems}
    # pydantic also calls a list too short whose items are wrong, and a key missing that is only misspelt.
    shadows: dict[str, set[Any]] = {SENTENCES["too_short"]: inner, FEWER: inner, SENTENCES["missing"]: misspelt}
    by_text = {str(p): p for p in all_problems if p.path not in shadows.get(p.text.message, ())}
    return tuple(by_text.values())


def _convert_errors(error: Any, model: type[Model]) -> Iterator[Problem]:
    path, cls = _error_path(error["loc"], model)
    kind, context = error["type"], error.get("ctx", {})
    if kind == "flawed":
        for flaw in context["flaws"]:
            assert isinstance(flaw, Flaw)
            yield Problem((*path, *flaw.at), flaw.text)
    elif kind == "extra_forbidden":
        yield Problem(path, unknown_key(str(path[-1]), list(cls.model_fields)))
    elif kind == "union_tag_invalid":
        yield Problem((*path, "kind"), sentence(error))
    elif kind == "literal_error":
        yield Problem(path, _not_one_of(error["input"], _choices(cls, path, context)))
    elif kind == "string_pattern_mismatch":
        rule = path[-1] == "rule"
        message = (
            N_('"{given}" is not a rule code: use a letter and three digits, for example K004')
            if rule
            else N_('"{given}" is not an id: use 1 to 40 of the characters a-z, 0-9, _ and -')
        )
        yield Problem(path, build_text(message, given=error["input"]))
    elif kind == "value_error":
        yield Problem(path, build_text("{problem}", problem=str(context["error"])))
    else:
        yield Problem(path, sentence(error))


def sentence(error: Any) -> Text:
    """Return the message of a pydantic error, for any model."""
    kind, context = error["type"], error.get("ctx", {})
    if kind == "union_tag_invalid":
        return _not_one_of(context["tag"], [choice.strip("'") for choice in context["expected_tags"].split(", ")])
    if kind == "literal_error":
        return _not_one_of(error.get("input"), re.findall(r"'([^']*)'", context["expected"]) or [context["expected"]])
    if kind == "extra_forbidden" and context.get("known"):
        return unknown_key(str(error["loc"][-1]), context["known"])
    if kind == "too_short" and context["min_length"] > 1:
        return build_text(FEWER, min_length=context["min_length"])
    message = SENTENCES.get(kind) or "{problem}"
    params = {"given": _shorten(error.get("input")), "problem": error["msg"], **context}
    # Only the parameters that the message has: translated texts are stored with them.
    return build_text(message, **{key: param for key, param in params.items() if f"{{{key}}}" in message})


FEWER = N_("fewer than {min_length} items")
SENTENCES: Mapping[str, str] = {
    "missing": N_("required value missing"),
    "extra_forbidden": N_("unknown key"),
    "union_tag_not_found": N_("the kind is missing; add the key kind"),
    "greater_than": N_("{given} is too small: use a number above {gt}"),
    "greater_than_equal": N_("{given} is too small: the minimum is {ge}"),
    "less_than": N_("{given} is too large: use a number below {lt}"),
    "less_than_equal": N_("{given} is too large: the maximum is {le}"),
    "finite_number": N_("must be a finite number"),
    "float_type": N_("{given} is not a number"),
    "float_parsing": N_("{given} is not a number"),
    "int_type": N_("{given} is not a whole number"),
    "int_parsing": N_("{given} is not a whole number"),
    "int_parsing_size": N_("the number has too many digits"),
    "int_from_float": N_("{given} is not a whole number"),
    "decimal_max_places": N_("{given} has more than {decimal_places} decimal places"),
    "decimal_type": N_("{given} is not a number"),
    "decimal_parsing": N_("{given} is not a number"),
    "bool_type": N_("{given} is not true or false"),
    "bool_parsing": N_("{given} is not true or false"),
    "string_type": N_("{given} is not text"),
    "string_unicode": N_("unpaired surrogate"),
    "string_too_long": N_("the text is longer than {max_length} characters"),
    "string_too_short": N_("the text is empty"),
    "tuple_type": N_("{given} is not a list"),
    "too_short": N_("at least one is required"),
    "too_long": N_("more than {max_length} items"),
    "model_type": N_("{given} is not an object"),
    "model_attributes_type": N_("{given} is not an object"),
    "dict_type": N_("{given} is not an object"),
    "date_type": N_("{given} is not a date; use the format 2026-01-31"),
    "date_parsing": N_("{given} is not a date; use the format 2026-01-31"),
    "date_from_datetime_parsing": N_("{given} is not a date; use the format 2026-01-31"),
    "date_from_datetime_inexact": N_("{given} is not a date; use the format 2026-01-31"),
}
"""Validation's error types, in words."""


def _error_path(location: tuple[int | str, ...], model: type[Model]) -> tuple[Path, type[Model]]:
    """Return the readable path of an error and the model class at its end.

    The path omits the names of union members.
    """
    path: Path = ()
    steps = list(location)
    while steps:
        name = str(steps.pop(0))
        path = (*path, name)
        slot = slots(model).get(name)
        if slot is None:
            return (*path, *steps), model
        if slot.many:
            if not steps:
                return path, model
            path = (*path, steps.pop(0))
        if not slot.kinds:
            model = slot.classes[0]
        elif steps and steps[0] in slot.kinds:
            model = slot.kinds[str(steps.pop(0))]
        else:
            return path, model
    return path, model


def unknown_key(key: str, names: Sequence[str]) -> Text:
    """Return what is wrong with a key that is none of these."""
    near = get_close_matches(key, names, n=1, cutoff=0.55)
    if near:
        return build_text(N_('unknown key; did you mean "{meant}"?'), meant=near[0])
    return build_text(N_("unknown key; use one of {known}"), known=TextList(names))


def _not_one_of(value: Any, choices: list[str]) -> Text:
    near = get_close_matches(str(value), choices, n=1)
    choice_list = TextList(choices)
    # Of a few choices all are named, which helps more than a guess.
    if near and len(choices) > 3:
        return build_text(
            N_('{given} is not allowed here; did you mean "{meant}"?'), given=_shorten(value), meant=near[0]
        )
    if near:
        message = N_('{given} is not one of {known}; did you mean "{meant}"?')
        return build_text(message, given=_shorten(value), known=choice_list, meant=near[0])
    return build_text(N_("{given} is not one of {known}"), given=_shorten(value), known=choice_list)


def _choices(model: type[Model], path: Path, context: Mapping[str, Any]) -> list[str]:
    field = model.model_fields.get(str(path[-1]))
    literals = [a for a in _nested_annotations(field.annotation) if isinstance(a, str | int)] if field else []
    return [str(a) for a in literals] or [context["expected"]]


def _nested_annotations(annotation: Any) -> Iterator[Any]:
    yield annotation
    for inner in get_args(annotation):
        yield from _nested_annotations(inner)


def _shorten(value: Any) -> str:
    """Return the given value in a form short enough for a sentence."""
    if isinstance(value, bool):
        return str(value).lower()
    if value is None:
        return "null"
    if isinstance(value, dict):
        return "{…}"
    if isinstance(value, list | tuple):
        return "[…]"
    text = f'"{value}"' if isinstance(value, str) else str(value)
    return text if len(text) <= 60 else f"{text[:58]}…"
