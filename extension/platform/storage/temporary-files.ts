import type { Runtime } from 'webextension-polyfill';

/** Up to this length, contents stay in memory: 16 MiB. */
export const IN_MEMORY_BYTES = 16 * 2 ** 20;

/** The same where the browser gives no file, as in private windows of Firefox: 256 MiB. */
const IN_MEMORY_BYTES_MAX = 256 * 2 ** 20;

/** A page is gone within milliseconds of its end. The background stays awake for this time. */
export const PAGE_END_MS = 10_000;

const FOLDER = 'unfinished';
const UUID_CHARACTERS = 36;

/** Chromium writes to NAME.crswap until a file is closed, and lists that too. */
const lockOf = (name: string): string => `temporary file ${name.slice(0, UUID_CHARACTERS)}`;

/** Takes the contents of a file, part by part. */
export interface FileSink {
  /** @throws DOMException QuotaExceededError if the disk is full */
  write(part: Uint8Array): Promise<void>;
  /** The whole file, after the last part. It is readable until `discard`. */
  finish(): Promise<Blob>;
  /** Drops what was written, finished or not. Rejects where something reads the file, and may be called again then. */
  discard(): Promise<void>;
}

/** The browser lets the page write no file, and the contents are too long for memory. */
export class NoFileError extends Error {
  override readonly name = 'NoFileError';
}

/**
 * A place for the contents of a file until the user saves them. Long contents are written to a file that
 * only the extension can reach (the origin private file system), so that memory holds a few parts of
 * them. It is removed by `discard`, or by the background if the page is gone before (`onPageEnd`).
 *
 * @param bytes the length of the contents, at most
 * @throws NoFileError
 */
export async function openFileSink(bytes: number): Promise<FileSink> {
  if (bytes <= IN_MEMORY_BYTES) return memorySink();
  try {
    return await DiskSink.create();
  } catch {
    if (bytes <= IN_MEMORY_BYTES_MAX) return memorySink();
    throw new NoFileError('There is no file system for this page');
  }
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
    return await (await navigator.storage.getDirectory()).getDirectoryHandle(FOLDER);
  } catch {
    return undefined; // none was ever made, or there is no file system here
  }
}

function memorySink(): FileSink {
  let parts: BlobPart[] = [];
  return {
    write: (part) => {
      parts.push(part as BlobPart);
      return Promise.resolve();
    },
    finish: () => Promise.resolve(new Blob(parts)),
    discard: () => {
      parts = [];
      return Promise.resolve();
    },
  };
}

class DiskSink implements FileSink {
  readonly #folder: FileSystemDirectoryHandle;
  readonly #file: FileSystemFileHandle;
  readonly #stream: FileSystemWritableFileStream;
  readonly #unlock: () => void;
  #isClosed = false;

  private constructor(
    folder: FileSystemDirectoryHandle,
    file: FileSystemFileHandle,
    stream: FileSystemWritableFileStream,
    unlock: () => void,
  ) {
    this.#folder = folder;
    this.#file = file;
    this.#stream = stream;
    this.#unlock = unlock;
  }

  static async create(): Promise<DiskSink> {
    const root = await navigator.storage.getDirectory();
    const folder = await root.getDirectoryHandle(FOLDER, { create: true });
    const name = crypto.randomUUID();
    const unlock = await lockHeld(lockOf(name));
    try {
      const file = await folder.getFileHandle(name, { create: true });
      return new DiskSink(folder, file, await file.createWritable(), unlock);
    } catch (error) {
      unlock();
      throw error;
    }
  }

  async write(part: Uint8Array): Promise<void> {
    await this.#stream.write(part as Uint8Array<ArrayBuffer>);
  }

  async finish(): Promise<Blob> {
    this.#isClosed = true;
    await this.#stream.close();
    return this.#file.getFile();
  }

  async discard(): Promise<void> {
    if (!this.#isClosed) await this.#stream.abort();
    this.#isClosed = true;
    await this.#folder.removeEntry(this.#file.name);
    this.#unlock(); // what could not be removed stays the page's
  }
}

/** Resolves when the lock is held, to what gives it back. The browser does so when the page ends. */
function lockHeld(name: string): Promise<() => void> {
  return new Promise((resolve, reject) => {
    const held = navigator.locks.request(
      name,
      () => new Promise<void>((unlock) => resolve(unlock)),
    );
    held.catch(reject);
  });
}
