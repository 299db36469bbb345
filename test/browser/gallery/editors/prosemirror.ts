import { Editor } from '@tiptap/core';
import StarterKit from '@tiptap/starter-kit';
import { baseKeymap } from 'prosemirror-commands';
import { history, redo, undo } from 'prosemirror-history';
import { keymap } from 'prosemirror-keymap';
import { schema } from 'prosemirror-schema-basic';
import { EditorState } from 'prosemirror-state';
import { EditorView } from 'prosemirror-view';
import 'prosemirror-view/style/prosemirror.css';
import type { Mount } from '../editor.ts';
import { paragraphsOf } from '../paragraphs.ts';

export const mount: Mount = (place, text) => {
  const paragraph = schema.node('paragraph', null, text === '' ? [] : [schema.text(text)]);
  const state = EditorState.create({
    doc: schema.node('doc', null, [paragraph]),
    plugins: [history(), keymap({ 'Mod-z': undo, 'Mod-y': redo }), keymap(baseKeymap)],
  });
  const view = new EditorView(place, { state });
  return {
    value: () => view.state.doc.textBetween(0, view.state.doc.content.size, '\n'),
  };
};

/** Tiptap is ProseMirror with a schema, commands and shortcuts. */
export const mountTiptap: Mount = (element, text) => {
  const content = paragraphsOf(text);
  const parseOptions = { preserveWhitespace: 'full' } as const;
  const editor = new Editor({ element, extensions: [StarterKit], content, parseOptions });
  return { value: () => editor.getText({ blockSeparator: '\n' }) };
};
