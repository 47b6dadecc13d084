// What a page asks for after it has come, and what did not come: said in its place, or above the page until something
// comes. The editor has its own way (connection.js).
const notice = () => document.getElementById("unanswered");             // a page that is gone back to has its own
const polls = (elt) => elt?.matches("[hx-trigger^=every]");
if (window.htmx) htmx.config.timeout = 60000;                             // some connections never answer
let about = null;                                                        // what the notice is about

for (const name of ["htmx:responseError", "htmx:sendError", "htmx:timeout"]) {
  document.addEventListener(name, ({ detail: { elt, requestConfig } }) => {
    if (elt.closest("[data-failed]")) return;                            // says so itself
    if (elt.matches("[hx-trigger$=once]")) return offer(elt);
    about = elt;
    const place = notice(), said = place.querySelector("p");
    const words = elt.dataset.unanswered ?? place.dataset[requestConfig.verb === "get" ? "unloaded" : "unsent"];
    if (said.textContent !== words) said.textContent = words;
    if (!place.matches(":popover-open")) place.showPopover();
  });
}
document.addEventListener("htmx:afterRequest", ({ detail }) => {
  if (!detail.successful || (polls(detail.elt) && !polls(about))) return;
  if (notice().matches(":popover-open")) notice().hidePopover();
});

function offer(slot) {                                                   // what is asked for once: to ask again
  const before = [...slot.childNodes];
  slot.replaceChildren(notice().querySelector("template").content.cloneNode(true));
  slot.querySelector("button").addEventListener("click", () => {
    slot.replaceChildren(...before);
    htmx.ajax("GET", slot.getAttribute("hx-get"), { source: slot, target: slot }).catch(() => { /* said again */ });
  });
}

// A whole page that says that nothing is there is no part of this one.
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (detail.xhr.status !== 404 || !/^\s*<!doctype/i.test(detail.serverResponse)) return;
  detail.shouldSwap = false;
  detail.isError = true;
});

// What was unfolded before this page listened.
document.addEventListener("htmx:load", ({ detail: { elt } }) => {
  for (const slot of elt.querySelectorAll("[hx-trigger^=toggle]")) {
    const holder = slot.closest("details");
    if (holder?.open) holder.dispatchEvent(new Event("toggle"));
  }
});
