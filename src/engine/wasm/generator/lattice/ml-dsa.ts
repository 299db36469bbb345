/**
 * The module of ML-DSA-44, -65 and -87 (FIPS 204) over the fixed places of ml-dsa-layout.ts. `k` is that of section 4 and
 * stands for the set: 4, 6 or 8.
 *
 * Signing is a few functions, which the caller calls in their order, because what is secret before one of them is public
 * after it: ρ after `expandSeed`; c̃ after `commit`; the hints after `hints` has accepted them.
 *
 * Constant time: addresses and branches depend on the public key, on signatures and on c̃. The caller learns, from two
 * results, whether an attempt is rejected, and so do others by the time. That discloses nothing ("CRYSTALS-Dilithium" 3.1,
 * section 5.5): `respond` rejects with the same probability for all s₁ and s₂, which is what makes accepted z independent of
 * them (FIPS 204, section 3.3), and a rejected z is never seen. `hints` rejects by t₀, which follows from a few signatures
 * and need not be secret (section 6.1), and by hints, which the signature contains. The c̃ of a rejected attempt is a hash
 * of w₁, which has too much entropy to be found from it. What ml-dsa-sampling.ts says holds for ρ′.
 */
import { call } from '../dsl/body.ts';
import type { Body, Local } from '../dsl/body.ts';
import { i32, i32x4, i64, v128 } from '../dsl/expression.ts';
import type { Expr, I32, V128 } from '../dsl/expression.ts';
import { ModuleText } from '../dsl/module.ts';
import { codingFunctions } from './ml-dsa-coding.ts';
import { fieldOf, VECTORS } from './ml-dsa-field.ts';
import {
  BUFFER,
  C,
  CHALLENGE,
  CHALLENGE_BYTES,
  EXPECTED,
  HINTS,
  KEY,
  MASK,
  MASK_SEED,
  MATRIX,
  MEMORY_BYTES,
  MU,
  PAIR,
  POLYNOMIAL_BYTES,
  PUBLIC_KEY,
  RHO,
  ROUND_CONSTANTS,
  ROW,
  SHORT,
  SHORT_SEED,
  SIGNATURE,
  STATE,
  T0,
  VECTOR,
  W0,
  W1,
  W1_ENCODED,
  XI,
  Z,
} from './ml-dsa-layout.ts';
import { nttFunctions } from './ml-dsa-ntt.ts';
import { beta, isWide, parameter, parameterData } from './ml-dsa-parameters.ts';
import { samplingFunctions } from './ml-dsa-sampling.ts';
import { OF_SHAKE, RATE_136, spongeFunctions } from './sponges.ts';
import { advance, copy, each } from './statements.ts';

const SEED_BYTES = 32;
const DIGEST_BYTES = 64;
/** Of t₁: 320 bytes a polynomial. */
const T1_BYTES = 320;
const COEFFICIENTS = 256;

/** @returns the module in WebAssembly's text format, the same in both variants */
export function mlDsaModule(): string {
  const module = new ModuleText(MEMORY_BYTES);
  spongeFunctions(module, { roundConstants: ROUND_CONSTANTS, state: STATE, pair: PAIR });
  parameterData(module);
  nttFunctions(module);
  samplingFunctions(module);
  codingFunctions(module);
  vectorFunctions(module);
  seedFunction(module);
  keyPairFunction(module);
  messageFunctions(module);
  commitFunctions(module);
  respondFunction(module);
  hintsFunction(module);
  encodeFunction(module);
  decodeHintsFunction(module);
  verifyFunction(module);
  return module.toString();
}

const K = { k: 'i32' } as const;

const polynomial = (base: number, index: I32): Expr<'i32'> => i32.add(base, i32.shl(index, 10));

/** Row i of Â, which has one polynomial more than columns. */
const rowOf = (k: I32, i: I32): Expr<'i32'> =>
  polynomial(MATRIX, i32.mul(i, i32.add(parameter(k, 'l'), 1)));

