import { expect } from 'chai';
import { namedGroup } from '../../../src/crypto/classical/dh-groups.ts';
import type { WireAlgorithm, WireJwk } from '../../../src/rpc/methods/subtle-values.ts';
import { SubtleKey } from '../../../src/subtle/key.ts';
import type { SubtleParams } from '../../../src/subtle/params.ts';
import { toStored, type StoredAlgorithm } from '../../../src/subtle/stored-key.ts';
import { BOUNDS } from '../../../src/crypto/subtle/prices.ts';
import { checkModulus, effortOf, type UsedKey } from '../../../src/service/subtle/effort.ts';
import { SHORT_MS } from '../../../src/service/subtle/dispatcher.ts';

/** As the page's script sends it. */
function sent(algorithm: SubtleParams): WireAlgorithm {
  const members = Object.entries(algorithm).map(([name, value]: [string, unknown]) => [
    name,
    typeof value === 'bigint' ? { bigint: String(value) } : value,
  ]);
  return Object.fromEntries(members) as WireAlgorithm;
}

const used = ({ type, algorithm }: SubtleKey): UsedKey => ({
  type,
  algorithm: toStored(algorithm),
});

const HANDLE = { key: 'key', baseKey: 'key' };
const MADE = { extractable: true, usages: [] };

function deriveEffort(algorithm: SubtleParams, key: SubtleKey, length: number | null): number {
  const params = { ...HANDLE, algorithm: sent(algorithm), length };
  return effortOf('subtle.deriveBits', params, [used(key)]);
}

function derivedKeyEffort(derivedKeyType: SubtleParams): number {
  const params = {
    ...HANDLE,
    ...MADE,
    algorithm: sent(HKDF),
    derivedKeyType: sent(derivedKeyType),
  };
  return effortOf('subtle.deriveKey', params, [{ type: 'secret', algorithm: { name: 'HKDF' } }]);
}

function generateEffort(algorithm: SubtleParams): number {
  return effortOf('subtle.generateKey', { ...MADE, algorithm: sent(algorithm) }, []);
}

function digestEffort(algorithm: SubtleParams): number {
  return effortOf('subtle.digest', { algorithm: sent(algorithm), data: bytes(0) }, []);
}

function signEffort(algorithm: SubtleParams, key: SubtleKey): number {
  const params = { ...HANDLE, algorithm: sent(algorithm), data: bytes(0) };
  return effortOf('subtle.sign', params, [used(key)]);
}

function publicKeyEffort(key: SubtleKey): number {
  return effortOf('subtle.getPublicKey', { ...HANDLE, usages: [] }, [used(key)]);
}

function importEffort(algorithm: SubtleParams, length: number): number {
  const params = { ...MADE, format: 'spki', algorithm: sent(algorithm), keyData: bytes(length) };
  return effortOf('subtle.importKey', params as never, []);
}

const bytes = (length: number) => new Uint8Array(length);
const MIB = 1024 * 1024;

function secret(name: string): SubtleKey {
  return new SubtleKey({ name }, bytes(9), false, ['deriveBits']);
}

const derive = (algorithm: SubtleParams, lengthBits = 256): number =>
  deriveEffort(algorithm, secret(algorithm.name), lengthBits);

const ARGON2 = { name: 'Argon2id', nonce: bytes(16), memory: 65_536, passes: 3, parallelism: 4 };
const SCRYPT = { name: 'scrypt', salt: bytes(16), N: 2 ** 17, r: 8, p: 1 };
const PBKDF2 = { name: 'PBKDF2', hash: 'SHA-256', salt: bytes(16), iterations: 600_000 };
const HKDF = { name: 'HKDF', hash: 'SHA-256', salt: bytes(32), info: bytes(32) };

function refusal(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    expect(error).to.be.instanceOf(DOMException).with.property('name', 'OperationError');
    return (error as DOMException).message;
  }
  return 'none';
}

