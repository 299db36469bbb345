import { expect } from 'chai';
import { toHex } from '../../../src/crypto/bytes.ts';
import {
  firstEpoch,
  syncKeyOf,
  withMember,
  withoutMember,
} from '../../../src/keys/circle/changes.ts';
import type { Epoch } from '../../../src/keys/circle/epoch.ts';
import { codePair, memberOf } from '../../../src/keys/circle/members.ts';
import type { MemberPair } from '../../../src/keys/circle/members.ts';
import { withLocalChanges } from '../../../src/keys/devices/local-changes.ts';
import { EMPTY_STATE } from '../../../src/keys/devices/shared-state.ts';
import { findCircle, FoundCircleError } from '../../../src/keys/media/found-circle.ts';
import { mediumChanges } from '../../../src/keys/media/medium.ts';
import { newDevice, PARTS, signedBy, X_WING } from '../circle/circle.ts';
import { recordsOfVector } from '../circle/vector-records.ts';

const counting = (from: number) => Uint8Array.from({ length: 16 }, (_, at) => from + at);
const CODE = codePair(counting(0));
const STATE = withLocalChanges(EMPTY_STATE, recordsOfVector(), 'EBESExQVFhcYGRobHB0eHw');

/** A device and the code, in their first epoch. */
async function founded() {
  const device = await newDevice('Laptop');
  const code = await memberOf(CODE, '', X_WING);
  return { device, code, first: await firstEpoch([device.member, code], device.pair, PARTS) };
}

/** What lies on a medium in an epoch that reaches `reader`, by any maker. */
async function itemsOf(
  epoch: Epoch,
  links: readonly Epoch[],
  reader: MemberPair = CODE,
): Promise<ReadonlyMap<string, string>> {
  const syncKey = await syncKeyOf(epoch, reader, PARTS);
  const contents = { epoch, links, state: STATE, syncKey, present: [] };
  return (await mediumChanges(contents, new Map(), [], PARTS.random)).writes;
}

async function faultIn(texts: ReadonlyMap<string, string>, pair = CODE): Promise<string> {
  const error = await findCircle(texts, pair, PARTS).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error instanceof FoundCircleError ? error.fault : String(error);
}

describe('What a recovery code finds on a medium', function () {
  this.timeout(30_000);

  it('is the circle with its newest links, and all of the state', async () => {
    const { device, first } = await founded();
    const other = await newDevice('Phone');
    const second = await withMember(first, other.member, device.pair, PARTS);
    const third = await withoutMember(second, other.pair.id, device.pair, PARTS);
    for (const [epoch, links] of [
      [first, []],
      [second, [first]],
      [third, [first, second]],
    ] as const) {
      const { circle, state } = await findCircle(await itemsOf(epoch, links), CODE, PARTS);
      expect(toHex(circle.epoch.digest)).to.equal(toHex(epoch.digest));
      expect(circle.links.map(({ digest }) => toHex(digest))).to.deep.equal(
        links.map(({ digest }) => toHex(digest)),
      );
      expect(circle.pair).to.equal(CODE);
      expect(state).to.deep.equal(STATE);
    }
  });

  it('is nothing for the code of another circle, and for one that was removed', async () => {
    const { device, first } = await founded();
    expect(await faultIn(await itemsOf(first, []), codePair(counting(1)))).to.equal('unopened');
    const without = await withoutMember(first, CODE.id, device.pair, PARTS);
    expect(await faultIn(await itemsOf(without, [first], device.pair))).to.equal('unopened');
  });

  it('is refused where a stranger has signed an epoch, or a first one has none', async () => {
    const { device, code, first } = await founded();
    const stranger = await newDevice('Stranger');
    const second = await withMember(first, stranger.member, device.pair, PARTS);
    const forged = await signedBy(stranger.pair, { ...second, signer: stranger.pair.id });
    expect(await faultIn(await itemsOf(forged, [first]))).to.equal('refused');
    const own = await firstEpoch([stranger.member, code], stranger.pair, PARTS);
    const signed = await signedBy(device.pair, { ...own, signer: device.pair.id });
    expect(await faultIn(await itemsOf(signed, []))).to.equal('refused');
    expect(await faultIn(await itemsOf(own, []))).to.equal('undefined'); // a circle of their own
  });

  it('is refused where links are missing, or of another chain', async () => {
    const { device, first } = await founded();
    const other = await newDevice('Phone');
    const second = await withMember(first, other.member, device.pair, PARTS);
    expect(await faultIn(await itemsOf(second, []))).to.equal('refused');
    const { first: elsewhere } = await founded();
    expect(await faultIn(await itemsOf(second, [elsewhere]))).to.equal('refused');
  });

  it('is refused where the epoch names other keys for the code than its own', async () => {
    const { device, code, first } = await founded();
    const { member } = await newDevice('Stranger');
    for (const changed of [{ ed25519: member.ed25519 }, { xWing: member.xWing }]) {
      const members = first.members.map((it) =>
        toHex(it.id) === toHex(code.id) ? { ...it, ...changed } : it,
      );
      const forged = await signedBy(device.pair, { ...first, members });
      expect(await faultIn(await itemsOf(forged, []))).to.equal('refused');
    }
  });
});
