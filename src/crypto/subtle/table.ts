/**
 * The algorithms of `subtle`: a row for each, with the members that its operations read and what they cost. The reader of
 * parameters (src/subtle), the page's script and the bounds of its calls (src/service/subtle/effort.ts), `supports` and the
 * engines' contract are derived from the rows. A row is data, and small functions of lengths: nothing here computes.
 */
import { AEAD_NAMES, AEADS, HASH_NAMES, HASH_SIZES, type AeadName } from '../algorithms.ts';
import { KEM_NAMES, SIGNATURE_NAMES, type SignatureName } from '../post-quantum.ts';
import {
  BLOCKS_OF_HMAC,
  blockNs,
  BOUNDS,
  iterationNs,
  ms,
  powerNs,
  primalityNs,
  rsaNs,
  sponge,
} from './prices.ts';
import type {
  Dictionary,
  GroupLengths,
  Lengths,
  Limit,
  Limits,
  Member,
  MemberType,
  Operations,
  Price,
  Prices,
  Row,
  Rows,
} from './row.ts';

/** A member that has to be there. */
export const required = <N extends string, T extends MemberType>(name: N, type: T) =>
  ({ name, type, isRequired: true }) as const;
/** A member that may be absent. */
export const optional = <N extends string, T extends MemberType>(name: N, type: T) =>
  ({ name, type, isRequired: false }) as const;

const NONE = [] as const;

const ciphers = <const D extends Dictionary>(params: D) => ({ encrypt: params, decrypt: params });
const wraps = <const D extends Dictionary>(params: D) => ({ wrapKey: params, unwrapKey: params });
const signs = <const D extends Dictionary>(params: D) => ({ sign: params, verify: params });
const derives = <const D extends Dictionary>(params: D) => ({ deriveBits: params });
const digests = <const D extends Dictionary>(params: D) => ({ digest: params });
const pairs = <const D extends Dictionary>(params: D) => ({
  generateKey: params,
  importKey: params,
});

const LENGTH = [required('length', 'short')] as const;
const AES_KEYS = { generateKey: LENGTH, importKey: NONE, getKeyLength: LENGTH };

const AEAD = [
  optional('additionalData', 'bytes'),
  required('iv', 'bytes'),
  optional('tagLength', 'octet'),
] as const;
/** Keys of one length only have no parameter for it. */
type KeyLength = readonly Member<'length', 'short', false>[] | typeof LENGTH;
interface AeadRow {
  readonly operations: {
    readonly encrypt: typeof AEAD;
    readonly decrypt: typeof AEAD;
    readonly generateKey: KeyLength;
    readonly importKey: typeof NONE;
    readonly getKeyLength: KeyLength;
  };
  readonly encryptingDecrypts: boolean;
}

function aead(name: AeadName): AeadRow {
  const { keyBits, encryptingDecrypts } = AEADS[name];
  const length = keyBits.length > 1 ? LENGTH : NONE;
  const keys = { generateKey: length, importKey: NONE, getKeyLength: length };
  return { operations: { ...ciphers(AEAD), ...keys }, encryptingDecrypts };
}

export const CIPHERS = {
  ...named(AEAD_NAMES, aead),
  'AES-SIV': {
    operations: {
      ...ciphers([optional('iv', 'refused'), optional('additionalData', 'byteStrings')]),
      ...AES_KEYS,
    },
  },
  'AES-CTR': {
    operations: {
      ...ciphers([required('counter', 'bytes'), required('length', 'octet')]),
      ...AES_KEYS,
    },
    encryptingDecrypts: true,
  },
  'AES-CBC': { operations: { ...ciphers([required('iv', 'bytes')]), ...AES_KEYS } },
  'AES-ECB': { operations: { ...ciphers(NONE), ...AES_KEYS }, isHazardous: true },
  'AES-KW': { operations: { ...wraps(NONE), ...AES_KEYS } },
  Salsa20: {
    operations: {
      ...ciphers([
        optional('counter', 'counter'),
        required('iv', 'bytes'),
        optional('rounds', 'octet'),
      ]),
      ...AES_KEYS,
    },
    isHazardous: true,
    encryptingDecrypts: true,
  },
} as const satisfies Rows;

