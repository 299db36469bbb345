import type { Mount } from '../../editor.ts';

declare function CodeMirror(
  place: HTMLElement,
  settings: object,
): {
  getValue(separator?: string): string;
  focus(): void;
};

/** Keys go into a text field of its own, which is empty, and out of view. */
export const mount: Mount = (place, text) => {
  const editor = CodeMirror(place, { value: text, lineWrapping: true });
  return { value: () => editor.getValue(), focus: () => editor.focus() };
};
