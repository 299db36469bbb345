import type { MessageSealer, Sealed } from '../messages.ts';
import { compacted, SealedUpdates } from './updates.ts';
import type { SealedDocumentOptions, StoredDocument, UpdateKind } from './updates.ts';
import type { AppliedUpdates, CompactedDocument } from './yjs.ts';

/** The functions of `@automerge/automerge` that are used here: pass `import * as Automerge`. */
export interface AutomergeLibrary {
  init(): unknown;
  load(snapshot: Uint8Array): unknown;
  save(doc: never): Uint8Array;
  merge(doc: never, other: never): unknown;
  applyChanges(doc: never, changes: never): readonly unknown[];
  decodeChange(change: never): { readonly hash: string };
  inspectChange(doc: never, hash: string): unknown;
}

/** One document of Automerge whose changes are sealed. */
export interface SealedAutomergeDocument {
  /** Seals changes, such as those of `Automerge.getChanges(before, after)`. */
  sealChanges(changes: readonly Uint8Array[]): Promise<Sealed[]>;
  /** Seals the whole document. */
  sealSnapshot(doc: object): Promise<Sealed>;
  /**
   * Applies what opens, in one call of the extension. A change that arrives twice, late or in another order changes
   * nothing; one whose predecessors are missing waits in the document.
   *
   * @returns the new document, and what became of the stored changes
   * @throws errors of the whole call: locked, not granted …
   */
  apply<T extends object>(
    doc: T,
    stored: StoredDocument,
  ): Promise<{ readonly doc: T } & AppliedUpdates>;
  /**
   * Merges stored changes to one snapshot. Changes whose predecessors are missing stay as they are.
   *
   * @throws errors of the whole call: locked, not granted …
   */
  compact(stored: StoredDocument): Promise<CompactedDocument>;
}

/** An opened change, or an opened snapshot. */
type Opened =
  { readonly change: Uint8Array; readonly hash: string } | { readonly snapshot: unknown };

/**
 * Seals the changes of a document of Automerge before they are stored or sent. The server sees their sizes and times,
 * and that they belong to one document. For automerge-repo see `automergeStorage`.
 *
 * @param Automerge the module `@automerge/automerge`
 * @throws TypeError for a document without an id
 *
 * @example
 *   const list = automergeDocument(Automerge, sealwright, { document: 'list 7' });
 *   const next = Automerge.change(doc, (list) => list.items.push('milk'));
 *   await upload(await list.sealChanges(Automerge.getChanges(doc, next)));
 */
export function automergeDocument(
  Automerge: AutomergeLibrary,
  sealwright: MessageSealer,
  options: SealedDocumentOptions,
): SealedAutomergeDocument {
  const updates = new SealedUpdates(sealwright, 'automerge', options);

  const read = (bytes: Uint8Array, kind: UpdateKind): Opened =>
    kind === 'snapshot'
      ? { snapshot: Automerge.load(bytes) }
      : { change: bytes, hash: Automerge.decodeChange(bytes as never).hash };

  const applied = (doc: unknown, opened: readonly { readonly value: Opened }[]): unknown => {
    let next = doc;
    for (const { value } of opened) {
      if ('snapshot' in value) next = Automerge.merge(next as never, value.snapshot as never);
    }
    const changes = opened.flatMap(({ value }) => ('change' in value ? [value.change] : []));
    return changes.length === 0 ? next : Automerge.applyChanges(next as never, changes as never)[0];
  };

  return {
    sealChanges: (changes) => Promise.all(changes.map((one) => updates.seal('update', one))),
    sealSnapshot: (doc) => updates.seal('snapshot', Automerge.save(doc as never)),

    async apply<T extends object>(doc: T, stored: StoredDocument) {
      const { opened, quarantined } = await updates.open(stored, read);
      return { doc: applied(doc, opened) as T, applied: opened.length, quarantined };
    },

    async compact(stored) {
      const { opened, quarantined } = await updates.open(stored, read);
      const { snapshots = [], updates: rest = [] } = stored;
      if (opened.length < 2) return { stored: { snapshots, updates: rest }, quarantined };
      const doc = applied(Automerge.init(), opened) as never;
      // A change that waits for its predecessors is not in the snapshot.
      const waiting = opened.filter(
        ({ value }) => 'change' in value && !Automerge.inspectChange(doc, value.hash),
      );
      const snapshot = await updates.seal('snapshot', Automerge.save(doc));
      return { stored: compacted(snapshot, [...quarantined, ...waiting]), quarantined };
    },
  };
}
