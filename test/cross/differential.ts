/*
 * Random calls of `subtle`, right and wrong: every algorithm × operation × length × malformed key, parameter and view,
 * drawn from the table of algorithms. The same seed gives the same cases on every platform, so that outcomes are compared
 * between engines, and between platforms. It runs in pages too.
 */
import { Dice } from '../../bench/stress-engines/dice.ts';
import { AEADS } from '../../src/crypto/algorithms.ts';
import { fromBase64url, toBase64url, toHex } from '../../src/crypto/bytes.ts';
import { sha256 } from '../../src/crypto/hash/sha256.ts';
import type { Dictionary, Member } from '../../src/crypto/subtle/row.ts';
import { ALGORITHMS, rowOf, type SubtleName } from '../../src/crypto/subtle/table.ts';
import { defaultRegistry } from '../../src/engine/default-engines.ts';
import type { EngineChoice } from '../../src/engine/registry.ts';
import type { LoadWasm } from '../../src/engine/wasm/loader.ts';
import { createSubtle, type Subtle } from '../../src/library/subtle.ts';
import type { SubtleKey } from '../../src/subtle/key.ts';
import { keyCases, PAIRS, type KeyCase } from '../subtle/malformed-keys.ts';

/** What a step of a case gives: 'OperationError', 'true', or the length and the digest of bytes. */
type Step = string;
type Params = { readonly name: string } & Readonly<Record<string, unknown>>;
/** Fresh in each run, because a call may write into what it is given. */
type Fresh<T> = () => T;

export interface Case {
  readonly title: string;
  /** @returns the outcome of each step, up to the first error */
  readonly run: (subtle: Subtle) => Promise<Step[]>;
}

/** Keys of pairs, which are the same on every platform that is compared. */
export type PairKeys = readonly (readonly KeyCase[])[];

const NAMES = Object.keys(ALGORITHMS) as SubtleName[];
const PAIR_NAMES = PAIRS.map(({ algorithm }) => algorithm.name);
const SYMMETRIC = NAMES.filter((name) => 'digest' in operationsOf(name) || isKeyed(name));
/** Each takes a hundred times as long as a block of AES. */
const SLOW = /^(?:Argon2|scrypt|RSA|DH$|ML-|SLH-|Ed448|X448)/;

/** Case `i` of a seed. */
export function caseOf(seed: string, i: number, keys: PairKeys): Case {
  const dice = new Dice(`${seed} ${i}`);
  if (dice.chance(0.15)) return pairCase(dice, keys);
  let name = dice.pick(SYMMETRIC);
  if (SLOW.test(name) && dice.chance(0.9)) name = dice.pick(SYMMETRIC);
  const operations = operationsOf(name);
  if ('digest' in operations) return digestCase(dice, name, operations.digest);
  if ('deriveBits' in operations) return deriveCase(dice, name, operations.deriveBits);
  if ('encrypt' in operations) return cipherCase(dice, name, operations.encrypt);
  return 'sign' in operations ? macCase(dice, name, operations.sign) : wrapCase(dice, name);
}

function operationsOf(name: SubtleName) {
  return rowOf(name)!.operations;
}

/** Keys that are bytes, which no pair has. */
function isKeyed(name: SubtleName): boolean {
  return 'getKeyLength' in operationsOf(name);
}

/** The outcomes of one case under each engine, where they are not all the same. */
export interface Difference {
  readonly title: string;
  readonly outcomes: Readonly<Record<string, string>>;
}

/**
 * A named engine may lack what a case needs (NotSupportedError); `auto` may not, where another has it. All others agree.
 *
 * @returns what `auto` gave, and the difference, if there is one
 */
export async function compared(
  { title, run }: Case,
  subtles: Subtles,
): Promise<{ readonly outcome: string; readonly difference?: Difference }> {
  const outcomes: Record<string, string> = {};
  for (const [engine, subtle] of Object.entries(subtles)) {
    outcomes[engine] = (await run(subtle)).join(' → ');
  }
  const outcome = outcomes['auto']!;
  const others = Object.values(outcomes).filter((each) => !each.endsWith('NotSupportedError'));
  const isSame = others.every((each) => each === outcome);
  return { outcome, ...(!isSame && { difference: { title, outcomes } }) };
}

