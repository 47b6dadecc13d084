// What a page asks for after it has come, and what did not come: said in its place, or above the page until something
// comes. The editor has its own way (connection.js).
import { isLeft, startAnswers } from "./answers.js";

const TIMEOUT_MS = 60000;                                               // some connections never answer

let failed = null;                                                      // the element that the notice is about

const notice = () => document.getElementById("unanswered");             // a page that is gone back to has its own
const isPolling = (elt) => elt?.matches("[hx-trigger^=every]");

// A whole page that says that nothing is there is no part of this one.
export const isErrorPage = (status, text) => status === 404 && /^\s*<!doctype/i.test(text);

const indicatorOf = (elt) => document.querySelector(elt.closest("[hx-indicator]")?.getAttribute("hx-indicator")) ?? elt;

// What the server still computes is asked for again when it says, which is no failure; a whole page by the browser.
function askLater({ elt, target, boosted, pathInfo, requestConfig, xhr }) {
  const seconds = xhr?.status === 503 && Number(xhr.getResponseHeader("Retry-After"));
  if (!seconds || (requestConfig.verb !== "get" && !elt.matches("form[data-repeatable]"))) return false;
  const address = pathInfo.finalRequestPath;
  setTimeout(() => indicatorOf(elt).classList.add("htmx-request"));     // until the next request ends
  if (requestConfig.verb !== "get") setTimeout(() => elt.isConnected && htmx.trigger(elt, "submit"), 1000 * seconds);
  else if (boosted) location.assign(address);
  else setTimeout(() => {
    if (elt.isConnected) htmx.ajax("GET", address, { source: elt, target }).catch(() => { /* said again */ });
  }, 1000 * seconds);
  return true;
}
function sayFailure({ detail }) {
  const { elt, requestConfig, xhr } = detail;
  if (isLeft(xhr) || askLater(detail) || elt.closest("[data-failed]")) return;         // the latter says so itself
  if (elt.matches("[hx-trigger$=once]")) return offerAgain(elt);
  failed = elt;
  const place = notice(), line = place.querySelector("p");
  const text = elt.dataset.unanswered ?? place.dataset[requestConfig.verb === "get" ? "unloaded" : "unsent"];
  if (line.textContent !== text) line.textContent = text;
  if (!place.matches(":popover-open")) place.showPopover();
}
function hideNotice({ detail }) {
  if (!detail.successful || (isPolling(detail.elt) && !isPolling(failed))) return;
  if (notice().matches(":popover-open")) notice().hidePopover();
}
function offerAgain(slot) {                                             // what is asked for once
  const before = [...slot.childNodes];
  slot.replaceChildren(notice().querySelector("template").content.cloneNode(true));
  slot.querySelector("button").addEventListener("click", () => {
    slot.replaceChildren(...before);
    htmx.ajax("GET", slot.getAttribute("hx-get"), { source: slot, target: slot }).catch(() => { /* said again */ });
  });
}

export function start(document) {
  startAnswers(document);
  if (globalThis.htmx) htmx.config.timeout = TIMEOUT_MS;
  for (const name of ["htmx:responseError", "htmx:sendError", "htmx:timeout"]) {
    document.addEventListener(name, sayFailure);
  }
  document.addEventListener("htmx:afterRequest", hideNotice);
  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    if (!isErrorPage(detail.xhr.status, detail.serverResponse)) return;
    detail.shouldSwap = false;
    detail.isError = true;
  });
  document.addEventListener("htmx:load", ({ detail: { elt } }) => {     // what was unfolded before this page listened
    for (const slot of elt.querySelectorAll("[hx-trigger^=toggle]")) {
      const fold = slot.closest("details");
      if (fold?.open) fold.dispatchEvent(new Event("toggle"));
    }
  });
}
if (globalThis.document) start(document);
