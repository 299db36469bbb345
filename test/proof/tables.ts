/** What the proof does not show, with the reasons. A new entry, and one that is no longer needed, fails the test. */
import { MODULES } from '../../scripts/make-wasm.ts';
import type { LeakKind } from './opcodes.ts';

/** The modules that are proved: of two that differ in who makes their memory, one. */
export const PROVED: readonly string[] = Object.keys(MODULES).filter(
  (name) => name !== 'argon2.shared',
);

/** A place that a secret may reach. */
export interface Exception {
  /** As in MODULES of scripts/make-wasm.ts. */
  readonly module: string;
  readonly func: string;
  readonly kind: LeakKind;
  readonly reason: string;
  readonly standard: string;
}

/** The ciphers of `blockCipher` that look up tables at places that depend on key and data. */
const lookUps = (module: string, standard: string): Exception[] =>
  ['encryptFew', 'cbcEncrypt', 'encrypt', 'decrypt'].map((func) => {
    const reason = 'looks up S-boxes by words of the text and the key: not constant-time';
    return { module, func, kind: 'address', reason, standard };
  });

const REJECTED_HALF_BYTES = {
  reason:
    'which half bytes of ρ′’s stream are rejected: it says nothing about those that become s₁ and s₂',
  standard: 'FIPS 204, algorithms 15 and 31',
};

const ADDRESSES_OF_CONTENT = {
  reason: 'Argon2d and the second half of Argon2id refer to the block that the preceding one names',
  standard: 'RFC 9106, sections 3.4.1.1 and 7',
};

export const EXCEPTIONS: readonly Exception[] = [
  {
    module: 'scrypt',
    func: 'mix',
    kind: 'address',
    reason: 'ROMix reads block j of V, where j is the password’s',
    standard: 'RFC 7914, sections 5 and 13',
  },
  {
    module: 'argon2',
    func: 'compressByContent',
    kind: 'address',
    ...ADDRESSES_OF_CONTENT,
  },
  {
    module: 'argon2',
    func: 'fillByContent',
    kind: 'division',
    ...ADDRESSES_OF_CONTENT,
  },
  {
    module: 'montgomery.relaxed',
    func: 'fused',
    kind: 'result',
    reason: 'whether the platform rounds once: called at the start, with two known numbers',
    standard: 'WebAssembly 3.0, f64x2.relaxed_madd',
  },
  ...(['address', 'branch'] as const).map((kind): Exception => {
    return { module: 'ml-dsa', func: 'acceptShort', kind, ...REJECTED_HALF_BYTES };
  }),
  { module: 'ml-dsa', func: 'shortVectors', kind: 'branch', ...REJECTED_HALF_BYTES },
  ...['respond', 'hints'].map((func): Exception => {
    return {
      module: 'ml-dsa',
      func,
      kind: 'result',
      reason:
        'whether an attempt is rejected: ml-dsa.ts says why that discloses nothing of the key',
      standard: 'FIPS 204, sections 3.3 and 6.1; “CRYSTALS-Dilithium” 3.1, section 5.5',
    };
  }),
  ...lookUps('mars', 'IBM, "MARS", 1999, section 2.3'),
  ...lookUps('sc2000', 'Fujitsu, "SC2000", FSE 2001'),
  ...lookUps('twofish', 'Schneier and others, "Twofish", 1998, section 4.2'),
];

/** A side of a branch that no call takes. */
export interface Untaken {
  /** A module, or a family whose variants have the same branches. */
  readonly module: string;
  readonly func: string;
  readonly branch: 'if' | 'br_if' | 'loop';
  /** Whether the side is that of a condition that is not 0. */
  readonly side: boolean;
  readonly count: number;
  readonly reason: string;
}

const ROUNDS = 'the number of rounds is not 0';
const CONSTANT = 'the number of turns is a constant';
const LIMBS = 'a modulus has at least two pairs of limbs';

/** Loops that always have a turn: `count` of them in each function. Their other side has no instructions. */
const always = (module: string, reason: string, counts: Readonly<Record<string, number>>) =>
  Object.entries(counts).map(([func, count]): Untaken => {
    return { module, func, branch: 'loop', side: false, count, reason };
  });

/** One loop in each of the functions that are a name and a number. */
const each = (names: readonly string[], numbers: readonly number[]): Record<string, number> =>
  Object.fromEntries(names.flatMap((name) => numbers.map((number) => [`${name}${number}`, 1])));

