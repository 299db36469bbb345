/*
 * The vectors that @noble/ciphers and @noble/hashes are tested with, over this library. The packages
 * leave them out: $SEALWRIGHT_NOBLE has checkouts of the repositories
 * noble-ciphers and noble-hashes, with their submodule, as `ciphers` and `hashes`. Without them the file
 * is reported as not run. Left out is what the library does not have (other algorithms, lengths and
 * versions, keyed hashes, parts of bytes), and messages of gigabytes.
 */
import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import type { AeadName } from '../../src/crypto/algorithms.ts';
import type { HashName } from '../../src/crypto/contracts.ts';
import { utf8 } from '../../src/crypto/bytes.ts';
import type {
  AlgorithmName,
  CipherName,
  CipherParams,
  XofName,
  XofParams,
} from '../../src/engine/contract.ts';
import { defaultRegistry } from '../../src/engine/default-engines.ts';
import { Gaps, refused } from '../conformance/gaps.ts';
import { subtleSubject, type Subject } from '../conformance/subject.ts';
import { checkAll, hex, parseWycheproof } from '../support/vectors.ts';
import { loadWasm } from '../support/wasm.ts';

type Vector = Readonly<Record<string, unknown>>;
/** What of noble's own code the tests need: vectors that are written in it, and the functions they name. */
interface NobleCode {
  readonly functions: Readonly<Record<string, unknown>>;
  readonly vectors: Readonly<Record<string, readonly Vector[]>>;
  readonly cases: readonly Vector[];
  argon2Inputs(one: Vector): Record<'password' | 'salt', Uint8Array> & { secret?: Uint8Array };
}

const HASHES = {
  'SHA-1': 'SHA-1',
  'SHA2-256': 'SHA-256',
  'SHA2-384': 'SHA-384',
  'SHA2-512': 'SHA-512',
  'SHA3-256': 'SHA3-256',
  'SHA3-384': 'SHA3-384',
  'SHA3-512': 'SHA3-512',
} as const;

const NONE = new Uint8Array(0);
const WHOLE_TAG = 16;
const folder = process.env['SEALWRIGHT_NOBLE'] ?? '';

const NOBLE_CODE = existsSync(`${folder}/hashes`) ? await loadCode() : undefined;

if (NOBLE_CODE) {
  for (const engine of ['js', 'wasm-simd', 'native', 'auto'] as const) {
    const subject = await subtleSubject(engine, { registry: defaultRegistry({ loadWasm }) });
    describe(`vectors of @noble, ${subject.title}`, function () {
      this.timeout(600_000);
      describeCiphers(subject);
      describeHashes(subject);
      describeMacsAndKdfs(subject);
      describeSpecifications(subject);
    });
  }
} else {
  describe('vectors of @noble', () => {
    it('are not here: SEALWRIGHT_NOBLE says where they are', function () {
      this.skip();
    });
  });
}

async function loadCode(): Promise<NobleCode> {
  const load = (path: string) => import(`${folder}/hashes/${path}`) as Promise<never>;
  const [functions, vectors] = [
    await load('src/sha3-addons.ts'),
    await load('test/vectors-keccak.ts'),
  ];
  const { ARGON2_CASES: cases, argon2Inputs } = (await load('test/argon2-cases.ts')) as Record<
    string,
    never
  >;
  return { functions, vectors, cases: cases!, argon2Inputs: argon2Inputs! };
}

/** One test of a file's vectors, of those that `isOurs` admits; skipped where the engine lacks the algorithm. */
function check(
  subject: Subject,
  algorithm: AlgorithmName,
  file: string,
  all: readonly Vector[],
  holds: (vector: Vector) => Promise<void>,
  isOurs: (vector: Vector) => boolean = () => true,
): void {
  if (!subject.has(algorithm)) return;
  const vectors = all.filter(isOurs);
  const gaps = new Gaps(subject);
  after(() => gaps.report());
  it(`${algorithm}, ${file}: ${vectors.length} of ${all.length} vectors`, async () => {
    expect(vectors.length).to.be.above(0);
    await checkAll(file, vectors, gaps.check(holds));
  });
}