/** By the bits of γ₁: 20 or 18. */
function callByMask(body: Body, k: I32, name: string, from: I32, to: I32): void {
  body.if(
    isWide(k),
    () => body.call(`${name}20`, from, to),
    () => body.call(`${name}18`, from, to),
  );
}

/** By γ₂. */
function callByRounding(body: Body, k: I32, name: string, ...operands: readonly I32[]): void {
  body.if(
    isWide(k),
    () => body.call(`${name}32`, ...operands),
    () => body.call(`${name}88`, ...operands),
  );
}

/** Bytes of a polynomial of z: 640 or 576. */
const maskBytes = (k: I32): Expr<'i32'> => i32.add(576, i32.shl(isWide(k), 6));

/**
 * - `add(to, other)`, `subtract(to, other)`, `reduce(to)`: reduced results
 * - `isAbove(at, bound)`: 0 if all coefficients are below the bound (section 2.3), else another number
 */
function vectorFunctions(module: ModuleText): void {
  const params = { to: 'i32', other: 'i32' } as const;
  for (const name of ['add', 'subtract'] as const) {
    module.func(name, { params, exported: false }, (body, { to, other }) => {
      const { reduced } = fieldOf(body);
      const count = body.local('i32', VECTORS);
      body.loop(count, () => {
        const operands = [v128.load(to), v128.load(other)] as const;
        const sum = name === 'add' ? i32x4.add(...operands) : i32x4.sub(...operands);
        body.store(to, reduced(sum));
        advance(body, [to, other], 16);
      });
    });
  }
  module.func('reduce', { params: { to: 'i32' }, exported: false }, (body, { to }) => {
    const { reduced } = fieldOf(body);
    const count = body.local('i32', VECTORS);
    body.loop(count, () => {
      body.store(to, reduced(v128.load(to)));
      advance(body, [to], 16);
    });
  });
  const bounded = { at: 'i32', bound: 'i32' } as const;
  const signature = { params: bounded, result: 'i32', exported: false } as const;
  module.func('isAbove', signature, (body, { at, bound }) => {
    const most: V128 = body.let(i32x4.splat(i32.sub(bound, 1)));
    const above = body.local('v128', v128.const(new Uint8Array(16)));
    const count = body.local('i32', VECTORS);
    body.loop(count, () => {
      body.set(above, v128.or(above, i32x4.ltS(most, i32x4.abs(v128.load(at)))));
      advance(body, [at], 16);
    });
    body.result(i32x4.bitmask(above));
  });
}

/** `expandSeed(k)`: ρ, ρ′ and K of ξ (algorithm 6, line 1). */
function seedFunction(module: ModuleText): void {
  module.func('expandSeed', { params: K }, (body, { k }) => {
    const tail = i32.or(i32.or(k, i32.shl(parameter(k, 'l'), 8)), OF_SHAKE << 16);
    body.call('sponge', XI, SEED_BYTES / 8, RATE_136, tail);
    copy(body, RHO, STATE, SEED_BYTES);
    copy(body, SHORT_SEED, STATE + SEED_BYTES, DIGEST_BYTES);
    copy(body, KEY, STATE + SEED_BYTES + DIGEST_BYTES, SEED_BYTES);
  });
}

/** `keyPair(k)`: pk, t₀, ŝ₁ and s₂ of ρ and ρ′ (algorithm 6, lines 3 to 8). */
function keyPairFunction(module: ModuleText): void {
  module.func('keyPair', { params: K }, (body, { k }) => {
    const columns = body.let(parameter(k, 'l'));
    body.call('matrix', k);
    body.call('shortVectors', k);
    each(body, columns, (i) => body.call('ntt', polynomial(SHORT, i)));
    copy(body, PUBLIC_KEY, RHO, SEED_BYTES);
    const to = body.local('i32', PUBLIC_KEY + SEED_BYTES);
    each(body, k, (i) => {
      body.call('multiply', rowOf(k, i), SHORT, columns, ROW);
      body.call('inverse', ROW);
      body.call('add', ROW, polynomial(SHORT, i32.add(columns, i)));
      body.call('power2Round', ROW, W1, polynomial(T0, i));
      body.call('pack10', W1, to);
      advance(body, [to], T1_BYTES);
    });
  });
}

