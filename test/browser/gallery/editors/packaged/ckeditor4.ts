import type { Mount } from '../../editor.ts';
import { linesOf, paragraphsOf } from '../../paragraphs.ts';

interface Editor {
  getData(): string;
  focus(): void;
  on(type: 'instanceReady', listener: () => void): void;
}
declare const CKEDITOR: {
  replace(area: HTMLTextAreaElement, settings: Readonly<Record<string, unknown>>): Editor;
};

export const mount: Mount = async (place, text) => {
  const area = document.createElement('textarea');
  area.value = paragraphsOf(text);
  place.append(area);
  const editor = CKEDITOR.replace(area, { versionCheck: false, height: 100 });
  await new Promise<void>((resolve) => editor.on('instanceReady', resolve));
  return { value: () => linesOf(editor.getData()), focus: () => editor.focus() };
};
