/* Saves contents that may be longer than memory. */
import type { BlobWork } from '../extension/content/bulk/blobs.ts';
import { download } from '../extension/ui/environment/download.ts';
import { KEPT_BYTES } from './opening.ts';
import { release } from './release.ts';

/** Contents that can be read several times. */
export interface Contents {
  /** About how many there are: a sealed message has some more than its file. */
  readonly bytes: number;
  parts(work: BlobWork): AsyncIterable<Uint8Array>;
}

/** The save picker of Chromium (File System Access); other browsers have none. */
interface SavePicker {
  readonly showSaveFilePicker?: (options: {
    readonly suggestedName: string;
  }) => Promise<FileSystemFileHandle>;
}

/**
 * Saves contents as a file. Long ones go part by part into a file that the user chooses, which the browser puts in place at
 * the end only; in browsers without a save picker into a Blob, which the browser keeps on the disk, and then among the
 * downloads.
 *
 * @returns whether it was saved: false if the user has closed the picker
 * @throws errors of the contents and of the disk; the file is then not there, or as it was
 */
export async function save(name: string, contents: Contents, work: BlobWork): Promise<boolean> {
  const { showSaveFilePicker } = globalThis as SavePicker;
  if (contents.bytes <= KEPT_BYTES || !showSaveFilePicker) {
    download(name, await blobOf(contents.parts(work)));
    return true;
  }
  const handle = await chosen(() => showSaveFilePicker.call(globalThis, { suggestedName: name }));
  if (!handle) return false;
  const file = await handle.createWritable();
  try {
    for await (const part of contents.parts(work)) {
      await file.write(part as BufferSource);
      release(part);
    }
  } catch (error) {
    await file.abort();
    throw error;
  }
  await file.close();
  return true;
}

/** @returns undefined if the user has closed the picker */
async function chosen(
  pick: () => Promise<FileSystemFileHandle>,
): Promise<FileSystemFileHandle | undefined> {
  try {
    return await pick();
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return undefined;
    throw error;
  }
}

/** Of a stream, and not of a list of parts: those would all be in memory. */
async function blobOf(parts: AsyncIterable<Uint8Array>): Promise<Blob> {
  const iterator = parts[Symbol.asyncIterator]();
  let last = new Uint8Array(0);
  let bytes = 0;
  const source: UnderlyingDefaultSource<Uint8Array<ArrayBuffer>> = {
    async pull(controller) {
      // The response asks for a part when it has copied the one before (Fetch, "incrementally read a body").
      release(last);
      const next = await iterator.next();
      if (next.done === true) {
        controller.close();
        return;
      }
      last = next.value as Uint8Array<ArrayBuffer>;
      bytes += last.length;
      controller.enqueue(last);
    },
    async cancel() {
      await iterator.return?.();
    },
  };
  const blob = await new Response(new ReadableStream(source, { highWaterMark: 0 })).blob();
  if (blob.size !== bytes) throw new Error('The browser has lost a part of the file');
  return blob;
}
