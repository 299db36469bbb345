/**
 * The module of ML-KEM-512, -768 and -1024 (FIPS 203): each exported function is a whole operation, over the fixed places of
 * ml-kem-layout.ts. `rank` is k of section 8: 2, 3 or 4.
 *
 * Constant time: the only data that reach addresses and branches are ρ and ek, the public key. A ciphertext that was not made
 * for the key is rejected by a mask (algorithm 18, lines 9 to 11).
 */
import { call } from '../dsl/body.ts';
import type { Body } from '../dsl/body.ts';
import { i16x8, i32, i64, i64x2, v128 } from '../dsl/expression.ts';
import type { Expr, I32 } from '../dsl/expression.ts';
import { ModuleText } from '../dsl/module.ts';
import { codingFunctions } from './ml-kem-coding.ts';
import { fieldOf, POLYNOMIAL_BYTES, VECTORS } from './ml-kem-field.ts';
import {
  CIPHERTEXT,
  D,
  DECODED,
  EK,
  EK_HASH,
  EXPECTED,
  MATRIX,
  MEMORY_BYTES,
  MESSAGE,
  NOISE,
  PAIR,
  PREPARED,
  RHO,
  ROUND_CONSTANTS,
  ROW,
  SHARED_KEY,
  SIGMA,
  STATE,
  T,
  Z,
} from './ml-kem-layout.ts';
import { nttFunctions } from './ml-kem-ntt.ts';
import { samplingFunctions } from './ml-kem-sampling.ts';
import { OF_SHA3, OF_SHAKE, RATE_136, RATE_72, spongeFunctions } from './sponges.ts';
import { advance, copy, each } from './statements.ts';

const KEY_BYTES = 32;
/** A polynomial of ek, in bytes and in lanes of Keccak. */
const ENCODED_BYTES = 384;
const ENCODED_LANES = ENCODED_BYTES / 8;
const KEY_LANES = KEY_BYTES / 8;

/** @returns the module in WebAssembly's text format, the same in both variants */
export function mlKemModule(): string {
  const module = new ModuleText(MEMORY_BYTES);
  spongeFunctions(module, { roundConstants: ROUND_CONSTANTS, state: STATE, pair: PAIR });
  nttFunctions(module);
  samplingFunctions(module);
  codingFunctions(module);
  addFunction(module);
  seedFunction(module);
  keyPairFunction(module);
  encryptFunction(module);
  agreeFunction(module);
  encapsulateFunction(module);
  decryptFunction(module);
  decapsulateFunction(module);
  return module.toString();
}

const polynomial = (base: number, index: I32): Expr<'i32'> =>
  i32.add(base, i32.mul(index, POLYNOMIAL_BYTES));

/** d_u and d_v (section 8, table 2). */
function byRank(body: Body, rank: I32, turn: (du: 10 | 11, dv: 4 | 5) => void): void {
  body.if(
    i32.eq(rank, 4),
    () => turn(11, 5),
    () => turn(10, 4),
  );
}

/** `add(to, other)`: to + other, canonical; both at most 9 q together */
function addFunction(module: ModuleText): void {
  const params = { to: 'i32', other: 'i32' } as const;
  module.func('add', { params, exported: false }, (body, { to, other }) => {
    const { canonical } = fieldOf(body);
    const count = body.local('i32', VECTORS);
    body.loop(count, () => {
      body.store(to, canonical(i16x8.add(v128.load(to), v128.load(other))));
      advance(body, [to, other], 16);
    });
  });
}

/**
 * `expandSeed(rank)`: ρ and σ of d (algorithm 13, line 1). It is a function of its own because ρ is public from here on,
 * and secret before.
 */
function seedFunction(module: ModuleText): void {
  module.func('expandSeed', { params: { rank: 'i32' } }, (body, { rank }) => {
    body.call('sponge', D, KEY_LANES, RATE_72, i32.or(rank, OF_SHA3 << 8));
    copy(body, RHO, STATE, KEY_BYTES);
    copy(body, SIGMA, STATE + KEY_BYTES, KEY_BYTES);
  });
}

