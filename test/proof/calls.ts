/**
 * The calls under which every exported function is observed: every length of 0 to 4 blocks, and lengths past the
 * bound of each loop. What is in memory is secret unless it is declared here.
 */
import * as aes from '../../src/engine/wasm/generator/aes/layout.ts';
import * as arx from '../../src/engine/wasm/generator/arx/layout.ts';
import * as ciphers from '../../src/engine/wasm/generator/ciphers/layout.ts';
import { SCRYPT_V } from '../../src/engine/wasm/generator/arx/scrypt-layout.ts';
import * as argon2 from '../../src/engine/wasm/generator/hash/argon2-layout.ts';
import * as blake from '../../src/engine/wasm/generator/hash/blake-layout.ts';
import * as keccak from '../../src/engine/wasm/generator/hash/keccak-layout.ts';
import * as sha from '../../src/engine/wasm/generator/hash/sha-layout.ts';
import * as mlDsa from '../../src/engine/wasm/generator/lattice/ml-dsa-layout.ts';
import * as mlKem from '../../src/engine/wasm/generator/lattice/ml-kem-layout.ts';
import type { Variant } from '../../src/engine/wasm/generator/dsl/lookup.ts';
import { LAYOUTS } from '../../src/engine/wasm/generator/montgomery/layout.ts';
import type { Region } from './shadow.ts';

/** The calls of one function. */
export interface Calls {
  readonly args: readonly (readonly number[])[];
  /** Indices of arguments that are secret. */
  readonly secret?: readonly number[];
}

/** A word of memory that is not secret, and the values that it takes. */
export interface PublicWord extends Region {
  readonly name: string;
  readonly reason: string;
}

export interface Subject {
  /** The first byte of memory that may be secret. */
  readonly secrets: number;
  readonly words: readonly PublicWord[];
  /** Each state of the public words is combined with each call. */
  readonly states: readonly ((memory: DataView) => void)[];
  /** Fills the memory; by default with bytes of no meaning. */
  readonly fill?: (memory: DataView) => void;
  /** Memory in pages; default: that of the module. */
  readonly pages?: number;
  readonly functions: Readonly<Record<string, Calls>>;
}

/** The subject of each module. @param name as in MODULES of scripts/make-wasm.ts */
export function subjectOf(name: string): Subject {
  const [family, variant] = name.split('.') as [string, Variant | undefined];
  if (family === 'montgomery') return montgomerySubject(variant!);
  const subject = SUBJECTS[family];
  if (subject === undefined) throw new Error(`no calls are declared for the module ${name}`);
  return subject;
}

const upTo = (end: number, first = 0): number[] =>
  Array.from({ length: end - first + 1 }, (_, i) => first + i);

/** Every combination of one element of each list. */
function every(...lists: readonly (readonly number[])[]): number[][] {
  return lists.reduce<number[][]>(
    (rows, list) => rows.flatMap((row) => list.map((item) => [...row, item])),
    [[]],
  );
}

const KINDS = [0, 1];

/** `wipe(offset, length)` of every module. */
const wipeFrom = (secrets: number): Calls => ({ args: every([secrets], [0, 1, 64, 300]) });

const AES_AT = [aes.BUFFER, aes.BUFFER + 16, aes.BUFFER + 5];
const FEW = upTo(9);
/** Past two runs of 256 blocks, of 16 blocks each. */
const PAIRS = [...upTo(5), 15, 16, 17, 33];

