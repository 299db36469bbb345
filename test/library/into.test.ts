/*
 * A result that is written over inputs: whatever `into` overlaps, the bytes are those without it. All inputs of a call
 * are in one buffer, and `into` begins up to 80 bytes before or after one of them.
 */
import { expect } from 'chai';
import fc from 'fast-check';
import ts from 'typescript';
import { defaultRegistry } from '../../src/engine/default-engines.ts';
import { threadsEngine } from '../../src/engine/threads/threads.ts';
import * as algorithms from '../../src/library/algorithms.ts';
import type { AeadKey, AlgorithmOptions, SivKey } from '../../src/library/algorithms.ts';
import { createSubtle } from '../../src/library/subtle.ts';
import type {
  Subtle,
  SubtleAlgorithm,
  SubtleKey,
  SubtleKeyPair,
} from '../../src/library/subtle.ts';
import { DEFINITIONS } from '../../src/subtle/algorithms/table.ts';
import { wasmFolder } from '../algorithms/wasm-folder.ts';
import type { WasmFolder } from '../algorithms/wasm-folder.ts';
import { WorkersHere } from '../engine/threads/pool-workers.ts';
import { inDepth } from '../support/depth.ts';
import { IS_NIGHTLY } from '../support/nightly.ts';
import { randomBytes } from '../support/random-bytes.ts';
import { loadWasm } from '../support/wasm.ts';
import { membersOf, publicDeclarations } from './public-types.ts';

type Bytes = Uint8Array<ArrayBuffer>;
type Operation = 'encrypt' | 'decrypt';

const PARTS = ['key', 'iv', 'additionalData', 'data'] as const;
/** The inputs of a call, by name. */
type Inputs = Readonly<Record<(typeof PARTS)[number], Bytes>>;

/** A cipher and its sizes, in bytes. */
interface Cipher {
  readonly keyBytes: number;
  readonly ivBytes: number;
  /** The parameters of one message. */
  readonly params: (inputs: Inputs) => object;
  /** How much longer a ciphertext is, at most. */
  readonly growth: number;
  /** Messages are multiples of this; 1 if absent. */
  readonly multiple?: number;
  /** The longest message, if it is short. */
  readonly maxBytes?: number;
  /** Decryption needs room for the padding, too. */
  readonly isPadded?: boolean;
  readonly isAuthenticated?: boolean;
  /** Each encryption of a message gives another ciphertext. */
  readonly isRandomized?: boolean;
}

function aead(keyBytes: number, ivBytes: number): Cipher {
  const params = ({ iv, additionalData }: Inputs) => ({ iv, additionalData });
  return { keyBytes, ivBytes, params, growth: 16, isAuthenticated: true };
}

const GCM = aead(16, 12);
const OCB = aead(32, 15);
/** 11 bytes of nonce leave 4 for the length. */
const CCM = aead(24, 11);
const GCM_SIV = aead(32, 12);
const CHACHA = aead(32, 12);
const XCHACHA = aead(32, 24);
const SIV: Cipher = {
  ...aead(32, 16),
  params: ({ iv, additionalData }) => ({ additionalData: [additionalData, iv] }),
};

/** What `encrypt` and `decrypt` of `sealwright/subtle` have. */
const OF_SUBTLE: Readonly<Record<string, Cipher>> = {
  'AES-GCM': GCM,
  'AES-OCB': OCB,
  'AES-CCM': CCM,
  'AES-GCM-SIV': GCM_SIV,
  'ChaCha20-Poly1305': CHACHA,
  'XChaCha20-Poly1305': XCHACHA,
  'AES-SIV': SIV,
  'AES-CTR': {
    keyBytes: 16,
    ivBytes: 16,
    params: ({ iv }) => ({ counter: iv, length: 64 }),
    growth: 0,
  },
  'AES-CBC': {
    keyBytes: 32,
    ivBytes: 16,
    params: ({ iv }) => ({ iv }),
    growth: 16,
    isPadded: true,
  },
  'AES-ECB': { keyBytes: 16, ivBytes: 0, params: () => ({}), growth: 0, multiple: 16 },
  Salsa20: { keyBytes: 32, ivBytes: 8, params: ({ iv }) => ({ iv }), growth: 0 },
  'RSA-OAEP': {
    keyBytes: 0,
    ivBytes: 0,
    params: ({ additionalData }) => ({ label: additionalData }),
    growth: 256,
    maxBytes: 190,
    isPadded: true,
    isAuthenticated: true,
    isRandomized: true,
  },
};

