"""Writes a new rule's file and its tests from a template, and says what is left to do."""

import datetime
from pathlib import Path
from typing import Any, get_args

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from designer.management.scaffold import write_new_files
from estimator.advice.catalogue.rule_template import (
    FOLDERS,
    LETTERS,
    RuleTemplateError,
    module_of,
    next_code,
    rule_text,
    text_of_tests,
    with_entry,
)
from estimator.advice.rules import RULES
from estimator.results import Severity

ENGINES = {"both": "BOTH", "bigtable": "BIGTABLE", "tablestore": "TABLESTORE"}

CATALOGUE = "tests/core/advice/rules/codes.py"

LEFT = """{rule} and {test} are written, and {code} is in {catalogue}.
The rule finds nothing and its tests fail until they are filled in. Left to do:
1. Fill in the docstring (all five parts, each source with the day it was read), the check and its message. Another
   severity or engine is changed in the rule and in {catalogue}.
2. Make `bad`, `good` and `near_miss` differ in this rule's subject only; the good one passes every rule.
3. Give the tests its figures: exactly at the threshold, just below, and where it must stay quiet.
4. Where it offers a fix, add its code to FIXED in tests/core/advice/rules/test_examples.py.
5. Add a line to CHANGELOG.md: a rule is seen by everybody who runs `lint`.
6. Run `python3 run.py messages`, translate what it added, and run the tests in tests/core/advice/rules."""


class Command(BaseCommand):
    help = "Begin a new rule: its file, its tests, and a list of what is left to do."

    def add_arguments(self, parser: CommandParser) -> None:
        letters = ", ".join(f"{letter} {about}" for letter, about in LETTERS.items())
        parser.add_argument("name", help="the problem in words, such as timestamp-first")
        parser.add_argument("--code", required=True, help=f"its code, or a letter for the next free one: {letters}")
        parser.add_argument("--severity", choices=get_args(Severity), default="warning")
        parser.add_argument("--engines", choices=tuple(ENGINES), default="both")

    def handle(self, *, name: str, code: str, severity: Severity, engines: str, **options: Any) -> None:
        try:
            module = module_of(name, (rule.name for rule in RULES.values()))
            code = next_code(code, RULES)
            catalogue = with_entry(
                (Path(settings.BASE_DIR) / CATALOGUE).read_text(encoding="utf-8"), f"{code} {name} {engines} {severity}"
            )
        except RuleTemplateError as reason:
            raise CommandError(str(reason)) from reason
        today = datetime.datetime.now(datetime.UTC).date()
        rule, test = (
            f"estimator/advice/rules/{FOLDERS[code[0]]}/{module}.py",
            f"tests/core/advice/rules/test_{module}.py",
        )
        write_new_files(
            {
                rule: rule_text(code, severity, engines=ENGINES[engines], today=today),
                test: text_of_tests(code, module, severity=severity),
            },
            changes={CATALOGUE: catalogue},
        )
        self.stdout.write(LEFT.format(rule=rule, test=test, code=code, catalogue=CATALOGUE))
