import { concat, fromBase64url, toBase64url, utf8, wipe } from '../../crypto/bytes.ts';
import { checkBytes } from '../../crypto/errors.ts';
import { SHA256 } from '../../crypto/hash/sha256.ts';
import { hkdf } from '../../crypto/kdf/hkdf.ts';
import { ACCOUNT_KEY_BYTES, accountBundle, clientState } from './account-key.ts';
import { isObject } from '../json-object.ts';
import { bundleBytes, wipeBundle } from '../key-bundle.ts';

/* Keys of a Mozilla account for one scope, as JSON Web Keys (RFC 7517; kty "oct"). */

/** The scope of Firefox Sync. */
export const OLDSYNC_SCOPE = 'https://identity.mozilla.com/apps/oldsync';

/** A key of a Mozilla account for one scope. */
export interface ScopedKey {
  readonly scope: string;
  /** Creation time and fingerprint of the key. */
  readonly kid: string;
  /** 64 bytes (kSync, a bundle) for the scope of Firefox Sync, 32 for other scopes. */
  readonly key: Uint8Array;
}

interface Account {
  /** 32 bytes. */
  readonly kB: Uint8Array;
  /** ms since the epoch: keyRotationTimestamp. */
  readonly rotatedAt: number;
}

/** The key of Firefox Sync. Its id contains milliseconds, those of other scopes seconds. */
export function oldsyncScopedKey({ kB, rotatedAt }: Account): ScopedKey {
  const bundle = accountBundle(kB);
  const key = bundleBytes(bundle);
  wipeBundle(bundle);
  return { scope: OLDSYNC_SCOPE, kid: `${rotatedAt}-${toBase64url(clientState(kB))}`, key };
}

/**
 * Derives the key of a scope.
 *
 * @param identifier such as "app_key:https%3A//example.com"
 * @param uid 16 bytes
 * @param rotationSecret 32 bytes
 */
export function scopedKey(
  { kB, rotatedAt }: Account,
  uid: Uint8Array,
  rotationSecret: Uint8Array,
  { scope, identifier }: { readonly scope: string; readonly identifier: string },
): ScopedKey {
  checkBytes('kB', kB, ACCOUNT_KEY_BYTES);
  checkBytes('uid', uid, 16);
  checkBytes('rotationSecret', rotationSecret, 32);
  const secret = concat(kB, rotationSecret);
  const info = utf8(`identity.mozilla.com/picl/v1/scoped_key\n${identifier}`);
  const derived = hkdf(SHA256, secret, uid, info, 48);
  const seconds = Math.round(rotatedAt / 1000);
  const kid = `${seconds}-${toBase64url(derived.subarray(0, 16))}`;
  const key = derived.slice(16);
  wipe(secret, derived);
  return { scope, kid, key };
}

/**
 * Reads an untrusted JSON Web Key.
 *
 * @param scope the scope if it is known from the context; else the key's own member
 * @throws RangeError if it is not a key of 32 or 64 bytes
 */
export function readScopedKey(jwk: unknown, scope?: string): ScopedKey {
  const { kty, k, kid, scope: own = scope } = isObject(jwk) ? jwk : {};
  const key = typeof k === 'string' ? bytesIn(k) : undefined;
  const isKey = kty === 'oct' && typeof kid === 'string' && kid !== '' && kid.length <= 200;
  if (!isKey || (key?.length !== 32 && key?.length !== 64)) {
    throw new RangeError('jwk: expected kty "oct", kid, and k of 32 or 64 bytes');
  }
  return { scope: typeof own === 'string' ? own : '', kid, key };
}

function bytesIn(base64url: string): Uint8Array | undefined {
  try {
    return fromBase64url(base64url);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
