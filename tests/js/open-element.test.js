import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { OpenElement, isReading } from "../../static/js/open-element.js";

let open;
beforeEach(() => { open = new OpenElement("/at/t"); });

test("of two that are asked for the last one counts, whichever answers first", () => {
  open.ask("first");
  open.ask("second");
  assert.equal(open.isNewest("first"), false);
  assert.equal(open.isNewest("second"), true);
});

test("going back to another element means reading it, until it is shown", () => {
  assert.equal(open.goTo("/at/f"), true);
  assert.equal(open.isUnread, true);
  open.show("/at/f");
  assert.equal(open.isUnread, false);
});

test("going to another place of the same element reads nothing", () => {
  assert.equal(open.goTo("/at/t"), false);
});

test("going there and back before anything came reads nothing", () => {
  open.goTo("/at/f");
  assert.equal(open.goTo("/at/t"), false);
  assert.equal(open.isUnread, false);
});

test("an element that is added while another is read is open instead", () => {
  open.goTo("/at/f");
  open.ask("f");
  open.push("/at/new");
  assert.equal(open.isNewest("f"), false);
  assert.equal(open.isUnread, false);
});

test("a push while nothing is unread leaves the request under way alone", () => {
  open.ask("f");
  open.push("/at/f");
  assert.equal(open.isNewest("f"), true);
});

test("a failure of the server is tried again, of the newest request only", () => {
  open.ask("first");
  assert.equal(open.mustRetry("first", 502), true);
  assert.equal(open.mustRetry("first", 404), false);
  open.ask("second");
  assert.equal(open.mustRetry("first", 502), false);
});

test("nothing is being read before the page has started", () => assert.equal(isReading(), false));
