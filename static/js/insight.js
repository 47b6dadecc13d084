// Beside the editor: what was open stays open when a new answer comes, money since the start, the panel for one thing
// more.
const insight = document.getElementById("insight");
const panel = document.getElementById("panel");
const key = document.getElementById("editor").dataset.key;
const said = document.getElementById("said");
let kept = new Map();
let asked = insight.classList.contains("stale") ? performance.now() : 0;

// --- a new answer: what was open is open again, with what it held, until its own newer answer is there

const REACHED = "a[href], button, input, summary, [tabindex]";
const reached = (part) => [...(part?.querySelectorAll(REACHED) ?? [])];
const holder = (one) => one.closest("details[data-keep]");
const head = () => insight.querySelector(".insight-head h2");
const loose = () => reached(insight).filter((one) => !holder(one));
let focus = null;                                                      // its place in a finding of this name, or loose
function focused() {
  const now = document.activeElement;
  if (!insight.contains(now)) return null;
  const keep = holder(now)?.dataset.keep, all = keep ? reached(holder(now)) : loose();
  return { keep, at: all.indexOf(now) };
}
function refocus({ keep, at }) {
  const own = keep && [...insight.querySelectorAll("details[data-keep]")].find((one) => one.dataset.keep === keep);
  const all = keep ? reached(own) : loose();
  (all[at] ?? all[0] ?? head())?.focus({ preventScroll: true });
}

insight.addEventListener("kw:asked", () => { asked ||= performance.now(); });
insight.addEventListener("kw:before", () => {
  const open = [...insight.querySelectorAll("details[data-keep][open]")];
  kept = new Map(open.map((one) => [one.dataset.keep, one.querySelector(":scope > div")?.innerHTML ?? ""]));
  focus = focused();
});
insight.addEventListener("kw:after", () => {
  for (const one of insight.querySelectorAll("details[data-keep]")) {
    if (!kept.has(one.dataset.keep) || one.open) continue;
    const body = one.querySelector(":scope > div");
    if (body && !body.innerHTML) body.innerHTML = kept.get(one.dataset.keep);
    one.open = true;
  }
  if (focus) refocus(focus);
  const took = insight.querySelector(".took");
  if (took && asked) took.textContent = `${Math.round(performance.now() - asked)} ms`;
  asked = 0;
  insight.classList.remove("kept");
  since();
});

// --- money: the first total of this design that this tab saw is what changes are told against

function since() {
  const ticker = insight.querySelector(".ticker[data-total]"), place = ticker?.querySelector(".since");
  if (!place) return;
  const { total, currency, open } = ticker.dataset, name = `first-total-${key}`;
  const first = JSON.parse(sessionStorage.getItem(name) ?? "null") ?? { total, currency, open };
  sessionStorage.setItem(name, JSON.stringify(first));
  const change = Math.round(Number(total) - Number(first.total));
  if (first.currency !== currency || first.open !== open || !change) return;  // with more lines open it is not known
  const whole = { maximumFractionDigits: 0, signDisplay: "always" };
  const style = { style: "currency", currency, currencyDisplay: "narrowSymbol", ...whole };
  const money = new Intl.NumberFormat(document.documentElement.lang, style);
  place.textContent = place.dataset.message.replace("{delta}", money.format(change).replace("-", "−"));
  place.classList.add(change > 0 ? "up" : "down");
}

// --- what is invalid is not computed: the last valid answer stays and says so

document.addEventListener("htmx:afterRequest", ({ target, detail }) => {
  if (target.closest?.("form.control")) insight.classList.toggle("kept", detail.xhr.status === 422);
});

// --- the switches of the heat are part of what is asked for

insight.addEventListener("change", ({ target }) => {
  const form = target.closest("form[data-insight]");
  if (!form) return;
  const [view, query] = insight.dataset.slot.split("?"), asks = new URLSearchParams(query);
  for (const [name, value] of new FormData(form)) asks.set(name, value);
  insight.dataset.slot = `${view}?${asks}`;
  insight.dispatchEvent(new CustomEvent("kw:load", { bubbles: true }));
});

// --- the panel: a rule's page, a finding, a fix before it is applied, all guesses

document.addEventListener("htmx:afterSwap", ({ detail }) => {
  if (detail.target?.id !== "panel-body") return;
  if (!panel.matches(":popover-open")) panel.showPopover();
  panel.scrollTop = 0;
  (panel.querySelector("[autofocus]") ?? panel).focus();
});
let correct = "";                                                      // the control that a guess is corrected in
document.addEventListener("click", ({ target }) => {
  const link = target.closest?.("#panel a[hx-target='#centre']");
  if (!link) return;
  correct = link.dataset.correct ?? "";
  panel.hidePopover();
});
document.addEventListener("htmx:afterSettle", ({ detail }) => { if (detail.target?.id === "centre" && correct) go(); });

function go() {
  for (let id = correct; id.includes("-"); id = id.slice(0, id.lastIndexOf("-"))) {
    const within = () => document.getElementById(id)?.querySelector("input:not([type=hidden]), select, textarea");
    const input = document.getElementById(`${id}-in`) ?? within();
    if (!input) continue;
    input.closest("details:not([open])")?.setAttribute("open", "");
    input.focus();
    input.scrollIntoView({ block: "center" });
    break;
  }
  correct = "";
}
if (location.hash.startsWith("#c-")) { correct = decodeURIComponent(location.hash.slice(1)); go(); }

// what a finding or a guess leads to is never hidden in a folded part
function unfold(part) {
  for (let up = part.closest("details"); up; up = up.parentElement.closest("details")) up.open = true;
}
document.addEventListener("kw:after", ({ target }) => {
  if (!target.matches(".effects")) return;
  document.querySelectorAll("#centre details:not([open]) .control .inline-remark").forEach(unfold);
}, true);

// --- what was done is said, with the way back

document.addEventListener("htmx:afterRequest", ({ target, detail }) => {
  const done = target.closest?.("[data-done]")?.dataset.done;
  if (!done || !detail.successful || detail.requestConfig.verb !== "post") return;
  if (panel.matches(":popover-open")) {
    panel.hidePopover();
    head()?.focus({ preventScroll: true });                            // what it was asked from may go with it
  }
  const back = document.querySelector('[data-key="Control+z"]');
  const undo = document.createElement("button");
  Object.assign(undo, { type: "button", textContent: back?.textContent ?? "↶" });
  undo.addEventListener("click", () => { back?.click(); said.textContent = ""; });
  said.replaceChildren(Object.assign(document.createElement("p"), { className: "done", textContent: `✓ ${done} ` }));
  said.firstChild.append(undo);
});
insight.addEventListener("submit", (event) => {
  if (event.target.matches("form[data-insight]")) event.preventDefault();
});
