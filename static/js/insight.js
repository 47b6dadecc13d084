// Beside the editor: what was open stays open when a new answer comes, money since the start, the panel for one thing
// more.
import { withQuery } from "./slots.js";

const FOCUSABLE = "a[href], button, input, summary, [tabindex]";
const FIELDS = "input:not([type=hidden]), select, textarea";

let insight, panel, said, designKey;
let openBodies = new Map();                                             // name of what is open → what it held
let focus = null;                                                       // its place in a finding, or outside of them
let controlId = "";                                                     // the control that a guess is corrected in

const heading = () => insight.querySelector(".insight-head h2");

// --- a new answer: what was open is open again, with what it held, until its own newer answer is there

const focusableIn = (part) => [...(part?.querySelectorAll(FOCUSABLE) ?? [])];
const findingOf = (node) => node.closest("details[data-keep]");
const outsideFindings = () => focusableIn(insight).filter((node) => !findingOf(node));

function findFocus() {
  const active = document.activeElement;
  if (!insight.contains(active)) return null;
  const finding = findingOf(active), all = finding ? focusableIn(finding) : outsideFindings();
  return { name: finding?.dataset.keep, index: all.indexOf(active) };
}
function restoreFocus({ name, index }) {
  const findings = [...insight.querySelectorAll("details[data-keep]")];
  const all = name ? focusableIn(findings.find((each) => each.dataset.keep === name)) : outsideFindings();
  (all[index] ?? all[0] ?? heading())?.focus({ preventScroll: true });
}
const bodyOf = (finding) => finding.querySelector(":scope > div");
function rememberOpen() {
  const open = [...insight.querySelectorAll("details[data-keep][open]")];
  openBodies = new Map(open.map((finding) => [finding.dataset.keep, bodyOf(finding)?.innerHTML ?? ""]));
  focus = findFocus();
}
function restoreOpen() {
  for (const finding of insight.querySelectorAll("details[data-keep]")) {
    if (!openBodies.has(finding.dataset.keep) || finding.open) continue;
    const body = bodyOf(finding);
    // A body is loaded when its finding is opened; until that answer comes, what it held is shown.
    if (body && !body.innerHTML) body.innerHTML = openBodies.get(finding.dataset.keep);
    finding.open = true;
  }
  if (focus) restoreFocus(focus);
  insight.classList.remove("kept");
  showChange();
}

// --- money: the first total of this design that this tab saw is what changes are told against

// In whole units of money; 0 where nothing can be said: another currency, or another number of lines is still open.
export function moneyChange(first, now) {
  if (first.currency !== now.currency || first.open !== now.open) return 0;
  return Math.round(Number(now.total) - Number(first.total)) || 0;
}
export function formatChange(change, currency, language) {
  const whole = { maximumFractionDigits: 0, signDisplay: "always" };
  const style = { style: "currency", currency, currencyDisplay: "narrowSymbol", ...whole };
  return new Intl.NumberFormat(language, style).format(change).replace("-", "−");
}
function showChange() {
  const ticker = insight.querySelector(".ticker[data-total]"), place = ticker?.querySelector(".since");
  if (!place) return;
  const { total, currency, open } = ticker.dataset, name = `first-total-${designKey}`;
  const first = JSON.parse(sessionStorage.getItem(name) ?? "null") ?? { total, currency, open };
  sessionStorage.setItem(name, JSON.stringify(first));
  const change = moneyChange(first, { total, currency, open });
  if (!change) return;
  const text = formatChange(change, currency, document.documentElement.lang);
  // A function, because "$" in a text to be put in, as in "+$120", has a meaning to replace().
  place.textContent = place.dataset.message.replace("{delta}", () => text);
  place.classList.add(change > 0 ? "up" : "down");
}

// --- the switches of the heat are part of what is asked for

function switchHeat({ target }) {
  const form = target.closest("form[data-insight]");
  if (!form) return;
  insight.dataset.slot = withQuery(insight.dataset.slot, new FormData(form));
  insight.dispatchEvent(new CustomEvent("kw:load", { bubbles: true }));
}

// --- the panel: a rule's page, a finding, a fix before it is applied, all guesses

function showPanel({ detail }) {
  if (detail.target?.id !== "panel-body") return;
  if (!panel.matches(":popover-open")) panel.showPopover();
  panel.scrollTop = 0;
  (panel.querySelector("[autofocus]") ?? panel).focus();
}
function followLink({ target }) {
  const link = target.closest?.("#panel a[hx-target='#centre']");
  if (!link) return;
  controlId = link.dataset.correct ?? "";
  panel.hidePopover();
}

// The ids of the control of a guess and of what holds it: "c-f-gc-age", "c-f-gc", "c-f".
export function controlIds(id) {
  const ids = [];
  for (let rest = id; rest.includes("-"); rest = rest.slice(0, rest.lastIndexOf("-"))) ids.push(rest);
  return ids;
}
const findInput = (id) => document.getElementById(`${id}-in`) ?? document.getElementById(id)?.querySelector(FIELDS);
function goToControl() {
  const input = controlIds(controlId).map(findInput).find(Boolean);
  controlId = "";
  if (!input) return;
  input.closest("details:not([open])")?.setAttribute("open", "");
  input.focus();
  input.scrollIntoView({ block: "center" });
}

// what a finding or a guess leads to is never hidden in a folded part
function unfold(part) {
  for (let fold = part.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
}

// --- what was done is said, with the way back

function sayDone({ target, detail }) {
  const done = target.closest?.("[data-done]")?.dataset.done;
  if (!done || !detail.successful || detail.requestConfig.verb !== "post") return;
  if (panel.matches(":popover-open")) {
    panel.hidePopover();
    heading()?.focus({ preventScroll: true });                          // what it was asked from may go with it
  }
  const back = document.querySelector('[data-key="Control+z"]');
  const undo = document.createElement("button");
  Object.assign(undo, { type: "button", textContent: back?.textContent ?? "↶" });
  undo.addEventListener("click", () => { back?.click(); said.textContent = ""; });
  said.replaceChildren(Object.assign(document.createElement("p"), { className: "done", textContent: `✓ ${done} ` }));
  said.firstChild.append(undo);
}

export function startInsight(document) {
  insight = document.getElementById("insight");
  panel = document.getElementById("panel");
  said = document.getElementById("said");
  designKey = document.getElementById("editor").dataset.key;

  insight.addEventListener("kw:before", rememberOpen);
  insight.addEventListener("kw:after", restoreOpen);
  document.addEventListener("htmx:afterRequest", ({ target, detail }) => {  // what is invalid is not computed: says so
    if (target.closest?.("form.control")) insight.classList.toggle("kept", detail.xhr.status === 422);
  });
  insight.addEventListener("change", switchHeat);
  document.addEventListener("htmx:afterSwap", showPanel);
  document.addEventListener("click", followLink);
  document.addEventListener("htmx:afterSettle", ({ detail }) => {
    if (detail.target?.id === "centre" && controlId) goToControl();
  });
  if (location.hash.startsWith("#c-")) {
    controlId = decodeURIComponent(location.hash.slice(1));
    goToControl();
  }
  document.addEventListener("kw:after", ({ target }) => {
    if (!target.matches(".effects")) return;
    document.querySelectorAll("#centre details:not([open]) .control .inline-remark").forEach(unfold);
  }, true);
  document.addEventListener("htmx:afterRequest", sayDone);
  insight.addEventListener("submit", (event) => {
    if (event.target.matches("form[data-insight]")) event.preventDefault();
  });
}
