import { expect } from 'chai';
import type { AlgorithmName } from '../../../src/engine/contract.ts';
import { Registry } from '../../../src/engine/registry.ts';
import { threadsEngine } from '../../../src/engine/threads/threads.ts';
import { wasmSimdEngine } from '../../../src/engine/wasm/wasm-simd.ts';
import { describeAead } from '../../conformance/aead.ts';
import { describeBuffers } from '../../conformance/buffers.ts';
import { describeCiphers } from '../../conformance/cipher.ts';
import { describeBlake3 } from '../../conformance/hash.ts';
import { describeMemoryKdfs } from '../../conformance/memory-kdf.ts';
import { engineSubject } from '../../conformance/subject.ts';
import { randomBytes } from '../../support/random-bytes.ts';
import { enableRelaxedSimd, loadWasm } from '../../support/wasm.ts';
import { threadsOfTheirOwn, until, WorkersHere } from './pool-workers.ts';

enableRelaxedSimd();
const HAS: readonly AlgorithmName[] = [
  ...(['AES-CTR', 'AES-GCM', 'AES-OCB', 'ChaCha20-Poly1305', 'XChaCha20-Poly1305'] as const),
  ...(['BLAKE3', 'Argon2d', 'Argon2i', 'Argon2id'] as const),
];

// Slices are as short as messages allow: the published vectors are cut too.
{
  const workers = new WorkersHere();
  const options = { threads: 3, startWorker: workers.start };
  const subject = await engineSubject(threadsEngine(loadWasm, options));
  describe(subject.title, () => {
    it(`has ${HAS.join(', ')}`, () => {
      expect(HAS.filter((name) => !subject.has(name))).to.deep.equal([]);
    });
    describeAead(subject);
    describeCiphers(subject);
    describeBlake3(subject);
    describeMemoryKdfs(subject);
    describeBuffers(subject);
    // A suite: mocha runs it after the others.
    describe('its workers', () => {
      it('got messages in slices, and have wiped every key', async () => {
        const isWiped = () => workers.keys.every((key) => key.every((byte) => byte === 0));
        await until(isWiped);
        const slices = workers.orders.filter(({ type }) => type === 'slice');
        expect(slices.some((order) => 'index' in order && order.index > 0)).to.equal(true);
        expect(workers.keys.length).to.be.above(100);
        expect(isWiped()).to.equal(true);
      });
    });
  });
}

describe('engine wasm-threads in threads of their own', () => {
  it('gives its known answers, shares a message with them, and ends them when it is closed', async () => {
    const startWorker = await threadsOfTheirOwn();
    let slices = 0;
    const counted = () => {
      const worker = startWorker();
      worker.onAnswer(({ type }) => {
        if (type === 'done') slices++;
      });
      return worker;
    };
    const engine = threadsEngine(loadWasm, { threads: 2, startWorker: counted });
    const registry = new Registry([engine, wasmSimdEngine(loadWasm)], { optIn: ['wasm-threads'] });
    const [report] = await registry.report();
    expect(report).to.deep.include({ name: 'wasm-threads', available: true, selfTest: 'passed' });
    expect(report!.algorithms).to.have.members(HAS);

    const data = randomBytes(3 << 20);
    const digests = (name: 'wasm-threads' | 'wasm-simd') =>
      registry.run({ algorithm: 'BLAKE3', engine: name, bytes: data.length }, (blake3) =>
        blake3.digest(data),
      );
    const expected = await digests('wasm-simd');
    // Until its script runs, a worker gets nothing.
    while (slices === 0) expect(await digests('wasm-threads')).to.deep.equal(expected);
    expect(engine.fault!()).to.equal(undefined);
    registry.close();
  });
});
