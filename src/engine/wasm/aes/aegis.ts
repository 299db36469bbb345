/** AEGIS-128L and AEGIS-256 (draft-irtf-cfrg-aegis-aead) in a module of their own, which has the updates of the state. */
import { checkTagBytes } from '../../../crypto/aead/buffers.ts';
import { CheckedAead } from '../../../crypto/aead/checked-aead.ts';
import { copyOf, equalAt, fromHex } from '../../../crypto/bytes.ts';
import { checkBytes } from '../../../crypto/errors.ts';
import { store32le } from '../../../crypto/words.ts';
import { AEGIS_BLOCKS, AEGIS_STATE, BUFFER, BUFFER_BYTES } from '../generator/aes/layout.ts';
import { copyIn, copyOut } from '../memory.ts';
import { loadModule } from '../loader.ts';
import type { LoadWasm, WasmModule } from '../loader.ts';
import type { Variant } from '../generator/dsl/lookup.ts';

/** Bytes of the state's blocks, of which AEGIS-256 uses six. */
const STATE_BYTES = 128;
/** The draft's C0 and C1: Fibonacci numbers modulo 256. */
const C0 = /* @__PURE__ */ fromHex('000101020305080d1522375990e97962');
const ZERO = /* @__PURE__ */ new Uint8Array(16);
const C1 = /* @__PURE__ */ fromHex('db3d18556dc22ff12011314273b528dd');

/** Exports of the module. Arguments are offsets and counts, never secrets. */
interface AegisFunctions {
  readonly aegisLoad: () => void;
  readonly aegisStore: () => void;
  readonly aegis128lAbsorb: (offset: number, count: number) => void;
  readonly aegis128lCrypt: (offset: number, count: number, opening: number) => void;
  readonly aegis128lStream: (offset: number) => void;
  readonly aegis256Absorb: (offset: number, count: number) => void;
  readonly aegis256Crypt: (offset: number, count: number, opening: number) => void;
  readonly aegis256Stream: (offset: number) => void;
  readonly wipe: (offset: number, length: number) => void;
}

/** One instance of the module. It holds secrets during a call alone. */
export interface AegisModule extends WasmModule<AegisFunctions> {
  /** The memory as words of 32 bits, for blocks, which are at multiples of 16. */
  readonly words: Int32Array;
}

/** @param variant for tests; default: the best one that the platform supports */
export async function loadAegis(loadWasm: LoadWasm, variant?: Variant): Promise<AegisModule> {
  const module = await loadModule<AegisFunctions>(loadWasm, 'aegis', variant);
  return { ...module, words: new Int32Array(module.bytes.buffer) };
}

/** A key of either algorithm: objects for several lengths of tags share it. */
export class AegisKey {
  readonly module: AegisModule;
  private key: Uint8Array | undefined;

  /** @param key 16 bytes for AEGIS-128L, 32 for AEGIS-256; copied */
  constructor(module: AegisModule, key: Uint8Array) {
    this.module = module;
    this.key = copyOf(key);
  }

  /** @throws Error if it has been wiped */
  get bytes(): Uint8Array {
    if (this.key === undefined) throw new Error('the key has been wiped');
    return this.key;
  }

  wipe(): void {
    this.key?.fill(0);
    this.key = undefined;
  }
}

/** The functions of one of the algorithms. */
interface Steps {
  readonly absorb: AegisFunctions['aegis256Absorb'];
  readonly crypt: AegisFunctions['aegis256Crypt'];
  readonly stream: AegisFunctions['aegis256Stream'];
}

interface AegisOptions {
  /** 16 or 32; 16 if absent. */
  readonly tagBytes?: number;
}

/** What the two algorithms share. */
abstract class WasmAegis extends CheckedAead {
  readonly tagBytes: number;
  /** Bytes of a message that one update takes. */
  protected abstract readonly rate: 16 | 32;
  /** The block to which the lengths are XORed for the tag. */
  protected abstract readonly lengthBlock: number;
  /** The blocks whose sum is a tag of 128 bits, and the two groups whose sums are one of 256. */
  protected abstract readonly tagBlocks: readonly [first: number, second: number, all: number];
  protected readonly module: AegisModule;
  private readonly key: AegisKey;
  private readonly steps: Steps;

  /** @param key owned by this object: `wipe` wipes it */
  constructor(key: AegisKey, keyBytes: number, { tagBytes = 16 }: AegisOptions, steps: Steps) {
    super();
    checkBytes('key', key.bytes, keyBytes);
    this.module = key.module;
    this.tagBytes = checkTagBytes(tagBytes, [16, 32]);
    this.key = key;
    this.steps = steps;
  }

  wipe(): void {
    this.key.wipe();
  }

