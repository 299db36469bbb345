import type { Place } from './outcome.ts';

/**
 * A field of the page that can be read and written: a control, an editable element, or an editor
 * that draws its text itself. One implementation each.
 */
export interface Field {
  /** What has the focus while a person writes in it. */
  readonly element: HTMLElement;
  readonly isReadOnly: boolean;
  /** The most characters (UTF-16 code units) that it takes; null where it names no bound. */
  readonly limit: number | null;
  /** The whole text. */
  read(): string;
  /** The same without moving the caret; undefined where that cannot be had. */
  glance(): string | undefined;
  /** What of the text is selected; undefined where that cannot be known. */
  selectedText(): string | undefined;
  /** Focuses it, and selects what is to be replaced. */
  aim(place: Place): Promise<void> | void;
  /** Settles when it may have changed, or a moment has passed: the time to read it. Ask before a change. */
  changed(): Promise<void>;
  /** Puts back what was there before a way that the page made something else of. */
  restore(before: string): void;
  /** Ways to put a text in the place of the selection, the best first. */
  readonly ways: readonly Way[];
}

/**
 * @returns false where the page surely has not taken the text; whether it has is seen by reading
 */
export type Way = (element: HTMLElement, text: string) => boolean;
