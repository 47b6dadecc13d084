// Answers shown in a page that has changed since it asked: another element is open, or who asked was swapped.
const OTHERS = "[hx-swap-oob]";                                         // parts of an answer that go elsewhere

const left = new WeakSet();                                             // requests whose answers nobody waits for

export const isLeft = (xhr) => left.has(xhr);

// An answer without those of its parts whose places are not on this page.
export function withPlaces(text) {
  if (!text.includes("hx-swap-oob")) return text;
  const answer = document.createElement("template");
  answer.innerHTML = text;
  const homeless = [...answer.content.querySelectorAll(OTHERS)].filter(({ id }) => !document.getElementById(id));
  for (const part of homeless) part.remove();
  return homeless.length ? answer.innerHTML : text;
}
function choosePlaces({ detail }) {
  if (detail.shouldSwap) detail.serverResponse = withPlaces(detail.serverResponse);
}
function choosePlacesUnheard(event) {                                   // of what is gone the document hears nothing
  if (!event.target.isConnected) choosePlaces(event);
}

// htmx tells of an answer at the element that asked, and looks for places from there: it stands in the page for that.
function keepAsker(elt, xhr) {
  const stand = Object.assign(document.createElement("div"), { hidden: true });
  stand.append(elt);
  document.body.append(stand);
  xhr.addEventListener("loadend", () => stand.remove());
}
function watchAnswer({ detail: { elt, target, xhr, requestConfig } }) {
  target.addEventListener("htmx:beforeSwap", choosePlacesUnheard);
  xhr.addEventListener("readystatechange", () => {
    if (xhr.readyState !== XMLHttpRequest.DONE) return;
    if (requestConfig.verb === "get" && !target.isConnected) left.add(xhr);
    if (!elt.isConnected) keepAsker(elt, xhr);
  });
}

// htmx writes to the console that a request was given up for a newer one, and each lost one twice.
function keepConsole(elt, name, detail) {
  if (["htmx:sendAbort", "htmx:afterRequest"].includes(name)) delete detail.error;
}

export function startAnswers(document) {
  if (globalThis.htmx) htmx.logger = keepConsole;
  document.addEventListener("htmx:beforeRequest", watchAnswer);
  document.addEventListener("htmx:beforeOnLoad", (event) => { if (isLeft(event.detail.xhr)) event.preventDefault(); });
  document.addEventListener("htmx:beforeSwap", choosePlaces);
}
