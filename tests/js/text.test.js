// What is still computed is asked for again when the server says.
import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { fetchComputed } from "../../static/js/text.js";

const answer = (status, retryAfter) => ({ status, headers: new Map(retryAfter ? [["Retry-After", retryAfter]] : []) });

test("an answer that is still computed is waited for, another failure is not", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const answers = [answer(503, "2"), answer(200), answer(503), answer(500, "2")];
  const asked = mock.fn(async () => answers.shift());
  t.mock.method(globalThis, "fetch", asked);

  const first = fetchComputed("/map");
  await Promise.resolve();
  await new Promise(setImmediate);
  assert.equal(asked.mock.callCount(), 1);
  t.mock.timers.tick(2000);
  assert.equal((await first).status, 200);
  assert.equal(asked.mock.callCount(), 2);
  assert.equal((await fetchComputed("/map")).status, 503);
  assert.equal((await fetchComputed("/map")).status, 500);
});
