import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { KEM_NAMES, KEMS, SIGNATURE_NAMES, SIGNATURES } from '../../src/crypto/post-quantum.ts';
import { toHex } from '../../src/crypto/bytes.ts';
import { defaultRegistry } from '../../src/engine/default-engines.ts';
import { createSubtle } from '../../src/library/subtle.ts';
import type { Subtle, SubtleKey, SubtleKeyPair, SubtleParams } from '../../src/library/subtle.ts';
import { inDepth } from '../support/depth.ts';
import { loadWasm } from '../support/wasm.ts';
import { errorNameOf } from '../support/outcomes.ts';

/* The six methods and the key types that the WICG draft adds, in the engines `js` and `wasm-simd`. */

interface Vectors {
  readonly decapsulation: readonly Record<
    'name' | 'seed' | 'publicKeySha256' | 'ciphertext' | 'sharedKey',
    string
  >[];
  readonly keyPairs: readonly Record<'name' | 'privateKey', string>[];
  readonly modulus: readonly Record<'name' | 'publicKey', string>[];
  readonly signing: readonly Record<
    'name' | 'seed' | 'pkcs8' | 'publicKeySha256' | 'message' | 'context' | 'signatureSha256',
    string
  >[];
  readonly verification: readonly (Record<
    'name' | 'comment' | 'publicKey' | 'message' | 'context' | 'signature',
    string
  > & { readonly valid: boolean })[];
}
const VECTORS = JSON.parse(readFileSync('test/vectors/post-quantum.json', 'utf8')) as Vectors;

const ZEROS = { bytes: (length: number) => new Uint8Array(length) };
const subtle = await createSubtle({ engine: 'js' });

const hex = (digits: string) => Uint8Array.from(Buffer.from(digits, 'hex'));
const sha256 = (bytes: ArrayBuffer) =>
  createHash('sha256').update(new Uint8Array(bytes)).digest('hex');
const hexOf = (bytes: ArrayBuffer) => toHex(new Uint8Array(bytes));

type Usages = Parameters<Subtle['importKey']>[4];
type Format = Exclude<Parameters<Subtle['exportKey']>[0], 'jwk'>;

const PRIVATE_USAGES: Usages = ['decapsulateKey', 'decapsulateBits'];
const PUBLIC_USAGES: Usages = ['encapsulateKey', 'encapsulateBits'];

function kemPair(name: string): Promise<SubtleKeyPair> {
  return subtle.generateKey({ name }, true, [
    ...PUBLIC_USAGES,
    ...PRIVATE_USAGES,
  ]) as Promise<SubtleKeyPair>;
}

