import { expect } from 'chai';
import { concat, copyOf, toBase64url, toHex } from '../../../src/crypto/bytes.ts';
import {
  EPOCH_BYTES_MAX,
  EPOCH_TEXT_MAX,
  epochText,
  isEpochSigned,
  parseEpoch,
  parseEpochText,
  type Epoch,
} from '../../../src/format/groups/epoch.ts';
import { groupIdText, parseGroupId } from '../../../src/format/groups/group-id.ts';
import { GroupHistory } from '../../../src/format/groups/history.ts';
import { inDepth } from '../../support/depth.ts';
import { randomBytes } from '../../support/random-bytes.ts';
import { outcome, thrown } from '../support.ts';
import { epochOf, people, person } from './small-groups.ts';

/** Where the parts of a first epoch with one admin begin. */
const AT = { number: 1, group: 5, parents: 37, oldKeys: 70, members: 71, admin: 72 } as const;

describe('an epoch of a group', () => {
  it('is read as it was written, and has one form whatever the order of its members', async () => {
    const [maker, ...others] = await people(5);
    const members = [maker!.admin, ...others.map(({ member }) => member)];
    const epoch = await epochOf(members.reverse(), maker!);
    const again = await parseEpochText(epochText(epoch));
    expect(toHex(again.bytes)).to.equal(toHex(epoch.bytes));
    expect(toHex(again.digest)).to.equal(toHex(epoch.digest));
    const keys = again.members.map(({ publicKey }) => toHex(publicKey));
    expect(keys).to.deep.equal(members.map(({ publicKey }) => toHex(publicKey)).sort());
    expect(again.members.filter(({ adminKey }) => adminKey)).to.have.length(1);
    expect(await isEpochSigned(again)).to.equal(true);
  });

  it('names its group in 49 characters', async () => {
    const maker = await person();
    const { digest } = await epochOf([maker.admin], maker);
    const id = groupIdText(digest);
    expect(id).to.match(/^swg1\.[\w-]{44}$/);
    expect(toHex(parseGroupId(id))).to.equal(toHex(digest));
    const wrong = [
      id.slice(0, -1),
      `${id}A`,
      id.replace('swg1', 'swp1'),
      `swg1.${toBase64url(concat(Uint8Array.of(6), digest))}`,
      `swg1.${toBase64url(digest)}A`,
      '',
    ];
    const codes = wrong.map((text) => thrown(() => parseGroupId(text)));
    expect(new Set(codes)).to.deep.equal(new Set(['BAD_ENVELOPE']));
  });

  it('is refused if any byte of it was changed', async () => {
    const maker = await person();
    const epoch = await epochOf([maker.admin, (await person()).member], maker);
    const trust = { group: epoch.digest };
    expect(await outcome(GroupHistory.check([epoch], trust))).to.equal('resolved');
    const step = inDepth(1, 41);
    for (let at = 0; at < epoch.bytes.length; at += step) {
      const bytes = copyOf(epoch.bytes);
      bytes[at]! ^= 1 << (at % 8);
      // With the digest of the changed one as the group's, only structure and signature are left to refuse it.
      const found = await outcome(
        parseEpoch(bytes).then((changed) =>
          GroupHistory.check([changed], { group: changed.digest }),
        ),
      );
      expect(found, `byte ${at}`).to.equal('BAD_ENVELOPE');
    }
  });

  it('is refused if it is cut off, goes on, or is not in its one form', async () => {
    const [maker, other] = await people(2);
    const epoch = await epochOf([maker!.admin], maker!);
    const { bytes } = epoch;
    const changed = (at: number, value: number) => Uint8Array.from(bytes).fill(value, at, at + 1);
    const twoMembers = await epochOf([maker!.admin, other!.member], maker!);
    const entryBytes = 1 + 1_216 + 1_168;
    const isAdminFirst = twoMembers.bytes[AT.admin] === 1;
    const first = AT.admin + entryBytes + (isAdminFirst ? 32 : 0);
    const end = twoMembers.bytes.length - 96;
    const swapped = concat(
      twoMembers.bytes.subarray(0, AT.admin),
      twoMembers.bytes.subarray(first, end),
      twoMembers.bytes.subarray(AT.admin, first),
      twoMembers.bytes.subarray(end),
    );
    const twice = await epochOf([maker!.admin, other!.admin], maker!);
    const adminKey = Buffer.from(other!.signer.publicKey);
    const sameAdmin = Uint8Array.from(twice.bytes);
    sameAdmin.set(maker!.signer.publicKey, Buffer.from(twice.bytes).indexOf(adminKey));
    const wrong: Record<string, Uint8Array> = {
      'with one key of two admins': sameAdmin,
      'cut off': bytes.subarray(0, -1),
      'with a byte more': concat(bytes, new Uint8Array(1)),
      'of another version': changed(0, 2),
      'numbered and without a parent': changed(AT.number + 3, 1),
      'first and of a group': changed(AT.group, 1),
      'of 9 parents': changed(AT.parents, 9),
      'without members': changed(AT.members, 0),
      'of 129 members': changed(AT.members, 129),
      'with another mark of an admin': changed(AT.admin, 2),
      'with members in another order': swapped,
      nothing: new Uint8Array(0),
    };
    for (const [what, each] of Object.entries(wrong)) {
      expect(await outcome(parseEpoch(each)), what).to.equal('BAD_ENVELOPE');
    }
  });

  it('is refused before any work if it is too long', async () => {
    expect(EPOCH_BYTES_MAX).to.equal(330_200);
    expect(await outcome(parseEpoch(new Uint8Array(EPOCH_BYTES_MAX + 1)))).to.equal('TOO_LARGE');
    expect(await outcome(parseEpochText('x'.repeat(EPOCH_TEXT_MAX + 1)))).to.equal('TOO_LARGE');
    expect(await outcome(parseEpochText('swge1.*'))).to.equal('BAD_ENVELOPE');
    expect(await outcome(parseEpochText('swg1.AAAA'))).to.equal('BAD_ENVELOPE');
  });

  it('has 128 members at most, each once, and in less than 310 kB', async () => {
    const maker = await person();
    const others = Array.from({ length: 128 }, () => ({ publicKey: randomBytes(1_216) }));
    const full = await epochOf([maker.admin, ...others.slice(1)], maker);
    expect(full.bytes.length).to.be.within(300_000, 310_000);
    const failure = (work: Promise<Epoch>) => work.then(() => '', String);
    const tooMany = epochOf([maker.admin, ...others], maker);
    expect(await failure(tooMany)).to.equal('RangeError: members: 129, at most 128 fit');
    const twice = epochOf([maker.admin, maker.member], maker);
    expect(await failure(twice)).to.equal('RangeError: members: one is there twice');
  });
});
