// The colour scheme that the reader chose. Runs before the first paint, so it is a plain script in the head.
(() => {
  const root = document.documentElement;
  const kept = () => { try { return localStorage.getItem("scheme") || "auto"; } catch { return "auto"; } };
  const apply = (scheme) => {
    if (scheme === "auto") delete root.dataset.scheme; else root.dataset.scheme = scheme;
    document.dispatchEvent(new CustomEvent("schemechange"));   // charts that are drawn in colours listen
  };
  apply(kept());
  document.addEventListener("DOMContentLoaded", () => {
    const select = document.querySelector("[data-scheme-select]");
    if (!select) return;
    select.value = kept();
    select.closest(".without-script")?.classList.remove("without-script");
    select.addEventListener("change", () => {
      try { localStorage.setItem("scheme", select.value); } catch { /* not remembered, but applied */ }
      apply(select.value);
    });
  });
})();
