import { expect } from 'chai';
import type { BrowserSession, Tab } from '../drivers/driver.ts';
import { scrollToRest } from '../drivers/page-function.ts';
import type { Modules } from '../../extension/manager/forms/code-pictures.ts';
import { confirmPassphrase, keepDownloads } from '../steps.ts';
import { PATIENCE_MS, Person } from './person.ts';

interface Copying {
  lastCopied?: string;
}

/** One device at its screen "Devices", each action on which is counted. */
export class PairingScreen extends Person {
  override actions = 1; // the screen was opened

  static async of(session: BrowserSession): Promise<PairingScreen> {
    const tab = await session.newTab(session.extensionUrl('manager.html#devices'));
    await tab.waitFor('#device-request-copy, #device-own-words', PATIENCE_MS);
    await keepDownloads(tab);
    await tab.evaluate(() => {
      navigator.clipboard.writeText = (text) => {
        (globalThis as Copying).lastCopied = text;
        return Promise.resolve();
      };
    });
    return new PairingScreen(tab);
  }

  async copied(): Promise<string> {
    await this.tab.waitUntil(() => (globalThis as Copying).lastCopied !== undefined, {
      timeoutMs: PATIENCE_MS,
    });
    return this.tab.evaluate(() => {
      const { lastCopied } = globalThis as Copying;
      delete (globalThis as Copying).lastCopied;
      return lastCopied!;
    });
  }

  async ownWords(): Promise<string> {
    await this.tab.waitFor('#device-own-words[aria-busy="false"]', PATIENCE_MS);
    return this.tab.evaluate(() =>
      Array.from(
        document.querySelectorAll('#device-own-words > li'),
        ({ textContent }) => textContent,
      ).join(' '),
    );
  }

  /** The modules of the code that this device shows, with their margin. */
  async ownCode(): Promise<Modules> {
    await this.tab.waitFor('#device-own-code .qr', PATIENCE_MS);
    const { size, path } = await this.tab.evaluate(() => {
      const drawn = document.querySelector('#device-own-code .qr')!;
      const shown = drawn.querySelector('path')!.getAttribute('d')!;
      return { size: Number(drawn.getAttribute('viewBox')!.split(' ')[2]), path: shown };
    });
    const modules = Array.from({ length: size }, () => Array<boolean>(size).fill(false));
    for (const [, x, y] of path.matchAll(/M(\d+) (\d+)h1v1h-1z/g)) {
      modules[Number(y)]![Number(x)] = true;
    }
    return modules;
  }

  /** What a person sees of that code, as a file. */
  async photographCode(path: string): Promise<void> {
    await this.tab.waitFor('#device-own-code .qr', PATIENCE_MS);
    await this.tab.evaluate(scrollToRest, '#device-own-code .qr');
    await this.tab.screenshot(path);
  }

  /** The button with these words; with others if `isRight` is false. */
  async chooseWords(words: string, isRight = true): Promise<void> {
    await this.tab.waitFor('#device-words-0', PATIENCE_MS);
    const places = [0, 1, 2].map((at) => `#device-words-${at}`);
    const shown = await Promise.all(places.map((place) => this.tab.text(place)));
    expect(shown.filter((set) => set.trim() === words)).to.have.length(1);
    await this.click(places[shown.findIndex((set) => (set.trim() === words) === isRight)]!);
  }

  /** The passphrase, with its button as Enter. */
  async confirm(): Promise<void> {
    await this.tab.waitFor('#current-passphrase', PATIENCE_MS);
    await confirmPassphrase(this.tab);
    this.actions++;
  }

  async digits(): Promise<string> {
    await this.tab.waitFor('#device-digits-shown', PATIENCE_MS);
    return (await this.tab.text('#device-digits-shown')).trim();
  }

  /** How many devices the list has; this one is among them. */
  async members(count: number): Promise<void> {
    await this.tab.waitUntil(
      (wanted) =>
        document.querySelectorAll('#members li').length === wanted &&
        document.querySelectorAll('#members [aria-current]').length === 1,
      { timeoutMs: PATIENCE_MS },
      count,
    );
  }

  /** Removes a device that is not this one, of so many. */
  async removeOther(count: number): Promise<void> {
    await this.members(count);
    await this.click('#members li:not([aria-current]) .button:not(.has-joined)');
    await this.confirm();
    await this.members(count - 1);
  }

  /** Six digits and Enter. */
  async typeDigits(digits: string): Promise<void> {
    await this.tab.waitFor('#device-answer-taken', PATIENCE_MS);
    await this.tab.waitFor('#device-digits', PATIENCE_MS);
    await this.tab.type('#device-digits', digits);
    await this.tab.press('Enter');
    this.actions++;
  }
}

/** The keys of one device go to another one, by text. */
export async function pairByText(from: PairingScreen, to: PairingScreen): Promise<void> {
  await to.click('#device-request-copy');
  await from.paste('#device-request', await to.copied());
  await from.chooseWords(await to.ownWords());
  await from.confirm();
  const digits = await from.digits();
  await from.click('#device-answer-out .button-primary');
  await to.paste('#device-answer', await from.copied());
  await to.typeDigits(digits);
  await to.click('#device-take');
  await to.tab.waitFor('#device-taken', PATIENCE_MS);
}

/** The names of all keys, a line for each. */
export async function labelsIn(session: BrowserSession): Promise<string> {
  const tab = await session.newTab(session.extensionUrl('manager.html#keys'));
  await tab.waitFor('.view', PATIENCE_MS);
  await tab.waitUntil(() => document.querySelector('.card .row-title, .card h2') !== null, {
    timeoutMs: PATIENCE_MS,
  });
  const labels = await tab.evaluate(() =>
    Array.from(document.querySelectorAll('.view .row-title'), (title) => title.textContent).sort(),
  );
  await tab.close();
  return labels.join('\n');
}

/** The manager at its screen "Keys". */
export async function openKeys(session: BrowserSession): Promise<Tab> {
  const manager = await session.newTab(session.extensionUrl('manager.html#keys'));
  await manager.waitFor('#new-key-label', PATIENCE_MS);
  return manager;
}

/** Makes a key in the manager. */
export async function makeKey(session: BrowserSession, label: string): Promise<void> {
  const manager = await openKeys(session);
  await manager.type('#new-key-label', label);
  await manager.click('#create-key');
  await manager.waitUntil(
    (name) => document.querySelector('#keys')?.textContent.includes(name) ?? false,
    { timeoutMs: PATIENCE_MS },
    label,
  );
  await manager.close();
}
