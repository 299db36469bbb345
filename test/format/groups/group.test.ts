import { expect } from 'chai';
import { concat, copyOf, toHex } from '../../../src/crypto/bytes.ts';
import { openMessage, sealMessage } from '../../../src/format/message.ts';
import { parseEpochText, epochText } from '../../../src/format/groups/epoch.ts';
import {
  createGroup,
  groupAdmin,
  openGroup,
  type Group,
  type GroupAdmin,
} from '../../../src/format/groups/sharing-groups.ts';
import { groupRecipient, groupRecipientOf } from '../../../src/format/recipients/group-key.ts';
import { NATIVE_CRYPTO, NATIVE_RANDOM } from '../../../src/format/native-crypto.ts';
import { RECIPIENT_TYPES } from '../../../src/format/recipients/recipient-types.ts';
import {
  SHARING_TYPES,
  generateIdentity,
  openingWith,
  sealingTo,
  type SharingIdentity,
} from '../../../src/format/recipients/sharing.ts';
import { inspect } from '../../../src/format/wire/inspect.ts';
import { publicKeyText } from '../../../src/format/wire/public-key.ts';
import { sealedLength } from '../../../src/format/wire/sealed-length.ts';
import { randomBytes } from '../../support/random-bytes.ts';
import { outcome, thrown } from '../support.ts';

const MESSAGE = new Uint8Array(Buffer.from('to all of us'));
const ENTRY_BYTES = 187;

const failure = (work: Promise<unknown>) => work.then(() => 'resolved', String);
const adminKeyOf = ({ publicKey: bytes }: GroupAdmin) => publicKeyText({ type: 'Ed25519', bytes });

