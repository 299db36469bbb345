/* `sealwright`: the client for web pages. What runs without the extension is in the subpaths. */
export { sealedCollection } from './collection.ts';
export { connectSealwright } from './connect.ts';
export { findSealwright, onSealwright } from './discovery.ts';
export { SealwrightClientError } from './errors.ts';
export { explain } from './explain.ts';
export { firefoxSyncCodec } from './firefox-sync.ts';
export { indexedDbSealedStore } from './indexed-db.ts';
export { kintoTransformer } from './kinto.ts';
export { pouchTransform } from './pouch.ts';
export { quarantineOf } from './quarantine.ts';
export { remoteStorageClient } from './remote-storage.ts';
export { openedBody, openedResponse, sealedBody } from './streams.ts';
export { watchSealwright } from './watch.ts';

export type { SealedCollection } from './collection.ts';
export type { Connection, ConnectOptions } from './connect.ts';
export type { FindOptions } from './discovery.ts';
export type { ClientErrorCode } from './errors.ts';
export type { Bso, FirefoxSyncCodec, FirefoxSyncOptions } from './firefox-sync.ts';
export type { SealedStore, SealedStoreOptions, StoredValue } from './indexed-db.ts';
export type { KintoOptions, KintoRecord, KintoTransformer } from './kinto.ts';
export type * from './page-api.ts';
export type { PouchDocument, TransformableDatabase } from './pouch.ts';
export type { Quarantine, Quarantined, QuarantineOptions } from './quarantine.ts';
export type { BaseClient, SealedRemoteStorage } from './remote-storage.ts';
export type { Source } from './streams.ts';
export type { SealwrightState, SealwrightWatch, WatchOptions } from './watch.ts';
