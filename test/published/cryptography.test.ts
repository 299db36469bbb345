/*
 * The vectors of cryptography-vectors that no suite of an algorithm runs: each row is a file, how it is read, and what
 * holds for a vector. Those of ciphers, MACs and KDFs are in test/conformance/, for every engine.
 */
import { expect } from 'chai';
import { concat, fromHex, toBase64url, toHex } from '../../src/crypto/bytes.ts';
import { dsa } from '../../src/crypto/classical/dsa.ts';
import type { DsaHashName } from '../../src/crypto/classical/dsa-hashes.ts';
import { AuthenticationError } from '../../src/crypto/errors.ts';
import { SHA224 } from '../../src/crypto/hash/sha224.ts';
import { defaultRegistry } from '../../src/engine/default-engines.ts';
import { createSubtle } from '../../src/library/subtle.ts';
import type { Subtle } from '../../src/library/subtle.ts';
import { subtleSubject, type Subject } from '../conformance/subject.ts';
import { describeSample } from '../support/depth.ts';
import { describeVectors, hex, parseRsp, type Fields } from '../support/vectors.ts';
import { loadWasm } from '../support/wasm.ts';
import { base64url, checkRsaSignature, inherited } from './cavs.ts';

const PACKAGE = 'cryptography_vectors';
const ASYMMETRIC = `${PACKAGE}/asymmetric`;
const FIPS_186 = ['FIPS_186-2', 'FIPS_186-3'] as const;
const CURVES: Readonly<Record<string, number>> = { 'P-256': 32, 'P-384': 48, 'P-521': 66 };
const HASHES: readonly string[] = ['SHA-1', 'SHA-256', 'SHA-384', 'SHA-512'];
const ZEROS = { bytes: (length: number) => new Uint8Array(length) };

const registry = defaultRegistry({ loadWasm });

for (const [engine, nth] of [
  ['js', 100],
  ['wasm-simd', 25],
] as const) {
  const subject = await subtleSubject(engine, { registry });
  const subtle = await createSubtle({ engine, registry, random: ZEROS });
  describe(`published vectors, subtle over ${engine}`, function () {
    this.timeout(120_000);
    describeHashes(subject);
    describePostQuantum(subtle, nth);
  });
}

describe('published vectors of the platform’s key pairs', function () {
  this.timeout(120_000);
  describeEdwards();
  describeEcdsa();
  describeRsa();
});

describe('published vectors of src/crypto', function () {
  this.timeout(120_000);
  for (const file of ['ShortMsg', 'LongMsg']) {
    describeVectors(`${PACKAGE}/hashes/SHA2/SHA224${file}.rsp`, parseRsp, (v) => {
      const hash = SHA224.create();
      expect(hash.update(messageOf(v)).digest()).to.deep.equal(hex(v, 'md'));
    });
  }
  describeDsa();
});

/** Messages of no bytes are written as one. */
function messageOf(v: Fields): Uint8Array<ArrayBuffer> {
  const message = hex(v, 'msg');
  return 'len' in v ? message.subarray(0, Number(v['len']) / 8) : message;
}

function describeHashes(subject: Subject): void {
  for (const size of [256, 384, 512] as const) {
    const digest = (data: Uint8Array) => subject.digest(`SHA3-${size}`, data);
    for (const [file, nth] of [
      ['ShortMsg', 1],
      ['LongMsg', 5],
    ] as const) {
      const check = async (v: Fields) => {
        expect(await digest(messageOf(v))).to.deep.equal(hex(v, 'md'));
      };
      describeSample(`${PACKAGE}/hashes/SHA3/SHA3_${size}${file}.rsp`, withDigest, check, nth);
    }
    const monte = async ({ before, after }: Step) => {
      let md: Uint8Array = fromHex(before);
      for (let i = 0; i < 1000; i++) md = await digest(md);
      expect(toHex(md)).to.equal(after);
    };
    describeSample(`${PACKAGE}/hashes/SHA3/SHA3_${size}Monte.rsp`, steps('seed', 'md'), monte, 50);
  }
  for (const size of [128, 256] as const) {
    const shake = (message: Uint8Array, outputBytes: number) =>
      subject.xof(
        `cSHAKE${size}`,
        { outputBytes, functionName: new Uint8Array(0), customization: new Uint8Array(0) },
        message,
      );
    for (const file of ['ShortMsg', 'LongMsg', 'VariableOut']) {
      const path = `${PACKAGE}/hashes/SHAKE/SHAKE${size}${file}.rsp`;
      const parse = (text: string) => parseRsp(text).filter((v) => 'output' in v);
      const check = async (v: Fields) => {
        const output = hex(v, 'output');
        expect(await shake(messageOf(v), output.length)).to.deep.equal(output);
      };
      describeSample(path, parse, check, file === 'LongMsg' ? 5 : 1);
    }
  }
  const blake2b = async (v: Fields) => {
    expect(await subject.digest('BLAKE2b', messageOf(v))).to.deep.equal(hex(v, 'md'));
  };
  describeVectors(`${PACKAGE}/hashes/blake2/blake2b.txt`, withDigest, blake2b);
}