describe('a group', () => {
  let anna: SharingIdentity;
  let ben: SharingIdentity;
  let cleo: SharingIdentity;
  let admin: GroupAdmin;
  let id: string;
  let first: string;

  before(async () => {
    [anna, ben, cleo] = (await Promise.all([1, 2, 3].map(() => generateIdentity()))) as [
      ...[SharingIdentity, SharingIdentity, SharingIdentity],
    ];
    admin = await groupAdmin(randomBytes(32));
    const members = [
      { publicKey: anna.publicKey, adminKey: adminKeyOf(admin) },
      { publicKey: ben.publicKey },
    ];
    ({ id, epoch: first } = await createGroup(members, admin));
  });

  const groupFor = (identity: SharingIdentity, ...epochs: readonly string[]) =>
    openGroup({ id, epochs: [first, ...epochs], identities: [identity] });
  const sealedBy = async (group: Group) =>
    sealMessage({ purpose: 'page', ...sealingTo([id], { groups: [group] }) }, MESSAGE);
  const opened = (sealed: Uint8Array, identity: SharingIdentity, ...groups: readonly Group[]) =>
    openMessage(
      { purpose: 'page', accept: 'shared', ...openingWith([identity], { groups }) },
      sealed,
    );

  it('is one entry of a message, which each member opens', async () => {
    const sealed = await sealedBy(await groupFor(anna));
    expect(inspect(sealed)).to.include({ recipients: 1, headerKeyId: null });
    const recipientsBytes = ENTRY_BYTES;
    expect(sealed.length).to.equal(sealedLength(MESSAGE.length, { recipientsBytes }));
    for (const member of [anna, ben]) {
      expect(await opened(sealed, member, await groupFor(member))).to.deep.equal(MESSAGE);
    }
    const { members, isForked } = await groupFor(ben);
    expect(members.map(({ publicKey }) => publicKey)).to.have.members([
      anna.publicKey,
      ben.publicKey,
    ]);
    expect(isForked).to.equal(false);
  });

  it('stands beside other recipients', async () => {
    const groups = [await groupFor(ben)];
    const to = sealingTo([cleo.publicKey, id], { groups });
    const sealed = await sealMessage({ purpose: 'stream', ...to }, MESSAGE);
    const read = async (one: SharingIdentity, ...known: readonly Group[]) =>
      outcome(
        openMessage(
          { purpose: 'stream', accept: 'shared', ...openingWith([one], { groups: known }) },
          sealed,
        ),
      );
    expect(await read(cleo)).to.equal('resolved');
    expect(await read(cleo, ...groups)).to.equal('resolved');
    expect(await read(anna, await groupFor(anna))).to.equal('resolved');
    expect(await read(ben)).to.equal('NEEDS_KEY');
  });

  it('is not sealed to by one who is no member, nor opened', async () => {
    const seen = await groupFor(cleo);
    expect(thrown(() => sealingTo([id], { groups: [seen] }))).to.equal('NEEDS_KEY');
    const sealed = await sealedBy(await groupFor(anna));
    expect(await outcome(opened(sealed, cleo, seen))).to.equal('NEEDS_KEY');
    expect(thrown(() => sealingTo([id]))).to.match(/RangeError: publicKeys\[0\]/);
  });

  it('says of an epoch that is missing that it is, and to a reader without groups nothing', async () => {
    const group = await groupFor(anna);
    const second = await group.change({}, admin);
    const sealed = await sealedBy(await groupFor(anna, second));
    expect(await outcome(opened(sealed, ben, await groupFor(ben)))).to.equal('NEEDS_KEY');
    expect(await outcome(opened(sealed, ben))).to.equal('NEEDS_KEY');
    expect(await opened(sealed, ben, await groupFor(ben, second))).to.deep.equal(MESSAGE);
    // As a release without type 5 does: it skips the entry.
    const known = new Map([...SHARING_TYPES].filter(([type]) => type !== 5));
    for (const recipientTypes of [known, RECIPIENT_TYPES]) {
      const own = [{ type: 1, key: ben.key }];
      const options = { purpose: 'page', accept: 'shared', identities: own } as const;
      const opening = openMessage({ ...options, recipientTypes }, sealed);
      expect(await outcome(opening)).to.equal('AUTH_FAILED');
    }
  });

  it('shuts out a member who was removed, from what is sealed after that', async () => {
    const before = await sealedBy(await groupFor(anna));
    const second = await (await groupFor(anna)).change({ remove: [ben.publicKey] }, admin);
    const after = await sealedBy(await groupFor(anna, second));
    const seen = await groupFor(ben, second);
    expect(await opened(before, ben, seen)).to.deep.equal(MESSAGE);
    expect(await outcome(opened(after, ben, seen))).to.equal('NEEDS_KEY');
    expect(thrown(() => sealingTo([id], { groups: [seen] }))).to.equal('NEEDS_KEY');
  });

  it('gives a new member what was sealed before only if the admin says so', async () => {
    const before = await sealedBy(await groupFor(anna));
    const group = await groupFor(anna);
    const add = [{ publicKey: cleo.publicKey }];
    for (const giveOldKeys of [false, true]) {
      const second = await group.change({ add, giveOldKeys }, admin);
      const after = await sealedBy(await groupFor(anna, second));
      const joined = await groupFor(cleo, second);
      expect(await opened(after, cleo, joined)).to.deep.equal(MESSAGE);
      const expected = giveOldKeys ? 'resolved' : 'NEEDS_KEY';
      expect(await outcome(opened(before, cleo, joined))).to.equal(expected);
      const epochs = [second];
      const trusted = [adminKeyOf(admin)];
      const short = await openGroup({ id, epochs, identities: [cleo], trusted });
      expect(await opened(after, cleo, short)).to.deep.equal(MESSAGE);
      expect(await outcome(openGroup({ id, epochs, identities: [cleo] }))).to.equal('NEEDS_KEY');
    }
  });

  it('is for everyone whom admins added at the same time, until one has joined that', async () => {
    const group = await groupFor(anna);
    const dan = await generateIdentity();
    const one = await group.change({ add: [{ publicKey: cleo.publicKey }] }, admin);
    const two = await group.change({ add: [{ publicKey: dan.publicKey }] }, admin);
    const forked = await groupFor(anna, one, two);
    expect(forked.isForked).to.equal(true);
    const sealed = await sealedBy(forked);
    expect(inspect(sealed).recipients).to.equal(2);
    for (const member of [ben, cleo, dan]) {
      for (const epochs of [
        [one, two],
        [two, one],
      ]) {
        expect(await opened(sealed, member, await groupFor(member, ...epochs))).to.deep.equal(
          MESSAGE,
        );
      }
    }
    const changing = forked.change({ remove: [ben.publicKey] }, admin);
    expect(await failure(changing)).to.match(/RangeError: change/);
    const joined = await groupFor(anna, one, two, await forked.change({}, admin));
    expect(joined.isForked).to.equal(false);
    expect(inspect(await sealedBy(joined)).recipients).to.equal(1);
  });

  it('is joined by one epoch, whatever the numbers and the digests of those that it follows', async () => {
    const group = await groupFor(anna);
    const one = await group.change({ add: [{ publicKey: cleo.publicKey }] }, admin);
    const two = await (await groupFor(anna, one)).change({}, admin);
    for (let i = 0; i < 4; i++) {
      const other = await group.change({ remove: [ben.publicKey] }, admin);
      const epochs = [one, two, other];
      const forked = await groupFor(anna, ...epochs);
      expect(thrown(() => forked.recipients())).to.equal('NEEDS_KEY');
      const joined = await groupFor(anna, ...epochs, await forked.change({}, admin));
      expect(await opened(await sealedBy(joined), anna, joined)).to.deep.equal(MESSAGE);
    }
  });

  it('takes an epoch of no one but an admin', async () => {
    const other = await groupAdmin(randomBytes(32));
    const group = await groupFor(ben);
    expect(await outcome(group.change({}, other))).to.equal('BAD_ENVELOPE');
    const members = [{ publicKey: ben.publicKey, adminKey: adminKeyOf(other) }];
    const own = await createGroup(members, other);
    const epochs = [first, own.epoch];
    expect(await outcome(openGroup({ id, epochs, identities: [] }))).to.equal('BAD_ENVELOPE');
    expect(await failure(createGroup(members, admin))).to.match(/RangeError: members/);
  });

  it('has the same key for all: an epoch that gives one of them another one opens for none of them', async () => {
    const epoch = await parseEpochText(first);
    const members = [...epoch.members];
    const at = members.findIndex(({ adminKey }) => adminKey === undefined);
    // As an admin could sign it: the wrap of one member is for another key.
    const bytes = copyOf(epoch.bytes);
    const wrapAt = Buffer.from(bytes).indexOf(Buffer.from(members[at]!.wrap));
    bytes.set(randomBytes(48), wrapAt + 1_120);
    const content = bytes.subarray(0, -64);
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', content));
    const protocol = Buffer.from('sealwright.org/group-epoch@v1\0');
    const signature = await admin.sign(concat(protocol, hash));
    const changed = epochText({ bytes: concat(content, signature) });
    const { digest } = await parseEpochText(changed);
    const idOfIt = `swg1.${Buffer.concat([Uint8Array.of(5), digest]).toString('base64url')}`;
    const options = { id: idOfIt, epochs: [changed], identities: [ben] };
    const group = await openGroup(options);
    expect(thrown(() => group.recipients())).to.equal('NEEDS_KEY');
    const ofAnna = await openGroup({ ...options, identities: [anna] });
    expect(ofAnna.recipients()).to.have.length(1);
  });

  it('refuses arguments that cannot be right', async () => {
    const group = await groupFor(anna);
    const { publicKey: classic } = await generateIdentity('X25519');
    const cases: Record<string, () => Promise<unknown>> = {
      'is a member already': () => group.change({ add: [{ publicKey: ben.publicKey }] }, admin),
      'one is not a member': () => group.change({ remove: [cleo.publicKey] }, admin),
      'no admin is left': () => group.change({ remove: [anna.publicKey] }, admin),
      'have keys of X-Wing': () => createGroup([{ publicKey: classic }], admin),
      'have keys of Ed25519': () =>
        createGroup([{ publicKey: ben.publicKey, adminKey: ben.publicKey }], admin),
      'members must be an array': () => createGroup('all' as never, admin),
      'epochs must be an array': () => openGroup({ id, epochs: first as never, identities: [] }),
      friends: () => group.change({ friends: [] } as never, admin),
      'key must': () => groupAdmin('key' as never),
    };
    for (const [words, work] of Object.entries(cases)) {
      expect(await failure(work()), words).to.match(new RegExp(words));
    }
    expect(await outcome(openGroup({ id: 'swg1.', epochs: [], identities: [] }))).to.equal(
      'BAD_ENVELOPE',
    );
  });

  it('is bound to its entry: a wrap of another group or epoch, or of another message, does not open', async () => {
    const type = groupRecipient(NATIVE_CRYPTO, NATIVE_RANDOM);
    const keys = [0, 1].map(() => ({
      group: randomBytes(32),
      epoch: randomBytes(32),
      key: randomBytes(32),
    }));
    const both = groupRecipientOf(keys).key;
    const context = randomBytes(40);
    const dataKey = randomBytes(32);
    const body = await type.wrap(groupRecipientOf(keys.slice(1)).key, dataKey, context);
    expect(body.length).to.equal(ENTRY_BYTES - 19);
    expect(toHex(await type.unwrap(both, body, context))).to.equal(toHex(dataKey));
    for (let at = 0; at < body.length; at++) {
      const changed = copyOf(body);
      changed[at]! ^= 1;
      const expected = at < 64 ? 'NEEDS_KEY' : 'AUTH_FAILED';
      expect(await outcome(type.unwrap(both, changed, context)), `byte ${at}`).to.equal(expected);
    }
    expect(await outcome(type.unwrap(both, body.subarray(0, -1), context))).to.equal('AUTH_FAILED');
    expect(await outcome(type.unwrap(both, body.subarray(0, 63), context))).to.equal('AUTH_FAILED');
    expect(await outcome(type.unwrap(both, body, randomBytes(40)))).to.equal('AUTH_FAILED');
    const renamed = groupRecipientOf([{ ...keys[1]!, epoch: keys[0]!.epoch }]).key;
    const moved = concat(keys[1]!.group, keys[0]!.epoch, body.subarray(64));
    expect(await outcome(type.unwrap(renamed, moved, context))).to.equal('AUTH_FAILED');
    const wrong = type.wrap(randomBytes(95), dataKey, context);
    expect(await failure(wrong)).to.match(/RangeError: recipient key/);
  });
});
