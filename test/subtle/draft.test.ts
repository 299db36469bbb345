import {
  createCipheriv,
  createHash,
  createHmac,
  hkdfSync,
  pbkdf2Sync,
  scryptSync,
} from 'node:crypto';
import { expect } from 'chai';
import { defaultRegistry } from '../../src/engine/default-engines.ts';
import { createSubtle } from '../../src/library/subtle.ts';
import type { SubtleKey, SubtleParams } from '../../src/library/subtle.ts';
import { EDGE_LENGTHS, unaligned } from '../support/edge-lengths.ts';
import { loadWasm } from '../support/wasm.ts';
import { errorNameOf } from '../support/outcomes.ts';

/*
 * What the WICG draft "Modern Algorithms in the Web Cryptography API" and this library add: steps and
 * names of errors, and the same bytes as node:crypto where that has the algorithm.
 */
const subtles = await Promise.all(
  (['js', 'wasm-simd', 'auto'] as const).map((engine) =>
    createSubtle({ engine, registry: defaultRegistry({ loadWasm }) }),
  ),
);
const [, , auto] = subtles as [unknown, unknown, (typeof subtles)[number]];

const pattern = (length: number, seed = 1) =>
  Uint8Array.from({ length }, (_, i) => (i * 73 + seed * 41 + (i >> 8)) & 0xff);
const view = (buffer: ArrayBuffer | Uint8Array) => Buffer.from(buffer as Uint8Array);

