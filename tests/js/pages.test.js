// The scripts of single pages: the advisor, charts, comparison, history, review, runs; texts.
import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import { startAdvisor } from "../../static/js/advisor.js";
import { createReader } from "../../static/js/charts.js";
import { nextChange, start as startComparison } from "../../static/js/compare.js";
import { start as startHistory } from "../../static/js/history.js";
import { PanelRequests, cellQuery, isAtEnd } from "../../static/js/review.js";
import { start as startRun } from "../../static/js/runs.js";
import { fillIn } from "../../static/js/text.js";
import { DocumentStandIn, StandIn, dispatch } from "./stand-ins.js";

mock.timers.enable({ apis: ["setTimeout"] });

let document;
beforeEach(() => { globalThis.document = document = new DocumentStandIn(); });

const CURVES = [{ text: ["1 May: 3 nodes", "2 May: 4 nodes", "3 May: 5 nodes"] }, {}, { text: ["1", "2", "3"] }];

test("a chart is read moment by moment, of all curves that have words", () => {
  const read = createReader(CURVES);
  assert.deepEqual(read("ArrowRight"), {
    points: [{ curveNumber: 0, pointNumber: 0 }, { curveNumber: 2, pointNumber: 0 }], text: "1 May: 3 nodes, 1",
  });
  assert.equal(read("ArrowRight").text, "2 May: 4 nodes, 2");
});

test("a chart is read from its end by the first arrow to the left, and no further than its ends", () => {
  const read = createReader(CURVES);
  assert.equal(read("ArrowLeft").points[0].pointNumber, 2);
  assert.equal(read("ArrowRight").points[0].pointNumber, 2);
  assert.equal(read("Home").points[0].pointNumber, 0);
  assert.equal(read("ArrowLeft").points[0].pointNumber, 0);
  assert.equal(read("End").points[0].pointNumber, 2);
});

test("n begins with the first change and p with the last; both stop at the ends", () => {
  assert.equal(nextChange(-1, 1, 3), 0);
  assert.equal(nextChange(-1, -1, 3), 2);
  assert.equal(nextChange(1, 1, 3), 2);
  assert.equal(nextChange(2, 1, 3), 2);
  assert.equal(nextChange(0, -1, 3), 0);
});

test("of two answers in the panel only the newest is shown", () => {
  const requests = new PanelRequests();
  assert.equal(requests.begin("first", "get"), true);
  assert.equal(requests.begin("second", "get"), true);
  assert.equal(requests.isNewest("first"), false);
  assert.equal(requests.isNewest("second"), true);
});

test("nothing else is opened while a comment is being sent", () => {
  const requests = new PanelRequests();
  requests.begin("comment", "post");
  assert.equal(requests.begin("other", "get"), false);
  requests.end("some poll");
  assert.equal(requests.begin("other", "get"), false);
  requests.end("comment");
  assert.equal(requests.begin("other", "get"), true);
});

test("a cell of a map is asked about by its own time and what the map shows", () => {
  const time = new Date("2026-05-12T09:15:00Z");
  assert.equal(String(cellQuery({ of: "reads", row: 7, time })), "of=reads&row=7&clock=09%3A15");
  assert.equal(cellQuery({ of: "node_time", row: 7, time }).get("of"), "node_time");
});

test("comments are shown on the other side of a map at the end of the window", () => {
  assert.equal(isAtEnd({ left: 900, right: 1300 }, 1440), true);
  assert.equal(isAtEnd({ left: 300, right: 700 }, 1440), false);
});

test("names in braces are filled in as they are, also with a dollar sign", () => {
  assert.equal(fillIn("{name} is now {place} of {count}", { name: "$&", place: 2, count: 3 }), "$& is now 2 of 3");
});

function renameRevision(httpStatus) {
  const status = new StandIn(), form = new StandIn({
    dataset: { saved: "Saved", failed: "Not saved" }, elements: { name: { defaultValue: "" } },
  });
  form.querySelector = () => status;
  form.closest = () => form;
  startHistory(document);
  const detail = { xhr: { status: httpStatus }, requestConfig: { formData: new Map([["name", "before launch"]]) } };
  dispatch(document, "htmx:afterRequest", { target: form, detail });
  return { text: status.textContent, isError: status.classList.contains("error"), name: form.elements.name };
}

test("a name that was stored is what going back keeps", () => {
  const { text, isError, name } = renameRevision(204);
  assert.deepEqual([text, isError, name.defaultValue], ["Saved", false, "before launch"]);
});

test("a name that was not stored is said to be not, and is not kept", () => {
  for (const status of [200, 403, 500, 0]) {
    const { text, isError, name } = renameRevision(status);
    assert.deepEqual([text, isError, name.defaultValue], ["Not saved", true, ""]);
  }
});

test("advice is marked as old while the design is not the advised one", () => {
  const editor = new StandIn({ dataset: { sha256: "a" } }), advice = new StandIn({ dataset: { advised: "a" } });
  document.elements.editor = editor;
  document.querySelectorAll = () => [advice];
  startAdvisor(document);
  const isOld = () => advice.classList.contains("old");

  dispatch(document.body, "htmx:afterSettle");
  assert.equal(isOld(), false);
  editor.dataset.sha256 = "b";
  dispatch(document.body, "kw:saved");
  assert.equal(isOld(), false, "the editor's own listeners come first");
  mock.timers.tick(0);
  assert.equal(isOld(), true);
  editor.dataset.sha256 = "a";
  dispatch(document, "kw:head");
  mock.timers.tick(0);
  assert.equal(isOld(), false);
});

test("nobody asks how far a run is while nobody looks, and all else is asked", () => {
  startRun(document);
  const isAsked = (id) => !dispatch(document, "htmx:beforeRequest", { target: { id } }).defaultPrevented;
  assert.deepEqual([isAsked("progress"), isAsked("cancel")], [true, true]);
  document.hidden = true;
  assert.deepEqual([isAsked("progress"), isAsked("cancel")], [false, true]);
});

test("a form whose request failed is sent as a page, what is no form is not", () => {
  startRun(document);
  const sent = [];
  for (const tagName of ["FORM", "DIV"]) {
    const elt = new StandIn({ tagName, submit: () => sent.push(tagName) });
    dispatch(document, "htmx:responseError", { detail: { elt } });
  }
  assert.deepEqual(sent, ["FORM"]);
});

test("n and p go through the changes and say which one it is, but not in a field or as a shortcut", () => {
  const changes = ["one", "two", "three"].map((id) => {
    const change = new StandIn({ id, isConnected: true });
    change.classList.add("change");
    return change;
  });
  const place = new StandIn(), field = new StandIn({ tagName: "TEXTAREA" });
  field.closest = () => field;
  document.activeElement = document.body;
  document.querySelectorAll = (selector) => (selector === ".walk" ? [] : changes);
  document.querySelector = () => place;
  startComparison(document);
  const press = (key, properties = {}) => {
    const event = dispatch(document, "keydown", { key, target: new StandIn(), ...properties });
    return [document.activeElement.id, place.textContent, event.defaultPrevented];
  };

  assert.deepEqual(press("n"), ["one", "1 / 3", true]);
  assert.deepEqual(press("n"), ["two", "2 / 3", true]);
  assert.deepEqual(press("n", { target: field }), ["two", "2 / 3", false]);
  assert.deepEqual(press("n", { ctrlKey: true }), ["two", "2 / 3", false]);
  assert.deepEqual(press("x"), ["two", "2 / 3", false]);
  press("n");
  assert.deepEqual(press("n"), ["three", "3 / 3", true]);
  assert.deepEqual(press("p"), ["two", "2 / 3", true]);
});