/**
 * - `startMessage(k)`: tr = H(pk) to BUFFER, where M′ follows it (algorithm 7, line 6), and an empty state
 * - `absorb(blocks)`: blocks of 136 bytes of BUFFER into the state; the caller pads the last one
 * - `endMessage()`: μ of the state, and ρ″ of K, rnd and μ (line 7)
 */
function messageFunctions(module: ModuleText): void {
  module.func('startMessage', { params: K }, (body, { k }) => {
    const lanes = i32.shrU(i32.add(i32.mul(k, T1_BYTES), SEED_BYTES), 3);
    body.call('sponge', PUBLIC_KEY, lanes, RATE_136, OF_SHAKE);
    copy(body, BUFFER, STATE, DIGEST_BYTES);
    body.emit('memory.fill', STATE, 0, 200);
  });
  module.func('absorb', { params: { blocks: 'i32' } }, (body, { blocks }) => {
    const from = body.local('i32', BUFFER);
    body.loop(blocks, () => {
      const lane = body.local('i32', 0);
      const lanes = body.local('i32', RATE_136);
      body.loop(lanes, () => {
        body.store(lane, i64.xor(i64.load(lane, STATE), i64.load(from)), STATE);
        advance(body, [lane, from], 8);
      });
      body.call('permuteState');
    });
  });
  module.func('endMessage', {}, (body) => {
    copy(body, MU, STATE, DIGEST_BYTES);
    body.call('sponge', KEY, (2 * SEED_BYTES + DIGEST_BYTES) / 8, RATE_136, OF_SHAKE);
    copy(body, MASK_SEED, STATE, DIGEST_BYTES);
  });
}

/** The hash of μ and of the encoded w₁: c̃, the first bytes of the state (algorithm 7, line 15). */
function hashCommitment(body: Body, k: I32): void {
  const bytes = i32.mul(k, i32.sub(192, i32.shl(isWide(k), 6)));
  const lanes = i32.shrU(i32.add(bytes, DIGEST_BYTES), 3);
  body.call('sponge', MU, lanes, RATE_136, OF_SHAKE);
}

/** w1Encode of one polynomial (algorithm 28): 128 or 192 bytes, after which `to` is set. */
function encodeHigh(body: Body, k: I32, from: I32, to: Local<'i32'>): void {
  body.if(
    isWide(k),
    () => {
      body.call('pack4', from, to);
      advance(body, [to], 128);
    },
    () => {
      body.call('pack6', from, to);
      advance(body, [to], 192);
    },
  );
}

/**
 * - `prepareSigning(k)`: ŝ₂ and t̂₀ after `keyPair` (algorithm 7, lines 3 and 4)
 * - `commit(k, counter)`: y, w₀, w₁ and c̃ (lines 11 to 15)
 */
function commitFunctions(module: ModuleText): void {
  module.func('prepareSigning', { params: K }, (body, { k }) => {
    each(body, k, (i) => {
      body.call('ntt', polynomial(SHORT, i32.add(parameter(k, 'l'), i)));
      body.call('ntt', polynomial(T0, i));
    });
  });
  const params = { k: 'i32', counter: 'i32' } as const;
  module.func('commit', { params }, (body, { k, counter }) => {
    const columns = body.let(parameter(k, 'l'));
    body.call('masks', k, counter);
    copy(body, VECTOR, MASK, i32.shl(columns, 10));
    each(body, columns, (i) => body.call('ntt', polynomial(VECTOR, i)));
    const to = body.local('i32', W1_ENCODED);
    each(body, k, (i) => {
      const high = body.let(polynomial(W1, i));
      body.call('multiply', rowOf(k, i), VECTOR, columns, ROW);
      body.call('inverse', ROW);
      callByRounding(body, k, 'decompose', ROW, high, polynomial(W0, i));
      encodeHigh(body, k, high, to);
    });
    hashCommitment(body, k);
    copy(body, CHALLENGE, STATE, CHALLENGE_BYTES);
  });
}

