import { AuthenticationError } from '../crypto/errors.ts';
import type { RandomSource } from '../random/contract.ts';
import type { KeyBundle } from './key-bundle.ts';
import { openKintoRecord, sealKintoRecord } from './kinto-record.ts';
import type { RecordCodec } from './record-codec.ts';
import { recordCipher } from './record-cipher.ts';
import type { RecordAlgorithms, RecordCipher } from './record-cipher.ts';
import { openWeaveRecord, sealWeaveRecord } from './weave-record.ts';

const IV_BYTES = 16;

/** Weave's records and Kinto's have the same cipher, and differ in what is authenticated. */
const FORMATS = {
  'weave-5': { seal: sealWeaveRecord, open: openWeaveRecord },
  kinto: { seal: sealKintoRecord, open: openKintoRecord },
} as const;

/**
 * @param bundles of the collection, at least one: the first encrypts, and all are tried to decrypt,
 *   because records of before a change of keys name none
 */
export async function bundleCodec(
  format: keyof typeof FORMATS,
  bundles: readonly KeyBundle[],
  algorithms: RecordAlgorithms,
  random: RandomSource,
): Promise<RecordCodec> {
  const { seal, open } = FORMATS[format];
  const ciphers = await Promise.all(bundles.map((bundle) => recordCipher(algorithms, bundle)));
  return {
    encrypt: ({ id, payload }) => seal(ciphers[0]!, random.bytes(IV_BYTES), id, payload),
    decrypt: async ({ id, payload }) => ({ payload: await tried(ciphers, open, id, payload) }),
    wipe: () => ciphers.forEach((cipher) => cipher.wipe()),
  };
}

async function tried(
  ciphers: readonly RecordCipher[],
  open: (typeof FORMATS)[keyof typeof FORMATS]['open'],
  id: string,
  payload: string,
): Promise<unknown> {
  for (const cipher of ciphers) {
    try {
      return await open(cipher, id, payload);
    } catch (error) {
      if (!(error instanceof AuthenticationError)) throw error;
    }
  }
  throw new AuthenticationError();
}
