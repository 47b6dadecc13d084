import assert from "node:assert/strict";
import { test } from "node:test";

import {
  commonStart, datedLabels, dayOnce, keyLabel, shortenDated, timeTicks, unitFormat,
} from "../../static/js/map-axes.js";

globalThis.document = { documentElement: { lang: "en" } };

const HOUR = 3600, DAY = 86400;
const unit = { pattern: "{}", factor: 1 };
const texts = (ticks) => ticks.map(({ text }) => text);

test("an amount has three digits, all digits from a thousand on, and a suffix from a million on", () => {
  const amount = unitFormat({ ...unit, pattern: "{} a second" });
  assert.equal(amount(12.345), "12.3 a second");
  assert.equal(amount(4567.8), "4,568 a second");
  assert.equal(amount(2_345_000), "2.35M a second");
});

test("an amount is multiplied by the factor of its unit", () => {
  assert.equal(unitFormat({ pattern: "{} %", factor: 100 })(0.25), "25 %");
});

test("bytes are counted in binary units, each up to 999", () => {
  const size = unitFormat({ pattern: "{} B", factor: 1, binary: true });
  assert.equal(size(999), "999 B");
  assert.equal(size(1000), "0.977 KiB");
  assert.equal(size(5 * 1024 ** 3), "5 GiB");
});

test("an amount of one is in the singular, but not of bytes", () => {
  assert.equal(unitFormat({ ...unit, pattern: "{} nodes", one: "1 node" })(1), "1 node");
  assert.equal(unitFormat({ pattern: "{} B", factor: 1, binary: true, one: "one" })(1), "1 B");
});

test("a rate too small for its unit is told in the smaller one, zero is not", () => {
  const rate = unitFormat({ ...unit, pattern: "{}/s", small: { pattern: "{}/h", factor: HOUR, below: 0.01 } });
  assert.equal(rate(0.001), "3.6/h");
  assert.equal(rate(0.01), "0.01/s");
  assert.equal(rate(0), "0/s");
});

test("the common start of two keys ends before an escaped byte that differs", () => {
  assert.equal(commonStart("eu#17", "eu#18"), "eu#1");
  assert.equal(commonStart("a\\x41", "a\\x42"), "a");
  assert.equal(commonStart("same", "same"), "same");
  assert.equal(commonStart("x", ""), "");
});

test("a key's label goes on to the end of the word that tells it from the key before", () => {
  assert.equal(keyLabel("berlin#1", "bremen#2", 0, 40), "bremen");
  assert.equal(keyLabel("", "eu#berlin", 0, 40), "eu");
});

test("a key's label leaves out what all keys have in common", () => {
  assert.equal(keyLabel("fleet#a1", "fleet#b2", 6, 40), "…b2");
});

test("a key's label that is too long is cut in its middle", () => {
  const label = keyLabel("", "abcdefghijklmnopqrstuvwxyz", 3, 12);
  assert.equal(label.length, 12);
  assert.match(label, /^…def…/);
  assert.ok("abcdefghijklmno".endsWith(label.slice(5)));
});

test("ticks stand at round times and never closer than 64 pixels", () => {
  const ticks = timeTicks(0, DAY, 640);
  assert.deepEqual(texts(ticks), ["00:00", "03:00", "06:00", "09:00", "12:00", "15:00", "18:00", "21:00"]);
  assert.deepEqual(ticks.map(({ share }) => share), [0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875]);
});

test("the first tick is the first round time of the span", () => {
  const [first] = timeTicks(HOUR / 2, 4 * HOUR, 640);
  assert.equal(first.text, "00:30");
  assert.equal(timeTicks(HOUR / 2 + 60, 4 * HOUR, 640)[0].text, "01:00");
});

test("midnights of more than a day are dates, with the day before the month in English", () => {
  assert.deepEqual(texts(timeTicks(0, 3 * DAY, 320)), ["1 Jan", "2 Jan", "3 Jan"]);
  assert.equal(timeTicks(0, DAY, 128)[0].text, "00:00");
});

test("a span too long for every step gets the longest", () => {
  const ticks = timeTicks(0, 365 * DAY, 128);
  assert.equal(ticks[1].share * 365, 14);
});

test("a time in a key is told with its day once", () => {
  const [eve, early, later] = [["26 Dec 23:59", "23:59"], ["27 Dec 01:12#m", "01:12#m"], ["27 Dec 03:32", "03:32"]];
  assert.equal(dayOnce(["", ""], early), "27 Dec 01:12#m");
  assert.equal(dayOnce(early, later), "03:32");
  assert.equal(dayOnce(eve, early), "27 Dec 01:12#m");
  assert.equal(dayOnce(["abc", "abc"], ["abd", "abd"]), "abd");
});

test("labels of one year do without it, so that their day has room", () => {
  const later = ["11 Nov 2027 18:00", "18:00", "11 Nov 18:00"];
  const earlier = ["30 Dec 2026 22:01", "22:01", "30 Dec 22:01"];
  assert.deepEqual(datedLabels([["", ""], later]).at(-1), ["11 Nov 18:00", "18:00"]);
  assert.deepEqual(datedLabels([earlier, later]), [earlier, later]);
  assert.equal(shortenDated("26 Dec 22:52#machine", 13), "26 Dec 22:52");
  assert.equal(shortenDated("26 Dec 22:52#m", 14), "26 Dec 22:52#m");
  const none = ["27 Dec 01:12", "01:12", "27 Dec 01:12"];                        // the server found one year
  assert.deepEqual(datedLabels([none]), [["27 Dec 01:12", "01:12"]]);
});
