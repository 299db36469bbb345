import { AuthenticationError } from '../../crypto/errors.ts';
import type { RandomSource } from '../../random/contract.ts';
import { openRecords, sealRecords } from './bundle-records.ts';
import type { BundleFormat, OpenedObject } from './bundle-records.ts';
import type { KeyBundle } from '../key-bundle.ts';
import { KINTO } from './kinto-record.ts';
import type { EncryptedRecord, RecordCodec } from '../codec.ts';
import { recordCipher } from '../record-cipher.ts';
import type { RecordAlgorithms, RecordCipher } from '../record-cipher.ts';
import type { Result } from '../results.ts';
import { WEAVE } from './weave-record.ts';

const IV_BYTES = 16;
/** IVs are drawn so many at once: a draw costs about as much as the rest of a short record. */
const DRAWN_TOGETHER = 64;

/** Weave and Kinto records use the same cipher and differ in the authenticated data. */
const FORMATS = { 'weave-5': WEAVE, kinto: KINTO } as const;

/**
 * The codec of Weave or Kinto records.
 *
 * @param bundles of the collection, at least one. The first encrypts. Decryption tries all of them,
 *   because records do not name their key
 */
export async function bundleCodec(
  name: keyof typeof FORMATS,
  bundles: readonly KeyBundle[],
  algorithms: RecordAlgorithms,
  random: RandomSource,
): Promise<RecordCodec> {
  const format = FORMATS[name];
  const ciphers = await Promise.all(bundles.map((bundle) => recordCipher(algorithms, bundle)));
  return {
    encrypt(records) {
      return sealRecords(ciphers[0]!, format, records, ivsFrom(random, records.length));
    },
    decrypt: (records) => openedByAny(ciphers, format, records),
    wipe: () => ciphers.forEach((cipher) => cipher.wipe()),
  };
}

function ivsFrom(random: RandomSource, count: number): Uint8Array[] {
  const ivs: Uint8Array[] = [];
  while (ivs.length < count) {
    const drawn = random.bytes(IV_BYTES * Math.min(count - ivs.length, DRAWN_TOGETHER));
    for (let at = 0; at < drawn.length; at += IV_BYTES) ivs.push(drawn.subarray(at, at + IV_BYTES));
  }
  return ivs;
}

/** Tries each bundle on the records that the earlier ones did not open. */
async function openedByAny(
  [first, ...others]: readonly RecordCipher[],
  format: BundleFormat,
  records: readonly EncryptedRecord[],
): Promise<Result<OpenedObject>[]> {
  const opened = await openRecords(first!, format, records);
  for (const cipher of others) {
    const left = opened.flatMap((one, i) => (isAnotherKeys(one) ? [i] : []));
    const again = await openRecords(
      cipher,
      format,
      left.map((i) => records[i]!),
    );
    left.forEach((at, i) => (opened[at] = again[i]!));
  }
  return opened;
}

function isAnotherKeys(result: Result<unknown>): boolean {
  return result.status === 'rejected' && result.reason instanceof AuthenticationError;
}
