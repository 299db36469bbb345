import { ContentState, Editor, EditorState } from 'draft-js';
import 'draft-js/dist/Draft.css';
import { createElement, useState } from 'react';
import { createRoot } from 'react-dom/client';
import type { Mount } from '../editor.ts';

export const mount: Mount = (place, text) => {
  let shown = EditorState.createWithContent(ContentState.createFromText(text));
  const Field = () => {
    const [editorState, onChange] = useState(shown);
    shown = editorState;
    return createElement(Editor, { editorState, onChange });
  };
  createRoot(place).render(createElement(Field));
  return { value: () => shown.getCurrentContent().getPlainText('\n') };
};