const HMAC_KEYS = [required('hash', 'hash'), optional('length', 'long')] as const;

export const MACS = {
  'AES-CMAC': { operations: { ...signs(NONE), ...AES_KEYS } },
  'AES-CBC-MAC': { operations: { ...signs(NONE), ...AES_KEYS }, isHazardous: true },
  HMAC: {
    operations: {
      ...signs(NONE),
      generateKey: HMAC_KEYS,
      importKey: HMAC_KEYS,
      getKeyLength: HMAC_KEYS,
    },
    keyBits: (hash) => 8 * HASH_SIZES[hash].blockBytes,
  },
} as const satisfies Rows;

const OUTPUT = required('outputLength', 'long');
const CUSTOMIZATION = optional('customization', 'bytes');
const OUTPUT_LIMIT: Limit = {
  what: 'outputLength in bits',
  of: ({ members: { outputLength = NaN } }) => 8 * Math.ceil(outputLength / 8),
  most: 8 * BOUNDS.outputBytes,
};

const KMAC_KEYS = [optional('length', 'long')] as const;
const kmac = (price: Price) => ({
  operations: {
    ...signs([CUSTOMIZATION, OUTPUT]),
    generateKey: KMAC_KEYS,
    importKey: KMAC_KEYS,
    getKeyLength: KMAC_KEYS,
  },
  prices: { sign: price, verify: price },
  limits: { sign: [OUTPUT_LIMIT], verify: [OUTPUT_LIMIT] },
});

/** SP 800-185, section 4. */
export const KMACS = {
  KMAC128: kmac(sponge(128, 24)),
  KMAC256: kmac(sponge(256, 24)),
} as const satisfies Rows;

const xof = <const D extends Dictionary>(params: D, price: Price) => ({
  operations: digests(params),
  prices: { digest: price },
  limits: { digest: [OUTPUT_LIMIT] },
});
const CSHAKE = [CUSTOMIZATION, optional('functionName', 'bytes'), OUTPUT] as const;
const TURBOSHAKE = [optional('domainSeparation', 'octet'), OUTPUT] as const;
const KANGAROO_TWELVE = [CUSTOMIZATION, OUTPUT] as const;

export const XOFS = {
  // SP 800-185, section 3
  cSHAKE128: xof(CSHAKE, sponge(128, 24)),
  cSHAKE256: xof(CSHAKE, sponge(256, 24)),
  // RFC 9861, sections 2 and 3
  TurboSHAKE128: xof(TURBOSHAKE, sponge(128, 12)),
  TurboSHAKE256: xof(TURBOSHAKE, sponge(256, 12)),
  KT128: xof(KANGAROO_TWELVE, sponge(128, 12)),
  KT256: xof(KANGAROO_TWELVE, sponge(256, 12)),
} as const satisfies Rows;

const DIGESTS = named(HASH_NAMES, () => ({ operations: digests(NONE) }));

const SECRETS = { importKey: NONE, getKeyLength: NONE };
const SALT = required('salt', 'bytes');
const HASH = required('hash', 'hash');

/** Memory in KiB × passes, for a block of 1 KiB in one pass. */
const ARGON2_NS = 2_000;
const argon2 = {
  operations: {
    ...derives([
      optional('salt', 'refused'),
      optional('associatedData', 'bytes'),
      required('memory', 'long'),
      required('nonce', 'bytes'),
      required('parallelism', 'long'),
      required('passes', 'long'),
      optional('secretValue', 'bytes'),
      optional('version', 'octet'),
    ]),
    ...SECRETS,
  },
  prices: {
    deriveBits: ({ members }) => {
      const { memory = NaN, passes = NaN } = members;
      const { nonce = 0, associatedData = 0, secretValue = 0 } = members;
      const inputs = Math.floor((nonce + associatedData + secretValue) / 1024);
      return (memory * passes + 4 * inputs) * ARGON2_NS;
    },
  },
  limits: {
    deriveBits: [
      most('memory in KiB', 'memory', BOUNDS.memoryBytes / 1024),
      most('passes', 'passes', BOUNDS.passes),
      most('parallelism', 'parallelism', BOUNDS.parallelism),
      {
        what: 'length in bytes',
        of: ({ derivedBytes }) => derivedBytes,
        most: BOUNDS.argon2Bytes,
      },
      { what: 'nonce', of: ({ members: { nonce = 0 } }) => nonce, least: BOUNDS.minNonceBytes },
    ],
  },
} as const satisfies Row;