/** The steps of one run, each with its outcome. */
class Steps {
  readonly outcomes: Step[] = [];

  /** @throws Stopped if the work rejects */
  async take<T>(work: Promise<T>, shown: (result: T) => Step = outcomeOf): Promise<T> {
    try {
      const result = await work;
      this.outcomes.push(shown(result));
      return result;
    } catch (error) {
      this.outcomes.push((error as Error).name);
      throw new Stopped();
    }
  }
}

class Stopped extends Error {}

function outcomeOf(result: unknown): Step {
  if (result instanceof ArrayBuffer) return outcomeOf(new Uint8Array(result));
  if (!(result instanceof Uint8Array)) return typeof result === 'boolean' ? String(result) : 'key';
  return `${result.length}:${toHex(sha256(result)).slice(0, 12)}`;
}

function steps(title: unknown[], work: (steps: Steps, subtle: Subtle) => Promise<unknown>): Case {
  return {
    title: title.map(shown).join(' '),
    run: async (subtle) => {
      const taken = new Steps();
      try {
        await work(taken, subtle);
      } catch (error) {
        if (!(error instanceof Stopped)) throw error;
      }
      return taken.outcomes;
    },
  };
}

function shown(value: unknown): string {
  if (typeof value === 'string') return value;
  return JSON.stringify(value, (_name, each: unknown) => {
    if (each instanceof Uint8Array) return `${each.length} B ${toHex(each.subarray(0, 8))}…`;
    return typeof each === 'bigint' ? `${each}n` : each;
  });
}

function digestCase(dice: Dice, name: string, members: Dictionary): Case {
  const [params, data] = [paramsOf(dice, name, members), dataOf(dice, 70_000)];
  return steps(['digest', params, data.title], (taken, subtle) =>
    taken.take(subtle.digest(params as never, data.fresh())),
  );
}

function deriveCase(dice: Dice, name: string, members: Dictionary): Case {
  const params = paramsOf(dice, name, members);
  const secret = dice.bytes(dice.length(300));
  const length = dice.chance(0.85)
    ? 8 * dice.length(600)
    : dice.pick([null, 0, 1, 7, 9, 31, -8, 2 ** 32]);
  const to = dice.pick(['', 'AES-GCM', 'HMAC', 'AES-OCB']);
  const type =
    to === 'HMAC'
      ? { name: to, hash: dice.pick(HASHES) }
      : { name: to, length: dice.pick([128, 192, 256]) };
  return steps(['derive', params, secret, length, to], async (taken, subtle) => {
    const usages = ['deriveBits', 'deriveKey'] as const;
    const key = await taken.take(subtle.importKey('raw', secret, name, false, usages));
    if (to === '') return taken.take(subtle.deriveBits(params as never, key, length));
    const usage = to === 'HMAC' ? (['sign'] as const) : (['encrypt'] as const);
    const made = await taken.take(subtle.deriveKey(params as never, key, type, true, usage));
    return taken.take(subtle.exportKey('raw', made));
  });
}

function cipherCase(dice: Dice, name: string, members: Dictionary): Case {
  const params = paramsOf(dice, name, members);
  const key = keyOf(dice, name, ['encrypt', 'decrypt']);
  const isBlocks = name === 'AES-ECB' && dice.chance(0.9);
  const data = dataOf(dice, 70_000, isBlocks ? 16 : 1);
  const change = changeOf(dice);
  const into = dice.chance(0.2) ? dice.integer(0, 60) : undefined;
  return steps([params, key.title, data.title, change, { into }], async (taken, subtle) => {
    const made = await taken.take(key.run(subtle));
    const given = data.fresh();
    const room = into === undefined ? undefined : roomFor(given, into);
    const sealed = await taken.take(
      subtle.encrypt({ ...params, ...(room && { into: room }) } as never, made, given),
    );
    const bytes = changed(change, new Uint8Array(sealed));
    return taken.take(subtle.decrypt(params as never, made, bytes));
  });
}

