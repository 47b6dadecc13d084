// The people here: who has the design open and where, and what they change. The element that is open follows
// (refresh.js); the rest is said.
import { PATIENCE_MS, connection } from "./connection.js";
import { NewsLog, addressEnds } from "./news.js";
import { refresh, refreshIfWanted, refreshLater, startRefresh } from "./refresh.js";
import { readRelease } from "./release.js";
import { isSaving } from "./saving.js";
import { pauseAfter } from "./text.js";

const FIRST_PAUSE_MS = 500, HOLD_SECONDS = 15;
const PAUSE_MS = 1000, PAUSE_AFTER_NEWS_MS = 200;
const LEAST_MS = 250;                                                   // between two questions

let editor, centre, list, announcements, log;
let people = [], version = "";                                          // of the list of people
let question = null, timer = 0;                                         // the one that is not answered yet; the next
const answers = [];                                                     // not read yet

// --- asking: one question at a time, which the server may hold until there is something new; never while hidden

function windowId() {                                                   // a person may have several
  const id = () => crypto.getRandomValues(new Uint32Array(1))[0].toString(16);
  // sessionStorage belongs to a tab, and outlives a reload of it.
  return (sessionStorage.window ||= id());
}
const isHidden = () => document.hidden && !connection.isBroken;

export async function ask() {
  if (question || isHidden()) return;
  clearTimeout(timer);
  const mine = question = new AbortController();
  // Longer than the server holds the question; a connection that died without a word would be waited for without end.
  const patience = setTimeout(() => mine.abort(), 1000 * HOLD_SECONDS + PATIENCE_MS / 2);
  const asked = Date.now();
  let pauseMs = PAUSE_MS;
  try {
    const at = centre.querySelector("section.element")?.dataset.at ?? "";
    const page = location.pathname;                                     // what it shows may come with the news
    const query = new URLSearchParams({
      since: log.sequence, window: windowId(), at, company: version, wait: HOLD_SECONDS, page,
    });
    const options = { headers: { "HX-Request": "true" }, signal: mine.signal };
    const answer = await fetch(`${editor.dataset.news}?${query}`, options);
    const askedMs = pauseAfter(answer);
    readRelease(answer);
    if ([403, 404].includes(answer.status)) connection.become("gone");
    else if (connection.readAnswer(answer.status, askedMs) && answer.status === 200) {
      answers.push({ ...await answer.json(), page });
      readAnswers();
      if (!answers.length) pauseMs = PAUSE_AFTER_NEWS_MS;
    } else if ([204, 503].includes(answer.status)) pauseMs = askedMs || Math.max(0, asked + LEAST_MS - Date.now());
  } catch { if (question === mine) connection.become("lost"); } finally {
    clearTimeout(patience);
    if (question === mine) {
      question = null;
      timer = setTimeout(() => { if (!connection.isBroken) ask(); }, pauseMs);
    }
  }
}
function askAnew() {                                                    // what is known, or where this window is, moved
  const earlier = question;
  question = null;
  earlier?.abort();
  ask();
}

// --- reading: news wait while something of this window is under way, so that it knows what was its own

function readAnswers() {
  // News of an edit of this window may come before the answer that says that it was this window's.
  if (isSaving()) return;
  for (const news of answers.splice(0)) {
    [people, version] = [news.here, news.company];
    list.innerHTML = news.people;
    htmx.process(list);
    markPeople();
    const changes = log.read(news);
    if (!changes) continue;
    document.dispatchEvent(new CustomEvent("kw:head", { detail: news }));
    if (!changes.length && !news.far_behind) continue;
    announcements.textContent = news.far_behind || changes.map(({ who, what }) => `${who}: ${what}`).join(" · ");
    refresh(news.page === location.pathname ? news.element : "");
  }
}

function markPeople() {                                                 // in the outline, beside what each has open
  document.querySelectorAll("#outline .here").forEach((mark) => mark.remove());
  const badges = list.querySelectorAll("a.person");
  people.forEach(({ way }, n) => {
    const ends = addressEnds(way, editor.dataset.key);
    const link = ends.map((end) => document.querySelector(`#outline a[href$="${end}"]`)).find(Boolean);
    if (link && badges[n]) link.append(createMark(badges[n]));
  });
}
function createMark(badge) {
  const tint = [...badge.classList].find((name) => name.startsWith("tint-")), mark = document.createElement("span");
  Object.assign(mark, { className: `here person ${tint}`, title: badge.title });
  mark.textContent = badge.querySelector("[aria-hidden]").textContent;
  mark.setAttribute("aria-hidden", "true");
  return mark;
}

export function startPeople(document) {
  editor = document.getElementById("editor");
  centre = document.getElementById("centre");
  list = document.getElementById("company");
  announcements = document.getElementById("happened");
  log = new NewsLog(Number(editor.dataset.sequence));
  connection.probe = ask;
  timer = setTimeout(ask, FIRST_PAUSE_MS);
  document.addEventListener("visibilitychange", askAnew);
  document.addEventListener("htmx:afterSettle", ({ detail }) => {
    if (detail.target?.id === "centre" && question) askAnew();
  });
  for (const event of ["pageshow", "focus"]) addEventListener(event, ask);
  document.addEventListener("kw:answered", () => { readAnswers(); refreshIfWanted(); });
  document.body.addEventListener("kw:saved", ({ detail }) => {
    log.store(detail);
    if (question) askAnew();
    refreshLater(detail.structure ? 0 : undefined);
  });
  new MutationObserver((records) => {                                   // the outline came anew: it is marked again
    if (records.some(({ addedNodes }) => [...addedNodes].some((node) => node.id === "outline"))) markPeople();
  }).observe(editor, { childList: true, subtree: true });
  startRefresh(document, { log, ask });
}