for (const engine of ['js', 'wasm-simd'] as const) {
  describe(`Post-quantum vectors, engine ${engine}`, () => {
    const registry = defaultRegistry({ loadWasm });
    const isIn = ({ name }: { readonly name: string }) =>
      engine === 'js' || !name.startsWith('SLH');
    const isQuick = ({ name }: { readonly name: string }) => inDepth(true, !name.endsWith('s'));
    let own: Subtle;
    /** Its signatures are the deterministic variant of FIPS 204, section 3.4. */
    let unhedged: Subtle;
    before(async () => {
      own = await createSubtle({ engine, registry });
      unhedged = await createSubtle({ engine, registry, random: ZEROS });
    });
    after(() => registry.close());

    for (const vector of VECTORS.decapsulation) {
      const { name, seed, ciphertext, sharedKey } = vector;
      it(`${name}: ${seed.slice(0, 8)} has its public key and shared key`, async () => {
        const key = await own.importKey('raw-seed', hex(seed), name, false, PRIVATE_USAGES);
        const publicKey = await own.getPublicKey(key, []);
        expect(sha256(await own.exportKey('raw-public', publicKey))).to.equal(
          vector.publicKeySha256,
        );
        const got = await own.decapsulateBits(name, key, hex(ciphertext));
        expect(hexOf(got)).to.equal(sharedKey);
      });
    }

    it('refuse a key whose coefficients are not reduced, when it is used', async () => {
      for (const { name, publicKey } of VECTORS.modulus) {
        const key = await own.importKey('raw-public', hex(publicKey), name, true, PUBLIC_USAGES);
        expect(await errorNameOf(own.encapsulateBits(name, key))).to.equal('OperationError');
      }
    });

    for (const { name, privateKey } of VECTORS.keyPairs.filter(isIn).filter(isQuick)) {
      it(`${name}: the key pair of NIST’s ACVP`, async () => {
        const given = { bytes: (length: number) => hex(privateKey).slice(0, length) };
        const seeded = await createSubtle({ engine, registry, random: given });
        const pair = await seeded.generateKey({ name }, true, ['sign', 'verify']);
        const bytes = await seeded.exportKey('raw-private', (pair as SubtleKeyPair).privateKey);
        expect(hexOf(bytes)).to.equal(privateKey);
      }).timeout(30_000);
    }

    for (const vector of VECTORS.signing) {
      const { name, message, context } = vector;
      it(`${name}: signs in a context of ${context.length / 2} bytes`, async () => {
        const pkcs8 = hex(vector.pkcs8);
        const key = await unhedged.importKey('pkcs8', pkcs8, name, true, ['sign']);
        expect(hexOf(await unhedged.exportKey('raw-seed', key))).to.equal(vector.seed);
        expect(hexOf(await unhedged.exportKey('pkcs8', key))).to.equal(vector.pkcs8);
        const algorithm = { name, context: hex(context) };
        const signature = await unhedged.sign(algorithm, key, hex(message));
        expect(sha256(signature)).to.equal(vector.signatureSha256);
        const publicKey = await unhedged.getPublicKey(key, ['verify']);
        expect(await unhedged.verify(algorithm, publicKey, signature, hex(message))).to.equal(true);
      });
    }

    for (const vector of VECTORS.verification.filter(isIn)) {
      it(`${vector.name}: ${vector.comment}`, async () => {
        const { name } = vector;
        const publicKey = hex(vector.publicKey);
        const key = await own.importKey('raw-public', publicKey, name, true, ['verify']);
        const algorithm = { name, context: hex(vector.context) };
        const [signature, message] = [hex(vector.signature), hex(vector.message)];
        expect(await own.verify(algorithm, key, signature, message)).to.equal(vector.valid);
      });
    }
  });
}