function describeCiphers(subject: Subject): void {
  const own = (name: string) => json(`ciphers/test/vectors/${name}.json`);
  const both = async <A extends CipherName>(
    [name, key, params]: [A, Uint8Array, CipherParams[A]],
    plaintext: Uint8Array,
    sealed: Uint8Array,
  ) => {
    same(await subject.encrypt(name, key, params, plaintext), sealed);
    same(await subject.decrypt(name, key, params, sealed), plaintext);
  };
  const aead = (v: Vector, nonce: string, associatedData: string) => ({
    nonce: hex(v, nonce),
    associatedData: associatedData in v ? hex(v, associatedData) : NONE,
    tagBytes: WHOLE_TAG,
  });

  for (const [name, file] of [
    ['ChaCha20-Poly1305', 'stablelib_chacha20poly1305'],
    ['XChaCha20-Poly1305', 'stablelib_xchacha20poly1305'],
  ] as const) {
    check(subject, name, file, own(file) as Vector[], (v) =>
      both([name, hex(v, 'key'), aead(v, 'nonce', 'aad')], hex(v, 'msg'), hex(v, 'result')),
    );
  }
  const siv = own('siv') as Record<string, Vector[]>;
  check(subject, 'AES-GCM-SIV', 'siv', Object.values(siv).flat(), (v) =>
    both(
      ['AES-GCM-SIV', hex(v, 'key'), aead(v, 'nonce', 'AAD')],
      hex(v, 'plaintext'),
      hex(v, 'result'),
    ),
  );
  check(
    subject,
    'Salsa20',
    'stablelib_salsa20',
    own('stablelib_salsa20') as Vector[],
    async (v) => {
      const params = { nonce: hex(v, 'nonce'), rounds: 20, counter: 0 } as const;
      const zeros = new Uint8Array(v['length'] as number);
      const stream = await subject.encrypt('Salsa20', hex(v, 'key'), params, zeros);
      const digest = new Uint8Array(64);
      for (const [i, byte] of stream.entries()) digest[i % 64]! ^= byte;
      same(digest, hex(v, 'digest'));
    },
  );
  const modes = own('nist_800_38a') as Vector[];
  const [ecb, cbc, ctr] = ['ecb', 'cbc', 'ctr'].map((mode) =>
    modes.filter((v) => v['cipher'] === mode),
  );
  const text = (v: Vector, field: string) =>
    Buffer.concat((v['blocks'] as Vector[]).map((block) => hex(block, field)));
  check(subject, 'AES-ECB', 'nist_800_38a', ecb!, (v) =>
    both(['AES-ECB', hex(v, 'key'), {}], text(v, 'plaintext'), text(v, 'ciphertext')),
  );
  check(subject, 'AES-CTR', 'nist_800_38a', ctr!, (v) =>
    both(
      ['AES-CTR', hex(v, 'key'), { counter: hex(v, 'iv'), counterBits: 128 }],
      text(v, 'plaintext'),
      text(v, 'ciphertext'),
    ),
  );
  // The block of padding comes after the vector's.
  check(subject, 'AES-CBC', 'nist_800_38a', cbc!, async (v) => {
    const ciphertext = text(v, 'ciphertext');
    const params = { iv: hex(v, 'iv') };
    const ours = await subject.encrypt('AES-CBC', hex(v, 'key'), params, text(v, 'plaintext'));
    same(ours.subarray(0, ciphertext.length), ciphertext);
    same(await subject.decrypt('AES-CBC', hex(v, 'key'), params, ours), text(v, 'plaintext'));
  });

  const wycheproof = <A extends CipherName>(
    name: A,
    file: string,
    paramsOf: (v: Vector) => CipherParams[A],
  ) =>
    check(
      subject,
      name,
      file,
      parseWycheproof(gunzip(`wycheproof/testvectors_v1/${file}`)),
      async (v) => {
        const sealed = Buffer.concat([hex(v, 'ct'), 'tag' in v ? hex(v, 'tag') : NONE]);
        const [key, params] = [hex(v, 'key'), paramsOf(v)];
        // Of those that may be refused, AES-KW of 8 bytes is (RFC 3394, section 2).
        const isRefused = v['result'] === 'invalid' || (name === 'AES-KW' && sealed.length === 16);
        if (!isRefused) await both([name, key, params], hex(v, 'msg'), sealed);
        else expect(await refused(subject.decrypt(name, key, params, sealed))).to.equal(true);
      },
    );
  const ofAead = (v: Vector) => aead(v, 'iv', 'aad');
  const AEAD_FILES: readonly (readonly [AeadName, string])[] = [
    ['AES-GCM', 'aes_gcm_test'],
    ['AES-GCM-SIV', 'aes_gcm_siv_test'],
    ['ChaCha20-Poly1305', 'chacha20_poly1305_test'],
    ['XChaCha20-Poly1305', 'xchacha20_poly1305_test'],
  ];
  for (const [name, file] of AEAD_FILES) wycheproof(name, file, ofAead);
  wycheproof('AES-CBC', 'aes_cbc_pkcs5_test', (v) => ({ iv: hex(v, 'iv') }));
  wycheproof('AES-KW', 'aes_wrap_test', () => ({}));
  wycheproof('AES-SIV', 'aes_siv_cmac_test', (v) => ({ associatedData: [hex(v, 'aad')] }));
}