function withDigest(text: string): Fields[] {
  return parseRsp(text).filter((v) => 'md' in v);
}

/** One checkpoint of a Monte Carlo test, and what it starts from. */
interface Step {
  readonly before: string;
  readonly after: string;
}

function steps(seed: string, result: string): (text: string) => Step[] {
  return (text) => {
    const vectors = parseRsp(text);
    const results = vectors.filter((v) => result in v).map((v) => v[result]!);
    const first = vectors.find((v) => seed in v)![seed]!;
    return results.map((after, i) => ({ before: results[i - 1] ?? first, after }));
  };
}

function describePostQuantum(subtle: Subtle, nth: number): void {
  for (const size of [512, 768, 1024]) {
    const name = `ML-KEM-${size}`;
    const holds = async (v: Fields) => {
      const seed = concat(hex(v, 'd'), hex(v, 'z'));
      const key = await subtle.importKey('raw-seed', seed, name, true, ['decapsulateBits']);
      const publicKey = await subtle.getPublicKey(key, []);
      expect(await exported(subtle, 'raw-public', publicKey)).to.equal(v['pk']);
      // The second is no encapsulation for this key: its secret is implicit rejection's.
      for (const [ciphertext, secret] of [
        ['ct', 'ss'],
        ['ct_n', 'ss_n'],
      ] as const) {
        const shared = await subtle.decapsulateBits(name, key, hex(v, ciphertext));
        expect(toHex(new Uint8Array(shared)), ciphertext).to.equal(v[secret]);
      }
    };
    describeSample(`${ASYMMETRIC}/MLKEM/kat_MLKEM_${size}.rsp`, parseRsp, holds, nth);
  }
  for (const size of [44, 65, 87]) {
    const name = `ML-DSA-${size}`;
    const holds = async (v: Fields) => {
      const key = await subtle.importKey('raw-seed', hex(v, 'xi'), name, true, ['sign']);
      const publicKey = await subtle.getPublicKey(key, ['verify']);
      expect(await exported(subtle, 'raw-public', publicKey)).to.equal(v['pk']);
      const [message, algorithm] = [hex(v, 'msg'), { name, context: hex(v, 'ctx') }];
      // The deterministic variant: its randomness is zeros, as this registry's.
      const signature = await subtle.sign(algorithm, key, message);
      expect(toHex(new Uint8Array(signature)) + v['msg']!).to.equal(v['sm']);
      expect(await subtle.verify(algorithm, publicKey, signature, message)).to.equal(true);
    };
    describeSample(`${ASYMMETRIC}/MLDSA/kat_MLDSA_${size}_det_pure.rsp`, parseRsp, holds, nth);
  }
}

async function exported(subtle: Subtle, format: 'raw' | 'raw-public', key: PublicKey) {
  return toHex(new Uint8Array(await subtle.exportKey(format, key)));
}
type PublicKey = Parameters<Subtle['exportKey']>[1];

const native = await createSubtle({ engine: 'native', registry });

function describeEdwards(): void {
  const signs = async (name: 'Ed25519' | 'Ed448', v: Fields) => {
    const jwk = {
      kty: 'OKP',
      crv: name,
      x: toBase64url(hex(v, 'public')),
      d: toBase64url(hex(v, 'secret')),
    };
    const key = await native.importKey('jwk', jwk, name, false, ['sign']);
    const publicKey = await native.importKey('raw', hex(v, 'public'), name, true, ['verify']);
    const algorithm = { name, ...('context' in v && { context: hex(v, 'context') }) };
    const signature = await native.sign(algorithm, key, hex(v, 'message'));
    expect(toHex(new Uint8Array(signature))).to.equal(v['signature']);
    const signed = [publicKey, signature, hex(v, 'message')] as const;
    expect(await native.verify(algorithm, ...signed)).to.equal(true);
  };
  const ed25519 = (v: Fields) => signs('Ed25519', v);
  describeSample(`${ASYMMETRIC}/Ed25519/sign.input`, parseSignInput, ed25519, 16);
  // Node's Web Cryptography has no context of Ed448.
  const withoutContext = (text: string) => parseRsp(text).filter((v) => !v['context']);
  const ed448 = (v: Fields) => signs('Ed448', v);
  describeVectors(`${ASYMMETRIC}/Ed448/rfc8032.txt`, withoutContext, ed448);
}