for (const name of KEM_NAMES) {
  describe(name, () => {
    let pair: SubtleKeyPair;
    before(async () => {
      pair = await kemPair(name);
    });

    it('gives both sides one key, for AES-GCM and as bits', async () => {
      const { publicKey, privateKey } = pair;
      const made = await subtle.encapsulateBits(name, publicKey);
      expect(made.sharedKey.byteLength).to.equal(32);
      expect(made.ciphertext.byteLength).to.equal(KEMS[name].ciphertextBytes);
      const got = await subtle.decapsulateBits(name, privateKey, made.ciphertext);
      expect(hexOf(got)).to.equal(hexOf(made.sharedKey));

      const gcm = { name: 'AES-GCM', length: 256 };
      const usages = ['encrypt', 'decrypt'] as const;
      const own = await subtle.encapsulateKey(name, publicKey, gcm, true, usages);
      const theirs = await subtle.decapsulateKey(
        name,
        privateKey,
        own.ciphertext,
        gcm,
        false,
        usages,
      );
      expect([own.sharedKey.extractable, theirs.extractable]).to.deep.equal([true, false]);
      const params = { name: 'AES-GCM', iv: new Uint8Array(12) };
      const sealed = await subtle.encrypt(params, own.sharedKey, Uint8Array.of(7));
      expect(hexOf(await subtle.decrypt(params, theirs, sealed))).to.equal('07');
    });

    it('gives another key for a changed ciphertext, always the same', async () => {
      const { ciphertext, sharedKey } = await subtle.encapsulateBits(name, pair.publicKey);
      const changed = new Uint8Array(ciphertext.slice(0));
      changed[0]! ^= 1;
      const [first, second] = [
        hexOf(await subtle.decapsulateBits(name, pair.privateKey, changed)),
        hexOf(await subtle.decapsulateBits(name, pair.privateKey, changed)),
      ];
      expect(first).to.equal(second).and.not.equal(hexOf(sharedKey));
    });

    it('refuses what is not for it', async () => {
      const { publicKey, privateKey } = pair;
      const { ciphertextBytes, publicKeyBytes, seedBytes } = KEMS[name];
      const [short, long] = [ciphertextBytes - 1, ciphertextBytes + 1];
      const bits = (length: number) =>
        subtle.decapsulateBits(name, privateKey, new Uint8Array(length));
      const imported = (format: Format, length: number, usages: Usages) =>
        subtle.importKey(format, new Uint8Array(length), name, true, usages);
      expect({
        short: await errorNameOf(bits(short)),
        long: await errorNameOf(bits(long)),
        'private to encapsulate': await errorNameOf(subtle.encapsulateBits(name, privateKey)),
        'public to decapsulate': await errorNameOf(
          subtle.decapsulateBits(name, publicKey, new Uint8Array(ciphertextBytes)),
        ),
        'another algorithm': await errorNameOf(
          subtle.encapsulateBits(name === 'ML-KEM-512' ? 'ML-KEM-768' : 'ML-KEM-512', publicKey),
        ),
        'no KEM': await errorNameOf(subtle.encapsulateBits('AES-GCM', publicKey)),
        'short public key': await errorNameOf(imported('raw-public', publicKeyBytes - 1, [])),
        'short seed': await errorNameOf(imported('raw-seed', seedBytes - 1, PRIVATE_USAGES)),
        'seed without usages': await errorNameOf(imported('raw-seed', seedBytes, [])),
        'usages of the other half': await errorNameOf(
          imported('raw-public', publicKeyBytes, PRIVATE_USAGES),
        ),
        raw: await errorNameOf(imported('raw', publicKeyBytes, PUBLIC_USAGES)),
        'usages of no half': await errorNameOf(subtle.generateKey({ name }, true, ['sign'])),
        'pair without a private usage': await errorNameOf(
          subtle.generateKey({ name }, true, PUBLIC_USAGES),
        ),
      }).to.deep.equal({
        short: 'OperationError',
        long: 'OperationError',
        'private to encapsulate': 'InvalidAccessError',
        'public to decapsulate': 'InvalidAccessError',
        'another algorithm': 'InvalidAccessError',
        'no KEM': 'NotSupportedError',
        'short public key': 'DataError',
        'short seed': 'DataError',
        'seed without usages': 'SyntaxError',
        'usages of the other half': 'SyntaxError',
        raw: 'NotSupportedError',
        'usages of no half': 'SyntaxError',
        'pair without a private usage': 'SyntaxError',
      });
    });
  });
}

/** Those whose signatures take less than two seconds; the others share their code. */
const FAST = SIGNATURE_NAMES.filter((name) => !/s$|SHAKE-(192|256)f$/.test(name));

/** Of SLH-DSA, `npm test` signs with one: they are another library's, behind one class of ours. */
const SIGNING = FAST.filter((name) => inDepth(true, !/SHAKE|(192|256)f$/.test(name)));

for (const name of SIGNING) {
  describe(name, () => {
    it('signs, and refuses what was changed', async () => {
      const pair = await subtle.generateKey({ name }, false, ['sign', 'verify']);
      const { publicKey, privateKey } = pair;
      const algorithm = { name, context: Uint8Array.of(1, 2) };
      const message = Uint8Array.of(3, 4, 5);
      const signature = new Uint8Array(await subtle.sign(algorithm, privateKey, message));
      expect(signature.length).to.equal(SIGNATURES[name].signatureBytes);
      const verify = (of: typeof algorithm, given: Uint8Array<ArrayBuffer>, text = message) =>
        subtle.verify(of, publicKey, given, text);
      const changed = signature.slice();
      changed[changed.length >> 1]! ^= 4;
      expect([
        await verify(algorithm, signature),
        await verify(algorithm, changed),
        await verify({ name, context: Uint8Array.of(1) }, signature),
        await verify(algorithm, signature.slice(1)),
        await verify(algorithm, new Uint8Array([...signature, 0])),
        await verify(algorithm, signature, Uint8Array.of(3, 4)),
      ]).to.deep.equal([true, false, false, false, false, false]);
      const long = { name, context: new Uint8Array(256) };
      expect(await errorNameOf(subtle.sign(long, privateKey, message))).to.equal('OperationError');
      expect(await errorNameOf(verify(long, signature))).to.equal('OperationError');
      expect(await errorNameOf(subtle.exportKey('pkcs8', privateKey))).to.equal(
        'InvalidAccessError',
      );
    }).timeout(30_000);
  });
}

