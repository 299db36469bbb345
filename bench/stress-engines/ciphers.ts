/** Random keys, parameters and messages for ciphers, and what has to hold for each engine's answer. */
import type { Cipher, CipherName, CipherParams, KeyedCipher } from '../../src/engine/contract.ts';
import { AuthenticationError } from '../../src/crypto/errors.ts';
import { sameBytes, unaligned } from './arrays.ts';
import type { Dice } from './dice.ts';
import { Disagreement } from './disagreement.ts';
import type { RunCase } from './stress.ts';

interface Shape<P> {
  readonly keyBytes: readonly number[];
  /** A change of whatever was encrypted has to be refused. */
  readonly authenticated: boolean;
  readonly message: (dice: Dice) => { readonly params: P; readonly dataBytes: number };
}

const AES_KEYS = [16, 24, 32];
/** Longest message: two buffers of 64 KiB and more. */
const MOST = 150_000;
const MORE_THAN_ENOUGH = 1 << 30;

/** What the standard of each algorithm allows. A new algorithm of the contract needs its line. */
const SHAPES: { readonly [A in CipherName]: Shape<CipherParams[A]> } = {
  'AES-GCM': aead(
    AES_KEYS,
    (dice) => (dice.chance(0.6) ? 12 : dice.integer(1, 70)),
    [4, 8, 12, 13, 14, 15, 16],
  ),
  'AES-CCM': {
    ...aead(AES_KEYS, () => 12, []),
    message: (dice) => {
      const nonceBytes = dice.integer(7, 13);
      const params = aeadParams(dice, nonceBytes, dice.pick([4, 6, 8, 10, 12, 14, 16]));
      // SP 800-38C, A.1: the length has 15 - n bytes.
      return { params, dataBytes: dice.length(nonceBytes === 13 ? 65_535 : MOST) };
    },
  },
  'AES-OCB': aead(AES_KEYS, (dice) => dice.integer(1, 15), [8, 12, 16]),
  'AES-GCM-SIV': aead([16, 32], () => 12, [16]),
  'ChaCha20-Poly1305': aead([32], () => 12, [16]),
  'XChaCha20-Poly1305': aead([32], () => 24, [16]),
  'AES-SIV': {
    keyBytes: [32, 48, 64],
    authenticated: true,
    message: (dice) => ({
      params: {
        associatedData: Array.from({ length: dice.integer(0, 4) }, () =>
          dice.bytes(dice.length(300)),
        ),
      },
      dataBytes: dice.length(MOST),
    }),
  },
  'AES-CTR': {
    keyBytes: AES_KEYS,
    authenticated: false,
    message: (dice) => {
      const counter = dice.bytes(16);
      // Near its end, where it wraps or carries.
      if (dice.chance(0.5)) counter.fill(0xff, dice.integer(0, 15));
      const counterBits = dice.chance(0.5) ? 128 : dice.integer(1, 128);
      const most = counterBits > 20 ? MORE_THAN_ENOUGH : 16 * 2 ** counterBits;
      return { params: { counter, counterBits }, dataBytes: dice.length(Math.min(MOST, most)) };
    },
  },
  'AES-CBC': {
    keyBytes: AES_KEYS,
    authenticated: false,
    message: (dice) => ({ params: { iv: dice.bytes(16) }, dataBytes: dice.length(MOST) }),
  },
  'AES-ECB': {
    keyBytes: AES_KEYS,
    authenticated: false,
    message: (dice) => ({ params: {}, dataBytes: dice.length(MOST) & ~15 }),
  },
  'AES-KW': {
    keyBytes: AES_KEYS,
    authenticated: true,
    // RFC 3394: two and more semiblocks
    message: (dice) => ({ params: {}, dataBytes: 8 * dice.integer(2, dice.chance(0.9) ? 9 : 200) }),
  },
  Salsa20: {
    keyBytes: [16, 32],
    authenticated: false,
    message: (dice) => {
      const rounds = dice.pick([8, 12, 20] as const);
      // Over the carry between the counter's words, too.
      const counter = dice.chance(0.5) ? 0 : BigInt(2 ** 32 - dice.integer(1, 40));
      return { params: { nonce: dice.bytes(8), rounds, counter }, dataBytes: dice.length(MOST) };
    },
  },
};

function aead(
  keyBytes: readonly number[],
  nonceBytes: (dice: Dice) => number,
  tagBytes: readonly number[],
): Shape<CipherParams['AES-GCM']> {
  return {
    keyBytes,
    authenticated: true,
    message: (dice) => ({
      params: aeadParams(dice, nonceBytes(dice), dice.pick(tagBytes)),
      dataBytes: dice.length(MOST),
    }),
  };
}

function aeadParams(dice: Dice, nonceBytes: number, tagBytes: number): CipherParams['AES-GCM'] {
  const associatedData = dice.chance(0.3) ? new Uint8Array(0) : dice.bytes(dice.length(70_000));
  return { nonce: dice.bytes(nonceBytes), associatedData, tagBytes };
}

/** Keys that are in use at the same time, so that they push each other out of a module's memory. */
const KEYS = 3;

interface Keys<P> {
  readonly key: Uint8Array;
  readonly keyed: readonly KeyedCipher<P>[];
}

