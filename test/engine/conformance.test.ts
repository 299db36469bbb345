import { expect } from 'chai';
import type { AlgorithmName } from '../../src/engine/contract.ts';
import { jsEngine } from '../../src/engine/js/js.ts';
import { KNOWN_ANSWERS } from '../../src/engine/known-answers/table.ts';
import { nativeEngine } from '../../src/engine/native/native.ts';
import { describeAead } from '../conformance/aead.ts';
import { describeBuffers } from '../conformance/buffers.ts';
import { describeCiphers } from '../conformance/cipher.ts';
import { describeHashes } from '../conformance/hash.ts';
import { describeKdfs } from '../conformance/kdf.ts';
import { describeKeccak } from '../conformance/keccak.ts';
import { describeMacs } from '../conformance/mac.ts';
import { describeSalsa } from '../conformance/salsa.ts';
import { describeSiv } from '../conformance/siv.ts';
import { engineSubject } from '../conformance/subject.ts';

const ALL = Object.keys(KNOWN_ANSWERS) as AlgorithmName[];

/** The algorithms of the Web Cryptography API. Others are in the WICG draft, or in no standard. */
const NATIVE: readonly AlgorithmName[] = [
  ...(['AES-GCM', 'AES-CTR', 'AES-CBC', 'AES-KW', 'HMAC', 'HKDF', 'PBKDF2'] as const),
  ...(['SHA-1', 'SHA-256', 'SHA-384', 'SHA-512'] as const),
];

/** The algorithms that only the platform has: no second engine can be compared with it. */
const PAIRS: readonly AlgorithmName[] = [
  ...(['RSA-OAEP', 'RSASSA-PKCS1-v1_5', 'RSA-PSS'] as const),
  ...(['ECDH', 'ECDSA', 'X25519', 'Ed25519'] as const),
];

/** This file runs in browsers too, of which none has them. */
const CURVES_OF_NODE = 'process' in globalThis ? (['X448', 'Ed448'] as const) : [];

for (const [engine, has] of [
  [jsEngine(), ALL.filter((name) => !PAIRS.includes(name))],
  [nativeEngine(), [...NATIVE, ...PAIRS, ...CURVES_OF_NODE]],
] as const) {
  const subject = await engineSubject(engine);
  describe(subject.title, () => {
    it(`has ${has.join(', ')}`, () => {
      expect(has.filter((name) => !subject.has(name))).to.deep.equal([]);
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