describe('Post-quantum keys in each format', () => {
  const all = [...KEM_NAMES, ...FAST.filter((name) => !/(192|256)f$/.test(name))];
  for (const name of all) {
    const isKem = (KEM_NAMES as readonly string[]).includes(name);
    const usages: readonly [Usages, Usages] = isKem
      ? [PUBLIC_USAGES, PRIVATE_USAGES]
      : [['verify'], ['sign']];
    const ofPrivate = name.startsWith('SLH') ? 'raw-private' : 'raw-seed';
    const der = name.startsWith('MLKEM') ? [] : (['pkcs8', 'spki'] as const);

    it(`${name}: what is exported is imported as the same key`, async () => {
      const pair = await subtle.generateKey({ name }, true, [...usages[0], ...usages[1]]);
      for (const format of ['raw-public', ofPrivate, ...der] as const) {
        const isPrivate = format === ofPrivate || format === 'pkcs8';
        const key = isPrivate ? pair.privateKey : pair.publicKey;
        const bytes = await subtle.exportKey(format, key);
        const back = await subtle.importKey(format, bytes, name, true, usages[isPrivate ? 1 : 0]);
        expect(hexOf(await subtle.exportKey(format, back))).to.equal(hexOf(bytes));
        expect([back.type, back.algorithm.name]).to.deep.equal([key.type, name]);
        const other = isPrivate ? pair.publicKey : pair.privateKey;
        expect(await errorNameOf(subtle.exportKey(format, other))).to.equal('InvalidAccessError');
      }
      const kw = await subtle.importKey('raw', new Uint8Array(16), 'AES-KW', false, [
        'wrapKey',
        'unwrapKey',
      ]);
      const wrapped = await subtle.wrapKey('jwk', pair.privateKey, kw, 'AES-KW');
      const back = await subtle.unwrapKey('jwk', wrapped, kw, 'AES-KW', name, true, usages[1]);
      const [jwk, again] = [
        await subtle.exportKey('jwk', pair.privateKey),
        await subtle.exportKey('jwk', back),
      ];
      expect(again).to.deep.equal(jwk);
      expect(jwk).to.include({ kty: 'AKP', alg: name, ext: true });
      const publicKey = await subtle.getPublicKey(back, usages[0]);
      expect(await subtle.exportKey('jwk', publicKey)).to.deep.equal(
        await subtle.exportKey('jwk', pair.publicKey),
      );
    });
  }

  it('a JWK of two keys, of another alg, use or kty is a DataError', async () => {
    const one = await subtle.exportKey('jwk', (await kemPair('ML-KEM-768')).privateKey);
    const two = await subtle.exportKey('jwk', (await kemPair('ML-KEM-768')).publicKey);
    const { pub } = two as { pub?: string };
    const tried = (change: object) =>
      errorNameOf(
        subtle.importKey('jwk', { ...one, ...change }, 'ML-KEM-768', true, PRIVATE_USAGES),
      );
    expect([
      await tried({}),
      await tried({ alg: 'MLKEM768' }),
      await tried({ alg: 'MLKEM768+A192KW' }),
      await tried({ pub }),
      await tried({ pub: undefined }),
      await tried({ alg: 'ML-KEM-512' }),
      await tried({ alg: undefined }),
      await tried({ use: 'sig' }),
      await tried({ kty: 'OKP' }),
      await tried({ ext: false }),
      await tried({ priv: 'AAAA' }),
      await tried({ key_ops: ['decapsulateBits'] }),
    ]).to.deep.equal([...Array<string>(3).fill('none'), ...Array<string>(9).fill('DataError')]);
  });

  it('pkcs8 that is not a seed alone, and DER of another algorithm', async () => {
    const { privateKey, publicKey } = await kemPair('ML-KEM-768');
    const pkcs8 = new Uint8Array(await subtle.exportKey('pkcs8', privateKey));
    const expanded = pkcs8.slice();
    expanded[20] = 0x04; // OCTET STRING in place of [0]
    const spki = await subtle.exportKey('spki', publicKey);
    const tried = (format: 'pkcs8' | 'spki', bytes: BufferSource, name: string, usages: Usages) =>
      errorNameOf(subtle.importKey(format, bytes, name, true, usages));
    expect([
      await tried('pkcs8', expanded, 'ML-KEM-768', PRIVATE_USAGES),
      await tried('pkcs8', pkcs8, 'ML-KEM-1024', PRIVATE_USAGES),
      await tried('pkcs8', pkcs8.slice(1), 'ML-KEM-768', PRIVATE_USAGES),
      await tried('spki', spki, 'ML-KEM-512', PUBLIC_USAGES),
      await tried('spki', spki.slice(0, -1), 'ML-KEM-768', PUBLIC_USAGES),
      await tried('spki', spki, 'MLKEM768-X25519', PUBLIC_USAGES),
    ]).to.deep.equal([
      'NotSupportedError',
      'DataError',
      'DataError',
      'DataError',
      'DataError',
      'NotSupportedError',
    ]);
  });
});

