import assert from "node:assert/strict";
import { test } from "node:test";

import { Search, canBeRemoved, entryAfterRemoval, nextEntry, windowTitle } from "../../static/js/outline.js";

const entries = ["table", "key", "reads"];
const from = (index, more) => ({ entries, index, search: "search", ...more });

test("arrows up and down go from entry to entry, and not beyond the last", () => {
  assert.equal(nextEntry("ArrowDown", from(0)), "key");
  assert.equal(nextEntry("ArrowDown", from(2)), undefined);
  assert.equal(nextEntry("ArrowUp", from(2)), "key");
});

test("above the first entry there is the search field", () => {
  assert.equal(nextEntry("ArrowUp", from(0)), "search");
});

test("Home and End lead to the first and the last entry", () => {
  assert.equal(nextEntry("Home", from(1)), "table");
  assert.equal(nextEntry("End", from(1)), "reads");
});

test("arrows across lead to what holds an entry and to the first thing in it", () => {
  assert.equal(nextEntry("ArrowLeft", from(1, { parent: "table" })), "table");
  assert.equal(nextEntry("ArrowRight", from(0, { child: "key" })), "key");
  assert.equal(nextEntry("ArrowRight", from(2)), undefined);
});

test("other keys lead nowhere", () => {
  for (const key of ["a", "Enter", "Tab", "Delete"]) assert.equal(nextEntry(key, from(1)), undefined);
});

test("only elements can be removed, not the design or the instance", () => {
  assert.equal(canBeRemoved("/designs/k/at/t"), true);
  assert.equal(canBeRemoved("/designs/k/"), false);
  assert.equal(canBeRemoved("/designs/k/instance"), false);
});

test("after a removal the entry in its place has the focus, or the last one", () => {
  assert.equal(entryAfterRemoval(entries, 1), "key");
  assert.equal(entryAfterRemoval(entries, 3), "reads");
  assert.equal(entryAfterRemoval([], 0), undefined);
});

test("the window's title names each thing once and leaves out what has no name", () => {
  assert.equal(windowTitle(["readings", "Balloons", "Keywright"]), "readings · Balloons · Keywright");
  assert.equal(windowTitle(["Balloons", "Balloons", "Keywright"]), "Balloons · Keywright");
  assert.equal(windowTitle([undefined, "", "Keywright"]), "Keywright");
});

test("Enter opens the first result of the words that stand there", () => {
  const search = new Search();
  search.answer("hour");
  assert.equal(search.enter("hour"), true);
});

test("Enter before the results have come opens the first when they come", () => {
  const search = new Search();
  assert.equal(search.enter("weeks"), false);
  assert.equal(search.answer("weeks"), true);
  assert.equal(search.answer("weeks"), false, "once");
});

test("results that come without Enter open nothing, nor after more was typed", () => {
  const search = new Search();
  assert.equal(search.answer("w"), false);
  search.enter("we");
  search.type();
  assert.equal(search.answer("wee"), false);
});

test("a search that was cleared has forgotten its results", () => {
  const search = new Search();
  search.answer("hour");
  search.clear();
  assert.equal(search.enter("hour"), false);
});
