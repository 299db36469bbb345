import { AEAD_DEFINITIONS } from '../../src/subtle/algorithms/aead.ts';
import { DIGESTS } from '../../src/subtle/algorithms/digests.ts';
import {
  BEYOND,
  endlessSignature,
  WORST,
  type WorkCall,
} from '../../test/browser/in-page/attacks/page-work.ts';

/** A call of a page without a grant, as JSON. `share`: of the data that a run gives a call. */
export type LoadCall =
  | { readonly title: string; readonly kind: 'work'; readonly work: WorkCall }
  | {
      readonly title: string;
      readonly kind: 'digest';
      readonly name: string;
      readonly share: number;
    }
  | {
      readonly title: string;
      readonly kind: 'encrypt';
      readonly name: string;
      readonly bits: number;
      readonly ivBytes: number;
      readonly share: number;
    }
  | {
      readonly title: string;
      readonly kind: 'page';
      readonly method: string;
      /** Beside the data, which comes first. */
      readonly args: readonly unknown[];
    };

const HASHES = ['SHA-1', 'SHA-256', 'SHA-384', 'SHA-512', 'SHA3-256', 'SHA3-384', 'SHA3-512'];

const work = (call: WorkCall): LoadCall => ({
  title: `${call.kind} ${call.title}`,
  kind: 'work',
  work: call,
});

function derive(title: string, algorithm: WorkCall['algorithm'], length = 256): LoadCall {
  return work({ title, kind: 'derive', algorithm, length });
}

function generate(title: string, algorithm: WorkCall['algorithm']): LoadCall {
  return work({ title, kind: 'generate', algorithm });
}

const salt = { $zeros: 16 };

/** Costs of page derivations, from cheap to what is accepted and beyond. */
function derivations(): LoadCall[] {
  const argon2 = [8, 16, 64, 128, 250].flatMap((mib) =>
    [1, 4].flatMap((passes) =>
      [1, 4, 16].map((parallelism) =>
        derive(`Argon2id, ${mib} MiB, ${passes} passes, parallelism ${parallelism}`, {
          name: 'Argon2id',
          memory: mib * 1000,
          passes,
          parallelism,
          nonce: salt,
        }),
      ),
    ),
  );
  const scrypt = [14, 16, 17, 18].flatMap((log) =>
    [1, 2, 4, 8, 16].map((p) =>
      derive(`scrypt, N = 2^${log}, p = ${p}`, { name: 'scrypt', salt, N: 2 ** log, r: 8, p }),
    ),
  );
  const pbkdf2 = HASHES.flatMap((hash) =>
    [10_000, 100_000, 1_000_000, 2_000_000, 5_000_000].map((iterations) =>
      derive(`PBKDF2, ${hash}, ${iterations} iterations`, {
        name: 'PBKDF2',
        hash,
        salt,
        iterations,
      }),
    ),
  );
  const hkdf = HASHES.flatMap((hash) =>
    [1_000, 1_000_000].map((info) =>
      derive(
        `HKDF, ${hash}, ${info} bytes of info`,
        {
          name: 'HKDF',
          hash,
          salt,
          info: { $zeros: info },
        },
        20 * 256,
      ),
    ),
  );
  return [...argon2, ...scrypt, ...pbkdf2, ...hkdf];
}

function keys(): LoadCall[] {
  const rsa = ['RSA-OAEP', 'RSA-PSS', 'RSASSA-PKCS1-v1_5'].flatMap((name) =>
    [2048, 3072, 4096].map((modulusLength) =>
      generate(`${name}, ${modulusLength} bits`, {
        name,
        hash: 'SHA-256',
        modulusLength,
        publicExponent: { $bytes: [1, 0, 1] },
      }),
    ),
  );
  const hmac = HASHES.flatMap((hash) =>
    [256, 2 ** 20].map((length) =>
      generate(`HMAC, ${hash}, ${length} bits`, { name: 'HMAC', hash, length }),
    ),
  );
  const elliptic = ['P-256', 'P-384', 'P-521'].map((namedCurve) =>
    generate(`ECDH, ${namedCurve}`, { name: 'ECDH', namedCurve }),
  );
  return [...rsa, ...hmac, ...elliptic, generate('X25519', { name: 'X25519' })];
}

/** All data, and little of it. */
const SHARES = [1, 1 / 64];

function digests(): LoadCall[] {
  return DIGESTS.flatMap(({ name }) =>
    SHARES.map((share): LoadCall => {
      return { title: `digest ${name}, share ${share}`, kind: 'digest', name, share };
    }),
  );
}

function ciphers(): LoadCall[] {
  return AEAD_DEFINITIONS.flatMap(({ name }) => {
    const ivBytes = name.startsWith('X') ? 24 : 12;
    return [128, 256].flatMap((bits) =>
      SHARES.map((share): LoadCall => {
        const title = `encrypt ${name}, ${bits} bits, share ${share}`;
        return { title, kind: 'encrypt', name, bits, ivBytes, share };
      }),
    );
  }).filter(({ title }) => !/ChaCha.*128 bits/.test(title));
}

/** Methods beside `subtle` that need no grant, and some that are refused without one. */
function pageCalls(): LoadCall[] {
  const call = (method: string, ...args: unknown[]): LoadCall => {
    return {
      title: [method, ...args.map((arg) => JSON.stringify(arg))].join(' '),
      kind: 'page',
      method,
      args,
    };
  };
  const plain = ['seal', 'open', 'inspect', 'mac', 'rewrap', 'sign'].map((name) => call(name));
  const times = ['status', 'grants', 'keys', 'randomUUID'].map((name) => call(name));
  return [...plain, ...times, call('seal', { pad: true }), call('seal', { key: 'unknown' })];
}

/** All kinds; a run of the figure takes at least 200 of them. */
export const KINDS: readonly LoadCall[] = [
  ...[...WORST, ...BEYOND, endlessSignature()].map(work),
  ...derivations(),
  ...keys(),
  ...digests(),
  ...ciphers(),
  ...pageCalls(),
];
