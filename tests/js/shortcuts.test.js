import assert from "node:assert/strict";
import { test } from "node:test";

import { Shortcuts, keyName, nextPlace } from "../../static/js/shortcuts.js";

test("keys are named as buttons name them, Command like Control", () => {
  assert.equal(keyName({ key: "z", ctrlKey: true }), "Control+z");
  assert.equal(keyName({ key: "Z", metaKey: true, shiftKey: true }), "Control+Shift+z");
});

test("an event without a key has a name that no button has", () => {
  assert.equal(keyName({}), "undefined");
});

test("g and a letter go somewhere", () => {
  const shortcuts = new Shortcuts();
  assert.equal(shortcuts.read("g"), "");
  assert.equal(shortcuts.read("i"), "go to i");
  assert.equal(shortcuts.read("i"), "", "only right after g");
});

test("a letter that leads nowhere ends what g began, and so does the pointer", () => {
  const shortcuts = new Shortcuts();
  shortcuts.read("g");
  shortcuts.read("x");
  assert.equal(shortcuts.read("o"), "");
  shortcuts.read("g");
  shortcuts.stop();
  assert.equal(shortcuts.read("o"), "");
});

test("n and p go through the findings, from the last to the first and back", () => {
  const shortcuts = new Shortcuts();
  assert.deepEqual([shortcuts.read("n"), shortcuts.read("p")], ["next finding", "previous finding"]);
  assert.deepEqual([nextPlace(3, -1, 1), nextPlace(3, 0, 1), nextPlace(3, 2, 1)], [0, 1, 0]);
  assert.deepEqual([nextPlace(3, -1, -1), nextPlace(3, 0, -1), nextPlace(0, -1, 1)], [2, 2, -1]);
});

test("? lists the keys, / searches and a adds a sentence, also after g", () => {
  const shortcuts = new Shortcuts();
  assert.equal(shortcuts.read("a"), "sentence");
  assert.equal(shortcuts.read("?"), "list");
  shortcuts.read("g");
  assert.equal(shortcuts.read("/"), "search");
});
