import { Aes } from '../../../src/crypto/aes/block.ts';
import { equal } from '../../../src/crypto/bytes.ts';
import { Gcm } from '../../../src/crypto/aead/gcm.ts';
import type { Primitive } from '../primitive.ts';

/** What `equal` must not be: stops at the first difference. */
function earlyExitEqual(a: Uint8Array, b: Uint8Array): boolean {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

const TAG = new Uint8Array(16);
/** All but the last byte is as in the tag, or nothing. */
const forge = (input: Uint8Array): void => {
  input[15]! |= 1;
};

/**
 * Tags that differ from the true one in the last byte alone, against others: the control, which shows
 * that the test finds what leaks, and the compare that the project uses. The table engine is not
 * called safe; what the test finds of it is reported.
 */
export const CONTROLS: readonly Primitive[] = [
  {
    name: 'control: tag compare with early exit',
    family: 'control',
    secretBytes: 16,
    expected: 'leak',
    setUp: () => ({ prepare: forge, call: (input) => earlyExitEqual(TAG, input) }),
  },
  {
    name: 'tag compare, 16 B',
    family: 'control',
    secretBytes: 16,
    expected: 'constant',
    setUp: () => ({ prepare: forge, call: (input) => equal(TAG, input) }),
  },
  {
    name: 'engine js: AES-128 with tables, key',
    family: 'control',
    secretBytes: 16,
    expected: 'reported',
    setUp: () => {
      const block = new Uint8Array(16);
      return { call: (key) => new Aes(key).encryptBlocks(block, block) };
    },
  },
  {
    name: 'engine js: AES-128 with tables, block',
    family: 'control',
    secretBytes: 16,
    expected: 'reported',
    setUp: () => {
      const [aes, target] = [new Aes(TAG), new Uint8Array(16)];
      return { call: (block) => aes.encryptBlocks(block, target) };
    },
  },
  {
    name: 'engine js: GHASH with tables, 1,024 B',
    family: 'control',
    secretBytes: 1024,
    expected: 'reported',
    setUp: () => {
      const [gcm, nonce, target] = [
        new Gcm(new Aes(TAG)),
        new Uint8Array(12),
        new Uint8Array(1040),
      ];
      return { call: (plaintext) => gcm.seal(nonce, plaintext, undefined, target) };
    },
  },
];
