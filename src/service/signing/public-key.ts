import { wipe } from '../../crypto/bytes.ts';
import { publicKeyText, type PublicKey } from '../../format/wire/public-key.ts';
import type { KeyRing, UserKeyMaterial } from '../../keys/ring/key-ring.ts';
import type { Implementations } from '../../rpc/call.ts';
import { pageCall } from '../calls/caller.ts';
import type { Grants } from '../grants/grants.ts';
import type { Signatures } from './signatures.ts';
import type { Sharing } from '../sharing/sharing.ts';
import { signingKeys } from './signatures.ts';
import { namedRef } from '../grants/authorize.ts';

interface Deps {
  readonly grants: Grants;
  readonly keyRing: KeyRing;
  readonly signatures: Signatures;
  readonly sharing: Sharing;
}

/** The method that returns a public key to a page. It charges no use of the grant. */
export function publicKeyMethods(deps: Deps): Pick<Implementations, 'publicKey'> {
  return {
    async publicKey({ keyId }, call) {
      const page = pageCall(call);
      const ref = await namedRef(keyId, page.origin, deps.keyRing);
      const ask = { scope: page.scope, ref, capability: 'publicKey', keyId } as const;
      await deps.grants.requireLook(ask, page);
      return shownPublicKey(ref, deps);
    },
  };
}

/**
 * The public key of the newest generation as text.
 *
 * @throws RangeError for a key without a public half
 */
export async function shownPublicKey(
  ref: string,
  { keyRing, ...halves }: Pick<Deps, 'keyRing' | 'signatures' | 'sharing'>,
): Promise<string> {
  const picked = await keyRing.userKey(ref);
  try {
    return publicKeyText(await publicKeyOf(picked, halves));
  } finally {
    wipe(...picked.generations.map(({ key }) => key));
  }
}

/** Signing keys have a verification key, sharing keys a key to seal to. */
function publicKeyOf(
  picked: UserKeyMaterial,
  { signatures, sharing }: Pick<Deps, 'signatures' | 'sharing'>,
): Promise<PublicKey> {
  if (picked.kind === 'signing') return signatures.publicKeyOf(signingKeys(picked)[0]!);
  if (picked.kind === 'sharing') return sharing.publicKeyOf(picked);
  throw new RangeError('ref: this key has no public half');
}
