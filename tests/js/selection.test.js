import assert from "node:assert/strict";
import { test } from "node:test";

import { areColumns, canMove, idOf, nextChoice, subjects } from "../../static/js/selection.js";

const ids = ["a", "b", "c", "d"];

test("Ctrl adds and takes away, Shift takes all between, a plain click begins anew", () => {
  let now = nextChoice({ chosen: [], anchor: "", ids, id: "b", isToggle: true });
  assert.deepEqual(now, { chosen: ["b"], anchor: "b" });
  now = nextChoice({ ...now, ids, id: "d", isRange: true });
  assert.deepEqual(now, { chosen: ["b", "c", "d"], anchor: "b" });
  now = nextChoice({ ...now, ids, id: "a", isRange: true });
  assert.deepEqual(now.chosen, ["a", "b"]);
  now = nextChoice({ ...now, ids, id: "a", isToggle: true });
  assert.deepEqual(now.chosen, ["b"]);
  assert.deepEqual(nextChoice({ ...now, ids, id: "c" }), { chosen: [], anchor: "c" });
});
test("a range from what is gone is one element", () => {
  assert.deepEqual(nextChoice({ chosen: ["x"], anchor: "x", ids, id: "c", isRange: true }).chosen, []);
});
test("actions are about all that is chosen, or about one thing that is not", () => {
  assert.deepEqual(subjects(["a", "b"], "b"), ["a", "b"]);
  assert.deepEqual(subjects(["a", "b"], "c"), ["c"]);
});
test("only what every table can hold is moved", () => {
  assert.equal(canMove(["reads", "writes"]), true);
  assert.equal(canMove(["reads", "fields"]), false);
  assert.equal(canMove([]), false);
});
test("columns are moved among themselves, as they go to families and the others to tables", () => {
  assert.equal(canMove(["columns", "columns"]), true);
  assert.equal(areColumns(["columns"]), true);
  assert.equal(canMove(["columns", "families"]), false);
  assert.equal(areColumns([]), false);
});
test("an element is known by its address", () => {
  assert.equal(idOf("/designs/1f/at/read-day"), "read-day");
  assert.equal(idOf("/designs/1f/"), "");
});