/** Memory of its own, or that of the data, with bytes more than they have. */
function roomFor(data: unknown, more: number): Uint8Array {
  const byteLength = (data as Uint8Array | null | undefined)?.byteLength;
  return new Uint8Array((byteLength ?? 0) + more);
}

function macCase(dice: Dice, name: string, members: Dictionary): Case {
  const params = paramsOf(dice, name, members);
  const key = keyOf(dice, name, ['sign', 'verify']);
  const data = dataOf(dice, 70_000, name === 'AES-CBC-MAC' && dice.chance(0.9) ? 16 : 1);
  const change = changeOf(dice);
  return steps([params, key.title, data.title, change], async (taken, subtle) => {
    const made = await taken.take(key.run(subtle));
    const tag = await taken.take(subtle.sign(params as never, made, data.fresh()));
    const bytes = changed(change, new Uint8Array(tag));
    return taken.take(subtle.verify(params as never, made, bytes, data.fresh()));
  });
}

function wrapCase(dice: Dice, name: string): Case {
  const key = keyOf(dice, name, ['wrapKey', 'unwrapKey']);
  const content = dice.bytes(dice.chance(0.8) ? 8 * dice.integer(1, 40) : dice.length(80));
  const hmac = { name: 'HMAC', hash: 'SHA-256' };
  const format = dice.pick(['raw', 'jwk'] as const);
  const change = changeOf(dice);
  return steps([name, key.title, content, format, change], async (taken, subtle) => {
    const made = await taken.take(key.run(subtle));
    const inner = await taken.take(subtle.importKey('raw', content, hmac, true, ['sign']));
    const wrapped = changed(
      change,
      new Uint8Array(await taken.take(subtle.wrapKey(format, inner, made, name))),
    );
    const back = await taken.take(
      subtle.unwrapKey(format, wrapped, made, name, hmac, true, ['sign']),
    );
    return taken.take(subtle.exportKey('raw', back));
  });
}

/** What is done to a result before it is given back. */
type Change = { readonly at: number; readonly bit: number } | { readonly cut: number } | undefined;

function changeOf(dice: Dice): Change {
  if (dice.chance(0.6)) return undefined;
  if (dice.chance(0.3)) return { cut: dice.integer(1, 40) };
  return { at: dice.next() / 2 ** 32, bit: dice.integer(0, 7) };
}

function changed(change: Change, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const copy = Uint8Array.from(bytes);
  if (change === undefined) return copy;
  if ('cut' in change) return copy.slice(0, -change.cut);
  if (copy.length > 0) copy[Math.floor(change.at * copy.length)]! ^= 1 << change.bit;
  return copy;
}

/** A key that is bytes: of a length that there is, in a format that there is, or not. */
function keyOf(
  dice: Dice,
  name: string,
  usages: readonly ('sign' | 'verify' | 'encrypt')[] | readonly string[],
) {
  const isUsual = dice.chance(0.9);
  const bytes = dice.bytes(isUsual ? usualKeyBytes(dice, name) : dice.length(140));
  const hash = dice.pick(HASHES);
  const algorithm = name === 'HMAC' ? { name, hash } : { name };
  const format = dice.chance(0.8)
    ? 'raw'
    : dice.pick(['jwk', 'raw-secret', 'pkcs8', 'raw-seed'] as const);
  const k = malformedText(dice, bytes);
  const jwk = { kty: dice.chance(0.95) ? 'oct' : 'RSA', k, ...malformedMembers(dice, name) };
  const asked = dice.chance(0.97)
    ? usages
    : dice.pick([[], ['sign', 'encrypt'], ['deriveBits'], ['none']]);
  return {
    title: shown([algorithm, format, format === 'jwk' ? jwk : bytes, asked]),
    run: (subtle: Subtle) =>
      subtle.importKey(
        format,
        (format === 'jwk' ? jwk : bytes) as never,
        algorithm,
        true,
        asked as never,
      ),
  };
}

