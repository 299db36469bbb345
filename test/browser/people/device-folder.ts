import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Tab } from '../drivers/driver.ts';
import { lastDownload } from '../steps.ts';
import { PATIENCE_MS } from './person.ts';

/* Folders that are carried between devices. */

interface Saving {
  lastName?: string;
}

/** Saves the file of a device into the folder, as the browser's downloads do. @returns its name */
export async function saveDeviceFile(tab: Tab, folder: string): Promise<string> {
  await tab.evaluate(() => {
    delete (globalThis as Saving).lastName;
    HTMLAnchorElement.prototype.click = function (this: HTMLAnchorElement) {
      (globalThis as Saving).lastName = this.download;
    };
  });
  await tab.click('#device-file-save');
  await tab.waitUntil(() => (globalThis as Saving).lastName !== undefined, {
    timeoutMs: PATIENCE_MS,
  });
  const name = await tab.evaluate(() => (globalThis as Saving).lastName!);
  writeFileSync(join(folder, name), await lastDownload(tab));
  return name;
}

/** Files of a folder in the page's own file system, by name. */
export type Files = Record<string, number[]>;

/**
 * Chromium's dialog and its question cannot be driven. In the place of the folder on the disk is one of the origin private file
 * system: its handle is kept, read and written as the other is, and asks for no permission.
 */
export async function usesPrivateFolder(tab: Tab): Promise<void> {
  await tab.evaluate(() => {
    Object.assign(globalThis, {
      showDirectoryPicker: async () =>
        (await navigator.storage.getDirectory()).getDirectoryHandle('carried', { create: true }),
    });
  });
}

/** What is in it. */
export const filesIn = (tab: Tab): Promise<Files> =>
  tab.evaluate(async () => {
    const root = await navigator.storage.getDirectory();
    const folder = await root.getDirectoryHandle('carried', { create: true });
    const files: Files = {};
    for await (const [name, handle] of folder.entries()) {
      if (handle.kind !== 'file') continue;
      files[name] = [...new Uint8Array(await (await handle.getFile()).arrayBuffer())];
    }
    return files;
  });

/** As another program does. */
export const putFiles = (tab: Tab, files: Files): Promise<void> =>
  tab.evaluate(async (given: Files) => {
    const root = await navigator.storage.getDirectory();
    const folder = await root.getDirectoryHandle('carried', { create: true });
    for (const [name, bytes] of Object.entries(given)) {
      const stream = await (await folder.getFileHandle(name, { create: true })).createWritable();
      await stream.write(Uint8Array.from(bytes));
      await stream.close();
    }
  }, files);
