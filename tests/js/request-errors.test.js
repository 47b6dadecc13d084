import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { isErrorPage, start } from "../../static/js/request-errors.js";
import { DocumentStandIn, StandIn, dispatch } from "./stand-ins.js";

let document, notice, line, asked;
beforeEach(() => {
  line = new StandIn({ textContent: "" });
  asked = [];
  const template = { content: { cloneNode: () => new StandIn({ textContent: "again?" }) } };
  notice = new StandIn({
    dataset: { unloaded: "could not be loaded", unsent: "could not be sent" },
    isOpen: false,
    matches() { return this.isOpen; },
    showPopover() { this.isOpen = true; },
    hidePopover() { this.isOpen = false; },
    querySelector: (name) => (name === "p" ? line : template),
  });
  globalThis.htmx = { config: {}, ajax: async (...request) => { asked.push(request); } };
  globalThis.document = document = new DocumentStandIn({ unanswered: notice });
  start(document);
});

function createElement(trigger = "", dataset = {}) {
  const [isPoll, isOnce] = [trigger.startsWith("every"), trigger.endsWith("once")];
  const selects = { "[hx-trigger^=every]": isPoll, "[hx-trigger$=once]": isOnce };
  const button = new StandIn();
  return new StandIn({
    dataset, button, matches: (selector) => selects[selector] ?? false, querySelector: () => button,
    closest: (selector) => (selector === "[data-failed]" && dataset.failed ? true : null), childNodes: ["as it was"],
  });
}
const fail = (elt, verb = "get") => dispatch(document, "htmx:sendError", { detail: { elt, requestConfig: { verb } } });
const succeed = (elt) => dispatch(document, "htmx:afterRequest", { detail: { elt, successful: true } });

test("what could not be loaded or sent is said above the page", () => {
  fail(createElement());
  assert.deepEqual([line.textContent, notice.isOpen], ["could not be loaded", true]);
  fail(createElement(), "post");
  assert.equal(line.textContent, "could not be sent");
});

test("an element may have words of its own, or say it itself", () => {
  fail(createElement("", { failed: "figures" }));
  assert.equal(notice.isOpen, false);
  fail(createElement("every 2s", { unanswered: "does not answer at the moment" }));
  assert.equal(line.textContent, "does not answer at the moment");
});

test("the notice goes when something comes", () => {
  fail(createElement());
  succeed(createElement());
  assert.equal(notice.isOpen, false);
});

test("a poll that goes on does not hide what is said of something else", () => {
  fail(createElement(), "post");
  succeed(createElement("every 2s"));
  assert.equal(notice.isOpen, true);
});

test("a poll that is answered again hides what was said of it", () => {
  const poll = createElement("every 2s");
  fail(poll);
  succeed(poll);
  assert.equal(notice.isOpen, false);
});

test("what is asked for once offers to ask again, and is as it was while it does", () => {
  const slot = createElement("toggle from:closest details once");
  slot.setAttribute("hx-get", "/rows");
  fail(slot);
  assert.equal(slot.firstText, "again?");
  assert.equal(notice.isOpen, false);
  dispatch(slot.button, "click");
  assert.deepEqual(slot.children, ["as it was"]);
  assert.deepEqual(asked, [["GET", "/rows", { source: slot, target: slot }]]);
});

test("what the server still computes is asked for again when it says so", async () => {
  const elt = createElement(), target = createElement(), pathInfo = { finalRequestPath: "/part?at=t" };
  const answer = (status, pause) => ({ status, getResponseHeader: () => pause });
  const detail = { elt, target, pathInfo, requestConfig: { verb: "get" }, xhr: answer(503, "0.001") };
  elt.isConnected = true;
  dispatch(document, "htmx:responseError", { detail });
  await new Promise((resolve) => { setTimeout(resolve, 5); });
  assert.deepEqual(asked, [["GET", "/part?at=t", { source: elt, target }]]);
  assert.equal(notice.isOpen, false);
  for (const other of [{ xhr: answer(503, null) }, { xhr: answer(429, "9") }, { requestConfig: { verb: "post" } }]) {
    dispatch(document, "htmx:responseError", { detail: { ...detail, ...other } });
    assert.equal(notice.isOpen, true);
    notice.hidePopover();
  }
});

test("a form that changes nothing is sent again when the server says so", async () => {
  const sent = [], elt = createElement(), answer = { status: 503, getResponseHeader: () => "0.001" };
  globalThis.htmx.trigger = (form, name) => sent.push([form, name]);
  Object.assign(elt, { isConnected: true, matches: (selector) => selector === "form[data-repeatable]" });
  const detail = { elt, target: elt, pathInfo: {}, requestConfig: { verb: "post" }, xhr: answer };
  dispatch(document, "htmx:responseError", { detail });
  await new Promise((resolve) => { setTimeout(resolve, 5); });
  assert.deepEqual(sent, [[elt, "submit"]]);
  assert.equal(notice.isOpen, false);
});

test("what was unfolded before the page listened is asked for now", () => {
  const fold = new StandIn({ open: true }), closed = new StandIn({ open: false }), toggled = [];
  for (const each of [fold, closed]) each.addEventListener("toggle", () => toggled.push(each));
  const slots = [fold, closed].map((each) => new StandIn({ closest: () => each }));
  dispatch(document, "htmx:load", { detail: { elt: { querySelectorAll: () => slots } } });
  assert.deepEqual(toggled, [fold]);
});

test("a whole page that says that nothing is there is no part of this one", () => {
  assert.equal(isErrorPage(404, "\n<!DOCTYPE html><html>"), true);
  assert.equal(isErrorPage(404, "<p>Removed</p>"), false);
  assert.equal(isErrorPage(200, "<!doctype html>"), false);
});
