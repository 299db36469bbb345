import type { RandomSource } from '../../random/contract.ts';
import { notesCipher } from './notes-jwe.ts';
import type { NotesKey } from './notes-jwe.ts';
import type { RecordCodec } from '../codec.ts';
import type { RecordAlgorithms } from '../record-cipher.ts';

export async function notesCodec(
  key: NotesKey,
  algorithms: RecordAlgorithms,
  random: RandomSource,
): Promise<RecordCodec> {
  const cipher = await notesCipher(algorithms, key, random);
  return {
    kid: key.kid,
    encrypt: (records) => Promise.allSettled(records.map(({ payload }) => cipher.seal(payload))),
    decrypt: (records) =>
      Promise.allSettled(
        records.map(async ({ payload }) => ({ payload: await cipher.open(payload) })),
      ),
    wipe: () => cipher.wipe(),
  };
}
