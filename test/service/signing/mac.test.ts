import { expect } from 'chai';
import { createHmac, randomBytes } from 'node:crypto';
import { deriveIndexKey, deriveMacKey } from '../../../src/keys/ring/key-derivation.ts';
import { pageCaller } from '../../support/service-fakes.ts';
import { World } from '../../support/service-world.ts';
import { codeOf } from '../../support/outcomes.ts';

const A = pageCaller();
const B = pageCaller({ origin: 'https://b.example', documentId: 'doc-b' });
const DATA = new TextEncoder().encode('The quick brown fox');
const VALUE = new TextEncoder().encode('ada@example.org');
const BOTH: ('mac' | 'blindIndex')[] = ['mac', 'blindIndex'];
const ORIGIN = 'https://a.example';

/** RFC 5869 section 2.3 by hand: one block of HMAC-SHA-512 is more than is asked for. */
function expanded(key: Uint8Array, ...info: (string | number[])[]): Uint8Array {
  const hash = createHmac('sha512', key);
  for (const part of info) hash.update(typeof part === 'string' ? part : Uint8Array.from(part));
  return hash.update(Uint8Array.of(1)).digest().subarray(0, 32);
}

/** A key that both origins may use. */
async function shared(world: World): Promise<readonly [string, string]> {
  const requested = { key: { kind: 'sealing' as const }, capabilities: BOTH };
  const [own] = await world.connect(requested, A, { newKeyLabel: 'Shared' });
  const { ref } = (await world.surface('ui.keys', {})).at(-1)!;
  const [others] = await world.connect(requested, B, { ref });
  return [own!.keyId, others!.keyId];
}

describe('What MACs and indexes are made of', () => {
  const key = new Uint8Array(randomBytes(32));

  it('is what docs/format.md says, made by node:crypto', () => {
    expect(deriveMacKey(key, ORIGIN)).to.deep.equal(
      new Uint8Array(expanded(key, 'SWM1 mac', [0, 17], ORIGIN)),
    );
    expect(deriveIndexKey(key, ORIGIN, 'Straße')).to.deep.equal(
      new Uint8Array(expanded(key, 'SWM1 idx', [0, 17], ORIGIN, 'Straße')),
    );
  });
});

describe('MACs for a page', () => {
  let world: World;

  beforeEach(async () => {
    world = await World.unlocked();
  });

  it('verify what they were made of, and nothing else', async () => {
    await world.connect({ capabilities: ['mac'] });
    const tag = await world.call('mac', { data: DATA });
    expect(tag).to.have.length(32);
    expect(await world.call('verifyMac', { data: DATA, tag })).to.equal(true);
    const changed = tag.map((byte, i) => (i === 31 ? byte ^ 1 : byte));
    const none = new Uint8Array(0);
    for (const wrong of [changed, tag.subarray(0, 31), none, Uint8Array.of(...tag, 0)]) {
      expect(await world.call('verifyMac', { data: DATA, tag: wrong })).to.equal(false);
    }
    const shorter = DATA.subarray(1);
    expect(await world.call('verifyMac', { data: shorter, tag })).to.equal(false);
  });

  it('are the same after a restart, and false before the key was ever used', async () => {
    await world.connect({ capabilities: ['mac'] });
    const never = await world.call('verifyMac', { data: DATA, tag: new Uint8Array(32) });
    expect(never).to.equal(false);
    const tag = await world.call('mac', { data: DATA });
    world.restart();
    expect(await world.call('mac', { data: DATA })).to.deep.equal(tag);
    expect(await world.call('verifyMac', { data: DATA, tag })).to.equal(true);
  });

  it('say nothing on another origin, even under a key that both may use', async () => {
    const [own, others] = await shared(world);
    const tag = await world.call('mac', { data: DATA, key: own });
    expect(await world.call('mac', { data: DATA, key: others }, B)).to.not.deep.equal(tag);
    expect(await world.call('verifyMac', { data: DATA, tag, key: others }, B)).to.equal(false);
    const there = await world.call('blindIndex', { value: VALUE, field: 'f', key: others }, B);
    const here = await world.call('blindIndex', { value: VALUE, field: 'f', key: own });
    expect(here).to.not.deep.equal(there);
  });

  it('take one use each', async () => {
    await world.connect({ capabilities: BOTH, maxUses: 3 });
    const tag = await world.call('mac', { data: DATA });
    await world.call('verifyMac', { data: DATA, tag });
    await world.call('blindIndex', { value: VALUE, field: 'f' });
    expect(await codeOf(world.call('mac', { data: DATA }))).to.equal('EXPIRED');
  });
});

describe('Blind indexes', () => {
  let world: World;

  beforeEach(async () => {
    world = await World.unlocked();
    await world.connect({ capabilities: ['blindIndex'] });
  });

  const index = (value: string, field: string) =>
    world.call('blindIndex', { value: new TextEncoder().encode(value), field });

  it('are equal for equal values of one field, and for nothing else', async () => {
    const first = await index('ada@example.org', 'mail');
    expect(first).to.have.length(32);
    expect(await index('ada@example.org', 'mail')).to.deep.equal(first);
    expect(await index('Ada@example.org', 'mail')).to.not.deep.equal(first);
    expect(await index('ada@example.org', 'mail2')).to.not.deep.equal(first);
    // Field and value do not run into one another.
    expect(await index('b', 'a')).to.not.deep.equal(await index('', 'ab'));
    world.restart();
    expect(await index('ada@example.org', 'mail')).to.deep.equal(first);
  });

  it('are of the first generation, and refuse one that the key has not come to', async () => {
    const first = await index('x', 'f');
    const value = new TextEncoder().encode('x');
    const named = await world.call('blindIndex', { value, field: 'f', generation: 1 });
    expect(named).to.deep.equal(first);
    const later = world.call('blindIndex', { value, field: 'f', generation: 2 });
    expect(await codeOf(later)).to.equal('INVALID_ARGUMENT');
  });

  it('need a permission of their own', async () => {
    expect(await codeOf(world.call('mac', { data: DATA }))).to.equal('NOT_GRANTED');
    expect(await codeOf(world.call('seal', { plaintext: DATA }))).to.equal('NOT_GRANTED');
  });
});
