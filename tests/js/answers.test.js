import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { isLeft, startAnswers, withPlaces } from "../../static/js/answers.js";
import { DocumentStandIn, StandIn, dispatch } from "./stand-ins.js";

const PART = /<p id="(\w+)" hx-swap-oob="true">\w*<\/p>/g;

class NodeStandIn extends StandIn {                                     // hears of events only in its own tree
  get isConnected() { return this.parent?.isConnected ?? false; }
  append(child) { child.parent = this; }
  remove() { this.parent = null; }
}
class TemplateStandIn {                                                 // of paragraphs beside each other
  set innerHTML(text) { this.text = text; }
  get innerHTML() { return this.text; }
  get content() { return this; }
  querySelectorAll() {
    const remove = (part) => { this.text = this.text.replace(part, ""); };
    return [...this.text.matchAll(PART)].map(([part, id]) => ({ id, remove: () => remove(part) }));
  }
}

let page, asker, place;
beforeEach(() => {
  globalThis.XMLHttpRequest = { DONE: 4 };
  globalThis.document = page = new DocumentStandIn({ band: new StandIn() });
  page.isConnected = true;
  page.body = new NodeStandIn({ parent: page });
  page.createElement = (name) => (name === "template" ? new TemplateStandIn() : new NodeStandIn());
  [asker, place] = [new NodeStandIn(), new NodeStandIn()];
  for (const each of [asker, place]) page.body.append(each);
  startAnswers(page);
});

function tell(node, name, detail) {                                     // as the browser does: up its tree, no further
  const path = [];
  for (let at = node; at; at = at.parent) path.push(at);
  return path.map((at) => dispatch(at, name, { detail, target: node })).every((event) => !event.defaultPrevented);
}
// What htmx does of a question whose page changes before the answer comes → the answer that it shows; null for none.
function ask({ elt = asker, target = place, verb = "get", text = "<p>answer</p>" }, change = () => {}) {
  const xhr = new EventTarget(), detail = { elt, target, xhr, requestConfig: { verb } };
  tell(elt, "htmx:beforeRequest", detail);
  change();
  xhr.readyState = XMLHttpRequest.DONE;
  xhr.dispatchEvent(new Event("readystatechange"));
  const swap = Object.assign(detail, { shouldSwap: true, serverResponse: text });
  const isRead = tell(elt, "htmx:beforeOnLoad", detail) && tell(target, "htmx:beforeSwap", swap);
  const shown = isRead && swap.shouldSwap ? { text: swap.serverResponse, isInPage: elt.isConnected } : null;
  xhr.dispatchEvent(new Event("loadend"));
  return { shown, isLeft: isLeft(xhr) };
}

test("parts of an answer whose places are not on the page are left out", () => {
  const here = '<p id="band" hx-swap-oob="true">here</p>', gone = '<p id="gone" hx-swap-oob="true">gone</p>';
  assert.equal(withPlaces(`<p>answer</p>${gone}${here}`), `<p>answer</p>${here}`);
  assert.equal(withPlaces(`<p>answer</p>${here}`), `<p>answer</p>${here}`);
  assert.equal(withPlaces("<p>answer</p>"), "<p>answer</p>");
  assert.equal(ask({ text: gone + here }).shown.text, here);
});

test("an answer to a page that was left is not shown, and no failure", () => {
  const part = '<p id="gone" hx-swap-oob="true">gone</p>';
  assert.deepEqual(ask({ target: asker, text: part }, () => asker.remove()), { shown: null, isLeft: true });
  page.body.append(asker);
  assert.deepEqual(ask({ text: part }, () => { asker.remove(); place.remove(); }), { shown: null, isLeft: true });
  page.body.append(asker);
  assert.deepEqual(ask({ text: part }, () => place.remove()), { shown: null, isLeft: true });
});

test("an answer is shown where its place is, though who asked was swapped", () => {
  const { shown, isLeft: isUnwanted } = ask({}, () => asker.remove());
  assert.deepEqual([shown, isUnwanted], [{ text: "<p>answer</p>", isInPage: true }, false]);
});

test("who was swapped stands in the page until the answer is read", () => {
  const stands = [];
  page.body.append = (stand) => { stands.push(stand); stand.parent = page.body; };
  ask({}, () => asker.remove());
  assert.deepEqual([stands.length, stands[0].hidden, stands[0].isConnected], [1, true, false]);
});

test("what was sent is answered, though its place was swapped: other parts go where their places are", () => {
  const here = '<p id="band" hx-swap-oob="true">here</p>', gone = '<p id="gone" hx-swap-oob="true">gone</p>';
  const { shown } = ask({ verb: "post", text: gone + here }, () => { asker.remove(); place.remove(); });
  assert.deepEqual(shown, { text: here, isInPage: true });
});

test("a request that was given up for a newer one is no error on the console, one that failed is", () => {
  globalThis.htmx = {};
  startAnswers(page);
  const errors = ["htmx:sendAbort", "htmx:afterRequest", "htmx:sendError", "htmx:timeout"].filter((name) => {
    const detail = { error: name };
    globalThis.htmx.logger(asker, name, detail);
    return detail.error;
  });
  delete globalThis.htmx;
  assert.deepEqual(errors, ["htmx:sendError", "htmx:timeout"]);
});