/** ĉ · a transformed polynomial, no longer transformed, to ROW. */
function timesChallenge(body: Body, factor: I32): void {
  body.call('multiply', C, factor, 1, ROW);
  body.call('inverse', ROW);
}

/** `respond(k)`: z and w₀ − c · s₂; returns 1 if both are within their bounds (algorithm 7, lines 16 to 23), else 0. */
function respondFunction(module: ModuleText): void {
  module.func('respond', { params: K, result: 'i32' }, (body, { k }) => {
    const columns = body.let(parameter(k, 'l'));
    const above = body.local('i32', 0);
    const check = (at: I32, bound: I32): void =>
      body.set(above, i32.or(above, call('i32', 'isAbove', at, bound)));
    body.call('challenge', k);
    body.call('ntt', C);
    copy(body, Z, MASK, i32.shl(columns, 10));
    each(body, columns, (i) => {
      const z = body.let(polynomial(Z, i));
      timesChallenge(body, polynomial(SHORT, i));
      body.call('add', z, ROW);
      check(z, i32.sub(parameter(k, 'gamma1'), beta(k)));
    });
    each(body, k, (i) => {
      const low = body.let(polynomial(W0, i));
      timesChallenge(body, polynomial(SHORT, i32.add(columns, i)));
      body.call('subtract', low, ROW);
      check(low, i32.sub(parameter(k, 'gamma2'), beta(k)));
    });
    body.result(i32.eqz(above));
  });
}

/** `hints(k)`: h; returns 1 if c · t₀ is within its bound and there are at most ω ones (lines 25 to 28), else 0. */
function hintsFunction(module: ModuleText): void {
  module.func('hints', { params: K, result: 'i32' }, (body, { k }) => {
    const above = body.local('i32', 0);
    const ones = body.local('v128', v128.const(new Uint8Array(16)));
    each(body, k, (i) => {
      const low = body.let(polynomial(W0, i));
      timesChallenge(body, polynomial(T0, i));
      body.call('reduce', ROW);
      body.set(above, i32.or(above, call('i32', 'isAbove', ROW, parameter(k, 'gamma2'))));
      body.call('add', low, ROW);
      const to = body.local('i32', polynomial(HINTS, i));
      callByRounding(body, k, 'hint', polynomial(W1, i), low, to);
      const count = body.local('i32', VECTORS);
      body.loop(count, () => {
        body.set(ones, i32x4.add(ones, v128.load(to)));
        advance(body, [to], 16);
      });
    });
    const sum = [0, 1, 2, 3].map((lane) => i32x4.extract(lane, ones)).reduce(i32.add);
    body.result(i32.and(i32.eqz(above), i32.leU(sum, parameter(k, 'omega'))));
  });
}

/** `encode(k)`: SIGNATURE of c̃, z and h (algorithms 26 and 20). */
function encodeFunction(module: ModuleText): void {
  module.func('encode', { params: K }, (body, { k }) => {
    const omega = body.let(parameter(k, 'omega'));
    copy(body, SIGNATURE, CHALLENGE, parameter(k, 'challengeBytes'));
    const to = body.local('i32', i32.add(SIGNATURE, parameter(k, 'challengeBytes')));
    each(body, parameter(k, 'l'), (i) => {
      callByMask(body, k, 'pack', polynomial(Z, i), to);
      advance(body, [to], maskBytes(k));
    });
    body.emit('memory.fill', to, 0, i32.add(omega, k));
    const index = body.local('i32', 0);
    const from = body.local('i32', HINTS);
    each(body, k, (i) => {
      each(body, COEFFICIENTS, (j) => {
        body.if(i32.load(from), () => {
          body.emit('i32.store8', i32.add(to, index), j);
          advance(body, [index], 1);
        });
        advance(body, [from], 4);
      });
      body.emit('i32.store8', i32.add(to, i32.add(omega, i)), index);
    });
  });
}

