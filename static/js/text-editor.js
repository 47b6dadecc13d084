// The text of a design in CodeMirror: its colours, what it offers, its marks. Loaded when the text is first opened.
import {
  Compartment, Decoration, EditorState, EditorView, HighlightStyle, StateEffect, StateField, StreamLanguage,
  StyleModule, Transaction, ViewPlugin, acceptCompletion, autocompletion, completionKeymap, defaultKeymap, diff,
  highlightActiveLine, highlightSpecialChars, history, historyKeymap, indentUnit, keymap, lineNumbers, lintGutter,
  lintKeymap, search, searchKeymap, setDiagnostics, syntaxHighlighting, tags, unifiedMergeView,
} from "../vendor/codemirror.min.js";
import { editsBetween, editsToMerge } from "./text-merge.js";
import { completionAt, findFields, nextToken, readLine } from "./text-words.js";

const MUCH_LINES = 3;                                                   // pasted at once: shown before it applies

// --- styles: our policy allows no style elements, so they are a constructed sheet

const styleSheet = new CSSStyleSheet(), styleModules = new Set();
StyleModule.mount = (root, modules) => {
  const known = styleModules.size;
  for (const module of [modules].flat()) styleModules.add(module);
  const rules = [...styleModules].map((module) => module.getRules());
  if (styleModules.size !== known) styleSheet.replaceSync(rules.join("\n"));
  const { adoptedStyleSheets } = root;
  // The list is set anew: older browsers have a frozen array here, to which nothing can be pushed.
  if (!adoptedStyleSheets.includes(styleSheet)) root.adoptedStyleSheets = [...adoptedStyleSheets, styleSheet];
};

const theme = EditorView.theme({
  "&": { height: "100%", fontSize: "var(--size-data)", color: "var(--ink)", background: "var(--surface)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": {
    fontFamily: "var(--mono)", lineHeight: "1.6", overscrollBehavior: "contain", scrollbarWidth: "thin",
  },
  ".cm-content": { caretColor: "var(--ink)", paddingBlock: "var(--s2)" },
  ".cm-gutters": { background: "var(--surface)", color: "var(--ink-2)", border: "0" },
  ".cm-activeLine, .cm-activeLineGutter": { background: "color-mix(in srgb, var(--hover) 55%, transparent)" },
  "&.cm-focused .cm-content ::selection, .cm-content ::selection": { background: "var(--accent-soft)" },
  ".cm-tooltip": {
    color: "var(--ink)", background: "var(--surface)", border: "0", borderRadius: "var(--radius-1)",
    boxShadow: "var(--shadow-2)", overflow: "hidden", fontSize: "var(--size-1)",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": {
    fontFamily: "var(--mono)", fontSize: "var(--size-data)", maxHeight: "16rem",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "3px var(--s2)", lineHeight: "1.5" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { background: "var(--accent)", color: "var(--accent-ink)" },
  ".cm-completionMatchedText": { textDecoration: "none", fontWeight: "600" },
  ".cm-completionDetail": {
    fontFamily: "var(--font)", fontStyle: "normal", color: "var(--ink-2)", marginInlineStart: "var(--s3)",
  },
  "li[aria-selected] .cm-completionDetail": { color: "inherit" },
  ".cm-panels": { background: "var(--sunken)", color: "var(--ink)", fontSize: "var(--size-1)" },
  ".cm-panels.cm-panels-top": { borderColor: "var(--line)" },
  ".cm-panel.cm-search": { padding: "var(--s2)", paddingInlineEnd: "var(--s8)" },
  ".cm-panel.cm-search label": { fontSize: "var(--size-1)" },
  ".cm-textfield, .cm-button": {
    fontSize: "var(--size-1)", color: "var(--ink)", background: "var(--surface)", backgroundImage: "none",
    border: "1px solid var(--line-control)", borderRadius: "var(--radius-1)",
  },
  ".cm-searchMatch": { background: "var(--warning-soft)", outline: "1px solid var(--warning)" },
  ".cm-searchMatch-selected": { background: "var(--accent-soft)", outline: "2px solid var(--accent)" },
  ".cm-diagnostic": { padding: "var(--s1) var(--s2)" },
  ".cm-diagnostic-error": { borderInlineStart: "3px solid var(--error)" },
  ".cm-diagnostic-warning": { borderInlineStart: "3px solid var(--warning)" },
  ".cm-lintRange-error": { backgroundImage: "none", textDecoration: "underline wavy var(--error)" },
  ".cm-lintRange-warning": { backgroundImage: "none", textDecoration: "underline wavy var(--warning)" },
  ".cm-lint-marker": { width: ".7em", height: ".7em", marginTop: ".45em", borderRadius: "50%", content: "''" },
  ".cm-lint-marker-error": { background: "var(--error)" },
  ".cm-lint-marker-warning": { background: "var(--warning)" },
  "&.cm-merge-b .cm-changedLine, & .cm-inlineChangedLine": { background: "var(--good-soft)" },
  "&.cm-merge-b .cm-changedText": { background: "color-mix(in srgb, var(--good) 28%, transparent)" },
  ".cm-deletedChunk": { background: "var(--error-soft)", paddingInlineStart: "6px" },
  "& .cm-deletedChunk .cm-deletedText": { background: "color-mix(in srgb, var(--error) 28%, transparent)" },
  "& .cm-changeGutter": { width: "4px", paddingInlineStart: "0" },
  "&.cm-merge-b .cm-changedLineGutter": { background: "var(--good)" },
  ".cm-deletedLineGutter": { background: "var(--error)" },
  ".cm-collapsedLines": {
    color: "var(--ink-2)", background: "var(--sunken)", fontFamily: "var(--font)", paddingBlock: "2px",
  },
});
const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: "var(--ink)", fontWeight: "600" },
  { tag: tags.string, color: "var(--f4-ink)" },
  { tag: tags.number, color: "var(--accent)" },
  { tag: tags.keyword, color: "var(--f3-ink)" },
  { tag: tags.typeName, color: "var(--f3-ink)" },
  { tag: tags.comment, color: "var(--ink-2)", fontStyle: "italic" },
  { tag: tags.punctuation, color: "var(--ink-2)" },
]);
const language = StreamLanguage.define({
  name: "design", startState: () => ({ isValue: false, block: -1 }), token: nextToken,
  languageData: { commentTokens: { line: "#" } },
});

