import type { Mount } from '../../editor.ts';
import { linesOf, paragraphsOf } from '../../paragraphs.ts';

interface Editor {
  getData(): string;
  readonly editing: { readonly view: { focus(): void } };
}
declare const ClassicEditor: {
  create(place: HTMLElement, settings: { readonly licenseKey: 'GPL' }): Promise<Editor>;
};

export const mount: Mount = async (place, text) => {
  const area = document.createElement('div');
  area.innerHTML = paragraphsOf(text);
  place.append(area);
  const editor = await ClassicEditor.create(area, { licenseKey: 'GPL' });
  return { value: () => linesOf(editor.getData()), focus: () => editor.editing.view.focus() };
};
