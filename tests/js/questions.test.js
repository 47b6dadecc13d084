// One question at a time: what is set aside, for how long.
import assert from "node:assert/strict";
import { test } from "node:test";

import { SetAside } from "../../static/js/questions.js";

class Store {
  #texts = new Map();
  getItem(name) { return this.#texts.get(name) ?? null; }
  setItem(name, text) { this.#texts.set(name, text); }
  removeItem(name) { this.#texts.delete(name); }
}

test("the first question that is not set aside is shown", () => {
  const aside = new SetAside(new Store(), "d");
  assert.equal(aside.firstOpen(["a", "b", "c"]), "a");

  aside.add("a", "later");
  aside.add("b", "unknown");
  assert.equal(aside.firstOpen(["a", "b", "c"]), "c");
  assert.equal(aside.firstOpen(["a", "b"]), null);
});

test("what nobody knows stays unasked in the session, what is for later only on this page", () => {
  const store = new Store(), aside = new SetAside(store, "d");
  aside.add("a", "unknown");
  aside.add("b", "later");

  assert.equal(new SetAside(store, "d").firstOpen(["a", "b"]), "b");
  assert.equal(new SetAside(store, "another").firstOpen(["a", "b"]), "a");
});

test("all are shown again", () => {
  const aside = new SetAside(new Store(), "d");
  aside.add("a", "unknown");
  aside.add("b", "later");
  aside.clear();

  assert.equal(aside.firstOpen(["a", "b"]), "a");
});
