import type { Runtime } from 'webextension-polyfill';

/** A page is gone within milliseconds of its end. The background stays awake for this time. */
export const PAGE_END_MS = 10_000;

const FOLDER = 'unfinished';
const UUID_CHARACTERS = 36;

/**
 * The lock that a page holds while it has the file.
 *
 * @param name of the file. Chromium writes to NAME.crswap until a file is closed, and lists that too
 */
export const lockOf = (name: string): string => `temporary file ${name.slice(0, UUID_CHARACTERS)}`;

/** The folder of the files, in the origin private file system. @throws DOMException where it does not exist or cannot be made */
export async function filesFolder(options: {
  readonly create: boolean;
}): Promise<FileSystemDirectoryHandle> {
  return (await navigator.storage.getDirectory()).getDirectoryHandle(FOLDER, options);
}

/**
 * Removes the files of pages that are gone. A page holds a lock for each of its files.
 *
 * @param waitMs how long a page that ends may take
 */
export async function removeLeftFiles(waitMs = 0): Promise<void> {
  const folder = await existingFolder();
  if (!folder) return;
  const ends: Promise<void>[] = [];
  for await (const name of folder.keys()) {
    const options = waitMs > 0 ? { signal: AbortSignal.timeout(waitMs) } : { ifAvailable: true };
    const end = navigator.locks.request(lockOf(name), options, async (lock) => {
      if (lock) await folder.removeEntry(name);
    });
    ends.push(end.catch(() => undefined)); // gone meanwhile, or of a page that stays
  }
  await Promise.all(ends);
}

/** The one message of a page that ends and may have files. */
export const PAGE_ENDS = 'sealwright: a page with files ends';

/** Called in a page of the extension: when it ends, the background removes its files. */
export function reportPageEnd(runtime: Pick<Runtime.Static, 'sendMessage'>): void {
  window.addEventListener('pagehide', () => {
    void runtime.sendMessage(PAGE_ENDS).catch(() => undefined); // the next background removes them
  });
}

/** Called in the background, in its first task. */
export function onPageEnd(
  runtime: Pick<Runtime.Static, 'id' | 'onMessage' | 'getURL'>,
  listener: () => void,
): void {
  runtime.onMessage.addListener((message: unknown, { id, url }: Runtime.MessageSender) => {
    const isOurs = id === runtime.id && String(url).startsWith(runtime.getURL(''));
    if (message === PAGE_ENDS && isOurs) listener();
    return undefined;
  });
}

async function existingFolder(): Promise<FileSystemDirectoryHandle | undefined> {
  try {
    return await filesFolder({ create: false });
  } catch {
    return undefined; // none was ever made, or there is no file system here
  }
}
