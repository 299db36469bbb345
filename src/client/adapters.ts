/* `sealwright/adapters`: sealed data in libraries for documents and databases. Those are passed in, none is imported. */
export { automergeDocument } from './adapters/crdt/automerge.ts';
export { automergeStorage } from './adapters/crdt/automerge-storage.ts';
export { yjsDocument } from './adapters/crdt/yjs.ts';
export { blindIndexer } from './adapters/fields/blind-index.ts';
export { dexieSealedFields } from './adapters/fields/dexie.ts';
export { rxSealedStorage } from './adapters/fields/rxdb.ts';
export { collectionWithHeads } from './adapters/heads/collection-with-heads.ts';
export { kintoHeads } from './adapters/heads/kinto-heads.ts';
export { pouchHeads } from './adapters/heads/pouch-heads.ts';
export { remoteStorageHeads } from './adapters/heads/remote-storage-heads.ts';
export { openedPouch } from './adapters/pouch-opened.ts';
export { pouchAttachments } from './adapters/pouch-attachments.ts';
export { quarantineOf } from './adapters/quarantine.ts';

export type { AutomergeLibrary, SealedAutomergeDocument } from './adapters/crdt/automerge.ts';
export type {
  AutomergeStorage,
  AutomergeStorageKey,
  AutomergeStorageOptions,
} from './adapters/crdt/automerge-storage.ts';
export type {
  QuarantinedUpdate,
  SealedDocumentOptions,
  StoredDocument,
  UpdateKind,
} from './adapters/crdt/updates.ts';
export type {
  AppliedUpdates,
  CompactedDocument,
  SealedYjsDocument,
  UpdateSender,
  YjsDoc,
  YjsLibrary,
} from './adapters/crdt/yjs.ts';
export type { BlindIndexOptions } from './adapters/fields/blind-index.ts';
export type { DexieDatabase, DexieSealedOptions, SealedTable } from './adapters/fields/dexie.ts';
export type { ClearRows, FieldOptions } from './adapters/fields/row.ts';
export type { RxSealedOptions, RxStorageLike } from './adapters/fields/rxdb.ts';
export type {
  CollectionWithHeads,
  HeadsReport,
  HeadStore,
  StoredRecord,
} from './adapters/heads/collection-with-heads.ts';
export type { KintoCollection } from './adapters/heads/kinto-heads.ts';
export type { PouchHeadsOptions } from './adapters/heads/pouch-heads.ts';
export type {
  RemoteStorageHeadsOptions,
  RemoteStorageServer,
} from './adapters/heads/remote-storage-heads.ts';
export type { MessageSealer, Sealed } from './adapters/messages.ts';
export type {
  AttachmentInfo,
  AttachmentOptions,
  PouchAttachments,
  PouchDatabase,
} from './adapters/pouch-attachments.ts';
export type { LocalPouch, OpenedPouch, OpenedPouchOptions } from './adapters/pouch-opened.ts';
export type { Quarantine, Quarantined, QuarantineOptions } from './adapters/quarantine.ts';
