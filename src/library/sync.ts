/* `sealwright/sync`: records of Firefox Sync in Node, browsers and workers, without the extension. */
export { AuthenticationError } from '../crypto/errors.ts';
export { SyncError } from '../sync/errors.ts';
export { syncUsername } from '../sync/key-sources/sync-key.ts';
export {
  bundleFor,
  createCollectionKeys,
  decryptRecord,
  encryptRecord,
  keyBundleFromBase64,
  keyBundleFromJwk,
  keyBundleFromKB,
  keyBundleFromSyncKey,
  openCollectionKeys,
} from '../sync/weave/firefox-sync.ts';

export type { SyncErrorCode } from '../sync/errors.ts';
export type {
  Cleartext,
  CollectionKeys,
  KeyBundle,
  SyncRecord,
} from '../sync/weave/firefox-sync.ts';
