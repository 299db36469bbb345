import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { EditorView, keymap } from '@codemirror/view';
import type { Mount } from '../editor.ts';

/** Draws only what is in view: its DOM never holds a long text whole. */
export const mount: Mount = (place, text) => {
  const view = new EditorView({
    parent: place,
    doc: text,
    extensions: [
      history(),
      keymap.of([...defaultKeymap, ...historyKeymap]),
      EditorView.lineWrapping,
      EditorView.theme({ '&': { height: '100%' } }),
    ],
  });
  return { value: () => view.state.doc.toString() };
};
