// A link to a finding opens it.
export function targetId(hash) {
  try { return decodeURIComponent(hash.slice(1)); } catch { return ""; }  // not all that is typed can be read
}

// The link that shows more findings, among them the one with this id.
export function linkToMore(document, id) {
  const number = Number(/^finding-(\d+)$/.exec(id)?.[1]);
  if (!number) return null;
  for (const item of document.querySelectorAll("[data-findings]")) {
    const [first, last] = item.dataset.findings.split("-").map(Number);
    if (first <= number && number <= last) return item.querySelector("a");
  }
  return null;
}

export function start(document) {
  const open = () => {
    const id = targetId(location.hash), target = document.getElementById(id);
    if (!target) linkToMore(document, id)?.click();
    for (let part = target; part; part = part.parentElement) if (part.tagName === "DETAILS") part.open = true;
    if (target) target.scrollIntoView({ block: "nearest" });
    return target;
  };
  addEventListener("hashchange", open);
  document.addEventListener("htmx:afterSettle", ({ detail }) => {       // what the address names has come
    if (!detail.target.querySelector(`#${CSS.escape(targetId(location.hash) || "none")}`)) return;
    const target = open(), heading = target.querySelector("h2") ?? target;
    heading.tabIndex = -1;                                              // Tab goes on from there, as after any link
    heading.focus({ preventScroll: true });
  });
  open();
}
if (globalThis.document) start(document);
