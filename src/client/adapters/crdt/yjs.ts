import type { OwnBytes } from '../../page-types.ts';
import type { MessageSealer, Sealed } from '../messages.ts';
import { compacted, SealedUpdates } from './updates.ts';
import type { QuarantinedUpdate, SealedDocumentOptions, StoredDocument } from './updates.ts';

/** The functions of `yjs` that are used here: pass `import * as Y from 'yjs'`. */
export interface YjsLibrary<Doc> {
  encodeStateAsUpdate(doc: Doc): Uint8Array;
  applyUpdate(doc: Doc, update: Uint8Array, origin?: unknown): void;
  mergeUpdates(updates: Uint8Array[]): Uint8Array;
  decodeUpdate(update: Uint8Array): unknown;
}

/** The methods of a `Y.Doc` that are used here. */
export interface YjsDoc {
  on(name: 'update', listener: (update: Uint8Array, origin: unknown) => void): unknown;
  off(name: 'update', listener: (update: Uint8Array, origin: unknown) => void): unknown;
}

/** What became of stored updates. */
export interface AppliedUpdates {
  /** How many were applied. */
  readonly applied: number;
  readonly quarantined: readonly QuarantinedUpdate[];
}

/** A stored document with fewer updates. */
export interface CompactedDocument {
  /** What to store in place of what was given: one snapshot, and whatever did not open. */
  readonly stored: Required<StoredDocument>;
  readonly quarantined: readonly QuarantinedUpdate[];
}

/** Sends the changes of a document. */
export interface UpdateSender {
  /** Resolves when every change until now has been sent. @throws the error of sealing or sending; nothing is lost */
  flush(): Promise<void>;
  /** Sends no later changes. Those under way are sent. */
  stop(): void;
}

/** One document of Yjs whose updates are sealed. */
export interface SealedYjsDocument<Doc> {
  /** Seals one update. */
  sealUpdate(update: Uint8Array): Promise<Sealed>;
  /** Seals the whole state of a document. */
  sealSnapshot(doc: Doc): Promise<Sealed>;
  /**
   * Applies what opens, in one call of the extension. An update that arrives twice, late or in another order
   * changes nothing.
   *
   * @throws errors of the whole call: locked, not granted … Nothing is applied then
   */
  apply(doc: Doc, stored: StoredDocument): Promise<AppliedUpdates>;
  /**
   * Merges stored updates to one snapshot, without a document. The server can then drop what was given.
   *
   * @throws errors of the whole call: locked, not granted …
   */
  compact(stored: StoredDocument): Promise<CompactedDocument>;
  /**
   * Seals every change of a document and passes it on, in order. Changes that are made while one is sealed or sent
   * are merged into the next. If sealing or sending fails, the changes are kept and go with the next one, or with
   * `flush`.
   *
   * @param send stores or sends the sealed update
   * @param onError called when sealing or sending fails
   */
  listen(
    doc: Doc,
    send: (sealed: Sealed) => unknown,
    onError?: (error: unknown) => void,
  ): UpdateSender;
  /** Seals an update of y-protocols' awareness: who is there, and their cursors. */
  sealAwareness(update: Uint8Array): Promise<Sealed>;
  /** Opens one. @throws SealwrightError if it does not open */
  openAwareness(sealed: Sealed): Promise<OwnBytes>;
}

/**
 * Seals the updates of a document of Yjs before a provider stores or sends them. The server sees their sizes and
 * times, and that they belong to one document. Updates are those of version 1, as `doc.on('update')` gives them.
 *
 * @param Y the module `yjs`
 * @throws TypeError for a document without an id
 *
 * @example
 *   const note = yjsDocument(Y, sealwright, { document: 'note 7' });
 *   note.listen(doc, (sealed) => upload(sealed));
 *   await note.apply(doc, { updates: await download() });
 */
export function yjsDocument<Doc extends YjsDoc>(
  Y: YjsLibrary<Doc>,
  sealwright: MessageSealer,
  options: SealedDocumentOptions,
): SealedYjsDocument<Doc> {
  const updates = new SealedUpdates(sealwright, 'yjs', options);
  /** Marks what came from the store, so that `listen` does not send it back. */
  const origin = { document: options.document };

  /** @throws for bytes that are no update. A document that has read a part of them could not be repaired */
  const checked = (update: Uint8Array): Uint8Array => {
    Y.decodeUpdate(update);
    return update;
  };

  return {
    sealUpdate: (update) => updates.seal('update', update),
    sealSnapshot: async (doc) => updates.seal('snapshot', Y.encodeStateAsUpdate(doc)),

    async apply(doc, stored) {
      const { opened, quarantined } = await updates.open(stored, checked);
      // One transaction of the document, and one event.
      if (opened.length > 0) {
        Y.applyUpdate(doc, Y.mergeUpdates(opened.map(({ value }) => value)), origin);
      }
      return { applied: opened.length, quarantined };
    },

    async compact(stored) {
      const { opened, quarantined } = await updates.open(stored, checked);
      const { snapshots = [], updates: rest = [] } = stored;
      if (opened.length < 2) return { stored: { snapshots, updates: rest }, quarantined };
      const merged = Y.mergeUpdates(opened.map(({ value }) => value));
      const snapshot = await updates.seal('snapshot', merged);
      return { stored: compacted(snapshot, quarantined), quarantined };
    },

    listen(doc, send, onError) {
      let waiting: Uint8Array[] = [];
      let sending: Promise<void> | undefined;

      const sendAll = async (): Promise<void> => {
        while (waiting.length > 0) {
          const taken = waiting;
          waiting = [];
          try {
            const update = taken.length === 1 ? taken[0]! : Y.mergeUpdates(taken);
            await send(await updates.seal('update', update));
          } catch (error) {
            waiting = [...taken, ...waiting];
            throw error;
          }
        }
      };
      const flush = (): Promise<void> => {
        sending ??= sendAll().finally(() => (sending = undefined));
        return sending;
      };
      const onUpdate = (update: Uint8Array, from: unknown): void => {
        if (from === origin) return;
        waiting.push(update);
        flush().catch((error: unknown) => onError?.(error));
      };
      doc.on('update', onUpdate);
      return { flush, stop: () => void doc.off('update', onUpdate) };
    },

    sealAwareness: (update) => updates.seal('awareness', update),
    openAwareness: (sealed) => updates.openOne('awareness', sealed),
  };
}
