import { expect } from 'chai';
import sinon from 'sinon';
import { toBase64url, utf8 } from '../../../src/crypto/bytes.ts';
import {
  createGroup,
  groupAdmin,
  openGroup,
  type GroupAdmin,
} from '../../../src/format/groups/sharing-groups.ts';
import { openMessage, sealMessage } from '../../../src/format/message.ts';
import {
  generateIdentity,
  openingWith,
  sealingTo,
  type SharingIdentity,
} from '../../../src/format/recipients/sharing.ts';
import { inspect } from '../../../src/format/wire/inspect.ts';
import { publicKeyText } from '../../../src/format/wire/public-key.ts';
import { recipientsBytes, sealedLength } from '../../../src/format/wire/sealed-length.ts';
import { unpacked } from '../../../src/rpc/transport/byte-list.ts';
import { GROUPS_MAX } from '../../../src/service/sharing/groups.ts';
import { codeOf, errorOf } from '../../support/outcomes.ts';
import { outcomes, packedOf } from '../../support/packed.ts';
import { randomBytes } from '../../support/random-bytes.ts';
import { pageCaller } from '../../support/service-fakes.ts';
import { World } from '../../support/service-world.ts';

const PLAINTEXT = new TextEncoder().encode('Meet at noon');
const ORIGIN = 'https://a.example';
const A = pageCaller();
const SHARED = { accept: 'shared' } as const;
const ALL = ['seal', 'open', 'publicKey'] as const;

/** A vault with an app key and a sharing key at one site. */
async function person() {
  const world = await World.unlocked();
  await world.connect();
  await world.connect({ key: { kind: 'sharing' }, capabilities: [...ALL] }, A, {
    newKeyLabel: 'Letters',
  });
  const keyId = (await world.call('keys', {})).find(({ kind }) => kind === 'sharing')!.id;
  return { world, publicKey: await world.call('publicKey', { keyId }) };
}

const given = (...epochs: readonly string[]) => ({ epochs: packedOf(...epochs.map(utf8)) });