export function cipherCases<A extends CipherName>(
  name: A,
  ciphers: readonly Cipher<CipherParams[A]>[],
): RunCase {
  const shape: Shape<CipherParams[A]> = SHAPES[name];
  const slots: (Keys<CipherParams[A]> | undefined)[] = Array.from({ length: KEYS });
  return async (dice) => {
    const slot = dice.integer(0, KEYS - 1);
    if (dice.chance(0.3)) {
      for (const keyed of slots[slot]?.keyed ?? []) keyed.wipe();
      slots[slot] = undefined;
    }
    const keys = (slots[slot] ??= await newKeys(dice, shape.keyBytes, ciphers));
    const { params, dataBytes } = shape.message(dice);
    const data = dice.bytes(dataBytes);
    const where = { key: keys.key, params, dataBytes };
    const taking: number[] = [];
    for (const [i, cipher] of ciphers.entries()) {
      if ((await cipher.gap?.(keys.key.length, params)) === undefined) taking.push(i);
    }
    let expected: Uint8Array | undefined;
    for (const i of taking) {
      const run = { dice, keyed: keys.keyed[i]!, params, engine: i, where };
      const encrypted = await written(run, 'encrypt', data, 64);
      expected ??= encrypted;
      if (!sameBytes(encrypted, expected)) {
        throw new Disagreement(i, 'encrypts to wrong bytes', where);
      }
      const decrypted = await written(run, 'decrypt', expected, 0);
      if (!sameBytes(decrypted, data)) throw new Disagreement(i, 'decrypts to wrong bytes', where);
      if (shape.authenticated) await refusesChange(run, expected);
      await agreesInMany(run, () => shape.message(dice).params);
    }
    return taking;
  };
}

async function newKeys<P>(
  dice: Dice,
  keyBytes: readonly number[],
  ciphers: readonly Cipher<P>[],
): Promise<Keys<P>> {
  const key = dice.bytes(dice.pick(keyBytes));
  const keyed: KeyedCipher<P>[] = [];
  for (const cipher of ciphers) {
    // An engine that lacks the size gets another: it says so of each message.
    const lacks = (await cipher.gap?.(key.length)) !== undefined;
    keyed.push(await cipher.withKey(lacks ? key.subarray(0, 16) : unaligned(dice, key).view));
  }
  return { key, keyed };
}

interface Run<P> {
  readonly dice: Dice;
  readonly keyed: KeyedCipher<P>;
  readonly params: P;
  readonly engine: number;
  readonly where: unknown;
}

/** Fresh, into another array, or in place; neither inputs nor bytes around the target may change. */
async function written<P>(
  { dice, keyed, params, engine, where }: Run<P>,
  direction: 'encrypt' | 'decrypt',
  data: Uint8Array,
  growsBy: number,
): Promise<Uint8Array> {
  const way = dice.pick(['fresh', 'into', 'in place'] as const);
  const source = unaligned(dice, data, way === 'in place' ? growsBy : 0);
  const input = source.view.subarray(0, data.length);
  const target = unaligned(dice, dice.bytes(data.length + growsBy));
  const into = { fresh: undefined, into: target.view, 'in place': source.view }[way];
  const result = await keyed[direction](params, input, into);
  if (into !== undefined && result.length > 0 && result.buffer !== into.buffer) {
    throw new Disagreement(engine, `returns another array than into: ${direction} ${way}`, where);
  }
  if (source.spilled() || target.spilled()) {
    throw new Disagreement(engine, `writes beyond its target: ${direction} ${way}`, where);
  }
  if (way !== 'in place' && !sameBytes(input, data)) {
    throw new Disagreement(engine, `changes its input: ${direction}`, where);
  }
  return Uint8Array.from(result);
}

/** Messages of a few blocks and of some lanes' lengths: each as if it were alone. */
async function agreesInMany<P>({ dice, keyed, engine, where }: Run<P>, params: () => P) {
  if (!keyed.encryptMany || dice.chance(0.7)) return;
  const messages = Array.from({ length: dice.integer(0, 40) }, () => ({
    params: params(),
    data: unaligned(dice, dice.bytes(dice.length(dice.pick([100, 1500, 9000])))).view,
  }));
  const together = await keyed.encryptMany(messages);
  for (const [i, message] of messages.entries()) {
    const alone = await keyed.encrypt(message.params, message.data);
    if (!sameBytes(together[i]!, alone)) {
      throw new Disagreement(engine, `encrypts message ${i} of many to other bytes`, where);
    }
  }
  const encrypted = messages.map(({ params: same }, i) => ({ params: same, data: together[i]! }));
  const back = await keyed.decryptMany?.(encrypted);
  for (const [i, plaintext] of (back ?? []).entries()) {
    if (plaintext && sameBytes(plaintext, messages[i]!.data)) continue;
    throw new Disagreement(engine, `decrypts message ${i} of many to other bytes`, where);
  }
}

/** One bit anywhere; then there is an AuthenticationError, and no plaintext. */
async function refusesChange<P>(
  { dice, keyed, params, engine, where }: Run<P>,
  encrypted: Uint8Array,
): Promise<void> {
  const changed = unaligned(dice, encrypted).view;
  changed[dice.integer(0, changed.length - 1)]! ^= 1 << dice.integer(0, 7);
  const into = new Uint8Array(changed.length);
  try {
    await keyed.decrypt(params, changed, into);
  } catch (error) {
    if (!(error instanceof AuthenticationError)) throw error;
    if (into.every((byte) => byte === 0)) return;
    throw new Disagreement(engine, 'leaves the plaintext of a refused message', where);
  }
  throw new Disagreement(engine, 'accepts a changed message', where);
}
