import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { LoadQueue, designName, lineRange } from "../../static/js/start-page.js";

const TEXT = '{\n "name": "Balloons",\n "tabels": []\n}';

test("a line of a problem is selected from its beginning to its end", () => {
  const [begin, end] = lineRange(TEXT, 3);
  assert.equal(TEXT.slice(begin, end), ' "tabels": []');
  assert.deepEqual(lineRange(TEXT, 1), [0, 1]);
});

test("a line that is no more is the end of the text", () => {
  assert.deepEqual(lineRange("a\nb", 9), [4, 4]);
});

test("a file names the design, without .json", () => {
  assert.equal(designName("balloons.JSON"), "balloons");
  assert.equal(designName("my.json.txt"), "my.json.txt");
});

let queue, loading;
const slot = (name, isConnected = true) => ({ name, isConnected });
const settle = () => new Promise(setImmediate);
beforeEach(() => {
  loading = new Map();                                                  // name → ends its load
  queue = new LoadQueue(({ name }) => new Promise((resolve) => {
    loading.set(name, () => { loading.delete(name); resolve(); });
  }));
});

test("two slots are loaded at a time, in the order of the page", async () => {
  for (const name of ["a", "b", "c"]) queue.add(slot(name));
  queue.run();
  assert.deepEqual([...loading.keys()], ["a", "b"]);
  loading.get("b")();
  await settle();
  assert.deepEqual([...loading.keys()], ["a", "c"]);
});

test("a slot that has gone meanwhile is passed over", () => {
  queue.add(slot("a", false));
  queue.add(slot("b"));
  queue.run();
  assert.deepEqual([...loading.keys()], ["b"]);
});

test("nothing is loaded while somebody leaves, and it goes on when they come back", () => {
  queue.pause();
  queue.add(slot("b"));
  queue.addFirst(slot("a"));
  queue.run();
  assert.equal(loading.size, 0);
  queue.goOn();
  assert.deepEqual([...loading.keys()], ["a", "b"]);
});
