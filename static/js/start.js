// The start page: what is computed comes when it is in view, a file can be dropped, a problem leads to its line.
const MOST_MS = 60000;                                                  // some connections never answer
const AT_ONCE = 2;                                                      // the server has other things to do as well

// --- summaries and cards: asked for in the order of the page, two at a time; what failed says so

const waiting = [];
let running = 0, leaving = false;                                       // who leaves need not wait for figures
const inView = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    if (!isIntersecting) continue;
    inView.unobserve(target);
    waiting.push(target);
  }
  next();
}, { rootMargin: "200px" });

function next() {
  while (running < AT_ONCE && waiting.length && !leaving) {
    const slot = waiting.shift();
    if (!slot.isConnected) continue;                                    // the list was filtered meanwhile
    running += 1;
    load(slot).finally(() => { running -= 1; next(); });
  }
}

async function load(slot) {
  slot.setAttribute("aria-busy", "true");
  try {
    const headers = { "HX-Request": "true" }, signal = AbortSignal.timeout(MOST_MS);
    const answer = await fetch(slot.dataset.computed, { headers, signal });
    if (!answer.ok) throw new Error(answer.statusText);
    htmx.swap(slot, await answer.text(), { swapStyle: "innerHTML" });
  } catch {
    if (leaving) return void waiting.unshift(slot);                     // who comes back sees it asked for again
    const sorry = document.createElement("span");
    slot.replaceChildren(Object.assign(sorry, { className: "error", textContent: slot.dataset.failed }));
  }
  slot.removeAttribute("aria-busy");
}

addEventListener("beforeunload", () => { leaving = true; setTimeout(() => { leaving = false; next(); }, 5000); });
addEventListener("pageshow", ({ persisted }) => { if (persisted) { leaving = false; next(); } });

function watch(within) { within.querySelectorAll("[data-computed]").forEach((slot) => inView.observe(slot)); }
watch(document);
document.addEventListener("htmx:load", ({ detail }) => { if (detail.elt !== document.body) watch(detail.elt); });

// --- new: a chosen or dropped file becomes text that can be mended here; too large a file is left to the server

const MOST_BYTES = 2_000_000;
const form = document.getElementById("new");

function problem(text) {
  const said = Object.assign(document.createElement("p"), { className: "error", textContent: text });
  said.setAttribute("role", "alert");
  document.getElementById("new-problems").replaceChildren(said);
}

let newest;                                                             // of two files the one chosen last
async function taken(file) {
  const { json, name } = form.elements;
  newest = file;
  document.getElementById("import").open = true;
  document.getElementById("new-problems").replaceChildren();
  if (file.size > MOST_BYTES) return;
  let text;
  try { text = await file.text(); } catch { return newest === file && problem(form.dataset.unread); }  // a folder
  if (newest !== file) return;
  json.value = text;
  form.elements.file.value = "";
  form.dataset.from = file.name;
  json.focus();
  json.setSelectionRange(0, 0);
  name.placeholder = file.name.replace(/\.json$/i, "");
}

if (form) {
  form.elements.file.addEventListener("change", ({ target }) => { if (target.files[0]) taken(target.files[0]); });
  addEventListener("dragover", (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    document.documentElement.classList.add("dropping");
  });
  addEventListener("dragleave", ({ relatedTarget }) => {
    if (!relatedTarget) document.documentElement.classList.remove("dropping");
  });
  addEventListener("drop", (event) => {
    document.documentElement.classList.remove("dropping");
    const file = event.dataTransfer?.files[0];
    if (!file) return;
    event.preventDefault();
    if (file.size > MOST_BYTES) form.elements.file.files = event.dataTransfer.files;
    taken(file);
  });
  form.addEventListener("click", ({ target }) => {
    if (!target.matches(".to-line")) return;
    const { json } = form.elements, lines = json.value.split("\n"), number = Number(target.dataset.line);
    const start = lines.slice(0, number - 1).reduce((sum, line) => sum + line.length + 1, 0);
    json.focus();
    json.setSelectionRange(start, start + (lines[number - 1] ?? "").length);
    json.scrollTop = (number - 3) * parseFloat(getComputedStyle(json).lineHeight);
  });
  for (const name of ["htmx:sendError", "htmx:responseError"]) {
    form.addEventListener(name, () => problem(form.dataset.failed));
  }
}

// --- menus: one open at a time, Escape closes it and gives the focus back

function shut(but) {
  for (const menu of document.querySelectorAll("details.menu[open]")) if (menu !== but) menu.open = false;
}
document.addEventListener("toggle", ({ target }) => {
  if (target.matches?.("details.menu") && target.open) shut(target);
}, true);
document.addEventListener("click", ({ target }) => { if (!target.closest?.("details.menu")) shut(); });
document.addEventListener("keydown", ({ key, target }) => {
  const menu = key === "Escape" && target.closest?.("details.menu[open]");
  if (!menu) return;
  menu.open = false;
  menu.querySelector("summary").focus();
});
