// The open element read anew: the server is played by `answers`, what it sends by `pages`.
import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";

import { connection } from "../../static/js/connection.js";
import { isTypedInput, refresh, refreshIfWanted, refreshLater, startRefresh } from "../../static/js/refresh.js";
import { DocumentStandIn, StandIn, dispatch } from "./stand-ins.js";

mock.timers.enable({ apis: ["setTimeout"] });

let document, asked, answers, section, editor, notice;
const settle = async () => { for (let n = 0; n < 5; n++) await new Promise(setImmediate); };
const wait = async (ms) => { mock.timers.tick(ms); await settle(); };
const log = { changes: [], hasUnreported: () => false, clear() { this.isCleared = true; }, find() {} };

class PartStandIn extends StandIn {                                     // with what is in it by selector
  constructor(properties, inside = {}) { super({ outerHTML: "", ...properties }); this.inside = inside; }
  querySelector(selector) { return this.inside[selector]?.[0] ?? null; }
  querySelectorAll(selector) { return this.inside[selector] ?? []; }
  before(part) { this.above = part; }
  replaceWith(part) { this.successor = part; }
  remove() { this.isRemoved = true; }
}
const sectionOf = (sequence) => new PartStandIn({ dataset: { at: "t", sequence: String(sequence) } });
function pageOf({ sequence, parts = [], removed } = {}) {
  const fresh = sequence === undefined ? [] : [sectionOf(sequence)];
  const notices = removed ? [removed] : [];
  return new PartStandIn({}, { "section.element": fresh, "[hx-swap-oob]": parts, "#removed": notices });
}

beforeEach(() => {
  [asked, answers] = [[], []];
  log.isCleared = false;
  section = sectionOf(5);
  editor = new StandIn({ dataset: { sequence: "5" } });
  notice = new PartStandIn({ id: "removed" }, { ".typed": [new StandIn()] });
  const centre = new PartStandIn({ id: "centre" }, { "section.element": [section] });
  globalThis.document = document = new DocumentStandIn({ editor, centre });
  document.activeElement = document.body;
  document.importNode = (part) => part;
  document.createElement = () => ({ set innerHTML(page) { this.content = page; } });
  globalThis.location = { pathname: "/designs/d/at/t" };
  globalThis.htmx = { process() {}, trigger() {} };
  globalThis.fetch = async (address) => {
    asked.push(address);
    const answer = await (answers.shift() ?? { status: 200, page: pageOf() });
    if (answer instanceof Error) throw answer;
    const headers = new Headers(answer.pause ? { "Retry-After": answer.pause } : {});
    return { status: answer.status, headers, text: async () => answer.page };
  };
  startRefresh(document, { log, ask() {} });
});

afterEach(async () => {                                                 // nothing is wanted any more
  connection.become("");
  refreshIfWanted();
  await wait(10000);
});

test("changes that come one after another are read once", async () => {
  for (let n = 0; n < 3; n++) refreshLater();
  await wait(499);
  assert.deepEqual(asked, []);
  await wait(1);
  assert.deepEqual(asked, ["/designs/d/at/t"]);
});

test("what changes while the element is read is read after it", async () => {
  let arrive;
  answers.push(new Promise((resolve) => { arrive = resolve; }));
  refresh();
  refresh();
  assert.equal(asked.length, 1);
  arrive({ status: 200, page: pageOf({ sequence: 6 }) });
  await settle();
  await wait(500);
  assert.equal(asked.length, 2);
});

test("a newer element takes the place of the open one, and its changes are no news any more", async () => {
  answers.push({ status: 200, page: pageOf({ sequence: 6 }) });
  await refresh();
  assert.equal(section.dataset.sequence, "6");
  assert.ok(log.isCleared);
  await wait(10000);
  assert.equal(asked.length, 1);
});

test("an element that was sent is shown as one that is read, and read if it is older than the page", async () => {
  await refresh(pageOf({ sequence: 6 }));
  assert.deepEqual([section.dataset.sequence, log.isCleared, asked.length], ["6", true, 0]);
  editor.dataset.sequence = "8";
  await refresh(pageOf({ sequence: 7 }));
  assert.equal(section.dataset.sequence, "6");
  answers.push({ status: 200, page: pageOf({ sequence: 8 }) });
  await wait(500);
  assert.deepEqual([section.dataset.sequence, asked.length], ["8", 1]);
});

