// News of other people, from the question to what is shown of it.
import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import { connection } from "../../static/js/connection.js";
import { ask, startPeople } from "../../static/js/people.js";
import { startSaving } from "../../static/js/saving.js";
import { DocumentStandIn, StandIn, dispatch } from "./stand-ins.js";

mock.timers.enable({ apis: ["setTimeout"] });
globalThis.MutationObserver = class { observe() {} };
globalThis.location = { pathname: "/designs/k/at/t" };
globalThis.sessionStorage = { window: "w1" };

let document, list, announcements, asked, answers, heads;
const settle = async () => { for (let n = 0; n < 5; n++) await new Promise(setImmediate); };
const news = (sequence, changes, here = []) => ({
  status: 200, news: { sequence, changes, here, company: `people ${here.length}`, far_behind: "", people: "<ul>" },
});
const change = (sequence, who = "Ben", what = "renamed readings") => ({ sequence, who, what, fields: [] });

beforeEach(() => {
  connection.become("");
  [asked, answers, heads] = [[], [], []];
  [list, announcements] = [new StandIn({ querySelectorAll: () => [] }), new StandIn({ textContent: "" })];
  const editor = new StandIn({ dataset: { news: "/designs/k/news", sequence: "7", key: "k" } });
  const centre = new StandIn({ querySelector: () => new StandIn({ dataset: { at: "t" } }) });
  const [parking, parked] = [new StandIn(), new StandIn()];
  const elements = { editor, centre, company: list, happened: announcements, parking, parked };
  globalThis.document = document = new DocumentStandIn(elements);
  document.querySelectorAll = () => [];
  globalThis.addEventListener = () => {};
  globalThis.htmx = { config: {}, process() {}, trigger() {} };
  globalThis.fetch = async (address) => {
    asked.push(address);
    const answer = address.includes("/news") ? answers.shift() ?? { status: 204 } : { status: 500 };
    const headers = new Map([["Retry-After", answer.pause ?? "1"]]);
    return { status: answer.status, headers, text: async () => "", json: async () => answer.news };
  };
  startSaving(document);
  startPeople(document);
  document.addEventListener("kw:head", ({ detail }) => heads.push(detail.sequence));
});
const ownForm = () => Object.assign(new StandIn({ tagName: "FORM" }), { querySelectorAll: () => [] });
function beginSaving() {                                                // → ends it
  const form = ownForm(), requestConfig = { verb: "post", elt: form, formData: [["v", "x"]] };
  form.classList.add("control");
  dispatch(document, "htmx:beforeRequest", { detail: { elt: form, requestConfig } });
  const xhr = { status: 204, getResponseHeader: () => "{}" };
  return () => dispatch(document, "htmx:afterRequest", { detail: { requestConfig, xhr } });
}

test("the question says what is known, in which window, and what is open", async () => {
  await ask();
  assert.equal(asked[0], "/designs/k/news?since=7&window=w1&at=t&company=&wait=15&page=%2Fdesigns%2Fk%2Fat%2Ft");
});

test("nothing is asked while the page is hidden, but for a connection that is lost", async () => {
  document.hidden = true;
  await ask();
  assert.equal(asked.length, 0);
  connection.become("lost");
  await ask();
  assert.equal(asked.length, 1);
  assert.equal(connection.isBroken, false, "it answers again");
});

test("one question is asked at a time", async () => {
  await Promise.all([ask(), ask(), ask()]);
  assert.equal(asked.length, 1);
});

test("the next question follows after the pause that the server says, or soon after one that it held", async () => {
  await ask();
  mock.timers.tick(999);
  assert.equal(asked.length, 1);
  answers.push({ status: 204, pause: "" });
  mock.timers.tick(1);
  await settle();
  assert.equal(asked.length, 2);
  mock.timers.tick(250);
  await settle();
  assert.equal(asked.length, 3);
});