// --- fields in keys have the colour that they have everywhere

const setFieldColours = StateEffect.define();
const fieldColours = StateField.define({
  create: () => ({}),
  update: (value, { effects }) => effects.findLast((effect) => effect.is(setFieldColours))?.value ?? value,
});
function decorate(view) {
  const known = view.state.field(fieldColours), marks = [];
  // Only what is seen: a long design has thousands of lines, and this runs at each key.
  for (const { from, to } of view.visibleRanges) {
    for (let at = from; at <= to;) {
      const line = view.state.doc.lineAt(at), hang = readLine(line.text).column + 2;
      const style = `padding-inline-start: calc(${hang}ch + 6px); text-indent: -${hang}ch`;  // of what is wrapped
      marks.push(Decoration.line({ attributes: { style } }).range(line.from));
      for (const { from: start, to: end, colour, isDerived } of findFields(line.text, known)) {
        const mark = Decoration.mark({ class: `seg field-${colour}${isDerived ? " is-derived" : ""}` });
        marks.push(mark.range(line.from + start, line.from + end));
      }
      at = line.to + 1;
    }
  }
  return Decoration.set(marks);
}
const fieldMarks = ViewPlugin.fromClass(class {
  constructor(view) { this.decorations = decorate(view); }
  update({ docChanged, viewportChanged, view, transactions }) {
    const isColoured = transactions.some(({ effects }) => effects.some((effect) => effect.is(setFieldColours)));
    if (docChanged || viewportChanged || isColoured) this.decorations = decorate(view);
  }
}, { decorations: (plugin) => plugin.decorations });

// --- completion, errors

