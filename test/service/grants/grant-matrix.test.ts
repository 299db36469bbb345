import { expect } from 'chai';
import type { ResultOf } from '../../../src/rpc/methods/methods.ts';
import { packedOf } from '../../support/packed.ts';
import { pageCaller } from '../../support/service-fakes.ts';
import { World, codeOf } from '../../support/service-world.ts';

/*
 * Every method that needs a grant × what the grant is for × which state the grant is in × who asks.
 * Each cell is one call through the server with a world of its own.
 */

const A = pageCaller();
const PLAINTEXT = new TextEncoder().encode('matrix');
/** Less than the idle limit: the vault must not lock meanwhile. */
const MINUTE = 60 * 1000;

const METHODS = [
  'seal',
  'sealText',
  'sealMany',
  'releaseSeal',
  'open',
  'openText',
  'openMany',
  'releaseOpen',
  'mac',
  'verifyMac',
  'blindIndex',
  'keys',
] as const;
type Method = (typeof METHODS)[number];

const KEYS = ['app', 'picked'] as const;
type Key = (typeof KEYS)[number];

const STATES = ['none', 'granted', 'expired', 'revoked', 'used up', 'other capability'] as const;
type State = (typeof STATES)[number];

const CALLERS = {
  'the same page': A,
  'another origin': pageCaller({ origin: 'https://b.example' }),
  'another port': pageCaller({ origin: 'https://a.example:8443' }),
  'the same origin under another page': pageCaller({ topOrigin: 'https://x.a.example' }),
  'another container': pageCaller({ container: 'firefox-container-1' }),
} as const;

interface Sealed {
  readonly bytes: Uint8Array;
  readonly line: Uint8Array;
  readonly keyId: string;
}

/** A message sealed under a full grant, which is then gone: only its bytes stay. */
async function prepared(world: World, key: Key): Promise<Sealed> {
  const wish = key === 'app' ? {} : { key: { kind: 'sealing' as const } };
  const [grant] = await world.connect(wish, A, key === 'app' ? {} : { newKeyLabel: 'Matrix' });
  const bytes = await world.call('seal', { plaintext: PLAINTEXT, key: grant!.keyId });
  const line = await world.call('sealText', { text: PLAINTEXT, key: grant!.keyId });
  await world.call('revoke', {});
  return { bytes, line, keyId: grant!.keyId };
}

function capabilityOf(method: Method): 'seal' | 'open' | 'mac' | 'blindIndex' {
  if (method === 'mac' || method === 'verifyMac') return 'mac';
  if (method === 'blindIndex') return method;
  return /open/i.test(method) ? 'open' : 'seal';
}

async function bring(world: World, state: State, key: Key, method: Method): Promise<void> {
  if (state === 'none') return;
  const needed = capabilityOf(method);
  const other = needed === 'seal' ? 'open' : 'seal';
  const picked = (await world.surface('ui.keys', {})).at(-1)!.ref;
  const wish = {
    ...(key === 'picked' && { key: { kind: 'sealing' as const } }),
    ...(state === 'expired' && { expiresInMs: MINUTE }),
    ...(state === 'used up' && { maxUses: 1 }),
    capabilities: [state === 'other capability' ? other : needed],
  };
  await world.connect(wish, A, key === 'picked' ? { ref: picked } : {});
  if (state === 'expired') world.now += MINUTE;
  if (state === 'revoked') await world.call('revoke', {});
}

function attempt(world: World, method: Method, sealed: Sealed, caller = A): Promise<unknown> {
  const { bytes, line, keyId } = sealed;
  const key = caller === A ? { key: keyId } : {};
  const calls: Record<Method, () => Promise<unknown>> = {
    seal: () => world.call('seal', { plaintext: PLAINTEXT, ...key }, caller),
    sealText: () => world.call('sealText', { text: PLAINTEXT, ...key }, caller),
    sealMany: () => world.call('sealMany', { items: packedOf(PLAINTEXT), ...key }, caller),
    open: () => world.call('open', { sealed: bytes }, caller),
    openMany: () => world.call('openMany', { items: packedOf(bytes) }, caller),
    openText: () => world.call('openText', { armored: line }, caller),
    releaseSeal: () => world.call('releaseSeal', { purpose: 'stream', ...key }, caller),
    releaseOpen: () => world.call('releaseOpen', { head: bytes, totalBytes: bytes.length }, caller),
    mac: () => world.call('mac', { data: PLAINTEXT, ...key }, caller),
    verifyMac: () => world.call('verifyMac', { data: PLAINTEXT, tag: bytes, ...key }, caller),
    blindIndex: () => world.call('blindIndex', { value: PLAINTEXT, field: 'name', ...key }, caller),
    keys: () => world.call('keys', {}, caller),
  };
  return calls[method]();
}

