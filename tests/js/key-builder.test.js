import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { MoveQueue, dropIndex, moveTarget } from "../../static/js/key-builder.js";

let moves, pressed, sequence, stuck, isOffline;
beforeEach(() => {
  [pressed, sequence, stuck, isOffline] = [[], 1, new Set(), false];
  moves = new MoveQueue({
    sequence: () => sequence,
    press(id, by) {                                                     // as a click on the button of the page
      if (stuck.has(id)) return false;
      pressed.push(`${id} ${by}`);
      if (!isOffline) moves.send();
      return true;
    },
  });
});
function answer(stored) {                                               // the answer, then the part that comes with it
  moves.store(stored);
  sequence = stored;
  moves.goOn();
}

test("a move goes out at once", () => {
  moves.add("a", 1);
  assert.deepEqual(pressed, ["a 1"]);
});

test("a move while one is under way waits until the chips stand where that one brought them", () => {
  moves.add("a", 1);
  moves.add("a", 1);
  moves.add("b", -1);
  assert.deepEqual(pressed, ["a 1"]);
  answer(2);
  assert.deepEqual(pressed, ["a 1", "a 1"]);
  answer(3);
  assert.deepEqual(pressed, ["a 1", "a 1", "b -1"]);
});

test("a part that shows an older state does not let the next move go", () => {
  moves.add("a", 1);
  moves.add("a", 1);
  moves.store(3);
  sequence = 2;
  moves.goOn();
  assert.deepEqual(pressed, ["a 1"]);
});

test("a segment that cannot be moved any further is passed over", () => {
  moves.add("a", 1);
  moves.add("a", 1);
  moves.add("b", 1);
  stuck.add("a");
  answer(2);
  assert.deepEqual(pressed, ["a 1", "b 1"]);
});

test("without a connection nothing is sent, and nothing waits", () => {
  isOffline = true;
  moves.add("a", 1);
  assert.equal(moves.isMoving, false);
  moves.add("a", 1);
  assert.deepEqual(pressed, ["a 1", "a 1"]);
});

test("what waits is forgotten when a move fails", () => {
  moves.add("a", 1);
  moves.add("a", 1);
  moves.clear();
  answer(2);
  assert.deepEqual(pressed, ["a 1"]);
});

test("a click on a button waits like a key", () => {
  assert.equal(moves.hold("a", 1), false);
  moves.add("a", 1);
  assert.equal(moves.hold("b", 1), true);
  answer(2);
  assert.deepEqual(pressed, ["a 1", "b 1"]);
});

const lists = ["c1", "c2", "c3"];

test("a move within its list leads to the next place", () => {
  assert.deepEqual(moveTarget({ index: 1, by: -1, count: 3, list: "c1", lists }), { list: "c1", place: 1 });
  assert.deepEqual(moveTarget({ index: 0, by: 1, count: 3, list: "c1", lists }), { list: "c1", place: 2 });
});

test("a move beyond the end of its list leads into the next one", () => {
  assert.equal(moveTarget({ index: 2, by: 1, count: 3, list: "c1", lists }).list, "c2");
  assert.equal(moveTarget({ index: 0, by: -1, count: 3, list: "c3", lists }).list, "c2");
});

const ids = ["a", "b", "c"];

test("a segment is dropped before or behind the one below it", () => {
  assert.deepEqual(dropIndex(ids, "c", "a", false, true), { index: 0, before: "a" });
  assert.deepEqual(dropIndex(ids, "a", "b", true, true), { index: 1, before: "c" });
  assert.deepEqual(dropIndex(ids, "a", "c", true, true), { index: 2, before: "" });
});

test("a segment that is dropped where it stands is not moved", () => {
  assert.equal(dropIndex(ids, "b", "a", true, true), null);
  assert.equal(dropIndex(ids, "b", "c", false, true), null);
});

test("a segment is dropped into another list, also an empty one", () => {
  assert.deepEqual(dropIndex(ids, "x", "b", false, false), { index: 1, before: "b" });
  assert.deepEqual(dropIndex([], "x", undefined, true, false), { index: 0, before: "" });
});