function usualKeyBytes(dice: Dice, name: string): number {
  if (name in AEADS) return dice.pick(AEADS[name as keyof typeof AEADS].keyBits) / 8;
  if (/^(?:HMAC|KMAC)/.test(name)) return dice.length(300);
  if (name === 'AES-SIV') return dice.pick([32, 48, 64]);
  return dice.pick(name === 'Salsa20' ? [16, 32] : [16, 24, 32]);
}

function malformedText(dice: Dice, bytes: Uint8Array): unknown {
  const text = btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_');
  const right = text.replaceAll('=', '');
  if (dice.chance(0.8)) return right;
  return dice.pick([
    text,
    `${right} `,
    `${right}A`,
    right.slice(1),
    '',
    5,
    undefined,
    `${right.slice(0, -1)}_`,
  ]);
}

function malformedMembers(dice: Dice, name: string): object {
  return dice.pick([
    {},
    {},
    { alg: `${name}-x` },
    { use: dice.pick(['enc', 'sig', 'none']) },
    { key_ops: dice.pick([['encrypt', 'decrypt'], ['sign', 'verify'], ['sign', 'sign'], []]) },
    { ext: dice.chance(0.5) },
  ]);
}

const HASHES = ['SHA-1', 'SHA-256', 'SHA-384', 'SHA-512', 'SHA3-256', 'SHA3-384', 'SHA3-512'];

/** Views of all types, at odd places; now and then what is none. */
function dataOf(
  dice: Dice,
  most: number,
  multiple = 1,
): { title: string; fresh: Fresh<BufferSource> } {
  const length = dice.length(most);
  const bytes = dice.bytes(length - (length % multiple));
  const at = dice.integer(0, 9);
  const kind = dice.chance(0.7) ? 'bytes' : dice.pick(VIEWS);
  return { title: `${kind} ${bytes.length} B at ${at}`, fresh: () => view(kind, bytes, at) };
}

const VIEWS = [
  'buffer',
  'DataView',
  'Int8Array',
  'resizable',
  'detached',
  'text',
  'null',
  'array',
  'undefined',
] as const;

function view(kind: 'bytes' | (typeof VIEWS)[number], bytes: Uint8Array, at: number): BufferSource {
  const whole = new Uint8Array(at + bytes.length + 3);
  whole.set(bytes, at);
  switch (kind) {
    case 'bytes':
      return whole.subarray(at, at + bytes.length);
    case 'buffer':
      return Uint8Array.from(bytes).buffer;
    case 'DataView':
      return new DataView(whole.buffer, at, bytes.length);
    case 'Int8Array':
      return new Int8Array(whole.buffer, at, bytes.length);
    case 'resizable': {
      const options = { maxByteLength: bytes.length + 9 };
      return new (ArrayBuffer as new (length: number, options: object) => ArrayBuffer)(
        bytes.length,
        options,
      );
    }
    case 'detached':
      structuredClone(whole.buffer, { transfer: [whole.buffer] });
      return whole;
    default:
      return { text: 'bytes', null: null, array: [1, 2], undefined }[kind] as never;
  }
}

/** The members that an operation reads: mostly right, now and then missing, of another type or out of range. */
function paramsOf(dice: Dice, name: string, members: Dictionary): Params {
  const params: Record<string, unknown> = { name: dice.chance(0.95) ? name : name.toLowerCase() };
  for (const member of members) {
    const isUsual = dice.chance(0.95);
    const isThere =
      member.type === 'refused'
        ? !isUsual
        : isUsual
          ? member.isRequired || dice.chance(0.6)
          : dice.chance(0.7);
    if (!isThere) continue;
    params[member.name] = isUsual ? usual(dice, name, member) : unusual(dice, member);
  }
  return params as Params;
}