describe('Groups', () => {
  let alice: Awaited<ReturnType<typeof person>>;
  let ben: SharingIdentity;
  let admin: GroupAdmin;
  let id: string;
  let first: string;

  beforeEach(async () => {
    alice = await person();
    ben = await generateIdentity();
    admin = await groupAdmin(randomBytes(32));
    const adminKey = publicKeyText({ type: 'Ed25519', bytes: admin.publicKey });
    const members = [{ publicKey: alice.publicKey }, { publicKey: ben.publicKey, adminKey }];
    ({ id, epoch: first } = await createGroup(members, admin));
  });

  const ofBen = (...epochs: readonly string[]) =>
    openGroup({ id, epochs: [first, ...epochs], identities: [ben] });
  const sealedByBen = async (...epochs: readonly string[]) => {
    const groups = [await ofBen(...epochs)];
    const to = sealingTo([id], { groups });
    return sealMessage({ purpose: 'page', origin: ORIGIN, ...to }, PLAINTEXT);
  };
  const seal = (epochs: readonly string[], more: object = {}) =>
    alice.world.call('seal', { plaintext: PLAINTEXT, to: [id], ...given(...epochs), ...more });
  const open = (sealed: Uint8Array, ...epochs: readonly string[]) =>
    alice.world.call('open', { sealed, ...SHARED, ...given(...epochs) });

  it('are sealed to and opened by a page with a member’s key, and by the library', async () => {
    const sealed = await seal([first]);
    expect(inspect(sealed)).to.include({ recipients: 1, originBound: true });
    const bytes = recipientsBytes([id]);
    expect(sealed.length).to.equal(sealedLength(PLAINTEXT.length, { recipientsBytes: bytes }));
    const groups = [await ofBen()];
    const opening = { purpose: 'page', origin: ORIGIN, ...SHARED } as const;
    const options = { ...opening, ...openingWith([ben], { groups }) };
    expect(await openMessage(options, sealed)).to.deep.equal(PLAINTEXT);
    expect(await open(await sealedByBen(), first)).to.deep.equal(PLAINTEXT);
    expect(await open(sealed, first)).to.deep.equal(PLAINTEXT);
    expect(await codeOf(alice.world.call('open', { sealed, ...given(first) }))).to.equal(
      'AUTH_FAILED',
    );
  });

  it('say which epoch is missing: NEEDS_KEY, with the data of that code', async () => {
    const sealed = await sealedByBen();
    for (const epochs of [[], undefined]) {
      const call = { sealed, ...SHARED, ...(epochs && given(...epochs)) };
      const error = await errorOf(alice.world.call('open', call));
      expect(error).to.deep.include({
        code: 'NEEDS_KEY',
        data: { headerKeyId: toBase64url(new Uint8Array(16)) },
      });
    }
    const second = await (await ofBen()).change({}, admin);
    expect(await codeOf(open(await sealedByBen(second), first))).to.equal('NEEDS_KEY');
    expect(await codeOf(open(sealed, second))).to.equal('NEEDS_KEY');
    expect(await codeOf(seal([]))).to.equal('NEEDS_KEY');
    expect(await codeOf(seal([second]))).to.equal('NEEDS_KEY');
  });

  it('are never sealed to with an older epoch than before, nor is one kept that was refused', async () => {
    await seal([first]);
    const group = await ofBen();
    const forged = await group.change({}, admin);
    const broken = `${forged.slice(0, -20)}AAAA${forged.slice(-16)}`;
    expect(await codeOf(seal([first, broken]))).to.equal('BAD_ENVELOPE');
    const [before] = await alice.world.vault.list('group');
    const second = await group.change({}, admin);
    const sealed = await seal([second, first]);
    expect(await codeOf(open(sealed, first))).to.equal('NEEDS_KEY');
    expect(await open(sealed, first, second)).to.deep.equal(PLAINTEXT);
    expect(await codeOf(seal([first]))).to.equal('NEEDS_KEY');
    const [after, ...others] = await alice.world.vault.list('group');
    expect(after).to.not.deep.equal(before);
    expect(others).to.deep.equal([]);
    expect(await seal([first, second])).to.be.instanceOf(Uint8Array);
  });

  it('are written to the vault only where the newest epoch is another one', async () => {
    await seal([first]);
    const commit = sinon.spy(alice.world.vault, 'commit');
    await seal([first]);
    const written = () => commit.getCalls().length;
    const before = written();
    await seal([first, await (await ofBen()).change({}, admin)]);
    expect(written()).to.equal(2 * before + 1);
    commit.restore();
  });

  it('wait while two admins’ epochs are not joined, if one of them removed a member', async () => {
    const group = await ofBen();
    const cleo = await generateIdentity();
    const one = await group.change({ add: [{ publicKey: cleo.publicKey }] }, admin);
    const two = await group.change({ remove: [alice.publicKey] }, admin);
    const dan = { publicKey: (await generateIdentity()).publicKey };
    const three = await group.change({ add: [dan] }, admin);
    expect(inspect(await seal([first, one, three])).recipients).to.equal(2);
    expect(await codeOf(seal([first, one, two, three]))).to.equal('NEEDS_KEY');
  });

  it('are closed to a page without the key of a member, and to a member who was removed', async () => {
    const other = await person();
    const to = [id];
    const call = { plaintext: PLAINTEXT, to, ...given(first) };
    expect(await codeOf(other.world.call('seal', call))).to.equal('NEEDS_KEY');
    const sealed = await sealedByBen();
    const opening = { sealed, ...SHARED, ...given(first) };
    expect(await codeOf(other.world.call('open', opening))).to.equal('NEEDS_KEY');
    const elsewhere = pageCaller({ origin: 'https://b.example', documentId: 'doc-b' });
    await alice.world.connect({}, elsewhere);
    expect(await codeOf(alice.world.call('seal', call, elsewhere))).to.equal('NEEDS_KEY');
    const second = await (await ofBen()).change({ remove: [alice.publicKey] }, admin);
    expect(await codeOf(seal([first, second]))).to.equal('NEEDS_KEY');
    expect(await codeOf(open(await sealedByBen(second), first, second))).to.equal('NEEDS_KEY');
    expect(await open(sealed, first, second)).to.deep.equal(PLAINTEXT);
  });

  it('stand beside other recipients and oneself, in batches, and in what is sealed again', async () => {
    const cleo = await generateIdentity();
    const to = [cleo.publicKey, id];
    const sealed = await seal([first], { to, toSelf: true });
    expect(inspect(sealed).recipients).to.equal(3);
    const opening = { purpose: 'page', origin: ORIGIN, ...SHARED } as const;
    expect(await openMessage({ ...opening, ...openingWith([cleo]) }, sealed)).to.deep.equal(
      PLAINTEXT,
    );
    // By its own entry, without epochs.
    const own = await alice.world.call('open', { sealed, ...SHARED });
    expect(own).to.deep.equal(PLAINTEXT);

    const items = packedOf(PLAINTEXT, PLAINTEXT);
    const batch = await alice.world.call('sealMany', { items, to, ...given(first) });
    const many = { items: batch.items, ...SHARED };
    const opened = await alice.world.call('openMany', { ...many, ...given(first) });
    expect(unpacked(opened.items)).to.deep.equal([PLAINTEXT, PLAINTEXT]);
    const checks = () => alice.world.operations.filter((name) => name === 'groups.check').length;
    const before = checks();
    await alice.world.call('openMany', { ...many, ...given(first) });
    expect(checks(), 'one check for both').to.equal(before + 1);
    const missing = await alice.world.call('openMany', many);
    expect(outcomes(missing)).to.deep.equal(['NEEDS_KEY', 'NEEDS_KEY']);

    const mine = await alice.world.call('seal', { plaintext: PLAINTEXT });
    const again = await alice.world.call('rewrap', { sealed: mine, to: [id], ...given(first) });
    expect(await open(again, first)).to.deep.equal(PLAINTEXT);
  });

  it('refuse what cannot be', async () => {
    const code = async (to: readonly string[]) =>
      codeOf(alice.world.call('seal', { plaintext: PLAINTEXT, to: [...to], ...given(first) }));
    expect(await code([`${id.slice(0, -2)}__`])).to.equal('NEEDS_KEY');
    expect(await code(['swg1.x'])).to.equal('INVALID_ARGUMENT');
    expect(await codeOf(seal(['swge1.']))).to.equal('BAD_ENVELOPE');
    expect(await codeOf(seal([first], { decoy: true }))).to.equal('INVALID_ARGUMENT');
  });

  it(`are remembered up to ${GROUPS_MAX}`, async () => {
    await alice.world.vault.commit((draft) => {
      for (let i = 0; i < GROUPS_MAX; i++) {
        draft.put({ id: `swg1.${i}`, type: 'group', value: { heads: [] } });
      }
      return null;
    });
    expect(await codeOf(seal([first]))).to.equal('TOO_LARGE');
  });
});
