import type { ChunkAead } from '../../../src/format/format-crypto.ts';

/** A grant may also end by its time, and work under it keeps the vault from locking itself. */
export const VERIFY_EVERY_MS = 60_000;

export interface LeaseDeps {
  readonly aead: ChunkAead;
  /** Asks the background; rejects when the grant has gone. */
  readonly verify: () => Promise<unknown>;
  readonly now: () => number;
}

/**
 * The key of one message, for as long as the grant behind it holds. It is an AEAD like others, so
 * whatever seals or opens chunks with it stands still while the grant is in doubt: before each
 * chunk, and before a chunk's result is given out. Once ended it has no key any more.
 */
export class Lease implements ChunkAead {
  readonly #parts: Omit<LeaseDeps, 'aead'>;
  #aead: ChunkAead | undefined;
  #isDoubted = false;
  #change: Promise<unknown> | undefined;
  #verifying: Promise<void> | undefined;
  #verifiedAt: number;
  #reason: Error | undefined;

  constructor({ aead, ...parts }: LeaseDeps) {
    this.#parts = parts;
    this.#aead = aead;
    this.#verifiedAt = parts.now();
  }

  seal(nonce: Uint8Array, data: Uint8Array): Promise<Uint8Array> {
    return this.#guarded((aead) => aead.seal(nonce, data));
  }

  open(nonce: Uint8Array, data: Uint8Array): Promise<Uint8Array> {
    return this.#guarded((aead) => aead.open(nonce, data));
  }

  /**
   * Something has changed: nothing more until the background has said that the grant holds.
   *
   * @param change a change that is under way; the question waits for its end
   */
  doubt(change?: Promise<unknown>): void {
    this.#isDoubted = true;
    if (change) this.#change = Promise.allSettled([this.#change, change]);
    if (this.#aead) this.#verifying ??= this.#verify();
  }

  /** Resolves when nothing is in doubt: the grant holds, or the key has gone. */
  async settled(): Promise<void> {
    await this.#verifying;
  }

  /** Drops the key. What is under way, and whatever is tried later, fails with this reason. */
  end(reason: Error): void {
    this.#reason ??= reason;
    this.#aead = undefined;
  }

  async #guarded(work: (aead: ChunkAead) => Promise<Uint8Array>): Promise<Uint8Array> {
    const result = await work(await this.#held());
    await this.#held();
    return result;
  }

  async #held(): Promise<ChunkAead> {
    if (this.#parts.now() - this.#verifiedAt >= VERIFY_EVERY_MS) this.doubt();
    if (this.#verifying) await this.#verifying;
    if (!this.#aead) throw this.#reason!;
    return this.#aead;
  }

  /** Once more for doubts that come meanwhile: the answer may be older than they are. */
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
