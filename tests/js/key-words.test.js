import assert from "node:assert/strict";
import { test } from "node:test";

import { wordsAt } from "../../static/js/key-words.js";

const offered = (text) => wordsAt(["device", "day"], text, text.length)?.words ?? [];

test("behind a brace fields, the time and calls are offered, those that begin as typed", () => {
  assert.deepEqual(offered("{"), ["device", "day", "time", "hash(", "salt(", "bucket(", "part("]);
  assert.deepEqual(offered("{device}#{d"), ["device", "day"]);
  assert.deepEqual(offered("{device}#{Dev"), ["device"]);
});
test("behind a colon the transforms of what stands before it are offered", () => {
  assert.ok(offered("{device:").includes("pad6"));
  assert.deepEqual(offered("{time:mi"), ["minute"]);
  assert.deepEqual(offered("{hash(device):sha"), ["sha1", "sha256"]);
});
test("nothing is offered outside of braces, behind a whole word, or for a new name", () => {
  assert.deepEqual(offered("{device}#d"), []);
  assert.deepEqual(offered("{device"), []);
  assert.deepEqual(offered("{customer"), []);
  assert.equal(wordsAt(["device"], "{dev}", 1).from, 1);                // at the caret, not at the end
});
