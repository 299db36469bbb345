import type { Awaitable } from '../../engine/contract.ts';
import { publicKeyText } from '../../format/wire/public-key.ts';
import { recipientOf } from '../../keys/ring/age-key.ts';
import type { KeyRing, UserKeyMaterial } from '../../keys/ring/key-ring.ts';
import type { UserKeyKind } from '../../keys/ring/kinds.ts';
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

type Halves = Pick<Deps, 'signatures' | 'sharing'>;

/** The text of the newest generation's public half, by kind. Kinds that are absent have none. */
const PUBLIC_HALVES: Readonly<
  Partial<Record<UserKeyKind, (key: UserKeyMaterial, halves: Halves) => Awaitable<string>>>
> = {
  signing: async (key, { signatures }) =>
    publicKeyText(await signatures.publicKeyOf(signingKeys(key)[0]!)),
  sharing: async (key, { sharing }) => publicKeyText(await sharing.publicKeyOf(key)),
  age: ({ generations }) => recipientOf(generations[0]!),
};

/**
 * The public key of the newest generation as text.
 *
 * @throws RangeError for a key without a public half
 */
export function shownPublicKey(
  ref: string,
  { keyRing, ...halves }: Halves & Pick<Deps, 'keyRing'>,
): Promise<string> {
  return keyRing.withUserKey(ref, async (key) => {
    const half = PUBLIC_HALVES[key.kind];
    if (half === undefined) throw new RangeError('ref: this key has no public half');
    return half(key, halves);
  });
}
