// The open element: one at a time, the one asked for last. Back and forward leave the page; the element at the address
// is read anew.
const RETRY_MS = 3000;

export class OpenElement {
  isUnread = false;                                                     // the address is already another's
  #path;
  #request = null;                                                      // for what is to be open

  constructor(path) { this.#path = path; }

  ask(request) { this.#request = request; }
  isNewest(request) { return request === this.#request; }

  push(path) {                                                          // what was added meanwhile is open instead
    if (this.isUnread) this.#request = null;
    this.show(path);
  }
  show(path) { [this.#path, this.isUnread] = [path, false]; }
  goTo(path) {                                                          // back or forward → whether it must be read
    this.isUnread = path !== this.#path;                                // else only the place in the page is another
    return this.isUnread;
  }
  mustRetry(request, status) { return this.isNewest(request) && status >= 500; }
}

let open = null;
export const isReading = () => open?.isUnread ?? false;

export function startOpenElement(document) {
  const centre = document.getElementById("centre");
  const isOpening = ({ target, requestConfig }) => target.id === "centre" && requestConfig.verb === "get";
  const stop = () => htmx.trigger(centre, "htmx:abort");                // of the step before
  const read = () => {
    stop();                                                          // htmx would keep the new one until it is answered
    htmx.ajax("GET", location.pathname, { source: "#centre", target: "#centre", swap: "innerHTML" }).catch(() => {});
  };
  open = new OpenElement(location.pathname);
  // htmx keeps copies of pages for going back, which would show others' edits of before; each step reads anew (decision
  // 17).
  htmx.config.historyCacheSize = 0;

  document.addEventListener("htmx:beforeSend", ({ detail }) => { if (isOpening(detail)) open.ask(detail.xhr); });
  document.addEventListener("htmx:beforeOnLoad", (event) => {           // something else was asked for since
    if (isOpening(event.detail) && !open.isNewest(event.detail.xhr)) event.preventDefault();
  });
  for (const event of ["htmx:pushedIntoHistory", "htmx:replacedInHistory"]) {
    document.addEventListener(event, () => open.push(location.pathname));
  }
  addEventListener("popstate", (event) => {
    // Captured before htmx's own listener, which would load the whole page.
    event.stopImmediatePropagation();
    if (open.goTo(location.pathname)) read(); else stop();
  }, { capture: true });
  document.addEventListener("htmx:afterSwap", ({ detail }) => {
    if (detail.target?.id === "centre") open.show(location.pathname);
  });
  document.addEventListener("kw:back", () => { if (open.isUnread) read(); });
  document.addEventListener("htmx:responseError", ({ detail: { xhr } }) => {
    if (!open.mustRetry(xhr, xhr.status)) return;
    setTimeout(() => { if (open.isUnread && open.isNewest(xhr)) read(); }, RETRY_MS);
  });
}
