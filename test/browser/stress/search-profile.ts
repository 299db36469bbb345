import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { IN_MEMORY_BYTES } from '../../../extension/platform/storage/file-sink.ts';
import { lockOf } from '../../../extension/platform/storage/temporary-files.ts';
import type { StressResult } from '../../keys/stress.ts';
import type { BrowserSession, Tab } from '../drivers/driver.ts';
import { PATIENCE_MS, poll } from '../drivers/page-function.ts';
import { closed, fieldSession } from '../field-steps.ts';
import { openFiles, sealAndOpen, unfinishedNames } from '../file-steps.ts';
import type { TestServer } from '../server.ts';
import { auditLogSaved, call, connect, openEnabledSite, PASSPHRASE, succeed } from '../steps.ts';
import { Tally } from './tally.ts';

/** Stands in clear in the profile: a search that does not find it finds nothing at all. */
const CONTROL = 'control-that-must-be-found-3f9c2b';
const PLAINTEXT = 'plaintext-that-must-not-be-found-81d4ae';
const CONTEXT = 'context-that-must-not-be-found-5e02c7';
/**
 * Typed into fields. Without any sequence that recurs: Firefox compresses its session store, and leaves
 * such texts as they are.
 */
const TYPED = {
  note: 'Qx7vTz2kLw9pRm4h',
  compose: 'Jb3nYd8sGf6cXa1u',
  paste: 'Hk5wEo0iVq2zNt7r',
} as const;
/** Typed into a page of the web: what the browser keeps of it shows that it has saved its session. */
const TYPED_CONTROL = 'Zp4mUc9yBs1gKx6d';
/** Repeated in the files that are opened. */
const FILE_PLAINTEXT = 'file-plaintext-that-must-not-be-found-c4e17b. ';
/** Lengths of these files: in memory, on disk (extension/platform/storage/file-sink.ts), and longer than most are. */
const FILE_BYTES = [1_024, IN_MEMORY_BYTES - 1_024, IN_MEMORY_BYTES + 1, 200_000_000];
const PRIVATE_HOST = 'private-visit-9b1d.localhost';

/**
 * Uses the extension, in a private window too, kills the browser, and searches every file of its
 * profile for what must never reach the disk. The session has ended afterwards.
 *
 * @param session with an open vault under PASSPHRASE
 */
export async function searchProfile(
  session: BrowserSession,
  server: TestServer,
): Promise<StressResult> {
  const tally = new Tally();
  const site = await openEnabledSite(session, `${server.otherOrigin}/blank.html?profile`);
  await connect(session, site);
  const sealed = await succeed(site, 'sealText', PLAINTEXT, { context: CONTEXT });
  tally.hold(
    (await succeed(site, 'openText', sealed, { context: CONTEXT })) === PLAINTEXT,
    'it did not open what it had sealed',
  );
  await auditLogSaved();
  const keys = await secretsInMemory(session);
  tally.hold(keys.length > 0, 'no key was found in memory: nothing to look for');
  // Before the private window: to let it in, Chromium loads the extension anew.
  await typeEverywhere(session, server, site);
  await openFilesOfEachLength(session, tally);
  await sessionSaved(session, [TYPED_CONTROL]);
  await openInPrivate(session, server, tally);
  await auditLogSaved();
  const profile = await session.crash();
  try {
    await search(
      profile,
      [PASSPHRASE, PLAINTEXT, FILE_PLAINTEXT, CONTEXT, PRIVATE_HOST, ...Object.values(TYPED)],
      keys,
      tally,
    );
  } finally {
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  }
  return tally.result();
}

/** Types into the windows of the extension that take texts, and leaves them open. */
async function typeEverywhere(
  session: BrowserSession,
  server: TestServer,
  site: Tab,
): Promise<void> {
  const manager = await session.newTab(session.extensionUrl('manager.html#keys'));
  await manager.type('#new-key-label', 'Profile key');
  await manager.click('#create-key');
  await manager.click('#keys button[aria-label*="Profile key"]');
  await manager.type('#edit-note', TYPED.note);
  // As tabs, in which they stay apart: windows are found by the name of their page.
  const addresses: string[] = [];
  for (const kind of ['write', 'open'] as const) {
    const window = await fieldSession(session, site, kind);
    addresses.push(await window.url());
    await closed(session, window);
  }
  const [writing, opening] = addresses as [string, string];
  // One after the other: a tab that is hidden from the beginning shows nothing yet.
  const compose = await session.newTab(writing);
  await compose.type('#compose', TYPED.compose);
  const reader = await session.newTab(opening);
  await reader.click('summary');
  await reader.type('#pasted', TYPED.paste);
  const page = await session.newTab(`${server.otherOrigin}/fields.html`);
  await page.type('#area', TYPED_CONTROL);
}

/**
 * Opens and saves files, and waits until the last tab has gone with its temporary files. Until then, each of these is
 * one that a page owns.
 */
