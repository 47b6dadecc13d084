import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { Release, keyOf, readTyped, restoreTyped } from "../../static/js/release.js";
import { StandIn } from "./stand-ins.js";

let release, told;
beforeEach(() => {
  told = [];
  release = new Release("1.0-abc");
  release.onChange = (isOld) => told.push(isOld);
});

test("a page is old once an answer is of another release, said once", () => {
  release.read("1.0-abc");
  release.read("1.0-def");
  release.read("1.0-def");
  assert.deepEqual([told, release.isOld], [[true], true]);
});

test("an answer that names no release says nothing", () => {
  release.read("1.0-def");
  release.read(null);
  assert.equal(release.isOld, true);
});

test("where the earlier release answers again, the page is of it", () => {
  release.read("1.0-def");
  release.read("1.0-abc");
  assert.deepEqual(told, [true, false]);
});

function createField(name, value, { type = "text", initial = "", ...more } = {}) {
  const isTicked = type === "checkbox";
  return new StandIn({
    name, type, tagName: type === "textarea" ? "textarea" : "input", ...more,
    ...(isTicked ? { checked: value, defaultChecked: initial } : { value, defaultValue: initial }),
    matches: () => type !== "hidden" && type !== "password",
  });
}
function createForm(fields, { id = "", address = "/x", classes = [] } = {}) {
  const rest = { querySelector: () => null, classes: new Set(classes) };
  const form = new StandIn({ id, tagName: "form", elements: fields, ...rest });
  for (const field of fields) {
    fields[field.name] = field;
    field.addEventListener("input", () => { form.inputs = (form.inputs ?? 0) + 1; });
  }
  form.setAttribute("hx-post", address);
  return form;
}
const control = (value, { was = "0", at = "t", classes = ["control", "typed"], address = "/edit" } = {}) => createForm([
  createField("at", at, { type: "hidden" }), createField("name", "description", { type: "hidden" }),
  createField("was", was, { type: "hidden" }), createField("v", value),
], { id: "c-description", address, classes });
const root = (...forms) => ({ querySelectorAll: () => forms });

test("what is typed in a control is kept until it is stored", () => {
  const [kept, ...others] = readTyped(root(control("new"), control("old", { at: "u", classes: ["control"] })), "/d/");
  assert.deepEqual([kept.values, kept.was, kept.page, others], [[["v", "new"]], "0", "/d/", []]);
});

test("of other forms what differs from how it came is kept, but never a password", () => {
  const comment = createForm([createField("text", "half a"), createField("secret", "x", { type: "password" })]);
  const untouched = createForm([createField("text", "as it was", { initial: "as it was" })]);
  assert.deepEqual(readTyped(root(comment, untouched), "/r/").map(({ values }) => values), [[["text", "half a"]]]);
});

test("it is typed anew in its place, with what it replaces, also at another address", () => {
  const kept = readTyped(root(control("new", { was: "0" })), "/d/");
  const now = { was: "1", address: "/change", classes: ["control"] };
  const [other, mine] = [control("", { at: "u" }), control("theirs", now)];
  assert.deepEqual(restoreTyped(root(other, mine), kept), []);
  assert.deepEqual([mine.elements.v.value, mine.elements.was.value, mine.inputs], ["new", "0", 1]);
  assert.equal(other.elements.v.value, "");
});

test("what was stored in the end is not typed again", () => {
  const kept = readTyped(root(control("new", { was: "0" })), "/d/"), stored = control("new", { was: "1" });
  assert.deepEqual(restoreTyped(root(stored), kept), []);
  assert.deepEqual([stored.elements.was.value, stored.inputs], ["1", undefined]);
});

test("what has no place is left over", () => {
  const kept = readTyped(root(control("new")), "/d/");
  assert.deepEqual(restoreTyped(root(control("", { at: "u" })), kept), kept);
});

test("ticks and several fields of one name are put back in their order", () => {
  const rows = (...values) => createForm([
    ...values.map((value) => createField("row", value)),
    createField("on", values[0] === "a", { type: "checkbox", initial: false }),
  ]);
  const now = rows("", "");
  restoreTyped(root(now), readTyped(root(rows("a", "b")), "/"));
  assert.deepEqual(now.elements.map((field) => field.value ?? field.checked), ["a", "b", true]);
});

test("the place of a form is its id and what it is about, never a token or what it replaces", () => {
  const form = (token, was) => createForm([
    createField("csrfmiddlewaretoken", token, { type: "hidden" }), createField("was", was, { type: "hidden" }),
    createField("thread", "7", { type: "hidden" }),
  ]);
  assert.equal(keyOf(form("a", "1")), keyOf(form("b", "2")));
  assert.match(keyOf(form("a", "1")), /thread.*7/);
});
