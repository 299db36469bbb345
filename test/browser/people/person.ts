import type { Tab } from '../drivers/driver.ts';
import { scrollToRest } from '../drivers/page-function.ts';

/** How long a person waits for something to appear, in ms. */
export const PATIENCE_MS = 30_000;

/** One person at the manager, each of whose actions is counted. */
export class Person {
  readonly tab: Tab;
  actions = 0;

  constructor(tab: Tab) {
    this.tab = tab;
  }

  /** As a person does, once it stands still: rows fold and unfold where one answers. */
  async click(selector: string): Promise<void> {
    await this.tab.waitFor(selector, PATIENCE_MS);
    await this.tab.evaluate(scrollToRest, selector);
    await this.tab.click(selector);
    this.actions++;
  }

  async type(selector: string, text: string): Promise<void> {
    await this.tab.waitFor(selector, PATIENCE_MS);
    await this.tab.type(selector, text);
    this.actions++;
  }

  /** As a paste is: all of the text at once. */
  async paste(selector: string, text: string): Promise<void> {
    await this.tab.waitFor(selector, PATIENCE_MS);
    await this.tab.evaluate(
      (field, pasted) => {
        const area = document.querySelector<HTMLTextAreaElement>(field)!;
        area.focus();
        area.value = pasted;
        area.dispatchEvent(new Event('input', { bubbles: true }));
      },
      selector,
      text,
    );
    this.actions++;
  }

  async choose(selector: string, path: string): Promise<void> {
    await this.tab.waitFor(selector, PATIENCE_MS);
    await this.tab.chooseFile(selector, path);
    this.actions++;
  }
}
