import { expect } from 'chai';

/* What a page's element with the id "browser" is to a content script: a property that is not its global object's own. */
describe('a content script in a browser without `browser`', () => {
  const inherited = Object.getPrototypeOf(globalThis) as Record<string, unknown>;

  afterEach(() => {
    Reflect.deleteProperty(inherited, 'browser');
    Reflect.deleteProperty(globalThis, 'browser');
  });

  const seen = () => Reflect.get(globalThis, 'browser') as unknown;
  const load = (time: string) => import(`../../../extension/platform/own-browser.ts?${time}`);

  it('does not take an element of the page for it', async () => {
    inherited['browser'] = { runtime: { id: 'planted' } };
    expect(seen()).to.not.equal(undefined);
    await load('planted');
    expect(seen()).to.equal(undefined);
  });

  it('keeps one that the browser has', async () => {
    const own = { runtime: { id: 'own' } };
    Reflect.defineProperty(globalThis, 'browser', { value: own, configurable: true });
    await load('own');
    expect(seen()).to.equal(own);
  });
});
