import { expect } from 'chai';
import type { AlgorithmName } from '../../../src/engine/contract.ts';
import { jsEngine } from '../../../src/engine/js/js.ts';
import { wasmSimdEngine } from '../../../src/engine/wasm/wasm-simd.ts';
import { describeAead } from '../../conformance/aead.ts';
import { describeBuffers } from '../../conformance/buffers.ts';
import { describeCiphers } from '../../conformance/cipher.ts';
import { describeHashes } from '../../conformance/hash.ts';
import { describeKdfs } from '../../conformance/kdf.ts';
import { describeKeccak } from '../../conformance/keccak.ts';
import { describeMacs } from '../../conformance/mac.ts';
import { describeSalsa } from '../../conformance/salsa.ts';
import { describeSiv } from '../../conformance/siv.ts';
import { engineSubject } from '../../conformance/subject.ts';
import { IS_NIGHTLY } from '../../support/nightly.ts';
import { enableRelaxedSimd, loadWasm, TESTED_VARIANTS } from '../../support/wasm.ts';

enableRelaxedSimd();

const probe = await jsEngine().probe();
if (!probe.available) throw new Error(probe.reason);
const ALL = Object.keys(probe.algorithms) as AlgorithmName[];

/** What `js` alone has, by other libraries. */
const isOfLibraries = (name: string) => /^(?:SLH-DSA-|X448|Ed448)/.test(name);
/** Their modules have no variants: `npm test` tries them once. */
const IN_ONE_MODULE =
  /^(?:SHA-|SHA3-|cSHAKE|TurboSHAKE|KT|KMAC|HMAC|HKDF|PBKDF2|scrypt|Argon2|ML-|MLKEM)/;

for (const variant of TESTED_VARIANTS) {
  const wasm = await engineSubject(wasmSimdEngine(loadWasm, { variant }));
  const isAgain = !IS_NIGHTLY && variant !== TESTED_VARIANTS[0];
  const subject = {
    ...wasm,
    title: `${wasm.title}, variant ${variant}`,
    has: (name: AlgorithmName) => wasm.has(name) && !(isAgain && IN_ONE_MODULE.test(name)),
  };
  describe(subject.title, () => {
    it('has every algorithm of js but those of other libraries', () => {
      const left = ALL.filter((name) => !wasm.has(name) && !isOfLibraries(name));
      expect(left).to.deep.equal([]);
    });
    describeAead(subject);
    describeSiv(subject);
    describeSalsa(subject);
    describeCiphers(subject);
    describeMacs(subject);
    describeHashes(subject);
    describeKdfs(subject);
    describeKeccak(subject);
    describeBuffers(subject);
  });
}
