import type { Mount } from '../../editor.ts';
import { linesOf, paragraphsOf } from '../../paragraphs.ts';

declare const jQuery: (element: Element) => {
  summernote(settings: object | 'focus'): void;
  summernote(method: 'code'): string;
};

export const mount: Mount = (place, text) => {
  const area = document.createElement('div');
  area.innerHTML = paragraphsOf(text);
  place.append(area);
  const editor = jQuery(area);
  editor.summernote({ height: 80 });
  return {
    value: () => linesOf(editor.summernote('code')),
    focus: () => editor.summernote('focus'),
  };
};
