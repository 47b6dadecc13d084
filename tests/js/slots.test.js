import assert from "node:assert/strict";
import { test } from "node:test";

import { commonAddress, contentAddress, retryPause, signalOfAll, withQuery } from "../../static/js/slots.js";
import { pauseAfter } from "../../static/js/text.js";

test("an address of a content is that of another content by its hash", () => {
  const [before, after] = ["a".repeat(64), "b".repeat(64)];
  assert.equal(contentAddress(`/designs/k/of/${before}/`, after), `/designs/k/of/${after}/`);
  assert.equal(contentAddress("/designs/k/", after), "/designs/k/");
});

test("after failures of the server pauses double up to twenty seconds", () => {
  assert.deepEqual([0, 1, 2, 3, 4, 5, 9].map(retryPause), [1000, 2000, 4000, 8000, 16000, 20000, 20000]);
});

test("values take the place of those in the query, and the others stay", () => {
  assert.equal(withQuery("insight?at=t&of=writes", [["at", "f"]]), "insight?at=f&of=writes");
  const heat = [["of", "reads"], ["against", "absolute"]];
  assert.equal(withQuery("insight?at=t", heat), "insight?at=t&of=reads&against=absolute");
  assert.equal(withQuery("insight", [["at", "a&b"]]), "insight?at=a%26b");
});

test("what a server still computes is asked for again when it says, and nothing else is", () => {
  assert.equal(pauseAfter(new Response("", { status: 503, headers: { "Retry-After": "2" } })), 2000);
  assert.equal(pauseAfter(new Response("", { status: 503 })), 0);
  assert.equal(pauseAfter(new Response("", { headers: { "Retry-After": "Mon, 23 Nov 2026 08:00:00 GMT" } })), 0);
});

test("parts of one content are asked for together, and not where they are of different elements", () => {
  const parts = ["of/a/review", "of/a/insight?at=t&of=reads", "of/a/effects?at=t", "of/a/marks"];
  assert.equal(commonAddress(parts), "of/a/parts?names=review%2Cinsight%2Ceffects%2Cmarks&at=t&of=reads");
  assert.equal(commonAddress(["of/a/insight?at=t", "of/a/effects?at=f"]), "");
  assert.equal(commonAddress(["of/a/insight?at=t", "of/b/marks"]), "");
  assert.equal(commonAddress(["of/a/sheet", "of/a/marks"]), "");
  assert.equal(commonAddress(["of/a/effects?at=t", "of/a/effects?at=t"]), "");
});

test("a question for several parts ends when none of them is wanted any more", () => {
  const [one, other] = [new AbortController(), new AbortController()];
  const signal = signalOfAll([one.signal, other.signal]);
  one.abort();
  assert.equal(signal.aborted, false);
  other.abort();
  assert.equal(signal.aborted, true);
});