describe('every engine through subtle, at every edge length', () => {
  it('seals as OpenSSL with ChaCha20-Poly1305', async () => {
    const [raw, iv] = [pattern(32), pattern(12, 2)];
    for (const length of EDGE_LENGTHS) {
      const data = unaligned(pattern(length), length % 8);
      const additionalData = pattern(length % 33);
      const theirs = createCipheriv('chacha20-poly1305', raw, iv, { authTagLength: 16 });
      theirs.setAAD(additionalData, { plaintextLength: length });
      const expected = Buffer.concat([theirs.update(data), theirs.final(), theirs.getAuthTag()]);
      for (const subtle of subtles) {
        const key = await subtle.importKey('raw', raw, 'ChaCha20-Poly1305', false, ['encrypt']);
        const params = { name: 'ChaCha20-Poly1305', iv, additionalData };
        expect(view(await subtle.encrypt(params, key, data))).to.deep.equal(expected);
      }
    }
  });

  for (const [name, theirs] of [
    ['SHA3-256', 'sha3-256'],
    ['SHA3-384', 'sha3-384'],
    ['SHA3-512', 'sha3-512'],
    ['BLAKE2b', 'blake2b512'],
  ] as const) {
    it(`digests as OpenSSL with ${name}, whole and in pieces`, async () => {
      for (const length of EDGE_LENGTHS) {
        const data = unaligned(pattern(length), length % 8);
        const expected = createHash(theirs).update(data).digest();
        for (const subtle of subtles) {
          expect(view(await subtle.digest(name, data))).to.deep.equal(expected);
          const half = length >> 1;
          const hash = subtle.createHash(name).update(data.subarray(0, half));
          expect(view(hash.update(data.subarray(half)).digest())).to.deep.equal(expected);
        }
      }
    });
  }

  it('agrees with the others on the rest', async () => {
    const cases: [SubtleParams & { into?: never }, number][] = [
      [{ name: 'AES-SIV', additionalData: [pattern(3), pattern(0), pattern(40)] }, 32],
      [{ name: 'AES-SIV', additionalData: pattern(16) }, 64],
      [{ name: 'AES-GCM-SIV', iv: pattern(12), additionalData: pattern(5) }, 16],
      [{ name: 'AES-GCM-SIV', iv: pattern(12) }, 32],
      [{ name: 'XChaCha20-Poly1305', iv: pattern(24), additionalData: pattern(5) }, 32],
      [{ name: 'Salsa20', iv: pattern(8), rounds: 12, counter: 2n ** 32n - 1n }, 32],
      [{ name: 'Salsa20', iv: pattern(8), counter: 7 }, 16],
    ];
    for (const [params, keyBytes] of cases) {
      for (const length of EDGE_LENGTHS) {
        const data = unaligned(pattern(length), length % 8);
        const [first, ...others] = await Promise.all(
          subtles.map(async (subtle) => {
            const raw = pattern(keyBytes);
            const key = await subtle.importKey('raw', raw, params.name, false, ['encrypt']);
            return view(await subtle.encrypt(params, key, data)).toString('hex');
          }),
        );
        expect(new Set([first, ...others]).size, `${params.name} ${length}`).to.equal(1);
      }
    }
    for (const length of [...EDGE_LENGTHS, 65_537]) {
      const digests = subtles.map(async (s) => view(await s.digest('BLAKE3', pattern(length))));
      const texts = (await Promise.all(digests)).map((digest) => digest.toString('hex'));
      expect(new Set(texts).size, `BLAKE3 ${length}`).to.equal(1);
    }
  });

  it('derives and signs over SHA-3 as OpenSSL', async () => {
    const [secret, salt, info] = [pattern(20), pattern(9), pattern(4)];
    for (const [hash, theirs] of [
      ['SHA3-256', 'sha3-256'],
      ['SHA3-512', 'sha3-512'],
    ] as const) {
      for (const subtle of subtles) {
        const from = (name: string) => subtle.importKey('raw', secret, name, false, ['deriveBits']);
        const hkdf = await subtle.deriveBits(
          { name: 'HKDF', hash, salt, info },
          await from('HKDF'),
          800,
        );
        expect(view(hkdf)).to.deep.equal(Buffer.from(hkdfSync(theirs, secret, salt, info, 100)));
        const params = { name: 'PBKDF2', hash, salt, iterations: 3 };
        const pbkdf2 = await subtle.deriveBits(params, await from('PBKDF2'), 800);
        expect(view(pbkdf2)).to.deep.equal(pbkdf2Sync(secret, salt, 3, 100, theirs));
        const hmac = await subtle.importKey('raw', secret, { name: 'HMAC', hash }, true, ['sign']);
        const expected = createHmac(theirs, secret).update(salt).digest();
        expect(view(await subtle.sign('HMAC', hmac, salt))).to.deep.equal(expected);
        const jwk = await subtle.exportKey('jwk', hmac);
        expect(jwk.alg).to.equal(hash.replace('SHA3', 'HS3'));
      }
    }
  });

  it('derives with scrypt as OpenSSL, and with Argon2id alike', async () => {
    for (const subtle of subtles) {
      const key = await subtle.importKey('raw', pattern(9), 'scrypt', false, ['deriveBits']);
      const cost = { N: 64, r: 3, p: 2 };
      const bits = await subtle.deriveBits({ name: 'scrypt', salt: pattern(4), ...cost }, key, 264);
      expect(view(bits)).to.deep.equal(scryptSync(pattern(9), pattern(4), 33, cost));
    }
    const params = { name: 'Argon2id', nonce: pattern(16), memory: 100, passes: 2, parallelism: 3 };
    const derived = await Promise.all(
      subtles.map(async (subtle) => {
        const key = await subtle.importKey('raw', pattern(9), 'Argon2id', false, ['deriveBits']);
        return view(await subtle.deriveBits(params, key, 256)).toString('hex');
      }),
    );
    expect(new Set(derived).size).to.equal(1);
  });
});

