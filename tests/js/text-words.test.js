import assert from "node:assert/strict";
import { test } from "node:test";

import {
  completionAt, findFields, findPlace, namesIn, readArguments, readLine, wayTo,
} from "../../static/js/text-words.js";

const part = (names, more = {}) => ({ names, ...more });
const words = {
  root: "Spec",
  parts: {
    Spec: part({
      engine: { title: "Engine", values: ["bigtable", "tablestore"] },
      fields: { title: "Fields", parts: ["Field"], many: true, named: true },
      activities: { title: "Activities", parts: ["Activity"], many: true, named: true },
      tables: { title: "Tables", parts: ["Table"], many: true, named: true },
    }),
    Field: part({
      kind: { title: "Kind", values: ["string", "integer"] }, belongs_to: { title: "Owner", refers: "field" },
    }, { first: ["kind"] }),
    Activity: part({
      rate: { title: "Rate", units: ["/s", "k/s"] }, profile: { title: "Profile", parts: ["Flat", "Diurnal"] },
    }, { first: ["rate"] }),
    Flat: part({}, { kind: "flat" }),
    Diurnal: part({ peak_hour: { title: "Peak hour" } }, { kind: "diurnal" }),
    Table: part({
      key: { title: "Row key", key: true },
      reads: { title: "Reads", parts: ["Read"], many: true, named: true },
      deletion_protection: { title: "Protection", values: ["true", "false"] },
    }),
    Read: part({
      rate: { title: "Rate", units: ["/s"] }, binds: { title: "By", parts: ["Bind"], many: true },
    }, { first: ["rate"] }),
    Bind: part({ field: { title: "Field", refers: "field" } }, { first: ["field"] }),
  },
};
const TEXT = `format: 1
fields:
  device: string
  "odd name": {}
activities:
  A device reports: 5/s
tables:
  readings:
    key: '{device}#{time:rev}'
    reads:
      newest:
        rate: 3/s
        binds:
          - device
`.split("\n");
// Completion at "|" in a line that is put after another.
function complete(line, after) {
  const lines = [...TEXT], column = line.indexOf("|");
  lines.splice(after + 1, 0, line.replace("|", ""));
  return completionAt(words, lines, after + 1, column);
}
const labels = (found) => found?.options.map(({ label }) => label);

test("a line has a name and a value, whatever quotes and colons are in them", () => {
  assert.equal(readLine("  name: 'KARTE: state'").key, "name");
  assert.equal(readLine('  "a: b": c').key, "a: b");
  assert.equal(readLine("      - rate: 5/s").column, 8);
  assert.equal(readLine("  - device").key, "");
  assert.equal(readLine("  A visit, 10:30 each day: 5/s").key, "A visit, 10:30 each day");
  assert.equal(readLine("  # note: this").isBlank, true);
});
test("a line stands under the names above it that are less deep", () => {
  assert.deepEqual(wayTo(TEXT, 11), ["tables", "readings", "reads", "newest"]);
  assert.deepEqual(wayTo(TEXT, 13), ["tables", "readings", "reads", "newest", "binds", "-"]);
  assert.deepEqual(wayTo(TEXT, 4), []);
});
test("names of a block are those that stand directly in it", () => {
  assert.deepEqual(namesIn(TEXT, "fields"), ["device", "odd name"]);
  assert.deepEqual(namesIn(TEXT, "tables"), ["readings"]);
});
test("a way leads to a part, a list, a value, or nowhere", () => {
  assert.ok(findPlace(words, ["tables", "readings"]).part.names.key);
  assert.ok(findPlace(words, ["tables"]).list);
  assert.equal(findPlace(words, ["engine"]).name.title, "Engine");
  assert.equal(findPlace(words, ["nothing", "there"]), null);
});
test("a line's argument is known by its parenthesis, its number and its name", () => {
  assert.deepEqual(readArguments("5/s, profile=diurnal(peak_hour=1"), {
    head: "diurnal", count: 0, name: "peak_hour", value: "1", isQuoted: false,
  });
  assert.equal(readArguments('a, "b, c", d').count, 2);
  assert.equal(readArguments("clusters=[a, b").count, 0);
});
test("names that are not there yet are offered, by what holds the line", () => {
  assert.deepEqual(labels(complete("    del|", 8)), ["deletion_protection"]);
  assert.deepEqual(labels(complete("|", 0)), ["engine"]);
  assert.equal(labels(complete("  some|", 2)), undefined);                // how a field is called is free
});
test("values are offered by the field that they are for", () => {
  assert.deepEqual(labels(complete("engine: |", 0)), ["bigtable", "tablestore"]);
  assert.deepEqual(labels(complete("    deletion_protection: t|", 8)), ["true", "false"]);
  assert.deepEqual(labels(complete("        rate: 20|", 10)), ["20/s"]);
  assert.deepEqual(labels(complete("  B reports: 20|", 5)), ["20/s", "20k/s", "profile="]);
  assert.deepEqual(labels(complete("  B reports: 20/s, profile=|", 5)), ["flat", "diurnal"]);
  assert.deepEqual(labels(complete("  B reports: 20/s, profile=diurnal(|", 5)), ["peak_hour="]);
  assert.deepEqual(labels(complete("  part: string, |", 2)), ["belongs_to="]);
});
test("a line that goes on is completed as if it were one", () => {
  const typed = (text) => {
    const lines = ["fields:", "  device: string", "  part: string,", `    ${text}`];
    return completionAt(words, lines, 3, text.length + 4);
  };
  assert.deepEqual(labels(typed("bel")), ["belongs_to="]);
  assert.equal(typed("bel").from, 4);
  assert.deepEqual(labels(typed("belongs_to=d")), ["device", "part"]);
  assert.equal(typed("belongs_to=d").from, "    belongs_to=".length);
});
test("what a field refers to is offered by the names in the text", () => {
  assert.deepEqual(labels(complete("  part: string, belongs_to=|", 2)), ["device", "part", "odd name"]);
  assert.deepEqual(labels(complete("      last: 5/s by |", 9)), ["device", "odd name"]);
  assert.deepEqual(labels(complete("          - dev|", 13)), ["device", "odd name", "field"]);
});
test("key text completes fields, transforms and what time offers", () => {
  const inKey = (text) => complete(`    key: '${text}|'`, 7);
  assert.deepEqual(labels(inKey("{")).slice(0, 4), ["device", "odd name", "time", "hash("]);
  assert.equal(inKey("{dev").from, "    key: '{".length);
  assert.ok(labels(inKey("{device:")).includes("pad6"));
  assert.ok(labels(inKey("{time:")).includes("rev"));
  assert.deepEqual(labels(inKey("{hash(device,")), ["device", "odd name"]);
  assert.deepEqual(labels(inKey("{hash(")), ["device", "odd name", "time"]);
  assert.ok(labels(inKey("{hash(time:")).includes("hour"));
  assert.equal(inKey("{hash(time:ho").from, "    key: '{hash(time:".length);
  assert.ok(labels(inKey("{hash(time:hour):")).includes("md5"));
  assert.ok(labels(inKey("{hash(device):")).includes("sha256"));
  assert.equal(labels(complete("# {dev|", 0)), undefined);
});
test("a field has its colour in every key, what is made from it as an outline", () => {
  const found = findFields("'{device}#{hash(device)}#{time:rev}#{other}#{hash(time:hour)}'", { device: 3 });
  assert.deepEqual(
    found.map(({ colour, isDerived }) => [colour, isDerived]), [[3, false], [3, true], [2, false], [2, true]],
  );
  assert.deepEqual([found[0].from, found[0].to], [1, 9]);
});
