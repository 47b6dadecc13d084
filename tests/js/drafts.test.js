import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { Draft, SendQueue } from "../../static/js/drafts.js";

const ONLINE = { isBroken: false, isRemoved: false, isSubmit: false };
const name = (value, was = "old") => [["name", value], ["was", was]];

let draft;
beforeEach(() => { draft = new Draft(); });

function typeAndSend(value) {
  draft.type(name(value));
  draft.send(name(value));
}

test("typing is noted, leaving the field as it was typed is not", () => {
  assert.equal(draft.type(name("a")), true);
  assert.equal(draft.type(name("a"), { isChange: true }), false);
  assert.equal(draft.type(name("b"), { isChange: true }), true);
  assert.equal(draft.typed, 2);
});

test("a request is sent while the connection stands", () => {
  assert.equal(draft.chooseRequest(name("a"), ONLINE), "send");
});

test("a request waits without a connection, and while its element is removed", () => {
  assert.equal(draft.chooseRequest(name("a"), { ...ONLINE, isBroken: true }), "wait");
  assert.equal(draft.chooseRequest(name("a"), { ...ONLINE, isRemoved: true }), "wait");
});

test("a request waits behind one whose answer was lost", () => {
  typeAndSend("a");
  draft.readAnswer(0, { isConnected: false });
  assert.equal(draft.chooseRequest(name("ab"), ONLINE), "wait");
});

test("what was sent already is skipped, whatever value it replaces, unless it is submitted", () => {
  typeAndSend("a");
  assert.equal(draft.chooseRequest(name("a", "other"), ONLINE), "skip");
  assert.equal(draft.chooseRequest(name("a"), { ...ONLINE, isSubmit: true }), "send");
  assert.equal(draft.chooseRequest(name("b"), ONLINE), "send");
});

test("a stored draft waits no longer, unless something was typed since it was sent", () => {
  typeAndSend("a");
  assert.equal(draft.readAnswer(204).waits, false);
  typeAndSend("b");
  draft.type(name("bc"));
  const action = draft.readAnswer(204);
  assert.equal(action.isStored, true);
  assert.equal(action.waits, null);
  assert.equal(draft.hasUnsent, true);
});

test("a draft whose answer was lost waits with the very entries that were sent", () => {
  typeAndSend("a");
  draft.type(name("ab"));
  const action = draft.readAnswer(0, { isConnected: false });
  assert.equal(action.waits, true);
  assert.deepEqual(draft.unanswered, name("a"));
});

test("an invalid draft and a conflict are neither sent again nor called a failure", () => {
  for (const status of [409, 422]) {
    typeAndSend("a");
    const action = draft.readAnswer(status);
    assert.deepEqual(action, { isStored: false, waits: null, problem: "", retryMs: null });
    assert.equal(draft.unanswered, null);
  }
});

test("a failure of the server is tried again three times, with longer and longer pauses", () => {
  typeAndSend("a");
  const pauses = [1, 2, 3, 4].map(() => draft.readAnswer(500).retryMs);
  assert.deepEqual(pauses, [1000, 2000, 4000, null]);
});

test("a draft that came while the server was busy waits for as long as that says, and is no failure", () => {
  typeAndSend("a");
  const action = draft.readAnswer(503, { pauseMs: 2500 });
  assert.deepEqual(action, { isStored: false, waits: true, problem: "", retryMs: 2500 });
  assert.deepEqual(draft.unanswered, name("a"));
});

test("a draft that a proxy turned away for too many requests waits and is sent again", () => {
  typeAndSend("a");
  const action = draft.readAnswer(429, { pauseMs: 2500 });
  assert.deepEqual(action, { isStored: false, waits: true, problem: "", retryMs: 2500 });
  assert.deepEqual(draft.unanswered, name("a"));
  assert.equal(draft.readAnswer(429).retryMs, 5000, "most proxies say no pause");
});

