import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import {
  NewsLog, addressEnds, chooseNotice, chooseUpdate, describeChange, withoutNewIds,
} from "../../static/js/news.js";

const change = (sequence, ...fields) => ({ sequence, fields });

let log;
beforeEach(() => { log = new NewsLog(7); });

test("a change of this window is no news", () => {
  log.store({ sequence: 8, changed: true });
  assert.equal(log.sequence, 8);
  assert.equal(log.read({ sequence: 8, changes: [change(8)] }), null);
});

test("a change of this window with one of another's before it is read with that", () => {
  log.store({ sequence: 9, changed: true });
  assert.equal(log.sequence, 7, "8 was stored by somebody else");
  assert.deepEqual(log.read({ sequence: 9, changes: [change(8), change(9)] }), [change(8)]);
  assert.equal(log.sequence, 9);
});

test("the number of an edit that changed nothing is that of another's change", () => {
  log.store({ sequence: 8, changed: false });
  assert.deepEqual(log.read({ sequence: 8, changes: [change(8)] }), [change(8)]);
});

test("news are read once", () => {
  log.read({ sequence: 8, changes: [change(8)] });
  assert.equal(log.read({ sequence: 8, changes: [change(8)] }), null);
});

test("a page that is quicker than the news holds a change that nobody told of", () => {
  log.store({ sequence: 9, changed: true });
  assert.equal(log.hasUnreported(7), false);
  assert.equal(log.hasUnreported(9), true);
  log.store({ sequence: 8, changed: true });
  assert.equal(log.hasUnreported(9), false);
});

test("the change of a field is the last one of it, else the last of all", () => {
  log.read({ sequence: 10, changes: [change(8, "t name"), change(9, "t name"), change(10, "t gc")] });
  assert.equal(log.find("t name").sequence, 9);
  assert.equal(log.find("t description").sequence, 10);
  log.clear();
  assert.equal(log.find("t name"), undefined);
});

test("a change is told by its author's name, one's own by the other window", () => {
  const words = { me: "3", changed: "{who} changed this", elsewhere: "You changed this in another window" };
  assert.equal(describeChange({ who: "Ben $& Moor", by: 4 }, words), "Ben $& Moor changed this");
  assert.equal(describeChange({ who: "Ana", by: 3 }, words), words.elsewhere);
});

test("people are marked at their element, else at what holds it", () => {
  assert.deepEqual(addressEnds(["f", "t"], "k1"), ["/at/f", "/at/t"]);
  assert.deepEqual(addressEnds(["-instance"], "k1"), ["/instance"]);
  assert.deepEqual(addressEnds([], "k1"), ["/designs/k1/"]);
});

const control = {
  before: { was: "readings" }, after: { was: "cells" }, isBusy: false, isUnsaved: false, isAlike: false,
};

test("a control that another changed is swapped where nobody types in it", () => {
  assert.equal(chooseUpdate(control), "swap");
});

test("a control that nobody changed is kept", () => {
  assert.equal(chooseUpdate({ ...control, after: { was: "readings" } }), "keep");
  const versions = { before: { was: "a", version: "1" }, after: { was: "b", version: "1" } };
  assert.equal(chooseUpdate({ ...control, ...versions }), "keep", "the version says so, where there is one");
});

test("a control that somebody types in is not swapped", () => {
  assert.equal(chooseUpdate({ ...control, isBusy: true }), "notify");
  assert.equal(chooseUpdate({ ...control, isBusy: true, isUnsaved: true, isAlike: true }), "notify");
});

test("a control with the focus that holds the same is swapped", () => {
  assert.equal(chooseUpdate({ ...control, isBusy: true, isAlike: true }), "swap");
});

test("a conflict whose other side was taken back is sent again", () => {
  const isBack = { ...control, after: { was: "readings" }, conflictWas: "cells" };
  assert.equal(chooseUpdate(isBack), "submit");
  assert.equal(chooseUpdate({ ...isBack, conflictWas: "readings" }), "keep");
});

const typedIn = {
  was: "readings", newWas: "cells", isUnreported: false, hasChange: true, hasNotice: false, hasConflict: false,
};

test("another's change of what is typed in is shown once, then updated", () => {
  assert.equal(chooseNotice(typedIn), "show");
  assert.equal(chooseNotice({ ...typedIn, hasNotice: true }), "update");
  assert.equal(chooseNotice({ ...typedIn, hasNotice: true, hasChange: false }), "none");
});

test("nothing is said of a value that is as it was", () => {
  assert.equal(chooseNotice({ ...typedIn, newWas: "readings" }), "none");
});

test("a change that no news told of is asked about before anything is said", () => {
  assert.equal(chooseNotice({ ...typedIn, isUnreported: true, hasChange: false }), "ask");
});

test("a change of this window's own becomes the value that the next edit replaces", () => {
  assert.equal(chooseNotice({ ...typedIn, hasChange: false }), "adopt");
});

test("a conflict is told again only when the other side is another by now", () => {
  const conflict = { ...typedIn, hasConflict: true, conflictWas: "cells" };
  assert.equal(chooseNotice(conflict), "none");
  assert.equal(chooseNotice({ ...conflict, newWas: "items" }), "submit");
  assert.equal(chooseNotice({ ...conflict, newWas: "items", hasChange: false }), "submit");
});

test("two pages differ by the ids of what could be added, and are the same without", () => {
  const edit = (id) => `{\\&quot;id\\&quot;: \\&quot;${id}\\&quot;}`;
  const page = (id) => `<button data-values="{&quot;edit&quot;: &quot;${edit(id)}&quot;}">`;
  assert.equal(withoutNewIds(page("0123456789")), withoutNewIds(page("abcdef0123")));
  assert.notEqual(withoutNewIds(page("0123456789")), withoutNewIds(page("table-name")));
});