describe('keys of the newer algorithms', () => {
  for (const [name, length, alg] of [
    ['ChaCha20-Poly1305', undefined, 'C20P'],
    ['XChaCha20-Poly1305', undefined, 'XC20P'],
    ['AES-SIV', 512, 'A512SIV'],
    ['AES-GCM-SIV', 128, 'A128GCM-SIV'],
    ['Salsa20', 256, undefined],
  ] as const) {
    it(`of ${name} are made, go out and come in`, async () => {
      const algorithm = length === undefined ? { name } : { name, length };
      const key = (await auto.generateKey<SubtleParams>(algorithm, true, ['encrypt'])) as SubtleKey;
      expect(key.algorithm).to.deep.equal(algorithm);
      const jwk = await auto.exportKey('jwk', key);
      expect([jwk.kty, jwk.alg]).to.deep.equal(['oct', alg]);
      const raw = await auto.exportKey('raw-secret', key);
      expect(8 * raw.byteLength).to.equal(length ?? 256);
      const back = await auto.importKey('jwk', jwk, name, true, ['encrypt']);
      expect(await auto.exportKey('raw', back)).to.deep.equal(raw);
      const short = raw.slice(1);
      expect(await errorNameOf(auto.importKey('raw', short, name, true, ['encrypt']))).to.equal(
        'DataError',
      );
      const other = { ...jwk, alg: 'A128GCM' };
      expect(await errorNameOf(auto.importKey('jwk', other, name, true, ['encrypt']))).to.equal(
        'DataError',
      );
      expect(await errorNameOf(auto.importKey('raw', raw, name, true, ['sign']))).to.equal(
        'SyntaxError',
      );
      expect(await errorNameOf(auto.importKey('spki', raw, name, true, ['encrypt']))).to.equal(
        'NotSupportedError',
      );
    });
  }

  it('of a length that the algorithm lacks are refused', async () => {
    for (const [name, length] of [
      ['AES-SIV', 128],
      ['AES-GCM-SIV', 192],
      ['Salsa20', 192],
    ] as const) {
      const made = auto.generateKey({ name, length }, false, ['encrypt']);
      expect(await errorNameOf(made), name).to.equal('OperationError');
      expect(await errorNameOf(auto.generateKey(name, false, ['encrypt'])), name).to.equal(
        'TypeError',
      );
    }
  });

  it('derive: ChaCha20-Poly1305 takes 256 bits of its own accord', async () => {
    const base = await auto.importKey('raw', pattern(9), 'HKDF', false, ['deriveKey']);
    const hkdf = { name: 'HKDF', hash: 'SHA-256', salt: pattern(0), info: pattern(0) };
    const usages = ['encrypt'] as const;
    const key = await auto.deriveKey(hkdf, base, 'ChaCha20-Poly1305', true, usages);
    expect((await auto.exportKey('raw', key)).byteLength).to.equal(32);
  });
});

