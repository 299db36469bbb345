/*
 * The key of an epoch (docs/format.md section 3.9): how it is sealed to each member, committed to, and given on.
 *
 *   place      = group (32) ‖ number u32 ‖ SHA-256 of all parents, one after the other
 *   wrap       = HPKE to the member, info "SWG1 epoch key" ‖ place ‖ fingerprint of the member's key
 *   commitment = HKDF-Expand-SHA-512(epoch key, "SWG1 commitment" ‖ place, 32)
 *   old key    = AES-256-GCM of it; key (32) ‖ nonce (12) = HKDF-Expand-SHA-512(epoch key, "SWG1 old key" ‖ its epoch, 44)
 *
 * Members open it here; admins seal it in new-epoch.ts. The commitment is the same for all members: an admin cannot give one of
 * them another key, with which messages would open to another text.
 */
import { concat, equal, u32be, utf8, wipe } from '../../crypto/bytes.ts';
import { isAuthenticationError } from '../../crypto/errors.ts';
import { sha256 } from '../../crypto/hash/sha256.ts';
import type { FormatCrypto } from '../format-crypto.ts';
import type { Identity } from '../keys/data-key.ts';
import type { RecipientType } from '../recipients/recipient-type.ts';
import type { EpochKey } from '../recipients/group-key.ts';
import { fingerprintOf } from '../recipients/sender.ts';
import type { EpochPlace, GroupMember, MembersEpoch } from './epoch.ts';
import { groupOf, MEMBER_KEY } from './group-id.ts';

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const WRAP_LABEL = utf8('SWG1 epoch key');
const COMMITMENT_LABEL = utf8('SWG1 commitment');
const OLD_KEY_LABEL = utf8('SWG1 old key');

/** What seals keys to members. */
export interface EpochKeyDeps {
  readonly crypto: FormatCrypto;
  /** The recipient type of X-Wing. */
  readonly hpke: RecipientType;
}

/** The commitment of an epoch to its key, 32 bytes. */
export function commitmentOf(
  key: Uint8Array,
  place: EpochPlace,
  crypto: FormatCrypto,
): Promise<Uint8Array> {
  return crypto.expand(key, concat(COMMITMENT_LABEL, placeBytes(place)), KEY_BYTES);
}

/**
 * Opens the key of an epoch, and the older keys that it gives.
 *
 * @param identities private keys of sharing keys; those of X-Wing are tried whose public keys are members
 * @returns the epoch's own key first, to be wiped; none if no identity is a member
 * @throws AuthenticationError where an admin made wraps, or old keys, that do not open
 */
export async function openEpochKeys(
  epoch: MembersEpoch,
  identities: readonly MemberIdentity[],
  { hpke, crypto }: EpochKeyDeps,
): Promise<EpochKey[]> {
  const group = groupOf(epoch);
  for (const { key: privateKey, publicKey } of identities) {
    const member = epoch.members.find((each) => equal(each.publicKey, publicKey));
    if (!member) continue;
    const key = await opened(() => hpke.unwrap(privateKey, member.wrap, contextOf(epoch, member)));
    if (!key || !equal(await commitmentOf(key, epoch, crypto), epoch.commitment)) continue;
    const keys = [{ group, epoch: epoch.digest, key }];
    for (const { epoch: old, sealed } of epoch.oldKeys) {
      const oldKey = await opened(() =>
        withOldKeyAead(key, old, crypto, (aead, nonce) => aead.open(nonce, sealed)),
      );
      if (oldKey) keys.push({ group, epoch: old, key: oldKey });
    }
    return keys;
  }
  return [];
}

/** The private half of an X-Wing key, with the public one. */
export interface MemberIdentity extends Identity {
  /** 1,216 bytes. */
  readonly publicKey: Uint8Array;
}

/** Undefined for what does not authenticate: an admin can make wraps that nothing opens. */
async function opened(work: () => Promise<Uint8Array>): Promise<Uint8Array | undefined> {
  try {
    return await work();
  } catch (error) {
    if (isAuthenticationError(error)) return undefined;
    throw error;
  }
}

/** What the wrap of a member is bound to. */
export const contextOf = (place: EpochPlace, { publicKey }: GroupMember): Uint8Array =>
  concat(WRAP_LABEL, placeBytes(place), fingerprintOf(MEMBER_KEY.type, publicKey));

const placeBytes = ({ group, number, parents }: EpochPlace): Uint8Array =>
  concat(group, u32be(number), sha256(...parents));

/** Does work with the AEAD that an older key is sealed with. @param old digest of its epoch */
export async function withOldKeyAead<T>(
  key: Uint8Array,
  old: Uint8Array,
  crypto: FormatCrypto,
  work: (aead: Awaited<ReturnType<FormatCrypto['aesGcm']>>, nonce: Uint8Array) => Promise<T>,
): Promise<T> {
  const derived = await crypto.expand(key, concat(OLD_KEY_LABEL, old), KEY_BYTES + NONCE_BYTES);
  try {
    const aead = await crypto.aesGcm(derived.subarray(0, KEY_BYTES));
    return await work(aead, derived.subarray(KEY_BYTES));
  } finally {
    wipe(derived);
  }
}