const AES: Subject = {
  secrets: aes.SECRETS,
  words: [
    { name: 'rounds', at: aes.CONTEXT, length: 4, reason: 'the length of the key is public' },
    {
      name: 'counter of kind 0',
      at: aes.COUNTER + 12,
      length: 4,
      reason: 'counts from a public nonce; other nonces of GCM use counterFew, see `counters`',
    },
    {
      name: 'counter of kind 1',
      at: aes.COUNTER,
      length: 4,
      reason: 'the first word of the tag of GCM-SIV, which is sent with the message',
    },
  ],
  states: [10, 12, 14].flatMap((rounds, i) =>
    [0, 0xf0].map((counter) => (memory: DataView) => {
      memory.setUint32(aes.CONTEXT, rounds, true);
      memory.setUint32(aes.COUNTER + 12, (i << 8) | counter, false);
      memory.setUint32(aes.COUNTER, (i << 8) | counter, true);
    }),
  ),
  functions: {
    wipe: wipeFrom(aes.SECRETS),
    expandKey: { args: every([4, 6, 8]) },
    sliceKeys: { args: [[]] },
    encryptFew: { args: every(AES_AT, FEW) },
    encryptMany: { args: every(AES_AT, upTo(4)) },
    decryptMany: { args: every(AES_AT, upTo(4)) },
    prepareCounter: { args: every(KINDS) },
    counterMany: { args: every(AES_AT, PAIRS, KINDS) },
    counterFew: { args: every(AES_AT, FEW, KINDS) },
    cbcEncrypt: { args: every(AES_AT, FEW) },
    cbcMac: { args: every(AES_AT, FEW) },
    cbcEncryptLanes: { args: every([aes.BUFFER, aes.BUFFER + 16], upTo(5)) },
    cbcDecryptMany: { args: every(AES_AT, upTo(4)) },
    ccmBlocks: { args: every(AES_AT, FEW, [0, -1]) },
    prepareOffsets: { args: [[]] },
    offsetEncryptMany: { args: every(AES_AT, upTo(4), [0, 8, 16, 504]) },
    offsetDecryptMany: { args: every(AES_AT, upTo(4), [0, 8, 16, 504]) },
    maskBlocks: { args: every(AES_AT, upTo(18), [0, 1, 7, 511]) },
    unmaskBlocks: { args: every(AES_AT, upTo(16)) },
    sumBlocks: { args: every(AES_AT, FEW) },
    prepareHash: { args: every(KINDS) },
    prepareHashMany: { args: [[]] },
    hashFew: { args: every(AES_AT, FEW, KINDS) },
    hashMany: { args: every(AES_AT, upTo(5), KINDS) },
  },
};

const AEGIS: Subject = {
  secrets: aes.SECRETS,
  words: [],
  states: [() => undefined],
  functions: {
    wipe: wipeFrom(aes.SECRETS),
    aegisLoad: { args: [[]] },
    aegisStore: { args: [[]] },
    aegis128lAbsorb: { args: every(AES_AT, FEW) },
    aegis128lCrypt: { args: every(AES_AT, FEW, [0, -1]) },
    aegis128lStream: { args: every(AES_AT) },
    aegis256Absorb: { args: every(AES_AT, FEW) },
    aegis256Crypt: { args: every(AES_AT, FEW, [0, -1]) },
    aegis256Stream: { args: every(AES_AT) },
  },
};

/** Every length up to four groups of four blocks, and more. */
const LENGTHS = upTo(1100);
const ARX_AT = [arx.BUFFER, arx.BUFFER + 64, arx.BUFFER + 3];

const ARX: Subject = {
  secrets: arx.SECRETS,
  words: [],
  states: [() => undefined],
  functions: {
    wipe: wipeFrom(arx.SECRETS),
    chacha: { args: every(ARX_AT, upTo(9)) },
    hchacha: { args: [[]] },
    salsa: { args: every(ARX_AT, upTo(9), [4, 6, 10]) },
    macStart: { args: [[]] },
    mac: { args: every(ARX_AT, upTo(20), [0, 1]) },
    macEnd: { args: [[]] },
    aeadStart: { args: [[]] },
    absorb: { args: every(LENGTHS) },
    seal: { args: every(ARX_AT, LENGTHS) },
    open: {
      args: every(
        ARX_AT.map((at) => at + 256),
        LENGTHS,
      ),
    },
    sealFirst: { args: every(LENGTHS) },
    openFirst: { args: every(LENGTHS) },
    aeadEnd: { args: [[]] },
  },
};

const BLAKE_AT = [blake.BUFFER, blake.BUFFER + 7];
/** Low and high half of BLAKE3's counter; all lanes carry in the last. */
const COUNTERS = [
  [0, 0],
  [5, 1],
  [-4, 2],
] as const;
const chunkCalls = (groups: readonly number[]): Calls => ({
  args: every(BLAKE_AT, groups).flatMap(([at, count]) =>
    COUNTERS.map(([low, high]) => [at!, count!, low, high, 16, blake.VALUES]),
  ),
});

