import { undoIn, typeCommand } from './strategies/type-command.ts';
import { focusField, pressWithCommand } from './focus.ts';
import type { Field, Neighbours, Place } from './field.ts';
import { changesLater, LOOK_EVERY_MS, pause } from './settled.ts';
import { selectAll, selectionIn } from './selection.ts';
import { paste } from './strategies/paste.ts';

const TEXT_NODE = 3;

/** Slate reads a selection at most every 100 ms. */
const SELECTED_WITHIN_MS = 150;

/** A contenteditable element, of the page or of an editor. */
export class EditableField implements Field {
  readonly element: HTMLElement;
  readonly limit = null;
  readonly strategies = [paste, typeCommand];

  /** @param host the outermost editable element */
  constructor(host: HTMLElement) {
    this.element = host;
  }

  get isReadOnly(): boolean {
    return !this.element.isContentEditable || this.element.ariaReadOnly === 'true';
  }

  read(): string {
    return this.element.innerText;
  }

  glance(): string {
    return this.read();
  }

  selectedText(): string | undefined {
    return selectionIn(this.element)?.toString();
  }

  /** Of the same text node: whether another one stands in the same line, only the layout tells. */
  neighbours(): Neighbours {
    const selection = selectionIn(this.element);
    if (!selection || selection.rangeCount === 0) return ['', ''];
    const { startContainer, startOffset, endContainer, endOffset } = selection.getRangeAt(0);
    const characterOf = (node: Node, at: number): string =>
      node.nodeType === TEXT_NODE ? (node as Text).data.charAt(at) : '';
    return [characterOf(startContainer, startOffset - 1), characterOf(endContainer, endOffset)];
  }

  async select(place: Place): Promise<void> {
    focusField(this.element);
    if (place !== 'all') return;
    selectAll(this.element);
    await pause(SELECTED_WITHIN_MS);
  }

  changed(): Promise<void> {
    return pause(LOOK_EVERY_MS);
  }

  takesLater(): () => Promise<boolean> {
    return changesLater(this.element);
  }

  /** Uses the editor's undo, then the browser's if that did not restore the text. */
  restore(before: string): void {
    pressWithCommand(this.element, 'z');
    if (this.read() !== before) undoIn(this.element.ownerDocument);
  }
}