/** The functions of `sealwright/algorithms` whose keys encrypt. */
const SINGLE = {
  aesGcm: GCM,
  aesOcb: OCB,
  aesCcm: CCM,
  aesGcmSiv: GCM_SIV,
  aesSiv: SIV,
  aegis128l: aead(16, 16),
  aegis256: aead(32, 32),
  chacha20Poly1305: CHACHA,
  xchacha20Poly1305: XCHACHA,
} as const satisfies Readonly<Record<string, Cipher>>;

/** Where a result may be written, by what a member or parameter is called. */
const RECEIVERS = /^(into|to|out|output|target|dest|destination|buffer|result)$/;

const RUNS = IS_NIGHTLY ? 20_000 : inDepth(16, 8);

/** Blocks, pairs and groups of them; then buffers of 64 KiB. Each length is one of the data or of the plaintext. */
const SHORT = [0, 1, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 129, 255, 257];
const LONG = [4095, 4097, 65_535, 65_536, 65_537, 65_700];
/** From which on `auto` shares messages between threads. */
const VERY_LONG = [0x10_0000 - 1, 0x10_0000, 0x10_0000 + 17];

/** Messages, nonces and what lies between them, for all calls. */
const POOL = randomBytes(0x40_0000);
const KEY = randomBytes(32);

const CALL = fc.record({
  operation: fc.constantFrom<Operation>('encrypt', 'decrypt'),
  length: fc.oneof(
    { weight: 8000, arbitrary: fc.constantFrom(...SHORT) },
    { weight: 3000, arbitrary: fc.nat(400) },
    { weight: IS_NIGHTLY ? 200 : 600, arbitrary: fc.constantFrom(...LONG) },
    { weight: IS_NIGHTLY ? 2 : 0, arbitrary: fc.constantFrom(...VERY_LONG) },
  ),
  /** What `into` lies at, and where. */
  over: fc.oneof(
    { weight: 3, arbitrary: fc.constant('data' as const) },
    { weight: 1, arbitrary: fc.constantFrom(...PARTS) },
  ),
  shift: fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: -80, max: 80 }) },
    { weight: 1, arbitrary: fc.constantFrom(0, -16, 16, -1, 1) },
  ),
  order: fc.shuffledSubarray([...PARTS], { minLength: PARTS.length }),
  gap: fc.nat(20),
  spare: fc.nat(40),
  additionalBytes: fc.constantFrom(0, 1, 16, 17, 40, 300),
  hasOwnKey: fc.boolean(),
  isTampered: fc.boolean(),
  seed: fc.nat(POOL.length / 4),
});
type Call = typeof CALL extends fc.Arbitrary<infer T> ? T : never;

/** A message of several buffers of 64 KiB, over which the result is written ahead of what was read. */
const AHEAD: Call = {
  operation: 'encrypt',
  length: 150_000,
  over: 'data',
  shift: 17,
  order: [...PARTS],
  gap: 3,
  spare: 0,
  additionalBytes: 300,
  hasOwnKey: false,
  isTampered: false,
  seed: 0,
};
/** The cases that chance meets too seldom in a sample. */
const EXAMPLES: readonly [Call][] = [
  [AHEAD],
  [{ ...AHEAD, operation: 'decrypt' }],
  [{ ...AHEAD, operation: 'decrypt', length: 400, over: 'additionalData', shift: 0 }],
];

/** One call. @returns the result; a view of `into` if given */
type Run = (operation: Operation, inputs: Inputs, into?: Bytes) => Promise<Uint8Array>;

const same = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;

/** An error as a result. */
function errorOf(error: unknown): Error {
  if (error instanceof Error) return error;
  throw error;
}

