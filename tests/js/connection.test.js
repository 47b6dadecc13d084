import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import { Connection, connection as pageConnection, startConnection } from "../../static/js/connection.js";
import { DocumentStandIn, StandIn, dispatch } from "./stand-ins.js";

let connection, probes, states;
beforeEach(() => {
  mock.restoreAll();
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  mock.method(Math, "random", () => 0.5);                              // pauses as they are, neither longer nor shorter
  connection = new Connection();
  [probes, states] = [0, []];
  connection.probe = () => { probes += 1; };
  connection.onChange = (state) => states.push(state);
});

test("an answer of a proxy, or none, means that the connection is lost", () => {
  for (const status of [0, 502, 503, 504]) {
    connection.become("");
    assert.equal(connection.readAnswer(status), false, String(status));
    assert.equal(connection.state, "lost");
  }
});

test("a server that is busy and says when to ask again has not gone", () => {
  connection.become("lost");
  assert.equal(connection.readAnswer(503, 1000), true);
  assert.equal(connection.state, "");
});

test("an answer of the server itself, even of its failure, means that the connection stands", () => {
  for (const status of [200, 204, 409, 422, 404, 500]) {
    connection.become("lost");
    assert.equal(connection.readAnswer(status), true, String(status));
    assert.equal(connection.state, "");
  }
});

test("401 means that nobody is signed in, and is asked about again", () => {
  assert.equal(connection.readAnswer(401), false);
  assert.equal(connection.state, "signed-out");
  mock.timers.tick(1000);
  assert.equal(probes, 1);
});

test("a change of state is told once", () => {
  connection.become("lost");
  connection.become("lost");
  connection.become("");
  connection.become("");
  assert.deepEqual(states, ["lost", ""]);
});

test("however many requests fail, the server is asked once after each pause", () => {
  connection.become("lost");
  connection.become("lost");
  connection.become("lost");
  mock.timers.tick(999);
  assert.equal(probes, 0);
  mock.timers.tick(1);
  assert.equal(probes, 1);
});

test("pauses double up to half a minute", () => {
  const pauses = [];
  for (let n = 0; n < 8; n++) {
    connection.become("lost");
    const before = probes;
    let waitedMs = 0;
    while (probes === before) { mock.timers.tick(500); waitedMs += 500; }
    pauses.push(waitedMs);
  }
  assert.deepEqual(pauses, [1000, 2000, 4000, 8000, 16000, 30000, 30000, 30000]);
});

test("pauses differ by up to a fifth from page to page", () => {
  mock.method(Math, "random", () => 0);
  connection.become("lost");
  mock.timers.tick(800);
  assert.equal(probes, 1);
});

test("a connection that is back begins with the shortest pause again", () => {
  for (let n = 0; n < 4; n++) {
    connection.become("lost");
    mock.timers.tick(30000);
  }
  connection.readAnswer(200);
  connection.become("lost");
  const before = probes;
  mock.timers.tick(1000);
  assert.equal(probes, before + 1);
});

test("nothing is asked any more once the connection is back", () => {
  connection.become("lost");
  connection.readAnswer(200);
  mock.timers.tick(60000);
  assert.equal(probes, 0);
});

test("what is gone is not asked about again, not even by hand", () => {
  connection.become("gone");
  connection.tryNow();
  mock.timers.tick(60000);
  assert.equal(probes, 0);
});

test("by hand the server is asked at once, and only while the connection is broken", () => {
  connection.tryNow();
  assert.equal(probes, 0);
  connection.become("lost");
  connection.tryNow();
  assert.equal(probes, 1);
  mock.timers.tick(60000);
  assert.equal(probes, 1, "the pause that was under way has ended");
});

// --- parts that a page asks for once

let asked, page;
function openPage() {
  asked = [];
  globalThis.htmx = { ajax: async (...request) => { asked.push(request); } };
  globalThis.addEventListener = () => {};
  page = new DocumentStandIn({ connection: new StandIn() });
  startConnection(page);
}
function createPart(trigger, isConnected = true) {
  const isOnce = trigger.startsWith("load") || trigger.endsWith("once");
  const part = new StandIn({ isConnected, matches: () => isOnce });
  part.setAttribute("hx-get", "what-if");
  return part;
}
const fail = (elt, name, xhr) => dispatch(page, name, { detail: { elt, target: elt, xhr } });

test("a part that got no answer is asked for again when the connection is back", () => {
  openPage();
  const [part, left] = [createPart("load delay:300ms"), createPart("toggle once", false)];
  fail(part, "htmx:timeout");
  fail(left, "htmx:sendError");
  fail(createPart("submit"), "htmx:timeout");
  assert.equal(pageConnection.state, "lost");
  dispatch(page, "kw:back");
  dispatch(page, "kw:back");
  assert.deepEqual(asked, [["GET", "what-if", { source: part, target: part }]]);
  pageConnection.become("");
});

test("a part that a busy server did not answer is asked for again after the pause it says", () => {
  openPage();
  const answer = { status: 503, getResponseHeader: () => "2" };
  const part = createPart("toggle once");
  fail(part, "htmx:responseError", answer);
  fail(createPart("toggle once"), "htmx:responseError", { status: 500, getResponseHeader: () => null });
  fail(createPart("submit"), "htmx:responseError", answer);
  mock.timers.tick(1999);
  assert.deepEqual(asked, []);
  mock.timers.tick(1);
  assert.deepEqual(asked, [["GET", "what-if", { source: part, target: part }]]);
});
