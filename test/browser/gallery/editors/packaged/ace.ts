import type { Mount } from '../../editor.ts';

declare const ace: {
  edit(place: HTMLElement): {
    setValue(text: string, cursor: 1): void;
    getValue(): string;
    focus(): void;
    readonly session: { setUseWrapMode(on: boolean): void; getUndoManager(): { reset(): void } };
  };
};

export const mount: Mount = (place, text) => {
  const area = document.createElement('div');
  place.append(area);
  const editor = ace.edit(area);
  editor.session.setUseWrapMode(true);
  editor.setValue(text, 1);
  editor.session.getUndoManager().reset();
  return { value: () => editor.getValue(), focus: () => editor.focus() };
};