/** Lengths and values that an algorithm allows, and their edges. */
function usual(dice: Dice, name: string, member: Member): unknown {
  const row = AEADS[name as keyof typeof AEADS] as (typeof AEADS)['AES-GCM'] | undefined;
  switch (member.name) {
    case 'iv': {
      if (row === undefined) return dice.bytes(name === 'Salsa20' ? 8 : 16);
      const { min, max } = row.nonceBytes;
      return dice.bytes(
        dice.chance(0.6) ? Math.max(min, Math.min(12, max)) : dice.integer(min, Math.min(max, 70)),
      );
    }
    case 'counter': {
      const isNumber = member.type !== 'bytes';
      if (isNumber) return dice.chance(0.5) ? dice.next() : BigInt(dice.next()) << 20n;
      return dice.chance(0.5) ? dice.bytes(16) : dice.bytes(16).fill(0xff, dice.integer(0, 15));
    }
    case 'tagLength':
      return 8 * dice.pick(row!.tagBytes);
    case 'length':
      return dice.chance(0.5) ? 128 : dice.integer(1, 128);
    case 'rounds':
      return dice.pick([8, 12, 20]);
    case 'outputLength':
      return 8 * dice.length(1000);
    case 'domainSeparation':
      return dice.integer(1, 127);
    case 'N':
      return 2 ** dice.integer(1, 7);
    case 'memory':
      return dice.integer(32, 80);
    case 'iterations':
      return dice.integer(1, 30);
    case 'version':
      return 0x13;
    case 'parallelism':
    case 'passes':
    case 'p':
    case 'r':
      return dice.integer(1, 4);
    case 'saltLength':
      return dice.pick([0, 20, 32]);
    case 'functionName':
      return dice.pick(['', 'KMAC']) === '' ? new Uint8Array(0) : dice.bytes(4);
    default:
  }
  if (member.type === 'hash' || member.type === 'hashName') return dice.pick(HASHES);
  if (member.type === 'byteStrings') {
    return dice.chance(0.3)
      ? dice.bytes(20)
      : Array.from({ length: dice.integer(0, 5) }, () => dice.bytes(dice.length(80)));
  }
  return dice.bytes(
    dice.chance(0.9) ? dice.length(300) : dice.pick([1023, 1024, 1025, 4096, 65_536]),
  );
}

/** Nothing here costs much where it is allowed. */
function unusual(dice: Dice, { type }: Member): unknown {
  switch (type) {
    case 'octet':
    case 'short':
    case 'long':
      return dice.pick([
        0,
        1,
        2,
        7,
        9,
        12,
        24,
        127,
        129,
        -1,
        1.5,
        NaN,
        2 ** 32,
        '8',
        'x',
        null,
        {},
        3n,
      ]);
    case 'counter':
      return dice.pick([-1, 1.5, 2 ** 60, -1n, 1n << 64n, 'x', null]);
    case 'hash':
    case 'hashName':
      return dice.pick([
        'BLAKE2b',
        'BLAKE3',
        'SHA-224',
        'MD5',
        'sha-256',
        { name: 'Sha-512' },
        {},
        null,
        5,
        'KT128',
      ]);
    case 'byteStrings':
      return dice.pick([
        null,
        'x',
        [null],
        Array.from({ length: 127 }, () => new Uint8Array(1)),
        new Uint8Array(0),
      ]);
    default:
      return dice.pick([
        new Uint8Array(0),
        new Uint8Array(1),
        new Uint8Array(17),
        new Uint8Array(300),
        null,
        'x',
        [1],
        5,
        {},
      ]);
  }
}

/** A key of a pair, right or malformed; then its operation with what is right and what is not. */
function pairCase(dice: Dice, keys: PairKeys): Case {
  let place = dice.integer(0, keys.length - 1);
  if (SLOW.test(PAIR_NAMES[place]!) && dice.chance(0.7)) place = dice.integer(0, keys.length - 1);
  const all = keys[place]!;
  const isRight = ({ error }: KeyCase) => error === 'none';
  const given = dice.pick(dice.chance(0.5) ? all : all.filter(isRight));
  if (!isRight(given) || dice.chance(0.5)) return importCase(dice, given);
  const right = all.filter(({ error, title }) => error === 'none' && title.endsWith('as it was'));
  const isPrivate = (each: KeyCase) => each.title.includes(', private:');
  const own = dice.pick(right.filter(isPrivate));
  const other = dice.pick(right.filter((each) => !isPrivate(each)));
  return useCase(dice, own, other);
}

