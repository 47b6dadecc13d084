// The key advisor: advice on a content that is not the design's any more says so, and offers to ask again.
export function startAdvisor(document) {
  const editor = document.getElementById("editor");
  const markOld = () => {
    for (const advice of document.querySelectorAll(".advice[data-advised]")) {
      advice.classList.toggle("old", advice.dataset.advised !== editor.dataset.sha256);
    }
  };
  for (const event of ["kw:saved", "kw:news"]) document.body.addEventListener(event, () => setTimeout(markOld));
  document.body.addEventListener("htmx:afterSettle", markOld);
}
