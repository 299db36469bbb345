import { AEADS, type AeadName } from '../../../../src/crypto/algorithms.ts';
import type { Member, RegisteredOperation } from '../../../../src/crypto/subtle/row.ts';
import { ALGORITHMS, rowOf } from '../../../../src/crypto/subtle/table.ts';
import { largeDsaKey } from '../../../support/samples/dsa-key.ts';
import { hex } from '../../../support/vectors.ts';
import type { WorkCall } from './page-work.ts';

/*
 * Every method of `subtle` with every algorithm, each with the most that one call may ask for, as JSON, and the function
 * that makes the calls in a page.
 */

type Value = WorkCall['algorithm'][string];
type Params = WorkCall['algorithm'];

/** The calls of one algorithm. */
export interface AlgorithmPlan {
  readonly name: string;
  readonly operations: readonly RegisteredOperation[];
  /** What the operations read. */
  readonly params: Readonly<Partial<Record<RegisteredOperation, Params>>>;
  /** Of a message. */
  readonly dataBytes: number;
}

const zeros = (length: number): Value => ({ $zeros: length });
const MIB = 2 ** 20;

/** The most that each member may be, by its name; those that are not here are left out if they may be. */
const MOST: Readonly<Record<string, Value>> = {
  counter: zeros(16),
  group: 'ffdhe8192',
  hash: 'SHA-512',
  info: zeros(MIB),
  iterations: 2_500_000,
  length: 256,
  memory: 250_000,
  modulusLength: 4096,
  N: 2 ** 18,
  namedCurve: 'P-521',
  nonce: zeros(16),
  outputLength: 8 * MIB,
  p: 2,
  parallelism: 16,
  passes: 4,
  publicExponent: { $bytes: [1, 0, 1] },
  r: 8,
  salt: zeros(16),
  saltLength: 64,
};
/** Members whose value depends on the algorithm. */
const OF_ALGORITHM: Readonly<Record<string, Readonly<Record<string, Value>>>> = {
  'AES-CTR': { length: 64 },
  'AES-CBC': { iv: zeros(16) },
  DSA: Object.fromEntries(
    ['p', 'q', 'g'].map((name) => [name, { $bytes: [...hex(largeDsaKey, name)] }]),
  ),
  ECDSA: { hash: 'SHA-512' },
  PBKDF2: { hash: 'SHA-512' },
  HKDF: { hash: 'SHA-256' },
  Salsa20: { iv: zeros(8) },
};

function valueOf(name: string, operation: string, member: Member): Value | undefined {
  if (member.type === 'refused') return undefined;
  const isKey = operation === 'generateKey';
  const own = name === 'AES-CTR' && isKey ? undefined : OF_ALGORITHM[name]?.[member.name];
  if (own !== undefined) return own;
  if (member.name === 'iv') {
    const { min, max } = AEADS[name as AeadName].nonceBytes;
    // CCM has as many bytes less for the length of the message.
    return zeros(name === 'AES-CCM' ? 11 : Math.max(min, Math.min(12, max)));
  }
  const isWanted = member.isRequired || member.name === 'group';
  return isWanted ? MOST[member.name] : undefined;
}

/** Of all algorithms of the table. */
export const PLANS: readonly AlgorithmPlan[] = Object.keys(ALGORITHMS).map((name) => {
  const { operations, isHazardous } = rowOf(name)!;
  const params = Object.entries(operations).map(([operation, members]) => {
    const given = members.flatMap((member) => {
      const value = valueOf(name, operation, member);
      return value === undefined ? [] : [[member.name, value] as const];
    });
    const flag = isHazardous ? { hazardous: true } : {};
    return [operation, { name, ...Object.fromEntries(given), ...flag }] as const;
  });
  return {
    name,
    operations: Object.keys(operations) as RegisteredOperation[],
    params: Object.fromEntries(params),
    // What is encrypted is up to a block longer, and decrypted again.
    dataBytes: name === 'RSA-OAEP' ? 100 : 16 * MIB - 16,
  };
});

