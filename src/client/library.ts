/* `sealwright`: the client for web pages. What runs without the extension is in the subpaths. */
export { serveSealwright } from './bridge/page-end.ts';
export { sealwrightOver } from './bridge/worker-end.ts';
export { sealedCollection } from './adapters/collection.ts';
export { connectSealwright } from './connect.ts';
export { findSealwright, onSealwright } from './discovery.ts';
export { isSealwrightError, SealwrightClientError } from './errors.ts';
export { explain } from './explain.ts';
export { firefoxSyncCodec } from './adapters/firefox-sync.ts';
export { indexedDbSealedStore } from './adapters/indexed-db.ts';
export { kintoTransformer } from './adapters/kinto.ts';
export { pouchTransform } from './adapters/pouch.ts';
export { quarantineOf } from './adapters/quarantine.ts';
export { remoteStorageClient } from './adapters/remote-storage.ts';
export { openedBody, openedResponse, sealedBody } from './streams.ts';
export { watchSealwright } from './watch.ts';

export type { BridgeOptions } from './bridge/page-end.ts';
export type { WorkerSealwright } from './bridge/worker-end.ts';
export type { SealedCollection } from './adapters/collection.ts';
export type { Connection, ConnectOptions } from './connect.ts';
export type { FindOptions, SealwrightAnnounceEvent } from './discovery.ts';
export type { ClientErrorCode, SealwrightErrorCode } from './errors.ts';
export type { Bso, FirefoxSyncCodec, FirefoxSyncOptions } from './adapters/firefox-sync.ts';
export type { SealedStore, SealedStoreOptions, StoredValue } from './adapters/indexed-db.ts';
export type { KintoOptions, KintoRecord, KintoTransformer } from './adapters/kinto.ts';
export type * from './page-api.ts';
export type { OwnBytes, SealwrightAlgorithm, SealwrightSubtle } from './page-types.ts';
export type { PouchDatabase, PouchDocument, TransformableDatabase } from './adapters/pouch.ts';
export type {
  NewestGenerations,
  Quarantine,
  Quarantined,
  QuarantineOptions,
  RollbackOptions,
} from './adapters/quarantine.ts';
export type { BaseClient, SealedRemoteStorage } from './adapters/remote-storage.ts';
export type { Source } from './streams.ts';
export type { SealwrightState, SealwrightWatch, WatchOptions } from './watch.ts';