function describeHashes(subject: Subject): void {
  const own = (name: string) => json(`hashes/test/vectors/${name}.json`);
  for (const [acvp, name] of Object.entries(HASHES)) {
    const file = `${acvp}-${acvp.startsWith('SHA3') ? '2.0' : '1.0'}`;
    const isOurs = (v: Vector) =>
      typeof v['md'] === 'string' && isBytes(v, 'len') && !('largeMsg' in v);
    if (acvp !== 'SHA-1') {
      check(
        subject,
        name,
        file,
        acvpTests(file),
        async (v) => same(await subject.digest(name, message(v)), hex(v, 'md')),
        isOurs,
      );
      check(
        subject,
        name,
        `${file}, Monte Carlo`,
        acvpTests(file),
        (v) => monteCarlo(subject, name, v),
        (v) => 'resultsArray' in v,
      );
    }
    if (!acvp.startsWith('SHA3')) continue;
    const kat = `ShortMsgKAT_SHA3-${name.slice(-3)}`;
    check(
      subject,
      name,
      kat,
      keccakKat(kat),
      async (v) => same(await subject.digest(name, katMessage(v)), hex(v, 'MD')),
      (v) => isBytes(v, 'Len'),
    );
  }
  for (const bits of ['128', '256'] as const) {
    const name = `cSHAKE${bits}` as const;
    const kat = `ShortMsgKAT_SHAKE${bits}`;
    const xof = (
      exp: Uint8Array,
      functionName: Uint8Array,
      customization: Uint8Array,
      data: Uint8Array,
    ) =>
      subject
        .xof(name, { outputBytes: exp.length, functionName, customization }, data)
        .then((got) => same(got, exp));
    check(
      subject,
      name,
      kat,
      keccakKat(kat),
      (v) => xof(hex(v, 'Squeezed'), NONE, NONE, katMessage(v)),
      (v) => isBytes(v, 'Len'),
    );
    const isOurs = (v: Vector) =>
      typeof v['md'] === 'string' && isBytes(v, 'len') && isBytes(v, 'outLen');
    for (const file of [`SHAKE-${bits}-1.0`, `cSHAKE-${bits}-1.0`]) {
      check(
        subject,
        name,
        file,
        acvpTests(file),
        (v) =>
          xof(
            hex(v, 'md'),
            utf8((v['functionName'] ?? '') as string),
            customizationOf(v),
            message(v),
          ),
        isOurs,
      );
    }
  }
  const addons = (json('hashes/test/vectors/sha3-addons.json.gz') as { v: Vector[] }).v;
  const only = (name: string) => addons.filter((v) => v['fn_name'] === name);
  for (const name of ['cSHAKE128', 'cSHAKE256'] as const) {
    check(subject, name, 'sha3-addons', only(name.toLowerCase()), async (v) => {
      const exp = hex(v, 'exp');
      const params = {
        outputBytes: exp.length,
        functionName: hex(v, 'nist_fn'),
        customization: hex(v, 'personalization'),
      };
      same(await subject.xof(name, params, hex(v, 'data')), exp);
    });
  }
  for (const name of ['KMAC128', 'KMAC256'] as const) {
    const outputBytes = (v: Vector) => (v['exp'] as string).length / 2;
    check(
      subject,
      name,
      'sha3-addons',
      only(name.toLowerCase()),
      async (v) => {
        const params = { outputBytes: outputBytes(v), customization: hex(v, 'personalization') };
        same(await subject.kmac(name, hex(v, 'key'), params, hex(v, 'data')), hex(v, 'exp'));
      },
      // Shorter tags are refused (docs/library.md).
      (v) => outputBytes(v) >= 4,
    );
  }
  // The other file, of KMAC256, is of KMACXOF256 alone.
  check(
    subject,
    'KMAC128',
    'KMAC-128-1.0',
    acvpTests('KMAC-128-1.0'),
    async (v) => {
      const outputBytes = (v['macLen'] as number) / 8;
      const params = { outputBytes, customization: customizationOf(v) };
      const [key, tag] = [hex(v, 'key'), hex(v, 'mac')];
      const isValid = await subject.verifyKmac('KMAC128', key, params, tag, message(v));
      expect(isValid).to.equal(v['testPassed'] !== false);
    },
    (v) => v['xof'] === false && ['msgLen', 'macLen', 'keyLen'].every((name) => isBytes(v, name)),
  );
  check(subject, 'KT128', 'sha3-addons', only('k12'), async (v) => {
    const exp = hex(v, 'exp');
    const params = { outputBytes: exp.length, customization: hex(v, 'personalization') };
    same(await subject.xof('KT128', params, hex(v, 'data')), exp);
  });
  check(
    subject,
    'BLAKE3',
    'sha3-addons',
    only('blake3'),
    async (v) => {
      same(await subject.digest('BLAKE3', hex(v, 'data')), hex(v, 'exp'));
    },
    (v) => (v['exp'] as string).length === 64,
  );
  const blake3 = own('blake3') as { cases: Vector[] };
  check(subject, 'BLAKE3', 'blake3', blake3.cases, async (v) => {
    const data = Uint8Array.from({ length: v['input_len'] as number }, (_, i) => i % 251);
    same(await subject.digest('BLAKE3', data), hex(v, 'hash').subarray(0, 32));
  });
  const isPlain = (v: Vector) => v['hash'] === 'blake2b' && !v['key'] && !v['salt'] && !v['person'];
  check(
    subject,
    'BLAKE2b',
    'blake2-kat',
    own('blake2-kat') as Vector[],
    async (v) => same(await subject.digest('BLAKE2b', hex(v, 'in')), hex(v, 'out')),
    isPlain,
  );
  check(
    subject,
    'BLAKE2b',
    'blake2-python',
    own('blake2-python') as Vector[],
    async (v) => same(await subject.digest('BLAKE2b', utf8('data')), hex(v, 'digest')),
    (v) => isPlain(v) && v['dkLen'] === 64,
  );
}

