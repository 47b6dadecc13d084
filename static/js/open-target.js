// A link to a finding opens it.
export function targetId(hash) {
  try { return decodeURIComponent(hash.slice(1)); } catch { return ""; }  // not all that is typed can be read
}

export function start(document) {
  const open = () => {
    const target = document.getElementById(targetId(location.hash));
    for (let part = target; part; part = part.parentElement) if (part.tagName === "DETAILS") part.open = true;
    if (target) target.scrollIntoView({ block: "nearest" });
  };
  addEventListener("hashchange", open);
  open();
}
if (globalThis.document) start(document);
