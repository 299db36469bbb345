import { copyOf, wipe } from '../bytes.ts';
import type { Hash } from '../contracts.ts';
import { checkBytes } from '../errors.ts';
import { keccakSponge, rateOf, type CreateSponge, type SpongeParams } from './keccak.ts';
import { turboshake } from './turboshake.ts';

/*
 * KT128 and KT256 (RFC 9861, section 3): a tree over TurboSHAKE. The message is cut into chunks; the first one is the
 * beginning of the final node, and the chaining values of the others follow there.
 */

/** B: bytes of a chunk (section 3.2) */
const CHUNK_BYTES = 8192;
/** The domain separation bytes of the nodes (section 3.2.1) */
const SINGLE_NODE = 0x07;
const FINAL_NODE = 0x06;
const LEAF = 0x0b;
/** What follows the first chunk, and what ends the final node */
const AFTER_FIRST_CHUNK = Uint8Array.of(3, 0, 0, 0, 0, 0, 0, 0);
const END = Uint8Array.of(0xff, 0xff);

/** The parameters of KangarooTwelve. */
export interface KangarooTwelveParams {
  /** L: any length in bytes */
  readonly outputBytes: number;
  /** C, any length: separates the uses of an application */
  readonly customization: Uint8Array;
}

/** The functions below the tree. */
export interface KangarooPrimitives {
  readonly sponge: CreateSponge;
  /**
   * The outputs of one sponge for messages of one length, which lie one after the other: the leaves of whole chunks.
   *
   * @param messages a multiple of messageBytes, which is CHUNK_BYTES
   * @returns `outputBytes` for each message
   */
  readonly leaves: (params: SpongeParams, messages: Uint8Array, messageBytes: number) => Uint8Array;
}

/** Those of src/crypto: one leaf after the other. */
export const KANGAROO_PRIMITIVES: KangarooPrimitives = {
  sponge: keccakSponge,
  leaves: (params, messages, messageBytes) => {
    const { outputBytes } = params;
    const values = new Uint8Array((messages.length / messageBytes) * outputBytes);
    for (let i = 0; i * messageBytes < messages.length; i++) {
      const leaf = keccakSponge(params);
      leaf.update(messages.subarray(i * messageBytes, (i + 1) * messageBytes));
      values.set(end(leaf), i * outputBytes);
    }
    return values;
  },
};

/** The sponge of the leaves: chaining values of 32 bytes for KT128, of 64 for KT256 (sections 3.2 and 3.3). */
function leafOf(strength: 128 | 256): SpongeParams {
  return { rounds: 12, rateBytes: rateOf(strength), suffix: LEAF, outputBytes: strength / 4 };
}

/** KT128 or KT256 of one message. Needs the same memory for any length: one chunk, and the states of two nodes. */
export class KangarooTwelve implements Hash {
  readonly blockBytes: number;
  readonly digestBytes: number;
  readonly #strength: 128 | 256;
  readonly #params: KangarooTwelveParams;
  readonly #primitives: KangarooPrimitives;
  /** The first chunk, kept until a second one begins: its node's domain depends on whether there is one. */
  readonly #first = new Uint8Array(CHUNK_BYTES);
  #firstUsed = 0;
  #final: Hash | undefined;
  /** The chunk that is not full, if any. */
  #leaf: Hash | undefined;
  #leafUsed = 0;
  #leafCount = 0;
  #ended = false;

  /**
   * @param strength 128 for KT128, 256 for KT256
   * @param params the customization is copied
   */
  constructor(
    strength: 128 | 256,
    { outputBytes, customization }: KangarooTwelveParams,
    primitives: KangarooPrimitives = KANGAROO_PRIMITIVES,
  ) {
    checkBytes('customization', customization);
    this.blockBytes = rateOf(strength);
    this.digestBytes = outputBytes;
    this.#strength = strength;
    this.#params = { outputBytes, customization: copyOf(customization) };
    this.#primitives = primitives;
  }

  update(data: Uint8Array): this {
    checkBytes('data', data);
    this.#checkOpen();
    this.#append(data);
    return this;
  }