async function openFilesOfEachLength(session: BrowserSession, tally: Tally): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'sealwright-lengths-'));
  const watching = await session.newTab(session.extensionUrl('popup.html'));
  try {
    for (const length of FILE_BYTES) {
      const path = join(folder, 'diary.txt');
      await writeFile(path, Buffer.alloc(length, FILE_PLAINTEXT));
      const manager = await openFiles(session);
      await sealAndOpen(manager, path);
      await manager.click('#save-opened');
      const names = await watching.evaluate(unfinishedNames);
      const isOnDisk = names.length > 0;
      tally.hold(isOnDisk === length > IN_MEMORY_BYTES, `${length} bytes: ${names.length} files`);
      const locks = new Set(await watching.evaluate(heldLocks));
      const ownerless = names.filter((name) => !locks.has(lockOf(name)));
      tally.hold(ownerless.length === 0, `${length} bytes: ${ownerless.length} files of no page`);
      await manager.close();
      await poll('the end of the temporary files', PATIENCE_MS, async () => {
        return (await watching.evaluate(unfinishedNames)).length === 0 || undefined;
      });
    }
  } finally {
    await watching.close();
    await rm(folder, { recursive: true });
  }
}

/** Runs in a page of the extension: the names of the locks that its pages hold. */
async function heldLocks(): Promise<string[]> {
  const { held = [] } = await navigator.locks.query();
  return held.flatMap(({ name }) => (name === undefined ? [] : [name]));
}

/** Comes back when the browser has written its session with these texts of fields. */
export async function sessionSaved(
  session: BrowserSession,
  texts: readonly string[],
): Promise<void> {
  const missing = new Set(texts);
  await poll('the saved session', PATIENCE_MS, async () => {
    const paths = await filesOf(session.profile);
    // Chromium restores nothing in a profile whose preferences it has not written yet, some ten seconds after its start.
    if (!paths.some((path) => /[/](Preferences|prefs\.js)$/.test(path))) return undefined;
    for (const path of paths) {
      if (!/session/i.test(path.slice(session.profile.length))) continue;
      const content = await readFile(path).catch(() => Buffer.alloc(0)); // replaced meanwhile
      for (const text of missing) {
        if (formsOf(Buffer.from(text)).some((form) => content.includes(form))) missing.delete(text);
      }
    }
    return missing.size === 0 || undefined;
  });
}

/** The vault key, as the session store holds it in memory; and leaves the control on the disk. */
function secretsInMemory(session: BrowserSession): Promise<string[]> {
  return session.newTab(session.extensionUrl('manager.html#about')).then((manager) =>
    manager.evaluate(async (control) => {
      interface Area {
        get(key: string | null): Promise<Record<string, unknown>>;
        set(values: object): Promise<void>;
      }
      const { browser, chrome } = globalThis as unknown as Record<
        'browser' | 'chrome',
        { storage: { session: Area; local: Area } } | undefined
      >;
      const { storage } = (browser ?? chrome)!;
      await storage.local.set({ control });
      const all = await storage.session.get(null);
      return Object.values(all).flatMap((value) => {
        const { key } = (value ?? {}) as { key?: unknown };
        return typeof key === 'string' ? [key] : [];
      });
    }, CONTROL),
  );
}

async function openInPrivate(
  session: BrowserSession,
  server: TestServer,
  tally: Tally,
): Promise<void> {
  const { port } = new URL(server.origin);
  const fieldSession = await session.newPrivateTab(`http://${PRIVATE_HOST}:${port}/blank.html`);
  const isServed = await fieldSession.evaluate(() => 'sealwright' in globalThis);
  tally.count(isServed ? 'private window: scripts were there' : 'private window: nothing there');
  if (isServed) await call(fieldSession, 'connect', { purpose: 'Private', capabilities: ['seal'] });
}

async function search(
  profile: string,
  texts: readonly string[],
  keys: readonly string[],
  tally: Tally,
): Promise<void> {
  const needles = needlesOf(texts, keys);
  let isControlFound = false;
  for (const path of await filesOf(profile)) {
    const content = await readFile(path).catch(() => Buffer.alloc(0)); // sockets, locks
    tally.trials++;
    tally.count('bytes', content.length);
    isControlFound ||= formsOf(Buffer.from(CONTROL)).some((form) => content.includes(form));
    for (const [name, forms] of needles) {
      const isFound = forms.some((form) => content.includes(form));
      tally.count('hits', isFound ? 1 : 0);
      tally.hold(!isFound, `${name} is in ${path.slice(profile.length)}`);
    }
  }
  tally.hold(isControlFound, 'what lies there in clear was not found either');
}

/**
 * Looks for secrets in all files of a profile.
 *
 * @param keys base64url
 * @returns what was found, once for each file
 */
export async function searchFiles(
  profile: string,
  texts: readonly string[],
  keys: readonly string[],
): Promise<readonly string[]> {
  const needles = needlesOf(texts, keys);
  const found: string[] = [];
  for (const path of await filesOf(profile)) {
    const content = await readFile(path).catch(() => Buffer.alloc(0)); // sockets, locks
    for (const [name, forms] of needles) {
      if (forms.some((form) => content.includes(form))) {
        found.push(name);
      }
    }
  }
  return found;
}

const needlesOf = (texts: readonly string[], keys: readonly string[]) =>
  new Map([
    ...texts.map((text) => [text, formsOf(Buffer.from(text))] as const),
    ...keys.map((key) => ['a key', formsOf(Buffer.from(key, 'base64url'))] as const),
  ]);

async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** As it is, in the browsers' two-byte strings, and as text that stands for bytes. */
function formsOf(bytes: Buffer): Buffer[] {
  const base64 = bytes.toString('base64').replace(/=+$/, '');
  const texts = [base64, bytes.toString('base64url'), bytes.toString('hex')];
  const wide = (text: string) => Buffer.from(text, 'utf16le');
  return [
    bytes,
    wide(bytes.toString('latin1')),
    ...texts.flatMap((text) => [Buffer.from(text), wide(text)]),
  ];
}
