/**
 * A field of the page that can be read and written: a control, an editable element, or an editor
 * that draws its text itself. One implementation each.
 */
export interface Field {
  /** The element that has the focus while the user types. */
  readonly element: HTMLElement;
  readonly isReadOnly: boolean;
  /** The most characters (UTF-16 code units) that it accepts; null without a limit. */
  readonly limit: number | null;
  /** The whole text. */
  read(): string;
  /** The whole text without moving the caret; undefined if that is not possible. */
  glance(): string | undefined;
  /** The selected text; undefined if it cannot be read. */
  selectedText(): string | undefined;
  /** What stands beside the selection in the same line. */
  neighbours(): Neighbours;
  /** Focuses it, and selects the text to be replaced. */
  select(place: Place): Promise<void> | void;
  /** Resolves after a change, or after a time limit. Call it before the change. */
  changed(): Promise<void>;
  /**
   * Whether the page takes the text in a later task, after a strategy that returned false. Call it before
   * the strategy, and the function that it returns after it.
   */
  takesLater(): () => Promise<boolean>;
  /** Takes back an insertion that the page altered: each call one more step. */
  restore(before: string): void;
  /** Ways to replace the selection by a text, the best first. */
  readonly strategies: readonly InsertStrategy[];
}

/** A character each, '' if there is none, or it cannot be read. */
export type Neighbours = readonly [before: string, after: string];

/**
 * One way to replace the selection by a text.
 *
 * @returns false if the text was not inserted yet; otherwise the field must be read to verify it
 */
export type InsertStrategy = (element: HTMLElement, text: string) => boolean;

/** Whether a text was inserted into a field, or why not. */
export type InsertOutcome =
  | { readonly inserted: true }
  | {
      readonly inserted: false;
      /**
       * `refused`: the field or a script of the page altered the text, and the field has its former text again;
       * `altered`: the same, but it has another text now; `too-long`: the field accepts
       * `limit` characters; `gone`: the field was removed from the document; `changed`: it no longer
       * holds the text that is to be replaced; `forbidden`: the policy excludes the field (policy.ts).
       */
      readonly reason:
        'refused' | 'altered' | 'too-long' | 'read-only' | 'gone' | 'changed' | 'forbidden';
      readonly limit?: number;
      /** Of an `altered` field. */
      readonly former?: string;
    };

/** What the text replaces: the whole text of the field, or the selection. */
export type Place = 'all' | 'selection';
