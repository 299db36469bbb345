/*
 * Keys of formats like Firefox Sync's make keys for their collections, which are on the server:
 * sealed, in the record crypto/keys, which every device of the account reads and any may replace.
 */
export class CollectionKeys {
  #sync;
  #options;
  /** The server's record whose keys the extension has. */
  #known = { payload: undefined, modified: 0 };
  #areUsed = true;
  #turn = Promise.resolve();

  /** @param sync `sealwright.sync` @param options { key }, the key's id */
  constructor(sync, options) {
    this.#sync = sync;
    this.#options = options;
  }

  /**
   * Before the first record, and before each sync: another device may have made new ones.
   *
   * @returns whether keys have come that were not here
   */
  load(server) {
    return this.#inTurn(() => this.#load(server));
  }

  /** New ones for what is written from now on; whatever was sealed before still opens. */
  renew(server) {
    return this.#inTurn(() => this.#renew(server));
  }

  async #load(server) {
    if (!this.#areUsed || !server?.cryptoKeys) return false;
    try {
      return await this.#loadFrom(server);
    } catch (error) {
      if (error.code !== 'UNSUPPORTED') throw error;
      // Keys made by Sealwright itself have none.
      this.#areUsed = false;
      return false;
    }
  }

  async #renew(server) {
    if (!server?.cryptoKeys) {
      throw new Error('This key has its collection keys on a Weave server.');
    }
    do await this.#load(server);
    while (!(await this.#make(server, this.#known.modified)));
  }

  async #loadFrom(server) {
    const record = await server.cryptoKeys();
    if (record === null) return (await this.#make(server, 0)) || this.#loadFrom(server);
    if (record.payload === this.#known.payload) return false;
    await this.#sync.loadCollectionKeys(record, this.#options);
    this.#known = record;
    return true;
  }

  /**
   * @param modified when the server's record changed last, as far as we know
   * @returns false where another device was faster: its keys have to come here first
   */
  async #make(server, modified) {
    const made = await this.#sync.createCollectionKeys(['notes'], this.#options);
    const stored = await server.storeCryptoKeys(made, modified);
    if (stored) this.#known = stored;
    return stored !== null;
  }

  /** A sync that asks while new ones are made would put the old in their place. */
  #inTurn(work) {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => {});
    return result;
  }
}
