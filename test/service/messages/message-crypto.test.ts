import { expect } from 'chai';
import { NATIVE_CRYPTO } from '../../../src/format/native-crypto.ts';
import { MessageCrypto } from '../../../src/service/messages/message-crypto.ts';

const small = { ...NATIVE_CRYPTO };

describe('MessageCrypto', () => {
  it('takes the engine for small messages up to 64 KiB, and loads it once', async () => {
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

  it('without it leaves AES to the platform, and derives the same', async () => {
    const crypto = await new MessageCrypto(() => Promise.reject(new Error('none'))).forBytes(1);
    const [key, info] = [new Uint8Array(32).fill(1), new Uint8Array(100).fill(2)];
    expect(await crypto.expand(key, info, 76)).to.deep.equal(
      await NATIVE_CRYPTO.expand(key, info, 76),
    );
    const nonce = new Uint8Array(12);
    const sealed = await (await crypto.aesGcm(key)).seal(nonce, info);
    expect(await (await NATIVE_CRYPTO.aesGcm(key)).open(nonce, sealed)).to.deep.equal(info);
  });
});