/** How the calls of an algorithm ended: the method, and the error's name or "none". */
export type Ended = readonly (readonly [method: string, outcome: string])[];

export interface AllCallsPage {
  readonly sealwright: { readonly subtle: SubtleCrypto; status(): Promise<unknown> };
  ended?: Ended;
  /** Of methods that are kept under way: calls so far, how many are answered, and with an error. */
  sustained?: { began: number; answered: number; refused: number };
}

/** What `beginAll` keeps under way. */
export interface Sustained {
  readonly methods: readonly string[];
  /** Each of them. */
  readonly forMs: number;
}

/**
 * In the page: begins the calls of an algorithm, one method after the other, `atOnce` of each.
 * `ended` is there when they are over.
 *
 * @param sustained after one call of each method, `atOnce` of these are under way for so long; absent: each is called so often
 */
export function beginAll(plan: AlgorithmPlan, atOnce: number, sustained?: Sustained): void {
  const page = globalThis as unknown as AllCallsPage;
  type Method = (...args: unknown[]) => Promise<unknown>;
  const subtle = page.sealwright.subtle as unknown as Readonly<Record<string, Method>>;
  const revived = (value: Value): unknown => {
    if (typeof value !== 'object') return value;
    if ('$zeros' in value) return new Uint8Array(value.$zeros);
    return '$bytes' in value ? Uint8Array.from(value.$bytes) : BigInt(value.$bigint);
  };
  const paramsOf = (operation: RegisteredOperation): Record<string, unknown> => {
    const given = plan.params[operation] ?? { name: plan.name };
    return Object.fromEntries(Object.entries(given).map(([key, value]) => [key, revived(value)]));
  };
  const has = (operation: RegisteredOperation) => plan.operations.includes(operation);
  const data = new Uint8Array(plan.dataBytes);
  const ended: (readonly [string, string])[] = [];
  const counts = { began: 0, answered: 0, refused: 0 };
  /** So many calls under way at any time; a refused one is repeated after a moment. */
  const sustain = (call: () => Promise<unknown>, forMs: number): Promise<unknown> => {
    page.sustained = counts;
    const until = performance.now() + forMs;
    const loop = async () => {
      while (performance.now() < until) {
        counts.began++;
        const isDone = await call().then(
          () => true,
          () => false,
        );
        counts.answered++;
        if (isDone) continue;
        counts.refused++;
        await new Promise((resume) => setTimeout(resume, 20));
      }
    };
    return Promise.all(Array.from({ length: atOnce }, loop));
  };
  /** @returns what the first of them gave, undefined where it was refused */
  const take = async <T>(method: string, ...args: unknown[]): Promise<T | undefined> => {
    const call = () => subtle[method]!(...args);
    const begun = Array.from({ length: sustained ? 1 : atOnce }, call);
    const [first] = await Promise.allSettled(begun);
    const isDone = first!.status === 'fulfilled';
    ended.push([method, isDone ? 'none' : (first!.reason as Error).name]);
    if (sustained?.methods.includes(method)) await sustain(call, sustained.forMs);
    return isDone ? (first!.value as T) : undefined;
  };
  interface Pair {
    readonly privateKey?: unknown;
    readonly publicKey?: unknown;
  }
  const usages = [
    ...(has('encrypt') ? ['encrypt', 'decrypt'] : []),
    ...(has('wrapKey') ? ['wrapKey', 'unwrapKey'] : []),
    ...(has('sign') ? ['sign', 'verify'] : []),
    ...(has('deriveBits') ? ['deriveBits', 'deriveKey'] : []),
    ...(has('encapsulate')
      ? ['encapsulateBits', 'encapsulateKey', 'decapsulateBits', 'decapsulateKey']
      : []),
  ];
  const hmac = { name: 'HMAC', hash: 'SHA-512' };
  const aes = { name: 'AES-GCM', length: 256 };

  /** What a key is read from and written to, wrapped too. */
  const moveKey = async (key: unknown, isPair: boolean, ofPrivate: readonly string[]) => {
    const format = isPair ? 'pkcs8' : 'raw-secret';
    for (const each of [format, 'jwk']) {
      const bytes = await take('exportKey', each, key);
      if (bytes !== undefined) {
        await take('importKey', each, bytes, paramsOf('importKey'), true, ofPrivate);
      }
    }
    const wrapping = await subtle['generateKey']!(aes, false, ['wrapKey', 'unwrapKey']);
    const how = { name: 'AES-GCM', iv: new Uint8Array(12) };
    const wrapped = await take('wrapKey', 'jwk', key, wrapping, how);
    if (wrapped === undefined) return;
    const args = [wrapping, how, paramsOf('importKey'), true, ofPrivate];
    await take('unwrapKey', 'jwk', wrapped, ...args);
  };

  const ofKey = async (own: unknown, other: unknown, isPair: boolean) => {
    if (isPair) {
      await take(
        'getPublicKey',
        own,
        usages.filter((one) => /^(?:encrypt|verify|wrap|encaps)/.test(one)),
      );
    }
    if (has('encrypt')) {
      const sealed = await take('encrypt', paramsOf('encrypt'), other, data);
      if (sealed !== undefined) await take('decrypt', paramsOf('decrypt'), own, sealed);
    }
    if (has('wrapKey')) {
      const inner = await subtle['generateKey']!(aes, true, ['encrypt']);
      const wrapped = await take('wrapKey', 'raw', inner, other, paramsOf('wrapKey'));
      const rest = [own, paramsOf('unwrapKey'), aes, true, ['encrypt']];
      if (wrapped !== undefined) await take('unwrapKey', 'raw', wrapped, ...rest);
    }
    if (has('sign')) {
      const tag = await take('sign', paramsOf('sign'), own, data);
      if (tag !== undefined) await take('verify', paramsOf('verify'), other, tag, data);
    }
    if (has('deriveBits')) {
      const how = { ...paramsOf('deriveBits'), ...(isPair && { public: other }) };
      const length = plan.name === 'HKDF' ? 255 * 256 : 256;
      await take('deriveBits', how, own, isPair ? null : length);
      await take('deriveKey', how, own, aes, true, ['encrypt']);
    }
    if (has('encapsulate')) {
      const bits = await take<{ ciphertext: unknown }>(
        'encapsulateBits',
        { name: plan.name },
        other,
      );
      const rest = [hmac, true, ['sign']];
      await take('encapsulateKey', { name: plan.name }, other, ...rest);
      if (bits === undefined) return;
      await take('decapsulateBits', { name: plan.name }, own, bits.ciphertext);
      await take('decapsulateKey', { name: plan.name }, own, bits.ciphertext, ...rest);
    }
  };

  const all = async () => {
    if (has('digest')) {
      await take('digest', paramsOf('digest'), data);
      return;
    }
    if (!has('generateKey')) {
      const key = await take(
        'importKey',
        'raw-secret',
        new Uint8Array(64),
        paramsOf('importKey'),
        false,
        usages,
      );
      await ofKey(key, key, false);
      return;
    }
    const made = await take<Pair>('generateKey', paramsOf('generateKey'), true, usages);
    if (made === undefined) return;
    const { privateKey = made, publicKey = made } = made;
    const isPair = made.privateKey !== undefined;
    const ofPrivate = (privateKey as CryptoKey).usages;
    await moveKey(privateKey, isPair, ofPrivate);
    await ofKey(privateKey, publicKey, isPair);
  };
  void all()
    .catch((error: unknown) => ended.push(['a call that prepares', String(error)]))
    .finally(() => (page.ended = ended));
}
