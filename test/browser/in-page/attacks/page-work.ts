import type { Sealwright } from '../../../../src/client/page-api.ts';
import { namedGroup } from '../../../../src/crypto/classical/dh-groups.ts';
import { OID, writePkcs8 } from '../../../../src/subtle/algorithms/classical-keys.ts';
import { toBytes } from '../../../../src/crypto/bigint/integers.ts';
import { endlessDsaKey } from '../../../support/samples/endless-dsa.ts';

/*
 * Calls of `subtle` whose work a page chooses, as JSON, and the function that makes them in a page.
 */

/** A number of zeros as bytes, these bytes, or a decimal as a bigint. */
type Value = string | number | { $zeros: number } | { $bytes: number[] } | { $bigint: string };

/** One call. `derive` and `sign` import their key first, which is no part of the call. */
export interface WorkCall {
  readonly title: string;
  readonly kind: 'derive' | 'generate' | 'sign';
  readonly algorithm: Readonly<Record<string, Value>> & { readonly name: string };
  readonly length?: number;
  readonly pkcs8?: readonly number[];
  readonly data?: readonly number[];
}

/** What a page holds of its calls: how each ended, by its number. */
export interface WorkPage {
  readonly sealwright: { readonly subtle: SubtleCrypto; status(): Promise<unknown> };
  began: number;
  ended: Record<number, { readonly name: string; readonly message: string }>;
}

const ARGON2 = { name: 'Argon2id', memory: 1024, passes: 1, parallelism: 1, nonce: { $zeros: 16 } };
const SCRYPT = { name: 'scrypt', salt: { $zeros: 16 }, N: 2 ** 18, r: 8, p: 2 };
const PBKDF2 = { name: 'PBKDF2', hash: 'SHA-256', salt: { $zeros: 16 }, iterations: 5_000_000 };
const HKDF = { name: 'HKDF', hash: 'SHA3-256', salt: { $zeros: 0 }, info: { $zeros: 1_000_000 } };

/** Safe primes whose squares as generators are no known group. */
function ownGroup(name: 'ffdhe4096' | 'ffdhe8192') {
  const { p } = namedGroup(name);
  const numbers = { p, g: 4n, q: (p - 1n) / 2n };
  const decimals = Object.entries(numbers).map(([key, n]) => [key, { $bigint: String(n) }]);
  return { name: 'DH', ...(Object.fromEntries(decimals) as Record<string, Value>) };
}

function derive(title: string, algorithm: WorkCall['algorithm'], length = 256): WorkCall {
  return { title, kind: 'derive', algorithm, length };
}

/** The most of each kind that is accepted, about a second and more of work. */
export const WORST: readonly WorkCall[] = [
  derive('Argon2id', { ...ARGON2, memory: 250_000, passes: 4, parallelism: 16 }),
  derive('scrypt', SCRYPT),
  derive('PBKDF2', PBKDF2),
  derive('PBKDF2 with SHA-3', { ...PBKDF2, hash: 'SHA3-256', iterations: 1_000_000 }),
  derive('HKDF with SHA-3', HKDF, 255 * 256),
  { title: 'a group of DH', kind: 'generate', algorithm: ownGroup('ffdhe4096') },
];

/** More than is accepted. */
export const BEYOND: readonly WorkCall[] = [
  derive('parallelism', { ...ARGON2, memory: 262_144, passes: 8, parallelism: 17 }),
  derive('passes', { ...ARGON2, passes: 17 }),
  derive('nonce', { ...ARGON2, memory: 262_144, passes: 8, nonce: { $zeros: 7 } }),
  derive('memory', { ...ARGON2, memory: 262_145 }),
  derive('blocks', { ...ARGON2, memory: 262_144, passes: 8 }),
  derive('a long tag', { ...ARGON2, memory: 262_144 }, 16_384),
  derive('N r p', { ...SCRYPT, p: 16 }),
  derive('p', { ...SCRYPT, N: 1024, p: 17 }),
  derive('N', { ...SCRYPT, N: 2 ** 20, p: 1 }),
  derive('iterations', { ...PBKDF2, iterations: 10_000_000 }),
  derive('blocks of the result', PBKDF2, 264),
  derive('iterations of SHA-3', { ...PBKDF2, hash: 'SHA3-256', iterations: 10_000_000 }),
  derive('salt', { ...PBKDF2, iterations: 1, salt: { $zeros: 4_000_000 } }, 2 ** 20),
  derive('info', { ...HKDF, info: { $zeros: 4_000_000 } }, 255 * 256),
  { title: 'a group', kind: 'generate', algorithm: ownGroup('ffdhe8192') },
  {
    title: 'a modulus',
    kind: 'generate',
    algorithm: {
      name: 'RSA-OAEP',
      hash: 'SHA-256',
      modulusLength: 8192,
      publicExponent: { $bytes: [1, 0, 1] },
    },
  },
  {
    title: 'a key of HMAC',
    kind: 'generate',
    algorithm: { name: 'HMAC', hash: 'SHA-256', length: 2 ** 32 - 8 },
  },
];