function describeMacsAndKdfs(subject: Subject): void {
  for (const [acvp, hash] of Object.entries(HASHES)) {
    const file = `HMAC-${acvp}-2.0`;
    check(
      subject,
      'HMAC',
      file,
      acvpTests(file),
      async (v) => {
        const tag = await subject.sign('HMAC', hex(v, 'key'), message(v), hash);
        same(tag.subarray(0, (v['macLen'] as number) / 8), hex(v, 'mac'));
      },
      (v) => isBytes(v, 'msgLen') && isBytes(v, 'macLen') && isBytes(v, 'keyLen'),
    );
  }

  // Noble's sample of lengths, passes and parallelism for each type and version.
  const cases = NOBLE_CODE?.cases ?? [];
  const results = json('hashes/test/vectors/argon2.json') as string[];
  const versions = (['Argon2d', 'Argon2i', 'Argon2id'] as const).flatMap((name) =>
    [0x10, 0x13].flatMap((version) => cases.map((one) => ({ ...one, name, version }))),
  );
  const all = versions.map((one, i) => ({ ...one, result: results[i] }));
  for (const name of ['Argon2d', 'Argon2i', 'Argon2id'] as const) {
    check(
      subject,
      name,
      'argon2',
      all.filter((v) => v.name === name),
      async (v) => {
        const { password, salt, secret } = NOBLE_CODE!.argon2Inputs(v);
        const [passes, parallelism, memoryKiB] = [v['t'], v['p'], v['m']] as number[];
        const cost = { passes: passes!, parallelism: parallelism!, memoryKiB: memoryKiB! };
        const params = { ...cost, nonce: salt, secret: secret ?? NONE, associatedData: NONE };
        same(await subject.derive(name, password, params, v['dkLen'] as number), hex(v, 'result'));
      },
      (v) => v['version'] === 0x13,
    );
  }
}

