/** BLAKE3 on the BLAKE module: hash, keyed hash and key derivation. */
import { copyOf, utf8, wipe } from '../../../crypto/bytes.ts';
import type { Hash, HashAlgorithm } from '../../../crypto/contracts.ts';
import { checkBytes, checkInteger } from '../../../crypto/errors.ts';
import {
  BLAKE3_BLOCK_BYTES,
  BLAKE3_CHUNK_BYTES,
  BLAKE3_DIGEST_BYTES,
  BLAKE3_IV,
  BLAKE3_MAX_DEPTH,
  FLAGS,
} from '../../../crypto/hash/blake3.ts';
import type { HashInstance } from './block-hash.ts';
import {
  BUFFER,
  BUFFER_BYTES,
  KEY,
  NODE,
  SECRETS,
  VALUES,
  WORDS,
} from '../generator/hash/blake-layout.ts';

type ChunksFunction = (
  pointer: number,
  groups: number,
  low: number,
  high: number,
  flags: number,
  target: number,
) => void;

/** Exports of the module; the kernels document the arguments. */
export interface BlakeFunctions {
  readonly wipe: (offset: number, length: number) => void;
  readonly blake2bBlocks: (pointer: number, count: number, counted: number, last: number) => void;
  readonly blake3Compress: (
    pointer: number,
    length: number,
    low: number,
    high: number,
    flags: number,
  ) => void;
  readonly blake3Blocks: (
    pointer: number,
    count: number,
    low: number,
    high: number,
    flags: number,
    start: number,
  ) => void;
  readonly blake3EightChunks: ChunksFunction;
  readonly blake3FourChunks: ChunksFunction;
  readonly blake3Parents: (groups: number, flags: number) => void;
}

/** Bytes of a chaining value. */
const VALUE_BYTES = 32;
/** Chunks of 1,024 bytes that fit into the buffer. */
const MOST_CHUNKS = BUFFER_BYTES >> 10;

/** Key words and flags of one of the three modes (section 2.3 of the paper). */
interface Mode {
  readonly key: Uint8Array;
  readonly flags: number;
}

const IV_BYTES = /* @__PURE__ */ ivBytes();
const HASH: Mode = { key: IV_BYTES, flags: 0 };

function ivBytes(): Uint8Array {
  return new Uint8Array(Int32Array.from(BLAKE3_IV).buffer);
}

/** BLAKE3 in the BLAKE module: hash, keyed hash and key derivation. */
export class Blake3Algorithm implements HashAlgorithm<'BLAKE3'> {
  readonly name = 'BLAKE3';
  readonly blockBytes = BLAKE3_BLOCK_BYTES;
  readonly digestBytes = BLAKE3_DIGEST_BYTES;
  readonly #tree: Tree;

  constructor(functions: BlakeFunctions, instance: HashInstance) {
    this.#tree = new Tree(functions, instance);
  }