/** A step of ROMix over 128 bytes, twice. */
const SCRYPT_NS = 400;

export const KDFS = {
  HKDF: {
    operations: { ...derives([HASH, required('info', 'bytes'), SALT]), ...SECRETS },
    prices: {
      deriveBits: ({ hash, derivedBytes, members: { info = 0 } }) => {
        const { digestBytes, blockBytes } = HASH_SIZES[hash];
        const blocks = BLOCKS_OF_HMAC + info / blockBytes;
        return Math.ceil(derivedBytes / digestBytes) * blocks * blockNs(hash);
      },
    },
  },
  PBKDF2: {
    operations: { ...derives([HASH, required('iterations', 'long'), SALT]), ...SECRETS },
    prices: {
      deriveBits: ({ hash, derivedBytes, members: { iterations = NaN, salt = 0 } }) => {
        const { digestBytes, blockBytes } = HASH_SIZES[hash];
        const saltNs = Math.floor(salt / blockBytes) * blockNs(hash);
        return Math.ceil(derivedBytes / digestBytes) * (iterations * iterationNs(hash) + saltNs);
      },
    },
  },
  scrypt: {
    operations: {
      ...derives([required('N', 'long'), required('p', 'long'), required('r', 'long'), SALT]),
      ...SECRETS,
    },
    prices: {
      deriveBits: ({ derivedBytes, members: { N = NaN, r = NaN, p = NaN, salt = 0 } }) => {
        // The salt is hashed for each 32 bytes of r p blocks, and those for each 32 bytes of the result.
        const filling = 4 * r * p * (BLOCKS_OF_HMAC + salt / 64);
        const result = Math.ceil(derivedBytes / 32) * (BLOCKS_OF_HMAC + 2 * r * p);
        return N * r * p * SCRYPT_NS + (filling + result) * blockNs('SHA-256');
      },
    },
    limits: {
      deriveBits: [
        {
          what: 'memory in bytes (128 N r)',
          of: ({ members: { N = NaN, r = NaN } }) => 128 * N * r,
          most: BOUNDS.memoryBytes,
        },
        most('p', 'p', BOUNDS.parallelism),
      ],
    },
  },
  Argon2d: argon2,
  Argon2i: argon2,
  Argon2id: argon2,
} as const satisfies Rows;

const MODULUS_BITS = { what: 'modulus in bits', most: BOUNDS.modulusBits };
const KEY_DATA_LIMIT: Limit = {
  what: 'key data in bytes',
  of: ({ keyDataBytes }) => keyDataBytes,
  most: BOUNDS.keyDataBytes,
};

const RSA_READING = ({ modulusBits }: Lengths) => rsaNs(modulusBits, 0);
const RSA_PUBLIC = ({ modulusBits, exponentBits }: Lengths) => rsaNs(modulusBits, 4 * exponentBits);
const RSA_PRIVATE = ({ modulusBits }: Lengths) => rsaNs(modulusBits, modulusBits);
/** The halves of a private key belong together where a signature of one verifies by the other. */
const RSA_IMPORT: Price = (lengths) => {
  const reading = RSA_READING(lengths);
  return lengths.pairIn ? reading + RSA_PRIVATE(lengths) + RSA_PUBLIC(lengths) : reading;
};
const rsa = <const O extends Operations>(operations: O) => ({
  operations: {
    ...operations,
    generateKey: [
      required('modulusLength', 'long'),
      required('publicExponent', 'bigInteger'),
      HASH,
    ],
    importKey: [HASH],
  } as const,
  prices: {
    sign: RSA_PRIVATE,
    decrypt: RSA_PRIVATE,
    unwrapKey: RSA_PRIVATE,
    verify: RSA_PUBLIC,
    encrypt: RSA_PUBLIC,
    wrapKey: RSA_PUBLIC,
    importKey: RSA_IMPORT,
    exportKey: RSA_READING,
    getPublicKey: RSA_READING,
    // 2 s at 4,096 bits
    generateKey: ({ members: { modulusLength = NaN } }) =>
      modulusLength ** 4 * (ms(2_000) / 4096 ** 4),
  } satisfies Prices,
  limits: {
    generateKey: [{ ...MODULUS_BITS, of: ({ members: { modulusLength = NaN } }) => modulusLength }],
    importKey: [KEY_DATA_LIMIT, { ...MODULUS_BITS, of: ({ modulusBits }) => modulusBits }],
  } satisfies Limits,
});
/** Keys as bytes: the JWK of a private one has its public half, which is computed to check it and to write it. */
const withHalf = (publicKeyNs: number) => {
  const ofJwk: Price = ({ pairIn }) => (pairIn === 'jwk' ? publicKeyNs : 0);
  return { importKey: ofJwk, exportKey: ofJwk, getPublicKey: publicKeyNs };
};

