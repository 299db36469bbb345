/*
 * What a collection with heads uses of the page API, for one device: the code of src/sync over stand-in seals, which bind a
 * text to its id and to nothing else.
 */
import type {
  BatchResult,
  EncryptedRecord,
  SealwrightError,
  SealwrightSync,
  SyncRecord,
} from '../../../../src/client/page-api.ts';
import { checkpoint } from '../../../../src/sync/sealwright/checkpoint.ts';
import {
  emptyList,
  listOf,
  partsOf,
  type OwnList,
} from '../../../../src/sync/sealwright/own-list.ts';
import { verify } from '../../../../src/sync/sealwright/verify.ts';
import { CRYPTO, digestOfText, digests, item } from '../../../sync/sealwright/heads-world.ts';

type UsedSync = Pick<SealwrightSync, 'encryptRecords' | 'decryptRecords' | 'checkpoint' | 'verify'>;

/** Numbers that differ in one world. */
export interface Nonces {
  next: number;
}

/** What a sealed record says to who opens it. */
export function openedText(
  id: string,
  payload: string,
): { readonly generation: number } | undefined {
  const [sealedAs, generation] = payload.split('|');
  return sealedAs === id && generation !== undefined
    ? { generation: Number(generation) }
    : undefined;
}

export class FakeSync implements UsedSync {
  list: OwnList;
  readonly #nonces: Nonces;
  /** The vault does one call after the other. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(nonces: Nonces) {
    this.#nonces = nonces;
    this.list = emptyList(this.#newDevice());
  }

  encryptRecords(
    _name: string,
    records: readonly SyncRecord[],
  ): Promise<BatchResult<EncryptedRecord>[]> {
    const sealed = records.map(({ id, generation = 0 }) => {
      const payload = `${id}|${generation as number}|${this.#nonces.next++}`;
      return { ok: true, value: { id, payload } } as const;
    });
    return Promise.resolve(sealed);
  }

  decryptRecords(
    _name: string,
    records: readonly EncryptedRecord[],
  ): Promise<BatchResult<SyncRecord>[]> {
    const error = { code: 'AUTH_FAILED' } as SealwrightError;
    const opened = records.map(({ id, payload }): BatchResult<SyncRecord> => {
      const found = openedText(id, payload);
      return found ? { ok: true, value: { id, payload: {}, ...found } } : { ok: false, error };
    });
    return Promise.resolve(opened);
  }

  checkpoint(
    _name: string,
    records: readonly (EncryptedRecord | { id: string; deleted: true; generation?: number })[],
  ) {
    return this.#inTurn(async () => {
      const changes = records.map((record) => {
        const isDeleted = 'deleted' in record;
        return {
          id: digestOfText(record.id),
          name: record.id,
          record: isDeleted ? null : digestOfText(record.payload),
          generation: isDeleted
            ? ((record.generation as number | undefined) ?? 0)
            : openedText(record.id, record.payload)!.generation,
        };
      });
      const seal = (id: string, content: Uint8Array): Promise<Uint8Array> =>
        Promise.resolve(
          Buffer.from(`${id}|${this.#nonces.next++}|${Buffer.from(content).toString('base64')}`),
        );
      const made = await checkpoint(this.list, changes, AT, { seal, digests });
      this.list = listOf(partsOf(made.list));
      return { head: { ...made.head }, chunks: made.chunks.map((chunk) => ({ ...chunk })) };
    });
  }

  verify(_name: string, records: readonly EncryptedRecord[], heads: readonly EncryptedRecord[]) {
    return this.#inTurn(async () => {
      const [stored, shown] = [records, heads].map((all) =>
        all.map(({ id, payload }) => item(id, payload)),
      );
      const found = await verify(this.list, stored!, shown!, AT, CRYPTO, () => this.#newDevice());
      this.list = listOf(partsOf(found.list));
      const { missing, rolledBack, ...report } = found.report;
      return { ...report, missing: [...missing], rolledBack: [...rolledBack] };
    });
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }

  #newDevice(): string {
    return digestOfText(`device ${this.#nonces.next++}`);
  }
}

const AT = 1_700_000_000_000;
