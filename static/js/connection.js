// The connection to the server: whether it stands. While it does not, the page says so and tries again, with longer
// and longer pauses.
const FIRST_PAUSE_MS = 1000, LONGEST_PAUSE_MS = 30000;
const UNREACHABLE = [0, 502, 503, 504];                                // no answer, or one of a proxy before the server

export const PATIENCE_MS = 20000;                                       // after sleep some connections never answer

export class Connection {
  state = "";                                                           // "" | "lost" | "signed-out" | "gone"
  probe = () => {};                                                     // asks the server for something
  onChange = () => {};
  #pauseMs = FIRST_PAUSE_MS;
  #timer = 0;

  get isBroken() { return this.state !== ""; }

  become(state) {
    if (state && state !== "gone") this.#tryLater(); else this.#stop();
    if (state === this.state) return;
    this.state = state;
    this.onChange(state);
  }
  // → whether the connection stands: a server that is busy says after which pause it is to be asked again
  readAnswer(status, pauseMs = 0) {
    // A 503 with a pause comes from our own server, which is busy; one without comes from a proxy that does not reach
    // it.
    if (UNREACHABLE.includes(status) && !(status === 503 && pauseMs)) this.become("lost");
    else if (status === 401) this.become("signed-out");
    else if (this.isBroken) this.become("");
    return !this.isBroken;
  }
  tryNow() {
    if (!this.isBroken || this.state === "gone") return;                // what is gone does not come back
    this.#stop();
    this.#try();
  }

  #tryLater() {                                                         // at random, so that not all pages ask at once
    this.#timer ||= setTimeout(() => this.#try(), this.#pauseMs * (0.8 + Math.random() * 0.4));
  }
  #try() {
    this.#timer = 0;
    this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS);
    this.probe();
  }
  #stop() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#pauseMs = FIRST_PAUSE_MS;
  }
}

export const connection = new Connection();

export async function renewToken() {                                    // → whether anybody is signed in
  const answer = await fetch(location.href, { signal: AbortSignal.timeout(PATIENCE_MS) });
  if (answer.redirected) {                                              // to the sign-in: after that it is asked again
    connection.become("signed-out");
    return false;
  }
  // The token changes with each sign-in, also with one in another tab; a fresh page has the present one.
  const { body } = new DOMParser().parseFromString(await answer.text(), "text/html");
  const headers = body.getAttribute("hx-headers");
  if (headers) document.body.setAttribute("hx-headers", headers);
  return true;
}
export function requestHeaders() {
  return { "HX-Request": "true", ...JSON.parse(document.body.getAttribute("hx-headers") ?? "{}") };
}

// Parts that the page asks for once, by itself: what did not come is asked for again when the connection is back.
const isAskedOnce = (elt) => elt.matches("[hx-trigger^=load], [hx-trigger$=once]");
const unanswered = new Map();                                           // part → where its answer goes

function askForUnanswered() {
  const parts = [...unanswered].filter(([part]) => part.isConnected);
  unanswered.clear();
  for (const [part, target] of parts) {
    htmx.ajax("GET", part.getAttribute("hx-get"), { source: part, target }).catch(() => { /* remembered again */ });
  }
}

export function startConnection(document) {
  const bar = document.getElementById("connection");
  connection.onChange = (state) => {
    document.body.classList.toggle("offline", Boolean(state));
    for (const text of bar.children) text.hidden = text.dataset.when !== state;
    if (!state) document.dispatchEvent(new Event("kw:back"));
  };
  bar.addEventListener("click", ({ target }) => { if (target.matches("[data-try]")) connection.tryNow(); });
  addEventListener("online", () => connection.tryNow());
  addEventListener("offline", () => connection.become("lost"));
  document.addEventListener("visibilitychange", () => { if (!document.hidden) connection.tryNow(); });
  document.addEventListener("htmx:beforeOnLoad", (event) => {           // to leave for the sign-in would lose text
    if (event.detail.xhr.status !== 401) return;
    event.preventDefault();
    connection.become("signed-out");
  });
  // no answer: not that the page gave the request up for another
  for (const event of ["htmx:sendError", "htmx:timeout"]) {
    document.addEventListener(event, ({ detail: { elt, target } }) => {
      if (isAskedOnce(elt)) unanswered.set(elt, target);
      connection.become("lost");
    });
  }
  document.addEventListener("kw:back", askForUnanswered);
  document.addEventListener("htmx:responseError", ({ detail: { elt, target, xhr } }) => {  // busy, and says until when
    const seconds = xhr.status === 503 && Number(xhr.getResponseHeader("Retry-After"));
    if (!seconds || !isAskedOnce(elt)) return;
    unanswered.set(elt, target);
    setTimeout(askForUnanswered, 1000 * seconds);
  });
}
