import { expect } from 'chai';
import type { AlgorithmName } from '../../src/engine/contract.ts';
import { jsEngine } from '../../src/engine/js.ts';
import { KNOWN_ANSWERS } from '../../src/engine/known-answers.ts';
import { nativeEngine } from '../../src/engine/native.ts';
import { describeAead } from '../conformance/aead.ts';
import { describeCiphers } from '../conformance/cipher.ts';
import { describeHashes } from '../conformance/hash.ts';
import { describeKdfs } from '../conformance/kdf.ts';
import { describeMacs } from '../conformance/mac.ts';
import { engineSubject } from '../conformance/subject.ts';

const ALL = Object.keys(KNOWN_ANSWERS) as AlgorithmName[];

/** What the Web Cryptography API has no name for. */
const NOT_NATIVE: readonly AlgorithmName[] = [
  'AES-CCM',
  'AES-OCB',
  'AES-ECB',
  'AES-CMAC',
  'AES-CBC-MAC',
];

for (const [engine, lacks] of [
  [jsEngine(), []],
  [nativeEngine(), NOT_NATIVE],
] as const) {
  const subject = await engineSubject(engine);
  describe(subject.title, () => {
    it(`has every algorithm${lacks.length > 0 ? ` but ${lacks.join(', ')}` : ''}`, () => {
      expect(ALL.filter((name) => !subject.has(name))).to.deep.equal(lacks);
    });
    describeAead(subject);
    describeCiphers(subject);
    describeMacs(subject);
    describeHashes(subject);
    describeKdfs(subject);
  });
}
