/** Random cases for hashes, MACs, key derivations, powers, key agreement, KEMs and signatures. */
import type {
  AgreementAlgorithm,
  Argon2Params,
  DigestAlgorithm,
  Kdf,
  KdfName,
  KdfParams,
  KemAlgorithm,
  KeyedMac,
  KmacAlgorithm,
  MacAlgorithm,
  MacHashName,
  MacName,
  PowerAlgorithm,
  SignatureAlgorithm,
  XofAlgorithm,
} from '../../src/engine/contract.ts';
import {
  KEMS,
  SIGNATURES,
  type KemName,
  type SignatureName,
  type SignatureSizes,
} from '../../src/crypto/post-quantum.ts';
import { sameBytes, unaligned } from './arrays.ts';
import type { Dice } from './dice.ts';
import { Disagreement } from './disagreement.ts';
import type { RunCase } from './stress.ts';

const MOST = 150_000;
const MAC_HASHES: readonly MacHashName[] = [
  ...(['SHA-1', 'SHA-256', 'SHA-384', 'SHA-512'] as const),
  ...(['SHA3-256', 'SHA3-384', 'SHA3-512'] as const),
];

/** Whole, and in pieces where the engine takes them. */
export function digestCases(algorithms: readonly DigestAlgorithm[]): RunCase {
  return async (dice) => {
    const data = dice.bytes(dice.length(MOST));
    const where = { data };
    let expected: Uint8Array | undefined;
    for (const [i, algorithm] of algorithms.entries()) {
      const digest = await algorithm.digest(unaligned(dice, data).view);
      expected ??= digest;
      if (!sameBytes(digest, expected)) throw new Disagreement(i, 'has another digest', where);
      const hash = algorithm.create?.();
      if (hash === undefined) continue;
      for (let done = 0; done < data.length;) {
        const part = Math.min(data.length - done, dice.length(MOST));
        hash.update(unaligned(dice, data.subarray(done, done + part)).view);
        done += part;
      }
      if (!sameBytes(hash.digest(), expected)) {
        throw new Disagreement(i, 'differs in pieces', where);
      }
    }
    return [...algorithms.keys()];
  };
}

/** Parameters of every function at once: each takes what it knows. */
function spongeParams(dice: Dice) {
  return {
    outputBytes: dice.integer(4, 400),
    domainSeparation: dice.integer(1, 0x7f),
    functionName: dice.bytes(dice.chance(0.5) ? 0 : dice.length(300)),
    customization: dice.bytes(dice.chance(0.5) ? 0 : dice.length(10_000)),
  };
}

type SpongeParams = ReturnType<typeof spongeParams>;

/** The digests of an extendable-output function under parameters of each case. */
export function xofCases(algorithms: readonly XofAlgorithm<SpongeParams>[]): RunCase {
  return async (dice) => {
    const params = spongeParams(dice);
    const bound = algorithms.map((xof): DigestAlgorithm => {
      const digest = (data: Uint8Array) => xof.digest(params, data);
      return { constantTime: xof.constantTime, digest, create: () => xof.create!(params) };
    });
    return digestCases(bound)(dice);
  };
}

/** The tags of KMAC under parameters of each case. */
export function kmacCases(algorithms: readonly KmacAlgorithm[]): RunCase {
  return async (dice) => {
    const params = spongeParams(dice);
    const bound = algorithms.map((algorithm): MacAlgorithm => {
      const keyed = async (key: Uint8Array): Promise<KeyedMac> => {
        const kmac = await algorithm.withKey(key);
        return {
          sign: (data) => kmac.sign(params, data),
          verify: (tag, data) => kmac.verify(params, tag, data),
          wipe: () => kmac.wipe(),
        };
      };
      return { constantTime: algorithm.constantTime, withKey: keyed };
    });
    // Keys of any length, as HMAC takes; the hash is ignored.
    return macCases('HMAC', bound)(dice);
  };
}

export function macCases(name: MacName, algorithms: readonly MacAlgorithm[]): RunCase {
  return async (dice) => {
    const hash = name === 'HMAC' ? dice.pick(MAC_HASHES) : undefined;
    const key = dice.bytes(name === 'HMAC' ? dice.length(300) : dice.pick([16, 24, 32]));
    const drawn = dice.length(MOST);
    // FIPS 113: whole blocks, at least one
    const data = dice.bytes(name === 'AES-CBC-MAC' ? Math.max(16, drawn & ~15) : drawn);
    const where = { hash, key, data };
    const taking: number[] = [];
    let expected: Uint8Array | undefined;
    for (const [i, algorithm] of algorithms.entries()) {
      if ((await algorithm.gap?.(hash)) !== undefined) continue;
      taking.push(i);
      const mac = await algorithm.withKey(unaligned(dice, key).view, hash);
      const tag = await mac.sign(unaligned(dice, data).view);
      expected ??= tag;
      if (!sameBytes(tag, expected)) throw new Disagreement(i, 'has another tag', where);
      if (!(await mac.verify(expected, data))) throw new Disagreement(i, 'refuses the tag', where);
      const changed = Uint8Array.from(expected);
      changed[dice.integer(0, changed.length - 1)]! ^= 1 << dice.integer(0, 7);
      if (await mac.verify(changed, data)) throw new Disagreement(i, 'takes a changed tag', where);
      await agreesInMany(dice, mac, i, where);
      mac.wipe();
    }
    return taking;
  };
}

