// A large access log is packed before it is sent.
import assert from "node:assert/strict";
import { test } from "node:test";
import { gunzipSync, gzipSync } from "node:zlib";

import { READ_MAX, SENT_MAX, packLog, start } from "../../static/js/log-upload.js";
import { DocumentStandIn, StandIn } from "./stand-ins.js";

const TEXT = "time,key\n1790000000,user1\n".repeat(400_000);

function openForm(file) {
  const document = new DocumentStandIn(), told = { hidden: true }, input = { files: [file] }, sent = [];
  const form = new StandIn({
    querySelector: (selector) => (selector === "[data-log-file]" ? input : told),
    submit: () => sent.push(input.files[0]),
  });
  globalThis.DataTransfer = class {
    files = [];
    items = { add: (one) => this.files.push(one) };
  };
  start(document);
  const event = Object.assign(new Event("submit", { cancelable: true }), {});
  Object.defineProperty(event, "target", { value: form });
  document.dispatchEvent(event);
  return { event, told, sent };
}
const untilDone = async (isDone) => { while (!isDone()) await new Promise((resume) => setImmediate(resume)); };

test("a large log of text is packed and sent", async () => {
  const { event, told, sent } = openForm(new File([TEXT], "log.csv"));
  assert.ok(event.defaultPrevented);
  await untilDone(() => sent.length);
  assert.equal(sent[0].name, "log.csv.gz");
  assert.ok(sent[0].size < SENT_MAX);
  assert.equal(gunzipSync(Buffer.from(await sent[0].arrayBuffer())).toString(), TEXT);
  assert.ok(told.hidden);
});

test("a small log is sent as it is", () => {
  assert.ok(!openForm(new File(["a,b\n"], "log.csv")).event.defaultPrevented);
});

test("a packed log that is too large is not sent, and the page says so", async () => {
  const packed = new File([gzipSync("x"), new Uint8Array(SENT_MAX)], "log.gz");
  assert.equal(await packLog(packed), packed);
  const { told, sent } = openForm(packed);
  await untilDone(() => !told.hidden);
  assert.deepEqual(sent, []);
});

test("no more is packed than the server reads, and one byte, by which it knows that the log is longer", async () => {
  const asked = [];
  const slice = (...range) => { asked.push(range); return new Blob([TEXT.slice(0, 100)]); };
  await packLog({ name: "log.csv", slice });
  assert.deepEqual(asked, [[0, 4], [0, READ_MAX + 1]]);
});
