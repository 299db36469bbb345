import { expect } from 'chai';
import { createHash } from 'node:crypto';
import type { NameIn } from '../../../src/rpc/methods/method.ts';
import { MAX_SUBTLE_BYTES } from '../../../src/rpc/limits.ts';
import type { ParamsOf } from '../../../src/rpc/methods/methods.ts';
import type { PAGE_METHODS } from '../../../src/rpc/methods/page.ts';
import { laterByMessages } from '../../../src/rpc/timers.ts';
import type { Operation } from '../../../src/rpc/workshop.ts';
import { inBatch } from '../../../src/service/calls/batch.ts';
import { UNPACED_BYTES } from '../../../src/service/calls/thread-share.ts';
import { Yielder } from '../../../src/service/calls/yielding.ts';
import { onThread } from '../../fuzz/platform-on-thread.ts';
import { codeOf } from '../../support/outcomes.ts';
import { packedOf } from '../../support/packed.ts';
import { pageSubtle } from '../../support/page-subtle.ts';
import { settled } from '../../support/service-fakes.ts';
import { World } from '../../support/service-world.ts';

const MIB = 2 ** 20;
/** More than the platform gets in one piece. */
const LONG = new Uint8Array(MAX_SUBTLE_BYTES + MIB);
const MOST = LONG.subarray(0, MAX_SUBTLE_BYTES);
/** Of eight chunks. */
const MESSAGE = LONG.slice(0, 8 * MIB);
/** A chunk of a long message, and what the vault's own records have meanwhile. */
const PIECE_BYTES = MIB + UNPACED_BYTES;
const SIGNATURE = new Uint8Array(64);

/** A page that may do everything, a counted number of times: what its calls ask for is hashed as well. */
interface Page {
  readonly world: World;
  readonly signingKey: string;
}

/**
 * Who does the long part of a call. 'pieces': the platform, of at most 1 MiB, between which others are answered. 'one
 * piece': the platform, of at most what `subtle` accepts. The others are operations of the workshop.
 */
type Way = 'pieces' | 'one piece' | Operation;

/** A call with long parameters. */
interface LongCall {
  readonly way: Way;
  /** @returns begins the call */
  readonly prepared: (page: Page) => Promise<() => Promise<unknown>>;
}

type Method = NameIn<typeof PAGE_METHODS>;

function long<M extends Method>(
  method: M,
  way: Way,
  params: (page: Page) => ParamsOf<M> | Promise<ParamsOf<M>>,
): readonly [M, LongCall] {
  const prepared = async (page: Page) => {
    const given = await params(page);
    return () => page.world.call(method, given);
  };
  return [method, { way, prepared }];
}

/** The same for a method of `subtle`. */
function subtle(
  method: 'digest' | 'encrypt' | 'decrypt' | 'sign',
  begun: (page: SubtleCrypto) => Promise<() => Promise<unknown>>,
): readonly [Method, LongCall] {
  const prepared = ({ world }: Page) => begun(pageSubtle(world));
  return [`subtle.${method}`, { way: 'one piece', prepared }];
}

const sealed = ({ world }: Page) => world.call('seal', { plaintext: MESSAGE });
const items = async (page: Page) => ({ items: packedOf(await sealed(page), new Uint8Array(9)) });
const checked = { data: LONG, signature: SIGNATURE };
const GCM = { name: 'AES-GCM', iv: new Uint8Array(12) };
const aesKey = (page: SubtleCrypto) =>
  page.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);

