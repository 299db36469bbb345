import type { PageKey } from './page-text.ts';

/** What the page does not open or seal, with the message that says why. Its text never quotes an input. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly words: PageKey;

  constructor(words: PageKey, options?: ErrorOptions) {
    super(words, options);
    this.words = words;
  }
}
