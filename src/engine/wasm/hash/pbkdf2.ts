/** PBKDF2 (RFC 8018, section 5.2) with HMAC; the SHA module runs the iterations. */
import { u32be, wipe } from '../../../crypto/bytes.ts';
import type { ShaName } from '../../../crypto/contracts.ts';
import { checkBytes, checkInteger } from '../../../crypto/errors.ts';
import { keyedStates } from './keyed-states.ts';
import type { KeyedStates } from './keyed-states.ts';
import { gatherLane, spreadLane } from './sha256-many.ts';
import { toWords } from './sha.ts';
import type { ShaMember, ShaModule } from './sha.ts';
import {
  FOUR_INNER,
  FOUR_OUTER,
  FOUR_SUM,
  FOUR_U,
  INNER,
  OUTER,
  SUM,
  U,
} from '../generator/hash/sha-layout.ts';

/** Iterations per call of the module: 1 to 4 ms. */
const STEP = 4096;

/** From this many output blocks on, four at once are faster than one after the other. */
const FOUR_PAY = 3;

/**
 * @param password any length
 * @param salt any length
 * @param iterations c, at least 1
 * @param lengthBytes dkLen, at least 1 and at most (2^32 - 1) · digest length
 * @returns lengthBytes bytes
 * @throws TypeError or RangeError for anything else: there are no defaults
 */
