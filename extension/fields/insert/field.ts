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
  select(place: Place): Promise<void> | void;
  /** Settles when it may have changed, or a moment has passed: the time to read it. Ask before a change. */
  changed(): Promise<void>;
  /** Puts back what was there before a way that the page made something else of. */
  restore(before: string): void;
  /** Ways to put a text in the place of the selection, the best first. */
  readonly strategies: readonly InsertStrategy[];
}

/**
 * @returns false where the page surely has not taken the text; whether it has is seen by reading
 */
export type InsertStrategy = (element: HTMLElement, text: string) => boolean;

/** What became of a text that was to be put into a field. */
export type InsertOutcome =
  | { readonly inserted: true }
  | {
      readonly inserted: false;
      /**
       * `refused`: the field, or the page's own script, did not keep it as it was given;
       * `too-long`: it takes `limit` characters; `gone`: it is in the document no more;
       * `forbidden`: a field of a kind that is never written to.
       */
      readonly reason: 'refused' | 'too-long' | 'read-only' | 'gone' | 'forbidden';
      readonly limit?: number;
    };

/** What the text takes the place of: all that the field holds, or what is selected in it. */
export type Place = 'all' | 'selection';