const BLAKE: Subject = {
  secrets: blake.SECRETS,
  words: [],
  states: [() => undefined],
  functions: {
    wipe: wipeFrom(blake.SECRETS),
    blake2bBlocks: { args: every(BLAKE_AT, upTo(9), [0, 128, 2 ** 40], [0, -1]) },
    blake3Compress: { args: every(BLAKE_AT, upTo(64), [0, 7], [0, 1], [0, 11]) },
    blake3Blocks: { args: every(BLAKE_AT, upTo(17), [0, 7], [0], [0, 16], [0, 1]) },
    blake3EightChunks: chunkCalls(upTo(4)),
    blake3FourChunks: chunkCalls(upTo(4)),
    blake3Parents: { args: every(upTo(5), [0, 16]) },
  },
};

const KECCAK: Subject = {
  secrets: keccak.SECRETS,
  words: [],
  states: [() => undefined],
  functions: {
    wipe: wipeFrom(keccak.SECRETS),
    // The rates of SHA-3 and SHAKE, and the empty one, which permutes to squeeze; the rounds of SHAKE and TurboSHAKE
    absorb: {
      args: every([keccak.BUFFER, keccak.BUFFER + 3], upTo(9), [0, 9, 13, 17, 18, 21], [12, 24]),
    },
  },
};

/** k of FIPS 204, table 1. */
const SETS: Calls = { args: every([4, 6, 8]) };

const ML_DSA: Subject = {
  secrets: mlDsa.SECRETS,
  words: [
    { name: 'rho', at: mlDsa.RHO, length: 32, reason: 'ρ is part of the public key' },
    {
      name: 'c̃',
      at: mlDsa.CHALLENGE,
      length: mlDsa.CHALLENGE_BYTES,
      reason: 'part of the signature; of a rejected attempt a hash of w₁, which cannot be guessed',
    },
    {
      name: 'pk',
      at: mlDsa.PUBLIC_KEY,
      length: mlDsa.PUBLIC_KEY_BYTES,
      reason: 'the public key',
    },
    {
      name: 'signature',
      at: mlDsa.SIGNATURE,
      length: mlDsa.SIGNATURE_BYTES,
      reason: 'public, where it is read',
    },
    {
      name: 'h',
      at: mlDsa.HINTS,
      length: 8 * mlDsa.POLYNOMIAL_BYTES,
      reason: 'part of the signature, which `encode` makes after the attempt was accepted',
    },
  ],
  // Few ones, and a signature of any bytes, or of zeros with hints that are in order
  states: [0, 1].map((state) => (memory: DataView) => {
    for (let at = 0; at < 8 * mlDsa.POLYNOMIAL_BYTES; at += 4) {
      memory.setUint32(mlDsa.HINTS + at, at % 500 === 0 ? 1 : 0, true);
    }
    for (let at = 0; state === 1 && at < mlDsa.SIGNATURE_BYTES; at++) {
      memory.setUint8(mlDsa.SIGNATURE + at, 0);
    }
    for (let i = 0; i < mlDsa.CHALLENGE_BYTES; i++) memory.setUint8(mlDsa.CHALLENGE + i, state + i);
  }),
  functions: {
    wipe: wipeFrom(mlDsa.SECRETS),
    // ρ is secret before, and public after it.
    expandSeed: SETS,
    keyPair: SETS,
    startMessage: SETS,
    absorb: { args: every(upTo(4)) },
    endMessage: { args: [[]] },
    prepareSigning: SETS,
    commit: { args: every([4, 6, 8], [0, 7, 300]) },
    respond: SETS,
    hints: SETS,
    encode: SETS,
    verify: SETS,
  },
};

/** k of FIPS 203, section 8. */
const RANKS: Calls = { args: every([2, 3, 4]) };

