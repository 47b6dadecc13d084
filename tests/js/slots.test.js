import assert from "node:assert/strict";
import { test } from "node:test";

import { contentAddress, retryPause, withQuery } from "../../static/js/slots.js";

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
