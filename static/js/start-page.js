// The start page: what is computed comes when it is in view, a file can be dropped, a problem leads to its line.
import { createElement, pauseAfter } from "./text.js";

const TIMEOUT_MS = 60000;                                               // some connections never answer
const LOADS_MAX = 2;                                                    // the server has other things to do as well
const FILE_MAX_BYTES = 2_000_000;
const LEAVING_MS = 5000;

// --- summaries and cards: asked for in the order of the page, two at a time; what failed says so

export class LoadQueue {
  #waiting = [];
  #running = 0;
  #isPaused = false;                                                    // who leaves need not wait for figures

  constructor(load) { this.load = load; }                               // of one slot → a promise
  get isPaused() { return this.#isPaused; }

  add(slot) { this.#waiting.push(slot); }
  addFirst(slot) { this.#waiting.unshift(slot); }
  pause() { this.#isPaused = true; }
  goOn() { this.#isPaused = false; this.run(); }
  run() {
    while (this.#running < LOADS_MAX && this.#waiting.length && !this.#isPaused) {
      // In the order of the page; what failed while the page was being left is put in front again.
      const slot = this.#waiting.shift();
      if (!slot.isConnected) continue;                                  // the list was filtered meanwhile
      this.#running += 1;
      this.load(slot).finally(() => { this.#running -= 1; this.run(); });
    }
  }
}
export const queue = new LoadQueue(loadSlot);

export async function loadSlot(slot) {
  slot.setAttribute("aria-busy", "true");
  try {
    const headers = { "HX-Request": "true" }, signal = AbortSignal.timeout(TIMEOUT_MS);
    const answer = await fetch(slot.dataset.computed, { headers, signal });
    const pauseMs = pauseAfter(answer);
    if (pauseMs) {                                                      // it is still computed
      // The slot keeps its place among the two: asking others meanwhile would only add to the work of a busy server.
      await new Promise((goOn) => { setTimeout(goOn, pauseMs); });
      return await loadSlot(slot);
    }
    if (!answer.ok) throw new Error(answer.statusText);
    // By htmx and not by innerHTML: attributes of htmx in the answer come to life.
    htmx.swap(slot, await answer.text(), { swapStyle: "innerHTML" });
  } catch {
    if (queue.isPaused) return void queue.addFirst(slot);               // who comes back sees it asked for again
    slot.replaceChildren(createElement("span", { className: "error", textContent: slot.dataset.failed }));
  }
  slot.removeAttribute("aria-busy");
}
function startLoading(document) {
  const inView = new IntersectionObserver((entries) => {
    for (const { target } of entries.filter(({ isIntersecting }) => isIntersecting)) {
      // Each is asked for once, however often it comes into view.
      inView.unobserve(target);
      queue.add(target);
    }
    queue.run();
  }, { rootMargin: "400px" });
  // Some way before it comes into view (rootMargin), so that it is mostly there in time.
  const watch = (root) => root.querySelectorAll("[data-computed]").forEach((slot) => inView.observe(slot));
  // A browser has few connections to a host: the next page would wait behind the figures. If the page stays, as after a
  // download, they go on.
  addEventListener("beforeunload", () => { queue.pause(); setTimeout(() => queue.goOn(), LEAVING_MS); });
  // Back from the next page, out of the browser's cache of pages, with the queue still paused.
  addEventListener("pageshow", ({ persisted }) => { if (persisted) queue.goOn(); });
  // htmx also fires it for the whole page at the start, which is watched below.
  document.addEventListener("htmx:load", ({ detail }) => { if (detail.elt !== document.body) watch(detail.elt); });
  watch(document);
}

// --- new: a chosen or dropped file becomes text that can be mended here; too large a file is left to the server

export const designName = (fileName) => fileName.replace(/\.json$/i, "");

// Where a line, counted from 1, begins and ends in a text.
export function lineRange(text, number) {
  const lines = text.split("\n");
  const begin = lines.slice(0, number - 1).reduce((sum, line) => sum + line.length + 1, 0);
  return [begin, begin + (lines[number - 1] ?? "").length];
}

function showProblem(text) {
  const line = createElement("p", { className: "error", textContent: text });
  line.setAttribute("role", "alert");
  document.getElementById("new-problems").replaceChildren(line);
}
let newestFile = null;                                                  // of two the one chosen last
export async function readFile(form, file) {
  const { json, name } = form.elements;
  // Reading takes time: a file that was chosen before must not come after this one.
  newestFile = file;
  document.getElementById("import").open = true;
  document.getElementById("new-problems").replaceChildren();
  // It stays in the input, so that the server refuses it in the usual words.
  if (file.size > FILE_MAX_BYTES) return;
  let text;
  try { text = await file.text(); } catch {                             // a folder
    if (newestFile === file) showProblem(form.dataset.unread);
    return;
  }
  if (newestFile !== file) return;
  json.value = text;
  // Otherwise the file would be sent too, and its content would go before what was changed in the text.
  form.elements.file.value = "";
  form.dataset.from = file.name;
  json.focus();
  json.setSelectionRange(0, 0);
  name.placeholder = designName(file.name);
}
function goToLine(json, number) {
  json.focus();
  json.setSelectionRange(...lineRange(json.value, number));
  json.scrollTop = (number - 3) * parseFloat(getComputedStyle(json).lineHeight);
}
export function startForm(form) {
  const root = document.documentElement;
  form.elements.file.addEventListener("change", ({ target }) => {
    if (target.files[0]) readFile(form, target.files[0]);
  });
  addEventListener("dragover", (event) => {
    // Text that is dragged within the page is not for the form.
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    root.classList.add("dropping");
  });
  // Without a related target, the pointer has left the window; between two elements, each leave is followed by an
  // enter.
  addEventListener("dragleave", ({ relatedTarget }) => { if (!relatedTarget) root.classList.remove("dropping"); });
  addEventListener("drop", (event) => {
    root.classList.remove("dropping");
    const file = event.dataTransfer?.files[0];
    if (!file) return;
    event.preventDefault();
    // Put into the input as if it had been chosen there, for the server to refuse.
    if (file.size > FILE_MAX_BYTES) form.elements.file.files = event.dataTransfer.files;
    readFile(form, file);
  });
  form.addEventListener("click", ({ target }) => {
    if (target.matches(".to-line")) goToLine(form.elements.json, Number(target.dataset.line));
  });
  for (const name of ["htmx:sendError", "htmx:responseError"]) {
    form.addEventListener(name, () => showProblem(form.dataset.failed));
  }
}

// --- menus: one open at a time, Escape closes it and gives the focus back

function closeMenus(except) {
  for (const menu of document.querySelectorAll("details.menu[open]")) if (menu !== except) menu.open = false;
}
function startMenus(document) {
  // "toggle" does not bubble: only a capturing listener hears it here.
  document.addEventListener("toggle", ({ target }) => {
    if (target.matches?.("details.menu") && target.open) closeMenus(target);
  }, true);
  document.addEventListener("click", ({ target }) => { if (!target.closest?.("details.menu")) closeMenus(); });
  document.addEventListener("keydown", ({ key, target }) => {
    const menu = key === "Escape" && target.closest?.("details.menu[open]");
    if (!menu) return;
    menu.open = false;
    menu.querySelector("summary").focus();
  });
}

// --- the first schemas are shown: on a wide screen they come below the fold, under what was typed

function showFirstSchemas(document) {
  const answer = document.getElementById("answer"), does = document.getElementById("does");
  let isShown = false;
  answer?.addEventListener("htmx:afterSwap", () => {
    const first = answer.querySelector(".schema-choice");
    if (!first || isShown || !matchMedia("(min-width: 60rem)").matches) return;
    isShown = true;
    // Only the first time, and only if they cannot be seen: a page that moves while somebody types is worse.
    if (first.getBoundingClientRect().bottom > innerHeight) does.scrollIntoView({ block: "start" });
  });
}

export function start(document) {
  const form = document.getElementById("new");
  startLoading(document);
  if (form) startForm(form);
  startMenus(document);
  showFirstSchemas(document);
}
if (globalThis.document) start(document);