describe('wrong parameters of the newer algorithms', () => {
  const key = (name: string, length: number) =>
    auto.importKey('raw', pattern(length), name, false, ['encrypt', 'decrypt']);
  const seal = async (params: object & { name: string }, keyBytes: number) =>
    errorNameOf(auto.encrypt(params, await key(params.name, keyBytes), pattern(20)));

  for (const [params, keyBytes, expected] of [
    [{ name: 'ChaCha20-Poly1305' }, 32, 'TypeError'],
    [{ name: 'ChaCha20-Poly1305', iv: pattern(11) }, 32, 'OperationError'],
    [{ name: 'ChaCha20-Poly1305', iv: pattern(12), tagLength: 96 }, 32, 'OperationError'],
    [{ name: 'ChaCha20-Poly1305', iv: pattern(12), tagLength: 128 }, 32, 'none'],
    [{ name: 'XChaCha20-Poly1305', iv: pattern(12) }, 32, 'OperationError'],
    [{ name: 'AES-GCM-SIV', iv: pattern(16) }, 32, 'OperationError'],
    [{ name: 'AES-SIV', additionalData: 'text' }, 32, 'TypeError'],
    [{ name: 'AES-SIV', additionalData: [pattern(1), 1] }, 32, 'TypeError'],
    [
      { name: 'AES-SIV', additionalData: Array<Uint8Array>(127).fill(pattern(1)) },
      32,
      'OperationError',
    ],
    [{ name: 'AES-SIV' }, 48, 'none'],
    [{ name: 'AES-SIV', iv: pattern(12) }, 32, 'TypeError'],
    [{ name: 'Salsa20', iv: pattern(8), rounds: 10 }, 32, 'OperationError'],
    [{ name: 'Salsa20', iv: pattern(24) }, 32, 'OperationError'],
    [{ name: 'Salsa20', iv: pattern(8), counter: -1 }, 32, 'TypeError'],
    [{ name: 'Salsa20', iv: pattern(8), counter: 2n ** 64n }, 32, 'TypeError'],
    [{ name: 'Salsa20', iv: pattern(8), counter: 2n ** 64n - 1n }, 32, 'none'],
  ] as const) {
    const given = JSON.stringify(params, (_, value: unknown) =>
      value instanceof Uint8Array
        ? `${value.length} bytes`
        : typeof value === 'bigint'
          ? `${value}`
          : value,
    ).slice(0, 90);
    it(`${given}: ${expected}`, async () => {
      expect(await seal(params as never, keyBytes)).to.equal(expected);
    });
  }

  const scrypt = { name: 'scrypt', salt: pattern(0), N: 16, r: 1, p: 1 };
  const argon = { name: 'Argon2id', nonce: pattern(16), memory: 8, passes: 1, parallelism: 1 };
  for (const [params, bits, expected] of [
    [scrypt, 64, 'none'],
    [scrypt, 0, 'none'],
    [scrypt, 12, 'OperationError'],
    [scrypt, null, 'OperationError'],
    [{ ...scrypt, N: 24 }, 64, 'OperationError'],
    [{ ...scrypt, N: 65_536 }, 64, 'OperationError'],
    [{ ...scrypt, p: 0 }, 64, 'OperationError'],
    [{ ...scrypt, r: undefined }, 64, 'TypeError'],
    [argon, 32, 'none'],
    [argon, 24, 'OperationError'],
    [{ ...argon, version: 16 }, 64, 'OperationError'],
    [{ ...argon, memory: 7 }, 64, 'OperationError'],
    [{ ...argon, parallelism: 0 }, 64, 'OperationError'],
    [{ ...argon, passes: 0 }, 64, 'OperationError'],
    [{ ...argon, nonce: undefined }, 64, 'TypeError'],
    [{ ...argon, nonce: pattern(3) }, 64, 'none'],
    [
      { name: 'HKDF', hash: 'BLAKE2b', salt: pattern(0), info: pattern(0) },
      64,
      'NotSupportedError',
    ],
  ] as const) {
    it(`${params.name} for ${bits} bits: ${expected}`, async () => {
      const base = await auto.importKey('raw', pattern(9), params.name, false, ['deriveBits']);
      expect(await errorNameOf(auto.deriveBits(params as never, base, bits))).to.equal(expected);
    });
  }

  it('a secret for derivation is raw, never extractable, and only for that', async () => {
    for (const name of ['scrypt', 'Argon2id']) {
      const importing = (
        format: 'raw' | 'jwk',
        extractable: boolean,
        usage: 'deriveBits' | 'sign',
      ) => auto.importKey(format, format === 'jwk' ? {} : pattern(3), name, extractable, [usage]);
      expect(await errorNameOf(importing('raw', true, 'deriveBits'))).to.equal('SyntaxError');
      expect(await errorNameOf(importing('raw', false, 'sign'))).to.equal('SyntaxError');
      expect(await errorNameOf(importing('jwk', false, 'deriveBits'))).to.equal(
        'NotSupportedError',
      );
    }
  });
});

