import { expect } from 'chai';
import { toHex } from '../../../../src/crypto/bytes.ts';
import type { Engine } from '../../../../src/engine/contract.ts';
import { JS_CIPHERS } from '../../../../src/engine/js/ciphers.ts';
import { hashAlgorithms } from '../../../../src/engine/wasm/hash/hash-engine.ts';
import { loadHashes } from '../../../../src/engine/wasm/hash/hashes.ts';
import { VARIANTS } from '../../../../src/engine/wasm/generator/dsl/lookup.ts';
import { describeHashes } from '../../../conformance/hash.ts';
import { describeKdfs } from '../../../conformance/kdf.ts';
import { engineSubject } from '../../../conformance/subject.ts';
import { enableRelaxedSimd, loadWasm } from '../../../support/wasm.ts';

enableRelaxedSimd();

for (const variant of VARIANTS) {
  const hashes = await loadHashes(loadWasm, variant);
  const engine: Engine = {
    name: 'wasm-simd',
    // PBES2's vectors include AES-CBC, which is not tested here.
    probe: () => ({ available: true, algorithms: { ...JS_CIPHERS, ...hashAlgorithms(hashes) } }),
    close: () => hashes.close(),
  };
  const subject = await engineSubject(engine);
  describe(`the hashes of ${subject.title}, variant ${variant}`, () => {
    describeHashes(subject);
    describeKdfs(subject);

    it('signs and verifies by HMAC, message after message', async () => {
      const { HMAC } = hashAlgorithms(hashes);
      const key = await HMAC.withKey(new Uint8Array(20).fill(0x0b), 'SHA-256');
      const data = Buffer.from('Hi There'); // RFC 4231, section 4.2
      const tag = 'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7';
      for (let i = 0; i < 3; i++) expect(toHex(await key.sign(data))).to.equal(tag);
      expect(await key.verify(Buffer.from(tag, 'hex'), data)).to.equal(true);
      expect(await key.verify(Buffer.from(tag, 'hex'), data.subarray(1))).to.equal(false);
      key.wipe();
    });
  });
}

describe('the hashes of wasm-simd', () => {
  it('have every name of the library', async () => {
    const { algorithms } = await loadHashes(loadWasm);
    for (const [name, algorithm] of Object.entries(algorithms)) {
      expect(algorithm.name).to.equal(name);
      expect(algorithm.create().digestBytes).to.equal(algorithm.digestBytes);
    }
    expect(Object.keys(algorithms)).to.have.length(9);
  });

  it('are zero after close(), also with hashes in progress', async () => {
    const hashes = await loadHashes(loadWasm);
    for (const algorithm of Object.values(hashes.algorithms)) {
      algorithm.create().update(new Uint8Array(3000).fill(7));
    }
    hashes.close();
    for (const { memory, instance } of [hashes.sha, hashes.blake]) {
      expect(memory.subarray(instance.state).every((byte) => byte === 0)).to.equal(true);
    }
  });
});