export function pbkdf2(
  module: ShaModule,
  hash: ShaName,
  password: Uint8Array,
  salt: Uint8Array,
  iterations: number,
  lengthBytes: number,
): Uint8Array {
  const steps = pbkdf2Steps(module, hash, password, salt, iterations, lengthBytes);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/**
 * PBKDF2 in steps, for a caller that shows progress, yields to other work or stops early (by leaving the
 * loop, which wipes the state). Between two steps the module contains nothing of it, so that other work may
 * use it.
 *
 * @returns a generator that yields the share done, 0 … 1, and returns the derived key. Arguments are checked
 * in this call, not at the generator's first step.
 */
export function pbkdf2Steps(
  module: ShaModule,
  hash: ShaName,
  password: Uint8Array,
  salt: Uint8Array,
  iterations: number,
  lengthBytes: number,
): Generator<number, Uint8Array, void> {
  const member = module.members[hash];
  checkBytes('password', password);
  checkBytes('salt', salt);
  checkInteger('iterations', iterations, 1, Number.MAX_SAFE_INTEGER);
  checkInteger('lengthBytes', lengthBytes, 1, 0xffff_ffff * member.digestBytes);
  return derive(
    module,
    member,
    keyedStates(module, member, password),
    salt,
    iterations,
    lengthBytes,
  );
}

/** U_1 = HMAC(P, S ‖ INT(i)), blocks counted from 1 */
function firstOf(
  module: ShaModule,
  member: ShaMember,
  { inner, outer }: KeyedStates,
  salt: Uint8Array,
  i: number,
): Uint8Array {
  const hash = module.hashes[member.name];
  const message = hash.createFrom(inner, member.blockBytes).update(salt).update(u32be(i)).digest();
  const first = hash.createFrom(outer, member.blockBytes).update(message).digest();
  wipe(message);
  return first;
}

/** DK = T_1 ‖ T_2 ‖ …, cut to lengthBytes, with T_i = F(P, S, c, i). */
function* derive(
  module: ShaModule,
  member: ShaMember,
  key: KeyedStates,
  salt: Uint8Array,
  iterations: number,
  lengthBytes: number,
): Generator<number, Uint8Array, void> {
  const derived = new Uint8Array(lengthBytes);
  const { digestBytes } = member;
  const blocks = Math.ceil(lengthBytes / digestBytes);
  let complete = false;
  try {
    for (let i = 0; i < blocks;) {
      const four = member.name === 'SHA-256' && blocks - i >= FOUR_PAY;
      const count = four ? Math.min(4, blocks - i) : 1;
      const target = derived.subarray(i * digestBytes, (i + count) * digestBytes);
      const lanes = four ? new FourLanes(module, key) : new OneLane(module, member, key);
      for (let lane = 0; lane < count; lane++) {
        lanes.begin(lane, firstOf(module, member, key, salt, i + lane + 1));
      }
      for (const done of iterate(lanes, iterations, target)) {
        yield (i + (done * count) / iterations) / blocks;
      }
      i += count;
    }
    complete = true;
    return derived;
  } finally {
    wipe(key.inner, key.outer);
    if (!complete) wipe(derived);
  }
}

/** Output blocks that are computed together. Between calls of `run` other work may use the module. */
interface Lanes {
  /** @param first U_1 of a lane; wiped */
  begin(lane: number, first: Uint8Array): void;
  run(iterations: number): void;
  /** F of each lane, one after the other, cut to the target's length. */
  finish(target: Uint8Array): void;
  wipe(): void;
}

/** F = U_1 ⊕ U_2 ⊕ … ⊕ U_c */
function* iterate(
  lanes: Lanes,
  iterations: number,
  target: Uint8Array,
): Generator<number, void, void> {
  try {
    for (let done = 1; done < iterations;) {
      const count = Math.min(STEP, iterations - done);
      lanes.run(count);
      done += count;
      yield done;
    }
    lanes.finish(target);
  } finally {
    lanes.wipe();
  }
}

class OneLane implements Lanes {
  readonly #module: ShaModule;
  readonly #member: ShaMember;
  readonly #key: KeyedStates;
  /** U ‖ SUM, 64 bytes each, in the module's form. */
  readonly #progress = new Uint8Array(128);

  constructor(module: ShaModule, member: ShaMember, key: KeyedStates) {
    this.#module = module;
    this.#member = member;
    this.#key = key;
  }

  begin(_lane: number, first: Uint8Array): void {
    const words = toWords(first, this.#member.blockBytes / 16);
    this.#progress.set(words);
    this.#progress.set(words, SUM - U);
    wipe(first, words);
  }

  run(iterations: number): void {
    const { memory, functions, instance } = this.#module;
    instance.owner?.leave();
    memory.set(this.#key.inner, INNER);
    memory.set(this.#key.outer, OUTER);
    memory.set(this.#progress, U);
    functions[this.#member.iterate](iterations);
    this.#progress.set(memory.subarray(U, U + this.#progress.length));
    instance.wipe(instance.touched);
  }

  finish(target: Uint8Array): void {
    const sum = toWords(this.#progress.subarray(SUM - U), this.#member.blockBytes / 16);
    target.set(sum.subarray(0, target.length));
    wipe(sum);
  }

  wipe(): void {
    wipe(this.#progress);
  }
}

/** Vectors of four words: word w of lane l is at 16 w + 4 l. */
class FourLanes implements Lanes {
  readonly #module: ShaModule;
  readonly #key: KeyedStates;
  /** U ‖ SUM, 128 bytes each. */
  readonly #progress = new Uint8Array(256);

  constructor(module: ShaModule, key: KeyedStates) {
    this.#module = module;
    this.#key = key;
  }

  begin(lane: number, first: Uint8Array): void {
    const words = toWords(first, 4);
    spreadLane(words, this.#progress, lane);
    spreadLane(words, this.#progress.subarray(FOUR_SUM - FOUR_U), lane);
    wipe(first, words);
  }

  run(iterations: number): void {
    const { memory, functions, instance } = this.#module;
    instance.owner?.leave();
    for (let lane = 0; lane < 4; lane++) {
      spreadLane(this.#key.inner, memory.subarray(FOUR_INNER), lane);
      spreadLane(this.#key.outer, memory.subarray(FOUR_OUTER), lane);
    }
    memory.set(this.#progress, FOUR_U);
    functions.sha256FourIterate(iterations);
    this.#progress.set(memory.subarray(FOUR_U, FOUR_U + this.#progress.length));
    instance.wipe(instance.touched);
  }

  finish(target: Uint8Array): void {
    const sums = this.#progress.subarray(FOUR_SUM - FOUR_U);
    for (let lane = 0; 32 * lane < target.length; lane++) {
      const words = new Uint8Array(32);
      gatherLane(sums, words, lane);
      const digest = toWords(words, 4);
      const part = target.subarray(32 * lane, 32 * lane + 32);
      part.set(digest.subarray(0, part.length));
      wipe(words, digest);
    }
  }

  wipe(): void {
    wipe(this.#progress);
  }
}
