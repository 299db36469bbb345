import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { dictionary } from '@zxcvbn-ts/language-common';
import {
  sealingAttributes,
  type FileAttributes,
} from '../../../src/format/recipients/attributes.ts';
import {
  sealingWithPassphrase,
  type SharingIdentity,
} from '../../../src/format/recipients/sharing.ts';
import { sealStream } from '../../../src/format/streams.ts';
import { parsePublicKey } from '../../../src/format/wire/public-key.ts';
import { verificationOf } from '../../../src/service/sharing/verification.ts';
import type { BrowserSession, Tab } from '../drivers/driver.ts';

/* The page open.html, as people use it, and what they get sent. */

export const PAGE = 'dist/open.html';
export const PASSPHRASE = 'abacus-stream-lantern-orbit-velvet-tuna';
/** The least that is accepted: tests wait for it dozens of times. */
const COST = { memoryKiB: 19_456, passes: 2, parallelism: 1 };

/** Where the page is opened from. */
export interface Place {
  readonly address: string;
  /** The paths that were asked for; none of a file. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

/** The page as a file on the disk. */
export function onDisk(): Place {
  const address = pathToFileURL(resolve(PAGE)).href;
  return { address, requests: [], close: () => Promise.resolve() };
}

/** The page on a web server that has nothing else. */
export async function onServer(): Promise<Place> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    const isPage = request.url === '/open.html';
    response.writeHead(isPage ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' });
    response.end(isPage ? readFileSync(PAGE) : '');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((done) => {
      server.closeAllConnections();
      server.close(() => done());
    });
  return { address: `http://localhost:${port}/open.html`, requests, close };
}

/** What a sender makes for people who have nothing. */
export async function sealedWithWords(
  message: Uint8Array,
  file?: FileAttributes,
): Promise<Uint8Array> {
  const attributes = sealingAttributes({ file, statics: [], digest: new Uint8Array(32) });
  const options = { ...sealingWithPassphrase(PASSPHRASE, { cost: COST }), attributes };
  const sealed = new Blob([message as BlobPart]).stream().pipeThrough(sealStream(options));
  return new Uint8Array(await new Response(sealed).arrayBuffer());
}

/** A file on the disk with these bytes. */
export function asFile(name: string, bytes: Uint8Array): string {
  const path = join(mkdtempSync(join(tmpdir(), 'sealwright-page-')), name);
  writeFileSync(path, bytes);
  return path;
}

/** Pastes in place of what the field holds: all at once, as no typing does. */
export async function paste(tab: Tab, selector: string, text: string): Promise<void> {
  await tab.click(selector);
  await tab.evaluate(
    (field, pasted) => {
      const element = document.querySelector<HTMLTextAreaElement | HTMLInputElement>(field)!;
      element.value = pasted;
      element.dispatchEvent(new InputEvent('input', { bubbles: true }));
    },
    selector,
    text,
  );
}

/** The page in a tab of its own. */
export async function openIn(session: BrowserSession, address: string): Promise<Tab> {
  const tab = await session.newTab(address);
  await tab.waitFor('#open-now');
  return tab;
}

/** Waits for a text that was opened. */
export async function openedText(tab: Tab): Promise<string> {
  await tab.waitFor('#opened-text', 60_000);
  return tab.text('#opened-text');
}

/** Waits until a file was saved. @returns what the page says of it */
export async function savedName(tab: Tab): Promise<string> {
  await tab.waitUntil(() => document.querySelector('#opened-saved')!.textContent !== '');
  return tab.text('#opened-saved');
}

/** The six words beside the form that seals. */
export async function shownWords(tab: Tab): Promise<readonly string[]> {
  await tab.waitFor('#key-words');
  return tab.evaluate(() =>
    [...document.querySelectorAll('#key-words > li')].map(({ textContent }) => textContent),
  );
}

/** The headings of the page, in their order. */
export function headings(tab: Tab): Promise<readonly string[]> {
  return tab.evaluate(() =>
    [...document.querySelectorAll('h1, h2')].map(({ textContent }) => textContent),
  );
}

/** The words that the extension shows of a key. */
export function wordsOf({ type, publicKey }: SharingIdentity): readonly string[] {
  const { words } = verificationOf(type, parsePublicKey(publicKey).bytes);
  return words.map((index) => dictionary['diceware-common'][index]!);
}

/** Waits for the notice why nothing was opened. */
export async function problem(tab: Tab): Promise<string> {
  await tab.waitFor('#open-problem', 60_000);
  return tab.text('#open-problem');
}