  /**
   * Writes the first state to AEGIS_BLOCKS, and to BUFFER what updates it before the associated data.
   *
   * @returns how often, and how many updates that is each time
   */
  protected abstract begin(
    key: Uint8Array,
    nonce: Uint8Array,
  ): readonly [times: number, count: number];

  /** 2^61 - 1 bytes; no array holds so many. */
  protected maxBytes(): number {
    return Number.MAX_SAFE_INTEGER;
  }

  protected sealInto(
    sealed: Uint8Array,
    nonce: Uint8Array,
    plaintext: Uint8Array,
    associatedData: Uint8Array,
  ): void {
    const { length } = plaintext;
    this.start(nonce, associatedData);
    this.message(plaintext, sealed, length, false);
    this.finish(associatedData.length, length);
    copyOut(this.module.bytes, AEGIS_BLOCKS, sealed, length, this.tagBytes);
    this.clear();
  }

  protected openInto(
    plaintext: Uint8Array,
    nonce: Uint8Array,
    sealed: Uint8Array,
    associatedData: Uint8Array,
  ): boolean {
    const { length } = plaintext;
    this.start(nonce, associatedData);
    this.message(sealed, plaintext, length, true);
    this.finish(associatedData.length, length);
    const isRight = equalAt(this.module.bytes, AEGIS_BLOCKS, sealed, length, this.tagBytes);
    this.clear();
    if (!isRight) plaintext.fill(0);
    return isRight;
  }

  private start(nonce: Uint8Array, associatedData: Uint8Array): void {
    const { functions } = this.module;
    const [times, count] = this.begin(this.key.bytes, nonce);
    functions.aegisLoad();
    this.repeat(times, count);
    this.absorbAll(associatedData);
  }

  /** Updates the state by what is in the buffer, several times. */
  private repeat(times: number, count: number): void {
    const { functions } = this.module;
    for (let i = 0; i < times; i++) this.steps.absorb(BUFFER, count);
    functions.wipe(BUFFER, count * this.rate);
  }

  /** The sum of the blocks of `a` and `b`, of 16 or 32 bytes, from byte `from` on, to `at`. */
  protected put(at: number, a: Uint8Array, b: Uint8Array = ZERO, from = 0): void {
    const { bytes } = this.module;
    const mask = b.length - 1;
    for (let i = 0; i < 16; i++) bytes[at + i] = a[from + i]! ^ b[(from + i) & mask]!;
  }

  /** Updates the state by data and zeros up to a multiple of the rate. */
  private absorbAll(data: Uint8Array): void {
    const { rate } = this;
    const { bytes, functions } = this.module;
    for (let done = 0; done < data.length;) {
      const part = Math.min(data.length - done, BUFFER_BYTES);
      const count = Math.ceil(part / rate);
      bytes.fill(0, BUFFER + part, BUFFER + count * rate);
      copyIn(bytes, BUFFER, data, done, part);
      this.steps.absorb(BUFFER, count);
      functions.wipe(BUFFER, count * rate);
      done += part;
    }
  }

  private message(
    source: Uint8Array,
    target: Uint8Array,
    length: number,
    isOpening: boolean,
  ): void {
    const { rate } = this;
    const { bytes, functions } = this.module;
    const whole = length - (length % rate);
    for (let done = 0; done < whole;) {
      const part = Math.min(whole - done, BUFFER_BYTES);
      copyIn(bytes, BUFFER, source, done, part);
      this.steps.crypt(BUFFER, part / rate, isOpening ? -1 : 0);
      copyOut(bytes, BUFFER, target, done, part);
      functions.wipe(BUFFER, part);
      done += part;
    }
    if (whole < length) this.lastBlock(source, target, whole, length - whole, isOpening);
  }

  /** The state is updated by the plaintext, and by zeros behind it. */
  private lastBlock(
    source: Uint8Array,
    target: Uint8Array,
    at: number,
    length: number,
    isOpening: boolean,
  ): void {
    const { rate } = this;
    const { bytes, functions } = this.module;
    const [plain, other] = [BUFFER, BUFFER + rate];
    const [from, to] = isOpening ? [other, plain] : [plain, other];
    copyIn(bytes, from, source, at, length);
    copyIn(bytes, to, source, at, length);
    this.steps.stream(to);
    copyOut(bytes, to, target, at, length);
    functions.wipe(plain + length, rate - length);
    this.steps.absorb(plain, 1);
    functions.wipe(BUFFER, 2 * rate);
  }