/** The methods of pages whose work grows with bytes that a page gives. */
const LONG_CALLS: readonly (readonly [Method, LongCall])[] = [
  long('seal', 'pieces', () => ({ plaintext: MESSAGE })),
  long('sealText', 'pieces', () => ({ text: MESSAGE })),
  long('sealMany', 'pieces', () => ({ items: packedOf(MESSAGE, new Uint8Array(9)) })),
  long('open', 'pieces', async (page) => ({ sealed: await sealed(page) })),
  long('openMany', 'pieces', items),
  long('rewrap', 'pieces', async (page) => ({ sealed: await sealed(page) })),
  long('rewrapMany', 'pieces', items),
  long('openText', 'pieces', async (page) => ({ sealed: await sealed(page) })),
  long('mac', 'signature.mac', () => ({ data: LONG })),
  long('verifyMac', 'signature.mac', async ({ world }) => ({
    data: LONG,
    tag: await world.call('mac', { data: LONG }),
  })),
  long('sign', 'signature.sign', ({ signingKey: key }) => ({ data: LONG, key })),
  long('verify', 'signature.verify', ({ signingKey: key }) => ({ ...checked, key })),
  long('verifyByPublicKey', 'signature.verify', async ({ world, signingKey: keyId }) => ({
    ...checked,
    publicKey: await world.call('publicKey', { keyId }),
  })),
  subtle('digest', (page) => Promise.resolve(() => page.digest('SHA-512', MOST))),
  subtle('encrypt', async (page) => {
    const key = await aesKey(page);
    return () => page.encrypt(GCM, key, MOST);
  }),
  subtle('decrypt', async (page) => {
    const key = await aesKey(page);
    const data = await page.encrypt(GCM, key, MOST.subarray(16));
    return () => page.decrypt(GCM, key, data);
  }),
  subtle('sign', async (page) => {
    const hmac: HmacKeyGenParams = { name: 'HMAC', hash: 'SHA-256' };
    const key = await page.generateKey(hmac, false, ['sign']);
    return () => page.sign(hmac, key, MOST);
  }),
];

/** All others, with what they do. */
const OTHERS: readonly (readonly [why: string, methods: RegExp])[] = [
  ['no bytes, or some KiB', /^(?:status|random(?:UUID|Int)|connect|grants|revoke|keys)$/],
  ['no bytes, or some KiB', /^(?:rotateKey|publicKey|sync\.\w+CollectionKeys)$/],
  ['64 KiB at most', /^blindIndex$/],
  ['1 MiB at most, in its turn: thread-share.test.ts', /^random$/],
  ['in the workshop: test/service/sync', /^sync\.(?:(?:en|de)cryptRecords|checkpoint|verify)$/],
  ['as its twin', /^subtle\.verify$/],
  ['in the workshop: dispatcher.test.ts', /^subtle\.(?!digest|encrypt|decrypt|sign|verify)\w+$/],
];

describe('The bytes of a call of a page', function () {
  this.timeout(60_000);
  const platform = crypto.subtle;
  let page: Page;
  /** The most bytes that the platform was given between two messages, how many messages there were, and all bytes. */
  let most = 0;
  let messages = 0;
  let given = 0;
  let inWorkshop = 0;

  before(() => {
    let since = 0;
    let at = 0;
    const tell = (bytes: number): void => {
      if (inWorkshop > 0) return;
      given += bytes;
      since = (at === messages ? since : 0) + bytes;
      at = messages;
      most = Math.max(most, since);
    };
    Object.defineProperty(crypto, 'subtle', {
      value: likeChromiums(platform, tell),
      configurable: true,
    });
  });
  after(() => Reflect.deleteProperty(crypto, 'subtle'));

  beforeEach(async () => {
    const world = await World.unlocked();
    const { workshop } = world;
    world.workshop = {
      call: async (...args) => {
        inWorkshop++;
        return workshop.call(...args).finally(() => inWorkshop--);
      },
    };
    await world.connect({ capabilities: ['seal', 'open', 'mac'], maxUses: 1_000 });
    const signing = { key: { kind: 'signing' }, capabilities: ['sign', 'publicKey'] } as const;
    const asked = { ...signing, capabilities: [...signing.capabilities], maxUses: 1_000 };
    const granted = await world.connect(asked, undefined, { newKeyLabel: 'Mine' });
    page = { world, signingKey: granted[0]!.keyId };
  });

  /** Does the work while messages arrive one after the other. */
  async function amongMessages(work: () => Promise<unknown>): Promise<void> {
    let isOver = false;
    const later = laterByMessages();
    const deliver = (): void => {
      messages++;
      if (!isOver) later(deliver);
    };
    deliver();
    [most, messages] = [0, 0];
    await work().finally(() => (isOver = true));
  }

  for (const [method, { way, prepared }] of LONG_CALLS) {
    const where = /\./.test(way) ? `by ${way} of the workshop` : `in ${way}`;
    it(`are worked on ${where}: ${method}`, async () => {
      const begin = await prepared(page);
      page.world.operations.length = 0;
      await amongMessages(begin);
      // What the call asks for is hashed in pieces, too.
      expect(most).to.be.at.most(way === 'one piece' ? MOST.length : PIECE_BYTES);
      if (way === 'pieces') expect(messages).to.be.at.least(MESSAGE.length / MIB);
      else if (way !== 'one piece') expect(page.world.operations).to.include(way);
    });
  }

  for (const [how, code] of [
    ['lock', 'LOCKED'],
    ['revoke', 'NOT_GRANTED'],
  ] as const) {
    it(`are worked on no longer after a ${how} between two pieces`, async () => {
      const { world } = page;
      const grants = await world.call('grants', {});
      const grantIds = grants.map(({ id }) => id);
      const params = { items: packedOf(await sealed(page)) };
      given = 0;
      const call = world.call('rewrapMany', params);
      // What the call asks for has been hashed, and its message is being opened.
      while (given < MESSAGE.length + 2 * MIB) await new Promise((resume) => setImmediate(resume));
      const ending =
        how === 'lock' ? world.surface('ui.lock', {}) : world.surface('ui.revoke', { grantIds });
      expect(await codeOf(call)).to.equal(code);
      await ending;
      const before = given;
      for (let i = 0; i < 20; i++) await settled();
      expect(given - before).to.be.below(PIECE_BYTES);
      expect(given).to.be.below(2 * MESSAGE.length);
    });
  }

  it('are looked at in every method that pages have', async () => {
    const { PAGE_METHODS: all } = await import('../../../src/rpc/methods/page.ts');
    const named = new Set<string>(LONG_CALLS.map(([method]) => method));
    const others = Object.keys(all).filter((method) => !named.has(method));
    const unknown = others.filter((method) => !OTHERS.some(([, methods]) => methods.test(method)));
    expect(unknown).to.deep.equal([]);
  });
});