/** A bound from both sides: what is just inside it, what is just outside, and what is said then. */
function bound(inside: () => unknown, outside: () => unknown, message: RegExp): void {
  expect(refusal(inside)).to.equal('none');
  expect(refusal(outside)).to.match(message);
}

/** In ms, as they were when each algorithm was given its price: a change is a change of what pages may do. */
const PRICES = {
  argon2: 393.216,
  scrypt: 419.4616,
  pbkdf2: 240,
  pbkdf2Sha512: 960.0008,
  hkdf: 52.4416,
  agreement: 13.7439,
  newGroup: 72.2897,
  rsa: 127.0133,
  shake: 0.4857,
  kangaroo: 0.1966,
  mlDsa: 5,
  slhDsa: 2000,
  mlKem: 1,
  slhDsaPublicKey: 0,
};

const TIMES = /1\.\d+ times the work that a page may ask for in one call/;

describe('The effort of a call of subtle', () => {
  it('is within the bound for what services ask of their users', () => {
    const usual: [SubtleParams, number?][] = [
      [{ ...PBKDF2, hash: 'SHA-1', iterations: 1_400_000 }],
      [PBKDF2],
      [{ ...PBKDF2, hash: 'SHA-512', iterations: 210_000 }, 512],
      [{ ...PBKDF2, iterations: 2_000_000 }],
      [ARGON2],
      [{ ...ARGON2, memory: 256 * 1024, passes: 3, parallelism: 1 }],
      [{ ...ARGON2, memory: 47_104, passes: 1, parallelism: 1 }],
      [SCRYPT],
      [{ ...SCRYPT, N: 2 ** 18 }],
      [{ ...HKDF, hash: 'SHA-512' }, 255 * 512],
    ];
    for (const [algorithm, length] of usual) {
      expect(derive(algorithm, length), JSON.stringify(algorithm)).to.be.above(0);
    }
  });

  for (const name of ['Argon2d', 'Argon2i', 'Argon2id']) boundsArgon2(name);

  function boundsArgon2(name: string) {
    it(`bounds ${name}: blocks × passes, memory, passes, parallelism, nonce, length`, () => {
      const with_ = (change: object, length?: number) => () =>
        derive({ ...ARGON2, name, ...change }, length);
      const large = { memory: 250_000, passes: 4 };
      bound(with_(large), with_({ ...large, memory: 250_100 }), TIMES);
      bound(
        with_({ memory: 262_144 }),
        with_({ memory: 262_145 }),
        /memory in KiB is 262144 at most/,
      );
      const small = { memory: 1024 };
      bound(
        with_({ ...small, passes: 16 }),
        with_({ ...small, passes: 17 }),
        /passes is 16 at most/,
      );
      bound(with_({ parallelism: 16 }), with_({ parallelism: 17 }), /parallelism is 16 at most/);
      bound(with_({ nonce: bytes(8) }), with_({ nonce: bytes(7) }), /nonce has at least 8 bytes/);
      bound(with_({}, 8192), with_({}, 8200), /length in bytes is 1024 at most/);
    });
  }

  it('bounds scrypt: N r p, memory, p, and what is hashed around it', () => {
    const with_ = (change: object, length?: number) => () =>
      derive({ ...SCRYPT, ...change }, length);
    const wide = { N: 2 ** 15, r: 9 };
    bound(with_({ ...wide, p: 16 }), with_({ ...wide, p: 16, r: 10 }), TIMES);
    bound(with_({ N: 2 ** 18 }), with_({ N: 2 ** 19 }), /memory in bytes \(128 N r\) is 268435456/);
    const small = { N: 2 ** 10 };
    bound(with_({ ...small, p: 16 }), with_({ ...small, p: 17 }), /p is 16 at most/);
    const blocks = { N: 2, r: 80_000, p: 1 };
    bound(with_(blocks, 8 * 32), with_(blocks, 8 * 32 * 100), /times the work/);
    bound(with_({ salt: bytes(64) }), with_({ salt: bytes(16 * MIB) }), /times the work/);
  });

  it('bounds PBKDF2: iterations × blocks of each hash, and its salt', () => {
    const with_ = (change: object, length?: number) => () =>
      derive({ ...PBKDF2, ...change }, length);
    for (const [hash, most] of [
      ['SHA-1', 5_000_000],
      ['sha-256', 5_000_000],
      ['SHA-384', 2_500_000],
      ['SHA-512', 2_500_000],
      ['SHA3-256', 1_000_000],
      ['SHA3-512', 1_000_000],
    ] as const) {
      const at = (iterations: number, length: number) => with_({ hash, iterations }, length);
      bound(at(most, 160), at(most + 2_501, 160), TIMES);
      bound(at(most / 4, 160), at(most / 4, 512 * 5), /times the work/);
    }
    const once = { iterations: 1, salt: bytes(MIB) };
    bound(with_(once, 8 * 32 * 100), with_(once, 8 * 32 * 1_000), /times the work/);
    bound(
      with_({ iterations: 1 }, 8 * 16 * MIB),
      with_({ iterations: 1 }, 8 * 16 * MIB + 8),
      /length in bytes/,
    );
  });

  it('bounds HKDF by its info', () => {
    const with_ = (info: number) => () => derive({ ...HKDF, info: bytes(info) }, 255 * 256);
    bound(with_(2 * MIB), with_(4 * MIB), TIMES);
  });

  it('bounds DH: powers of the secret, and primes of a new group that is not known', () => {
    const known = namedGroup('modp8192');
    const [p, g] = [known.p, known.g];
    const agree = (q?: bigint) => () =>
      deriveEffort(
        { name: 'DH' },
        new SubtleKey({ name: 'DH', p: p + 2n, g, q }, bytes(9), false, ['deriveBits'], 'private'),
        null,
      );
    bound(agree(), agree(2n ** 8000n), TIMES);
    bound(agree(2n ** 256n), agree(2n ** 6000n), TIMES);
    expect(refusal(() => generateEffort({ name: 'DH', group: 'modp8192' }))).to.equal('none');
    expect(refusal(() => generateEffort({ name: 'DH', p, g }))).to.equal('none');
    const own = (bits: bigint, q: bigint) => () =>
      generateEffort({ name: 'DH', p: 2n ** bits - 1n, g: 2n, q });
    bound(own(4096n, 2n ** 4094n), own(8192n, 2n ** 255n), /times the work/);
    bound(own(6143n, 2n ** 255n), own(6400n, 2n ** 255n), TIMES);
  });

  it('bounds DSA, and takes no named group for it', () => {
    const own =
      (bits: bigint, more: object = {}) =>
      () =>
        generateEffort({ name: 'DSA', p: 2n ** bits - 1n, g: 2n, q: 2n ** 255n, ...more });
    bound(own(3072n), own(8192n), /times the work/);
    expect(refusal(own(8192n, { group: 'modp1536' }))).to.match(/times the work/);
    const key = { name: 'DSA', p: 2n ** 3071n, q: 2n ** 255n, g: 2n };
    const dsa = new SubtleKey(key, bytes(9), false, ['sign'], 'private');
    expect(signEffort({ name: 'DSA', hash: 'SHA-256' }, dsa)).to.be.above(1);
  });

  it('bounds and prices outputs whose length the page chooses', () => {
    for (const name of ['cSHAKE128', 'cSHAKE256', 'TurboSHAKE256', 'kt128']) {
      const digest = (bytes: number) => () => digestEffort({ name, outputLength: 8 * bytes });
      bound(digest(MIB), digest(MIB + 1), /outputLength in bits is 8388608 at most/);
      expect(digest(MIB)()).to.be.within(2, SHORT_MS);
    }
    expect(digestEffort({ name: 'SHA-256' })).to.equal(0);
    const key = new SubtleKey({ name: 'KMAC256', length: 72 }, bytes(9), false, ['sign']);
    const sign = (bytes: number) => () =>
      signEffort({ name: 'KMAC256', outputLength: 8 * bytes }, key);
    bound(sign(MIB), sign(MIB + 1), /KMAC256: outputLength in bits is 8388608 at most/);
    expect(sign(MIB)()).to.be.above(2);
  });

  it('has the prices that services were given', () => {
    const key = (name: string) =>
      new SubtleKey({ name }, bytes(64), false, ['sign', 'deriveBits'], 'private');
    const { p, g, q } = namedGroup('ffdhe2048');
    const dh = new SubtleKey({ name: 'DH', p, g, q }, bytes(9), false, ['deriveBits'], 'private');
    const own = { name: 'DSA', p: 2n ** 2048n - 1n, g: 2n, q: 2n ** 255n };
    const prices = {
      argon2: derive(ARGON2),
      scrypt: derive(SCRYPT),
      pbkdf2: derive(PBKDF2),
      pbkdf2Sha512: derive({ ...PBKDF2, hash: 'SHA-512', salt: bytes(200) }, 1024),
      hkdf: derive({ ...HKDF, info: bytes(MIB) }, 4096),
      agreement: deriveEffort({ name: 'DH' }, dh, null),
      newGroup: generateEffort(own),
      rsa: generateEffort({ name: 'RSA-OAEP', hash: 'SHA-256', modulusLength: 2048 }),
      shake: digestEffort({ name: 'cSHAKE256', outputLength: 8 * 65_536 }),
      kangaroo: digestEffort({ name: 'KT128', outputLength: 8 * 65_536 }),
      mlDsa: signEffort({ name: 'ML-DSA-65' }, key('ML-DSA-65')),
      slhDsa: signEffort({ name: 'SLH-DSA-SHAKE-192f' }, key('SLH-DSA-SHAKE-192f')),
      mlKem: generateEffort({ name: 'ML-KEM-768' }),
      slhDsaPublicKey: publicKeyEffort(key('SLH-DSA-SHA2-128f')),
    };
    expect(
      Object.fromEntries(Object.entries(prices).map(([name, ms]) => [name, Number(ms.toFixed(4))])),
    ).to.deep.equal(PRICES);
  });

  it('bounds SLH-DSA: a signature of the small sets takes seconds', () => {
    const sign = (name: string) => () =>
      signEffort({ name }, new SubtleKey({ name }, bytes(64), false, ['sign'], 'private'));
    bound(sign('SLH-DSA-SHA2-128f'), sign('SLH-DSA-SHA2-128s'), /times the work/);
    expect(refusal(sign('ML-DSA-87'))).to.equal('none');
    expect(refusal(() => generateEffort({ name: 'slh-dsa-sha2-128s' }))).to.equal('none');
  });

  it('has a price for each use of X448 and Ed448', () => {
    const key = (name: string, usage: 'sign' | 'deriveBits') =>
      new SubtleKey({ name }, bytes(57), false, [usage], 'private');
    expect([
      generateEffort({ name: 'X448' }),
      generateEffort({ name: 'Ed448' }),
      deriveEffort({ name: 'X448' }, key('X448', 'deriveBits'), 448),
      signEffort({ name: 'Ed448' }, key('Ed448', 'sign')),
      publicKeyEffort(key('X448', 'deriveBits')),
      publicKeyEffort(key('Ed448', 'sign')),
    ]).to.deep.equal([5, 5, 10, 8, 5, 5]);
  });

  it('bounds the length of keys of HMAC that are made or derived', () => {
    const type = (length: number) => ({ name: 'HMAC', hash: 'SHA-256', length });
    const { keyBits } = BOUNDS;
    for (const check of [generateEffort, derivedKeyEffort]) {
      bound(
        () => check(type(keyBits)),
        () => check(type(keyBits + 1)),
        /length in bits/,
      );
    }
    const ofBits = (bits: number) => derive(HKDF, bits);
    expect(derivedKeyEffort({ name: 'HMAC', hash: 'SHA-512' })).to.equal(ofBits(1024));
    expect(derivedKeyEffort({ name: 'hmac', hash: { name: 'sha-1' } })).to.equal(ofBits(512));
    expect(derivedKeyEffort({ name: 'AES-GCM', length: 256 })).to.equal(ofBits(256));
  });

  it('is nothing for values that are refused before any work', () => {
    expect(derive({ ...PBKDF2, iterations: 'many' as never })).to.equal(0);
    expect(derive({ ...ARGON2, memory: {} as never })).to.equal(0);
    expect(derive({ ...SCRYPT, N: undefined as never })).to.equal(0);
    expect(generateEffort({ name: 'DH', q: 3n })).to.equal(0);
    expect(generateEffort({ name: 'AES-GCM', length: 256 })).to.equal(0);
    // Their conversion would take seconds.
    const many = new Uint8Array(16 * MIB) as never;
    expect(derive({ ...PBKDF2, iterations: many })).to.equal(0);
  });
});

