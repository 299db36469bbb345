import { messageDigest } from '../../../src/format/chunks/message-digest.ts';
import { openMessage, sealMessage } from '../../../src/format/message.ts';
import { sealingAttributes } from '../../../src/format/recipients/attributes.ts';
import {
  generateIdentity,
  recipientOf,
  SHARING_TYPES,
} from '../../../src/format/recipients/sharing.ts';
import type { SharingIdentity } from '../../../src/format/recipients/sharing.ts';
import type { Share } from '../../../src/crypto/secret-sharing.ts';
import { dealRecoveryFile, shareContext } from '../../../src/keys/recovery/recovery-file.ts';
import type { RecoveryFile, ShareSealing } from '../../../src/keys/recovery/recovery-file.ts';
import { answerContext, answerText } from '../../../src/keys/recovery/recovery-messages.ts';
import type { ReadRequest } from '../../../src/keys/recovery/recovery-messages.ts';
import { systemRandom } from '../../support/stores/memory-store.ts';

/* Friends without a vault: a sharing key alone. */

export const CREATED = 1_780_000_000_000;

export const newFriends = (count: number): Promise<SharingIdentity[]> =>
  Promise.all(Array.from({ length: count }, () => generateIdentity()));

/** As the service seals a share, without a proven sender. */
export function sealingTo({ publicKey }: Pick<SharingIdentity, 'publicKey'>): ShareSealing {
  return async (share, associatedData) => {
    const attributes = sealingAttributes({
      statics: [],
      digest: await messageDigest(share, 64 * 1024),
    });
    const to = { recipients: [recipientOf(publicKey, 'to')], recipientTypes: SHARING_TYPES };
    return sealMessage({ purpose: 'backup', associatedData, attributes, ...to }, share);
  };
}

export const deal = (
  contents: Uint8Array,
  friends: readonly SharingIdentity[],
  threshold: number,
) =>
  dealRecoveryFile(contents, {
    threshold,
    friends: friends.map(sealingTo),
    created: CREATED,
    random: systemRandom,
  });

/** What a friend opens of a file or a request. @throws AuthenticationError where it is not for them */
export async function shareOf(
  friend: SharingIdentity,
  index: number,
  { facts, sealedShares }: { facts: ReadRequest['facts']; sealedShares: readonly Uint8Array[] },
): Promise<Share> {
  const associatedData = shareContext(facts, index);
  const opening = {
    identities: [friend],
    recipientTypes: SHARING_TYPES,
    accept: 'shared',
  } as const;
  const bytes = await openMessage(
    { purpose: 'backup', associatedData, ...opening },
    sealedShares[index - 1]!,
  );
  return { index, bytes };
}

export const fromFile = (file: RecoveryFile) => ({ facts: file, sealedShares: file.sealedShares });

/** A friend's answer to a request for the shares. */
export async function answerOf(
  friend: SharingIdentity,
  index: number,
  request: ReadRequest,
  share?: Uint8Array,
): Promise<string> {
  const bytes = share ?? (await shareOf(friend, index, request)).bytes;
  if (request.asked.kind !== 'recovery') throw new Error('a drill');
  const recipients = [{ type: 2, key: request.asked.offerKey }];
  const associatedData = answerContext(request.id, index);
  const body = await sealMessage(
    { purpose: 'backup', associatedData, recipients, recipientTypes: SHARING_TYPES },
    bytes,
  );
  return answerText({ kind: 'recovery', id: request.id, index, body });
}
