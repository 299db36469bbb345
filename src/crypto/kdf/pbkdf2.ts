import type { HashAlgorithm } from '../contracts.ts';
import { u32be, wipe, xorInto } from '../bytes.ts';
import { checkBytes, checkInteger } from '../errors.ts';
import { Hmac } from '../mac/hmac.ts';

/** Iterations between two progress reports: some milliseconds. */
const STEP = 4096;

/**
 * PBKDF2 (RFC 8018, section 5.2) with HMAC.
 *
 * @param password any length
 * @param salt any length
 * @param iterations c, at least 1
 * @param lengthBytes dkLen, at least 1 and at most (2^32 - 1) · hash.digestBytes
 * @returns lengthBytes bytes
 * @throws TypeError or RangeError for anything else: there are no defaults
 */
export function pbkdf2(
  hash: HashAlgorithm,
  password: Uint8Array,
  salt: Uint8Array,
  iterations: number,
  lengthBytes: number,
): Uint8Array {
  const steps = pbkdf2Steps(hash, password, salt, iterations, lengthBytes);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/**
 * PBKDF2 in steps, for a caller that shows progress, yields to other work or stops early (by leaving the
 * loop, which wipes the state).
 *
 * @returns a generator that yields the share done, 0 … 1, and returns the derived key. Arguments are checked
 * in this call, not at the generator's first step.
 */
export function pbkdf2Steps(
  hash: HashAlgorithm,
  password: Uint8Array,
  salt: Uint8Array,
  iterations: number,
  lengthBytes: number,
): Generator<number, Uint8Array, void> {
  checkBytes('password', password);
  checkBytes('salt', salt);
  checkInteger('iterations', iterations, 1, Number.MAX_SAFE_INTEGER);
  checkInteger('lengthBytes', lengthBytes, 1, 0xffff_ffff * hash.digestBytes);
  return derive(new Hmac(hash, password), salt, iterations, lengthBytes);
}

/** DK = T_1 ‖ T_2 ‖ …, cut to lengthBytes, with T_i = F(P, S, c, i). */
function* derive(
  mac: Hmac,
  salt: Uint8Array,
  iterations: number,
  lengthBytes: number,
): Generator<number, Uint8Array, void> {
  const key = new Uint8Array(lengthBytes);
  const blocks = Math.ceil(lengthBytes / mac.tagBytes);
  let complete = false;
  try {
    for (let i = 0; i < blocks; i++) {
      const block = key.subarray(i * mac.tagBytes, (i + 1) * mac.tagBytes);
      // U_1 = HMAC(P, S ‖ INT(i)), blocks counted from 1
      const first = mac
        .reset()
        .update(salt)
        .update(u32be(i + 1))
        .digest();
      for (const done of iterate(mac, first, iterations, block)) {
        yield (i + done / iterations) / blocks;
      }
    }
    complete = true;
    return key;
  } finally {
    mac.wipe();
    if (!complete) wipe(key);
  }
}

/** F = U_1 ⊕ U_2 ⊕ … ⊕ U_c, with U_j = HMAC(P, U_(j-1)); into `block`, cut to its length. */
function* iterate(
  mac: Hmac,
  first: Uint8Array,
  iterations: number,
  block: Uint8Array,
): Generator<number, void, void> {
  const sum = first.slice();
  let u = first;
  try {
    for (let done = 1; done < iterations;) {
      const stop = Math.min(iterations, done + STEP);
      for (; done < stop; done++) {
        u = mac.reset().update(u).digest();
        xorInto(sum, u);
      }
      yield done;
    }
    block.set(sum.subarray(0, block.length));
  } finally {
    wipe(u, sum);
  }
}