test("a question that is still held is asked anew when this window saved, opened something or was hidden", async () => {
  const aborted = [], answerRest = globalThis.fetch;
  globalThis.fetch = (address, { signal }) => new Promise((resolve, reject) => {
    if (!address.includes("/news")) return void resolve(answerRest(address).finally(() => asked.pop()));
    asked.push(address);
    signal.addEventListener("abort", () => { aborted.push(address); reject(new Error("aborted")); });
  });
  ask();
  dispatch(document.body, "kw:saved", { detail: { sequence: 8, changed: true } });
  await settle();
  assert.deepEqual([asked.length, aborted.length], [2, 1]);
  assert.match(asked[1], /since=8&/);
  dispatch(document, "htmx:afterSettle", { detail: { target: { id: "centre", querySelector: () => null } } });
  await settle();
  assert.deepEqual([asked.length, aborted.length], [3, 2]);
  document.hidden = true;
  dispatch(document, "visibilitychange");
  await settle();
  assert.deepEqual([asked.length, aborted.length, connection.state], [3, 3, ""]);
  mock.timers.tick(60_000);
  await settle();
  assert.equal(asked.length, 3, "nothing is asked while hidden");
  document.hidden = false;
  dispatch(document, "visibilitychange");
  assert.equal(asked.length, 4);
  document.hidden = true;                                               // ends what is left over
  dispatch(document, "visibilitychange");
  mock.timers.tick(60_000);
  await settle();
});

test("what others changed is said, moves the head, and the open element is read anew", async () => {
  answers.push(news(9, [change(8), change(9, "Eve", "removed m")]));
  await ask();
  assert.equal(announcements.textContent, "Ben: renamed readings · Eve: removed m");
  assert.deepEqual(heads, [9]);
  assert.deepEqual(asked.slice(1), ["/designs/k/at/t"]);
});

test("an element that came with the news is shown without asking for it, unless another is open by then", async () => {
  const shown = [];
  const content = { querySelector: () => null };
  document.createElement = () => ({ content, set innerHTML(text) { shown.push(text); } });
  const withElement = (sequence) => ({ ...news(sequence, [change(sequence)]).news, element: "<section>" });
  answers.push({ status: 200, news: withElement(8) });
  await ask();
  assert.deepEqual([shown, asked.length], [["<section>"], 1]);
  answers.push({ status: 200, news: withElement(9) });
  const asking = ask();
  globalThis.location.pathname = "/designs/k/at/f";
  await asking;
  assert.deepEqual([shown.length, asked.slice(2)], [1, ["/designs/k/at/f"]]);
  globalThis.location.pathname = "/designs/k/at/t";
});

test("the next question knows what was read", async () => {
  answers.push(news(9, [change(8), change(9)], [{ way: [] }]));
  await ask();
  await ask();
  assert.match(asked.at(-1), /since=9&.*company=people\+1&/);
});

test("a page that is far behind says so, and reads the open element anew whoever made the newest changes", async () => {
  const answer = news(900, []);
  answer.news.far_behind = "Others made many changes.";
  answers.push(answer);
  await ask();
  assert.equal(announcements.textContent, "Others made many changes.");
  assert.deepEqual(asked.slice(1), ["/designs/k/at/t"]);
});

test("one's own change is no news, even when news of it come before its answer", async () => {
  const answer = beginSaving();
  answers.push(news(8, [change(8, "Ana")]));
  await ask();
  assert.deepEqual(heads, [], "news wait until it is known what was one's own");
  dispatch(document.body, "kw:saved", { detail: { sequence: 8, changed: true } });
  answer();
  await settle();
  assert.equal(announcements.textContent, "");
  assert.equal(list.innerHTML, "<ul>", "who is here is shown all the same");
});

test("what another changed while one's own was saved is news when that is answered", async () => {
  const answer = beginSaving();
  answers.push(news(9, [change(8), change(9, "Ana")]));
  await ask();
  dispatch(document.body, "kw:saved", { detail: { sequence: 9, changed: true } });
  answer();
  await settle();
  assert.equal(announcements.textContent, "Ben: renamed readings");
});

test("a design that is gone, or not open to one any more, is said to be gone", async () => {
  for (const status of [403, 404]) {
    connection.become("");
    answers.push({ status });
    await ask();
    assert.equal(connection.state, "gone");
  }
});

test("a question that gets no answer means that the connection is lost", async () => {
  globalThis.fetch = () => Promise.reject(new TypeError("network"));
  await ask();
  assert.equal(connection.state, "lost");
});
