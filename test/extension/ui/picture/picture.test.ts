import { expect } from 'chai';
import { ownPicture } from '../../../../extension/ui/picture/own-picture.ts';
import { isPicture, newPicture, SYMBOLS } from '../../../../extension/ui/picture/picture.ts';

const drawn = () => newPicture((target) => crypto.getRandomValues(target));

/** Keeps values as `storage.local` does, after a moment. */
function fakeLocalValues(kept: Record<string, unknown> = {}) {
  return {
    kept,
    get: (key: string) => Promise.resolve(kept[key]),
    set: (key: string, value: unknown) =>
      Promise.resolve(void (kept[key] = structuredClone(value))),
  };
}

/** One after the other, as a Web Lock lets them. */
function oneByOne() {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work);
    last = next;
    return next;
  };
}

describe('the picture of an installation', () => {
  it('shows three different things, and every one of them sooner or later', () => {
    const pictures = Array.from({ length: 500 }, drawn);
    for (const { symbols } of pictures) expect(new Set(symbols).size).to.equal(3);
    const seen = new Set(pictures.flatMap(({ symbols }) => symbols));
    expect([...seen].sort()).to.deep.equal(Object.keys(SYMBOLS).sort());
    expect(new Set(pictures.map(({ tone }) => tone)).size).to.equal(8);
    expect(new Set(pictures.map(({ outline }) => outline)).size).to.equal(4);
    expect(new Set(pictures.map((it) => JSON.stringify(it))).size).to.be.above(490);
  });

  it('follows from what was drawn, the last thing too', () => {
    const first = newPicture((target) => target.fill(0));
    expect(first.symbols).to.deep.equal(['anchor', 'apple', 'bell']);
    const last = newPicture((target) => target.fill(0xffffffff));
    expect(isPicture(last)).to.equal(true);
  });

  it('stays the same, for pages that ask at once too', async () => {
    const localValues = fakeLocalValues();
    const exclusive = oneByOne();
    const all = await Promise.all(
      Array.from({ length: 8 }, () => ownPicture(localValues, exclusive)),
    );
    for (const each of all) expect(each).to.deep.equal(all[0]);
    expect(await ownPicture(localValues, exclusive)).to.deep.equal(all[0]);
  });

  it('is drawn anew where what was kept cannot be drawn', async () => {
    const good = drawn();
    const bad: unknown[] = [
      null,
      'picture',
      {},
      { ...good, tone: 'pink' },
      { ...good, outline: 'toString' },
      { ...good, symbols: good.symbols.slice(1) },
      { ...good, symbols: ['anchor', 'apple', 'constructor'] },
      { ...good, symbols: 'abc' },
    ];
    for (const picture of bad) {
      expect(isPicture(picture)).to.equal(false);
      expect(isPicture(await ownPicture(fakeLocalValues({ picture }), oneByOne()))).to.equal(true);
    }
    expect(isPicture(good)).to.equal(true);
  });
});