/** `decodeHints(k, from)`: HINTS; returns 1 if they are well-formed (algorithm 21), else 0. */
function decodeHintsFunction(module: ModuleText): void {
  const params = { k: 'i32', from: 'i32' } as const;
  const signature = { params, result: 'i32', exported: false } as const;
  module.func('decodeHints', signature, (body, { k, from }) => {
    const omega = body.let(parameter(k, 'omega'));
    const byte = (at: I32): Expr<'i32'> => i32.load8u(i32.add(from, at));
    const isWrong = body.local('i32', 0);
    const wrongIf = (condition: Expr<'i32'>): void => body.set(isWrong, i32.or(isWrong, condition));
    const index = body.local('i32', 0);
    body.emit('memory.fill', HINTS, 0, i32.shl(k, 10));
    each(body, k, (i) => {
      const end = body.let(byte(i32.add(omega, i)));
      wrongIf(i32.or(i32.ltU(end, index), i32.gtU(end, omega)));
      const first = body.local('i32', index);
      body.while(i32.and(i32.ltU(index, end), i32.ltU(index, omega)), () => {
        const place = body.let(byte(index));
        const isOrdered = i32.gtU(place, byte(i32.sub(index, 1)));
        wrongIf(i32.and(i32.gtU(index, first), i32.eqz(isOrdered)));
        body.store(i32.add(polynomial(HINTS, i), i32.shl(place, 2)), i32.const(1));
        advance(body, [index], 1);
      });
    });
    body.while(i32.ltU(index, omega), () => {
      wrongIf(i32.ne(byte(index), 0));
      advance(body, [index], 1);
    });
    body.result(i32.eqz(isWrong));
  });
}

/**
 * `verify(k)`: c̃ of SIGNATURE to CHALLENGE, and to EXPECTED the one that follows from PUBLIC_KEY, μ, z and h (algorithm 8);
 * returns 1 if hints are well-formed and z is within its bound, else 0.
 */
function verifyFunction(module: ModuleText): void {
  module.func('verify', { params: K, result: 'i32' }, (body, { k }) => {
    const columns = body.let(parameter(k, 'l'));
    const challengeBytes = body.let(parameter(k, 'challengeBytes'));
    const above = body.local('i32', 0);
    copy(body, CHALLENGE, SIGNATURE, challengeBytes);
    const from = body.local('i32', i32.add(SIGNATURE, challengeBytes));
    each(body, columns, (i) => {
      const z = body.let(polynomial(VECTOR, i));
      callByMask(body, k, 'unpack', from, z);
      const bound = i32.sub(parameter(k, 'gamma1'), beta(k));
      body.set(above, i32.or(above, call('i32', 'isAbove', z, bound)));
      body.call('ntt', z);
      advance(body, [from], maskBytes(k));
    });
    const isWellFormed = body.local('i32', call('i32', 'decodeHints', k, from));
    // −ĉ is one more factor, and t̂₁ · 2^d the last polynomial of each row of Â.
    const last = body.let(polynomial(VECTOR, columns));
    body.call('challenge', k);
    body.emit('memory.fill', last, 0, POLYNOMIAL_BYTES);
    body.call('subtract', last, C);
    body.call('ntt', last);
    body.call('matrix', k);
    const to = body.local('i32', W1_ENCODED);
    const encoded = body.local('i32', PUBLIC_KEY + SEED_BYTES);
    each(body, k, (i) => {
      const row = body.let(rowOf(k, i));
      const free = body.let(i32.add(row, i32.shl(columns, 10)));
      body.call('unpack10', encoded, free);
      body.call('ntt', free);
      body.call('multiply', row, VECTOR, i32.add(columns, 1), ROW);
      body.call('inverse', ROW);
      callByRounding(body, k, 'useHint', ROW, polynomial(HINTS, i));
      encodeHigh(body, k, ROW, to);
      advance(body, [encoded], T1_BYTES);
    });
    hashCommitment(body, k);
    copy(body, EXPECTED, STATE, CHALLENGE_BYTES);
    body.result(i32.and(i32.eqz(above), isWellFormed));
  });
}