describe('The waves of a batch', () => {
  const ITEM = { status: 'fulfilled', value: new Uint8Array(0) } as const;

  async function waves(lengths: readonly number[], recipients?: number): Promise<number[]> {
    const sizes: number[] = [];
    await inBatch({
      items: lengths.map((length) => new Uint8Array(length)),
      recipients,
      work: (items) => {
        sizes.push(items.length);
        return Promise.resolve(items.map(() => ITEM));
      },
      call: { progress: () => undefined },
      signal: new AbortController().signal,
      yielder: new Yielder(setImmediate, () => 0),
    });
    return sizes;
  }
  const many = Array<number>(20).fill(9);

  it('have 16 items and 1 MiB, unless one is longer', async () => {
    expect(await waves(many)).to.deep.equal([16, 4]);
    expect(await waves([MIB / 2, MIB / 2, 1, 2 * MIB, 9, 9])).to.deep.equal([2, 1, 1, 2]);
    expect(await waves([])).to.deep.equal([]);
  });

  it('have fewer items where each has recipients', async () => {
    expect(await waves(many, 1)).to.deep.equal([16, 4]);
    expect(await waves(many, 5)).to.deep.equal([4, 4, 4, 4, 4]);
    expect(await waves(many, 16)).to.deep.equal(many.map(() => 1));
  });
});

/** WebCrypto that works on the thread that asks for it, and has its result in the same task. */
function likeChromiums(platform: SubtleCrypto, tell: (bytes: number) => void): SubtleCrypto {
  const here = onThread(platform);
  const digest = (name: string, data: Uint8Array): Promise<ArrayBuffer> => {
    const hash = createHash(name.replace('SHA-', 'sha')).update(data);
    return Promise.resolve(new Uint8Array(hash.digest()).buffer);
  };
  return new Proxy(here, {
    get(target, name) {
      const method = (name === 'digest' ? digest : Reflect.get(target, name)) as (
        ...args: unknown[]
      ) => unknown;
      if (!['digest', 'encrypt', 'decrypt', 'sign'].includes(String(name))) return method;
      return (...args: unknown[]) => {
        tell((args.at(-1) as Uint8Array).length);
        return method(...args);
      };
    },
  });
}