  create(): WasmBlake3 {
    return new WasmBlake3(this.#tree, HASH);
  }

  /** @param key 32 bytes; copied */
  createKeyed(key: Uint8Array): WasmBlake3 {
    checkBytes('key', key, VALUE_BYTES);
    return new WasmBlake3(this.#tree, { key: copyOf(key), flags: FLAGS.KEYED_HASH });
  }

  /**
   * A hash whose message is key material and whose digest is the derived key.
   *
   * @param context a constant text, unique to the program and to this use of the key
   */
  createDeriveKey(context: string): WasmBlake3 {
    const mode: Mode = { key: IV_BYTES, flags: FLAGS.DERIVE_KEY_CONTEXT };
    const key = new WasmBlake3(this.#tree, mode).update(utf8(context)).digest();
    return new WasmBlake3(this.#tree, { key, flags: FLAGS.DERIVE_KEY_MATERIAL });
  }

  /**
   * The digest of a whole message.
   *
   * @param into at least 32 bytes long
   * @returns 32 bytes, a view of `into` if given
   */
  digest(data: Uint8Array, into?: Uint8Array): Uint8Array {
    checkBytes('data', data);
    if (into !== undefined) checkBytes('into', into, { min: BLAKE3_DIGEST_BYTES });
    const target = into?.subarray(0, BLAKE3_DIGEST_BYTES) ?? new Uint8Array(BLAKE3_DIGEST_BYTES);
    this.#tree.digest(HASH, data, target);
    return target;
  }

  /**
   * The chaining value of a complete subtree, for messages whose subtrees are hashed apart.
   *
   * @param data 2^k whole chunks, which more data follows
   * @param first number of the first of them, a multiple of 2^k
   * @returns 32 bytes
   */
  subtree(data: Uint8Array, first: number): Uint8Array {
    return this.#tree.subtree(HASH, data, first);
  }

  /**
   * The digest of a message whose beginning was hashed by `subtree`.
   *
   * @param values chaining values of equal subtrees, in their order
   * @param chunks of each of them: a power of two
   * @param rest of the message: at least a byte, and at most as much as a subtree
   * @returns 32 bytes
   */
  digestAfter(values: readonly Uint8Array[], chunks: number, rest: Uint8Array): Uint8Array {
    const target = new Uint8Array(BLAKE3_DIGEST_BYTES);
    this.#tree.digest(HASH, rest, target, this.#tree.stackOf(HASH, values, chunks));
    return target;
  }
}

/** One message in progress. Between two calls the module contains nothing of it. */
export class WasmBlake3 implements Hash {
  readonly blockBytes = BLAKE3_BLOCK_BYTES;
  readonly digestBytes = BLAKE3_DIGEST_BYTES;
  readonly #tree: Tree;
  readonly #mode: Mode;
  #stack: Stack | undefined;
  /**
   * The current chunk. A full chunk is compressed only if more data follows, because the last chunk may be
   * the root.
   */
  readonly #pending = new Uint8Array(BLAKE3_CHUNK_BYTES);
  #used = 0;
  #ended = false;

  constructor(tree: Tree, mode: Mode) {
    this.#tree = tree;
    this.#mode = mode;
  }

  update(data: Uint8Array): this {
    checkBytes('data', data);
    this.#checkOpen();
    let offset = 0;
    if (this.#used + data.length > BLAKE3_CHUNK_BYTES) {
      this.#stack ??= new Stack();
      if (this.#used > 0) offset = this.#endPending(this.#stack, data);
      offset += this.#tree.absorb(this.#mode, this.#stack, data.subarray(offset));
    }
    this.#pending.set(offset === 0 ? data : data.subarray(offset), this.#used);
    this.#used += data.length - offset;
    return this;
  }

  /** @param lengthBytes any number: the first bytes of an unlimited output */
  digest(lengthBytes: number = BLAKE3_DIGEST_BYTES): Uint8Array {
    checkInteger('lengthBytes', lengthBytes, 0, Number.MAX_SAFE_INTEGER);
    this.#checkOpen();
    this.#ended = true;
    const target = new Uint8Array(lengthBytes);
    const message = this.#pending.subarray(0, this.#used);
    this.#tree.digest(this.#mode, message, target, this.#stack);
    this.wipe();
    return target;
  }

  clone(): WasmBlake3 {
    const { key, flags } = this.#mode;
    const copy = new WasmBlake3(this.#tree, { key: copyOf(key), flags });
    copy.#stack = this.#stack?.clone();
    copy.#pending.set(this.#pending);
    copy.#used = this.#used;
    copy.#ended = this.#ended;
    return copy;
  }

  wipe(): void {
    if (this.#mode.key !== IV_BYTES) wipe(this.#mode.key);
    this.#stack?.wipe();
    wipe(this.#pending);
  }

  /** Fills the current chunk, which is followed by more data. @returns the number of bytes taken */
  #endPending(stack: Stack, data: Uint8Array): number {
    const taken = BLAKE3_CHUNK_BYTES - this.#used;
    this.#pending.set(data.subarray(0, taken), this.#used);
    this.#used = 0;
    this.#tree.absorbChunk(this.#mode, stack, this.#pending);
    return taken;
  }

  #checkOpen(): void {
    if (this.#ended) throw new Error('the message has ended: digest() was called');
  }
}

/** Chaining values of complete subtrees, largest first: one for each bit of the chunk count. */
class Stack {
  chunks = 0;
  depth = 0;
  readonly #values = new Uint8Array(VALUE_BYTES * BLAKE3_MAX_DEPTH);

  push(value: Uint8Array): void {
    this.#values.set(value, VALUE_BYTES * this.depth++);
  }

  /** The former top value: valid until the next push. */
  pop(): Uint8Array {
    this.depth--;
    return this.#values.subarray(VALUE_BYTES * this.depth, VALUE_BYTES * (this.depth + 1));
  }

  clone(): Stack {
    const copy = new Stack();
    copy.chunks = this.chunks;
    copy.depth = this.depth;
    copy.#values.set(this.#values);
    return copy;
  }

  wipe(): void {
    wipe(this.#values);
  }
}

/** The tree's operations inside the module. A `Stack` has the state between two calls. */
class Tree {
  readonly #functions: BlakeFunctions;
  readonly #instance: HashInstance;

  constructor(functions: BlakeFunctions, instance: HashInstance) {
    this.#functions = functions;
    this.#instance = instance;
  }

  /**
   * Hashes complete subtrees from the beginning of `data`, as large as possible, and leaves at least one byte
   * and at most one chunk.
   *
   * @returns the number of bytes taken
   */
  absorb(mode: Mode, stack: Stack, data: Uint8Array): number {
    this.#enter(mode);
    let offset = 0;
    while (data.length - offset > BLAKE3_CHUNK_BYTES) {
      const rest = Math.ceil((data.length - offset) / BLAKE3_CHUNK_BYTES) - 1;
      const count = subtreeChunks(rest, stack.chunks);
      const length = count * BLAKE3_CHUNK_BYTES;
      this.#instance.memory.set(data.subarray(offset, offset + length), BUFFER);
      this.#subtree(mode, stack, count);
      offset += length;
    }
    this.#instance.wipe(Math.min(data.length, BUFFER_BYTES));
    return offset;
  }

  /** Hashes a chunk that is followed by more data. */
  absorbChunk(mode: Mode, stack: Stack, chunk: Uint8Array): void {
    this.#enter(mode);
    this.#instance.memory.set(chunk, BUFFER);
    this.#subtree(mode, stack, 1);
    this.#instance.wipe(BLAKE3_CHUNK_BYTES);
  }

  /**
   * Ends the message.
   *
   * @param data the data after the subtrees of the stack: at least a byte if there are any
   * @param target filled with output
   */
  digest(mode: Mode, data: Uint8Array, target: Uint8Array, before?: Stack): void {
    if ((before?.depth ?? 0) === 0 && data.length <= BLAKE3_CHUNK_BYTES) {
      this.#digestChunk(mode, data, target);
      return;
    }
    this.#enter(mode);
    const { memory } = this.#instance;
    const stack = before ?? (data.length > BUFFER_BYTES ? new Stack() : undefined);
    let offset = 0;
    for (; data.length - offset > BUFFER_BYTES; offset += BUFFER_BYTES) {
      memory.set(data.subarray(offset, offset + BUFFER_BYTES), BUFFER);
      this.#subtree(mode, stack!, MOST_CHUNKS);
    }
    memory.set(offset === 0 ? data : data.subarray(offset), BUFFER);
    this.#root(mode, stack, data.length - offset, target);
    this.#instance.wipe(Math.min(data.length, BUFFER_BYTES));
    stack?.wipe();
  }

  /** A message of one chunk needs no memory of the tree's: to fill and wipe that costs as much as a compression. */
  #digestChunk(mode: Mode, data: Uint8Array, target: Uint8Array): void {
    const { memory, owner, touched } = this.#instance;
    owner?.leave();
    if (data.length > 0) memory.set(data, BUFFER);
    // The buffer has zeros but for what another hash left there.
    const end = BUFFER + data.length;
    if (touched > 0) memory.fill(0, end, end + BLAKE3_BLOCK_BYTES);
    const last = this.#chunkButLastBlock(mode, BUFFER, data.length, 0);
    this.#output(last.pointer, last.length, last.flags | mode.flags, target);
    this.#functions.wipe(SECRETS, WORDS - SECRETS);
    if (data.length > 0) this.#functions.wipe(BUFFER, data.length + BLAKE3_BLOCK_BYTES);
  }

  /** @param data 2^k whole chunks, the first of which has the number `first` */
  subtree(mode: Mode, data: Uint8Array, first: number): Uint8Array {
    this.#enter(mode);
    const stack = new Stack();
    stack.chunks = first;
    for (let done = 0; done < data.length; done += BUFFER_BYTES) {
      const part = data.subarray(done, done + BUFFER_BYTES);
      this.#instance.memory.set(part, BUFFER);
      this.#subtree(mode, stack, part.length / BLAKE3_CHUNK_BYTES);
    }
    this.#instance.wipe(Math.min(data.length, BUFFER_BYTES));
    return copyOf(stack.pop());
  }

  /** The state after subtrees of `chunks` chunks each. */
  stackOf(mode: Mode, values: readonly Uint8Array[], chunks: number): Stack {
    this.#enter(mode);
    const stack = new Stack();
    for (const value of values) {
      this.#instance.memory.set(value, VALUES);
      this.#push(mode, stack, chunks);
    }
    return stack;
  }

  #enter({ key }: Mode): void {
    this.#instance.owner?.leave();
    this.#instance.memory.set(key, KEY);
  }

  /** Pushes the `count` whole chunks of the buffer, which more data follows, and merges subtrees. */
  #subtree(mode: Mode, stack: Stack, count: number): void {
    this.#values(mode, count, stack.chunks);
    this.#reduce(mode, count, 1);
    this.#push(mode, stack, count);
  }

  /** Pushes the value at VALUES, of a subtree of `count` chunks, and merges it with those of its size. */
  #push(mode: Mode, stack: Stack, count: number): void {
    const { memory } = this.#instance;
    stack.chunks += count;
    // The stack of a part of a message has nothing before the part.
    for (let merged = count; stack.depth > 0 && (stack.chunks / merged) % 2 === 0; merged *= 2) {
      memory.copyWithin(VALUES + VALUE_BYTES, VALUES, VALUES + VALUE_BYTES);
      memory.set(stack.pop(), VALUES);
      this.#parent(mode);
      memory.copyWithin(VALUES, NODE, NODE + VALUE_BYTES);
    }
    stack.push(memory.subarray(VALUES, VALUES + VALUE_BYTES));
  }

  /** Hashes the rest of the message, `length` bytes of the buffer, and writes the output of the root. */
  #root(mode: Mode, stack: Stack | undefined, length: number, target: Uint8Array): void {
    const depth = stack?.depth ?? 0;
    const chunks = Math.max(1, Math.ceil(length / BLAKE3_CHUNK_BYTES));
    const first = stack?.chunks ?? 0;
    const { memory } = this.#instance;
    const whole = Math.floor(length / BLAKE3_CHUNK_BYTES);
    this.#values(mode, whole, first);
    if (whole < chunks) this.#lastValue(mode, whole, length, first);
    this.#reduce(mode, chunks, depth === 0 ? 2 : 1);
    for (let i = depth; i > 0; i--) {
      memory.copyWithin(VALUES + VALUE_BYTES, VALUES, VALUES + VALUE_BYTES);
      memory.set(stack!.pop(), VALUES);
      if (i === 1) break;
      this.#parent(mode);
      memory.copyWithin(VALUES, NODE, NODE + VALUE_BYTES);
    }
    memory.set(mode.key, NODE);
    this.#output(VALUES, BLAKE3_BLOCK_BYTES, mode.flags | FLAGS.PARENT, target);
  }

  /** Chaining values of whole chunks of the buffer, the first of which has the given number. */
  #values(mode: Mode, count: number, first: number): void {
    const { low, high } = halves(first);
    if (count === 1) {
      this.#chunkValue(mode, 0, BLAKE3_CHUNK_BYTES, first);
      return;
    }
    // Idle lanes cost nothing, so eight at once are faster from five on.
    const eights = (count + 3) >> 3;
    if (eights > 0) {
      this.#functions.blake3EightChunks(BUFFER, eights, low, high, mode.flags, VALUES);
    }
    const done = 8 * eights;
    if (done < count) {
      const rest = BUFFER + done * BLAKE3_CHUNK_BYTES;
      this.#functions.blake3FourChunks(rest, 1, low + done, high, mode.flags, valueAt(done));
    }
  }

  /** The chaining value of the last, partial chunk. */
  #lastValue(mode: Mode, index: number, length: number, first: number): void {
    this.#chunkValue(mode, index, length - index * BLAKE3_CHUNK_BYTES, first + index);
  }

  #chunkValue(mode: Mode, index: number, length: number, number: number): void {
    const pointer = BUFFER + index * BLAKE3_CHUNK_BYTES;
    // Up to the end of its last block: the next chunk may follow.
    this.#instance.memory.fill(0, pointer + length, pointer + BLAKE3_CHUNK_BYTES);
    const last = this.#chunkButLastBlock(mode, pointer, length, number);
    const { low, high } = halves(number);
    const flags = mode.flags | last.flags;
    this.#functions.blake3Compress(last.pointer, last.length, low, high, flags);
    this.#instance.memory.copyWithin(VALUES + index * VALUE_BYTES, NODE, NODE + VALUE_BYTES);
  }

