/** What the proof does not show, with the reasons. A new entry, and one that is no longer needed, fails the test. */
import type { LeakKind } from './opcodes.ts';

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

export const EXCEPTIONS: readonly Exception[] = [
  {
    module: 'scrypt',
    func: 'mix',
    kind: 'address',
    reason: 'ROMix reads block j of V, where j is the password’s',
    standard: 'RFC 7914, sections 5 and 13',
  },
  {
    module: 'montgomery.relaxed',
    func: 'fused',
    kind: 'result',
    reason: 'whether the platform rounds once: called at the start, with two known numbers',
    standard: 'WebAssembly 3.0, f64x2.relaxed_madd',
  },
  ...lookUps('mars', 'IBM, "MARS", 1999, section 2.3'),
  ...lookUps('sc2000', 'Fujitsu, "SC2000", FSE 2001'),
  ...lookUps('twofish', 'Schneier and others, "Twofish", 1998, section 4.2'),
];

/** Modules that the engine loads and this proof does not read. */
export const NOT_READ: readonly { module: string; reason: string; standard: string }[] = [
  {
    module: 'argon2id-simd',
    reason:
      'of npm’s argon2id, not of the generator; Argon2id and Argon2d read at addresses of the password',
    standard: 'RFC 9106, sections 3.4 and 7',
  },
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
  ...always('blake', CONSTANT, { blake3EightChunks: 1, blake3FourChunks: 1 }),
  ...always('idea', CONSTANT, { encrypt: 1, decrypt: 1, encryptFew: 1, cbcEncrypt: 1 }),
  ...always('mars', CONSTANT, { encrypt: 4, decrypt: 4, encryptFew: 4, cbcEncrypt: 4 }),
  ...always('sc2000', ROUNDS, { encrypt: 1, decrypt: 1, encryptFew: 1, cbcEncrypt: 1 }),
  ...always('twofish', CONSTANT, { encrypt: 1, decrypt: 1, encryptFew: 1, cbcEncrypt: 1 }),
  ...always('rc6', CONSTANT, { encrypt: 1, decrypt: 1, encryptFew: 1, cbcEncrypt: 1 }),
  ...always('serpent', CONSTANT, { encrypt: 1, decrypt: 1, encryptFew: 1, cbcEncrypt: 1 }),
  ...(['encrypt', 'decrypt'] as const).map((func): Untaken => ({
    ...{ module: 'serpent', func, branch: 'if', side: false, count: 8 },
    reason: 'a block of code of its own for each of eight rounds, whose condition is an address',
  })),
  ...always('keccak', ROUNDS, { absorb: 1 }),
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
