/** The cases of test/vectors/blake3.json, for every implementation of BLAKE3. */
import { expect } from 'chai';
import { toHex, utf8 } from '../../../src/crypto/bytes.ts';
import { checkAll, readPublished } from '../../support/vectors.ts';

interface Case {
  readonly lengthBytes: number;
  readonly hash: string;
  readonly keyed: string;
  readonly derived: string;
}

interface Blake3Like {
  update(data: Uint8Array): Blake3Like;
  digest(lengthBytes?: number): Uint8Array;
}

export interface Blake3Modes {
  create(): Blake3Like;
  createKeyed(key: Uint8Array): Blake3Like;
  createDeriveKey(context: string): Blake3Like;
}

/** @returns the number of cases */
export async function checkBlake3Vectors(modes: Blake3Modes): Promise<number> {
  const { key, context, vectors } = readPublished('blake3.json') as {
    readonly key: string;
    readonly context: string;
    readonly vectors: readonly Case[];
  };
  await checkAll('blake3.json', vectors, ({ lengthBytes, hash, keyed, derived }) => {
    const input = Uint8Array.from({ length: lengthBytes }, (_, i) => i % 251);
    const check = (create: () => Blake3Like, expected: string): void => {
      expect(
        toHex(
          create()
            .update(input)
            .digest(expected.length / 2),
        ),
      ).to.equal(expected);
      expect(toHex(create().update(input).digest())).to.equal(expected.slice(0, 64));
    };
    check(() => modes.create(), hash);
    check(() => modes.createKeyed(utf8(key)), keyed);
    check(() => modes.createDeriveKey(context), derived);
  });
  return vectors.length;
}
