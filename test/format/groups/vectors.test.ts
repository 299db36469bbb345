import { expect } from 'chai';
import { equal, fromHex, toHex } from '../../../src/crypto/bytes.ts';
import { NATIVE_X25519 } from '../../../src/engine/kem/native-x25519.ts';
import { xWingKem } from '../../../src/engine/kem/x-wing-kem.ts';
import { parseEpochText } from '../../../src/format/groups/epoch.ts';
import { parseGroupId } from '../../../src/format/groups/group-id.ts';
import { epochKeysOf, membersAmong } from '../../../src/format/groups/group.ts';
import { GroupHistory } from '../../../src/format/groups/history.ts';
import { openMessage, sealMessage } from '../../../src/format/message.ts';
import { NATIVE_CRYPTO, NATIVE_RANDOM } from '../../../src/format/native-crypto.ts';
import { groupRecipient, groupRecipientOf } from '../../../src/format/recipients/group-key.ts';
import { fingerprintOf } from '../../../src/format/recipients/sender.ts';
import { GROUP_RECIPIENT } from '../../../src/format/wire/recipient-table.ts';
import { readGroupVectors, type GroupVector } from './group-vectors.ts';
import { countingRandom } from '../message-vectors.ts';
import { nameOf, outcome, thrown } from '../support.ts';

const { epochs: texts, groups, refused, messages } = readGroupVectors();
const DEPS = {
  kem: xWingKem(() => NATIVE_X25519),
  crypto: NATIVE_CRYPTO,
  random: NATIVE_RANDOM,
};

async function checked({ group, epochs, trusted }: GroupVector): Promise<GroupHistory> {
  const parsed = await Promise.all(epochs.map((name) => parseEpochText(texts[name]!)));
  return GroupHistory.check(parsed, {
    group: parseGroupId(group),
    trusted: trusted.map(fromHex),
  });
}

describe('group vectors', () => {
  const digests = new Map<string, Uint8Array>();
  before(async () => {
    for (const [name, text] of Object.entries(texts)) {
      digests.set(name, (await parseEpochText(text)).digest);
    }
  });
  const named = (digest: Uint8Array) => [...digests].find(([, each]) => equal(each, digest))![0];

  for (const vector of groups) {
    it(`${vector.id}: ${vector.comment}`, async () => {
      if (vector.error) return expect(await outcome(checked(vector))).to.equal(vector.error);
      const history = await checked(vector);
      const identity = { type: 2, key: fromHex(vector.identity) };
      const keys = await epochKeysOf(history.epochs, await membersAmong([identity], DEPS), DEPS);
      const newest =
        vector.newest &&
        history
          .newest()
          .map(({ digest }) => named(digest))
          .sort();
      if (!vector.newest) expect(thrown(() => history.newest())).to.equal('NEEDS_KEY');
      return expect({
        newest,
        members: history.members.map(({ publicKey }) => toHex(fingerprintOf(2, publicKey))).sort(),
        keys: keys.map(({ epoch, key }) => ({ epoch: named(epoch), key: toHex(key) })),
      }).to.deep.equal({ newest: vector.newest, members: vector.members, keys: vector.keys });
    });
  }

  it('there are some of each kind', () => {
    const kinds = groups.map(({ error, newest }) => error ?? (newest ? 'newest' : 'waiting'));
    expect(new Set(kinds)).to.deep.equal(
      new Set(['BAD_ENVELOPE', 'NEEDS_KEY', 'newest', 'waiting']),
    );
  });

  for (const { comment, epoch } of refused) {
    it(`refused: ${comment}`, async () => {
      const work = parseEpochText(epoch).then((each) =>
        GroupHistory.check([each], { group: each.digest }),
      );
      expect(await work.then(() => '', nameOf)).to.equal('BAD_ENVELOPE');
    });
  }

  for (const { id, epoch, key, salt, message, sealed } of messages) {
    it(`message: ${id}`, async () => {
      const group = parseGroupId(groups[0]!.group);
      const known = groupRecipientOf([{ group, epoch: digests.get(epoch)!, key: fromHex(key) }]);
      const random = countingRandom();
      const recipientTypes = new Map([[GROUP_RECIPIENT, groupRecipient(NATIVE_CRYPTO, random)]]);
      const common = { purpose: 'page', recipientTypes } as const;
      const sealing = { ...common, recipients: [known], random, salt: fromHex(salt) };
      expect(toHex(await sealMessage(sealing, fromHex(message)))).to.equal(sealed);
      const opening = { ...common, accept: 'shared', identities: [known] } as const;
      expect(toHex(await openMessage(opening, fromHex(sealed)))).to.equal(message);
    });
  }
});