/** The vectors that are written in their tests' code: SP 800-185's and RFC 9861's. */
function describeSpecifications(subject: Subject): void {
  const { functions, vectors } = NOBLE_CODE!;
  const of = (set: string, field: string, name: string) =>
    vectors[set]!.filter((v) => v[field] === functions[name.toLowerCase()]);
  const bytes = (v: Vector, field: string) => (v[field] as Uint8Array | undefined) ?? NONE;
  const text = (v: Vector, field: string) => utf8((v[field] ?? '') as string);
  const xof = async <A extends XofName>(
    name: A,
    params: Omit<XofParams[A], 'outputBytes'>,
    v: Vector,
  ) => {
    const outputBytes = (v['dkLen'] as number | undefined) ?? (v['exp'] as Uint8Array).length;
    const got = await subject.xof(
      name,
      { ...params, outputBytes } as XofParams[A],
      bytes(v, 'data' in v ? 'data' : 'msg'),
    );
    const last = (v['last'] as number | undefined) ?? outputBytes;
    same(got.subarray(outputBytes - last), bytes(v, 'output' in v ? 'output' : 'exp'));
  };
  for (const name of ['cSHAKE128', 'cSHAKE256'] as const) {
    check(subject, name, 'CSHAKE_VESTORS', of('CSHAKE_VESTORS', 'fn', name), (v) =>
      xof(name, { functionName: text(v, 'NISTfn'), customization: text(v, 'personalization') }, v),
    );
  }
  for (const name of ['KMAC128', 'KMAC256'] as const) {
    check(subject, name, 'KMAC_VECTORS', of('KMAC_VECTORS', 'fn', name), async (v) => {
      const params = {
        outputBytes: v['dkLen'] as number,
        customization: text(v, 'personalization'),
      };
      same(await subject.kmac(name, bytes(v, 'key'), params, bytes(v, 'data')), bytes(v, 'output'));
    });
  }
  for (const name of ['TurboSHAKE128', 'TurboSHAKE256'] as const) {
    for (const set of ['TURBO_VECTORS', 'K12_VECTORS']) {
      check(subject, name, set, of(set, 'hash', name), (v) =>
        xof(name, { domainSeparation: (v['D'] as number | undefined) ?? 0x1f }, v),
      );
    }
  }
  for (const name of ['KT128', 'KT256'] as const) {
    check(subject, name, 'K12_VECTORS', of('K12_VECTORS', 'hash', name), (v) =>
      xof(name, { customization: bytes(v, 'C') }, v),
    );
  }
}

/** NIST's chain of 100,000 digests, whose hundred results are published. */
async function monteCarlo(subject: Subject, name: HashName, v: Vector): Promise<void> {
  const isSha3 = name.startsWith('SHA3');
  let seed = message(v);
  const most = v['mctVersion'] === 'alternate' ? seed.length : undefined;
  for (const result of v['resultsArray'] as Vector[]) {
    let last = [seed, seed, seed];
    for (let i = 0; i < 1000; i++) {
      const all = isSha3 ? last[2]! : Buffer.concat(last);
      const padded = most === undefined ? all : Buffer.concat([all], most);
      last = [last[1]!, last[2]!, await subject.digest(name, padded)];
    }
    seed = last[2]!;
    same(seed, hex(result, 'md'));
  }
}

/** Of the ACVP's, with the fields of their group. */
function acvpTests(name: string): readonly Vector[] {
  return parseWycheproof(gunzip(`acvp/${name}/internalProjection.json.gz`));
}

function keccakKat(name: string): readonly Vector[] {
  const records = readFileSync(`${folder}/hashes/test/vectors/${name}.txt`, 'utf8').split('\n\n');
  const fields = (text: string): Vector =>
    Object.fromEntries(
      text
        .split('\n')
        .filter((line) => line.includes('='))
        .map((line) => line.split(' = ') as [string, string]),
    );
  return records.filter((text) => text.startsWith('Len')).map(fields);
}

/** Messages of no bytes are written as one. */
function katMessage(v: Vector): Uint8Array {
  return hex(v, 'Msg').subarray(0, Number(v['Len']) / 8);
}

function message(v: Vector): Uint8Array {
  return v['len'] === 0 ? NONE : hex(v, 'msg');
}

function customizationOf(v: Vector): Uint8Array {
  if (v['customizationHex'] !== undefined) return hex(v, 'customizationHex');
  return utf8((v['customization'] ?? '') as string);
}

function isBytes(v: Vector, bits: string): boolean {
  return v[bits] === undefined || Number(v[bits]) % 8 === 0;
}

function json(path: string): unknown {
  const file = readFileSync(`${folder}/${path}`);
  return JSON.parse((path.endsWith('.gz') ? gunzipSync(file) : file).toString());
}

function gunzip(path: string): string {
  const name = path.endsWith('.gz') ? path : `${path}.json.gz`;
  return gunzipSync(readFileSync(`${folder}/hashes/test/vectors/acvp-vectors/${name}`)).toString();
}

function same(got: Uint8Array, wanted: Uint8Array): void {
  if (Buffer.compare(got, wanted) === 0) return;
  expect(Buffer.from(got).toString('hex')).to.equal(Buffer.from(wanted).toString('hex'));
}
