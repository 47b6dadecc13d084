// Forms on a page, from typing to the answer: htmx is played by `request`, the server by `answers`.
import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import { connection } from "../../static/js/connection.js";
import {
  describeUnsaved, elementAddress, isForeign, isSaving, isUnsaved, startSaving,
} from "../../static/js/saving.js";
import { DocumentStandIn, StandIn, dispatch } from "./stand-ins.js";

mock.timers.enable({ apis: ["setTimeout"] });

let document, page, forms, posts, answers, requests;
const settle = async () => { for (let n = 0; n < 5; n++) await new Promise(setImmediate); };

globalThis.FormData = class {
  constructor(form) { this.form = form; }
  * [Symbol.iterator]() { yield* this.form.entries(); }
};
class FormStandIn extends StandIn {
  constructor(id, value) {
    super({ id, tagName: "FORM", isConnected: true, problem: new StandIn() });
    this.elements = { was: new StandIn({ value }), value: new StandIn({ tagName: "INPUT", name: "v", value }) };
    this.classList.add("control");
    this.setAttribute("hx-post", "/edit");
  }
  entries() { return [["v", this.elements.value.value], ["was", this.elements.was.value]]; }
  querySelectorAll() { return [this.elements.value]; }
  querySelector(selector) { return selector === ".problem" ? this.problem : null; }
}

beforeEach(() => {
  for (const form of forms ?? []) dispatch(document, "click", { target: takesTheirs(form) });  // nothing waits on
  connection.become("");
  [posts, answers, requests, forms] = [[], [], [], []];
  const editor = new StandIn({ dataset: { failed: "could not save", forbidden: "may not change", news: "/d/news" } });
  const elements = { editor, parking: new StandIn(), parked: new StandIn({ dataset: { text: "{what}" } }) };
  globalThis.document = document = new DocumentStandIn(elements);
  document.querySelectorAll = () => forms;
  document.activeElement = document.body;
  page = new EventTarget();
  globalThis.addEventListener = (...listener) => page.addEventListener(...listener);
  globalThis.htmx = { config: {}, trigger: (form, event) => request(form, event), swap() {} };
  globalThis.fetch = async (address, { body, keepalive = false }) => {
    posts.push({ value: body.get("v"), keepalive });
    const { status, events = "{}" } = answers.shift() ?? { status: 204 };
    return { status, text: async () => "", headers: { get: () => events } };
  };
  startSaving(document);
});

function addForm(id = "c-t-name") {
  const form = new FormStandIn(id, "readings");
  forms.push(form);
  return form;
}
function type(form, value) {
  form.elements.value.value = value;
  dispatch(document, "input", { target: form });
}
function request(form, triggeringType = "input") {                      // → whether htmx may send it
  const triggeringEvent = { type: triggeringType }, formData = form.entries();
  const detail = { elt: form, requestConfig: { verb: "post", elt: form, formData, triggeringEvent } };
  const isSent = !dispatch(document, "htmx:beforeRequest", { detail }).defaultPrevented;
  if (isSent) requests.push(form.elements.value.value);
  return isSent;
}
function answer(form, status, events = "{}") {
  const xhr = { status, getResponseHeader: () => events };
  dispatch(document, "htmx:afterRequest", { detail: { requestConfig: { elt: form, verb: "post" }, xhr } });
}
function takesTheirs(form) {
  const button = new StandIn({ parentElement: form });
  button.setAttribute("data-theirs", "");
  return button;
}
const reconnect = () => { connection.become(""); dispatch(document, "kw:back"); return settle(); };

test("a form is marked while it is typed in, while it is saved, and no more when it is stored", () => {
  const form = addForm(), states = [];
  const note = () => states.push([...form.classes].filter((name) => name !== "control").join(" "));
  type(form, "cells");
  note();
  request(form);
  note();
  assert.equal(isSaving(), true);
  answer(form, 204);
  note();
  assert.deepEqual(states, ["typed", "typed saving", ""]);
  assert.equal(isSaving(), false);
});

test("a form in which more was typed before the answer is still unsaved", () => {
  const form = addForm();
  type(form, "cells");
  request(form);
  type(form, "cells of");
  answer(form, 204);
  assert.equal(isUnsaved(form), true);
});

test("what is typed without a connection is kept, and sent in the order of typing when it is back", async () => {
  const [first, second] = [addForm("c-t-name"), addForm("c-t-description")];
  connection.become("lost");
  type(second, "more");
  assert.equal(request(second), false);
  type(first, "cells");
  assert.equal(request(first), false);
  assert.deepEqual([isUnsaved(first), isUnsaved(second)], [true, true]);
  const back = reconnect();
  await settle();
  answer(second, 204);
  await settle();
  answer(first, 204);
  await back;
  assert.deepEqual(requests, ["more", "cells"]);
  assert.deepEqual([isUnsaved(first), isUnsaved(second)], [false, false]);
});

