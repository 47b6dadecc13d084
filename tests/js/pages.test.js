// The scripts of single pages: charts, comparison, review; texts.
import assert from "node:assert/strict";
import { test } from "node:test";

import { createReader } from "../../static/js/charts.js";
import { nextChange } from "../../static/js/compare.js";
import { PanelRequests, cellQuery } from "../../static/js/review.js";
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

test("names in braces are filled in as they are, also with a dollar sign", () => {
  assert.equal(fillIn("{name} is now {place} of {count}", { name: "$&", place: 2, count: 3 }), "$& is now 2 of 3");
});
