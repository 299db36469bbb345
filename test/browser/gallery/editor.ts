/** One editor on a page of its own, as an application has it. */
export interface Editor {
  /** What the application would send when it saves: read from its model, never from the DOM. */
  value(): string | Promise<string>;
  /** Puts the caret into it, where a click into the middle of its place does not. */
  focus?(): void;
  /** Draws the field anew, each round in another way: with its value, as another element, in another parent. */
  redraw?(round: number): void | Promise<void>;
  /** As pages do after sending. */
  clear?(): void;
}

/**
 * Makes the editor in an empty element, which it is to fill, with a text that was saved before.
 * Runs in the page.
 */
export type Mount = (place: HTMLElement, text: string) => Editor | Promise<Editor>;