const ML_KEM: Subject = {
  secrets: mlKem.SECRETS,
  words: [
    { name: 'rho', at: mlKem.RHO, length: 32, reason: 'ρ is part of the public key' },
    { name: 'ek', at: mlKem.EK, length: mlKem.EK_BYTES, reason: 'the public key' },
  ],
  states: [
    () => undefined,
    // Coefficients that are reduced, and another Â
    (memory) => {
      for (let at = 0; at < mlKem.EK_BYTES; at++) memory.setUint8(mlKem.EK + at, 0);
      for (let at = 0; at < 32; at++) memory.setUint8(mlKem.RHO + at, at);
    },
  ],
  functions: {
    wipe: wipeFrom(mlKem.SECRETS),
    // ρ is secret before, and public after it.
    expandSeed: RANKS,
    keyPair: RANKS,
    encapsulate: RANKS,
    decapsulate: RANKS,
  },
};

const SHA_AT = [sha.BUFFER, sha.BUFFER + 1];
const iterations: Calls = { args: every(upTo(5)) };
const blocks: Calls = { args: every(SHA_AT, upTo(9)) };

const SHA: Subject = {
  secrets: sha.SECRETS,
  words: [],
  states: [() => undefined],
  functions: {
    wipe: wipeFrom(sha.SECRETS),
    swap: { args: every([sha.STATE, ...SHA_AT], FEW, [sha.SWAP_4, sha.SWAP_8]) },
    sha1Blocks: blocks,
    sha256Blocks: blocks,
    sha512Blocks: blocks,
    sha1Iterate: iterations,
    sha256Iterate: iterations,
    sha384Iterate: iterations,
    sha512Iterate: iterations,
    sha256FourBlocks: {
      args: every([sha.BUFFER], [sha.BUFFER + 1024], [sha.BUFFER + 77], [sha.BUFFER], upTo(9)),
    },
    sha256FourIterate: iterations,
    base64Encode: { args: every([sha.BUFFER + 48, sha.BUFFER + 77], [sha.BUFFER], upTo(9)) },
  },
};

const [ARGON2_SCRATCH, ARGON2_OTHER] = [0, 3].map(argon2.scratchOf) as [number, number];

/** Lanes of 32 blocks, segments of 8: from the first segment to one of a later pass, which wraps around. */
const ARGON2_FILLS = [
  // scratch, lanes, lane, laneLength, column, index, count, finished, first, own, again
  [ARGON2_SCRATCH, 2, 1, 32, 2, 2, 6, 0, 0, 1, 0],
  [ARGON2_SCRATCH, 2, 0, 32, 8, 0, 8, 8, 0, 0, 0],
  [ARGON2_OTHER, 2, 1, 32, 19, 3, 1, 16, 0, 0, 0],
  [ARGON2_SCRATCH, 2, 1, 32, 0, 0, 8, 24, 8, 0, 1],
  [ARGON2_OTHER, 2, 0, 32, 24, 0, 5, 24, 0, 0, 1],
  [ARGON2_SCRATCH, 1, 0, 64, 16, 0, 16, 16, 0, 0, 0],
  [ARGON2_SCRATCH, 1, 0, 64, 16, 0, 0, 16, 0, 0, 0],
];

const ARGON2: Subject = {
  secrets: ARGON2_SCRATCH,
  words: [ARGON2_SCRATCH, ARGON2_OTHER].map((scratch) => ({
    name: 'addresses',
    at: scratch + argon2.ADDRESSES,
    length: 2 * argon2.ARGON2_BLOCK_BYTES,
    reason: 'computed from the position in the matrix, which is public (section 3.4.1.2)',
  })),
  states: [() => undefined],
  pages: 2,
  functions: {
    wipe: wipeFrom(argon2.BLOCKS),
    addresses: { args: every([ARGON2_SCRATCH, ARGON2_OTHER]) },
    fillByPosition: { args: ARGON2_FILLS },
    fillByContent: { args: ARGON2_FILLS },
  },
};

/** N of the calls; V, X and Y are one after the other. */
const SCRYPT_N = 16;
const scryptX = (r: number): number => SCRYPT_V + 128 * r * SCRYPT_N;

