import assert from "node:assert/strict";
import { test } from "node:test";

import { cellWords, columnWords, wordsWidth } from "../../static/js/stacked-tables.js";

const cell = (textContent, tagName = "TD", colSpan = 1) => ({ textContent, tagName, colSpan });

test("a cell of a card follows the word of its column", () => {
  const words = columnWords([cell(" Line "), cell("Unit\n  price"), cell("Per month", "TH", 2)]);
  assert.deepEqual(words, ["Line", "Unit price", "Per month", "Per month"]);
  const row = [cell("Nodes", "TH"), cell("1"), cell("2"), cell("3")];
  assert.deepEqual(cellWords(row, words), ["", "Unit price", "Per month", "Per month"]);
});

test("a cell that spans columns, or has no word above it, has none before it", () => {
  assert.deepEqual(cellWords([cell("a", "TD", 2), cell("b")], ["One", "Two"]), ["", ""]);
});

test("words before figures have the width of the longest of them, and leave room for the figures", () => {
  assert.equal(wordsWidth(["Low", "High"]), "6.5rem");
  assert.equal(wordsWidth(["Balloons, r1", "Balloons, current (r5)"]), "11.0rem");
  assert.equal(wordsWidth(["The busiest day of the horizon 2 minutes ago"]), "12.0rem");
  assert.equal(wordsWidth(["現在のバージョン"]), "6.8rem");
});
