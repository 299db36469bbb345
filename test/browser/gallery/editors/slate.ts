import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { createEditor, Node, type Descendant } from 'slate';
import { withHistory } from 'slate-history';
import { Editable, ReactEditor, Slate, withReact } from 'slate-react';
import type { Mount } from '../editor.ts';

export const mount: Mount = (place, text) => {
  const editor = withHistory(withReact(createEditor()));
  const initialValue: Descendant[] = text
    .split('\n')
    .map((line) => ({ type: 'paragraph', children: [{ text: line }] }));
  createRoot(place).render(
    createElement(Slate, { editor, initialValue }, createElement(Editable, {})),
  );
  return {
    value: () => editor.children.map((node) => Node.string(node)).join('\n'),
    focus: () => ReactEditor.focus(editor),
  };
};
