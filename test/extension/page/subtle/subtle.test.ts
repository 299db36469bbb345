import { expect } from 'chai';
import { SealwrightKey } from '../../../../extension/page/subtle/key.ts';
import { errorName, pageSubtle } from '../../../support/page-subtle.ts';
import { World } from '../../../support/service-world.ts';

const { subtle: native } = globalThis.crypto;
const bytes = (length: number, first = 0): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length }, (_, i) => first + i);
const DATA = bytes(1000);
type Usages = readonly KeyUsage[];

/** The same calls on both, with the same key. */
async function both(
  subtle: SubtleCrypto,
  algorithm: object & { readonly name: string },
  keyBytes: Uint8Array<ArrayBuffer>,
  usages: Usages,
  work: (subtle: SubtleCrypto, key: CryptoKey) => Promise<ArrayBuffer>,
): Promise<[Uint8Array, Uint8Array]> {
  const results = [subtle, native].map(async (one) => {
    const key = await one.importKey('raw', keyBytes, algorithm, true, [...usages]);
    return new Uint8Array(await work(one, key));
  });
  return Promise.all(results) as Promise<[Uint8Array, Uint8Array]>;
}

const MISTAKES: readonly [string, string, (subtle: SubtleCrypto) => Promise<unknown>][] = [
  ['no algorithm', 'NotSupportedError', (one) => one.digest('MD5', DATA)],
  ['an object without a name', 'TypeError', (one) => one.digest({} as Algorithm, DATA)],
  ['no name at all', 'NotSupportedError', (one) => one.digest(undefined as never, DATA)],
  ['no bytes', 'TypeError', (one) => one.digest('SHA-256', 'text' as never)],
  ['shared memory', 'TypeError', (one) => one.digest('SHA-256', new SharedArrayBuffer(8) as never)],
  [
    'no usages',
    'SyntaxError',
    (one) => one.generateKey({ name: 'AES-GCM', length: 256 }, true, []),
  ],
  [
    'usages of another algorithm',
    'SyntaxError',
    (one) => one.generateKey({ name: 'AES-GCM', length: 256 }, true, ['sign']),
  ],
  [
    'unknown usages',
    'TypeError',
    (one) => one.generateKey({ name: 'AES-GCM', length: 256 }, true, ['eat' as never]),
  ],
  [
    'usages that are no sequence',
    'TypeError',
    (one) => one.generateKey({ name: 'AES-GCM', length: 256 }, true, 5 as never),
  ],
  [
    'a length of another algorithm',
    'OperationError',
    (one) => one.generateKey({ name: 'AES-GCM', length: 100 }, true, ['encrypt']),
  ],
  [
    'a length that is no number',
    'TypeError',
    (one) => one.generateKey({ name: 'AES-GCM', length: NaN }, true, ['encrypt']),
  ],
  [
    'a missing length',
    'TypeError',
    (one) => one.generateKey({ name: 'AES-GCM' } as never, true, ['encrypt']),
  ],
  [
    'a key of the wrong length',
    'DataError',
    (one) => one.importKey('raw', bytes(5), 'AES-GCM', true, ['encrypt']),
  ],
  [
    'an unknown format',
    'TypeError',
    (one) => one.importKey('pem' as 'raw', DATA, 'HKDF', false, []),
  ],
  [
    'bytes where a JWK belongs',
    'TypeError',
    (one) => one.importKey('jwk', DATA as never, 'AES-GCM', true, ['encrypt']),
  ],
  ['an empty JWK', 'DataError', (one) => one.importKey('jwk', {}, 'AES-GCM', true, ['encrypt'])],
  [
    'an extractable key of a derivation',
    'SyntaxError',
    (one) => one.importKey('raw', DATA, 'HKDF', true, ['deriveBits']),
  ],
  [
    'a nonce that is no bytes',
    'TypeError',
    async (one) => {
      const key = await one.importKey('raw', bytes(32), 'AES-GCM', false, ['encrypt']);
      return one.encrypt({ name: 'AES-GCM', iv: {} as never }, key, DATA);
    },
  ],
  [
    'a key for something else',
    'InvalidAccessError',
    async (one) => {
      const key = await one.importKey('raw', bytes(32), 'AES-CBC', false, ['encrypt']);
      return one.encrypt({ name: 'AES-GCM', iv: bytes(12) }, key, DATA);
    },
  ],
  [
    'a key for another use',
    'InvalidAccessError',
    async (one) => {
      const key = await one.importKey('raw', bytes(32), 'AES-GCM', false, ['decrypt']);
      return one.encrypt({ name: 'AES-GCM', iv: bytes(12) }, key, DATA);
    },
  ],
  [
    'a tag that does not verify',
    'OperationError',
    async (one) => {
      const key = await one.importKey('raw', bytes(32), 'AES-GCM', false, ['decrypt']);
      return one.decrypt({ name: 'AES-GCM', iv: bytes(12) }, key, DATA);
    },
  ],
  [
    'the export of what stays inside',
    'InvalidAccessError',
    async (one) => {
      const key = await one.importKey('raw', bytes(32), 'AES-GCM', false, ['decrypt']);
      return one.exportKey('raw', key);
    },
  ],
];
/** Where Node says DataError and InvalidAccessException; browsers do as the standard. */
const OTHERWISE_IN_NODE = ['bytes where a JWK belongs', 'the export of what stays inside'];

