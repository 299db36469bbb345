import { expect } from 'chai';
import sinon from 'sinon';
import type { AeadParams, Algorithms } from '../../../src/engine/contract.ts';
import { jsEngine } from '../../../src/engine/js/js.ts';
import { Registry } from '../../../src/engine/registry.ts';
import { createSubtle, type SubtleKeyPair } from '../../../src/library/subtle.ts';
import { nativeEngine } from '../../../src/engine/native/native.ts';
import { errorNameOf } from '../../support/outcomes.ts';

/** Node's WebCrypto with some of its methods replaced. */
function cryptoWith(subtle: Partial<SubtleCrypto>): Crypto {
  const real = globalThis.crypto.subtle;
  const replaced = new Proxy(real, {
    get: (target, name) => {
      const value: unknown = Reflect.get(subtle, name) ?? Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  return { subtle: replaced } as Crypto;
}

async function algorithmsOf(crypto: Crypto): Promise<Algorithms> {
  const probe = await nativeEngine(crypto).probe();
  if (!probe.available) throw new Error(probe.reason);
  return probe.algorithms;
}

/** The behaviour of Chromium's BoringSSL. */
const without192 = {
  importKey: (format: never, key: Uint8Array<ArrayBuffer>, ...rest: [never, never, never]) => {
    if (key.length === 24) throw new DOMException('no', 'OperationError');
    return globalThis.crypto.subtle.importKey(format, key, ...rest);
  },
} as unknown as Partial<SubtleCrypto>;

const usual: AeadParams = {
  nonce: new Uint8Array(12),
  associatedData: new Uint8Array(0),
  tagBytes: 16,
};

describe('the native engine', () => {
  it('is unavailable, with a reason, without crypto.subtle', async () => {
    const probe = await nativeEngine({} as Crypto).probe();
    expect(probe).to.deep.equal({
      available: false,
      reason: 'no crypto.subtle here (is this a secure context?)',
    });
  });

  it('is unavailable if everything is refused', async () => {
    const refuse = sinon.fake.rejects(new DOMException('no', 'NotSupportedError'));
    const crypto = cryptoWith({ importKey: refuse, digest: refuse });
    expect(await nativeEngine(crypto).probe()).to.include({ available: false });
  });

  it('claims X448 and Ed448 in Node without a call, at which Node would print a warning', async () => {
    const importKey = sinon.fake((...args: Parameters<SubtleCrypto['importKey']>) =>
      globalThis.crypto.subtle.importKey(...args),
    );
    const crypto = cryptoWith({ importKey } as unknown as Partial<SubtleCrypto>);
    expect(await algorithmsOf(crypto)).to.include.keys('X448', 'Ed448');
    const names = importKey.args.map(([, , algorithm]) => JSON.stringify(algorithm));
    expect(names).to.not.be.empty;
    expect(names.filter((name) => name.includes('448'))).to.deep.equal([]);
  });

  it('leaves them to the next engine where the platform has version numbers and not the curves', async () => {
    const importKey = (...args: Parameters<SubtleCrypto['importKey']>) =>
      JSON.stringify(args[2]).includes('448')
        ? Promise.reject(new DOMException('no', 'NotSupportedError'))
        : globalThis.crypto.subtle.importKey(...args);
    const crypto = cryptoWith({ importKey } as unknown as Partial<SubtleCrypto>);
    const registry = new Registry([nativeEngine(crypto), jsEngine()]);
    const subtle = await createSubtle({ registry });
    const pairOf = () => subtle.generateKey('X448', true, ['deriveBits']);
    const [one, other] = [await pairOf(), await pairOf()] as [SubtleKeyPair, SubtleKeyPair];
    const secret = (own: SubtleKeyPair, peer: SubtleKeyPair) =>
      subtle.deriveBits({ name: 'X448', public: peer.publicKey }, own.privateKey, 448);
    expect(await secret(one, other)).to.deep.equal(await secret(other, one));
  });

  it('detects by trial that a platform has no 192-bit keys', async () => {
    const { 'AES-GCM': gcm, 'AES-CTR': ctr } = await algorithmsOf(cryptoWith(without192));
    expect(await gcm!.gap!(24, usual)).to.equal("the platform's AES-GCM has no 192-bit keys");
    expect(await gcm!.gap!(16, usual)).to.equal(undefined);
    expect(await ctr!.gap!(24)).to.contain('192');
    expect(await ctr!.gap!(32)).to.equal(undefined);
  });

  it('tries a nonce or tag of unusual length once, and caches the result', async () => {
    const encrypt = sinon.fake(globalThis.crypto.subtle.encrypt.bind(globalThis.crypto.subtle));
    const { 'AES-GCM': gcm } = await algorithmsOf(cryptoWith({ encrypt }));
    const short = { ...usual, nonce: new Uint8Array(1) };
    expect(await gcm!.gap!(16, usual)).to.equal(undefined);
    expect(encrypt.callCount).to.equal(0);
    const [first, again] = [await gcm!.gap!(16, short), await gcm!.gap!(16, short)];
    expect(first).to.equal(again);
    expect(encrypt.callCount).to.equal(1);
    expect(await gcm!.gap!(16, { ...usual, nonce: new Uint8Array(16) })).to.equal(undefined);
    expect(await gcm!.gap!(16, { ...usual, tagBytes: 5 })).to.contain('tags of 5 bytes');
  });

  it('signs with an empty key, which WebCrypto refuses to import', async () => {
    const { HMAC } = await algorithmsOf(globalThis.crypto);
    const keyed = await HMAC!.withKey(new Uint8Array(0), 'SHA-256');
    // HMAC-SHA-256 of the empty message under the empty key
    const expected = 'b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad';
    expect(Buffer.from(await keyed.sign(new Uint8Array(0))).toString('hex')).to.equal(expected);
  });

  it('derives 0 bytes without a call to the platform', async () => {
    const deriveBits = sinon.fake.rejects(new Error('asked'));
    const { HKDF, PBKDF2 } = await algorithmsOf(cryptoWith({ deriveBits }));
    const empty = new Uint8Array(0);
    const hkdf = { hash: 'SHA-256', salt: empty, info: empty } as const;
    expect(await HKDF!.derive(empty, hkdf, 0)).to.deep.equal(empty);
    const pbkdf2 = { hash: 'SHA-256', salt: empty, iterations: 1 } as const;
    expect(await PBKDF2!.derive(empty, pbkdf2, 0)).to.deep.equal(empty);
  });

  it('reports a gap if the platform refuses empty secrets', async () => {
    const importKey = (
      format: never,
      key: Uint8Array<ArrayBuffer>,
      ...rest: [never, never, never]
    ) => {
      if (key.length === 0) throw new DOMException('no', 'DataError');
      return globalThis.crypto.subtle.importKey(format, key, ...rest);
    };
    const { HKDF, PBKDF2 } = await algorithmsOf(cryptoWith({ importKey } as never));
    const empty = new Uint8Array(0);
    const hkdf = { hash: 'SHA-256', salt: empty, info: empty } as const;
    const pbkdf2 = { hash: 'SHA-256', salt: empty, iterations: 1 } as const;
    expect(await HKDF!.gap!(0, hkdf, 1)).to.contain('empty secret');
    expect(await PBKDF2!.gap!(0, pbkdf2, 1)).to.contain('empty secret');
    expect(await HKDF!.gap!(1, hkdf, 1)).to.equal(undefined);
  });

  it('reports a gap for lengths that the platform’s HKDF and PBKDF2 refuse', async () => {
    // OpenSSL of Node takes 1,024 bytes of info, NSS of Firefox gives 256 bytes of PBKDF2.
    const deriveBits = (params: HkdfParams, key: CryptoKey, bits: number) => {
      const isLong = params.name === 'HKDF' ? params.info.byteLength > 1024 : bits > 8 * 256;
      if (isLong) throw new DOMException('no', 'OperationError');
      return globalThis.crypto.subtle.deriveBits(params, key, bits);
    };
    const limited = cryptoWith({ deriveBits });
    const { HKDF, PBKDF2 } = await algorithmsOf(limited);
    const empty = new Uint8Array(0);
    const hkdf = (infoBytes: number) =>
      ({ hash: 'SHA-256', salt: empty, info: new Uint8Array(infoBytes) }) as const;
    const pbkdf2 = { hash: 'SHA-256', salt: empty, iterations: 1 } as const;
    expect(await HKDF!.gap!(1, hkdf(1024), 1)).to.equal(undefined);
    expect(await HKDF!.gap!(1, hkdf(1025), 1)).to.contain('so many bytes');
    expect(await PBKDF2!.gap!(1, pbkdf2, 256)).to.equal(undefined);
    expect(await PBKDF2!.gap!(1, pbkdf2, 257)).to.contain('so many bytes');
    // `auto` takes an engine that does it.
    const registry = new Registry([nativeEngine(limited), jsEngine()]);
    const subtle = await createSubtle({ registry });
    const usages = ['deriveBits'] as const;
    const secret = await subtle.importKey('raw', new Uint8Array(9), 'HKDF', false, usages);
    const derived = await subtle.deriveBits({ name: 'HKDF', ...hkdf(1025) }, secret, 64);
    expect(derived.byteLength).to.equal(8);
    const password = await subtle.importKey('raw', new Uint8Array(9), 'PBKDF2', false, usages);
    const long = await subtle.deriveBits({ name: 'PBKDF2', ...pbkdf2 }, password, 8 * 257);
    expect(long.byteLength).to.equal(257);
  });

  it('finds that a wrapped key of a length that there is not does not verify', async () => {
    const { 'AES-KW': wrap } = await algorithmsOf(globalThis.crypto);
    const keyed = await wrap!.withKey(new Uint8Array(16));
    for (const length of [0, 2, 8, 16, 23, 25]) {
      const unwrapping = Promise.resolve(keyed.decrypt({}, new Uint8Array(length)));
      expect(await errorNameOf(unwrapping), `${length} bytes`).to.equal('AuthenticationError');
    }
  });
});
