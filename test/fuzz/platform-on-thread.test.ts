import { expect } from 'chai';
import { onThread } from './platform-on-thread.ts';
import { counting } from './target.ts';

const { subtle: platform } = globalThis.crypto;

/** What a call gives, or the name of its error. */
async function outcome(call: Promise<ArrayBuffer | CryptoKey>): Promise<string> {
  try {
    const result = await call;
    return result instanceof CryptoKey ? result.type : Buffer.from(result).toString('hex');
  } catch (error) {
    return (error as Error).name;
  }
}

describe('the platform of a search', () => {
  const subtle = onThread(platform);

  async function expectSame(
    call: (one: SubtleCrypto) => Promise<ArrayBuffer | CryptoKey>,
  ): Promise<string> {
    const [expected, found] = [await outcome(call(platform)), await outcome(call(subtle))];
    expect(found).to.equal(expected);
    return found;
  }

  for (const hash of ['SHA-1', 'SHA-256', 'SHA-384', 'SHA-512']) {
    it(`computes HMAC over ${hash}`, async () => {
      const how = { name: 'HMAC', hash };
      const key = await platform.importKey('raw', counting(20), how, false, ['sign']);
      for (const length of [0, 1, 200]) {
        await expectSame((one) => one.sign('HMAC', key, counting(length)));
      }
    });
  }

  it('refuses a MAC without the usage', async () => {
    const how = { name: 'HMAC', hash: 'SHA-256' };
    const key = await platform.importKey('raw', counting(20), how, false, ['verify']);
    expect(await expectSame((one) => one.sign('HMAC', key, counting(3)))).to.equal(
      'InvalidAccessError',
    );
  });

  for (const keyBytes of [16, 32]) {
    it(`seals and opens AES-GCM under ${keyBytes} bytes`, async () => {
      const usages = ['encrypt', 'decrypt'] as const;
      const key = await platform.importKey('raw', counting(keyBytes), 'AES-GCM', false, usages);
      const how = { name: 'AES-GCM', iv: counting(12), tagLength: 128 };
      const bound = { ...how, additionalData: counting(5) };
      const sealed = new Uint8Array(await platform.encrypt(bound, key, counting(40)));
      const altered = sealed.map((byte, i) => (i === 3 ? byte ^ 1 : byte));
      await expectSame((one) => one.encrypt(bound, key, counting(40)));
      await expectSame((one) => one.encrypt(how, key, new Uint8Array(0)));
      await expectSame((one) => one.encrypt({ ...how, iv: counting(16) }, key, counting(3)));
      await expectSame((one) => one.encrypt({ ...how, tagLength: 96 }, key, counting(3)));
      const opened = await expectSame((one) => one.decrypt(bound, key, sealed));
      expect(opened).to.equal(Buffer.from(counting(40)).toString('hex'));
      for (const wrong of [altered, sealed.subarray(0, 20), counting(15), new Uint8Array(0)]) {
        const error = await expectSame((one) => one.decrypt(bound, key, wrong));
        expect(error).to.equal('OperationError');
      }
      expect(await expectSame((one) => one.decrypt(how, key, sealed))).to.equal('OperationError');
    });
  }

  for (const curve of [{ name: 'ECDH', namedCurve: 'P-256' }, { name: 'X25519' }]) {
    it(`agrees on secrets by ${curve.name}, each in a buffer of its own`, async () => {
      const make = () => platform.generateKey(curve, true, ['deriveBits']);
      const [own, other] = (await Promise.all([make(), make()])) as CryptoKeyPair[];
      const how = { name: curve.name, public: other!.publicKey };
      for (const bits of [256, 128]) {
        const derive = (one: SubtleCrypto) => one.deriveBits(how, own!.privateKey, bits);
        await expectSame(derive);
        new Uint8Array(await derive(subtle)).fill(0); // as a caller wipes it
        await expectSame(derive);
      }
      const wrong = { ...how, public: other!.privateKey };
      await expectSame((one) => one.deriveBits(wrong, own!.privateKey, 256));
      await expectSame((one) => one.deriveBits(how, own!.publicKey, 256));
    });
  }

  it('refuses a point of small order as the platform does', async () => {
    const how = { name: 'X25519' };
    const { privateKey } = (await platform.generateKey(how, true, ['deriveBits'])) as CryptoKeyPair;
    const zero = await platform.importKey('raw', new Uint8Array(32), how, true, []);
    const derive = (one: SubtleCrypto) => one.deriveBits({ ...how, public: zero }, privateKey, 256);
    expect(await expectSame(derive)).to.equal('OperationError');
  });

  it('imports keys as the platform does, and equal ones once', async () => {
    const raw = (one: SubtleCrypto, bytes: Uint8Array<ArrayBuffer>, usages: KeyUsage[]) =>
      one.importKey('raw', bytes, 'AES-GCM', false, usages);
    expect(await expectSame((one) => raw(one, counting(15), ['encrypt']))).to.equal('DataError');
    expect(await expectSame((one) => raw(one, counting(16), ['sign']))).to.equal('SyntaxError');
    const key = await raw(subtle, counting(16), ['encrypt']);
    expect(await raw(subtle, counting(16), ['encrypt'])).to.equal(key);
    expect(await raw(subtle, counting(16), ['decrypt'])).not.to.equal(key);
    expect(await raw(subtle, counting(16, 1), ['encrypt'])).not.to.equal(key);
  });

  it('exports keys as the platform does, each time in a buffer of its own', async () => {
    const how = { name: 'ECDSA', namedCurve: 'P-256' };
    const pair = await platform.generateKey(how, false, ['sign', 'verify']);
    for (const format of ['spki', 'raw'] as const) {
      const exported = (one: SubtleCrypto) => one.exportKey(format, pair.publicKey);
      await expectSame(exported);
      new Uint8Array(await exported(subtle)).fill(0);
      await expectSame(exported);
    }
    const hidden = (one: SubtleCrypto) => one.exportKey('pkcs8', pair.privateKey);
    expect(await expectSame(hidden)).to.include('InvalidAccess');
    expect(await subtle.exportKey('jwk', pair.publicKey)).to.deep.equal(
      await platform.exportKey('jwk', pair.publicKey),
    );
  });

  it('leaves all other calls to the platform', async () => {
    await expectSame((one) => one.digest('SHA-256', counting(3)));
    expect(subtle).to.be.instanceOf(SubtleCrypto);
  });
});