/** Makes the call with and without `into`, and compares. */
async function check(cipher: Cipher, run: Run, call: Call): Promise<void> {
  const { operation, isTampered, gap } = call;
  const apart = await inputsOf(cipher, run, call);
  const expected = await run(operation, apart).catch(errorOf);
  const isRefused = expected instanceof Error;
  expect(isRefused, String(expected)).to.equal(
    operation === 'decrypt' && isTampered && cipher.isAuthenticated === true,
  );

  const total = PARTS.reduce((sum, part) => sum + apart[part].length + gap, 0);
  const needed = roomOf(cipher, operation, apart.data.length);
  const memory = POOL.slice(call.seed, call.seed + total + needed + 400);
  let end = 100;
  const views = Object.fromEntries(
    call.order.map((part) => {
      const view = memory.subarray(end, end + apart[part].length);
      view.set(apart[part]);
      end += apart[part].length + gap;
      return [part, view];
    }),
  ) as Inputs;
  const start = views[call.over].byteOffset + call.shift;
  const into = memory.subarray(start, start + needed + call.spare);
  const before = memory.slice();

  const result = await run(operation, views, into).catch(errorOf);
  const isOutsideKept =
    same(memory.subarray(0, start), before.subarray(0, start)) &&
    same(memory.subarray(start + into.length), before.subarray(start + into.length));
  expect(isOutsideKept, 'nothing is written beside into').to.equal(true);
  if (isRefused) {
    expect(String(result)).to.equal(String(expected));
    const isEmpty = into.every((byte, i) => byte === 0 || byte === before[start + i]);
    expect(isEmpty, 'no plaintext is left').to.equal(true);
    return;
  }
  if (result instanceof Error) throw result;
  expect([result.buffer === memory.buffer, result.byteOffset]).to.deep.equal([true, start]);
  if (cipher.isRandomized === true && operation === 'encrypt') {
    const opened = await run('decrypt', { ...apart, data: result.slice() });
    expect(same(opened, apart.data), 'opens to the data').to.equal(true);
  } else {
    expect(same(result, expected), 'the same bytes as without into').to.equal(true);
  }
}

/** Each in memory of its own. For `decrypt`, the data are what `encrypt` gave, with a bit changed if asked for. */
async function inputsOf(cipher: Cipher, run: Run, call: Call): Promise<Inputs> {
  let at = call.seed;
  const take = (length: number) => POOL.slice(at, (at += length));
  const { multiple = 1, maxBytes = Infinity } = cipher;
  const length = Math.min(call.length, maxBytes);
  const inputs = {
    key: call.hasOwnKey ? KEY.slice(0, cipher.keyBytes) : new Uint8Array(0),
    iv: take(cipher.ivBytes),
    additionalData: take(call.additionalBytes),
    data: take(length - (length % multiple)),
  };
  if (call.operation === 'encrypt') return inputs;
  const data = (await run('encrypt', inputs)).slice();
  if (call.isTampered && cipher.isAuthenticated === true) data[call.seed % data.length]! ^= 1;
  return { ...inputs, data };
}

function roomOf({ growth, isPadded }: Cipher, operation: Operation, dataBytes: number): number {
  if (operation === 'encrypt') return dataBytes + growth;
  return isPadded === true ? dataBytes : dataBytes - growth;
}

function describeCipher(title: string, cipher: Cipher, runner: () => Promise<Run>) {
  it(title, async function () {
    this.timeout(IS_NIGHTLY ? 1_800_000 : 60_000);
    const run = await runner();
    // A failure says which bytes are wrong by its call; to make it smaller would take minutes.
    const property = fc.asyncProperty(CALL, (call) => check(cipher, run, call));
    await fc.assert(property, { numRuns: RUNS, endOnFailure: true, examples: [...EXAMPLES] });
  });
}

const workers = new WorkersHere();
const registry = defaultRegistry({
  loadWasm,
  threads: (load) =>
    Promise.resolve(threadsEngine(load, { threads: 2, startWorker: workers.start })),
});
/** By engine: mocha makes the tests of what each has. */
const subtles = new Map<string, Subtle>();
for (const engine of ['auto', 'native', 'wasm-simd', 'wasm-threads', 'js'] as const) {
  subtles.set(engine, await createSubtle({ engine, registry }));
}

