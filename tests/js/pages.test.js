// The scripts of single pages: charts, comparison, review, errors of requests.
import assert from "node:assert/strict";
import { test } from "node:test";

import { createReader } from "../../static/js/charts.js";
import { nextChange } from "../../static/js/compare.js";
import { isErrorPage } from "../../static/js/request-errors.js";
import { PanelRequests, cellQuery } from "../../static/js/review.js";
import { describeUnsaved, elementAddress, isForeign } from "../../static/js/saving.js";
import { fillIn } from "../../static/js/text.js";

const CURVES = [{ text: ["1 May: 3 nodes", "2 May: 4 nodes", "3 May: 5 nodes"] }, {}, { text: ["1", "2", "3"] }];

test("a chart is read moment by moment, of all curves that have words", () => {
  const read = createReader(CURVES);
  assert.deepEqual(read("ArrowRight"), {
    points: [{ curveNumber: 0, pointNumber: 0 }, { curveNumber: 2, pointNumber: 0 }], text: "1 May: 3 nodes, 1",
  });
  assert.equal(read("ArrowRight").text, "2 May: 4 nodes, 2");
});

test("a chart is read from its end by the first arrow to the left, and no further than its ends", () => {
  const read = createReader(CURVES);
  assert.equal(read("ArrowLeft").points[0].pointNumber, 2);
  assert.equal(read("ArrowRight").points[0].pointNumber, 2);
  assert.equal(read("Home").points[0].pointNumber, 0);
  assert.equal(read("ArrowLeft").points[0].pointNumber, 0);
  assert.equal(read("End").points[0].pointNumber, 2);
});

test("n begins with the first change and p with the last; both stop at the ends", () => {
  assert.equal(nextChange(-1, 1, 3), 0);
  assert.equal(nextChange(-1, -1, 3), 2);
  assert.equal(nextChange(1, 1, 3), 2);
  assert.equal(nextChange(2, 1, 3), 2);
  assert.equal(nextChange(0, -1, 3), 0);
});

test("a whole page that says that nothing is there is no part of this one", () => {
  assert.equal(isErrorPage(404, "\n<!DOCTYPE html><html>"), true);
  assert.equal(isErrorPage(404, "<p>Removed</p>"), false);
  assert.equal(isErrorPage(200, "<!doctype html>"), false);
});

test("of two answers in the panel only the newest is shown", () => {
  const requests = new PanelRequests();
  assert.equal(requests.begin("first", "get"), true);
  assert.equal(requests.begin("second", "get"), true);
  assert.equal(requests.isNewest("first"), false);
  assert.equal(requests.isNewest("second"), true);
});

test("nothing else is opened while a comment is being sent", () => {
  const requests = new PanelRequests();
  requests.begin("comment", "post");
  assert.equal(requests.begin("other", "get"), false);
  requests.end("some poll");
  assert.equal(requests.begin("other", "get"), false);
  requests.end("comment");
  assert.equal(requests.begin("other", "get"), true);
});

test("a cell of a map is asked about by its hour, of reads or else of writes", () => {
  const time = new Date("2026-05-12T09:15:00Z");
  assert.equal(String(cellQuery({ of: "reads", row: 7, time })), "of=reads&row=7&clock=09%3A00");
  assert.equal(cellQuery({ of: "node_time", row: 7, time }).get("of"), "writes");
});

test("an answer without events that comes with 200 is a page of somebody else's", () => {
  assert.equal(isForeign(200, null), true);
  assert.equal(isForeign(200, "{}"), false);
  assert.equal(isForeign(204, null), false);
});

test("what is not saved is told by its label and its first eighty letters", () => {
  assert.equal(describeUnsaved("Days", ["45", ""]), "Days “45 ”");
  assert.equal(describeUnsaved("", ["x".repeat(200)]).length, 83);
});

test("an element's address is beside that of the news, the design's own without an id", () => {
  assert.equal(elementAddress("/designs/k/news", "t"), "/designs/k/at/t");
  assert.equal(elementAddress("/designs/k/news", ""), "/designs/k/");
});

test("names in braces are filled in as they are, also with a dollar sign", () => {
  assert.equal(fillIn("{name} is now {place} of {count}", { name: "$&", place: 2, count: 3 }), "$& is now 2 of 3");
});