describe('The effort of keys of subtle', () => {
  it('has a price for each use of a key of RSA, whatever its exponent is', () => {
    const key = { name: 'RSA-PSS', modulusLength: 8192, publicExponent: 'AQAB' };
    const use = (method: 'subtle.sign' | 'subtle.verify', algorithm: StoredAlgorithm): number => {
      const params = { ...HANDLE, algorithm: { name: 'RSA-PSS' }, data: bytes(0) };
      return effortOf(method, { ...params, signature: bytes(0) }, [{ type: 'private', algorithm }]);
    };
    expect(use('subtle.sign', key)).to.be.within(30, 40);
    expect(use('subtle.verify', key)).to.be.within(2, 3);
    expect(use('subtle.verify', { ...key, publicExponent: 'A'.repeat(1366) })).to.be.above(100);
    expect(use('subtle.sign', { ...key, modulusLength: 2048 })).to.be.below(1);
    // One that is not known yet is priced as the largest.
    const largest: UsedKey = { type: 'public', algorithm: key };
    const exported = effortOf('subtle.exportKey', { ...HANDLE, format: 'spki' }, [largest]);
    expect(importEffort({ name: 'rsa-pss', hash: 'SHA-256' }, 100)).to.equal(exported);
  });

  it('has a price for each private key that is read or written with its public half', () => {
    const read = (name: string, keyData: Uint8Array | { jwk: WireJwk }, format: 'jwk' | 'pkcs8') =>
      effortOf('subtle.importKey', { ...MADE, format, keyData, algorithm: { name } }, []);
    const unwrapped = (name: string, length: number) => {
      const unwrapping = { unwrappingKey: 'key', unwrapAlgorithm: { name: 'AES-GCM' } };
      const params = { ...MADE, ...unwrapping, format: 'jwk' as const, wrappedKey: bytes(length) };
      const aes: UsedKey = { type: 'secret', algorithm: { name: 'AES-GCM' } };
      return effortOf('subtle.unwrapKey', { ...params, unwrappedKeyAlgorithm: { name } }, [aes]);
    };
    const written = (name: string, type: UsedKey['type'], format: 'jwk' | 'pkcs8') => {
      const key: UsedKey = { type, algorithm: { name } };
      const aes: UsedKey = { type: 'secret', algorithm: { name: 'AES-GCM' } };
      const wrapping = { wrappingKey: 'other', wrapAlgorithm: { name: 'AES-GCM' } };
      const prices = [
        effortOf('subtle.exportKey', { ...HANDLE, format }, [key]),
        effortOf('subtle.wrapKey', { ...HANDLE, ...wrapping, format }, [key, aes]),
      ];
      expect(prices[1], name).to.equal(prices[0]);
      return prices[0];
    };
    for (const [name, price] of [
      ['X448', 5],
      ['Ed448', 5],
      ['ML-DSA-87', 1],
      ['ML-KEM-1024', 1],
      ['SLH-DSA-SHA2-128f', 0],
    ] as const) {
      const [publicKey, secret] = name.endsWith('448')
        ? (['x', 'd'] as const)
        : (['pub', 'priv'] as const);
      expect(read(name, { jwk: { [publicKey]: 'AA', [secret]: 'AA' } }, 'jwk'), name).to.equal(
        price,
      );
      expect(read(name, { jwk: { [publicKey]: 'AA' } }, 'jwk'), name).to.equal(0);
      expect(read(name, bytes(100), 'pkcs8'), name).to.equal(0);
      expect(unwrapped(name, 100), name).to.equal(price);
      expect(written(name, 'private', 'jwk'), name).to.equal(price);
      expect(written(name, 'public', 'jwk'), name).to.equal(0);
      expect(written(name, 'private', 'pkcs8'), name).to.equal(0);
    }
    const rsa = (nBytes: number, e: string, more: WireJwk = { d: 'AA' }) =>
      read('RSA-PSS', { jwk: { n: '_'.repeat((nBytes * 4) / 3), e, ...more } }, 'jwk');
    // A signature, its verification, and three times the reading.
    expect(rsa(1024, 'AQAB')).to.be.within(36, 45);
    expect(rsa(1024, '_'.repeat(1365))).to.be.within(150, 180);
    expect(rsa(256, 'AQAB')).to.be.below(1.5);
    expect(rsa(1024, 'AQAB', {})).to.be.within(2, 3);
    // What its bytes hold may have any public exponent.
    expect(read('RSA-PSS', bytes(5_700), 'pkcs8')).to.be.within(150, 180);
    expect(read('RSA-PSS', bytes(1_217), 'pkcs8')).to.be.within(1, 10);
    expect(unwrapped('RSA-PSS', 7_000)).to.be.within(150, 180);
  });

  it('bounds new pairs of RSA', () => {
    const rsa = (modulusLength: number) => () =>
      generateEffort({ name: 'rsa-pss', hash: 'SHA-256', modulusLength });
    bound(rsa(4096), rsa(4104), TIMES);
    expect(refusal(rsa(8193))).to.match(/modulus in bits is 8192 at most/);
  });

  it('bounds numbers before they are read, and keys when they are', () => {
    const group = (p: bigint | Uint8Array<ArrayBuffer>) => () =>
      generateEffort({ name: 'DH', p, g: 2n });
    expect(refusal(group(bytes(1025)))).to.match(/modulus in bits is 8192 at most/);
    expect(refusal(group(2n ** 8192n))).to.match(/modulus in bits is 8192 at most/);
    const data = (name: string, length: number) => () => importEffort({ name }, length);
    for (const name of ['DH', 'DSA', 'RSA-OAEP']) {
      bound(data(name, 16_384), data(name, 16_385), /key data in bytes is 16384 at most/);
    }
    expect(refusal(data('HMAC', 16_385))).to.equal('none');
    const read = (jwk: WireJwk) => () => {
      const algorithm = { name: 'RSA-OAEP' };
      return effortOf(
        'subtle.importKey',
        { ...MADE, format: 'jwk', keyData: { jwk }, algorithm },
        [],
      );
    };
    const base64 = (length: number) => '_'.repeat(Math.ceil((length * 4) / 3));
    bound(read({ n: base64(1024) }), read({ n: base64(1025) }), /modulus in bits is 8192 at most/);
    bound(
      read({ p: base64(8192), q: base64(8192) }),
      read({ p: base64(8192), q: base64(8193) }),
      /key data in bytes is 16384 at most/,
    );
    const modulus = (bits: bigint) => () =>
      checkModulus({ name: 'DH', p: String(2n ** bits), g: '2' });
    bound(modulus(8191n), modulus(8192n), /modulus in bits/);
    const rsa = (modulusLength: number) => () => checkModulus({ name: 'RSA-PSS', modulusLength });
    bound(rsa(8192), rsa(8193), /modulus in bits/);
  });
});