const LABEL = [optional('label', 'bytes')] as const;
const AGREES = derives([required('public', 'key')]);
const CURVE = [required('namedCurve', 'text')] as const;

export const PLATFORM = {
  'RSA-OAEP': rsa({ ...ciphers(LABEL), ...wraps(LABEL) }),
  'RSASSA-PKCS1-v1_5': rsa(signs(NONE)),
  'RSA-PSS': rsa(signs([required('saltLength', 'long')])),
  ECDH: { operations: { ...AGREES, ...pairs(CURVE) } },
  ECDSA: { operations: { ...signs([HASH]), ...pairs(CURVE) } },
  X25519: { operations: { ...AGREES, ...pairs(NONE) }, secretBits: 256 },
  Ed25519: { operations: { ...signs(NONE), ...pairs(NONE) } },
} as const satisfies Rows;

const GROUP_LIMIT: Limit = {
  ...MODULUS_BITS,
  of: ({ members: { p = 0, g = 0, q = 0 } }) => Math.max(p, g, q),
};
/** Primes of a group without a name are tested. */
const NEW_PAIR = ofGroup(({ modulusBits, orderBits = modulusBits, isNamed }) => {
  if (isNamed) return powerNs(modulusBits, modulusBits);
  return primalityNs(modulusBits) + primalityNs(orderBits) + 2 * powerNs(modulusBits, orderBits);
});
/** The public key of a private one. */
const PUBLIC_POWER = ofGroup(({ modulusBits, orderBits = modulusBits }) =>
  powerNs(modulusBits, orderBits),
);
/** The check of the group and of y, and two powers of the signature. */
const DSA_POWERS = ofGroup(({ modulusBits, orderBits = 0 }) => 4 * powerNs(modulusBits, orderBits));

export const POWERS = {
  DH: {
    operations: {
      ...AGREES,
      ...pairs([
        optional('g', 'natural'),
        optional('group', 'text'),
        optional('p', 'natural'),
        optional('q', 'natural'),
      ]),
    },
    prices: {
      generateKey: NEW_PAIR,
      getPublicKey: PUBLIC_POWER,
      // Subgroup checks of g and y (skipped for safe primes), then the shared secret.
      deriveBits: ofGroup(
        ({ modulusBits, subgroupBits = 0 }) =>
          2 * powerNs(modulusBits, subgroupBits) + powerNs(modulusBits, modulusBits),
      ),
    },
    limits: { generateKey: [GROUP_LIMIT], importKey: [GROUP_LIMIT, KEY_DATA_LIMIT] },
  },
  DSA: {
    operations: {
      ...signs([required('hash', 'hashName')]),
      generateKey: [required('g', 'natural'), required('p', 'natural'), required('q', 'natural')],
      importKey: NONE,
    },
    prices: {
      generateKey: NEW_PAIR,
      getPublicKey: PUBLIC_POWER,
      sign: DSA_POWERS,
      verify: DSA_POWERS,
    },
    limits: { generateKey: [GROUP_LIMIT], importKey: [KEY_DATA_LIMIT] },
  },
} as const satisfies Rows;

export const AGREEMENTS = {
  X448: {
    operations: { ...AGREES, ...pairs(NONE) },
    // In JavaScript.
    prices: { ...withHalf(ms(5)), generateKey: ms(5), deriveBits: ms(10) },
    secretBits: 448,
  },
} as const satisfies Rows;

