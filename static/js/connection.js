// The connection to the server: whether it stands. When it does not, the page says so and tries again, with longer
// pauses.
const bar = document.getElementById("connection");
const FIRST = 1000, LONGEST = 30000;
let state = "", pause = FIRST, timer = 0, probe = () => {};

export const PATIENCE = 20000;                                          // after sleep some connections never answer
export const broken = () => state !== "";
export const tryWith = (ask) => { probe = ask; };

export function becomes(next) {                                         // "" | "lost" | "signed-out" | "gone"
  if (next && next !== "gone") again(); else stop();
  if (next === state) return;
  state = next;
  document.body.classList.toggle("offline", Boolean(state));
  for (const text of bar.children) text.hidden = text.dataset.when !== state;
  if (!state) document.dispatchEvent(new Event("kw:back"));
}
function again() { timer ||= setTimeout(tried, pause * (0.8 + Math.random() * 0.4)); }  // once, whoever else says so
function tried() { timer = 0; pause = Math.min(pause * 2, LONGEST); probe(); }
function stop() { clearTimeout(timer); timer = 0; pause = FIRST; }
function now() { if (state && state !== "gone") { stop(); tried(); } }

export function heard(status) {                                         // what an answer says of it: true, it stands
  if ([0, 502, 503, 504].includes(status)) becomes("lost");
  else if (status === 401) becomes("signed-out");
  else if (state) becomes("");
  return !state;
}

export async function renewed() {                                       // → whether anybody is signed in; with the token of now
  const answer = await fetch(location.href, { signal: AbortSignal.timeout(PATIENCE) });
  if (answer.redirected) { becomes("signed-out"); return false; }       // to the sign-in: after that it is asked again
  const body = new DOMParser().parseFromString(await answer.text(), "text/html").body;
  const anew = body.getAttribute("hx-headers");
  if (anew) document.body.setAttribute("hx-headers", anew);
  return true;
}
export function headers() {
  return { "HX-Request": "true", ...JSON.parse(document.body.getAttribute("hx-headers") ?? "{}") };
}

bar.addEventListener("click", ({ target }) => { if (target.matches("[data-try]")) now(); });
addEventListener("online", now);
addEventListener("offline", () => becomes("lost"));
document.addEventListener("visibilitychange", () => { if (!document.hidden) now(); });
document.addEventListener("htmx:beforeOnLoad", (event) => {             // to leave for the sign-in would lose text
  if (event.detail.xhr.status !== 401) return;
  event.preventDefault();
  becomes("signed-out");
});
// no answer: not that the page gave the request up for another
for (const event of ["htmx:sendError", "htmx:timeout"]) document.addEventListener(event, () => becomes("lost"));