function importKey(
  subtle: Subtle,
  { format, keyData, algorithm, usages }: KeyCase,
  isKept = true,
): Promise<SubtleKey> {
  return subtle.importKey(format, keyData, algorithm, isKept, usages);
}

function importCase(dice: Dice, given: KeyCase): Case {
  const out = dice.pick(['jwk', 'spki', 'pkcs8', 'raw', 'raw-public', 'raw-seed'] as const);
  const isKept = dice.chance(0.9);
  return steps([given.title, `out as ${out}`, { isKept }], async (taken, subtle) => {
    const key = await taken.take(importKey(subtle, given, isKept), infoOf);
    return taken.take(subtle.exportKey(out as 'jwk', key), jsonOf);
  });
}

function infoOf({ type, extractable, usages, algorithm }: SubtleKey): Step {
  return shown([
    type,
    extractable,
    usages,
    algorithm.name,
    algorithm.namedCurve,
    algorithm.modulusLength,
  ]);
}

function jsonOf(exported: unknown): Step {
  return exported instanceof ArrayBuffer
    ? outcomeOf(exported)
    : shown(Object.entries(exported as object).sort());
}

/** Signatures of these have no randomness. */
const DETERMINISTIC = ['RSASSA-PKCS1-v1_5', 'Ed25519', 'Ed448', 'DSA'];

function useCase(dice: Dice, own: KeyCase, other: KeyCase): Case {
  const { name } = own.algorithm;
  const operations = operationsOf(name as SubtleName);
  const [data, change] = [dataOf(dice, 2000), changeOf(dice)];
  const both = async (taken: Steps, subtle: Subtle) =>
    [await taken.take(importKey(subtle, own)), await taken.take(importKey(subtle, other))] as const;
  if ('sign' in operations) {
    const params = paramsOf(dice, name, operations.sign);
    const isShown = DETERMINISTIC.includes(name);
    return steps([params, data.title, change], async (taken, subtle) => {
      const [privateKey, publicKey] = await both(taken, subtle);
      const signing = subtle.sign(params, privateKey, data.fresh());
      const signature = await taken.take(
        signing,
        isShown ? outcomeOf : (bytes) => String(bytes.byteLength),
      );
      const bytes = changed(change, new Uint8Array(signature));
      return taken.take(subtle.verify(params as never, publicKey, bytes, data.fresh()));
    });
  }
  if ('deriveBits' in operations) {
    const length = dice.pick([
      null,
      0,
      1,
      7,
      8,
      128,
      255,
      256,
      257,
      384,
      448,
      449,
      521,
      528,
      529,
      2048,
      2049,
      -1,
    ]);
    return steps([name, own.title, { length }], async (taken, subtle) => {
      const [privateKey, publicKey] = await both(taken, subtle);
      return taken.take(subtle.deriveBits({ name, public: publicKey }, privateKey, length));
    });
  }
  if ('encapsulate' in operations) {
    return steps([name, change], async (taken, subtle) => {
      const [privateKey, publicKey] = await both(taken, subtle);
      const made = await taken.take(subtle.encapsulateBits(name, publicKey), ({ ciphertext }) =>
        String(ciphertext.byteLength),
      );
      const bytes = changed(change, new Uint8Array(made.ciphertext));
      const secret = subtle.decapsulateBits(name, privateKey, bytes);
      return taken.take(secret, (back) => String(outcomeOf(back) === outcomeOf(made.sharedKey)));
    });
  }
  // A modulus of 128 bytes and SHA-256: 62 bytes are the most.
  const message = dice.bytes(dice.pick([0, 1, 61, 62, 63, 128]));
  const params = paramsOf(dice, name, operations.encrypt!);
  return steps([params, message, change], async (taken, subtle) => {
    const [privateKey, publicKey] = await both(taken, subtle);
    const sealing: Promise<ArrayBuffer> = subtle.encrypt(params as never, publicKey, message);
    const sealed = await taken.take(sealing, (bytes) => String(bytes.byteLength));
    const bytes = changed(change, new Uint8Array(sealed));
    return taken.take(subtle.decrypt(params as never, privateKey, bytes));
  });
}

