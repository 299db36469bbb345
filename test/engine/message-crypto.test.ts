import { createHmac, randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { NATIVE_CRYPTO } from '../../src/engine/native/native-crypto.ts';
import { MessageCrypto } from '../../src/engine/message-crypto.ts';

const small = { ...NATIVE_CRYPTO };

describe('MessageCrypto', () => {
  it('uses the engine for small messages up to 64 KiB, and loads it once', async () => {
    let loads = 0;
    const crypto = new MessageCrypto(() => {
      loads++;
      return Promise.resolve(small);
    });
    expect(await crypto.forBytes(65_537)).to.equal(NATIVE_CRYPTO);
    expect(loads).to.equal(0);
    expect(await crypto.forBytes(0)).to.equal(small);
    expect(await crypto.forBytes(65_536)).to.equal(small);
    expect(loads).to.equal(1);
  });

  it('uses the platform for AES without it, and derives the same keys', async () => {
    const crypto = await new MessageCrypto(() => Promise.reject(new Error('none'))).forBytes(1);
    const [key, info] = [new Uint8Array(32).fill(1), new Uint8Array(100).fill(2)];
    expect(await crypto.expand(key, info, 76)).to.deep.equal(
      await NATIVE_CRYPTO.expand(key, info, 76),
    );
    const nonce = new Uint8Array(12);
    const sealed = await (await crypto.aesGcm(key)).seal(nonce, info);
    expect(await (await NATIVE_CRYPTO.aesGcm(key)).open(nonce, sealed)).to.deep.equal(info);
  });

  it('gives HMAC-SHA-256 on both sides of the length from which WebCrypto computes it', async () => {
    const crypto = new MessageCrypto(() => Promise.reject(new Error('not needed')));
    const key = new Uint8Array(randomBytes(32));
    for (const length of [0, 1, 63, 64, 4095, 4096, 4097, 100_000]) {
      const data = new Uint8Array(randomBytes(length + 3)).subarray(3);
      const expected = createHmac('sha256', key).update(data).digest();
      expect(await crypto.hmacSha256(key, data)).to.deep.equal(new Uint8Array(expected));
    }
  });
});