describe('the functions of Keccak through subtle', () => {
  const [data, customization] = [pattern(20_000), pattern(9)];
  const params: readonly SubtleParams[] = [
    { name: 'cSHAKE128', outputLength: 256 },
    { name: 'cSHAKE256', outputLength: 1600, customization, functionName: pattern(3) },
    { name: 'TurboSHAKE128', outputLength: 8 },
    { name: 'TurboSHAKE256', outputLength: 2048, domainSeparation: 0x7f },
    { name: 'KT128', outputLength: 256, customization },
    { name: 'KT256', outputLength: 512 },
  ];

  it('digest alike whole and in pieces, in every engine', async () => {
    for (const algorithm of params) {
      const results = new Set<string>();
      for (const subtle of subtles) {
        const whole = await subtle.digest(algorithm, data);
        expect(whole.byteLength).to.equal(algorithm.outputLength! / 8);
        const hash = subtle.createHash(algorithm).update(data.subarray(0, 9000));
        expect(hash.digestBytes).to.equal(whole.byteLength);
        const copy = hash.clone();
        for (const one of [hash, copy]) {
          results.add(view(one.update(data.subarray(9000)).digest()).toString('hex'));
        }
        results.add(view(whole).toString('hex'));
      }
      expect(results.size, algorithm.name).to.equal(1);
    }
  });

  it('take 0x1F where no domain separation is given', async () => {
    const algorithm = { name: 'TurboSHAKE128', outputLength: 256 };
    const given = { ...algorithm, domainSeparation: 0x1f };
    const [one, other] = [await auto.digest(algorithm, data), await auto.digest(given, data)];
    expect(view(one)).to.deep.equal(view(other));
  });

  it('refuse outputs and domains as the draft says', async () => {
    const error = (algorithm: object) => errorNameOf(auto.digest(algorithm as SubtleParams, data));
    expect(await error({ name: 'cSHAKE128' })).to.equal('TypeError');
    expect(await error({ name: 'KT128', outputLength: -1 })).to.equal('TypeError');
    expect(await error({ name: 'KT128', outputLength: 8, customization: 'text' })).to.equal(
      'TypeError',
    );
    for (const name of ['TurboSHAKE128', 'TurboSHAKE256', 'KT128', 'KT256']) {
      expect(await error({ name, outputLength: 0 })).to.equal('OperationError');
      expect(await error({ name, outputLength: 12 })).to.equal('OperationError');
      expect(() => auto.createHash({ name, outputLength: 0 })).to.throw(DOMException);
    }
    for (const domainSeparation of [0, 0x80, 0xff]) {
      const algorithm = { name: 'TurboSHAKE256', outputLength: 8, domainSeparation };
      expect(await error(algorithm)).to.equal('OperationError');
    }
    const wide = { name: 'TurboSHAKE256', outputLength: 8, domainSeparation: 256 };
    expect(await error(wide)).to.equal('TypeError');
    expect(await error({ name: 'cSHAKE256', outputLength: 7 })).to.equal('NotSupportedError');
    const none = await auto.digest({ name: 'cSHAKE256', outputLength: 0 }, data);
    expect(none.byteLength).to.equal(0);
  });

  it('are no hashes for HMAC and HKDF', async () => {
    const hash = { name: 'cSHAKE128', outputLength: 256 };
    const hmac = auto.generateKey({ name: 'HMAC', hash }, true, ['sign']);
    expect(await errorNameOf(hmac)).to.equal('NotSupportedError');
  });

  it('sign and verify with KMAC, and keep its keys as the draft writes them', async () => {
    for (const [name, length, alg] of [
      ['KMAC128', 128, 'K128'],
      ['KMAC256', 256, 'K256'],
    ] as const) {
      const key = await auto.generateKey({ name }, true, ['verify', 'sign']);
      expect(key.algorithm).to.deep.equal({ name, length });
      const algorithm = { name, outputLength: 256, customization };
      const tag = await auto.sign(algorithm, key, data);
      expect(await auto.verify(algorithm, key, tag, data)).to.equal(true);
      // L is authenticated: a shorter tag is no prefix, and a prefix no tag.
      const shorter = { ...algorithm, outputLength: 128 };
      expect(await auto.verify(shorter, key, tag.slice(0, 16), data)).to.equal(false);
      expect(await auto.verify(algorithm, key, tag.slice(0, 16), data)).to.equal(false);
      expect(
        await auto.verify({ ...algorithm, customization: pattern(8) }, key, tag, data),
      ).to.equal(false);
      const jwk = await auto.exportKey('jwk', key);
      expect(jwk).to.include({ kty: 'oct', alg, ext: true });
      const again = await auto.importKey('jwk', jwk, name, true, ['sign']);
      expect(view(await auto.sign(algorithm, again, data))).to.deep.equal(view(tag));
      const wrong = auto.importKey('jwk', { ...jwk, alg: 'HS256' }, name, true, ['sign']);
      expect(await errorNameOf(wrong)).to.equal('DataError');
      const raw = await auto.exportKey('raw-secret', key);
      expect(raw.byteLength).to.equal(length / 8);
      const short = await auto.importKey('raw-secret', raw, { name, length: length - 3 }, true, [
        'sign',
      ]);
      expect(short.algorithm.length).to.equal(length - 3);
      for (const wanted of [length + 1, length - 8]) {
        const work = auto.importKey('raw-secret', raw, { name, length: wanted }, true, ['sign']);
        expect(await errorNameOf(work)).to.equal('DataError');
      }
    }
  });

  it('refuse what KMAC does not allow', async () => {
    const usages = auto.generateKey({ name: 'KMAC128' }, true, ['encrypt']);
    expect(await errorNameOf(usages)).to.equal('SyntaxError');
    const empty = auto.generateKey({ name: 'KMAC128', length: 0 }, true, ['sign']);
    expect(await errorNameOf(empty)).to.equal('OperationError');
    const key = await auto.generateKey({ name: 'KMAC128' }, false, ['sign', 'verify']);
    const sign = (outputLength?: number) =>
      errorNameOf(auto.sign({ name: 'KMAC128', outputLength } as SubtleParams, key, data));
    expect(await sign()).to.equal('TypeError');
    expect(await sign(24)).to.equal('OperationError');
    expect(await sign(33)).to.equal('NotSupportedError');
    const nothing = { name: 'KMAC128', outputLength: 0 };
    const verified = auto.verify(nothing, key, new Uint8Array(0), data);
    expect(await errorNameOf(verified)).to.equal('OperationError');
    const other = auto.sign({ name: 'KMAC256', outputLength: 256 }, key, data);
    expect(await errorNameOf(other)).to.equal('InvalidAccessError');
    expect(await errorNameOf(auto.exportKey('raw-secret', key))).to.equal('InvalidAccessError');
  });

  it('derive keys of KMAC, and wrap and unwrap them', async () => {
    const salt = pattern(16);
    const from = await auto.importKey('raw-secret', pattern(20), 'HKDF', false, ['deriveKey']);
    const hkdf = { name: 'HKDF', hash: 'SHA-256', salt, info: customization };
    const key = await auto.deriveKey(hkdf, from, 'KMAC256', true, ['sign']);
    expect(key.algorithm).to.deep.equal({ name: 'KMAC256', length: 256 });
    const wrapper = await auto.generateKey({ name: 'AES-KW', length: 256 }, false, [
      'wrapKey',
      'unwrapKey',
    ]);
    const wrapped = await auto.wrapKey('raw-secret', key, wrapper, 'AES-KW');
    const algorithm = { name: 'KMAC256', outputLength: 512 };
    const usages = ['sign'] as const;
    const back = await auto.unwrapKey(
      ...(['raw-secret', wrapped, wrapper, 'AES-KW', 'KMAC256', true, usages] as const),
    );
    const tags = [key, back].map(async (one) => view(await auto.sign(algorithm, one, data)));
    expect(await tags[0]).to.deep.equal(await tags[1]);
  });

  it('derive with every type of Argon2 in every engine, or say why not', async () => {
    const algorithm = { nonce: pattern(16), memory: 64, passes: 2, parallelism: 2 };
    const tags = new Set<string>();
    for (const name of ['Argon2d', 'Argon2i', 'Argon2id']) {
      const key = await auto.importKey('raw-secret', pattern(9), name, false, ['deriveBits']);
      const derive = (more: object, bits = 256) =>
        auto.deriveBits({ name, ...algorithm, ...more }, key, bits);
      tags.add(view(await derive({})).toString('hex'));
      expect(await errorNameOf(derive({ version: 0x10 }))).to.equal('OperationError');
      expect(await errorNameOf(derive({ memory: 15 }))).to.equal('OperationError');
      expect(await errorNameOf(derive({ passes: 0 }))).to.equal('OperationError');
      expect(await errorNameOf(derive({}, 24))).to.equal('OperationError');
    }
    expect(tags.size).to.equal(3);
    const [, simd] = subtles as [unknown, typeof auto];
    const key = await simd.importKey('raw-secret', pattern(9), 'Argon2d', false, ['deriveBits']);
    const tag = await simd.deriveBits({ name: 'Argon2d', ...algorithm }, key, 256);
    expect([...tags]).to.include(view(tag).toString('hex'));
  });
});