const linesOf = (doc) => [...doc.iterLines()];
function complete(words, { state, pos, explicit }) {
  const line = state.doc.lineAt(pos), found = completionAt(words, linesOf(state.doc), line.number - 1, pos - line.from);
  if (!found || !found.options.length) return null;
  const from = line.from + found.from;
  // Not asked for and no word begun: offered only behind a sign after which one of few words must follow.
  if (!explicit && from === pos && !/[{(:,=]\s?$/.test(line.text.slice(0, pos - line.from))) return null;
  // While such characters are typed, CodeMirror filters these options and asks no more.
  return { from, options: found.options, validFor: /^[\w-]*$/ };
}
// Columns are told in characters, of which some take two places here.
export const placeOf = (text, column) => [...text].slice(0, column - 1).join("").length;
function asDiagnostics(doc, problems) {
  // The answer is of the text that was sent, which may have become shorter since.
  return problems.filter(({ line }) => line <= doc.lines).map(({ line: number, column, severity, message }) => {
    const line = doc.line(number), at = Math.min(placeOf(line.text, column), line.length);
    const { key, column: start } = readLine(line.text);
    const word = /^[\w.{}:%-]*(?:=[\w.:%/-]*)?/.exec(line.text.slice(at))[0].length;
    // A problem of the whole entry is marked to the end of the line.
    if (at === start && key) return { from: line.from + at, to: line.to, severity, message };
    const from = line.from + at, to = Math.min(from + Math.max(word, 1), line.to);
    return { from: Math.min(from, to), to, severity, message };
  }).toSorted((one, other) => one.from - other.from);
}

const isMuch = (transaction) => {
  if (!["input.paste", "input.drop", "input.replace.all"].some((event) => transaction.isUserEvent(event))) return false;
  let lines = 0;
  transaction.changes.iterChanges((fromA, toA, fromB, toB, inserted) => {
    lines += Math.max(inserted.lines, transaction.startState.doc.sliceString(fromA, toA).split("\n").length) - 1;
  });
  return lines >= MUCH_LINES || transaction.isUserEvent("input.replace.all");
};

export function createTextEditor(parent, { text, words, phrases, label, isReadOnly, onChange, onSubmit }) {
  const review = new Compartment();
  const listen = EditorView.updateListener.of(({ docChanged, transactions }) => {
    // What comes from the server is no change of the person's: sending it back would never end.
    const own = transactions.filter((each) => each.docChanged && !each.annotation(Transaction.remote));
    if (docChanged && own.length) onChange({ isMuch: own.some(isMuch) });
  });
  const submit = () => { onSubmit(); return true; };
  const view = new EditorView({
    parent,
    doc: text,
    extensions: [
      // Before CodeMirror's own keys, which give Mod-Enter a new line. Mod-s: people press it in any editor, and the
      // browser would save the page.
      keymap.of([{ key: "Mod-Enter", run: submit }, { key: "Mod-s", run: submit }]),
      // Only while something is offered; otherwise Tab leaves the editor, as keyboard users need it.
      keymap.of([{ key: "Tab", run: acceptCompletion }]),
      keymap.of([...completionKeymap, ...lintKeymap, ...searchKeymap, ...historyKeymap, ...defaultKeymap]),
      lineNumbers(), lintGutter(), highlightSpecialChars(), highlightActiveLine(), history(), search({ top: true }),
      EditorView.lineWrapping, indentUnit.of("  "), theme,
      language, syntaxHighlighting(colours), fieldColours, fieldMarks,
      EditorState.readOnly.of(isReadOnly), EditorState.phrases.of(phrases),
      EditorView.contentAttributes.of({
        "aria-label": label, "aria-readonly": String(isReadOnly), spellcheck: "false", autocapitalize: "off",
        tabindex: "0",
      }),
      autocompletion({ override: isReadOnly ? [] : [(context) => complete(words, context)], icons: false }),
      review.of([]), listen,
    ],
  });
  const change = (edits) => {
    // Undo takes back what the person typed, never what others did.
    const annotations = [Transaction.remote.of(true), Transaction.addToHistory.of(false)];
    if (edits.length) view.dispatch({ changes: edits, annotations });
  };
  let reviewed = null;
  return {
    get text() { return view.state.doc.toString(); },
    focus: () => view.focus(),
    // What the design is by now, where both changed other lines: → whether it could be put in.
    merge(base, theirs) {
      const edits = editsToMerge(base, this.text, theirs, diff);
      if (edits) change(edits);
      return edits !== null;
    },
    replace(wanted) { change(editsBetween(this.text, wanted, diff)); },
    setColours: (known) => view.dispatch({ effects: setFieldColours.of(known) }),
    setProblems(problems) {
      view.dispatch(setDiagnostics(view.state, asDiagnostics(view.state.doc, problems)));
      // The list of problems takes room below the text, where the line may be that is being written.
      if (view.hasFocus) view.dispatch({ effects: EditorView.scrollIntoView(view.state.selection.main.head) });
    },
    goTo(number, column) {
      const line = view.state.doc.line(Math.min(number, view.state.doc.lines));
      const anchor = Math.min(line.from + placeOf(line.text, column), line.to);
      view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
      view.focus();
    },
    showReview(original) {
      // Reconfiguring compares anew, and closes again the unchanged parts that somebody opened.
      if (reviewed === original) return;
      reviewed = original;
      const merge = unifiedMergeView({
        original, mergeControls: false, highlightChanges: true, gutter: true,
        collapseUnchanged: { margin: 2, minSize: 5 },
      });
      view.dispatch({ effects: review.reconfigure(original === null ? [] : merge) });
    },
  };
}
