import { createEmptyHistoryState, registerHistory } from '@lexical/history';
import { registerRichText } from '@lexical/rich-text';
import { $createParagraphNode, $createTextNode, $getRoot, createEditor } from 'lexical';
import type { Mount } from '../editor.ts';

export const mount: Mount = (place, text) => {
  const editor = createEditor({
    namespace: 'gallery',
    onError: (error) => {
      throw error;
    },
  });
  const field = document.createElement('div');
  field.contentEditable = 'true';
  place.append(field);
  registerRichText(editor);
  editor.setRootElement(field);
  editor.update(
    () => {
      $getRoot().append($createParagraphNode().append($createTextNode(text)));
    },
    { discrete: true },
  );
  registerHistory(editor, createEmptyHistoryState(), 300);
  return { value: () => editor.getEditorState().read(() => $getRoot().getTextContent()) };
};