function expected(method: Method, state: State, caller: keyof typeof CALLERS): string {
  if (caller !== 'the same page') return 'NOT_GRANTED';
  if (method === 'keys') {
    return state === 'granted' || state === 'other capability' ? 'ok' : 'NOT_GRANTED';
  }
  if (state === 'granted') return 'ok';
  return state === 'expired' || state === 'used up' ? 'EXPIRED' : 'NOT_GRANTED';
}

describe('The grant matrix', function () {
  this.timeout(60_000);
  for (const key of KEYS) {
    for (const state of STATES) {
      it(`${key} key, grant ${state}: every method, every caller`, async () => {
        for (const method of METHODS) {
          for (const [name, caller] of Object.entries(CALLERS)) {
            const world = await World.unlocked();
            const sealed = await prepared(world, key);
            await bring(world, state, key, method);
            // 'keys' uses nothing up: the one use goes to a seal.
            if (state === 'used up') {
              await attempt(world, method === 'keys' ? 'seal' : method, sealed);
            }
            const code = await codeOf(attempt(world, method, sealed, caller));
            const answer = expected(method, state, name as keyof typeof CALLERS);
            expect(code, `${method} by ${name}`).to.equal(answer);
          }
        }
      });
    }
  }

  it('locked: no method that needs a grant tells whether there is one', async () => {
    for (const key of KEYS) {
      const world = await World.unlocked();
      const sealed = await prepared(world, key);
      await bring(world, 'granted', key, 'seal');
      await world.surface('ui.lock', {});
      for (const method of METHODS) {
        expect(await codeOf(attempt(world, method, sealed))).to.equal('LOCKED');
        expect(await codeOf(attempt(world, method, sealed, CALLERS['another origin']))).to.equal(
          'LOCKED',
        );
      }
      expect(await codeOf(world.call('grants', {}))).to.equal('LOCKED');
      expect(await codeOf(world.call('revoke', {}))).to.equal('LOCKED');
      const status: ResultOf<'status'> = await world.call('status', {});
      expect(status).to.deep.equal({ locked: true, grants: [], engines: ['native', 'js'] });
    }
  });

  it('needs no grant for status, random and inspect, locked or not', async () => {
    const world = World.fresh();
    expect(await world.call('status', {})).to.have.property('locked', true);
    expect(await world.call('random', { length: 32 })).to.have.length(32);
    expect(await world.call('random', { length: 0 })).to.have.length(0);
    const { bytes, line } = await prepared(await World.unlocked(), 'app');
    const info = await world.call('inspect', { sealed: bytes });
    expect(info).to.include({ version: 1, purpose: 'page', recipients: 0, plaintextBytes: 6 });
    expect((await world.call('inspect', { armored: line })).purpose).to.equal('page');
  });
});

describe('A private window', () => {
  it('gets nothing that needs a key, and no word about grants elsewhere', async () => {
    const world = await World.unlocked();
    await world.connect();
    const stored = world.stored();
    const incognito = pageCaller({ incognito: true });
    for (const [method, params] of [
      ['connect', { purpose: 'Hello', capabilities: ['seal'] }],
      ['grants', {}],
      ['revoke', {}],
      ['keys', {}],
      ['seal', { plaintext: PLAINTEXT }],
    ] as const) {
      expect(await codeOf(world.begin(method, params, incognito).answer)).to.equal('UNSUPPORTED');
    }
    const status = await world.call('status', {}, incognito);
    expect(status).to.deep.include({ locked: true, grants: [] });
    expect(await world.call('random', { length: 8 }, incognito)).to.have.length(8);
    expect(world.stored()).to.equal(stored);
  });
});
