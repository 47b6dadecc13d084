// Through the changes by `n` and `p`; the page works without it.
const changes = () => [...document.querySelectorAll(".changes > .change")];

function go(by) {
  const all = changes(), at = all.indexOf(document.activeElement?.closest(".change"));
  const next = all[at < 0 ? (by > 0 ? 0 : all.length - 1) : Math.min(Math.max(at + by, 0), all.length - 1)];
  if (!next) return;
  next.focus({ preventScroll: true });
  next.scrollIntoView({ block: "nearest" });
  const said = document.querySelector("[data-at]");
  if (said) said.textContent = `${all.indexOf(next) + 1} / ${all.length}`;
}

const TYPED_IN = "input:not([type=checkbox], [type=radio]), textarea, select";
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.(TYPED_IN)) return;
  if (event.key === "n" || event.key === "p") { event.preventDefault(); go(event.key === "n" ? 1 : -1); }
});
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-walk]");
  if (button) { if (last?.isConnected) last.focus({ preventScroll: true }); go(Number(button.dataset.walk)); }
});
let last;
document.addEventListener("focusin", (event) => { last = event.target.closest(".change") ?? last; });

const reveal = () => document.querySelectorAll(".walk").forEach((part) => { part.classList.remove("without-script"); });
document.addEventListener("htmx:afterSettle", reveal);
reveal();
