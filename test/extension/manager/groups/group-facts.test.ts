import { expect } from 'chai';
import { parseEpochText } from '../../../../src/format/groups/epoch.ts';
import { publicKeyText } from '../../../../src/format/wire/public-key.ts';
import type { OwnSharingKey, UiContact } from '../../../../src/rpc/methods/ui-contacts.ts';
import { groupFacts } from '../../../../extension/manager/groups/group-facts.ts';
import { readGroupVectors } from '../../../format/groups/group-vectors.ts';

const { epochs: EPOCHS, groups: GROUPS } = readGroupVectors();

const textsOf = (vector: string) => {
  const { group, epochs } = GROUPS.find(({ id }) => id === vector)!;
  return { id: group, epochs: epochs.map((name) => EPOCHS[name]!) };
};

const kept = (vector: string) => {
  const { id, epochs } = textsOf(vector);
  return { id, name: 'Choir', epochs: epochs.map((text) => ({ text, at: 0 })) };
};

/** The members of the first epoch, with their keys as text. */
async function people() {
  const { members, signer } = await parseEpochText(EPOCHS.first!);
  return {
    signer: publicKeyText({ type: 'Ed25519', bytes: signer }),
    members: members.map(({ publicKey, adminKey }) => ({
      publicKey: publicKeyText({ type: 'X-Wing', bytes: publicKey }),
      adminKey: adminKey && publicKeyText({ type: 'Ed25519', bytes: adminKey }),
    })),
  };
}

const ownKey = (publicKey: string) => ({ publicKey }) as OwnSharingKey;

describe('what is known of a group', () => {
  it('is who its members are, the user first, then contacts', async () => {
    const { members, signer } = await people();
    const [friend, user] = [members[0]!, members[2]!];
    const contacts = [{ id: 'c1', name: 'Amira', publicKey: friend.publicKey } as UiContact];
    const known = { own: [ownKey(user.publicKey)], signers: [{ ref: 's1', publicKey: signer }] };
    const facts = await groupFacts(kept('first'), { ...known, contacts });
    expect(facts.members.map(({ isUser, contact }) => [isUser, contact?.name])).to.deep.equal([
      [true, undefined],
      [false, 'Amira'],
      [false, undefined],
    ]);
    expect(facts.members.map(({ words }) => words.length)).to.deep.equal([6, 6, 6]);
    expect(facts).to.include({ isOwn: true, isWaiting: false, problem: undefined, signer: 's1' });
  });

  it('proves no maker but the user, and makes no other key an admin', async () => {
    const { members } = await people();
    const other = publicKeyText({ type: 'Ed25519', bytes: new Uint8Array(32) });
    const own = [ownKey(members[0]!.publicKey)];
    const signers = [{ ref: 's1', publicKey: other }];
    const facts = await groupFacts(kept('first'), { own, signers, contacts: [] });
    expect(facts).to.include({ isOwn: false, signer: undefined });
  });

  it('is why nothing can be sealed for it: no member any more, or admins who have to join', async () => {
    const { members } = await people();
    const all = {
      own: members.map(({ publicKey }) => ownKey(publicKey)),
      signers: [],
      contacts: [],
    };
    expect((await groupFacts(kept('waiting'), all)).problem).to.equal('groupWaiting');
    const none = { ...all, own: [] };
    expect((await groupFacts(kept('first'), none)).problem).to.equal('groupLeft');
  });
});