/** The format of the authors of Ed25519: secret ‖ public : public : message : signature ‖ message. */
function parseSignInput(text: string): Fields[] {
  return text
    .trim()
    .split('\n')
    .map((line) => {
      const [keys, publicKey, message, signed] = line.split(':') as [
        string,
        string,
        string,
        string,
      ];
      const signature = signed.slice(0, 128);
      return { secret: keys.slice(0, 64), public: publicKey, message, signature };
    });
}

function describeEcdsa(): void {
  const verifies = async (v: Fields) => {
    const [namedCurve, hash] = curveAndHash(v);
    const size = CURVES[namedCurve]!;
    const member = (name: string) => fromHex(v[name]!.padStart(2 * size, '0'));
    const verdict = async () => {
      const point = concat(Uint8Array.of(4), member('qx'), member('qy'));
      const algorithm = { name: 'ECDSA', namedCurve };
      const key = await native.importKey('raw', point, algorithm, true, ['verify']);
      const signature = concat(member('r'), member('s'));
      return native.verify({ name: 'ECDSA', hash }, key, signature, hex(v, 'msg'));
    };
    // A public key that is no point of the curve is refused as a key. SigGen's are all valid.
    if ((v['result'] ?? 'P').startsWith('P')) expect(await verdict()).to.equal(true);
    else {
      const outcome = await verdict().catch((error: unknown) => (error as Error).name);
      expect(outcome).to.be.oneOf([false, 'DataError']);
    }
  };
  for (const edition of FIPS_186) {
    for (const file of ['SigVer.rsp', 'SigGen.txt']) {
      const path = `${ASYMMETRIC}/ECDSA/${edition}/${file}`;
      const parse = (text: string) => signatures(text).filter((v) => curveAndHash(v)[0] in CURVES);
      describeSample(path, parse, verifies, 4);
    }
  }
  const keyPair = async (v: Fields) => {
    const [namedCurve] = curveAndHash(v);
    const size = CURVES[namedCurve]!;
    // Coordinates out of range have a digit too many, and so a byte.
    const member = (name: string) => {
      const digits = v[name]!.padStart(2 * size, '0');
      return digits.length % 2 === 0 ? digits : `0${digits}`;
    };
    const point = `04${member('qx')}${member('qy')}`;
    const algorithm = { name: 'ECDSA', namedCurve };
    const key = await native.importKey('raw', fromHex(point), algorithm, true, ['verify']);
    expect(await exported(native, 'raw', key)).to.equal(point);
  };
  // A valid key is kept as it is, and one that is no point of the curve is refused.
  const validates = async (v: Fields) => {
    if (v['result']!.startsWith('P')) return keyPair(v);
    expect(await keyPair(v).catch((error: unknown) => (error as Error).name)).to.equal('DataError');
  };
  for (const edition of FIPS_186) {
    const parse = (text: string) =>
      parseRsp(text).filter((v) => 'result' in v && curveAndHash(v)[0] in CURVES);
    describeVectors(`${ASYMMETRIC}/ECDSA/${edition}/PKV.rsp`, parse, validates);
  }
}

/** "P-256,SHA-1"; the first edition has SHA-1 alone. */
function curveAndHash(v: Fields): [curve: string, hash: string] {
  const [curve = '', hash = 'SHA-1'] = (v['section'] ?? '').split(',');
  return [curve, hash];
}

/** Vectors of signatures with a hash that Web Cryptography has. */
function signatures(text: string): Fields[] {
  return parseRsp(text).filter((v) => 's' in v && HASHES.includes(curveAndHash(v)[1]));
}

