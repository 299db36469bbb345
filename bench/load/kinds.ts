import { NS_PER_MS } from '../../src/crypto/subtle/prices.ts';
import type { Lengths, RegisteredOperation } from '../../src/crypto/subtle/row.ts';
import { rowOf } from '../../src/crypto/subtle/table.ts';
import { publicKeyText } from '../../src/format/wire/public-key.ts';
import { HASHES } from '../../src/service/subtle/platform-calls.ts';
import { PLANS, type AlgorithmPlan } from '../../test/browser/in-page/attacks/all-calls.ts';
import {
  BEYOND,
  endlessSignature,
  type WorkCall,
} from '../../test/browser/in-page/attacks/page-work.ts';

type Argument = string | number | Readonly<Record<string, string>>;

/** What pages do, as JSON: without a grant, unless it says which. */
export type LoadCall =
  | {
      readonly kind: 'subtle';
      readonly plan: AlgorithmPlan;
      /** One after the other. */
      readonly methods: readonly string[];
    }
  | {
      readonly kind: 'page';
      readonly method: string;
      /** Of the browser itself, for comparison: its `crypto.subtle`. Absent: of the extension. */
      readonly of?: 'browser';
      /** Of the first argument, for the browser of the last. Absent for a method without data. */
      readonly dataBytes?: number;
      /** The method that makes the data of so many bytes. Absent: they are zeros. */
      readonly madeBy?: 'seal' | 'sealText';
      /** Beside it; bytes as how many zeros, and text as what is repeated. */
      readonly args: readonly (
        Argument | { readonly $zeros: number } | { readonly $repeated: string; times: number }
      )[];
      /** What the user allows before. */
      readonly granted?: readonly string[];
    }
  /** Once; all others again and again. */
  | { readonly kind: 'work'; readonly work: WorkCall };

/** How many calls of each page are under way, and the pages, each of an origin of its own. */
export interface Combination {
  readonly calls: number;
  readonly origins: number;
}

/** A kind of call, and in which combinations it is measured. */
export interface Kind {
  readonly title: string;
  readonly call: LoadCall;
  readonly combinations: readonly Combination[];
}

const ALL: readonly Combination[] = [1, 4].flatMap((origins) =>
  [1, 16, 400].map((calls) => ({ calls, origins })),
);
/** The one that is worst for others, if any is. */
const MOST: readonly Combination[] = [{ calls: 400, origins: 4 }];

/** From which price a kind of call is measured in all combinations. */
const EXPENSIVE_MS = 50;
/** The platform does these in the background itself (src/service/subtle/platform-calls.ts). */
const OF_PLATFORM: Readonly<Record<string, RegExp>> = {
  encrypt: /^AES-(?:GCM|CBC|CTR)$/,
  decrypt: /^AES-(?:GCM|CBC|CTR)$/,
  sign: /^HMAC$/,
  verify: /^HMAC$/,
  digest: new RegExp(`^(?:${HASHES.join('|')})$`),
};

/** The methods that a page calls of each operation. */
const METHODS: Readonly<Partial<Record<RegisteredOperation, readonly string[]>>> = {
  deriveBits: ['deriveBits', 'deriveKey'],
  encapsulate: ['encapsulateBits', 'encapsulateKey'],
  decapsulate: ['decapsulateBits', 'decapsulateKey'],
  getKeyLength: [],
};
/** Those that read a key of any algorithm. */
const OF_KEYS = ['exportKey', 'wrapKey', 'unwrapKey', 'getPublicKey'];

/** Of the largest keys that a page can make or bring. */
const LARGEST: Lengths = {
  members: {},
  hash: 'SHA-512',
  derivedBytes: 255 * 32,
  keyDataBytes: 2400,
  pairIn: 'jwk',
  modulusBits: 4096,
  exponentBits: 24,
  group: () => ({
    modulusBits: 8192,
    orderBits: undefined,
    subgroupBits: undefined,
    isNamed: true,
  }),
};

/** What effort.ts charges for an operation of a plan, about: it decides how often it is measured, and nothing else. */
function priceMs({ name, params }: AlgorithmPlan, operation: RegisteredOperation): number {
  const price = rowOf(name)?.prices?.[operation] ?? 0;
  if (typeof price === 'number') return price / NS_PER_MS;
  const members = Object.entries(params[operation] ?? {}).flatMap(([member, value]) => {
    if (typeof value === 'number') return [[member, value] as const];
    return typeof value === 'object' && '$zeros' in value ? [[member, value.$zeros] as const] : [];
  });
  return price({ ...LARGEST, members: Object.fromEntries(members) }) / NS_PER_MS;
}

