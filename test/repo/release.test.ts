import { expect } from 'chai';
import { checkedItems, releaseItems } from '../../scripts/release.mjs';
import scripts from '../../package.json' with { type: 'json' };

/** What only a person can say. */
const BY_HAND = ['test', 'screenshots', 'packages', 'stores'];

describe('The list of a release', () => {
  it('is read whole, and names commands that exist', () => {
    const items = releaseItems();
    expect(items.length).to.be.at.least(16);
    for (const { command } of items) {
      const [, name] = /^npm run ([\w:]+)/.exec(command) ?? [];
      if (name !== undefined) expect(scripts.scripts).to.have.property(name);
    }
  });

  it('is checked item by item, without a guess at what a person has to look at', () => {
    const items = checkedItems();
    const byHand = items.filter(({ name }) => BY_HAND.includes(name));
    expect(byHand.map(({ ok }) => ok)).to.deep.equal(BY_HAND.map(() => undefined));
    const version = items.find(({ name }) => name === 'version');
    expect(version).to.include({ note: scripts.version });
    expect(items.find(({ name }) => name === 'clean')!.ok).to.be.a('boolean');
  });
});