describe('getPublicKey of the other pairs', () => {
  const auto = subtles();
  const RSA = {
    modulusLength: 2048,
    publicExponent: Uint8Array.of(1, 0, 1),
    hash: 'SHA-256',
  };
  const of: readonly (readonly [SubtleParams, Usages, Usages])[] = [
    [{ name: 'ECDSA', namedCurve: 'P-256' }, ['sign'], ['verify']],
    [{ name: 'ECDH', namedCurve: 'P-384' }, ['deriveBits'], []],
    [{ name: 'Ed25519' }, ['sign'], ['verify']],
    [{ name: 'X25519' }, ['deriveBits'], []],
    [{ name: 'RSA-PSS', ...RSA }, ['sign'], ['verify']],
    [{ name: 'DH', group: 'ffdhe2048' }, ['deriveBits'], []],
  ];
  for (const [algorithm, usages, ofPublic] of of) {
    for (const extractable of [true, false]) {
      it(`${algorithm.name}, ${extractable ? '' : 'not '}extractable`, async () => {
        const pair = (await (
          await auto
        ).generateKey(algorithm, extractable, usages)) as SubtleKeyPair;
        const own = await auto;
        const publicKey = await own.getPublicKey(pair.privateKey, ofPublic);
        expect([publicKey.type, publicKey.extractable, [...publicKey.usages]]).to.deep.equal([
          'public',
          true,
          ofPublic,
        ]);
        const spki = async (key: SubtleKey) => hexOf(await own.exportKey('spki', key));
        expect(await spki(publicKey)).to.equal(await spki(pair.publicKey));
        const wrong = own.getPublicKey(pair.privateKey, ['encrypt']);
        expect(await errorNameOf(wrong)).to.equal('SyntaxError');
        expect(await errorNameOf(own.getPublicKey(publicKey, ofPublic))).to.equal(
          'InvalidAccessError',
        );
      });
    }
  }

  it('of a secret key is a NotSupportedError', async () => {
    const key = await subtle.generateKey({ name: 'AES-GCM', length: 128 }, true, ['encrypt']);
    expect(await errorNameOf(subtle.getPublicKey(key, []))).to.equal('NotSupportedError');
  });

  it('an elliptic point is raw-public too', async () => {
    const own = await auto;
    const algorithm = { name: 'ECDH', namedCurve: 'P-256' };
    const pair = (await own.generateKey(algorithm, true, ['deriveBits'])) as SubtleKeyPair;
    const [raw, named] = [
      await own.exportKey('raw', pair.publicKey),
      await own.exportKey('raw-public', pair.publicKey),
    ];
    expect(hexOf(named)).to.equal(hexOf(raw));
    expect((await own.importKey('raw-public', named, algorithm, true, [])).type).to.equal('public');
  });

  it('the usages of KEMs are a SyntaxError for them', async () => {
    const own = await auto;
    const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };
    expect(await errorNameOf(own.generateKey(algorithm, true, ['encapsulateKey']))).to.equal(
      'SyntaxError',
    );
  });
});

function subtles(): Promise<Subtle> {
  return createSubtle();
}

