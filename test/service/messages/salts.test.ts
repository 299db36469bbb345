import { expect } from 'chai';
import sinon from 'sinon';
import { Hedge } from '../../../src/service/messages/salts.ts';

/** Both generators broken: they give zeros for ever. */
const broken = { bytes: (lengthBytes: number) => new Uint8Array(lengthBytes) };
const CONTEXT = new TextEncoder().encode('context');
const message = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('The hedge', () => {
  const vault = { hedgeKey: sinon.stub() };
  let hedge: Hedge;

  beforeEach(() => {
    vault.hedgeKey.reset();
    vault.hedgeKey.resolves(new Uint8Array(32).fill(1));
    hedge = new Hedge({ vault, random: broken, platform: broken });
  });

  it('is made once for many messages, so that its counter goes on', async () => {
    const [a, b] = await Promise.all([hedge.salts(), hedge.salts()]);
    expect(a).to.equal(b);
    expect(vault.hedgeKey.callCount).to.equal(1);
  });

  it('gives different salts for different messages although all randomness is broken', async () => {
    const one = (await hedge.salts()).salt(CONTEXT, message('one'));
    hedge.forget();
    expect((await hedge.salts()).salt(CONTEXT, message('two'))).to.not.deep.equal(one);
  });

  it('is mixed with the vault key of each unlock', async () => {
    const before = (await hedge.salts()).salt(CONTEXT, message('one'));
    hedge.forget();
    vault.hedgeKey.resolves(new Uint8Array(32).fill(2));
    expect((await hedge.salts()).salt(CONTEXT, message('one'))).to.not.deep.equal(before);
    expect(vault.hedgeKey.callCount).to.equal(2);
  });
});
