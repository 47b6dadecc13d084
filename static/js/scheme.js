// The colour scheme that the reader chose. Runs before the first paint, so it is a plain script in the head.
(() => {
  const root = document.documentElement;
  const kept = () => { try { return localStorage.getItem("scheme") || "auto"; } catch { return "auto"; } };
  const apply = (scheme) => {
    if (scheme === "auto") delete root.dataset.scheme; else root.dataset.scheme = scheme;
    document.dispatchEvent(new CustomEvent("schemechange"));   // charts that are drawn in colours listen
  };
  apply(kept());
  const show = () => {
    const select = document.querySelector("[data-scheme-select]");
    if (!select) return;
    select.value = root.dataset.scheme ?? "auto";
    select.closest(".without-script")?.classList.remove("without-script");
  };
  document.addEventListener("DOMContentLoaded", show);
  document.addEventListener("htmx:historyRestore", show);      // another select stands there then
  document.addEventListener("change", ({ target }) => {
    if (!target.matches?.("[data-scheme-select]")) return;
    try { localStorage.setItem("scheme", target.value); } catch { /* not remembered, but applied */ }
    apply(target.value);
  });
})();