/** `keyPair(rank)`: ek and t̂ of ρ and σ, and ŝ, prepared (algorithm 13). */
function keyPairFunction(module: ModuleText): void {
  module.func('keyPair', { params: { rank: 'i32' } }, (body, { rank }) => {
    body.call('matrix', rank);
    // Lines 8 to 15: s from N = 0 on, e after it; η₁ is 3 for k = 2, else 2.
    body.call('noise', NOISE, rank, 0, i32.add(i32.eq(rank, 2), 2));
    each(body, i32.shl(rank, 1), (i) => body.call('ntt', polynomial(NOISE, i)));
    each(body, rank, (i) =>
      body.call('prepare', polynomial(NOISE, i), i32.add(PREPARED, i32.mul(i, 1024))),
    );
    // Lines 18 and 19
    each(body, rank, (i) => {
      const t = body.let(polynomial(T, i));
      body.call('multiply', polynomial(MATRIX, i32.mul(i, rank)), POLYNOMIAL_BYTES, rank, t);
      body.call('add', t, polynomial(NOISE, i32.add(i, rank)));
      body.call('pack12', t, i32.add(EK, i32.mul(i, ENCODED_BYTES)));
    });
    copy(body, i32.add(EK, i32.mul(rank, ENCODED_BYTES)), RHO, KEY_BYTES);
  });
}

/** `encrypt(rank, to)`: MESSAGE to t̂ and Â with the randomness in SIGMA (algorithm 14). */
function encryptFunction(module: ModuleText): void {
  const params = { rank: 'i32', to: 'i32' } as const;
  module.func('encrypt', { params, exported: false }, (body, { rank, to }) => {
    // Lines 9 to 17: y with η₁, e₁ and e₂ with η₂ = 2; there is one more at the end than is used.
    body.if(
      i32.eq(rank, 2),
      () => {
        body.call('noise', NOISE, 1, 0, 3);
        body.call('noise', NOISE + 2 * POLYNOMIAL_BYTES, 2, 2, 2);
      },
      () => body.call('noise', NOISE, i32.add(rank, 1), 0, 2),
    );
    // Line 18
    each(body, rank, (i) => {
      const y = body.let(polynomial(NOISE, i));
      body.call('ntt', y);
      body.call('prepare', y, i32.add(PREPARED, i32.mul(i, 1024)));
    });
    // Lines 19 and 22: u, by the columns of Â
    each(body, rank, (i) => {
      const stride = i32.mul(rank, POLYNOMIAL_BYTES);
      body.call('multiply', polynomial(MATRIX, i), stride, rank, ROW);
      body.call('inverse', ROW);
      body.call('add', ROW, polynomial(NOISE, i32.add(i, rank)));
      byRank(body, rank, (du) => {
        body.call(`pack${du}`, ROW, to);
        body.set(to, i32.add(to, 32 * du));
      });
    });
    // Lines 20, 21 and 23: v
    body.call('multiply', T, POLYNOMIAL_BYTES, rank, ROW);
    body.call('inverse', ROW);
    body.call('add', ROW, polynomial(NOISE, i32.shl(rank, 1)));
    body.call('unpack1', MESSAGE, DECODED);
    body.call('add', ROW, DECODED);
    byRank(body, rank, (_, dv) => body.call(`pack${dv}`, ROW, to));
  });
}

/** `agree(rank)`: K to SHARED_KEY and r to SIGMA, from MESSAGE and H(ek) (algorithm 17, line 1). */
function agreeFunction(module: ModuleText): void {
  module.func('agree', { params: { rank: 'i32' }, exported: false }, (body, { rank }) => {
    const lanes = i32.add(i32.mul(rank, ENCODED_LANES), KEY_LANES);
    body.call('sponge', EK, lanes, RATE_136, OF_SHA3);
    copy(body, EK_HASH, STATE, KEY_BYTES);
    body.call('sponge', MESSAGE, 2 * KEY_LANES, RATE_72, OF_SHA3);
    copy(body, SHARED_KEY, STATE, KEY_BYTES);
    copy(body, SIGMA, STATE + KEY_BYTES, KEY_BYTES);
  });
}

