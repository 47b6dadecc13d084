import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { linkToMore, start, targetId } from "../../static/js/open-target.js";
import { DocumentStandIn, StandIn, dispatch } from "./stand-ins.js";

let page, group, finding, document;
beforeEach(() => {
  group = new StandIn({ tagName: "DETAILS", open: false });
  const body = new StandIn({ tagName: "DIV", parentElement: group });
  finding = new StandIn({ tagName: "DETAILS", open: false, parentElement: body });
  document = new DocumentStandIn({ "finding-1": finding });
  page = new EventTarget();
  globalThis.addEventListener = (...listener) => page.addEventListener(...listener);
});

test("an address names a finding, and one that cannot be read names none", () => {
  assert.equal(targetId("#K004%20eu"), "K004 eu");
  assert.equal(targetId("#%E0%A4"), "", "no text in UTF-8");
  assert.equal(targetId(""), "");
});

test("a link to a finding opens it and what it is folded in", () => {
  globalThis.location = { hash: "" };
  start(document);
  assert.equal(finding.open, false);
  globalThis.location = { hash: "#finding-1" };
  dispatch(page, "hashchange");
  assert.deepEqual([finding.open, group.open, finding.isScrolledTo], [true, true, true]);
});

test("an address with a finding opens it at once", () => {
  globalThis.location = { hash: "#finding-1" };
  start(document);
  assert.equal(finding.open, true);
});

test("an address that names nothing opens nothing", () => {
  globalThis.location = { hash: "#finding-9" };
  start(document);
  assert.equal(finding.open, false);
});

test("a finding that is not shown yet is behind the link that shows more", () => {
  const link = {}, item = { dataset: { findings: "6-40" }, querySelector: () => link };
  const some = { querySelectorAll: () => [item] };
  assert.equal(linkToMore(some, "finding-6"), link);
  assert.equal(linkToMore(some, "finding-40"), link);
  assert.equal(linkToMore(some, "finding-41"), null);
  assert.equal(linkToMore(some, "table-6"), null);
});
