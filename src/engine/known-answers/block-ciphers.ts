/**
 * Known answers of the old block ciphers: a published block for each, and the portable code's answers for more
 * blocks than a group.
 */
import type { BlockCipherName, CipherDefinition } from '../../crypto/ciphers/block-cipher.ts';
import { BLOCK_CIPHERS } from '../../crypto/ciphers/block-cipher.ts';
import { sumOf } from '../../crypto/aead/ocb.ts';
import { equal, fromHex as hex, xorInto } from '../../crypto/bytes.ts';
import type { BlockBytes } from '../../crypto/contracts.ts';

interface BlockAnswer {
  readonly source: string;
  readonly key: Uint8Array;
  readonly plaintext: Uint8Array;
  readonly ciphertext: Uint8Array;
}

const PUBLISHED: { readonly [N in BlockCipherName]: BlockAnswer } = {
  IDEA: {
    source: 'NESSIE, Idea-128-64.verified.test-vectors',
    key: hex('80000000000000000000000000000000'),
    plaintext: hex('78071ee87f0130e8'),
    ciphertext: hex('0000000000000000'),
  },
  Twofish: {
    source: 'Counterpane, Twofish, ecb_ival.txt',
    key: hex('00000000000000000000000000000000'),
    plaintext: hex('00000000000000000000000000000000'),
    ciphertext: hex('9f589f5cf6122c32b6bfec2f2ae8c35a'),
  },
  MARS: {
    source: 'IBM, MARS test vectors of August 1999, ecb_vt.txt',
    key: hex('00000000000000000000000000000000'),
    plaintext: hex('00000000000000008000000000000000'),
    ciphertext: hex('b92c3eeb72b6bfd288e1f38d64248e93'),
  },
  RC6: {
    source: 'Rivest, Robshaw, Sidney, Yin, "The RC6 Block Cipher", appendix',
    key: hex('0123456789abcdef0112233445566778'),
    plaintext: hex('02132435465768798a9bacbdcedfe0f1'),
    ciphertext: hex('524e192f4715c6231f51f6367ea43f18'),
  },
  SC2000: {
    source: 'NESSIE, SC2000-128-128.test-vectors',
    key: hex('00000000000000000000000000000000'),
    plaintext: hex('00000000000000000000000000000000'),
    ciphertext: hex('fae4baa3bb72c4c060b9a4a5c4b2ab32'),
  },
  Serpent: {
    source: 'NESSIE, Serpent',
    key: hex('40000000000000000000000000000000'),
    plaintext: hex('a4018833942794b43fe88cf7248ec28b'),
    ciphertext: hex('00000000000000000000000000000000'),
  },
};

/** Groups of 16 and 8 blocks, and a few more. */
const BLOCKS = 35;

/** @returns what the cipher of an engine gave a wrong answer to; undefined if all were right */
export function testBlockCipher(
  name: BlockCipherName,
  { blockBytes, withKey }: CipherDefinition,
): string | undefined {
  const published = PUBLISHED[name];
  const cipher = withKey(published.key);
  const encrypted = new Uint8Array(blockBytes);
  const decrypted = new Uint8Array(blockBytes);
  cipher.encryptBlocks(published.plaintext, encrypted);
  cipher.decryptBlocks(published.ciphertext, decrypted);
  cipher.wipe();
  const isAlike = equal(encrypted, published.ciphertext) && equal(decrypted, published.plaintext);
  if (!isAlike) return published.source;
  const portable = BLOCK_CIPHERS[name].withKey;
  const isRight = equal(answersOf(withKey, blockBytes), answersOf(portable, blockBytes));
  return isRight ? undefined : `${BLOCKS} blocks`;
}

/** What each operation makes of one message, one after the other. */
function answersOf(withKey: CipherDefinition['withKey'], blockBytes: BlockBytes): Uint8Array {
  const cipher = withKey(Uint8Array.from({ length: 16 }, (_, i) => 37 * i + 11));
  const length = BLOCKS * blockBytes;
  const source = Uint8Array.from({ length }, (_, i) => 201 * i + (i >> 3));
  const state = (): Uint8Array => new Uint8Array(blockBytes).fill(0xff);
  const operations: ((target: Uint8Array) => void)[] = [
    (target) => cipher.encryptBlocks(source, target),
    (target) => cipher.decryptBlocks(source, target),
    (target) => cipher.ctrBlocks?.(state(), source, target),
    (target) => cipher.cbcEncryptBlocks?.(state(), source, target),
    (target) => cipher.cbcDecryptBlocks?.(state(), source, target),
    ...[false, true].map((inverse) => (target: Uint8Array) => {
      const masks = source.slice(0, 6 * blockBytes);
      const run = { offset: state(), masks, index: 0, sum: state() };
      cipher.offsetBlocks?.(run, source, target, inverse);
      if (cipher.sumsPlaintext !== true) {
        xorInto(run.sum, sumOf(inverse ? target : source, blockBytes));
      }
      xorInto(target, run.sum);
    }),
  ];
  const answers = new Uint8Array(operations.length * length);
  operations.forEach((operate, i) => {
    operate(answers.subarray(i * length, (i + 1) * length));
  });
  cipher.wipe();
  return answers;
}
