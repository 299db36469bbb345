import { expect } from 'chai';
import { CIRCLE } from '../../../src/keys/annotations/deletions.ts';
import { firstEpoch, withMember, withoutMember } from '../../../src/keys/circle/changes.ts';
import { circleOf, circleRecord, FOLLOWED_MAX } from '../../../src/keys/circle/circle-record.ts';
import type { Circle } from '../../../src/keys/circle/circle-record.ts';
import type { Epoch } from '../../../src/keys/circle/epoch.ts';
import { parseLink } from '../../../src/keys/circle/epoch.ts';
import { MERGED_LINES } from '../../../src/keys/devices/device-record.ts';
import { newDevice, PARTS } from './circle.ts';
import type { Person } from './circle.ts';

describe('The record of a circle', function () {
  this.timeout(30_000);
  let laptop: Person;
  let phone: Person;
  let epochs: Epoch[];
  before(async () => {
    [laptop, phone] = [await newDevice('Laptop'), await newDevice('Phone')];
    const first = await firstEpoch([laptop.member], laptop.pair, PARTS);
    const second = await withMember(first, phone.member, laptop.pair, PARTS);
    epochs = [first, second, await withoutMember(second, phone.pair.id, laptop.pair, PARTS)];
  });

  const after = (count: number): Circle => {
    const links = epochs.slice(0, count - 1).map(({ bytes }) => parseLink(bytes));
    return { pair: laptop.pair, links, epoch: epochs[count - 1]! };
  };

  it('is the same after the vault, with the newest of many epochs', () => {
    expect(circleOf(circleRecord(after(3)))).to.deep.equal(after(3));
    const { links, ...rest } = after(3);
    const many = Array.from({ length: FOLLOWED_MAX }, () => links[1]!);
    const kept = circleOf(circleRecord({ ...rest, links: [links[0]!, ...many] })).links;
    expect(kept).to.deep.equal(many);
  });

  it('is the one that has followed further, where two lines of a vault join', async () => {
    const [early, late] = [circleRecord(after(1)), circleRecord(after(3))];
    const joined = (own: object[], other: object[]) =>
      MERGED_LINES.merge(own as never, other as never).filter(({ type }) => type === CIRCLE);
    expect(joined([early], [late])).to.deep.equal([late]);
    expect(joined([late], [early])).to.deep.equal([late]);
    expect(joined([early], [])).to.deep.equal([early]);
    expect(joined([], [early])).to.deep.equal([early]);
    const aside = await withMember(epochs[0]!, phone.member, laptop.pair, PARTS);
    const forked = circleRecord({ ...after(1), epoch: aside });
    expect(joined([late], [forked])).to.deep.equal([late]);
    expect(joined([forked], [late])).to.deep.equal([forked]);
  });
});
