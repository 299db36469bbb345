import Quill from 'quill';
import 'quill/dist/quill.core.css';
import type { Mount } from '../editor.ts';

export const mount: Mount = (place, text) => {
  const quill = new Quill(place);
  quill.setText(text, 'silent');
  quill.history.clear();
  // Its documents always end in a line break.
  return { value: () => quill.getText().replace(/\n$/, '') };
};
