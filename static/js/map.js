// The heatmap explorer: one map, or two side by side. What is drawn is to three digits (map-pane.js); what is pinned,
// copied or saved as a file is exact, from the server.
import { Explorer } from "./map-explorer.js";
import { listen } from "./map-hands.js";

function explore(root) {
  const map = new Explorer(root);
  listen(map, map.start());
}

// Maps within a page begin before they come into view: what is in sight does not move.
const seen = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    seen.unobserve(target);
    explore(target);
  }
}, { rootMargin: "1000px" });
for (const root of document.querySelectorAll("[data-explorer]")) {
  if (root.dataset.page) seen.observe(root);
  else explore(root);
}