test("a failure of the server is said, and the draft waits", () => {
  typeAndSend("a");
  const action = draft.readAnswer(500);
  assert.equal(action.problem, "failed");
  assert.equal(action.waits, true);
  assert.deepEqual(draft.unanswered, name("a"));
});

test("failures are counted anew after an answer that is none, but not after a lost one", () => {
  typeAndSend("a");
  draft.readAnswer(500);
  draft.readAnswer(0, { isConnected: false });
  assert.equal(draft.readAnswer(500).retryMs, 2000);
  draft.readAnswer(204);
  assert.equal(draft.readAnswer(500).retryMs, 1000);
});

test("a bad request is said and not tried again", () => {
  typeAndSend("a");
  assert.deepEqual(draft.readAnswer(400), { isStored: false, waits: null, problem: "failed", retryMs: null });
});

test("a page of somebody else's that comes with 200 is no answer", () => {
  typeAndSend("a");
  const action = draft.readAnswer(200, { isForeign: true });
  assert.equal(action.isStored, false);
  assert.equal(action.problem, "failed");
});

test("what is refused is sent once more with a new token; refused again, that is said", () => {
  typeAndSend("a");
  const first = draft.readAnswer(403);
  assert.deepEqual([first.waits, first.retryMs, first.problem], [true, 0, ""]);
  assert.deepEqual(draft.unanswered, name("a"));
  const second = draft.readAnswer(403);
  assert.deepEqual([second.waits, second.retryMs, second.problem], [false, null, "forbidden"]);
  assert.equal(draft.unanswered, null);
});

test("a token that was right in between counts anew", () => {
  typeAndSend("a");
  draft.readAnswer(403);
  draft.readAnswer(204);
  assert.equal(draft.readAnswer(403).retryMs, 0);
});

function createQueue({ send, prepare = () => true }) {
  const connection = { isBroken: false, become(state) { this.isBroken = state !== ""; } };
  const queue = new SendQueue({ connection, prepare, send, onEnd: () => { queue.ends = (queue.ends ?? 0) + 1; } });
  return { queue, connection };
}

test("forms that wait are sent one after the other, the oldest first", async () => {
  const log = [];
  const { queue } = createQueue({
    async send(form) {
      log.push(`${form} begins`);
      await Promise.resolve();
      log.push(`${form} ends`);
      return true;
    },
  });
  queue.waiting.add("a").add("b");
  await queue.run();
  assert.deepEqual(log, ["a begins", "a ends", "b begins", "b ends"]);
});

test("the queue stops at the first form that cannot be sent", async () => {
  const tried = [];
  const { queue } = createQueue({ send: async (form) => { tried.push(form); return form !== "b"; } });
  queue.waiting.add("a").add("b").add("c");
  await queue.run();
  assert.deepEqual(tried, ["a", "b"]);
});

test("nothing is sent before the page has a token of somebody who is signed in", async () => {
  const tried = [];
  const { queue } = createQueue({ prepare: async () => false, send: async (form) => tried.push(form) });
  queue.waiting.add("a");
  await queue.run();
  assert.deepEqual(tried, []);
  assert.equal(queue.ends, 1);
});

test("an error on the way means that the connection is lost", async () => {
  const { queue, connection } = createQueue({ send: () => Promise.reject(new TypeError("network")) });
  queue.waiting.add("a");
  await queue.run();
  assert.equal(connection.isBroken, true);
  assert.equal(queue.isRunning, false);
});

test("a form that comes to wait while the queue runs is sent by a run after it", async () => {
  const sent = [];
  const { queue } = createQueue({
    async send(form) {
      sent.push(form);
      queue.waiting.delete(form);
      if (form === "a") { queue.waiting.add("b"); queue.run(); }
      return true;
    },
  });
  queue.waiting.add("a");
  await queue.run();
  await new Promise(setImmediate);
  assert.deepEqual(sent, ["a", "b"]);
  assert.equal(queue.ends, 2);
});
