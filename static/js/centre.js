// What is open: one element at a time, the one asked for last. Back and forward leave the page; the element at the
// address is read anew.
const centre = document.getElementById("centre");
const PAUSE = 3000;
let opening = null;                                                     // the request for what is to be open
let shown = location.pathname, unread = false;                          // whether the address is already another's

htmx.config.historyCacheSize = 0;
export const reading = () => unread;

// --- an answer that comes after something else was asked for is of no use any more

const opens = ({ target, requestConfig }) => target.id === "centre" && requestConfig.verb === "get";
document.addEventListener("htmx:beforeSend", ({ detail }) => { if (opens(detail)) opening = detail.xhr; });
document.addEventListener("htmx:beforeOnLoad", (event) => {
  if (opens(event.detail) && event.detail.xhr !== opening) event.preventDefault();
});

// --- back and forward

for (const event of ["htmx:pushedIntoHistory", "htmx:replacedInHistory"]) {
  document.addEventListener(event, () => {
    if (unread) opening = null;                                         // what was added meanwhile is open instead
    [shown, unread] = [location.pathname, false];
  });
}
addEventListener("popstate", (event) => {
  event.stopImmediatePropagation();
  unread = shown !== location.pathname;                                 // else only the place in the page is another
  if (unread) read(); else stop();
}, { capture: true });

const stop = () => htmx.trigger(centre, "htmx:abort");                  // of the step before
function read() {
  stop();                                                               // htmx would keep the new one until it is answered
  htmx.ajax("GET", location.pathname, { source: "#centre", target: "#centre", swap: "innerHTML" }).catch(() => {});
}
document.addEventListener("htmx:afterSwap", ({ detail }) => {
  if (detail.target?.id === "centre") [shown, unread] = [location.pathname, false];
});
document.addEventListener("kw:back", () => { if (unread) read(); });
document.addEventListener("htmx:responseError", ({ detail: { xhr } }) => {  // the server failed: it is asked again
  if (xhr === opening && xhr.status >= 500) setTimeout(() => { if (unread && xhr === opening) read(); }, PAUSE);
});
