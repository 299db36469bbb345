import type { BrowserSession, Tab } from '../drivers/driver.ts';
import { PATIENCE_MS } from './person.ts';

/** So many presses of Tab pass every control of the longest screen. */
const STOPS_MAX = 80;

/** Where the focus is. */
interface Stop {
  readonly isThere: boolean;
  /** What is wrong with it; undefined if nothing is. */
  readonly fault: string | undefined;
}

/** Runs in a page: looks at the element that has the focus, which has to be in the window, and below nothing else. */
function stopAt(wanted: string): Stop {
  const focused = document.activeElement;
  if (!focused || focused === document.body) {
    return { isThere: false, fault: 'nothing has the focus' };
  }
  const isThere = focused.matches(wanted);
  // A script may focus a heading outside of the window, which is no control and stays where it is.
  if ((focused as HTMLElement).tabIndex < 0) return { isThere, fault: undefined };
  const { left, top, width, height } = focused.getClientRects()[0] ?? new DOMRect();
  const shown = document.elementFromPoint(left + width / 2, top + height / 2);
  const isFree = shown !== null && (focused.contains(shown) || shown.contains(focused));
  const name = focused.outerHTML.slice(0, 120);
  return {
    isThere,
    fault: isFree ? undefined : `${name} is below ${shown?.outerHTML.slice(0, 120)}`,
  };
}

/** One person at a page of the extension who uses keys alone. The focus is never lost, and what has it can be seen. */
export class Typist {
  readonly tab: Tab;

  constructor(tab: Tab) {
    this.tab = tab;
  }

  /** At a screen of the manager, where the title has the focus. */
  static async at(session: BrowserSession, screen: string): Promise<Typist> {
    const typist = new Typist(await session.newTab(session.extensionUrl(`manager.html#${screen}`)));
    await typist.tab.waitFor(`#nav-${screen}[aria-current]`, PATIENCE_MS);
    await typist.isAt('#view-title');
    return typist;
  }

  /** Loads the page anew: its title has the focus, as for a person who comes back later. */
  async again(): Promise<void> {
    await this.tab.reload();
    await this.isAt('#view-title');
  }

  /** Presses Tab until the focus is there. */
  async to(wanted: string): Promise<void> {
    await this.tab.waitFor(wanted, PATIENCE_MS);
    let stop = await this.#look(wanted);
    for (let left = STOPS_MAX; !stop.isThere; left--) {
      if (left === 0) throw new Error(`Tab does not reach ${wanted}`);
      await this.tab.press('Tab');
      stop = await this.#look(wanted);
    }
  }

  async #look(wanted: string): Promise<Stop> {
    const stop = await this.tab.evaluate(stopAt, wanted);
    if (stop.fault !== undefined) throw new Error(`On the way to ${wanted}: ${stop.fault}`);
    return stop;
  }

  /** Presses a button, or submits the form of a field. */
  async enter(wanted: string): Promise<void> {
    await this.to(wanted);
    await this.tab.press('Enter');
  }

  /** Checks a box, or unchecks it. */
  async check(wanted: string): Promise<void> {
    await this.to(wanted);
    await this.tab.typeAtFocus(' ');
  }

  async type(wanted: string, text: string): Promise<void> {
    await this.to(wanted);
    await this.tab.typeAtFocus(text);
  }

  /** In the place of what a field has. */
  async paste(wanted: string, text: string): Promise<void> {
    await this.to(wanted);
    await this.tab.evaluate((pasted) => {
      const field = document.activeElement as HTMLTextAreaElement;
      field.value = pasted;
      field.dispatchEvent(new Event('input', { bubbles: true }));
    }, text);
  }

  /** Answers the dialog that asks for the passphrase, whose field has the focus. */
  async confirm(passphrase: string): Promise<void> {
    await this.isAt('#current-passphrase');
    await this.tab.typeAtFocus(passphrase);
    await this.tab.press('Enter');
    await this.tab.waitUntil(() => document.querySelector('dialog') === null, {
      timeoutMs: PATIENCE_MS,
    });
  }

  /** Answers a question, whose safe answer has the focus, with the other one. */
  async goOn(): Promise<void> {
    await this.isAt('.confirm > .actions > button:first-child');
    await this.tab.press('Tab');
    await this.tab.press('Enter');
  }

  /** Waits until the focus is there, where it is to be after what was done. */
  async isAt(wanted: string): Promise<void> {
    await this.tab.waitUntil(
      (selector) => document.activeElement?.matches(selector) ?? false,
      { timeoutMs: PATIENCE_MS },
      wanted,
    );
    await this.#look(wanted);
  }
}
