/* Groups whose members' keys and wraps are random bytes: who may make which epoch does not depend on them. */
import { ed25519PublicKey, signEd25519 } from '../../../src/engine/native/ed25519.ts';
import { signEpoch, type Epoch, type GroupMember } from '../../../src/format/groups/epoch.ts';
import type { EpochBasis } from '../../../src/format/groups/history.ts';
import type { MessageSigner } from '../../../src/format/recipients/signature.ts';
import { randomBytes } from '../../support/random-bytes.ts';

/** A member who may be an admin. */
export interface Person {
  readonly member: GroupMember;
  readonly admin: GroupMember;
  readonly signer: MessageSigner;
}

export async function person(): Promise<Person> {
  const key = randomBytes(32);
  const publicKey = await ed25519PublicKey(key);
  const member = { publicKey: randomBytes(1_216) };
  return {
    member,
    admin: { ...member, adminKey: publicKey },
    signer: { publicKey, sign: (bytes) => signEd25519(key, bytes) },
  };
}

export const people = (count: number): Promise<Person[]> =>
  Promise.all(Array.from({ length: count }, person));

/** An epoch with wraps that no key opens. */
export function epochOf(
  members: readonly GroupMember[],
  { signer }: Pick<Person, 'signer'>,
  {
    group = new Uint8Array(32),
    parents = [],
    number = 0,
  }: Partial<Omit<EpochBasis, 'members'>> & { readonly group?: Uint8Array } = {},
): Promise<Epoch> {
  const wrapped = members.map((member) => ({ ...member, wrap: randomBytes(1_168) }));
  const commitment = randomBytes(32);
  return signEpoch({ group, parents, number, commitment, oldKeys: [], members: wrapped }, signer);
}
