// The heatmap explorer: one map, or two side by side. What is drawn is to three digits (map-pane.js); what is pinned,
// copied or saved as a file is exact, from the server.
import { Explorer } from "./map-explorer.js";
import { startClipboard } from "./clipboard.js";
import { listen } from "./map-input.js";

function explore(root) {
  const map = new Explorer(root);
  listen(map, map.start());
}

export function start(document) {
  // Maps within a page begin before they come into view: what is in sight does not move.
  const inView = new IntersectionObserver((entries) => {
    for (const { target } of entries.filter(({ isIntersecting }) => isIntersecting)) {
      inView.unobserve(target);
      explore(target);
    }
  }, { rootMargin: "1000px" });
  startClipboard(document);
  const watch = (part) => {
    for (const root of part.querySelectorAll("[data-explorer]")) {
      if (root.dataset.page) inView.observe(root);
      else explore(root);
    }
  };
  watch(document);
  document.addEventListener("htmx:load", ({ detail }) => {              // a table of a large design, opened by now
    if (detail.elt !== document.body) watch(detail.elt);
  });
}
if (globalThis.document) start(document);
