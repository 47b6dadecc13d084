// A link to a finding opens it.
function named() {
  try { return decodeURIComponent(location.hash.slice(1)); } catch { return ""; }  // not all that is typed can be read
}
function open() {
  const target = document.getElementById(named());
  for (let part = target; part; part = part.parentElement) if (part.tagName === "DETAILS") part.open = true;
  if (target) target.scrollIntoView({ block: "nearest" });
}
addEventListener("hashchange", open);
open();
