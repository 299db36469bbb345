import type { Mount } from '../../editor.ts';

interface TrixElement extends HTMLElement {
  readonly editor: { getDocument(): { toString(): string }; loadHTML(html: string): void };
}

export const mount: Mount = async (place, text) => {
  const element = document.createElement('trix-editor') as TrixElement;
  const ready = new Promise((resolve) => element.addEventListener('trix-initialize', resolve));
  place.append(element);
  await ready;
  element.editor.loadHTML(text.replaceAll('\n', '<br>'));
  return {
    value: () => element.editor.getDocument().toString().replace(/\n$/, ''),
    focus: () => element.focus(),
  };
};
