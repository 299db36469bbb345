import { expect } from 'chai';
import { createSubtle } from '../../src/library/subtle.ts';
import type { Subtle } from '../../src/library/subtle.ts';
import { describeVectors, hex, parseRsp, parseWycheproof } from '../support/vectors.ts';
import type { Wycheproof } from '../support/vectors.ts';

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
    'wycheproof/rsa_signature_2048_sha256_test.json',
    parseWycheproof,
    check({ name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }),
  );
  describeVectors(
    'wycheproof/rsa_signature_4096_sha512_test.json',
    parseWycheproof,
    check({ name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-512' }),
  );
  for (const [file, hash, saltLength] of [
    ['rsa_pss_2048_sha1_mgf1_20', 'SHA-1', 20],
    ['rsa_pss_2048_sha256_mgf1_32', 'SHA-256', 32],
  ] as const) {
    const algorithm = { name: 'RSA-PSS', hash, saltLength };
    describeVectors(`wycheproof/${file}_test.json`, parseWycheproof, check(algorithm));
  }
  for (const size of [1024, 2048]) {
    describeVectors(`wycheproof/rsa_pkcs1_${size}_sig_gen_test.json`, webHashes, async (v) => {
      const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: String(v['sha']) };
      const pkcs8 = hex(v, 'privateKeyPkcs8');
      const key = await subtle.importKey('pkcs8', pkcs8, algorithm, false, ['sign']);
      const signature = await subtle.sign(algorithm, key, hex(v, 'msg'));
      expect(new Uint8Array(signature)).to.deep.equal(hex(v, 'sig'));
    });
  }
  describeVectors('wycheproof/ed25519_test.json', parseWycheproof, check({ name: 'Ed25519' }));
});

describe('RSA-OAEP', () => {
  for (const [size, hash] of [
    ['1', 'SHA-1'],
    ['256', 'SHA-256'],
    ['512', 'SHA-512'],
  ] as const) {
    const file = `wycheproof/rsa_oaep_2048_sha${size}_mgf1sha${size}_test.json`;
    describeVectors(file, parseWycheproof, async (v) => {
      const pkcs8 = hex(v, 'privateKeyPkcs8');
      const algorithm = { name: 'RSA-OAEP', hash, label: hex(v, 'label') };
      const key = await subtle.importKey('pkcs8', pkcs8, algorithm, false, ['decrypt']);
      const opened = subtle.decrypt(algorithm, key, hex(v, 'ct'));
      if (v.result === 'invalid') expect(await errorOf(opened)).to.equal('OperationError');
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
    expect(await errorOf(subtle.decrypt(short, privateKey, sealed))).to.equal('RangeError');
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
    expect(await errorOf(subtle.unwrapKey(...mine))).to.equal('OperationError');
    expect(await errorOf(subtle.encrypt(params, pair.publicKey, Uint8Array.of(1)))).to.equal(
      'InvalidAccessError',
    );
  });
});

describe('agreement of key pairs', () => {
  describeVectors('wycheproof/x25519_test.json', parseWycheproof, async (v) => {
    const [own, peer] = [x25519Private(hex(v, 'private')), hex(v, 'public')];
    const shared = hex(v, 'shared');
    const agreed = agree('X25519', own, peer);
    // The standard refuses a shared secret of zeros (Web Cryptography API, X25519, derive bits).
    if (shared.every((byte) => byte === 0)) {
      expect(await errorOf(agreed)).to.equal('OperationError');
    } else expect(await agreed).to.deep.equal(shared);
  });
  describeVectors('pk/rfc7748.txt', onlyX25519, async (v) => {
    const agreed = agree('X25519', x25519Private(hex(v, 'input_scalar')), hex(v, 'input_u'));
    expect(await agreed).to.deep.equal(hex(v, 'output_u'));
  });

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
    expect(await errorOf(subtle.deriveBits(wrong, b!.privateKey, 64))).to.equal(
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
    expect(await errorOf(subtle.exportKey('pkcs8', privateKey))).to.equal('InvalidAccessError');
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
        expect(await errorOf(add(one!)), name).to.equal('none');
        expect(await errorOf(add({ ...one, x: two!.x! })), name).to.equal('DataError');
      }
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

async function errorOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'none',
    (error: unknown) => (error as Error).name,
  );
}

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
