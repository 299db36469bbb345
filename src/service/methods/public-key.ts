import { wipe } from '../../crypto/bytes.ts';
import { publicKeyText, type PublicKey } from '../../format/public-key.ts';
import type { KeyRing, PickedKeyMaterial } from '../../keys/key-ring.ts';
import type { Implementations } from '../../rpc/call.ts';
import { pageCall } from '../callers.ts';
import type { Grants } from '../grants.ts';
import type { Signatures } from '../signatures.ts';
import { signingKeys } from '../signatures.ts';
import { namedRef } from './under-grant.ts';

interface Parts {
  readonly grants: Grants;
  readonly keyRing: KeyRing;
  readonly signatures: Signatures;
}

export function publicKeyMethods(parts: Parts): Pick<Implementations, 'publicKey'> {
  return {
    async publicKey({ keyId }, call) {
      const { scope, origin, id } = pageCall(call);
      const ref = await namedRef(keyId, origin, parts.keyRing);
      await parts.grants.requireLook({ scope, ref, capability: 'publicKey' }, id);
      return shownPublicKey(ref, parts);
    },
  };
}

/**
 * The text of the newest generation's public key, as pages and people see it.
 *
 * @throws RangeError for a key that has none
 */
export async function shownPublicKey(
  ref: string,
  { keyRing, signatures }: Pick<Parts, 'keyRing' | 'signatures'>,
): Promise<string> {
  const picked = await keyRing.pickedKey(ref);
  try {
    return publicKeyText(await publicKeyOf(picked, signatures));
  } finally {
    wipe(...picked.generations.map(({ key }) => key));
  }
}

/** By its kind: what signs is shown by what checks it. */
function publicKeyOf(picked: PickedKeyMaterial, signatures: Signatures): Promise<PublicKey> {
  if (picked.kind === 'signing') return signatures.publicKeyOf(signingKeys(picked)[0]!);
  throw new RangeError('ref: this key has no public half');
}
