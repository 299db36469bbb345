import { toBase64url, wipe } from '../../crypto/bytes.ts';
import { openDataKey } from '../../format/keys/data-key.ts';
import type { BeginOpenOptions } from '../../format/plans/open-plan.ts';
import { NAMED_KEY_RECIPIENT } from '../../format/wire/recipient-table.ts';
import type { Prefix } from '../../format/wire/envelope.ts';
import { HEADER_BYTES } from '../../format/wire/sealed-length.ts';
import type { OpeningMaterial } from '../../keys/ring/key-material.ts';
import { needsKey } from '../../rpc/errors.ts';
import type { Sharing } from './sharing.ts';

/** The keys that may open a message. */
export interface Candidates {
  /** The key that its header names; undefined where the vault has none. */
  readonly named: OpeningMaterial | undefined;
  /** Whether keys are tried that are not taken over: of a message that the user opens outside any site. */
  readonly guests: boolean;
}

/** The key that opens a message for the user alone. The caller wipes `secret`. */
export interface OwnersKey {
  readonly ref: string;
  readonly secret: Uint8Array;
  /** For the opening of the message; `secret` is in it. */
  readonly terms: Pick<BeginOpenOptions, 'key' | 'keyId' | 'dataKey' | 'accept'>;
}

/**
 * Finds the key that opens a message for the user alone: no grant is looked at. Of a message with
 * recipients each sharing key is tried: only opening shows which one it is for.
 *
 * @param prefix what the message says before its chunks
 * @param head the same bytes, up to the first chunk or more
 * @throws SealwrightError NEEDS_KEY for a message under a key that the vault does not have;
 *   AuthenticationError for one with recipients that no key of the vault opens
 */
export async function ownersKey(
  { header, recipients }: Prefix,
  head: Uint8Array,
  { named, guests }: Candidates,
  sharing: Sharing,
): Promise<OwnersKey> {
  const { headerKeyId: keyId } = header;
  if (!header.flags.recipients) {
    if (!named) throw needsKey(toBase64url(keyId));
    return { ref: named.ref, secret: named.key, terms: { key: named.key, keyId } };
  }
  const own = named ? [{ type: NAMED_KEY_RECIPIENT, key: named.key, ref: named.ref }] : [];
  const identities = [...own, ...(await sharing.identities(({ guest }) => guests || !guest))];
  try {
    const bytes = head.subarray(0, HEADER_BYTES);
    const types = await sharing.types();
    const { dataKey, identity } = await openDataKey(recipients.entries, identities, bytes, types);
    return { ref: identity.ref, secret: dataKey, terms: { dataKey, accept: 'shared' } };
  } finally {
    wipe(...identities.map(({ key }) => key));
  }
}