const SCRYPT: Subject = {
  secrets: SCRYPT_V,
  words: [],
  states: [() => undefined],
  pages: 2,
  functions: {
    wipe: wipeFrom(SCRYPT_V),
    fill: { args: every([SCRYPT_V], [1, 2, 8], upTo(9)) },
    mix: {
      args: [1, 2, 8].flatMap((r) =>
        upTo(4).map((count) => [scryptX(r), scryptX(r) + 128 * r, SCRYPT_N - 1, r, count]),
      ),
    },
  },
};

const TEXT_AT = [ciphers.TEXT, ciphers.TEXT + 16, ciphers.TEXT + 5];

/** An old block cipher: the modules of all have the same functions. */
const BLOCK_CIPHER: Subject = {
  secrets: ciphers.SECRETS,
  words: [],
  states: [() => undefined],
  functions: {
    wipe: wipeFrom(ciphers.SECRETS),
    encrypt: { args: every(TEXT_AT, upTo(4)) },
    decrypt: { args: every(TEXT_AT, upTo(4)) },
    encryptFew: { args: every(TEXT_AT, FEW) },
    cbcEncrypt: { args: every(TEXT_AT, FEW) },
    counters: { args: every(TEXT_AT, FEW) },
    offsets: { args: every(TEXT_AT, [ciphers.MASK], upTo(18), [0, 1, 7, 511]) },
    offsetEncrypt: { args: every(TEXT_AT, upTo(4), [0, 16, 48, 8192]) },
    offsetDecrypt: { args: every(TEXT_AT, upTo(4), [0, 16, 48, 8192]) },
    add: { args: every(TEXT_AT, [ciphers.MASK], FEW) },
  },
};

const SC2000: Subject = {
  ...BLOCK_CIPHER,
  words: [
    {
      name: 'steps',
      at: ciphers.SC2000_STEPS,
      length: 4,
      reason: 'the length of the key is public',
    },
  ],
  states: [7, 8].map(
    (steps) => (memory: DataView) => memory.setUint32(ciphers.SC2000_STEPS, steps, true),
  ),
};

const SUBJECTS: Readonly<Record<string, Subject>> = {
  aegis: AEGIS,
  aes: AES,
  argon2: ARGON2,
  arx: ARX,
  blake: BLAKE,
  idea: BLOCK_CIPHER,
  keccak: KECCAK,
  mars: BLOCK_CIPHER,
  'ml-dsa': ML_DSA,
  'ml-kem': ML_KEM,
  rc6: BLOCK_CIPHER,
  sc2000: SC2000,
  scrypt: SCRYPT,
  serpent: BLOCK_CIPHER,
  sha: SHA,
  twofish: BLOCK_CIPHER,
};

/** Pairs of limbs: every small number, and past the rows after which sums are relieved. */
const LIMB_PAIRS = [...upTo(9, 2), 20, 21, 22, 30, 31, 32, 41, 64, 65];

function montgomerySubject(variant: Variant): Subject {
  const { secrets, memoryBytes, x, factor, square, one, shift, table } = LAYOUTS[variant];
  const small = upTo(9, 2);
  const fused: Record<string, Calls> = variant === 'relaxed' ? { fused: { args: [[]] } } : {};
  return {
    secrets,
    words: [],
    states: [() => undefined],
    // Limbs: small integers as doubles
    fill: (memory) => {
      for (let at = secrets; at + 8 <= memoryBytes; at += 8) {
        memory.setFloat64(at, ((at * 40_503) % 8_388_593) - 4_194_301, true);
      }
    },
    functions: {
      ...fused,
      wipe: wipeFrom(secrets),
      multiply: { args: every([x], [factor], [x, factor], LIMB_PAIRS) },
      square: { args: every([x], [x, table], LIMB_PAIRS) },
      prepare: { args: every(LIMB_PAIRS) },
      shift: { args: every([square, shift], upTo(11), small) },
      narrow: { args: every([x], LIMB_PAIRS) },
      add: { args: every([x], [factor, one], LIMB_PAIRS) },
      // The index is a window of the exponent.
      pick: { args: every([0, 1, 3], [1, 2, 4, 64], [factor], small), secret: [0] },
      window: { args: every([x], [factor], [0, 3], upTo(6), small), secret: [2] },
      split: { args: every([x], LIMB_PAIRS) },
      join: { args: every([x], LIMB_PAIRS) },
    },
  };
}