  /** "Finalize": the tag, at AEGIS_BLOCKS. */
  private finish(associatedBytes: number, messageBytes: number): void {
    const { bytes, words, functions } = this.module;
    functions.aegisStore();
    // t = S ^ (LE64(ad_len_bits) || LE64(msg_len_bits))
    store32le(bytes, BUFFER, 8 * associatedBytes);
    store32le(bytes, BUFFER + 4, Math.floor(associatedBytes / 0x2000_0000));
    store32le(bytes, BUFFER + 8, 8 * messageBytes);
    store32le(bytes, BUFFER + 12, Math.floor(messageBytes / 0x2000_0000));
    const block = AEGIS_BLOCKS + 16 * this.lengthBlock;
    for (let i = 0; i < 16; i++) {
      bytes[BUFFER + i]! ^= bytes[block + i]!;
      if (this.rate === 32) bytes[BUFFER + 16 + i] = bytes[BUFFER + i]!;
    }
    // Repeat(7, Update(t)), or Update(t, t)
    this.repeat(7, 1);
    functions.aegisStore();
    const [first, second, all] = this.tagBlocks;
    const add = (to: number, from: number) => {
      const [a, b] = [(AEGIS_BLOCKS >> 2) + 4 * to, (AEGIS_BLOCKS >> 2) + 4 * from];
      for (let i = 0; i < 4; i++) words[a + i]! ^= words[b + i]!;
    };
    if (this.tagBytes === 16) {
      for (let i = 1; i < all; i++) add(0, i);
      return;
    }
    for (let i = 1; i < first; i++) add(0, i);
    for (let i = first + 1; i < second; i++) add(first, i);
    bytes.copyWithin(AEGIS_BLOCKS + 16, AEGIS_BLOCKS + 16 * first, AEGIS_BLOCKS + 16 * (first + 1));
  }

  private clear(): void {
    this.module.functions.wipe(AEGIS_BLOCKS, STATE_BYTES);
    this.module.functions.wipe(AEGIS_STATE, STATE_BYTES);
  }
}

/** AEGIS-128L: key and nonce of 16 bytes, tags of 16 or 32. */
export class WasmAegis128L extends WasmAegis {
  readonly nonceBytes = { min: 16, max: 16 } as const;
  protected readonly rate = 32;
  protected readonly lengthBlock = 2;
  // S_0 ^ … ^ S_6; S_0 ^ … ^ S_3 and S_4 ^ … ^ S_7
  protected readonly tagBlocks = [4, 8, 7] as const;

  constructor(key: AegisKey, options: AegisOptions = {}) {
    const { aegis128lAbsorb, aegis128lCrypt, aegis128lStream } = key.module.functions;
    const steps = { absorb: aegis128lAbsorb, crypt: aegis128lCrypt, stream: aegis128lStream };
    super(key, 16, options, steps);
  }

  protected begin(key: Uint8Array, nonce: Uint8Array): readonly [number, number] {
    for (const i of [0, 4]) this.put(AEGIS_BLOCKS + 16 * i, key, nonce);
    this.put(AEGIS_BLOCKS + 16, C1);
    this.put(AEGIS_BLOCKS + 32, C0);
    this.put(AEGIS_BLOCKS + 48, C1);
    this.put(AEGIS_BLOCKS + 80, key, C0);
    this.put(AEGIS_BLOCKS + 96, key, C1);
    this.put(AEGIS_BLOCKS + 112, key, C0);
    // Repeat(10, Update(nonce, key))
    this.put(BUFFER, nonce);
    this.put(BUFFER + 16, key);
    return [10, 1];
  }
}

/** AEGIS-256: key and nonce of 32 bytes, tags of 16 or 32. */
export class WasmAegis256 extends WasmAegis {
  readonly nonceBytes = { min: 32, max: 32 } as const;
  protected readonly rate = 16;
  protected readonly lengthBlock = 3;
  // S_0 ^ … ^ S_5; S_0 ^ S_1 ^ S_2 and S_3 ^ S_4 ^ S_5
  protected readonly tagBlocks = [3, 6, 6] as const;

  constructor(key: AegisKey, options: AegisOptions = {}) {
    const { aegis256Absorb, aegis256Crypt, aegis256Stream } = key.module.functions;
    const steps = { absorb: aegis256Absorb, crypt: aegis256Crypt, stream: aegis256Stream };
    super(key, 32, options, steps);
  }

  protected begin(key: Uint8Array, nonce: Uint8Array): readonly [number, number] {
    this.put(AEGIS_BLOCKS, key, nonce);
    this.put(AEGIS_BLOCKS + 16, key, nonce, 16);
    this.put(AEGIS_BLOCKS + 32, C1);
    this.put(AEGIS_BLOCKS + 48, C0);
    this.put(AEGIS_BLOCKS + 64, key, C0);
    this.put(AEGIS_BLOCKS + 80, key, C1, 16);
    this.module.functions.wipe(AEGIS_BLOCKS + 96, 32);
    // Repeat(4, Update(k0), Update(k1), Update(k0 ^ n0), Update(k1 ^ n1))
    this.put(BUFFER, key);
    this.put(BUFFER + 16, key, ZERO, 16);
    this.put(BUFFER + 32, key, nonce);
    this.put(BUFFER + 48, key, nonce, 16);
    return [4, 4];
  }
}
