/** The global `caches`, in memory: addresses of the web, answers with headers. Faults can be planted. */
export class FakeCaches {
  /** By address: the answer's headers. */
  readonly values = new Map<string, [name: string, value: string][]>();
  opened = 0;
  /** Thrown by every `open`, or by the `put` of an address with this end. */
  failOpen: Error | undefined;
  failPut: { readonly end: string; readonly error: Error } | undefined;

  get storage(): CacheStorage {
    return { open: () => this.#open() } as unknown as CacheStorage;
  }

  async #open(): Promise<unknown> {
    await Promise.resolve();
    if (this.failOpen !== undefined) throw this.failOpen;
    this.opened++;
    return {
      match: (address: string) => this.#match(address),
      put: (address: string, response: Response) => this.#put(address, response),
      delete: (address: string) => Promise.resolve(this.values.delete(new Request(address).url)),
      keys: () => Promise.resolve([...this.values.keys()].map((url) => new Request(url))),
    };
  }

  #match(address: string): Promise<Response | undefined> {
    const headers = this.values.get(new Request(address).url);
    return Promise.resolve(headers && new Response(null, { headers }));
  }

  async #put(address: string, response: Response): Promise<void> {
    const { url } = new Request(address);
    if (!/^https?:/.test(url)) throw new TypeError('a cache takes addresses of the web only');
    await Promise.resolve();
    if (this.failPut && address.endsWith(this.failPut.end)) throw this.failPut.error;
    this.values.set(url, [...response.headers]);
  }
}
