// One question at a time: what is skipped, for how long.
import assert from "node:assert/strict";
import { test } from "node:test";

import { Skipped } from "../../static/js/questions.js";

class Store {
  #texts = new Map();
  getItem(name) { return this.#texts.get(name) ?? null; }
  setItem(name, text) { this.#texts.set(name, text); }
  removeItem(name) { this.#texts.delete(name); }
}

test("the first question that is not skipped is shown", () => {
  const skipped = new Skipped(new Store(), "d");
  assert.equal(skipped.firstOpen(["a", "b", "c"]), "a");

  skipped.add("a");
  skipped.add("b");
  assert.equal(skipped.firstOpen(["a", "b", "c"]), "c");
  assert.equal(skipped.firstOpen(["a", "b"]), null);
});

test("what is skipped stays unasked in the session, of one design", () => {
  const store = new Store(), skipped = new Skipped(store, "d");
  skipped.add("a");

  assert.equal(new Skipped(store, "d").firstOpen(["a", "b"]), "b");
  assert.equal(new Skipped(store, "another").firstOpen(["a", "b"]), "a");
});

test("all are shown again", () => {
  const skipped = new Skipped(new Store(), "d");
  skipped.add("a");
  skipped.add("b");
  skipped.clear();

  assert.equal(skipped.firstOpen(["a", "b"]), "a");
});
