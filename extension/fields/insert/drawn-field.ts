import { copyEvent } from './strategies/paste.ts';
import { focusField, pressWithCommand } from './focus.ts';
import type { Field, InsertStrategy, Neighbours, Place } from './field.ts';
import { changesLater, pause } from './settled.ts';

/** Monaco's paste can take 40 ms, and a page in the background does not draw. */
const DRAWS_WITHIN_MS = 1000;

const SELECTED_WITHIN_MS = 50;

/** An editor that keeps its text in a model and draws only the visible part. */
export interface DrawnEditor {
  /** The element that receives key and clipboard events. */
  readonly input: HTMLElement;
  /** The element that contains the drawn lines. */
  readonly lines: Element;
  readonly isReadOnly: boolean;
  readonly paste: InsertStrategy;
  selectAll(): void;
  caretToEnd(): void;
  /** The selected text, where a copy event alone does not bring it. */
  copied?(): string;
}

/**
 * A field of such an editor. Its text is not in the DOM. It is read with a copy event, which the editor
 * answers from its model. The clipboard is not used.
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

  /** Undefined, because reading selects the whole text. */
  glance(): undefined {
    return undefined;
  }

  /** Undefined, because without a selection such editors copy the line. */
  selectedText(): undefined {
    return undefined;
  }

  /** Unknown, as the selection is. */
  neighbours(): Neighbours {
    return ['', ''];
  }

  /** Waits for selection events, which must not arrive during the insertion. */
  async select(place: Place): Promise<void> {
    focusField(this.element);
    if (place === 'all') this.#editor.selectAll();
    await pause(SELECTED_WITHIN_MS);
  }

  /**
   * Such an editor may paste asynchronously and cancels it when the selection changes. Therefore it is
   * not read before it has drawn a change.
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

  takesLater(): () => Promise<boolean> {
    return changesLater(this.#editor.lines);
  }

  restore(): void {
    pressWithCommand(this.element, 'z');
  }

  #copied(): string {
    if (this.#editor.copied) return this.#editor.copied();
    const event = copyEvent(this.element);
    this.element.dispatchEvent(event);
    return event.clipboardData?.getData('text/plain') ?? '';
  }
}