describe('into, over what else is in its buffer', () => {
  after(() => registry.close());

  for (const [engine, subtle] of subtles) {
    describe(`sealwright/subtle, ${engine}`, () => {
      for (const [name, cipher] of Object.entries(OF_SUBTLE)) {
        if (!has(subtle, name)) continue;
        describeCipher(name, cipher, () =>
          name === 'RSA-OAEP' ? rsaRun(subtle, cipher) : subtleRun(subtle, name, cipher),
        );
      }
    });
  }

  describe('sealwright/algorithms', () => {
    let folder: WasmFolder;
    before(async () => {
      folder = await wasmFolder();
    });
    after(() => folder.remove());
    for (const [name, cipher] of Object.entries(SINGLE) as [keyof typeof SINGLE, Cipher][]) {
      describeCipher(name, cipher, async () => {
        const options = { wasmBase: folder.url };
        const load: (key: Bytes, options: AlgorithmOptions) => Promise<AeadKey | SivKey> =
          algorithms[name];
        const usual = await load(KEY.slice(0, cipher.keyBytes), options);
        return async (operation, inputs, into) => {
          const key = inputs.key.length > 0 ? await load(inputs.key, options) : usual;
          const params = { ...cipher.params(inputs), ...(into && { into }) };
          return key[operation](params as never, inputs.data);
        };
      });
    }
  });

  describe('covers', () => {
    it('every cipher of sealwright/subtle', () => {
      const ciphers = DEFINITIONS.filter(({ encrypt, decrypt }) => encrypt ?? decrypt);
      expect(ciphers.map(({ name }) => name)).to.have.members(Object.keys(OF_SUBTLE));
    });

    it('every key of sealwright/algorithms that encrypts', () => {
      const declared = publicDeclarations().filter(({ entry }) => entry === 'algorithms');
      const keys = declared.flatMap(({ name, node }) =>
        ts.isInterfaceDeclaration(node) &&
        node.members.some((member) => member.name?.getText() === 'encrypt')
          ? [`Promise<${name}>`]
          : [],
      );
      const functions = declared.filter(
        ({ node }) => ts.isFunctionDeclaration(node) && keys.includes(node.type?.getText() ?? ''),
      );
      expect(functions.map(({ name }) => name)).to.have.members(Object.keys(SINGLE));
    });

    it('every member and parameter of the package that receives bytes', () => {
      const receivers = publicDeclarations().flatMap(({ entry, name, node }) =>
        membersOf(node).flatMap((member) => {
          const receives = RECEIVERS.test(member.name.getText());
          const isBytes = /Uint8Array|ArrayBuffer|BufferSource/.test(member.type?.getText() ?? '');
          return receives && isBytes ? [`${entry}: ${name}.${member.name.getText()}`] : [];
        }),
      );
      expect(receivers).to.have.members([
        'algorithms: AeadParams.into',
        'algorithms: SivParams.into',
        'subtle: SubtleParams.into',
      ]);
    });
  });
});

function has(subtle: Subtle, name: string): boolean {
  try {
    subtle.engineFor(name, 1024);
    return true;
  } catch (error) {
    if ((error as Error).name === 'NotSupportedError') return false;
    throw error;
  }
}

async function subtleRun(subtle: Subtle, name: string, cipher: Cipher): Promise<Run> {
  const keyOf = (bytes: Bytes): Promise<SubtleKey> =>
    subtle.importKey('raw-secret', bytes, name, false, ['encrypt', 'decrypt']);
  const usual = await keyOf(KEY.slice(0, cipher.keyBytes));
  return async (operation, inputs, into) => {
    const key = inputs.key.length > 0 ? await keyOf(inputs.key) : usual;
    return bytesOf(await subtle[operation](paramsOf(name, cipher, inputs, into), key, inputs.data));
  };
}

/** For all engines, because a pair may take seconds. */
let rsaPair: Promise<SubtleKeyPair> | undefined;

async function rsaRun(subtle: Subtle, cipher: Cipher): Promise<Run> {
  const publicExponent = Uint8Array.of(1, 0, 1);
  const algorithm = {
    name: 'RSA-OAEP',
    hash: 'SHA-256',
    modulusLength: 2048,
    publicExponent,
  } as const;
  rsaPair ??= subtle.generateKey(algorithm, false, ['encrypt', 'decrypt']);
  const pair = await rsaPair;
  return async (operation, inputs, into) => {
    const key = operation === 'encrypt' ? pair.publicKey : pair.privateKey;
    const params = paramsOf('RSA-OAEP', cipher, inputs, into);
    return bytesOf(await subtle[operation](params, key, inputs.data));
  };
}

function paramsOf(name: string, cipher: Cipher, inputs: Inputs, into?: Bytes): SubtleAlgorithm {
  return { name, ...cipher.params(inputs), ...(into && { into }) };
}

function bytesOf(result: ArrayBuffer | Uint8Array): Uint8Array {
  return result instanceof Uint8Array ? result : new Uint8Array(result);
}
