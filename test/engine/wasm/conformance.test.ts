import { expect } from 'chai';
import type { AlgorithmName } from '../../../src/engine/contract.ts';
import { jsEngine } from '../../../src/engine/js/js.ts';
import { wasmSimdEngine } from '../../../src/engine/wasm/wasm-simd.ts';
import { describeAead } from '../../conformance/aead.ts';
import { describeCiphers } from '../../conformance/cipher.ts';
import { describeHashes } from '../../conformance/hash.ts';
import { describeKdfs } from '../../conformance/kdf.ts';
import { describeMacs } from '../../conformance/mac.ts';
import { describeSalsa } from '../../conformance/salsa.ts';
import { describeSiv } from '../../conformance/siv.ts';
import { engineSubject } from '../../conformance/subject.ts';
import { enableRelaxedSimd, loadWasm, TESTED_VARIANTS } from '../../support/wasm.ts';

enableRelaxedSimd();

const probe = await jsEngine().probe();
if (!probe.available) throw new Error(probe.reason);
const ALL = Object.keys(probe.algorithms) as AlgorithmName[];

for (const variant of TESTED_VARIANTS) {
  const wasm = await engineSubject(wasmSimdEngine(loadWasm, { variant }));
  const subject = { ...wasm, title: `${wasm.title}, variant ${variant}` };
  describe(subject.title, () => {
    it('has every algorithm of js', () => {
      expect(ALL.filter((name) => !subject.has(name))).to.deep.equal([]);
    });
    describeAead(subject);
    describeSiv(subject);
    describeSalsa(subject);
    describeCiphers(subject);
    describeMacs(subject);
    describeHashes(subject);
    describeKdfs(subject);
  });
}
