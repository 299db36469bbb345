import { toHex, utf8, wipe } from '../../crypto/bytes.ts';
import { checkBytes } from '../../crypto/errors.ts';
import { SHA256, sha256 } from '../../crypto/hash/sha256.ts';
import { hkdf } from '../../crypto/kdf/hkdf.ts';
import { BUNDLE_BYTES, bundleOf } from '../key-bundle.ts';
import type { KeyBundle } from '../key-bundle.ts';

/* Sync 1.5 (Firefox 29 and later): the bundle is derived from kB, the secret of a Mozilla account. */

/** Length of kB. */
export const ACCOUNT_KEY_BYTES = 32;
const CLIENT_STATE_BYTES = 16;

/**
 * Derives kSync, the key bundle of an account.
 *
 * @param kB 32 bytes; published vectors also use other lengths
 */
export function accountBundle(kB: Uint8Array): KeyBundle {
  const info = utf8('identity.mozilla.com/picl/v1/oldsync');
  const bytes = hkdf(SHA256, kB, new Uint8Array(32), info, BUNDLE_BYTES);
  try {
    return bundleOf(bytes);
  } finally {
    wipe(bytes);
  }
}

/** X-Client-State: a hash of kB that servers receive and users can compare. @returns 16 bytes */
export function clientState(kB: Uint8Array): Uint8Array {
  checkBytes('kB', kB, ACCOUNT_KEY_BYTES);
  return sha256(kB).slice(0, CLIENT_STATE_BYTES);
}

/** `clientState` in hexadecimal. */
export function clientStateText(kB: Uint8Array): string {
  return toHex(clientState(kB));
}