describe('sealwright.subtle', function () {
  this.timeout(30_000);
  let subtle: SubtleCrypto;
  let world: World;

  beforeEach(() => {
    world = World.fresh();
    subtle = pageSubtle(world);
  });

  const CIPHERS = [
    { name: 'AES-GCM', iv: bytes(12), additionalData: bytes(20) },
    { name: 'AES-CTR', counter: bytes(16), length: 64 },
    { name: 'AES-CBC', iv: bytes(16) },
  ];
  for (const algorithm of CIPHERS) {
    it(`encrypts ${algorithm.name} as the platform does, and back`, async () => {
      const usages = ['encrypt', 'decrypt'] as const;
      const [ours, theirs] = await both(subtle, algorithm, bytes(32), usages, (one, key) =>
        one.encrypt(algorithm, key, DATA),
      );
      expect(ours).to.deep.equal(theirs);
      const [back] = await both(subtle, algorithm, bytes(32), usages, (one, key) =>
        one.decrypt(algorithm, key, theirs as Uint8Array<ArrayBuffer>),
      );
      expect(back).to.deep.equal(DATA);
    });
  }

  it('digests, authenticates and derives as the platform does', async () => {
    expect(await subtle.digest('sha-384', DATA)).to.deep.equal(
      await native.digest('SHA-384', DATA),
    );
    const hmac = { name: 'HMAC', hash: { name: 'SHA-256' } };
    const [tag, theirs] = await both(subtle, hmac, bytes(40), ['sign', 'verify'], (one, key) =>
      one.sign('HMAC', key, DATA),
    );
    expect(tag).to.deep.equal(theirs);
    const pbkdf2 = { name: 'PBKDF2', hash: 'SHA-256', salt: bytes(16), iterations: 1000 };
    const results = [subtle, native].map(async (one) => {
      const base = await one.importKey('raw', bytes(9), 'PBKDF2', false, ['deriveKey']);
      const type = { name: 'AES-GCM', length: 256 };
      const key = await one.deriveKey(pbkdf2, base, type, true, ['encrypt']);
      return one.exportKey('raw', key);
    });
    expect(await results[0]).to.deep.equal(await results[1]);
  });

  it('signs, agrees and wraps with keys of the platform, in and out of it', async () => {
    const ecdsa = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
    const pair = await subtle.generateKey(ecdsa, false, ['sign', 'verify']);
    const spki = await subtle.exportKey('spki', pair.publicKey);
    const peer = await native.importKey('spki', spki, ecdsa, true, ['verify']);
    const signature = await subtle.sign(ecdsa, pair.privateKey, DATA);
    expect(await native.verify(ecdsa, peer, signature, DATA)).to.equal(true);
    expect(await subtle.verify(ecdsa, pair.publicKey, signature, DATA)).to.equal(true);
    expect(await errorName(subtle.exportKey('pkcs8', pair.privateKey))).to.equal(
      'InvalidAccessError',
    );

    const x = { name: 'X25519' };
    const [a, b] = [
      (await subtle.generateKey(x, true, ['deriveBits'])) as CryptoKeyPair,
      (await subtle.generateKey(x, true, ['deriveBits'])) as CryptoKeyPair,
    ];
    const ab = await subtle.deriveBits({ name: 'X25519', public: b.publicKey }, a.privateKey, 256);
    const ba = await subtle.deriveBits({ name: 'X25519', public: a.publicKey }, b.privateKey, 256);
    expect(ab).to.deep.equal(ba);

    const jwk = await subtle.exportKey('jwk', a.privateKey);
    const hidden = { ...jwk, ext: false };
    const again = await subtle.importKey('jwk', hidden, x, false, ['deriveBits']);
    const once = await subtle.deriveBits({ name: 'X25519', public: b.publicKey }, again, 256);
    expect(once).to.deep.equal(ab);
    expect(await errorName(subtle.importKey('jwk', hidden, x, true, ['deriveBits']))).to.equal(
      'DataError',
    );

    const kw = await subtle.generateKey({ name: 'AES-KW', length: 256 }, false, [
      'wrapKey',
      'unwrapKey',
    ]);
    const gcm = await subtle.generateKey({ name: 'AES-GCM', length: 128 }, true, ['encrypt']);
    const wrapped = await subtle.wrapKey('raw', gcm, kw, 'AES-KW');
    const back = await subtle.unwrapKey('raw', wrapped, kw, 'AES-KW', 'AES-GCM', true, ['encrypt']);
    expect(await subtle.exportKey('raw', back)).to.deep.equal(await subtle.exportKey('raw', gcm));
  });

  it('keeps RSA and DH keys with their parameters over the death of the worker', async () => {
    const publicExponent = new Uint8Array([1, 0, 1]);
    const rsa = { name: 'RSA-PSS', modulusLength: 2048, publicExponent, hash: 'SHA-256' };
    const pair = await subtle.generateKey(rsa, false, ['sign', 'verify']);
    const dh = { name: 'DH', group: 'ffdhe2048' };
    const [mine, yours] = (await Promise.all(
      [1, 2].map(() => subtle.generateKey(dh, true, ['deriveBits'])),
    )) as unknown as CryptoKeyPair[];
    expect(pair.publicKey.algorithm).to.deep.equal({
      name: 'RSA-PSS',
      modulusLength: 2048,
      publicExponent,
      hash: { name: 'SHA-256' },
    });
    expect(mine!.publicKey.algorithm).to.have.property('p').that.is.a('bigint');
    world.restart();
    const pss = { name: 'RSA-PSS', saltLength: 32 };
    const signature = await subtle.sign(pss, pair.privateKey, DATA);
    expect(await subtle.verify(pss, pair.publicKey, signature, DATA)).to.equal(true);
    const derive = (own: CryptoKeyPair, other: CryptoKeyPair) =>
      subtle.deriveBits({ name: 'DH', public: other.publicKey }, own.privateKey, 2048);
    expect(await derive(mine!, yours!)).to.deep.equal(await derive(yours!, mine!));
  });

  it('gives frozen keys of one class, that no page can make', async () => {
    const key = await subtle.generateKey({ name: 'aes-gcm', length: 256 }, true, [
      'decrypt',
      'encrypt',
      'decrypt',
    ]);
    expect(key).to.be.instanceOf(SealwrightKey);
    expect(JSON.stringify(key)).to.equal('{}');
    expect(() => structuredClone(key))
      .to.throw(DOMException)
      .with.property('name', 'DataCloneError');
    expect(key.algorithm).to.deep.equal({ name: 'AES-GCM', length: 256 });
    expect(key.usages).to.deep.equal(['encrypt', 'decrypt']);
    for (const part of [key, key.algorithm, key.usages]) {
      expect(Object.isFrozen(part)).to.equal(true);
    }
    const forged = Object.create(key, Object.getOwnPropertyDescriptors(key)) as CryptoKey;
    for (const value of [forged, null, undefined, 'key', {}]) {
      const encrypting = subtle.encrypt(
        { name: 'AES-GCM', iv: bytes(12) },
        value as CryptoKey,
        DATA,
      );
      expect(await errorName(encrypting)).to.equal('TypeError');
    }
    const Key = key.constructor as unknown as new (...args: unknown[]) => unknown;
    expect(() => new Key({}, { handle: 'x' })).to.throw(TypeError, 'Illegal');
  });

  it('copies bytes at the call, after the algorithm has been read', async () => {
    const data = bytes(64);
    const algorithm = {
      get name() {
        data.fill(7);
        return 'SHA-256';
      },
    };
    const digesting = subtle.digest(algorithm, data);
    data.fill(9);
    expect(await digesting).to.deep.equal(
      await native.digest('SHA-256', new Uint8Array(64).fill(7)),
    );
    const gone = bytes(8);
    structuredClone(gone, { transfer: [gone.buffer] });
    expect(await subtle.digest('SHA-256', gone)).to.deep.equal(
      await native.digest('SHA-256', new Uint8Array(0)),
    );
    const part = new DataView(bytes(16).buffer, 4, 4);
    expect(await subtle.digest('SHA-256', part)).to.deep.equal(
      await native.digest('SHA-256', bytes(4, 4)),
    );
  });

  for (const [mistake, name, make] of MISTAKES) {
    it(`rejects ${mistake} with ${name}, as the platform does`, async () => {
      expect(await errorName(make(subtle))).to.equal(name);
      if (!OTHERWISE_IN_NODE.includes(mistake)) {
        expect(await errorName(make(native))).to.equal(name);
      }
    });
  }

  it('offers raw building blocks only to a page that asks for them', async () => {
    const ecb = { name: 'AES-ECB', length: 128 };
    const requested = [true, ['encrypt']] as const;
    expect(await errorName(subtle.generateKey(ecb, requested[0], [...requested[1]]))).to.equal(
      'NotSupportedError',
    );
    const meant = { ...ecb, hazardous: true };
    const key = await subtle.generateKey(meant, true, ['encrypt']);
    expect(await errorName(subtle.encrypt('AES-ECB', key, bytes(16)))).to.equal(
      'NotSupportedError',
    );
    const hazardous = { name: 'AES-ECB', hazardous: true };
    expect(await errorName(subtle.encrypt(hazardous, key, bytes(16)))).to.equal('none');
    const salsa = { name: 'Salsa20', hazardous: 'yes' };
    expect(await errorName(subtle.importKey('raw', bytes(32), salsa, true, ['encrypt']))).to.equal(
      'NotSupportedError',
    );
  });

  it('refuses work for which all sites would wait, and 16 MiB and a byte', async () => {
    const base = await subtle.importKey('raw', bytes(9), 'Argon2id', false, ['deriveBits']);
    const params = { name: 'Argon2id', nonce: bytes(16), parallelism: 1, passes: 1 };
    const deriving = subtle.deriveBits({ ...params, memory: 2 ** 20 } as never, base, 256);
    expect(await errorName(deriving)).to.equal('OperationError');
    const large = new Uint8Array(16 * 1024 * 1024 + 1);
    expect(await errorName(subtle.digest('SHA-256', large))).to.equal('OperationError');
    expect(await errorName(subtle.digest('SHA-256', large.subarray(1)))).to.equal('none');
  });
});