function describeRsa(): void {
  const parse = (text: string) => inherited(text, 's').filter((v) => rsaHash(v) !== undefined);
  for (const [file, name] of [
    ['SigGen15_186-2.txt', 'RSASSA-PKCS1-v1_5'],
    ['SigGen15_186-3.rsp', 'RSASSA-PKCS1-v1_5'],
    ['SigVer15_186-3.rsp', 'RSASSA-PKCS1-v1_5'],
    ['SigGenPSS_186-2.txt', 'RSA-PSS'],
    ['SigGenPSS_186-3.rsp', 'RSA-PSS'],
    ['SigVerPSS_186-3.rsp', 'RSA-PSS'],
  ] as const) {
    const verifies = (v: Fields) => checkRsaSignature(native, { name, hash: rsaHash(v)! }, v);
    describeSample(`${ASYMMETRIC}/RSA/FIPS_186-2/${file}`, parse, verifies, 8);
  }
  for (const [hash, file] of [
    ['SHA-1', 'pkcs-1v2-1d2-vec/oaep-vect'],
    ['SHA-256', 'oaep-custom/oaep-sha256-sha256'],
    ['SHA-384', 'oaep-custom/oaep-sha384-sha384'],
    ['SHA-512', 'oaep-custom/oaep-sha512-sha512'],
  ] as const) {
    const opens = async (v: Fields) => {
      const names = {
        n: 'modulus',
        e: 'public exponent',
        d: 'exponent',
        p: 'prime 1',
        q: 'prime 2',
      };
      const crt = { dp: 'prime exponent 1', dq: 'prime exponent 2', qi: 'coefficient' };
      const members = Object.entries({ ...names, ...crt }).map(([member, name]) => [
        member,
        base64url(v[name]!),
      ]);
      const jwk = { kty: 'RSA', ...(Object.fromEntries(members) as object) };
      const algorithm = { name: 'RSA-OAEP', hash };
      const key = await native.importKey('jwk', jwk, algorithm, false, ['decrypt']);
      const digits = v['modulus']!.length;
      const sealed = fromHex(v['encryption']!.padStart(digits, '0'));
      const opened = await native.decrypt(algorithm, key, sealed);
      expect(toHex(new Uint8Array(opened))).to.equal(v['message']);
    };
    const path = `${ASYMMETRIC}/RSA/${file}.txt`;
    describeSample(path, parseRsaLabs('encryption'), opens, 4);
  }
  for (const [file, name] of [
    ['pkcs1v15sign-vectors', 'RSASSA-PKCS1-v1_5'],
    ['pkcs-1v2-1d2-vec/pss-vect', 'RSA-PSS'],
  ] as const) {
    const verifies = async (v: Fields) => {
      const algorithm = { name, hash: 'SHA-1', saltLength: 20 };
      const jwk = { kty: 'RSA', n: base64url(v['modulus']!), e: base64url(v['public exponent']!) };
      const key = await native.importKey('jwk', jwk, algorithm, false, ['verify']);
      const [signature, message] = [fromHex(v['signature']!), fromHex(v['message to be signed']!)];
      expect(await native.verify(algorithm, key, signature, message)).to.equal(true);
    };
    describeSample(`${ASYMMETRIC}/RSA/${file}.txt`, parseRsaLabs('signature'), verifies, 8);
  }
}

function rsaHash(v: Fields): string | undefined {
  return HASHES.find((hash) => hash.replace('-', '') === v['shaalg']);
}

/**
 * The format of RSA Laboratories: "# Name:" and lines of digits. Names hold until they are given anew.
 *
 * @param last the name that ends a vector
 */
function parseRsaLabs(last: string): (text: string) => Fields[] {
  return (text) => {
    const vectors: Fields[] = [];
    const held: Record<string, string> = {};
    let name = '';
    for (const line of [...text.split(/\r?\n/), '#']) {
      if (line.startsWith('#')) {
        if (name === last) vectors.push({ ...held });
        name = /^#\s*(.*?):\s*$/.exec(line)?.[1]?.toLowerCase() ?? '';
        held[name] = '';
      } else if (/^[0-9a-f\s]+$/i.test(line)) {
        held[name] = (held[name] ?? '') + line.replaceAll(/\s/g, '');
      }
    }
    return vectors;
  };
}

function describeDsa(): void {
  const verifies = (v: Fields) => {
    const hash = dsaHash(v);
    const [p, q, g, y] = ['p', 'q', 'g', 'y'].map((name) => BigInt(`0x${v[name]!}`)) as Numbers;
    const digits = v['q']!.length;
    const signature = fromHex(v['r']!.padStart(digits, '0') + v['s']!.padStart(digits, '0'));
    const verify = () => dsa.verify({ p, q, g, y, hash }, hex(v, 'msg'), signature);
    if ((v['result'] ?? 'P').startsWith('P')) expect(verify()).to.equal(true);
    else expect(verify).to.throw(AuthenticationError);
  };
  const parse = (text: string) => inherited(text, 's');
  for (const file of ['FIPS_186-2/SigVer.rsp', 'FIPS_186-2/SigGen.txt', 'FIPS_186-3/SigGen.txt']) {
    describeSample(`${ASYMMETRIC}/DSA/${file}`, parse, verifies, 20);
  }
}
type Numbers = [bigint, bigint, bigint, bigint];

/** "mod = L=2048, N=256, SHA-256"; the first edition has SHA-1 alone. */
function dsaHash(v: Fields): DsaHashName {
  const name = /SHA-\d+/.exec(Object.values(v).find((value) => /SHA-\d+$/.test(value)) ?? '')?.[0];
  return (name ?? 'SHA-1') as DsaHashName;
}