describe('supports', () => {
  it('takes the steps of an operation up to the first that needs a key', async () => {
    const own = await createSubtle();
    const iv = new Uint8Array(12);
    const cases: readonly [boolean, Parameters<Subtle['supports']>][] = [
      [true, ['encrypt', { name: 'AES-GCM', iv }]],
      [false, ['encrypt', { name: 'AES-GCM', iv, tagLength: 9 }]],
      [false, ['encrypt', 'AES-GCM']],
      [false, ['sign', 'AES-GCM']],
      [false, ['encrypt', { name: 'AES-CBC', iv }]],
      [true, ['generateKey', { name: 'AES-GCM', length: 128 }]],
      [false, ['generateKey', { name: 'AES-GCM', length: 127 }]],
      [true, ['generateKey', 'ML-KEM-768']],
      [true, ['generateKey', { name: 'HMAC', hash: 'SHA-256' }]],
      [false, ['generateKey', { name: 'HMAC', hash: 'SHA-256', length: 0 }]],
      [true, ['importKey', 'ML-DSA-65']],
      [true, ['exportKey', 'ML-DSA-65']],
      [false, ['exportKey', 'HKDF']],
      [true, ['digest', 'SHA3-256']],
      [false, ['digest', 'MD5']],
      [true, ['sign', { name: 'ML-DSA-44', context: iv }]],
      [true, ['deriveBits', { name: 'HKDF', hash: 'SHA-256', salt: iv, info: iv }, 256]],
      [false, ['deriveBits', { name: 'HKDF', hash: 'SHA-256', salt: iv, info: iv }, 255]],
      [false, ['deriveBits', { name: 'HKDF', hash: 'SHA-256', salt: iv, info: iv }]],
      [
        true,
        [
          'deriveKey',
          { name: 'HKDF', hash: 'SHA-256', salt: iv, info: iv },
          { name: 'AES-GCM', length: 256 },
        ],
      ],
      [
        false,
        [
          'deriveKey',
          { name: 'HKDF', hash: 'SHA-256', salt: iv, info: iv },
          { name: 'AES-GCM', length: 255 },
        ],
      ],
      [true, ['wrapKey', 'AES-KW', 'ML-DSA-44']],
      [true, ['wrapKey', { name: 'AES-GCM', iv }, 'AES-GCM']],
      [false, ['wrapKey', 'AES-KW', 'HKDF']],
      [true, ['encapsulateKey', 'ML-KEM-768', 'AES-GCM']],
      [false, ['encapsulateKey', 'ML-KEM-768', 'SHA-256']],
      [true, ['decapsulateBits', 'MLKEM768-X25519']],
      [false, ['encapsulateBits', 'X25519']],
      [true, ['getPublicKey', 'Ed25519']],
      [false, ['getPublicKey', 'AES-GCM']],
      [false, ['engineFor', 'AES-GCM']],
      [false, ['toString', 'AES-GCM']],
    ];
    const answers = cases.map(([, args]) => [own.supports(...args), args]);
    expect(answers).to.deep.equal(cases);
  });

  it('knows what its engines lack', async () => {
    expect(subtle.supports('generateKey', 'ML-KEM-512')).to.equal(true);
    expect(subtle.supports('generateKey', 'Ed25519')).to.equal(false);
    const wasm = await createSubtle({
      engine: 'wasm-simd',
      registry: defaultRegistry({ loadWasm }),
    });
    expect(wasm.supports('generateKey', 'ML-KEM-512')).to.equal(true);
    expect(wasm.supports('generateKey', 'SLH-DSA-SHA2-128f')).to.equal(false);
    const compiled = await createSubtle({
      registry: defaultRegistry({ loadWasm, constantTime: true }),
    });
    expect(compiled.supports('encapsulateBits', 'ML-KEM-512')).to.equal(true);
    expect(compiled.supports('generateKey', 'SLH-DSA-SHA2-128f')).to.equal(false);
    // Without its modules: the ML-KEM of JavaScript has no place or branch by a secret, its X25519 promises nothing.
    const safe = await createSubtle({ constantTime: true });
    const imported = (name: string, seedBytes: number) =>
      errorNameOf(
        safe.importKey('raw-seed', new Uint8Array(seedBytes), name, false, PRIVATE_USAGES),
      );
    expect(await imported('ML-KEM-512', 64)).to.equal('none');
    expect(safe.supports('encapsulateBits', 'ML-KEM-512')).to.equal(true);
    expect(await imported('MLKEM768-X25519', 32)).to.equal('none');
    expect(safe.supports('encapsulateBits', 'MLKEM768-X25519')).to.equal(false);
  });
});
