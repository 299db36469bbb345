import type { BaseClient } from '../../src/client/adapters/remote-storage.ts';

/** remotestorage.js's BaseClient over a map of paths. */
export class FakeBaseClient implements BaseClient {
  /** Content type and body. */
  readonly files = new Map<string, readonly [string, string]>();

  storeFile(mimeType: string, path: string, body: string): Promise<string> {
    this.files.set(path, [mimeType, body]);
    return Promise.resolve(`revision ${this.files.size}`);
  }

  getFile(path: string): Promise<object> {
    const [contentType, data] = this.files.get(path) ?? [];
    return Promise.resolve({ data, contentType });
  }

  getListing(folder: string): Promise<object> {
    const below = [...this.files.keys()].filter((path) => path.startsWith(folder));
    const names = below.map((path) => path.slice(folder.length).replace(/\/.*/, '/'));
    return Promise.resolve(Object.fromEntries(names.map((name) => [name, true])));
  }

  remove(path: string): Promise<void> {
    this.files.delete(path);
    return Promise.resolve();
  }
}
