import { filesFolder, lockOf } from './temporary-files.ts';

/** Up to this length, contents stay in memory: 16 MiB. */
export const IN_MEMORY_BYTES = 16 * 2 ** 20;

/** The same where the browser gives no file, as in private windows of Firefox: 256 MiB. */
const IN_MEMORY_BYTES_MAX = 256 * 2 ** 20;

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
    const folder = await filesFolder({ create: true });
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
