import { copyOf, toBase64url, wipe } from '../../crypto/bytes.ts';
import { EnvelopeError } from '../../format/errors.ts';
import { openDataKey } from '../../format/keys/data-key.ts';
import type { BeginOpenOptions } from '../../format/plans/open-plan.ts';
import { NAMED_KEY_RECIPIENT } from '../../format/wire/recipient-table.ts';
import { openAttributes, type Attributes } from '../../format/recipients/attributes.ts';
import { epochNamesIn } from '../../format/recipients/group-key.ts';
import { hasPassphrase } from '../../format/recipients/passphrase.ts';
import type { Prefix } from '../../format/wire/envelope.ts';
import { HEADER_BYTES } from '../../format/wire/sealed-length.ts';
import type { OpeningMaterial } from '../../keys/ring/key-material.ts';
import { needsKey } from '../../rpc/errors.ts';
import { needsGroup } from '../errors.ts';
import type { KeptGroups } from './kept-groups.ts';
import type { GivenPassphrase, Passphrases } from './passphrases.ts';
import type { OwnedIdentity, Sharing } from './sharing.ts';

/** The keys that may open a message. */
export interface Candidates {
  /** The key that its header names; undefined where the vault has none. */
  readonly named: OpeningMaterial | undefined;
  /** Whether keys are tried that are not taken over: of a message that the user opens outside any site. */
  readonly guests: boolean;
  /** For a message that a passphrase opens; undefined if the user has not been asked. */
  readonly given?: GivenPassphrase | undefined;
}

/** What finds the key of a message. */
export interface OwnersKeyDeps {
  readonly sharing: Sharing;
  readonly keptGroups: Pick<KeptGroups, 'identities' | 'needed'>;
  readonly passphrases: Passphrases;
}

/** The key that opens a message for the user alone. The caller wipes `secret`. */
export interface OwnersKey {
  /** Null: a passphrase opened it. */
  readonly ref: string | null;
  readonly secret: Uint8Array;
  /** For the opening of the message; `secret` is in it. */
  readonly terms: Pick<BeginOpenOptions, 'key' | 'keyId' | 'dataKey' | 'accept'>;
  /** What a message with recipients says of itself, if it does. */
  readonly attributes?: Attributes | undefined;
}

/** What opens a message with recipients. Both are wiped when the work has ended. */
export interface OwnersDataKey {
  readonly dataKey: Uint8Array;
  readonly identity: OwnedIdentity;
}

/**
 * Finds the key that opens a message for the user alone: no grant is looked at. Of a message with
 * recipients each sharing key is tried: only opening shows which one it is for. A passphrase is the only recipient of its
 * message, so that no key is tried then.
 *
 * @param prefix what the message says before its chunks
 * @param head the same bytes, up to the first chunk or more
 * @throws SealwrightError NEEDS_KEY for a message under a key that the vault does not have, where a passphrase is needed,
 *   and for a group that the user needs something of; AuthenticationError for one with recipients that no key of the vault opens, or not this passphrase;
 *   EnvelopeError TOO_LARGE for a passphrase of too much work
 */
export async function ownersKey(
  prefix: Prefix,
  head: Uint8Array,
  candidates: Candidates,
  { sharing, keptGroups, passphrases }: OwnersKeyDeps,
): Promise<OwnersKey> {
  const { header, recipients } = prefix;
  const { named, given } = candidates;
  const { headerKeyId: keyId } = header;
  if (!header.flags.recipients) {
    if (!named) throw needsKey(toBase64url(keyId));
    return { ref: named.ref, secret: named.key, terms: { key: named.key, keyId } };
  }
  const crypto = await sharing.crypto();
  const keyWith = async (ref: string | null, dataKey: Uint8Array): Promise<OwnersKey> => {
    const bytes = head.subarray(0, HEADER_BYTES);
    const attributes = await openAttributes(recipients.entries, dataKey, bytes, crypto);
    const secret = copyOf(dataKey);
    return { ref, secret, terms: { dataKey: secret, accept: 'shared' }, attributes };
  };
  if (hasPassphrase(recipients)) {
    return passphrases.withDataKey(prefix, head, given, (dataKey) => keyWith(null, dataKey));
  }
  const keys = { sharing, keptGroups };
  return withOwnersDataKey(prefix, head, candidates, keys, ({ dataKey, identity }) =>
    keyWith(identity.ref, dataKey),
  );
}

/**
 * Opens the data key of a message with recipients for the user alone, and does work with it.
 *
 * @throws AuthenticationError if no key of the vault opens it; SealwrightError NEEDS_KEY, with the group, if it is for one
 *   whose epoch is not kept, or has the user not as a member
 */
export async function withOwnersDataKey<T>(
  { recipients }: Prefix,
  head: Uint8Array,
  { named, guests }: Candidates,
  { sharing, keptGroups }: Pick<OwnersKeyDeps, 'sharing' | 'keptGroups'>,
  work: (opened: OwnersDataKey) => Promise<T>,
): Promise<T> {
  const own = named ? [{ type: NAMED_KEY_RECIPIENT, key: named.key, ref: named.ref }] : [];
  const identities = [...own, ...(await sharing.identities(({ guest }) => guests || !guest))];
  try {
    const names = epochNamesIn(recipients.entries);
    identities.push(...(await keptGroups.identities(names, identities)));
    const bytes = head.subarray(0, HEADER_BYTES);
    const types = await sharing.types();
    const opening = openDataKey(recipients.entries, identities, bytes, types);
    const opened = await opening.catch(async (error: unknown) => {
      const isForGroup = error instanceof EnvelopeError && error.code === 'NEEDS_KEY';
      throw isForGroup ? needsGroup(await keptGroups.needed(names)) : error;
    });
    try {
      return await work(opened);
    } finally {
      wipe(opened.dataKey);
    }
  } finally {
    wipe(...identities.map(({ key }) => key));
  }
}