  /**
   * Compresses all blocks of a chunk but the last, which may be the root's.
   *
   * @param length of the chunk, which zeros follow up to the end of the last block
   * @returns the last block
   */
  #chunkButLastBlock(
    mode: Mode,
    pointer: number,
    length: number,
    number: number,
  ): { readonly pointer: number; readonly length: number; readonly flags: number } {
    const blocks = Math.max(0, Math.ceil(length / BLAKE3_BLOCK_BYTES) - 1);
    const end = pointer + blocks * BLAKE3_BLOCK_BYTES;
    this.#instance.memory.set(mode.key, NODE);
    const { low, high } = halves(number);
    if (blocks > 0) {
      this.#functions.blake3Blocks(pointer, blocks, low, high, mode.flags, FLAGS.CHUNK_START);
    }
    return {
      pointer: end,
      length: length - blocks * BLAKE3_BLOCK_BYTES,
      flags: FLAGS.CHUNK_END | (blocks === 0 ? FLAGS.CHUNK_START : 0),
    };
  }

  /** Replaces pairs by parents, level by level. A value without a partner moves up unchanged. */
  #reduce(mode: Mode, count: number, to: 1 | 2): void {
    const { memory } = this.#instance;
    for (let left = count; left > to; left = Math.ceil(left / 2)) {
      const pairs = Math.floor(left / 2);
      const odd = left % 2 === 1 ? memory.slice(valueAt(left - 1), valueAt(left)) : undefined;
      if (pairs === 1) {
        this.#parent(mode);
        memory.copyWithin(VALUES, NODE, NODE + VALUE_BYTES);
      } else {
        this.#functions.blake3Parents(Math.ceil(pairs / 4), mode.flags);
      }
      if (odd !== undefined) memory.set(odd, valueAt(pairs));
    }
  }

  /** Computes the parent of the first two values in NODE. */
  #parent(mode: Mode): void {
    this.#instance.memory.set(mode.key, NODE);
    const flags = mode.flags | FLAGS.PARENT;
    this.#functions.blake3Compress(VALUES, BLAKE3_BLOCK_BYTES, 0, 0, flags);
  }

  /** Compresses the root with another counter for each 64 bytes of output. */
  #output(pointer: number, length: number, flags: number, target: Uint8Array): void {
    const { memory } = this.#instance;
    // The first compression replaces the value, which only longer outputs need again.
    const isLong = target.length > BLAKE3_BLOCK_BYTES;
    const value = isLong ? memory.slice(NODE, NODE + VALUE_BYTES) : undefined;
    for (let done = 0, i = 0; done < target.length; done += BLAKE3_BLOCK_BYTES, i++) {
      if (value && i > 0) memory.set(value, NODE);
      const { low, high } = halves(i);
      this.#functions.blake3Compress(pointer, length, low, high, flags | FLAGS.ROOT);
      // A view and a call of `set` cost more than the bytes one by one.
      const part = Math.min(BLAKE3_BLOCK_BYTES, target.length - done);
      for (let j = 0; j < part; j++) target[done + j] = memory[NODE + j]!;
    }
    if (value) wipe(value);
  }
}

/** The largest complete subtree that may begin at chunk `first`: a power of two. */
function subtreeChunks(most: number, first: number): number {
  let count = 1;
  while (2 * count <= Math.min(most, MOST_CHUNKS) && first % (2 * count) === 0) count *= 2;
  return count;
}

function valueAt(index: number): number {
  return VALUES + index * VALUE_BYTES;
}

/** A counter as two 32-bit words. */
function halves(counter: number): { readonly low: number; readonly high: number } {
  return { low: counter | 0, high: Math.floor(counter / 0x1_0000_0000) };
}