/** Each algorithm: the expensive methods and those of the platform alone, the others one after the other. */
function subtleKinds(plan: AlgorithmPlan): Kind[] {
  const { name, operations } = plan;
  const each = operations.flatMap((operation) => {
    const isExpensive = priceMs(plan, operation) >= EXPENSIVE_MS;
    return (METHODS[operation] ?? [operation]).map((method) => ({
      method,
      isAlone: isExpensive || OF_PLATFORM[method]?.test(name) === true,
    }));
  });
  const kind = (title: string, methods: readonly string[], combinations: Kind['combinations']) => ({
    title: `${name}: ${title}`,
    call: { kind: 'subtle', plan, methods } as const,
    combinations,
  });
  const alone = each.flatMap(({ method, isAlone }) => (isAlone ? method : []));
  const others = each.flatMap(({ method, isAlone }) => (isAlone ? [] : method));
  const kinds = alone.map((method) => kind(method, [method], ALL));
  if (others.length === 0) return kinds;
  const title = alone.length === 0 ? 'every method' : `every method but ${alone.join(', ')}`;
  return [...kinds, kind(title, [...new Set([...others, ...OF_KEYS])], MOST)];
}

const MIB = 2 ** 20;
/** The base point (RFC 8032, section 5.1). */
const PUBLIC_KEY = publicKeyText({
  type: 'Ed25519',
  bytes: Uint8Array.from({ length: 32 }, (_, i) => (i === 0 ? 0x58 : 0x66)),
});

/** Methods beside `subtle` that need no grant, and some that are refused without one. */
function pageKinds(): Kind[] {
  const kind = (
    method: string,
    args: Extract<LoadCall, { kind: 'page' }>['args'],
    combinations: readonly Combination[],
    dataBytes?: number,
  ): Kind => {
    const title = [method, ...args.map((arg) => JSON.stringify(arg))].join(' ');
    const call = { kind: 'page', method, args, ...(dataBytes && { dataBytes }) } as const;
    return { title, call, combinations };
  };
  const refused = ['open', 'seal', 'rewrap', 'sign'];
  const short = ['status', 'grants', 'keys', 'randomUUID'];
  return [
    {
      title: 'none: four pages hash by the browser alone',
      call: {
        kind: 'page',
        of: 'browser',
        method: 'digest',
        args: ['SHA-512'],
        dataBytes: 16 * MIB,
      },
      // More at once block the pages for minutes.
      combinations: [{ calls: 1, origins: 4 }],
    },
    kind('random', [MIB], ALL),
    // Refused, when its bytes have arrived.
    kind('mac', [], ALL, 16 * MIB),
    kind('inspect', [], ALL, 16 * MIB),
    {
      ...kind('inspect', [{ $repeated: 'swt1a ', times: 14 * MIB }], [{ calls: 2, origins: 2 }]),
      title: 'inspect 84 MiB of web armor with white space',
    },
    ...[16, 64].map((mib) => {
      const args = [{ $zeros: 64 }, { publicKey: PUBLIC_KEY }];
      const title = `verify ${mib} MiB by a public key`;
      return { ...kind('verify', args, ALL, mib * MIB), title };
    }),
    ...refused.map((method) => kind(method, [], MOST, 16 * MIB)),
    ...short.map((method) => kind(method, [], MOST)),
  ];
}

/** The longest messages that a page with a grant has the background work on. */
function grantedKinds(): Kind[] {
  const dataBytes = 64 * MIB;
  const calls = [
    { method: 'mac', args: [], dataBytes },
    { method: 'sealText', args: [{ $repeated: 'x', times: dataBytes }] },
    { method: 'openText', args: [], dataBytes, madeBy: 'sealText' },
    { method: 'rewrap', args: [], dataBytes, madeBy: 'seal' },
  ] as const;
  return calls.map((call) => ({
    title: `with a grant: ${call.method} 64 MiB`,
    call: { kind: 'page', granted: ['seal', 'open', 'mac'], ...call },
    combinations: [1, 4].map((origins) => ({ calls: 4, origins })),
  }));
}

/** More than a call may ask for. */
const REFUSED: readonly Kind[] = [...BEYOND, endlessSignature()].map((work) => ({
  title: `refused: ${work.kind}, ${work.title}`,
  call: { kind: 'work', work },
  combinations: MOST,
}));

/** All kinds: every method of `subtle` with every algorithm, and the rest that pages have. */
export const KINDS: readonly Kind[] = [
  ...PLANS.flatMap(subtleKinds),
  ...pageKinds(),
  ...grantedKinds(),
  ...REFUSED,
];