/** In WebAssembly, as ML-DSA: a twentieth of a millisecond, and X25519's for X-Wing. */
const kem = () => ({
  operations: { encapsulate: NONE, decapsulate: NONE, ...pairs(NONE) },
  prices: { ...withHalf(ms(1)), encapsulate: ms(1), decapsulate: ms(1), generateKey: ms(1) },
});

/**
 * In ms: a pair of keys, a signature and its verification; Ed448 and SLH-DSA in JavaScript. ML-DSA repeats a signature until
 * it fits, so that one may take ten times the mean, 0.3 ms.
 */
const SIGNATURE_MS: Readonly<Record<SignatureName | 'Ed448', readonly [number, number, number]>> = {
  Ed448: [5, 8, 15],
  'ML-DSA-44': [1, 5, 1],
  'ML-DSA-65': [1, 5, 1],
  'ML-DSA-87': [1, 5, 1],
  'SLH-DSA-SHA2-128s': [1_000, 8_000, 10],
  'SLH-DSA-SHA2-128f': [100, 500, 25],
  'SLH-DSA-SHA2-192s': [1_500, 16_000, 15],
  'SLH-DSA-SHA2-192f': [110, 700, 30],
  'SLH-DSA-SHA2-256s': [1_200, 14_000, 15],
  'SLH-DSA-SHA2-256f': [200, 1_600, 50],
  'SLH-DSA-SHAKE-128s': [3_800, 28_000, 30],
  'SLH-DSA-SHAKE-128f': [80, 1_500, 80],
  'SLH-DSA-SHAKE-192s': [5_500, 50_000, 40],
  'SLH-DSA-SHAKE-192f': [90, 2_000, 120],
  'SLH-DSA-SHAKE-256s': [3_800, 46_000, 60],
  'SLH-DSA-SHAKE-256f': [240, 4_700, 130],
};

function signature(name: SignatureName | 'Ed448') {
  const [keyPair, sign, verify] = SIGNATURE_MS[name];
  // A private key of SLH-DSA contains its public key.
  const publicKey = name.startsWith('SLH-DSA') ? 0 : keyPair;
  return {
    operations: { ...signs([optional('context', 'bytes')]), ...pairs(NONE) },
    prices: {
      ...withHalf(ms(publicKey)),
      generateKey: ms(keyPair),
      sign: ms(sign),
      verify: ms(verify),
    },
  };
}

const KEMS = named(KEM_NAMES, kem);
export const BYTE_SIGNATURES = named([...SIGNATURE_NAMES, 'Ed448'], signature);

/** Every algorithm of `subtle`. */
export const ALGORITHMS = {
  ...CIPHERS,
  ...MACS,
  ...KMACS,
  ...KDFS,
  ...DIGESTS,
  ...XOFS,
  ...PLATFORM,
  ...AGREEMENTS,
  ...POWERS,
  ...KEMS,
  ...BYTE_SIGNATURES,
};
/** The name of one of them. */
export type SubtleName = keyof typeof ALGORITHMS;

/** The row of an algorithm. @param name as the standard writes it */
export function rowOf(name: string): Row | undefined {
  return Object.hasOwn(ALGORITHMS, name) ? ALGORITHMS[name as SubtleName] : undefined;
}

/** Whether an algorithm is a raw building block. */
export const isHazardous = (name: string): boolean => rowOf(name)?.isHazardous === true;

/** Whether one who may encrypt under a nonce of their choice can decrypt as well. */
export const encryptingDecrypts = (name: string): boolean =>
  rowOf(name)?.encryptingDecrypts === true;

function named<N extends string, R>(
  names: readonly N[],
  rowFor: (name: N) => R,
): Readonly<Record<N, R>> {
  return Object.fromEntries(names.map((name) => [name, rowFor(name)])) as Record<N, R>;
}

/** Nothing for a group that is refused before any work. */
function ofGroup(price: (group: GroupLengths) => number): Price {
  return ({ group }) => {
    const lengths = group();
    return lengths === undefined ? 0 : price(lengths);
  };
}

function most(what: string, member: string, limit: number): Limit {
  return { what, of: ({ members }) => members[member] ?? NaN, most: limit };
}