test("a request whose answer was lost is sent again as it was, then what was typed since", async () => {
  const form = addForm();
  type(form, "cells");
  request(form);
  answer(form, 0);
  assert.equal(connection.state, "lost");
  type(form, "cells of readings");
  await reconnect();
  assert.deepEqual(posts.map(({ value }) => value), ["cells"]);
  assert.deepEqual(requests, ["cells", "cells of readings"]);
  answer(form, 204);
  assert.equal(isUnsaved(form), false);
});

test("what is refused is sent once more, and then it is said that nobody may change this", async () => {
  const form = addForm();
  type(form, "cells");
  request(form);
  answers.push({ status: 403 });
  answer(form, 403);
  await settle();
  assert.equal(posts.length, 1, "again with a new token");
  assert.equal(form.problem.firstText, "may not change");
  assert.equal(isUnsaved(form), true);
  await reconnect();
  assert.equal(posts.length, 1, "and no further");
});

test("a failure of the server is said and tried again after a pause", async () => {
  const form = addForm();
  type(form, "cells");
  request(form);
  answer(form, 500);
  assert.equal(form.problem.firstText, "could not save");
  assert.equal(posts.length, 0);
  mock.timers.tick(1000);
  await settle();
  assert.equal(posts.length, 1);
  assert.equal(isUnsaved(form), false);
});

test("an invalid form says so to assistive technology, until it is stored", () => {
  const form = addForm(), input = form.elements.value;
  for (const [status, isInvalid] of [[422, true], [204, false]]) {
    type(form, `value ${status}`);
    request(form);
    answer(form, status);
    assert.equal(input.getAttribute("aria-invalid"), isInvalid);
    assert.equal(isUnsaved(form), isInvalid);
  }
});

test("a design that is gone is asked about no more", () => {
  const form = addForm();
  type(form, "cells");
  request(form);
  answer(form, 404);
  assert.equal(connection.state, "gone");
});

test("a form of a removed element waits until the element is back", async () => {
  const form = addForm(), section = new StandIn();
  section.classList.add("is-gone");
  form.parentElement = section;
  type(form, "cells");
  assert.equal(request(form), false);
  section.classList.remove("is-gone");
  dispatch(document, "kw:there");
  await settle();
  assert.deepEqual(requests, ["cells"]);
});

test("without a connection no button sends anything either", () => {
  const button = new StandIn({ tagName: "BUTTON" });
  const detail = { elt: button, requestConfig: { verb: "post", elt: button, formData: [] } };
  assert.equal(dispatch(document, "htmx:beforeRequest", { detail }).defaultPrevented, false);
  connection.become("lost");
  assert.equal(dispatch(document, "htmx:beforeRequest", { detail }).defaultPrevented, true);
});

test("leaving right after typing sends it without a warning", () => {
  const form = addForm();
  type(form, "cells");
  assert.equal(dispatch(page, "beforeunload").defaultPrevented, false);
  dispatch(page, "pagehide");
  assert.deepEqual(posts, [{ value: "cells", keepalive: true }]);
});

test("leaving what cannot be saved warns, and sends nothing", () => {
  const form = addForm();
  type(form, "soon");
  request(form);
  answer(form, 422);
  assert.equal(dispatch(page, "beforeunload").defaultPrevented, true);
  dispatch(page, "pagehide");
  assert.deepEqual(posts, []);
});

test("leaving while more was typed than was sent warns", () => {
  const form = addForm();
  type(form, "cells");
  request(form);
  assert.equal(dispatch(page, "beforeunload").defaultPrevented, false);
  type(form, "cells of");
  assert.equal(dispatch(page, "beforeunload").defaultPrevented, true);
  answer(form, 204);
});

test("mine goes over theirs: it is sent as what replaces theirs", () => {
  const form = addForm();
  type(form, "mine");
  request(form);
  answer(form, 409);
  document.elements["c-t-name"] = form;
  dispatch(document, "click", { target: new StandIn({ dataset: { keep: "c-t-name", was: "theirs" } }) });
  assert.equal(form.elements.was.value, "theirs");
  assert.deepEqual(requests, ["mine", "mine"]);
  answer(form, 204);
});

test("theirs is taken: mine is neither unsaved nor sent any more", async () => {
  const form = addForm();
  connection.become("lost");
  type(form, "mine");
  request(form);
  let taken = 0;
  form.addEventListener("kw:theirs", () => { taken += 1; });
  dispatch(document, "click", { target: takesTheirs(form) });
  await reconnect();
  assert.deepEqual([taken, isUnsaved(form), requests, posts], [1, false, [], []]);
});

test("an answer without events that comes with 200 is a page of somebody else's", () => {
  assert.equal(isForeign(200, null), true);
  assert.equal(isForeign(200, "{}"), false);
  assert.equal(isForeign(204, null), false);
});

test("what is not saved is told by its label and its first eighty letters", () => {
  assert.equal(describeUnsaved("Days", ["45", ""]), "Days “45 ”");
  assert.equal(describeUnsaved("", ["x".repeat(200)]).length, 83);
});

test("an element's address is beside that of the news, the design's own without an id", () => {
  assert.equal(elementAddress("/designs/k/news", "t"), "/designs/k/at/t");
  assert.equal(elementAddress("/designs/k/news", ""), "/designs/k/");
});