test("an answer that is older than the page is not shown but asked for again", async () => {
  editor.dataset.sequence = "7";
  answers.push({ status: 200, page: pageOf({ sequence: 6 }) });
  await refresh();
  assert.equal(section.dataset.sequence, "5");
  answers.push({ status: 200, page: pageOf({ sequence: 7 }) });
  await wait(500);
  assert.equal(section.dataset.sequence, "7");
});

test("an answer is not shown in the place of what was opened meanwhile", async () => {
  let arrive;
  answers.push(new Promise((resolve) => { arrive = resolve; }));
  const reading = refresh();
  globalThis.location.pathname = "/designs/d/at/f";
  arrive({ status: 200, page: pageOf({ sequence: 6 }) });
  await reading;
  assert.equal(section.dataset.sequence, "5");
});

test("after a failure of the server it is asked again in three seconds", async () => {
  answers.push({ status: 500, page: pageOf() });
  await refresh();
  await wait(2999);
  assert.equal(asked.length, 1);
  await wait(1);
  assert.equal(asked.length, 2);
  assert.equal(connection.state, "");
});

test("a server that is busy is asked again when it says, and is not lost", async () => {
  answers.push({ status: 503, page: "", pause: "2" });
  await refresh();
  assert.equal(connection.state, "");
  await wait(1999);
  assert.equal(asked.length, 1);
  await wait(1);
  assert.equal(asked.length, 2);
});

test("without an answer the connection is lost, and nothing is asked until it is back", async () => {
  answers.push(new TypeError("Failed to fetch"));
  await refresh();
  assert.equal(connection.state, "lost");
  await wait(500);
  assert.equal(asked.length, 1);
  connection.become("");
  refreshIfWanted();
  await wait(500);
  assert.equal(asked.length, 2);
});

test("a removed element stays readable, with a notice above it", async () => {
  answers.push({ status: 404, page: pageOf({ removed: notice }) });
  await refresh();
  assert.ok(section.classList.contains("is-gone"));
  assert.equal(section.above, notice);
  assert.equal(notice.querySelector(".typed").hidden, true);
});

test("an element that came back is no longer marked as removed", async () => {
  section.classList.add("is-gone");
  let isBack = false;
  document.addEventListener("kw:there", () => { isBack = true; });
  answers.push({ status: 200, page: pageOf({ sequence: 6 }) });
  await refresh();
  assert.deepEqual([section.classList.contains("is-gone"), isBack], [false, true]);
});

test("a part beside the element is swapped when it was sent otherwise than the last time", async () => {
  const outline = new PartStandIn({ id: "outline", isConnected: true, scrollTop: 70 });
  document.elements.outline = outline;
  const send = async (text) => {
    const part = new PartStandIn({ id: "outline", outerHTML: text });
    answers.push({ status: 200, page: pageOf({ sequence: 6, parts: [part] }) });
    await refresh();
    return part;
  };
  const first = await send("<nav>orders</nav>");
  assert.equal(outline.successor, first);
  assert.equal(first.scrollTop, 70);
  document.elements.outline = first;
  await send("<nav>orders</nav>");
  assert.equal(first.successor, undefined);
  const renamed = await send("<nav>carts</nav>");
  assert.equal(first.successor, renamed);
});

test("an element that settles older than what the page knows of is read anew", async () => {
  editor.dataset.sequence = "6";
  dispatch(document, "htmx:afterSettle", { detail: { target: { id: "centre" } } });
  await wait(0);
  assert.equal(asked.length, 1);
});

test("a choice in a list that was not posted yet is typed, as text is; the default is not", () => {
  const input = (tag, values) => ({ matches: (selector) => selector.split(/[[,]/)[0].trim() === tag, ...values });
  const options = (chosen, preset) => [0, 1].map((n) => ({ selected: n === chosen, defaultSelected: n === preset }));

  assert.equal(isTypedInput(input("select", { options: options(1, 0) })), true);
  assert.equal(isTypedInput(input("select", { options: options(1, -1) })), true);
  assert.equal(isTypedInput(input("select", { options: options(0, -1) })), false);
  assert.equal(isTypedInput(input("select", { options: options(1, 1) })), false);
  assert.equal(isTypedInput(input("input", { value: "a", defaultValue: "" })), true);
  assert.equal(isTypedInput(input("input", { value: "", defaultValue: "" })), false);
});
