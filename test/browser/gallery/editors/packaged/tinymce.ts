import type { Mount } from '../../editor.ts';
import { linesOf, paragraphsOf } from '../../paragraphs.ts';

declare const tinymce: {
  init(settings: object): Promise<readonly { getContent(): string; focus(): void }[]>;
};

/** In a frame of its own, as it is by default. It inserts a pasted text in a later task. */
export const mount: Mount = async (place, text) => {
  const area = document.createElement('textarea');
  area.value = paragraphsOf(text);
  place.append(area);
  const [editor] = await tinymce.init({ target: area, license_key: 'gpl', promotion: false });
  return { value: () => linesOf(editor!.getContent()), focus: () => editor!.focus() };
};
