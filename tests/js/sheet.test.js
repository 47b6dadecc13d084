import assert from "node:assert/strict";
import { test } from "node:test";

import { compareLines, groupLines, isFound, linePath, prefixOf } from "../../static/js/sheet.js";

test("an arrow is straight where both ends are at one height, else a curve", () => {
  assert.equal(linePath(20, 21, 48), "M0 21H48m-5 -4 5 4 -5 4");
  assert.equal(linePath(20, 80, 48), "M0 20C24 20 24 80 48 80m-5 -4 5 4 -5 4");
});

test("a table is found by all words of its names", () => {
  assert.ok(isFound("orders shop time:rev newest orders", "Shop new"));
  assert.ok(isFound("orders", ""));
  assert.ok(!isFound("orders shop", "shop buyer"));
});

test("tables are sorted by name, the gravest first, the dearest first", () => {
  const lines = [
    { name: "t10", gravity: "1", cost: "5" }, { name: "t9", gravity: "0", cost: "5" },
    { name: "a", gravity: "4", cost: "70.5" },
  ];
  const sorted = (by) => lines.toSorted(compareLines(by)).map(({ name }) => name);

  assert.deepEqual(sorted("name"), ["a", "t9", "t10"]);
  assert.deepEqual(sorted("gravity"), ["t9", "t10", "a"]);
  assert.deepEqual(sorted("cost"), ["a", "t9", "t10"]);
});

test("tables with the same beginning of their name are together, in the order of the first", () => {
  const rows = ["orders_by_day", "views", "orders-lines", "order"].map((name) => ({ dataset: { name } }));
  const groups = groupLines(rows).map(({ prefix, members }) => [prefix, members.map(({ dataset }) => dataset.name)]);

  assert.deepEqual(groups, [["orders", ["orders_by_day", "orders-lines"]], ["views", ["views"]], ["order", ["order"]]]);
  assert.equal(prefixOf("shop.orders"), "shop");
});