  digest(): Uint8Array {
    this.#checkOpen();
    // S = M || C || length_encode(|C|)
    const { customization } = this.#params;
    this.#append(customization);
    this.#append(lengthEncode(customization.length));
    this.#ended = true;
    if (this.#final === undefined) {
      const node = this.#node(SINGLE_NODE).update(this.#first.subarray(0, this.#firstUsed));
      return end(node);
    }
    if (this.#leaf !== undefined) this.#endLeaf(this.#leaf, this.#final);
    // FinalNode || length_encode(n - 1) || FF FF
    this.#final.update(lengthEncode(this.#leafCount)).update(END);
    return end(this.#final);
  }

  clone(): KangarooTwelve {
    const copy = new KangarooTwelve(this.#strength, this.#params, this.#primitives);
    copy.#first.set(this.#first);
    copy.#firstUsed = this.#firstUsed;
    copy.#final = this.#final?.clone();
    copy.#leaf = this.#leaf?.clone();
    copy.#leafUsed = this.#leafUsed;
    copy.#leafCount = this.#leafCount;
    copy.#ended = this.#ended;
    return copy;
  }

  wipe(): void {
    wipe(this.#first, this.#params.customization);
    this.#final?.wipe();
    this.#leaf?.wipe();
  }

  /** Section 3.2: the chunks of S, each of CHUNK_BYTES but the last, which is not empty */
  #append(data: Uint8Array): void {
    const rest = data.subarray(this.#fillFirst(data));
    if (rest.length === 0) return;
    const final = (this.#final ??= this.#beginFinal());
    const chunks = rest.subarray(this.#fillLeaf(rest, final));
    const whole = chunks.length - (chunks.length % CHUNK_BYTES);
    if (whole > 0) {
      const leaves = chunks.subarray(0, whole);
      final.update(this.#primitives.leaves(leafOf(this.#strength), leaves, CHUNK_BYTES));
      this.#leafCount += whole / CHUNK_BYTES;
    }
    if (whole === chunks.length) return;
    this.#leaf = this.#primitives.sponge(leafOf(this.#strength)).update(chunks.subarray(whole));
    this.#leafUsed = chunks.length - whole;
  }

  /** @returns how many bytes of the data belong to the first chunk */
  #fillFirst(data: Uint8Array): number {
    const taken = Math.min(CHUNK_BYTES - this.#firstUsed, data.length);
    this.#first.set(data.subarray(0, taken), this.#firstUsed);
    this.#firstUsed += taken;
    return taken;
  }

  /** @returns how many bytes of the data belong to the chunk that was begun */
  #fillLeaf(data: Uint8Array, final: Hash): number {
    if (this.#leaf === undefined) return 0;
    const taken = Math.min(CHUNK_BYTES - this.#leafUsed, data.length);
    this.#leaf.update(data.subarray(0, taken));
    this.#leafUsed += taken;
    if (this.#leafUsed === CHUNK_BYTES) this.#endLeaf(this.#leaf, final);
    return taken;
  }

  #beginFinal(): Hash {
    return this.#node(FINAL_NODE).update(this.#first).update(AFTER_FIRST_CHUNK);
  }

  #endLeaf(leaf: Hash, final: Hash): void {
    final.update(end(leaf));
    this.#leaf = undefined;
    this.#leafUsed = 0;
    this.#leafCount++;
  }

  #node(domainSeparation: number): Hash {
    const params = { outputBytes: this.digestBytes, domainSeparation };
    return turboshake(this.#strength, params, this.#primitives.sponge);
  }

  #checkOpen(): void {
    if (this.#ended) throw new Error('the message has ended: digest() was called');
  }
}

function end(hash: Hash): Uint8Array {
  const digest = hash.digest();
  hash.wipe();
  return digest;
}

/** length_encode(x) (section 3.3): the bytes of x, the highest first and none for 0, and their number */
function lengthEncode(x: number): Uint8Array {
  const bytes: number[] = [];
  for (let rest = x; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return Uint8Array.of(...bytes, bytes.length);
}
