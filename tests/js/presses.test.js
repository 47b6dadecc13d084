import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { isSame, startPresses } from "../../static/js/presses.js";
import { DocumentStandIn, StandIn, dispatch } from "./stand-ins.js";

let page, clicks;
beforeEach(() => {
  page = new DocumentStandIn();
  clicks = [];
  startPresses(page);
});
function createLink(href, properties = {}) {
  const link = new StandIn({ tagName: "A", textContent: "readings", isConnected: true, ...properties });
  Object.assign(link, { closest: () => link, click: () => clicks.push(href) });
  link.setAttribute("href", href);
  return link;
}
function press(before, now, properties = {}) {                          // the page changes between the two
  dispatch(page, "pointerdown", { target: before, button: 0, pointerType: "mouse", ...properties });
  before.isConnected = before === now;
  dispatch(page, "pointerup", { target: now });
}

test("a press that ends on what took the place of where it began is a click", () => {
  press(createLink("/at/t"), createLink("/at/t", { textContent: "cells" }));
  assert.deepEqual(clicks, ["/at/t"]);
});

test("a part of a thing may come anew while it is pressed", () => {
  const link = createLink("/at/t"), hit = new StandIn({ isConnected: true, closest: () => link });
  dispatch(page, "pointerdown", { target: hit, button: 0, pointerType: "mouse" });
  hit.isConnected = false;
  dispatch(page, "pointerup", { target: link });
  assert.deepEqual(clicks, ["/at/t"]);
});

test("what the browser tells of itself, and what ends elsewhere, is no further click", () => {
  const link = createLink("/at/t");
  press(link, link);
  press(createLink("/at/t"), createLink("/at/f"));
  press(createLink("/at/t"), new StandIn());
  press(createLink("/at/t"), createLink("/at/t"), { pointerType: "touch" });
  press(createLink("/at/t"), createLink("/at/t"), { button: 2 });
  press(createLink("/at/t"), createLink("/at/t"), { ctrlKey: true });
  dispatch(page, "pointerup", { target: createLink("/at/t") });
  assert.deepEqual(clicks, []);
});

test("things are the same by their id, their address or their words", () => {
  const button = (properties) => new StandIn({ tagName: "BUTTON", textContent: "Add", ...properties });
  assert.equal(isSame(button(), button()), true);
  assert.equal(isSame(button(), button({ textContent: "Remove" })), false);
  assert.equal(isSame(button({ id: "add", textContent: "+ Add" }), button({ id: "add" })), true);
  assert.equal(isSame(button(), new StandIn({ tagName: "A", textContent: "Add" })), false);
});