/** `encapsulate(rank)`: K and c of MESSAGE, EK and RHO (algorithm 17); returns 0 if ek is not reduced (section 7.2). */
function encapsulateFunction(module: ModuleText): void {
  const signature = { params: { rank: 'i32' }, result: 'i32' } as const;
  module.func('encapsulate', signature, (body, { rank }) => {
    const isReduced = body.local('i32', 1);
    each(body, rank, (i) => {
      const from = i32.add(EK, i32.mul(i, ENCODED_BYTES));
      body.set(isReduced, i32.and(call('i32', 'unpack12', from, polynomial(T, i)), isReduced));
    });
    body.call('matrix', rank);
    body.call('agree', rank);
    body.call('encrypt', rank, CIPHERTEXT);
    body.result(isReduced);
  });
}

/** `decrypt(rank)`: MESSAGE of CIPHERTEXT by ŝ, which is prepared (algorithm 15). */
function decryptFunction(module: ModuleText): void {
  module.func('decrypt', { params: { rank: 'i32' }, exported: false }, (body, { rank }) => {
    const { canonical } = fieldOf(body);
    const from = body.local('i32', CIPHERTEXT);
    each(body, rank, (i) => {
      const u = body.let(polynomial(NOISE, i));
      byRank(body, rank, (du) => {
        body.call(`unpack${du}`, from, u);
        body.set(from, i32.add(from, 32 * du));
      });
      body.call('ntt', u);
    });
    byRank(body, rank, (_, dv) => body.call(`unpack${dv}`, from, DECODED));
    body.call('multiply', NOISE, POLYNOMIAL_BYTES, rank, ROW);
    body.call('inverse', ROW);
    // Line 6: w = v′ − …
    const at = body.local('i32', 0);
    const count = body.local('i32', VECTORS);
    body.loop(count, () => {
      const w = i16x8.sub(v128.load(at, DECODED), v128.load(at, ROW));
      body.store(at, canonical(w), ROW);
      body.set(at, i32.add(at, 16));
    });
    body.call('pack1', ROW, MESSAGE);
  });
}

/** `decapsulate(rank)`: K of CIPHERTEXT, after `expandSeed`, with Z (algorithm 18). */
function decapsulateFunction(module: ModuleText): void {
  module.func('decapsulate', { params: { rank: 'i32' } }, (body, { rank }) => {
    body.call('keyPair', rank);
    body.call('decrypt', rank);
    body.call('agree', rank);
    body.call('encrypt', rank, EXPECTED);
    // Line 7: K̄ = J(z ‖ c)
    const length = body.local('i32');
    byRank(body, rank, (du, dv) => body.set(length, i32.add(i32.mul(rank, 32 * du), 32 * dv)));
    const lanes = i32.add(i32.shrU(length, 3), KEY_LANES);
    body.call('sponge', Z, lanes, RATE_136, OF_SHAKE);
    // Lines 9 to 11: all of both ciphertexts is read, and the key is chosen by a mask.
    const difference = body.local('v128', v128.const(new Uint8Array(16)));
    const at = body.local('i32', 0);
    const rest = body.local('i32', i32.shrU(length, 4));
    body.loop(rest, () => {
      const [given, expected] = [v128.load(at, CIPHERTEXT), v128.load(at, EXPECTED)];
      body.set(difference, v128.or(difference, v128.xor(given, expected)));
      body.set(at, i32.add(at, 16));
    });
    const bits = body.let(i64.or(i64x2.extract(0, difference), i64x2.extract(1, difference)));
    // The highest bit of x or −x is set unless x is 0.
    const isDifferent = i64.shrU(i64.or(bits, i64.sub(0n, bits)), 63n);
    const mask = body.let(i64x2.splat(i64.sub(0n, isDifferent)));
    for (const offset of [0, 16]) {
      const [rejected, agreed] = [v128.load(0, STATE + offset), v128.load(0, SHARED_KEY + offset)];
      body.store(0, v128.bitselect(rejected, agreed, mask), SHARED_KEY + offset);
    }
  });
}
