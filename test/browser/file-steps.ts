import type { BrowserSession, Tab } from './drivers/driver.ts';
import { keepDownloads } from './steps.ts';

/** The manager's screen for files, in a tab of its own. */
export async function openFiles(session: BrowserSession): Promise<Tab> {
  const tab = await session.newTab(session.extensionUrl('manager.html#files'));
  await tab.waitFor('#open-file-now');
  await keepDownloads(tab);
  return tab;
}

/** Seals a file in the manager and opens the result there. @returns the length of the sealed file */
export async function sealAndOpen(tab: Tab, path: string): Promise<number> {
  await tab.chooseFile('#seal-file', path);
  await tab.click('#seal-file-now[aria-disabled="false"]');
  await tab.waitFor('#file-sealed', 60_000);
  const length = await openWhatWasSealed(tab);
  await tab.waitFor('#save-opened', 60_000);
  return length;
}

/**
 * Puts what the manager sealed last into its form that opens, and presses "Open". The file stays in the browser.
 *
 * @returns its length
 */
export async function openWhatWasSealed(tab: Tab): Promise<number> {
  const length = await tab.evaluate(() => {
    const { lastDownload: sealed } = globalThis as { lastDownload?: Blob };
    const files = new DataTransfer();
    files.items.add(new File([sealed!], 'film.mp4.sealed'));
    const field = document.querySelector<HTMLInputElement>('#open-file')!;
    field.files = files.files;
    field.dispatchEvent(new Event('change', { bubbles: true }));
    return sealed!.size;
  });
  await tab.click('#open-file-now');
  return length;
}

/** Runs in a page of the extension: the names in the folder of files that are not saved yet. */
export async function unfinishedNames(): Promise<string[]> {
  const root = await navigator.storage.getDirectory();
  const folder = await root.getDirectoryHandle('unfinished', { create: true });
  const names: string[] = [];
  for await (const name of folder.keys()) names.push(name);
  return names;
}

/** How many files are there. @param own a page of the extension */
export const unfinishedFiles = async (own: Tab): Promise<number> =>
  (await own.evaluate(unfinishedNames)).length;

/** In the manager: as if a person dropped a file in the middle of the window. */
export function dropOn(tab: Tab, name: string, contents: Uint8Array): Promise<void> {
  return tab.evaluate(
    (fileName, list) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([Uint8Array.from(list)], fileName));
      const options = { dataTransfer, bubbles: true, cancelable: true };
      for (const type of ['dragenter', 'dragover', 'drop']) {
        document.body.dispatchEvent(new DragEvent(type, options));
      }
    },
    name,
    [...contents],
  );
}
