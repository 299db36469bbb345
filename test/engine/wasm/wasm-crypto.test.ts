import { expect } from 'chai';
import fc from 'fast-check';
import { AuthenticationError } from '../../../src/crypto/errors.ts';
import type { FormatCrypto } from '../../../src/format/format-crypto.ts';
import { openMessage, sealMessage } from '../../../src/format/message.ts';
import { NATIVE_CRYPTO } from '../../../src/format/native-crypto.ts';
import { wasmCrypto } from '../../../src/engine/wasm/wasm-crypto.ts';
import { sharedModules } from '../../../src/engine/wasm/shared-modules.ts';
import { loadWasm } from '../../support/wasm.ts';

describe('The format over the WebAssembly engine', () => {
  let crypto: FormatCrypto;
  before(async () => {
    crypto = await wasmCrypto(sharedModules(loadWasm));
  });

  const bound = { key: new Uint8Array(32).fill(5), keyId: new Uint8Array(16).fill(1) };
  const salt = new Uint8Array(24).fill(9);

  it('seals to the same bytes as WebCrypto, and each opens what the other sealed', async () => {
    const messages = fc.uint8Array({ maxLength: 40_000, size: 'max' });
    await fc.assert(
      fc.asyncProperty(messages, fc.boolean(), async (message, pad) => {
        const options = {
          ...bound,
          purpose: 'page',
          origin: 'https://a.example',
          pad,
          salt,
        } as const;
        const ours = await sealMessage({ ...options, crypto }, message);
        const native = await sealMessage({ ...options, crypto: NATIVE_CRYPTO }, message);
        expect(Buffer.compare(ours, native)).to.equal(0);
        const opened = await openMessage({ ...options, crypto }, native);
        expect(Buffer.compare(opened, message)).to.equal(0);
      }),
      { numRuns: 30 },
    );
  });

  it('rejects altered messages', async () => {
    const aead = await crypto.aesGcm(bound.key);
    const sealed = await aead.seal(new Uint8Array(12), new Uint8Array(20));
    sealed[3]! ^= 1;
    const error: unknown = await aead.open(new Uint8Array(12), sealed).catch((e: unknown) => e);
    expect(error).to.be.instanceOf(AuthenticationError);
  });

  it('keeps two keys separate that are used alternately', async () => {
    const keys = [1, 2].map((byte) => new Uint8Array(32).fill(byte));
    const ours = await Promise.all(keys.map((key) => crypto.aesGcm(key)));
    const theirs = await Promise.all(keys.map((key) => NATIVE_CRYPTO.aesGcm(key)));
    for (const [i, at] of [0, 1, 0, 1].entries()) {
      const data = new Uint8Array(100 * i);
      const nonce = new Uint8Array(12).fill(i);
      const expected = await theirs[at]!.seal(nonce, data);
      expect(Buffer.compare(await ours[at]!.seal(nonce, data), expected)).to.equal(0);
    }
  });

  it('rejects if the modules do not load', async () => {
    const missing = wasmCrypto(sharedModules(() => Promise.reject(new Error('no such file'))));
    expect(await missing.catch((error: unknown) => error)).to.have.property(
      'message',
      'no such file',
    );
  });
});