export const UNTAKEN: readonly Untaken[] = [
  ...always('aes', ROUNDS, {
    expandKey: 2,
    sliceKeys: 1,
    encryptStates: 2,
    decryptStates: 2,
    encryptFew: 2,
    counterFew: 3,
    cbcEncrypt: 1,
    cbcMac: 1,
    ccmBlocks: 1,
  }),
  ...always('aes', CONSTANT, {
    toStates: 1,
    prepareCounter: 2,
    startRun: 1,
    counterMany: 2,
    prepareOffsets: 1,
    buildTables: 1,
    prepareHashMany: 1,
  }),
  {
    module: 'aes',
    func: 'counterFew',
    branch: 'br_if',
    side: true,
    count: 1,
    reason: 'two blocks at once, after the loop for four: at most one turn',
  },
  ...always('arx', CONSTANT, { chacha: 2, hchacha: 1, cryptAndMac: 2 }),
  ...always('arx', ROUNDS, { salsa: 2 }),
  ...always('argon2', CONSTANT, { compressByPosition: 3, compressByContent: 3 }),
  ...always('blake', CONSTANT, { blake3EightChunks: 1, blake3FourChunks: 1 }),
  ...always('idea', CONSTANT, { encrypt: 1, decrypt: 1, encryptFew: 1, cbcEncrypt: 1 }),
  ...always('mars', CONSTANT, { encrypt: 4, decrypt: 4, encryptFew: 4, cbcEncrypt: 4 }),
  ...always('sc2000', ROUNDS, { encrypt: 1, decrypt: 1, encryptFew: 1, cbcEncrypt: 1 }),
  ...always('twofish', CONSTANT, { encrypt: 1, decrypt: 1, encryptFew: 1, cbcEncrypt: 1 }),
  ...always('rc6', CONSTANT, { encrypt: 1, decrypt: 1, encryptFew: 1, cbcEncrypt: 1 }),
  ...always('serpent', CONSTANT, { encrypt: 1, decrypt: 1, encryptFew: 1, cbcEncrypt: 1 }),
  ...(['encrypt', 'decrypt'] as const).map((func): Untaken => ({
    module: 'serpent',
    func,
    branch: 'if',
    side: false,
    count: 8,
    reason: 'a block of code of its own for each of eight rounds, whose condition is an address',
  })),
  ...always('keccak', ROUNDS, { absorb: 1 }),
  ...always('ml-kem', CONSTANT, {
    permuteState: 1,
    permutePair: 1,
    sponge: 1,
    startPair: 1,
    squeezePair: 1,
    ntt: 2,
    inverse: 2,
    prepare: 1,
    multiply: 2,
    accept: 1,
    matrix: 2,
    binomialTwo: 1,
    binomialThree: 1,
    noise: 1,
    ...each(['pack', 'unpack'], [1, 4, 5, 10, 11, 12]),
    add: 1,
    keyPair: 3,
    encrypt: 2,
    encapsulate: 1,
    decrypt: 2,
    decapsulate: 1,
  }),
  ...always('ml-dsa', CONSTANT, {
    permuteState: 1,
    permutePair: 1,
    sponge: 1,
    startPair: 1,
    squeezePair: 1,
    ntt: 2,
    inverse: 2,
    multiply: 2,
    accept: 1,
    transpose: 1,
    matrix: 2,
    shortVectors: 2,
    masks: 2,
    challenge: 2,
    ...each(['pack'], [4, 6, 10, 18, 20]),
    ...each(['unpack'], [10, 18, 20]),
    power2Round: 1,
    ...each(['decompose', 'hint', 'useHint'], [32, 88]),
    add: 1,
    subtract: 1,
    reduce: 1,
    isAbove: 1,
    keyPair: 2,
    absorb: 1,
    prepareSigning: 1,
    commit: 2,
    respond: 2,
    hints: 2,
    encode: 3,
    decodeHints: 1,
    verify: 2,
  }),
  {
    module: 'ml-dsa',
    func: 'challenge',
    branch: 'if',
    side: true,
    count: 1,
    reason: 'a second block of c’s stream is needed with a probability below 2^-87',
  },
  ...always('montgomery', LIMBS, { divide: 1, shift: 1, add: 1, split: 1, join: 3 }),
  ...always('montgomery', `${LIMBS}, a table at least one entry`, { pick: 3 }),
  ...always('montgomery.relaxed', LIMBS, { multiply: 3, square: 3 }),
  ...always('montgomery.simd', LIMBS, { multiply: 5, square: 5 }),
  ...always('scrypt', 'the block size r is not 0', { fill: 1, mix: 1 }),
  ...always('sha', CONSTANT, {
    sha1Iterate: 1,
    sha256Blocks: 1,
    sha256Iterate: 2,
    sha512Blocks: 1,
    sha512Iterate: 2,
    sha384Iterate: 2,
    sha256FourBlocks: 1,
    sha256FourIterate: 2,
  }),
];
