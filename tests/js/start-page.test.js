import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import {
  LoadQueue, designName, lineRange, loadSlot, queue as pageQueue, readFile, startForm,
} from "../../static/js/start-page.js";
import { DocumentStandIn, StandIn, dispatch } from "./stand-ins.js";

const TEXT = '{\n "name": "Balloons",\n "tabels": []\n}';

test("a line of a problem is selected from its beginning to its end", () => {
  const [begin, end] = lineRange(TEXT, 3);
  assert.equal(TEXT.slice(begin, end), ' "tabels": []');
  assert.deepEqual(lineRange(TEXT, 1), [0, 1]);
});

test("a line that is no more is the end of the text", () => {
  assert.deepEqual(lineRange("a\nb", 9), [4, 4]);
});

test("a file names the design, without .json", () => {
  assert.equal(designName("balloons.JSON"), "balloons");
  assert.equal(designName("my.json.txt"), "my.json.txt");
});

let queue, loading;
const slot = (name, isConnected = true) => ({ name, isConnected });
const settle = () => new Promise(setImmediate);
beforeEach(() => {
  loading = new Map();                                                  // name → ends its load
  queue = new LoadQueue(({ name }) => new Promise((resolve) => {
    loading.set(name, () => { loading.delete(name); resolve(); });
  }));
});

test("two slots are loaded at a time, in the order of the page", async () => {
  for (const name of ["a", "b", "c"]) queue.add(slot(name));
  queue.run();
  assert.deepEqual([...loading.keys()], ["a", "b"]);
  loading.get("b")();
  await settle();
  assert.deepEqual([...loading.keys()], ["a", "c"]);
});

test("a slot that has gone meanwhile is passed over", () => {
  queue.add(slot("a", false));
  queue.add(slot("b"));
  queue.run();
  assert.deepEqual([...loading.keys()], ["b"]);
});

test("nothing is loaded while somebody leaves, and it goes on when they come back", () => {
  queue.pause();
  queue.add(slot("b"));
  queue.addFirst(slot("a"));
  queue.run();
  assert.equal(loading.size, 0);
  queue.goOn();
  assert.deepEqual([...loading.keys()], ["a", "b"]);
});

// --- a slot

const answer = (text, ok = true, headers = {}) => (
  Promise.resolve({ ok, headers: new Headers(headers), statusText: "", text: async () => text })
);
function createSlot() {
  return new StandIn({ dataset: { computed: "/card", failed: "This could not be computed." }, isConnected: true });
}
beforeEach(() => {
  globalThis.document = new DocumentStandIn();
  globalThis.htmx = { swap(target, text) { target.replaceChildren({ textContent: text }); } };
});

test("a slot shows what was computed, and is busy until then", async () => {
  globalThis.fetch = () => answer("$12 a month");
  const target = createSlot(), loads = loadSlot(target);
  assert.equal(target.getAttribute("aria-busy"), "true");
  await loads;
  assert.equal(target.firstText, "$12 a month");
  assert.equal(target.getAttribute("aria-busy"), null);
});

test("a slot that is still being computed is asked for again", async () => {
  let asked = 0;
  globalThis.fetch = () => {
    asked += 1;
    return asked === 1 ? answer("", false, { "Retry-After": "0.001" }) : answer("$12 a month");
  };
  const target = createSlot();
  await loadSlot(target);
  assert.equal(target.firstText, "$12 a month");
  assert.equal(target.getAttribute("aria-busy"), null);
});

test("a slot that could not be computed says so", async () => {
  for (const failure of [() => answer("", false), () => Promise.reject(new TypeError("network"))]) {
    globalThis.fetch = failure;
    const target = createSlot();
    await loadSlot(target);
    assert.equal(target.firstText, "This could not be computed.");
    assert.equal(target.children[0].className, "error");
    assert.equal(target.getAttribute("aria-busy"), null);
  }
});

test("a load that failed because somebody left is asked for again when they come back", async () => {
  let asked = 0;
  globalThis.fetch = () => { asked += 1; return asked === 1 ? answer("", false) : answer("$12 a month"); };
  const target = createSlot();
  pageQueue.pause();
  await loadSlot(target);
  assert.deepEqual(target.children, []);
  pageQueue.goOn();
  await settle();
  assert.equal(target.firstText, "$12 a month");
});

// --- a file

function createForm() {
  const problems = new StandIn(), folded = new StandIn();
  document.elements = { "new-problems": problems, import: folded };
  const elements = {
    json: new StandIn({ value: "" }), name: new StandIn({ placeholder: "" }), file: new StandIn({ value: "chosen" }),
  };
  return { form: new StandIn({ elements, dataset: { unread: "This is a file, not a folder." } }), problems, folded };
}
const file = (text, more) => ({ name: "dropped.json", size: 20, text: async () => text, ...more });
const folder = file("", { text: () => Promise.reject(new DOMException("", "NotFoundError")) });

test("a file becomes text that can be mended, and names the design", async () => {
  const { form, folded } = createForm(), { json, name } = form.elements;
  await readFile(form, file('{"name": "Dropped"}'));
  assert.equal(json.value, '{"name": "Dropped"}');
  assert.equal(name.placeholder, "dropped");
  assert.equal(form.elements.file.value, "", "else it would be sent as well");
  assert.equal(folded.open, true);
  assert.deepEqual([document.activeElement === json, json.selection], [true, [0, 0]]);
});

test("of a folder is said that it is none, until another file is chosen", async () => {
  const { form, problems } = createForm();
  await readFile(form, folder);
  assert.equal(problems.firstText, "This is a file, not a folder.");
  await readFile(form, file("{}"));
  assert.deepEqual(problems.children, []);
});

test("of two files the one chosen last counts, whichever is read first", async () => {
  const { form } = createForm();
  let finish;
  const slow = readFile(form, file("", { text: () => new Promise((resolve) => { finish = resolve; }) }));
  await readFile(form, file("second"));
  finish("first");
  await slow;
  assert.equal(form.elements.json.value, "second");
});

test("a file that is too large is left to the server", async () => {
  const { form } = createForm();
  await readFile(form, file("x", { size: 2_000_001 }));
  assert.equal(form.elements.json.value, "");
  assert.equal(form.elements.file.value, "chosen");
});

test("a file that is dropped anywhere on the page is read, and nothing else that is dropped", async () => {
  const { form } = createForm(), page = new EventTarget();
  globalThis.addEventListener = (...listener) => page.addEventListener(...listener);
  startForm(form);
  assert.equal(dispatch(page, "dragover", { dataTransfer: { types: ["text/plain"] } }).defaultPrevented, false);
  assert.equal(dispatch(page, "dragover", { dataTransfer: { types: ["Files"] } }).defaultPrevented, true);
  assert.equal(document.documentElement.classes.has("dropping"), true);
  assert.equal(dispatch(page, "drop", { dataTransfer: { files: [] } }).defaultPrevented, false);
  assert.equal(dispatch(page, "drop", { dataTransfer: { files: [file("{}")] } }).defaultPrevented, true);
  await settle();
  assert.equal(form.elements.json.value, "{}");
  assert.equal(document.documentElement.classes.has("dropping"), false);
});
