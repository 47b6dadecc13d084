// A page that was open while the site was updated: says so, and keeps what was typed in it over the reload.
const HEADER = "Keywright-Release", KEPT = "kept", PATIENCE_MS = 1500;
const FIELDS = "input:not([type=hidden], [type=password], [type=file]), select, textarea";
const CHANGING = ["was", "csrfmiddlewaretoken", "round", "review"];     // hidden inputs that say nothing of the place

export class Release {
  isOld = false;                                                        // the page is not of the release that answers
  isReloading = false;
  onChange = () => {};

  constructor(own = "") { this.own = own; }

  read(told) {
    const isOld = Boolean(told && this.own && told !== this.own);
    if (!told || isOld === this.isOld) return;
    this.isOld = isOld;
    this.onChange(isOld);
  }
}
export const release = new Release();
export const readRelease = (answer) => release.read(answer.headers.get(HEADER));
export const beforeReload = [];                                         // functions that send what waits

// --- what is typed

const isTicked = ({ type }) => type === "checkbox" || type === "radio";
const stateOf = (field) => (isTicked(field) ? field.checked : field.value);
const initialState = (field) => {
  if (isTicked(field)) return field.defaultChecked;
  return field.options ? [...field.options].find((each) => each.defaultSelected)?.value ?? field.options[0]?.value
    : field.defaultValue;
};
const fieldsOf = (form) => [...form.elements].filter((field) => field.name && field.matches(FIELDS));
const isControl = (form) => form.matches("form.control");               // whose fields are saved one by one
function isTyped(form) {
  if (isControl(form)) return form.matches(".saving, .unsaved, .typed");
  return fieldsOf(form).some((field) => stateOf(field) !== initialState(field));
}
export function keyOf(form) {                                           // the same in the page of the next release
  const hidden = [...form.elements].filter(({ type, name }) => type === "hidden" && name && !CHANGING.includes(name));
  const place = form.id || form.getAttribute("hx-post") || form.getAttribute("action") || "";
  return JSON.stringify([place, ...hidden.map(({ name, value }) => [name, value])]);
}
const findForms = (root) => [...root.querySelectorAll("form[hx-post], form[method=post i]")];

export function readTyped(root, path) {
  return findForms(root).filter(isTyped).map((form) => ({
    key: keyOf(form), page: form.dataset.page ?? path, was: form.elements.was?.value,
    label: form.querySelector("label")?.textContent.trim() ?? "",
    values: fieldsOf(form).map((field) => [field.name, stateOf(field)]),
  }));
}

// --- what was kept takes its place again: it is typed anew, so it is saved, or conflicts with what others did

function putBack(form, { was, values }) {
  const fields = fieldsOf(form);
  let changed = null;
  for (const [name, state] of values) {
    const place = fields.findIndex((field) => field?.name === name);
    const [field] = place < 0 ? [] : fields.splice(place, 1, null);
    if (!field || stateOf(field) === state) continue;
    if (isTicked(field)) field.checked = state; else field.value = state;
    changed = field;
  }
  if (!changed) return;                                                 // it was stored
  if (was !== undefined && form.elements.was) form.elements.was.value = was;
  changed.dispatchEvent(new Event("input", { bubbles: true }));
  form.dispatchEvent(new CustomEvent("kw:restored", { bubbles: true }));
}
export function restoreTyped(root, kept) {                              // → what finds no place here
  const forms = findForms(root);
  return kept.filter((each) => {
    const place = forms.findIndex((form) => form && keyOf(form) === each.key);
    if (place < 0) return true;
    putBack(...forms.splice(place, 1, null), each);
    return false;
  });
}

// --- the page

const readKept = () => JSON.parse(sessionStorage.getItem(KEPT) ?? "[]");
function storeKept(kept) {
  if (kept.length) sessionStorage.setItem(KEPT, JSON.stringify(kept)); else sessionStorage.removeItem(KEPT);
}
export function restoreKept(root = document) {
  const kept = readKept();
  if (!kept.length) return;
  const left = restoreTyped(root, kept);
  storeKept(left);
  if (left.length < kept.length) showLeft(left, { isShort: true });
}
function showLeft(left, { isShort = false } = {}) {                     // so that it can be copied
  const notice = document.getElementById("kept"), list = notice.querySelector("ul");
  if (isShort && !notice.matches(":popover-open")) return;
  list.replaceChildren(...left.map(({ page, label, values }) => {
    const line = document.createElement("li"), link = document.createElement("a");
    const text = values.map(([, state]) => state).filter((state) => typeof state === "string").join(" ");
    [link.href, link.textContent] = [page, label || page];
    line.append(link, ` “${text}”`);
    return line;
  }));
  if (left.length) notice.showPopover(); else if (notice.matches(":popover-open")) notice.hidePopover();
}
async function reload() {
  await Promise.all(beforeReload.map((finish) => finish()));
  try {
    storeKept([...readKept(), ...readTyped(document, location.pathname)]);
    release.isReloading = true;
  } catch { /* there is no room: the browser asks whether to leave */ }
  location.reload();
}

export function start(document) {
  release.own = document.documentElement.dataset.release ?? "";
  const notice = document.getElementById("updated");
  release.onChange = (isOld) => { if (isOld) notice.showPopover(); else notice.hidePopover(); };
  document.addEventListener("htmx:beforeOnLoad", ({ detail: { xhr } }) => {
    release.read(xhr.getResponseHeader(HEADER));
  }, true);
  // once the page is wired, and after each part that comes
  document.addEventListener("htmx:load", ({ detail: { elt } }) => restoreKept(elt.parentElement ?? elt));
  notice.querySelector("[data-reload]").addEventListener("click", reload);
  document.getElementById("kept").addEventListener("toggle", ({ newState }) => {
    if (newState === "closed") storeKept([]);
  });
  setTimeout(() => { if (readKept().length) showLeft(readKept()); }, PATIENCE_MS);  // other parts come later
}
if (globalThis.document) start(document);
