// The page of a design to read: its sheet.
import { startSheet } from "./sheet.js";

startSheet(document);
