// The editor's page: starts its parts, in the order in which they listen to the same events.
import { startAdvisor } from "./advisor.js";
import { startConnection } from "./connection.js";
import { startInsight } from "./insight.js";
import { startKeyBuilder } from "./key-builder.js";
import { startOpenElement } from "./open-element.js";
import { startOutline } from "./outline.js";
import { startPartEditors } from "./part-editors.js";
import { startPeople } from "./people.js";
import { startSaving } from "./saving.js";
import { startSelection } from "./selection.js";
import { startSheet } from "./sheet.js";
import { startShortcuts } from "./shortcuts.js";
import { startSlots } from "./slots.js";
import { startTextPanel } from "./text-panel.js";

// What asked may be swapped before its answer comes: htmx looks for the places of its other parts from there.
function keepAskers(document) {
  document.addEventListener("htmx:beforeRequest", ({ detail: { elt, xhr } }) => {
    xhr.addEventListener("readystatechange", () => {
      if (xhr.readyState !== XMLHttpRequest.DONE || elt.isConnected) return;
      const stand = Object.assign(document.createElement("div"), { hidden: true });
      stand.append(elt);
      document.body.append(stand);
      xhr.addEventListener("loadend", () => stand.remove());
    });
  });
}

startConnection(document);
startSaving(document);
startOpenElement(document);
startPeople(document);
startSlots(document);
keepAskers(document);
startInsight(document);
startPartEditors(document);
startKeyBuilder(document);
startOutline(document);
startSelection(document);
startShortcuts(document);
startAdvisor(document);
startSheet(document);
startTextPanel(document);
