// The editor's page: starts its parts, in the order in which they listen to the same events.
import { startAdvisor } from "./advisor.js";
import { startAnswers } from "./answers.js";
import { startConnection } from "./connection.js";
import { startInsight } from "./insight.js";
import { startKeyBuilder } from "./key-builder.js";
import { startKeyCompletion } from "./key-completion.js";
import { startOpenElement } from "./open-element.js";
import { startOutline } from "./outline.js";
import { startPartEditors } from "./part-editors.js";
import { startPeople } from "./people.js";
import { startPresses } from "./presses.js";
import { startSaving } from "./saving.js";
import { startSelection } from "./selection.js";
import { startSheet } from "./sheet.js";
import { startShortcuts } from "./shortcuts.js";
import { startSlots } from "./slots.js";
import { startTextPanel } from "./text-panel.js";

// The connection first: it stops what htmx does with a 401 before any other part reads the answer.
startConnection(document);
startAnswers(document);
startPresses(document);
startSaving(document);
startOpenElement(document);
startPeople(document);
startSlots(document);
startInsight(document);
startPartEditors(document);
startKeyBuilder(document);
startKeyCompletion(document);
startOutline(document);
startSelection(document);
startShortcuts(document);
startAdvisor(document);
startSheet(document);
startTextPanel(document);
