import type { ChunkAead } from '../../../src/format/format-crypto.ts';

/** Grants expire, and the question also keeps the vault from locking itself during the work. */
export const VERIFY_EVERY_MS = 60_000;

export interface LeaseDeps {
  /** Its results are of this script's realm. */
  readonly aead: ChunkAead;
  /** The same key; its results may be of another realm (own-bytes.ts). */
  readonly direct: ChunkAead;
  /** Asks the background; rejects when the grant has ended. */
  readonly verify: () => Promise<unknown>;
  readonly now: () => number;
}

/**
 * The key of one message, for as long as its grant holds. It implements the AEAD contract: sealing and
 * opening wait while the grant is being verified, before each chunk and before its result is given out.
 * After `end` it holds no key.
 */
export class Lease implements ChunkAead {
  readonly #parts: Omit<LeaseDeps, 'aead' | 'direct'>;
  #aead: ChunkAead | undefined;
  #direct: ChunkAead | undefined;
  #isDoubted = false;
  #change: Promise<unknown> | undefined;
  #verifying: Promise<void> | undefined;
  #verifiedAt: number;
  #reason: Error | undefined;

  constructor({ aead, direct, ...parts }: LeaseDeps) {
    this.#parts = parts;
    this.#aead = aead;
    this.#direct = direct;
    this.#verifiedAt = parts.now();
  }

  seal(nonce: Uint8Array, data: Uint8Array): Promise<Uint8Array> {
    return this.#guarded((aead) => aead.seal(nonce, data));
  }

  open(nonce: Uint8Array, data: Uint8Array): Promise<Uint8Array> {
    return this.#guarded((aead) => aead.open(nonce, data));
  }

  /**
   * The AEAD for callers that give out nothing of a message before its last chunk: they ask `confirmed` before
   * each chunk and before the end. A chunk then costs no promise beside the engine's.
   */
  readonly direct: ChunkAead = {
    seal: (nonce, data) => this.#direct?.seal(nonce, data) ?? Promise.reject(this.#reason!),
    open: (nonce, data) => this.#direct?.open(nonce, data) ?? Promise.reject(this.#reason!),
  };

  /**
   * @returns undefined while the grant holds; else a promise, which resolves when it is confirmed and rejects
   * after the end
   */
  confirmed(): Promise<unknown> | undefined {
    return this.#heldNow() ? undefined : this.#held();
  }

  /**
   * Holds all work until the background has confirmed the grant.
   *
   * @param change a change of grants in progress; the background is asked after it
   */
  doubt(change?: Promise<unknown>): void {
    this.#isDoubted = true;
    if (change) this.#change = Promise.allSettled([this.#change, change]);
    if (this.#aead) this.#verifying ??= this.#verify();
  }

  /** Resolves when the grant is confirmed, or the lease has ended. */
  async settled(): Promise<void> {
    await this.#verifying;
  }

  /** Drops the key. Work in progress and later work fails with this reason. */
  end(reason: Error): void {
    this.#reason ??= reason;
    this.#aead = undefined;
    this.#direct = undefined;
  }

  #guarded(work: (aead: ChunkAead) => Promise<Uint8Array>): Promise<Uint8Array> {
    const aead = this.#heldNow();
    const result = aead ? work(aead) : this.#held().then(work);
    return result.then((bytes) => (this.#heldNow() ? bytes : this.#held().then(() => bytes)));
  }

  /** The AEAD; undefined while the grant is being verified, and after the end. */
  #heldNow(): ChunkAead | undefined {
    if (this.#parts.now() - this.#verifiedAt >= VERIFY_EVERY_MS) this.doubt();
    return this.#verifying ? undefined : this.#aead;
  }

  async #held(): Promise<ChunkAead> {
    await this.#verifying;
    if (!this.#aead) throw this.#reason!;
    return this.#aead;
  }

  /** Asks again when `doubt` was called meanwhile: the answer may be older than the change. */
  async #verify(): Promise<void> {
    try {
      while (this.#isDoubted && this.#aead) {
        this.#isDoubted = false;
        if (this.#change) await this.#change;
        await this.#parts.verify();
        this.#verifiedAt = this.#parts.now();
      }
    } catch (error) {
      this.end(error as Error);
    } finally {
      this.#verifying = undefined;
    }
  }
}