/** The keys for `caseOf`, to be given to other platforms as JSON. */
export async function pairKeys(subtle: Subtle): Promise<PairKeys> {
  const all: KeyCase[][] = [];
  for (const pair of PAIRS) all.push(await keyCases(subtle, pair));
  return all;
}

/** Bytes as base64url. */
export function toJson(keys: PairKeys): string {
  return JSON.stringify(keys, (_name, value: unknown) =>
    value instanceof Uint8Array ? { bytes: toBase64url(value) } : value,
  );
}

/** The inverse of `toJson`. */
export function fromJson(json: string): PairKeys {
  return JSON.parse(json, (_name, value: unknown) => {
    const isBytes = typeof value === 'object' && value !== null && 'bytes' in value;
    return isBytes ? fromBase64url(String(value.bytes)) : value;
  }) as PairKeys;
}

/** Some of the cases of a seed. */
export interface Run {
  readonly seed: string;
  readonly from: number;
  readonly to: number;
}

type Subtles = Readonly<Partial<Record<EngineChoice, Subtle>>>;

/** Every engine that is everywhere, over one registry; `auto` first. */
export async function subtlesOf(loadWasm: LoadWasm): Promise<Subtles & { readonly auto: Subtle }> {
  const registry = defaultRegistry({ loadWasm });
  return {
    auto: await createSubtle({ registry }),
    native: await createSubtle({ engine: 'native', registry }),
    'wasm-simd': await createSubtle({ engine: 'wasm-simd', registry }),
    js: await createSubtle({ engine: 'js', registry }),
  };
}

/** Carries them out. @returns what `auto` gave for each, and where engines differ */
export async function runCases(
  { seed, from, to }: Run,
  keys: PairKeys,
  subtles: Subtles,
): Promise<{ readonly outcomes: string[]; readonly differences: Difference[] }> {
  const [outcomes, differences]: [string[], Difference[]] = [[], []];
  for (let i = from; i < to; i++) {
    const { outcome, difference } = await compared(caseOf(seed, i, keys), subtles);
    outcomes.push(outcome);
    if (difference) differences.push({ ...difference, title: `case ${i}: ${difference.title}` });
  }
  return { outcomes, differences };
}

/** What may differ between platforms, and why. */
const LISTED: readonly { readonly title: RegExp; readonly reason: string }[] = [
  {
    title: /the (?:primes|private exponent) of another/,
    reason: 'Node does not compare the numbers of an RSA private key (docs/library.md)',
  },
  {
    title:
      /^EC.*, pkcs8, private: (?:nothing at .*|the greatest private key|a compressed point) out as (?:jwk|pkcs8)/,
    reason:
      'with a private key that came without its public key, or with a compressed one, Chromium exports what it computed, Node what came, and Firefox nothing',
  },
];

/**
 * The outcomes of the same cases on two platforms; one may lack what a case needs.
 *
 * @returns where they differ, but for what is listed
 */
export function platformDifferences(
  { seed, from }: Run,
  keys: PairKeys,
  platforms: Readonly<Record<string, readonly string[]>>,
): Difference[] {
  const [first = [], ...others] = Object.values(platforms);
  const lacks = (outcome: string) => outcome.endsWith('NotSupportedError');
  return first.flatMap((outcome, i) => {
    const isSame = others.every((other) => {
      const theirs = other[i]!;
      return theirs === outcome || lacks(theirs) || lacks(outcome);
    });
    if (isSame) return [];
    const { title } = caseOf(seed, from + i, keys);
    if (LISTED.some((listed) => listed.title.test(title))) return [];
    const outcomes = Object.fromEntries(
      Object.entries(platforms).map(([name, all]) => [name, all[i]!]),
    );
    return [{ title: `case ${from + i}: ${title}`, outcomes }];
  });
}
