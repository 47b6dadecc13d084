// The colour scheme: a plain script that runs before the page is painted.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { runInNewContext } from "node:vm";

import { DocumentStandIn, StandIn, dispatch } from "./stand-ins.js";

const SCRIPT = readFileSync(new URL("../../static/js/scheme.js", import.meta.url), "utf8");

function createStorage(entries = {}) {
  const values = new Map(Object.entries(entries));
  return { getItem: (name) => values.get(name) ?? null, setItem: (name, value) => values.set(name, value) };
}
function openPage(localStorage) {
  const holder = new StandIn(), document = new DocumentStandIn(), changes = [];
  holder.classList.add("without-script");
  const select = new StandIn({ value: "auto", closest: () => holder, matches: () => true });
  document.querySelector = () => select;
  document.addEventListener("schemechange", () => changes.push(document.documentElement.dataset.scheme));
  runInNewContext(SCRIPT, { document, localStorage, CustomEvent });
  dispatch(document, "DOMContentLoaded");
  const choose = (value) => {
    select.value = value;
    dispatch(document, "change", { target: select });
  };
  return { root: document.documentElement, select, holder, changes, choose };
}

test("a page has the scheme of the machine until one is chosen", () => {
  const { root, select, holder } = openPage(createStorage());
  assert.equal(root.dataset.scheme, undefined);
  assert.equal(select.value, "auto");
  assert.equal(holder.classes.has("without-script"), false);
});

test("the scheme that was chosen is there on the next page, before it is painted", () => {
  const storage = createStorage();
  openPage(storage).choose("dark");
  const { root, select } = openPage(storage);
  assert.equal(root.dataset.scheme, "dark");
  assert.equal(select.value, "dark");
});

test("the machine's scheme can be chosen again", () => {
  const page = openPage(createStorage({ scheme: "dark" }));
  page.choose("auto");
  assert.equal("scheme" in page.root.dataset, false);
});

test("charts are told of every change", () => {
  const page = openPage(createStorage());
  page.choose("dark");
  page.choose("light");
  assert.deepEqual(page.changes, [undefined, "dark", "light"]);
});

test("where nothing may be stored the scheme is applied all the same", () => {
  const refuse = () => { throw new Error("denied"); };
  const page = openPage({ getItem: refuse, setItem: refuse });
  page.choose("dark");
  assert.equal(page.root.dataset.scheme, "dark");
});
