import assert from "node:assert/strict";
import { test } from "node:test";

import { asEdits, compareLines, editsBetween, editsToMerge, mergeLines } from "../../static/js/text-merge.js";
import { diff } from "../../static/vendor/codemirror.min.js";

function apply(text, edits) {                                           // edits are of the text before all of them
  return edits.toReversed().reduce((now, { from, to, insert }) => now.slice(0, from) + insert + now.slice(to), text);
}
const lines = (text) => text.split("");

test("lines are compared as wholes", () => {
  const found = compareLines(["ab", "cd", "ef"], ["ab", "cx", "ef"], diff);
  assert.deepEqual(found, [{ fromA: 1, toA: 2, fromB: 1, toB: 2 }]);
});
test("what theirs changed comes into ours where ours changed nothing", () => {
  const merge = (...texts) => mergeLines(...texts.map(lines), diff);
  assert.deepEqual(merge("abcdef", "aXcdef", "abcdYf"), [{ from: 4, to: 5, lines: ["Y"] }]);
  assert.deepEqual(merge("abcdef", "aXXXcdef", "abcdef!"), [{ from: 8, to: 8, lines: ["!"] }]);
});
test("the same change of both is made once, another of the same lines is left to people", () => {
  assert.deepEqual(mergeLines(lines("abc"), lines("aXc"), lines("aXc"), diff), []);
  assert.equal(mergeLines(lines("abc"), lines("aXc"), lines("aYc"), diff), null);
  assert.equal(mergeLines(lines("abcd"), lines("aXcd"), lines("abYd"), diff), null);  // side by side is too near
});
test("any text becomes any other, at its beginning, its end, from nothing and to nothing", () => {
  const texts = ["", "a\n", "a\nb\n", "x\na\nb\nc\n", "a\nb", "b\nc\n", "a\nx\ny\nb\nz\n", "\n\n"];
  for (const one of texts) for (const other of texts) {
    assert.equal(apply(one, editsBetween(one, other, diff)), other, JSON.stringify([one, other]));
  }
});
test("only the lines that differ are touched, so that the cursor stays", () => {
  assert.deepEqual(editsBetween("a\nb\nc\n", "a\nB\nc\n", diff), [{ from: 2, to: 4, insert: "B\n" }]);
});
test("merging keeps what was written, comments too", () => {
  const base = "rate: 5/s\nx: 1\ny: 2\nname: a\n", ours = "rate: 5/s\nx: 1\ny: 2\nname: ab  # mine\n";
  const merged = apply(ours, editsToMerge(base, ours, "rate: 9/s\nx: 1\ny: 2\nname: a\n", diff));

  assert.equal(merged, "rate: 9/s\nx: 1\ny: 2\nname: ab  # mine\n");
});
test("a change up to the end takes the line break before it along", () => {
  assert.deepEqual(asEdits(["a", "b"], [{ from: 1, to: 2, lines: [] }]), [{ from: 1, to: 3, insert: "" }]);
});
