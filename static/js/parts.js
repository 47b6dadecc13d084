// Editors of parts. After a button changed what inputs there are, the focus goes where the button says.
let then = "";
document.addEventListener("click", ({ target }) => {
  then = target.closest?.("form.control button[data-then]")?.dataset.then ?? "";
});
document.addEventListener("htmx:afterRequest", () => {
  if (!then) return;
  const found = then.split(" ").map((id) => document.getElementById(id)).find(Boolean);
  then = "";
  found?.focus();
});