/** A signature that no nonce gives. */
export function endlessSignature(): WorkCall {
  const data = new TextEncoder().encode('without end');
  const { p, q, g, x } = endlessDsaKey(data);
  const pkcs8 = writePkcs8({ oid: OID.dsa, params: [p, q, g], value: toBytes(x) });
  const algorithm = { name: 'DSA', hash: 'SHA-256' };
  return { title: 'DSA', kind: 'sign', algorithm, pkcs8: [...pkcs8], data: [...data] };
}

/** In the page: begins all calls, and returns when they are under way. */
export async function begin(calls: readonly WorkCall[]): Promise<void> {
  const page = globalThis as unknown as WorkPage;
  const { subtle } = page.sealwright;
  const revived = (value: Value): unknown => {
    if (typeof value !== 'object') return value;
    if ('$zeros' in value) return new Uint8Array(value.$zeros);
    return '$bytes' in value ? Uint8Array.from(value.$bytes) : BigInt(value.$bigint);
  };
  const prepared = calls.map(async ({ kind, algorithm, length, pkcs8, data }) => {
    const params = Object.fromEntries(
      Object.entries(algorithm).map(([name, value]) => [name, revived(value)]),
    ) as never;
    if (kind === 'generate') {
      const usages = algorithm.name === 'HMAC' ? ['sign'] : ['deriveBits'];
      const wanted = algorithm.name === 'RSA-OAEP' ? ['encrypt'] : usages;
      return () => subtle.generateKey(params, true, wanted as KeyUsage[]);
    }
    if (kind === 'derive') {
      const key = await subtle.importKey('raw', new Uint8Array(9), algorithm.name, false, [
        'deriveBits',
      ]);
      return () => subtle.deriveBits(params, key, length);
    }
    const key = await subtle.importKey('pkcs8', Uint8Array.from(pkcs8!), params, false, ['sign']);
    return () => subtle.sign(params, key, Uint8Array.from(data!));
  });
  const works: (() => Promise<unknown>)[] = await Promise.all(prepared);
  page.began = works.length;
  page.ended = {};
  works.forEach((work, i) => {
    const end = ({ name, message }: { name: string; message: string }) =>
      (page.ended[i] = { name, message });
    void work().then(() => end({ name: 'none', message: '' }), end);
  });
}

/** In the page, which may seal, open and make MACs: begins what is longest in the background, of so many bytes. */
export async function beginLongest(bytes: number): Promise<void> {
  const page = globalThis as unknown as Omit<WorkPage, 'sealwright'> & { sealwright: Sealwright };
  const { sealwright } = page;
  const [data, text] = [new Uint8Array(bytes), 'x'.repeat(bytes)];
  const [sealed, armored] = [await sealwright.seal(data), await sealwright.sealText(text)];
  const works = [
    () => sealwright.mac(data),
    () => sealwright.sealText(text),
    () => sealwright.openText(armored),
    () => sealwright.rewrap(sealed),
    () => sealwright.rewrapMany([sealed]),
    () => sealwright.inspect(armored),
  ];
  page.began = works.length;
  page.ended = {};
  works.forEach((work, i) => {
    const end = ({ name, message }: { name: string; message: string }) =>
      (page.ended[i] = { name, message });
    void work().then(() => end({ name: 'none', message: '' }), end);
  });
}
