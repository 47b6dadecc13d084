// A review: what is said opens beside the page; the signs beside things follow it.

// Answers may come in another order than they were asked for: only the newest is shown, and while something is being
// sent nothing else is opened, so that what is said of it is read.
export class PanelRequests {
  #newest = null;
  #sending = null;

  begin(request, verb) {                                                // → whether it may be sent
    if (this.#sending) return false;
    this.#newest = request;
    if (verb !== "get") this.#sending = request;
    return true;
  }
  isNewest(request) { return request === this.#newest; }
  end(request) { if (request === this.#sending) this.#sending = null; }
}

// The question for a cell of a map, as the server reads it: what the map shows, the range, the time of day.
export function cellQuery({ of, row, time }) {
  return new URLSearchParams({ of, row, clock: time.toISOString().slice(11, 16) });
}
// Comments stand at the end of the window, or at its start where the map is at the end: never over what they are about.
export const isAtEnd = ({ left, right }, width) => (left + right) / 2 > width / 2;

function startPanel(document) {
  const panel = document.getElementById("panel"), requests = new PanelRequests();
  document.addEventListener("htmx:beforeRequest", (event) => {
    const { target, xhr, requestConfig } = event.detail;
    if (target?.id === "panel-body" && !requests.begin(xhr, requestConfig.verb)) event.preventDefault();
  });
  document.addEventListener("htmx:beforeSwap", (event) => {
    const { target, xhr } = event.detail;
    if (target.id === "panel-body" && !requests.isNewest(xhr)) event.preventDefault();
  });
  document.addEventListener("htmx:afterRequest", ({ detail }) => requests.end(detail.xhr));
  document.addEventListener("htmx:afterSwap", ({ detail }) => {
    if (detail.target?.id !== "panel-body") return;
    if (!panel.matches(":popover-open")) panel.showPopover();
    const field = panel.querySelector("[aria-invalid=true], #say-name[value=''], textarea");
    (field ?? panel).focus({ preventScroll: true });
  });
}
function updateSigns({ detail }) {
  for (const { address, open, total } of detail.spots) {
    for (const sign of document.querySelectorAll("a.talk")) {
      if (sign.getAttribute("href") !== address) continue;
      sign.classList.toggle("has", total > 0);
      sign.classList.toggle("open", open > 0);
      sign.querySelector(".talk-sign").textContent = total || "+";
    }
  }
}
function repeatName({ target }) {                                       // who one is needs to be said once
  if (target.name !== "name") return;
  for (const field of document.querySelectorAll("input[name=name]")) field.value ||= target.value;
}
function openCell({ target, detail }) {                               // a cell that is clicked in a map is talked about
  const link = target.closest("section")?.querySelector(".of-heat a.talk");
  if (!link) return;
  const address = `${link.getAttribute("href")}?${cellQuery(detail)}`;
  const isMapAtEnd = isAtEnd(target.getBoundingClientRect(), innerWidth);
  document.getElementById("panel").classList.toggle("at-start", isMapAtEnd);
  htmx.ajax("GET", address, "#panel-body").catch(() => { /* request-errors.js says so */ });
}

export function start(document) {
  startPanel(document);
  document.body.addEventListener("kw:talked", updateSigns);
  document.addEventListener("change", repeatName);
  document.addEventListener("kw:cell", openCell);
  document.addEventListener("click", ({ target }) => {
    if (target.closest?.("a.talk")) document.getElementById("panel").classList.remove("at-start");
  });
}
if (globalThis.document) start(document);
