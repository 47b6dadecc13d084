import assert from "node:assert/strict";
import { test } from "node:test";

import { linePath } from "../../static/js/sheet.js";

test("a line is straight where both ends are at one height, else a curve", () => {
  assert.equal(linePath(20, 21, 48), "M0 21H48");
  assert.equal(linePath(20, 80, 48), "M0 20C24 20 24 80 48 80");
});
