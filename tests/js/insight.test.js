import assert from "node:assert/strict";
import { test } from "node:test";

import { controlIds, formatChange, moneyChange } from "../../static/js/insight.js";

const bill = (total, more) => ({ total: String(total), currency: "USD", open: "0", ...more });

test("money is told against the first total, in whole units", () => {
  assert.equal(moneyChange(bill("1000.00"), bill("1684.80")), 685);
  assert.equal(moneyChange(bill("1684.80"), bill("736.20")), -949);
});

test("nothing is told of less than half a unit", () => {
  assert.equal(Object.is(moneyChange(bill(100), bill(99.6)), 0), true);
  assert.equal(moneyChange(bill(100), bill(100.4)), 0);
});

test("bills of which another number of lines is open are not compared, nor in two currencies", () => {
  assert.equal(moneyChange(bill(1000, { open: "1" }), bill(1684)), 0);
  assert.equal(moneyChange(bill(1000, { currency: "JPY" }), bill(1684)), 0);
});

test("a change of money has its sign, a true minus and its currency", () => {
  assert.equal(formatChange(685, "USD", "en"), "+$685");
  assert.equal(formatChange(-1949, "USD", "en"), "−$1,949");
  assert.equal(formatChange(-20000, "JPY", "en"), "−¥20,000");
});

test("a guess is corrected in its control, else in one that holds it", () => {
  assert.deepEqual(controlIds("c-f-gc-age"), ["c-f-gc-age", "c-f-gc", "c-f"]);
  assert.deepEqual(controlIds(""), []);
});
