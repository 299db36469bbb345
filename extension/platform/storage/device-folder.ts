/*
 * The folder through which another program carries the files of devices, where the browser lets a page keep one (Chromium). Its
 * handle is kept in a database of its own, in clear: it names the folder, as the browser's own settings do. The permission to use
 * it ends with the last page of the extension unless the person gave it for good, so the background, which may be the only one
 * left, does not use the folder.
 */
const DATABASE = 'sealwright-folder';
const STORE = 'handles';
const KEY = 'devices';
const NAME = /^sealwright-.*\.device$/i;
/** More files are not looked at: a device has one, and programs leave a copy now and then. */
const FILES_MAX = 64;

/** What lib.dom lacks: it is in Chromium alone (WICG File System Access). */
interface Permission {
  queryPermission(descriptor: { mode: 'readwrite' }): Promise<PermissionState>;
  requestPermission(descriptor: { mode: 'readwrite' }): Promise<PermissionState>;
}
type FolderHandle = FileSystemDirectoryHandle & Permission;
type Picker = (options: { id: string; mode: 'readwrite' }) => Promise<FolderHandle>;

const MODE = { mode: 'readwrite' } as const;

/** A folder that the person has chosen. */
export class DeviceFolder {
  readonly #handle: FolderHandle;

  private constructor(handle: FolderHandle) {
    this.#handle = handle;
  }

  /** Whether this browser lets a page keep a folder. */
  static isSupported(): boolean {
    return pickerIn(globalThis) !== undefined;
  }

  /** The folder that was chosen before; undefined where none was, or the browser gives no storage. */
  static async kept(): Promise<DeviceFolder | undefined> {
    if (!DeviceFolder.isSupported()) return undefined;
    try {
      const handle = await inStore('readonly', (store) => store.get(KEY));
      return handle === undefined ? undefined : new DeviceFolder(handle as FolderHandle);
    } catch {
      return undefined; // without storage no folder was kept
    }
  }

  /**
   * Asks for a folder, which is not kept by that. Has to be called directly in the handler of a click.
   *
   * @returns undefined where the person chose none
   */
  static async choose(): Promise<DeviceFolder | undefined> {
    try {
      return new DeviceFolder(await pickerIn(globalThis)!({ id: 'devices', mode: 'readwrite' }));
    } catch (error) {
      if (error instanceof DOMException && error.name === 'AbortError') return undefined;
      throw error;
    }
  }

  /** Forgets the folder. What lies in it stays. */
  static async forget(): Promise<void> {
    await inStore('readwrite', (store) => store.delete(KEY));
  }

  /** Keeps this folder, in the place of another one. */
  async keep(): Promise<void> {
    await inStore('readwrite', (store) => store.put(this.#handle, KEY));
  }

  get name(): string {
    return this.#handle.name;
  }

  /** Whether it can be used without asking. */
  async isOpen(): Promise<boolean> {
    return (await this.#handle.queryPermission(MODE)) === 'granted';
  }

  /** Asks for the permission, where it has ended. Has to be called directly in the handler of a click. */
  async open(): Promise<boolean> {
    return (await this.#handle.requestPermission(MODE)) === 'granted';
  }

  /** The files of devices in it. @throws DOMException where the folder is gone, or may not be read */
  async files(): Promise<File[]> {
    const files: File[] = [];
    for await (const [name, handle] of this.#handle.entries()) {
      if (handle.kind !== 'file' || !NAME.test(name)) continue;
      files.push(await handle.getFile());
      if (files.length === FILES_MAX) break;
    }
    return files;
  }

  /** Puts a file in the place of the one with the same name, whole or not at all. @throws DOMException likewise */
  async write(name: string, contents: Uint8Array): Promise<void> {
    const file = await this.#handle.getFileHandle(name, { create: true });
    const stream = await file.createWritable();
    await stream.write(contents as Uint8Array<ArrayBuffer>);
    await stream.close();
  }
}

const pickerIn = (global: object): Picker | undefined => {
  const { showDirectoryPicker } = global as { readonly showDirectoryPicker?: Picker };
  return showDirectoryPicker?.bind(global);
};

async function inStore(
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest,
): Promise<unknown> {
  const opening = indexedDB.open(DATABASE);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
  const database = (await settledOf(opening)) as IDBDatabase;
  try {
    return await settledOf(work(database.transaction(STORE, mode).objectStore(STORE)));
  } finally {
    database.close();
  }
}

const settledOf = (request: IDBRequest): Promise<unknown> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error!);
  });
