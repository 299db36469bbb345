import { copyEvent } from './strategies/paste.ts';
import { focusField, pressWithCommand } from './focus.ts';
import type { Field, InsertStrategy, Place } from './field.ts';
import { pause } from './settled.ts';

/** Monaco's paste has been seen to take 40 ms; a page in the background draws nothing at all. */
const DRAWS_WITHIN_MS = 1000;

const SELECTED_WITHIN_MS = 50;

/** An editor that keeps its text in a model, and draws only the part that is in view. */
export interface DrawnEditor {
  /** Where it hears key strokes and the clipboard. */
  readonly input: HTMLElement;
  /** Where it draws its lines. */
  readonly lines: Element;
  readonly isReadOnly: boolean;
  readonly paste: InsertStrategy;
  selectAll(): void;
  caretToEnd(): void;
}

/**
 * Such an editor's text is not in the page to be read: it is asked for it by the event of a copy,
 * which it answers from its model. The clipboard is not touched.
 */
export class DrawnField implements Field {
  readonly limit = null;
  readonly #editor: DrawnEditor;

  constructor(editor: DrawnEditor) {
    this.#editor = editor;
  }

  get strategies(): readonly InsertStrategy[] {
    return [this.#editor.paste];
  }

  get element(): HTMLElement {
    return this.#editor.input;
  }

  get isReadOnly(): boolean {
    return this.#editor.isReadOnly;
  }

  read(): string {
    focusField(this.element);
    this.#editor.selectAll();
    const text = this.#copied();
    this.#editor.caretToEnd();
    return text;
  }

  /** To read it all is to select it all. */
  glance(): undefined {
    return undefined;
  }

  /** With nothing selected such editors copy the line. */
  selectedText(): undefined {
    return undefined;
  }

  /** What selecting makes the browser tell later must not come in the middle of what follows. */
  async select(place: Place): Promise<void> {
    focusField(this.element);
    if (place === 'all') this.#editor.selectAll();
    await pause(SELECTED_WITHIN_MS);
  }

  /**
   * Such an editor may take its time to paste, and gives it up when its selection changes meanwhile:
   * it is not read before it has drawn something new.
   */
  changed(): Promise<void> {
    return new Promise((resolve) => {
      const settle = (): void => {
        observer.disconnect();
        resolve();
      };
      const observer = new MutationObserver(settle);
      observer.observe(this.#editor.lines, { childList: true, characterData: true, subtree: true });
      void pause(DRAWS_WITHIN_MS).then(settle);
    });
  }

  restore(): void {
    pressWithCommand(this.element, 'z');
  }

  #copied(): string {
    const event = copyEvent(this.element);
    this.element.dispatchEvent(event);
    return event.clipboardData?.getData('text/plain') ?? '';
  }
}
