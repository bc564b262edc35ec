// The editor that takes the place of a page's text box: CodeMirror with what a short Python file needs, and no more.
import { closeBrackets, closeBracketsKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { python } from "@codemirror/lang-python";
import {
  bracketMatching, codeFolding, foldEffect, foldKeymap, HighlightStyle, indentOnInput, indentUnit, syntaxHighlighting, syntaxTree,
} from "@codemirror/language";
import { EditorState, Transaction } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, highlightSpecialChars, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";

// Colours are those of the page, so that light and dark change with it.
const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.modifier, tags.operatorKeyword], color: "var(--code-keyword)", fontWeight: "600" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--code-string)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--code-number)" },
  { tag: [tags.comment], color: "var(--quiet)", fontStyle: "italic" },
  { tag: [tags.definition(tags.variableName), tags.function(tags.definition(tags.variableName))], fontWeight: "600" },
]);

const looks = EditorView.theme({
  "&": { fontSize: ".88rem", color: "var(--ink)" },
  "&.cm-focused": { outline: "3px solid var(--focus)", outlineOffset: "2px" },
  ".cm-scroller": { fontFamily: "var(--code)", lineHeight: "1.5" },
  ".cm-content": { padding: ".7rem 0", minHeight: "16rem", caretColor: "var(--ink)" },
  ".cm-gutters": { background: "var(--sheet)", color: "var(--quiet)", border: "0", paddingLeft: ".3rem" },
  ".cm-activeLine": { background: "var(--code-line)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)", borderLeftWidth: "2px" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { background: "var(--code-selected)" },
  "&.cm-focused .cm-matchingBracket": { background: "var(--code-selected)" },
  ".cm-foldPlaceholder": { background: "var(--shade)", border: "1px solid var(--line)", color: "var(--quiet)", padding: ".1rem .5rem", fontFamily: "var(--plain)" },
});

// The lesson at the top of a file stands beside the editor; here it is folded away until somebody unfolds it.
function lesson(state) {
  const first = syntaxTree(state).topNode.firstChild;
  const text = first && first.name === "ExpressionStatement" && first.firstChild;
  if (!text || text.name !== "String") return null;
  const line = state.doc.lineAt(text.from);
  return state.doc.lineAt(text.to).number - line.number > 3 ? { from: line.to, to: text.to } : null;
}

function fold(view) {
  const range = lesson(view.state);
  if (range) view.dispatch({ effects: foldEffect.of(range) });
}

function edit(box, changed) {
  const view = new EditorView({
    parent: null,
    state: EditorState.create({
      doc: box.value,
      extensions: [
        EditorView.cspNonce.of(box.dataset.nonce),
        EditorView.contentAttributes.of({ "aria-label": box.dataset.path, "aria-describedby": "keys", spellcheck: "false", autocapitalize: "off" }),
        lineNumbers(), highlightSpecialChars(), history(), drawSelection(), highlightActiveLine(), indentOnInput(), bracketMatching(), closeBrackets(),
        codeFolding({ placeholderText: "the lesson, as it stands beside" }),
        EditorState.tabSize.of(4), indentUnit.of("    "), python(), syntaxHighlighting(colours), looks,
        // Ctrl-Enter belongs to the page
        keymap.of([...closeBracketsKeymap, ...defaultKeymap.filter((each) => each.key !== "Mod-Enter"), ...historyKeymap, ...foldKeymap, indentWithTab]),
        EditorView.updateListener.of((update) => { if (update.docChanged) changed(); }),
      ],
    }),
  });
  box.before(view.dom);
  box.hidden = true;
  fold(view);
  return {
    text: () => view.state.doc.toString(),
    focus: () => view.focus(),
    // as one step that can be undone
    put(value) {
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: value }, annotations: Transaction.addToHistory.of(true) });
      fold(view);
    },
  };
}

window.headcount = { edit };
