import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { copyText } from "../../static/js/clipboard.js";
import { start } from "../../static/js/copy.js";
import { DocumentStandIn, StandIn, dispatch } from "./stand-ins.js";

let document, button, field, copied, canCopy;
const settle = () => new Promise(setImmediate);

class FieldStandIn extends StandIn {
  select() { this.isSelected = true; }
  remove() { this.isRemoved = true; }
}

beforeEach(() => {
  [copied, canCopy] = [[], true];
  field = new FieldStandIn({ value: "https://example.com/l/token" });
  button = new StandIn({ dataset: { copy: "link", done: "Copied" }, textContent: "Copy" });
  button.classList.add("without-script");
  globalThis.document = document = new DocumentStandIn({ link: field });
  document.querySelectorAll = () => [button];
  document.execCommand = () => canCopy;
  document.body.append = (part) => { document.body.children.push(part); };
  document.createElement = () => new FieldStandIn();
  const clipboard = { writeText: async (text) => { copied.push(text); } };
  Object.defineProperty(globalThis, "navigator", { value: { clipboard }, configurable: true });
  start(document);
});
const click = async () => { dispatch(document, "click", { target: button }); await settle(); };

test("a button that needs scripts is shown by them, and copies its field", async () => {
  assert.equal(button.classList.contains("without-script"), false);
  await click();
  assert.deepEqual(copied, ["https://example.com/l/token"]);
  assert.ok(field.isSelected);
  assert.equal(button.textContent, "Copied");
});

test("the button has its own text again when something else is done", async () => {
  await click();
  dispatch(document, "keydown");
  assert.equal(button.textContent, "Copy");
});

test("a second click keeps the text that the button has of its own", async () => {
  await click();
  await click();
  assert.equal(button.textContent, "Copied");
  dispatch(document, "pointerdown");
  assert.equal(button.textContent, "Copy");
});

test("without a clipboard the selected field is copied, and only what was copied is said to be", async () => {
  navigator.clipboard.writeText = async () => { throw new Error("not allowed"); };
  canCopy = false;
  await click();
  assert.equal(button.textContent, "Copy");
  canCopy = true;
  await click();
  assert.equal(button.textContent, "Copied");
});

test("a click beside a button copies nothing", async () => {
  dispatch(document, "click", { target: new StandIn() });
  dispatch(document, "click", { target: document });
  await settle();
  assert.deepEqual(copied, []);
});

test("without a clipboard a text is copied from a field that goes away again", async () => {
  navigator.clipboard.writeText = async () => { throw new Error("not allowed"); };
  await copyText("t100#");
  const [used] = document.body.children;
  assert.deepEqual([used.value, used.isSelected, used.isRemoved], ["t100#", true, true]);
});
