/* Checkpoints and verifications of one collection, over what its device keeps (src/sync/sealwright/own-list.ts). */
import { toHex, utf8 } from '../../crypto/bytes.ts';
import { SealwrightError, toWire, type WireError } from '../../rpc/errors.ts';
import { MAX_BATCH_ITEMS } from '../../rpc/limits.ts';
import { unpacked, type ByteList } from '../../rpc/transport/byte-list.ts';
import type { InputOf, OutputOf } from '../../rpc/workshop.ts';
import type { RandomSource } from '../../random/contract.ts';
import type { EncryptedRecord, RecordCodec } from '../../sync/codec.ts';
import { valueOf } from '../../sync/results.ts';
import { checkpoint, type CheckpointCrypto } from '../../sync/sealwright/checkpoint.ts';
import { generationIn } from '../../sync/sealwright/codec.ts';
import { headContext } from '../../sync/sealwright/head-layout.ts';
import type { SealwrightMessages } from '../../sync/sealwright/messages.ts';
import { emptyList, listOf, partsOf, type OwnList } from '../../sync/sealwright/own-list.ts';
import { verify, type StoredItem } from '../../sync/sealwright/verify.ts';
import { fieldsIn, pageError, type Fields } from './records.ts';

type CheckpointInput = InputOf<'sync.checkpoint'>;
type VerifyInput = InputOf<'sync.verify'>;

/** What one call needs beside its input. */
export interface HeadParts {
  readonly codec: Pick<RecordCodec, 'decrypt'>;
  readonly messages: SealwrightMessages;
  readonly digests: CheckpointCrypto['digests'];
  readonly random: RandomSource;
}

const DEVICE_BYTES = 8;

/** Lists records that were written, each of which has to open. */
export function checkpointed(
  { secrets, params }: CheckpointInput,
  { codec, messages, digests, random }: HeadParts,
): Promise<OutputOf<'sync.checkpoint'>> {
  return changing(secrets.list, random, async (list) => {
    const records = itemsIn(params.records);
    const generations = await listedGenerations(records, codec);
    const ids = await digests(records.map(({ id }) => utf8(id)));
    const payloads = await digests(records.map(({ payload }) => payload));
    const changes = records.map(({ id, payload }, i) => ({
      id: ids[i]!,
      name: id,
      record: payload.length === 0 ? null : payloads[i]!,
      generation: generations[i]!,
    }));
    const seal = (id: string, content: Uint8Array): Promise<Uint8Array> =>
      messages.seal(headContext(params.collection, id), content);
    const { list: after, ...made } = await checkpoint(list, changes, params.at, { seal, digests });
    return { result: { head: made.head, chunks: [...made.chunks] }, after };
  });
}

/** Compares what a server has with what all heads know. */
export function verified(
  { secrets, params }: VerifyInput,
  { codec, messages, digests, random }: HeadParts,
): Promise<OutputOf<'sync.verify'>> {
  return changing(secrets.list, random, async (list) => {
    const open = ({ id, payload }: StoredItem): Promise<Uint8Array> =>
      messages.open(headContext(params.collection, id), new TextDecoder().decode(payload));
    const generations = async (records: readonly EncryptedRecord[]) =>
      (await codec.decrypt(records)).map((one) =>
        one.status === 'fulfilled' ? (one.value.generation ?? 0) : undefined,
      );
    const crypto = { digests, open, generations };
    const [records, heads] = [itemsIn(params.records), itemsIn(params.heads)];
    const device = (): string => newDevice(random);
    const { report, list: after } = await verify(list, records, heads, params.at, crypto, device);
    const missing = report.missing.slice(0, MAX_BATCH_ITEMS);
    return { result: { ...report, missing, rolledBack: [...report.rolledBack] }, after };
  });
}

/** Does work with the list, and says which of its parts have changed. */
async function changing<R>(
  parts: readonly string[],
  random: RandomSource,
  work: (list: OwnList) => Promise<{ readonly result: R; readonly after: OwnList }>,
) {
  try {
    const list = parts.length > 0 ? listOf(parts) : emptyList(newDevice(random));
    const { result, after } = await work(list);
    const changed = partsOf(after).flatMap((part, place) =>
      part === parts[place] ? [] : [{ place, part }],
    );
    return { result, parts: changed };
  } catch (error) {
    return { error: callError(error) };
  }
}

/** @throws what is not an error of the input */
function callError(error: unknown): WireError {
  const known = pageError(error);
  if (known instanceof SealwrightError) return toWire(known);
  throw error;
}

const itemsIn = (list: ByteList): Fields[] => unpacked(list).map(fieldsIn);

const newDevice = (random: RandomSource): string => toHex(random.bytes(DEVICE_BYTES));

/**
 * The generations that are sealed in records; that of a deletion is the app's.
 *
 * @throws the error of the first record that does not open
 */
async function listedGenerations(
  records: readonly Fields[],
  codec: HeadParts['codec'],
): Promise<readonly number[]> {
  const sealed = records.filter(({ payload }) => payload.length > 0);
  const opened = (await codec.decrypt(sealed)).map(valueOf);
  let next = 0;
  return records.map(({ payload, generation = 0 }) =>
    payload.length === 0 ? generationIn(generation) : (opened[next++]!.generation ?? 0),
  );
}
