// A run that is under way: nobody asks how far it is while nobody looks.
export function start(document) {
  document.addEventListener("htmx:beforeRequest", (event) => {
    if (document.hidden && event.target.id === "progress") event.preventDefault();
  });
  document.addEventListener("htmx:responseError", ({ detail }) => {     // why it cannot be cancelled is said by a page
    if (detail.elt.matches("form")) detail.elt.submit();
  });
}
if (globalThis.document) start(document);
