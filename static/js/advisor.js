// The key advisor: advice on a content that is not the design's any more says so, and offers to ask again.
export function startAdvisor(document) {
  const editor = document.getElementById("editor");
  const markOld = () => {
    for (const advice of document.querySelectorAll(".advice[data-advised]")) {
      advice.classList.toggle("old", advice.dataset.advised !== editor.dataset.sha256);
    }
  };
  // Later, because slots.js, which sets the new hash, may hear the same event after this script.
  document.body.addEventListener("kw:saved", () => setTimeout(markOld));
  document.addEventListener("kw:head", () => setTimeout(markOld));
  document.body.addEventListener("htmx:afterSettle", markOld);
}