/** The tags of many messages: each as if it were alone. */
async function agreesInMany(dice: Dice, mac: KeyedMac, engine: number, where: unknown) {
  if (!mac.signMany) return;
  const messages = Array.from(
    { length: dice.integer(0, 20) },
    () => unaligned(dice, dice.bytes(dice.length(dice.pick([150, 2000, 20_000])))).view,
  );
  const together = await mac.signMany(messages);
  for (const [i, message] of messages.entries()) {
    if (sameBytes(together[i]!, await mac.sign(message))) continue;
    throw new Disagreement(engine, `has another tag for message ${i} of many`, where);
  }
}

interface Derivation<P> {
  readonly secretBytes: number;
  readonly params: P;
  readonly lengthBytes: number;
}

const salt = (dice: Dice) => dice.bytes(dice.length(200));

/** Small costs: what is compared are the ways through the code, not its endurance. */
const DERIVATIONS: { readonly [K in KdfName]: (dice: Dice) => Derivation<KdfParams[K]> } = {
  HKDF: (dice) => ({
    secretBytes: dice.length(300),
    params: { hash: dice.pick(MAC_HASHES), salt: salt(dice), info: salt(dice) },
    lengthBytes: dice.integer(0, 300),
  }),
  PBKDF2: (dice) => ({
    secretBytes: dice.length(300),
    params: { hash: dice.pick(MAC_HASHES), salt: salt(dice), iterations: dice.integer(1, 12) },
    lengthBytes: dice.integer(0, 300),
  }),
  scrypt: (dice) => ({
    secretBytes: dice.length(100),
    params: {
      salt: salt(dice),
      N: 2 ** dice.integer(1, 5),
      r: dice.integer(1, 9),
      p: dice.integer(1, 3),
    },
    lengthBytes: dice.integer(1, 100),
  }),
  Argon2d: argon2Case,
  Argon2i: argon2Case,
  Argon2id: argon2Case,
};

function argon2Case(dice: Dice): Derivation<Argon2Params> {
  const parallelism = dice.integer(1, 3);
  return {
    secretBytes: dice.length(100),
    params: {
      nonce: dice.bytes(dice.integer(8, 64)),
      memoryKiB: 8 * parallelism + dice.integer(0, 20),
      passes: dice.integer(1, 3),
      parallelism,
      secret: dice.bytes(dice.chance(0.5) ? 0 : dice.integer(0, 32)),
      associatedData: dice.bytes(dice.chance(0.5) ? 0 : dice.integer(0, 64)),
    },
    lengthBytes: dice.integer(4, 130),
  };
}

export function kdfCases<K extends KdfName>(
  name: K,
  algorithms: readonly Kdf<KdfParams[K]>[],
): RunCase {
  return async (dice) => {
    const { secretBytes, params, lengthBytes } = DERIVATIONS[name](dice);
    const secret = dice.bytes(secretBytes);
    const where = { secret, params, lengthBytes };
    const taking: number[] = [];
    let expected: Uint8Array | undefined;
    for (const [i, algorithm] of algorithms.entries()) {
      if ((await algorithm.gap?.(secretBytes, params, lengthBytes)) !== undefined) continue;
      taking.push(i);
      const derived = await algorithm.derive(unaligned(dice, secret).view, params, lengthBytes);
      expected ??= derived;
      if (!sameBytes(derived, expected)) throw new Disagreement(i, 'derives other bytes', where);
    }
    return taking;
  };
}

/** Bytes of moduli: limbs of all kinds are crossed, and larger ones take much longer in js. */
const MODULUS_BYTES = { few: 40, many: 200 };

export function powerCases(algorithms: readonly PowerAlgorithm[]): RunCase {
  return (dice) => {
    const most = dice.chance(0.9) ? MODULUS_BYTES.few : MODULUS_BYTES.many;
    const modulus = dice.bytes(dice.integer(1, most));
    modulus[0] ||= 1;
    modulus[modulus.length - 1]! |= 1;
    // The least modulus is 3.
    if (modulus.length === 1) modulus[0] |= 2;
    const base = dice.bytes(dice.integer(0, 2 * modulus.length + 1));
    const exponent = dice.bytes(dice.integer(0, dice.chance(0.9) ? 8 : modulus.length));
    const where = { base, exponent, modulus };
    let expected: Uint8Array | undefined;
    for (const [i, { power }] of algorithms.entries()) {
      const result = power(unaligned(dice, base).view, exponent, unaligned(dice, modulus).view);
      expected ??= result;
      if (!sameBytes(result, expected)) throw new Disagreement(i, 'has another power', where);
    }
    return [...algorithms.keys()];
  };
}

