import type { BrowserSession } from '../drivers/driver.ts';
import { dropOn } from '../file-steps.ts';
import { PATIENCE_MS, Person } from './person.ts';

/** A file that the manager saved. */
export interface Saved {
  readonly name: string;
  readonly bytes: readonly number[];
}

/** The text of a saved file. */
export const textIn = ({ bytes }: Saved): string =>
  new TextDecoder().decode(Uint8Array.from(bytes));

/** A person who saves and drops files. */
export class Contact extends Person {
  static async at(session: BrowserSession): Promise<Contact> {
    const tab = await session.newTab(session.extensionUrl('manager.html'));
    await tab.waitFor('#nav-contacts', PATIENCE_MS);
    await tab.evaluate(keepSaved);
    return new Contact(tab);
  }

  async drop({ name, bytes }: Saved): Promise<void> {
    await dropOn(this.tab, name, Uint8Array.from(bytes));
    this.actions++;
  }

  /** What the page saved last; each is taken once. */
  async saved(): Promise<Saved> {
    await this.tab.waitUntil(() => (globalThis as { lastSaved?: Blob }).lastSaved !== undefined, {
      timeoutMs: PATIENCE_MS,
    });
    return this.tab.evaluate(takeSaved);
  }

  async words(): Promise<string> {
    await this.tab.waitFor('.words[aria-busy="false"]', PATIENCE_MS);
    return this.tab.text('.words');
  }
}

/** Runs in the manager: files are kept here, with their names, and not saved. */
function keepSaved(): void {
  const scope = globalThis as { lastSaved?: Blob; lastName?: string };
  const inner = URL.createObjectURL.bind(URL);
  URL.createObjectURL = (blob) => {
    scope.lastSaved = blob as Blob;
    return inner(blob);
  };
  HTMLAnchorElement.prototype.click = function (this: HTMLAnchorElement) {
    scope.lastName = this.download;
  };
}

async function takeSaved(): Promise<Saved> {
  const scope = globalThis as { lastSaved?: Blob | undefined; lastName?: string };
  const bytes = [...new Uint8Array(await scope.lastSaved!.arrayBuffer())];
  scope.lastSaved = undefined;
  return { name: scope.lastName!, bytes };
}
