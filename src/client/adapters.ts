/* `sealwright/adapters`: sealed data in libraries for documents and databases. Those are passed in, none is imported. */
export { automergeDocument } from './adapters/crdt/automerge.ts';
export { automergeStorage } from './adapters/crdt/automerge-storage.ts';
export { yjsDocument } from './adapters/crdt/yjs.ts';

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
export type { MessageSealer, Sealed } from './adapters/messages.ts';
