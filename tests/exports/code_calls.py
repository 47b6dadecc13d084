"""Calls of code for keys in several languages: what one answers, all answer."""

import functools
import json
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from playwright._impl._driver import compute_driver_executable

import designer.examples
from designer.document import Spec
from designer.document.load import from_data
from estimator.kernels.keys.patterns.inputs import KeyInputs, inputs_of
from estimator.kernels.keys.rendering import render
from reviews.exports import ExportResult
from reviews.exports.code import make
from reviews.exports.key_code.expressions import KeyParameter
from reviews.exports.key_code.plan import plan_keys
from reviews.exports.key_code.writing import camel_name, pascal_name
from reviews.exports.shared.result import ExportRemarks
from tests.contexts import Content

FOLDER = Path(designer.examples.__file__).parent
EXAMPLES = [
    path.stem for path in sorted(FOLDER.glob("*.json")) if json.loads(path.read_text()).get("engine") != "tablestore"
]
Call = tuple[str, str, tuple[Any, ...]]
"""make, parse, ranges, filter or limit; the name of the row kind or read; arguments."""


OF_READS = ("ranges", "filter", "limit")


def example(name: str) -> Spec:
    return from_data(json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8")))


def module_of(made: ExportResult) -> ModuleType:
    module = ModuleType("keys")
    exec(compile(made.files[0].text, "keys.py", "exec"), module.__dict__)
    return module


def argument(inputs: KeyInputs, parameter: KeyParameter, event: render.Event) -> Any:
    if parameter.type == "time":
        return event.time_us
    if parameter.type == "salt":
        return event.salts[parameter.id]
    value = render.field_value(inputs.fields[parameter.id], event)
    if parameter.type == "boolean":
        return value == b"true"
    return value.decode() if isinstance(value, bytes) and parameter.type == "text" else value


def event_number(inputs: KeyInputs, number: int) -> render.Event:
    mixed = number * 0x9E3779B97F4A7C15
    numbers = {name: (mixed >> 7 * place) % shape.total for place, (name, shape) in enumerate(inputs.shapes)}
    salts = {segment.id: (mixed >> 11) % 2**63 for segment in inputs.segments if segment.kind == "salt"}
    return render.Event(numbers, 1_700_000_000_000_000 + mixed % 10**14, salts)


def estimator_keys(name: str, events: int) -> Iterator[tuple[Call, bytes]]:
    """Yield calls that make keys of an example, and what the estimator makes of the same values."""
    spec = example(name)
    kinds = [(table, kind) for table in spec.tables for kind in table.row_kinds]
    for (table, kind), code in zip(kinds, plan_keys(spec, ExportRemarks()), strict=True):
        inputs = inputs_of(spec, table, kind, ids_max=1, seed=3)
        for number in range(events):
            event = event_number(inputs, number)
            arguments = tuple(argument(inputs, each, event) for each in code.parameters)
            yield ("make", code.name, arguments), render.key(inputs.segments, inputs.fields, event)


@functools.cache
def some_estimator_keys(name: str) -> tuple[tuple[Call, bytes], ...]:
    """Return few of them, for all languages alike."""
    return tuple(estimator_keys(name, 200))


def python_answer(module: ModuleType, call: Call) -> Any:
    what, name, arguments = call
    function = getattr(module, f"{name}_{what}" if what in OF_READS else f"{what}_{name}")
    try:
        answer = function(*arguments)
    except (ValueError, OverflowError):
        return "refused"
    if what in ("filter", "limit"):
        return answer
    if what == "parse":
        return [in_words(value) for value in vars(answer).values()]
    return answer.hex() if what == "make" else [[one.hex() for one in pair] for pair in answer]


def columns_in_words(key: Sequence[tuple[str, Any]]) -> str:
    """Return a primary key as every language answers it."""
    return " ".join(f"{in_words(name)}-{in_words(value)}" for name, value in key)


def in_words(value: Any) -> str:
    """Return a value of a key as every language writes it: its type and what it is."""
    match value:
        case bool():
            return f"t{str(value).lower()}"
        case int():
            return f"n{value}"
        case str():
            return f"s{value.encode().hex()}"
    return f"b{value.hex()}"


NODE_RUNNER = """
import { readFileSync } from "node:fs";
const hex = (bytes) => Buffer.from(bytes).toString("hex");
const given = (one) =>
  one === null || typeof one !== "object" ? one
  : "number" in one ? BigInt(one.number) : Uint8Array.from(Buffer.from(one.bytes, "hex"));
const words = (one) =>
  typeof one === "string" ? "s" + hex(new TextEncoder().encode(one))
  : typeof one === "bigint" ? "n" + one : typeof one === "boolean" ? "t" + one : "b" + hex(one);
const answers = {};
for (const [file, calls] of Object.entries(JSON.parse(readFileSync("calls.json", "utf8")))) {
  const keys = await import("./" + file);
  const count = keys.verify();
  answers[file] = calls.map(([what, name, args]) => {
    try {
      const answer = keys[name](...args.map(given));
      if (what === "filter" || what === "limit") return answer;
      const isColumns = what === "make" && Array.isArray(answer);
      if (isColumns) return answer.map((column) => column.map(words).join("-")).join(" ");
      if (what === "make") return hex(answer);
      return what === "parse" ? Object.values(answer).map(words) : answer.map((pair) => pair.map(hex));
    } catch (error) {
      if (error instanceof RangeError) return "refused";
      throw error;
    }
  });
  answers[file].push(count);
}
process.stdout.write(JSON.stringify(answers));
"""


@functools.cache
def node() -> str:
    """Return a Node.js that strips types; skips the test where there is none."""
    for found in (shutil.which("node"), compute_driver_executable()[0]):
        if found:
            told = subprocess.run([found, "--version"], capture_output=True, text=True, check=True).stdout
            if tuple(map(int, re.findall(r"\d+", told)))[:2] >= (22, 18):
                return found
    pytest.skip("there is no Node.js 22.18 or newer, which strips types")


def node_answers(folder: Path, designs: Mapping[str, tuple[Spec, Sequence[Call]]]) -> dict[str, list[Any]]:
    """Return the answers of each design's TypeScript module to its calls, and last the number of its vectors."""
    (folder / "package.json").write_text('{"type": "module"}')
    (folder / "run.js").write_text(NODE_RUNNER)
    asked = {}
    for name, (spec, calls) in designs.items():
        text = make(Content(spec, code_language="typescript")).files[0].text
        (folder / f"{name}.ts").write_text(text, encoding="utf-8")
        asked[f"{name}.ts"] = [(call[0], typescript_name(call), list(map(_as_json, call[2]))) for call in calls]
    (folder / "calls.json").write_text(json.dumps(asked), encoding="utf-8")
    done = subprocess.run([node(), "run.js"], cwd=folder, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return {name.removesuffix(".ts"): answers for name, answers in json.loads(done.stdout).items()}


def typescript_name(call: Call) -> str:
    return f"{camel_name(call[1])}{call[0].title()}" if call[0] in OF_READS else f"{call[0]}{pascal_name(call[1])}"


def _as_json(value: Any) -> Any:
    if isinstance(value, bytes):
        return {"bytes": value.hex()}
    return {"number": str(value)} if isinstance(value, int) and not isinstance(value, bool) else value


GO_RUNNER = """package keys

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"
)

func TestAnswers(t *testing.T) {
	count, err := Verify()
	if err != nil {
		t.Fatal(err)
	}
	functions := map[string]any{FUNCTIONS}
	var calls [][]string
	told, _ := os.ReadFile("calls.json")
	if err := json.Unmarshal(told, &calls); err != nil {
		t.Fatal(err)
	}
	answers := []any{}
	for _, call := range calls {
		function := reflect.ValueOf(functions[call[1]])
		given := make([]reflect.Value, function.Type().NumIn())
		for place := range given {
			given[place] = argument(call[2+place], function.Type().In(place))
		}
		made := function.Call(given)
		if len(made) == 2 && !made[1].IsNil() {
			answers = append(answers, "refused")
			continue
		}
		switch call[0] {
		case "make":
			answers = append(answers, keyWords(made[0]))
		case "parse":
			answers = append(answers, partsHex(made[0]))
		case "ranges":
			answers = append(answers, rangesHex(made[0].Interface().([]RowRange)))
		case "limit":
			answers = append(answers, made[0].Int())
		default:
			answers = append(answers, made[0].String())
		}
	}
	told, _ = json.Marshal(append(answers, count))
	os.WriteFile("answers.json", told, 0o644)
}

func argument(text string, kind reflect.Type) reflect.Value {
	value := reflect.New(kind).Elem()
	switch kind.Kind() {
	case reflect.Slice:
		data, _ := hex.DecodeString(text)
		value.SetBytes(data)
	case reflect.String:
		data, _ := hex.DecodeString(text)
		value.SetString(string(data))
	case reflect.Bool:
		value.SetBool(text == "true")
	case reflect.Uint64:
		number, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			panic(err)
		}
		value.SetUint(number)
	default:
		number, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			panic(err)
		}
		value.SetInt(number)
	}
	return value
}

func toHex(key []byte) string { return hex.EncodeToString(key) }

func rangesHex(ranges []RowRange) [][2]string {
	made := [][2]string{}
	for _, one := range ranges {
		made = append(made, [2]string{toHex(one.First), toHex(one.End)})
	}
	return made
}

func keyWords(key reflect.Value) string {
	if key.Type().Elem().Kind() == reflect.Uint8 {
		return toHex(key.Bytes())
	}
	made := []string{}
	for place := 0; place < key.Len(); place++ {
		made = append(made, strings.Join(partsHex(key.Index(place)), "-"))
	}
	return strings.Join(made, " ")
}

func partsHex(all reflect.Value) []string {
	made := []string{}
	for place := 0; place < all.NumField(); place++ {
		switch one := all.Field(place).Interface().(type) {
		case []byte:
			made = append(made, "b"+toHex(one))
		case string:
			made = append(made, "s"+toHex([]byte(one)))
		case bool:
			made = append(made, fmt.Sprintf("t%t", one))
		default:
			made = append(made, fmt.Sprintf("n%d", one))
		}
	}
	return made
}
"""


@functools.cache
def go() -> str:
    """Return the Go command; skips the test where there is none."""
    found = shutil.which("go")
    if found is None:
        pytest.skip("there is no Go, so its code is not tried")
    return found


def go_answers(folder: Path, designs: Mapping[str, tuple[Spec, Sequence[Call]]]) -> dict[str, list[Any]]:
    """Return the answers of each design's Go package to its calls, and last the number of its vectors."""
    command = go()
    (folder / "go.mod").write_text("module keys.example\n\ngo 1.19\n")
    for name, (spec, calls) in designs.items():
        (folder / name).mkdir()
        (folder / name / "keys.go").write_bytes(make(Content(spec, code_language="go")).files[0].data)
        functions = ", ".join(f'"{each}": {each}' for each in dict.fromkeys(map(_go_name, calls)))
        (folder / name / "keys_test.go").write_text(GO_RUNNER.replace("FUNCTIONS", functions), encoding="utf-8")
        asked = [(call[0], _go_name(call), *map(_as_go_text, call[2])) for call in calls]
        (folder / name / "calls.json").write_text(json.dumps(asked), encoding="utf-8")
    done = subprocess.run([command, "test", "./..."], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return {name: json.loads((folder / name / "answers.json").read_text()) for name in designs}


def _go_name(call: Call) -> str:
    what, name, _ = call
    return f"{pascal_name(name)}{what.title()}" if what in OF_READS else f"{what.title()}{pascal_name(name)}"


def _as_go_text(value: Any) -> str:
    match value:
        case bytes():
            return value.hex()
        case str():
            return value.encode().hex()
    return str(value).lower()
