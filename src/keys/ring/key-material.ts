import { fromBase64url, wipe } from '../../crypto/bytes.ts';
import { deriveAppKey, derivePairwiseId } from './key-derivation.ts';
import { APP, headerKeyId, rootOfSite } from './key-records.ts';
import type { KeyRoot, KeyUse, RootSecrets } from './key-records.ts';
import { newestGeneration } from './user-key.ts';
import type { UserKeyValue } from './user-key.ts';

/** What src/format needs to seal. The caller wipes `key`. */
export interface SealingMaterial {
  /** 32 bytes: the named key of its newest generation. */
  readonly key: Uint8Array;
  /** 16 bytes: the header key id of (key, generation, origin). */
  readonly keyId: Uint8Array;
  readonly generation: number;
}

/** What src/format needs to open. The caller wipes `key`. */
export interface OpeningMaterial {
  readonly ref: string;
  readonly generation: number;
  /** 32 bytes. */
  readonly key: Uint8Array;
}

/** The records that a key of an origin is computed from. */
export interface KeySources {
  readonly root: KeyRoot | undefined;
  /** Undefined for an app key. */
  readonly userKey: UserKeyValue | undefined;
  readonly use: KeyUse | undefined;
}

/** What seals under `ref` for `origin`; undefined where a random part has not been drawn yet. */
export function materialOf(
  sources: KeySources,
  ref: string,
  origin: string,
): SealingMaterial | undefined {
  const { use, userKey } = sources;
  if (use?.ref !== ref || use.origin !== origin) return undefined;
  const generation = userKey ? newestGeneration(userKey) : use.generation;
  const keyId = headerKeyId(use, generation);
  const key = keyId && keyOf(sources, ref, generation);
  return key && { key, keyId, generation };
}

/** One generation of a key, 32 bytes, which the caller wipes; undefined where a record lacks it. */
export function keyOf(
  sources: KeySources,
  ref: string,
  generation: number,
): Uint8Array | undefined {
  const { root, userKey, use } = sources;
  if (ref !== APP) {
    const found = userKey?.generations.find((entry) => entry.generation === generation);
    return found && fromBase64url(found.key);
  }
  if (root === undefined || use === undefined) return undefined;
  const { appRoot: ofSite } = rootOfSite(root, use);
  const [appRoot, salt] = [fromBase64url(ofSite), fromBase64url(use.salt)];
  const key = deriveAppKey(appRoot, use.origin, generation, salt);
  wipe(appRoot, salt);
  return key;
}

/** What this origin calls the key: 22 base64url characters. @param root `rootOfSite` */
export function pairwiseIdOf(root: RootSecrets, ref: string, origin: string): string {
  const secret = fromBase64url(root.pairwiseSecret);
  const id = derivePairwiseId(secret, ref, origin);
  wipe(secret);
  return id;
}

/** A copy with bytes of its own. */
export function copyOf({ key, keyId, generation }: SealingMaterial): SealingMaterial {
  return { key: key.slice(), keyId: keyId.slice(), generation };
}