/** X448: any 56 bytes are a private key. */
export function agreementCases(algorithms: readonly AgreementAlgorithm[]): RunCase {
  return async (dice) => {
    const [own, peer] = [dice.bytes(56), dice.bytes(56)];
    const where = { own, peer };
    const peerPublic = await algorithms[0]!.publicKey(peer);
    let expected: Uint8Array | undefined;
    for (const [i, algorithm] of algorithms.entries()) {
      const key = unaligned(dice, own).view;
      const secret = await algorithm.agree(key, unaligned(dice, peerPublic).view);
      expected ??= secret;
      if (!sameBytes(secret, expected)) throw new Disagreement(i, 'agrees on other bytes', where);
      const back = await algorithm.agree(peer, await algorithm.publicKey(key));
      if (!sameBytes(back, expected)) throw new Disagreement(i, 'has another public key', where);
    }
    return [...algorithms.keys()];
  };
}

/**
 * ML-KEM and X-Wing. What one engine encapsulates all decapsulate, because a platform draws randomness of its own, and
 * a ciphertext that was changed gives the same key in all of them: that of the implicit rejection.
 */
export function kemCases(name: KemName, algorithms: readonly KemAlgorithm[]): RunCase {
  const { seedBytes, randomnessBytes } = KEMS[name];
  return async (dice) => {
    const [seed, randomness] = [dice.bytes(seedBytes), dice.bytes(randomnessBytes)];
    const where = { seed, randomness };
    const publicKey = await algorithms[0]!.publicKey(seed);
    for (const [i, algorithm] of algorithms.entries()) {
      const own = await algorithm.publicKey(unaligned(dice, seed).view);
      if (!sameBytes(own, publicKey)) throw new Disagreement(i, 'has another public key', where);
      const key = unaligned(dice, publicKey).view;
      const { ciphertext, sharedKey } = await algorithm.encapsulate(key, randomness);
      const changed = ciphertext.slice();
      // Not in the last 32 bytes: in X-Wing these are a point, of which more than one can be the same.
      changed[dice.integer(0, changed.length - 33)]! ^= 1 << dice.integer(0, 7);
      let rejected: Uint8Array | undefined;
      for (const [j, recipient] of algorithms.entries()) {
        const opened = await recipient.decapsulate(seed, unaligned(dice, ciphertext).view);
        if (!sameBytes(opened, sharedKey)) throw new Disagreement(j, 'opens another key', where);
        const other = await recipient.decapsulate(seed, changed);
        rejected ??= other;
        if (sameBytes(other, sharedKey)) throw new Disagreement(j, 'takes a changed one', where);
        if (!sameBytes(other, rejected)) throw new Disagreement(j, 'rejects otherwise', where);
      }
    }
    return [...algorithms.keys()];
  };
}

/** Lengths of a signature algorithm, in bytes. */
type SignatureLengths = Pick<SignatureSizes, 'seedBytes' | 'randomnessBytes'>;

/** 57 bytes are a private key; it needs no randomness. */
const ED448: SignatureLengths = { seedBytes: 57, randomnessBytes: 57 };

/** Each engine verifies the signatures of all, because not all algorithms are deterministic. */
export function signatureCases(
  name: SignatureName | 'Ed448',
  algorithms: readonly SignatureAlgorithm[],
): RunCase {
  const { seedBytes, randomnessBytes }: SignatureLengths =
    name === 'Ed448' ? ED448 : SIGNATURES[name];
  return async (dice) => {
    const [seed, randomness] = [dice.bytes(seedBytes), dice.bytes(randomnessBytes)];
    const message = dice.bytes(dice.length(10_000));
    const context = dice.bytes(dice.chance(0.5) ? 0 : dice.integer(1, 255));
    const where = { seed, message, context };
    const taking = [...algorithms.keys()].filter(
      (i) => algorithms[i]!.gap?.(context.length) === undefined,
    );
    const { privateKey, publicKey } = await algorithms[taking[0]!]!.keyPair(seed);
    for (const i of taking) {
      const algorithm = algorithms[i]!;
      const key = unaligned(dice, privateKey).view;
      const own = await algorithm.publicKey(key);
      if (!sameBytes(own, publicKey)) throw new Disagreement(i, 'has another public key', where);
      const data = unaligned(dice, message).view;
      const signature = await algorithm.sign(key, data, context, randomness);
      const changed = signature.slice();
      changed[dice.integer(0, changed.length - 1)]! ^= 1;
      for (const verifier of taking) {
        const verifies = (bytes: Uint8Array) =>
          algorithms[verifier]!.verify(publicKey, message, context, bytes);
        if (!(await verifies(signature))) throw new Disagreement(verifier, 'refuses it', where);
        if (await verifies(changed)) throw new Disagreement(verifier, 'takes a changed one', where);
      }
    }
    return taking;
  };
}
