import { expect } from 'chai';
import { jsEngine } from '../../../src/engine/js.ts';
import { VARIANTS } from '../../../src/engine/wasm/kernel/lookup.ts';
import { wasmSimdEngine } from '../../../src/engine/wasm/wasm-simd.ts';
import { describeAead } from '../../conformance/aead.ts';
import { describeCiphers } from '../../conformance/cipher.ts';
import { describeMacs } from '../../conformance/mac.ts';
import { engineSubject } from '../../conformance/subject.ts';
import type { Subject } from '../../conformance/subject.ts';
import { enableRelaxedSimd, loadWasm } from '../../support/wasm.ts';

enableRelaxedSimd();

const js = await engineSubject(jsEngine());

for (const variant of VARIANTS) {
  const wasm = await engineSubject(wasmSimdEngine(loadWasm, variant));
  // Some vectors of CBC authenticate with HMAC: js does that where this engine has none.
  const sign: Subject['sign'] = (name, ...rest) => (wasm.has(name) ? wasm : js).sign(name, ...rest);
  const subject: Subject = { ...wasm, sign, title: `${wasm.title}, variant ${variant}` };
  describe(subject.title, () => {
    it('has every mode of AES', () => {
      const modes = ['GCM', 'CCM', 'OCB', 'CTR', 'CBC', 'ECB', 'KW', 'CMAC', 'CBC-MAC'] as const;
      expect(modes.filter((mode) => !subject.has(`AES-${mode}`))).to.deep.equal([]);
    });
    describeAead(subject);
    describeCiphers(subject);
    describeMacs(subject);
  });
}
