import { expect } from 'chai';
import type { Capability } from '../../../src/rpc/key-kinds.ts';
import { METHODS } from '../../../src/rpc/methods/methods.ts';
import type {
  MethodName,
  Methods,
  Method as Row,
  ParamsOf,
  ResultOf,
} from '../../../src/rpc/methods/methods.ts';
import { CASES, type Granted } from '../../support/samples/method-cases.ts';
import { pageCaller } from '../../support/service-fakes.ts';
import { World } from '../../support/service-world.ts';
import { codeOf } from '../../support/outcomes.ts';

/*
 * Every method of the table that needs a grant × what the grant is for × which state the grant is in
 * × who asks. Each cell is one call through the server. The cells of a kind of key and a state share a world, in which the
 * grant is revoked and given anew for each method. The calls are those of method-cases.ts, where a row without a case does not compile.
 */

const A = pageCaller();
const TEXT = new TextEncoder();
const PLAINTEXT = TEXT.encode('matrix');
/** Less than the idle limit: the vault must not lock meanwhile. */
const MINUTE = 60 * 1000;

type Method = {
  [M in MethodName]: Methods[M]['needs'] extends 'grant' ? M : never;
}[MethodName];

const NAMES = (Object.keys(METHODS) as MethodName[]).filter(
  (name): name is Method => METHODS[name].needs === 'grant',
);

/** What the grant has to allow, as the row says; any capability where it does not say. */
function capabilitiesOf(method: Method): readonly Capability[] {
  const { capability = [] }: Row = METHODS[method];
  if (method === 'holdsGrant') return ['seal'];
  return typeof capability === 'string' ? [capability] : capability;
}

type Key = 'app' | 'picked' | 'signing' | 'sync';

/** What `connect` asks for, by kind of key. */
const KEYS: Readonly<Record<Key, Pick<Partial<ParamsOf<'connect'>>, 'key'>>> = {
  app: {},
  picked: { key: { kind: 'sealing' } },
  signing: { key: { kind: 'signing' } },
  sync: { key: { kind: 'sync', collections: ['notes'] } },
};

const ALL: Readonly<Record<Key, readonly Capability[]>> = {
  app: ['seal', 'open'],
  picked: ['seal', 'open'],
  signing: ['sign', 'publicKey'],
  sync: ['sync'],
};

/** The methods that a kind of key is for. */
function methodsOf(key: Key): readonly Method[] {
  return NAMES.filter((name) => {
    const [capability] = capabilitiesOf(name);
    if (capability === 'sync') return key === 'sync';
    if (capability === 'sign' || capability === 'publicKey') return key === 'signing';
    return key === 'app' || key === 'picked';
  });
}

const STATES = ['none', 'granted', 'expired', 'revoked', 'used up', 'other capability'] as const;
type State = (typeof STATES)[number];

/** The page that has the grant comes last: what is refused to the others leaves the grant as it is. */
const CALLERS = {
  'another origin': pageCaller({ origin: 'https://b.example' }),
  'another port': pageCaller({ origin: 'https://a.example:8443' }),
  'the same origin under another page': pageCaller({ topOrigin: 'https://x.a.example' }),
  'another container': pageCaller({ container: 'firefox-container-1' }),
  'the same page': A,
} as const;

/** A message sealed under a full grant, which is then gone: only its bytes stay. */
async function prepared(world: World, key: Key): Promise<Granted> {
  const answer = key === 'app' ? {} : { newKeyLabel: 'Matrix' };
  const [grant] = await world.connect({ ...KEYS[key], capabilities: [...ALL[key]] }, A, answer);
  const { id: grantId, keyId } = grant!;
  const seals = ALL[key].includes('seal');
  const options = { key: keyId };
  const sealed = seals ? await world.call('seal', { plaintext: PLAINTEXT, ...options }) : PLAINTEXT;
  await world.call('revoke', {});
  return { sealed, keyId, grantId };
}

async function bring(world: World, state: State, key: Key, method: Method): Promise<void> {
  if (state === 'none') return;
  const needed = capabilitiesOf(method);
  const other = [...ALL[key], 'mac' as const].find((one) => !needed.includes(one))!;
  const ref = (await world.surface('ui.keys', {})).at(-1)?.ref;
  const requested = {
    ...KEYS[key],
    ...(state === 'expired' && { expiresInMs: MINUTE }),
    ...(state === 'used up' && { maxUses: 1 }),
    capabilities:
      state === 'other capability' ? [other] : needed.length > 0 ? [...needed] : [other],
  };
  await world.connect(requested, A, key === 'app' || ref === undefined ? {} : { ref });
  if (state === 'expired') world.now += MINUTE;
  if (state === 'revoked') await world.call('revoke', {});
}

/** A call as the table has it. Another caller than the first names no key: it was told of none. */
function attempt(world: World, method: Method, granted: Granted, caller = A): Promise<unknown> {
  const params = { ...CASES[method](granted) };
  if (caller !== A) Reflect.deleteProperty(params, 'key');
  return world.call(method, params, caller);
}

/** Rows without an effect take no use: a grant that is used up still allows them. */
const takesUse = (method: Method): boolean => METHODS[method].replay !== 'pure';

/** Takes the one use that the grant has. */
async function useUp(world: World, key: Key, method: Method, sealed: Granted): Promise<void> {
  const taker = key === 'sync' ? 'sync.encryptRecords' : takesUse(method) ? method : 'seal';
  await codeOf(attempt(world, taker, sealed));
}

/** The key of the matrix has no keys of collections; that is said before a use is taken. */
const isOfWeave = (method: Method): boolean => /^sync\.\w+CollectionKeys$/.test(method);

function expected(method: Method, state: State, caller: keyof typeof CALLERS): string {
  if (caller !== 'the same page') return 'NOT_GRANTED';
  if (method === 'keys') {
    return state === 'granted' || state === 'other capability' ? 'ok' : 'NOT_GRANTED';
  }
  if (isOfWeave(method) && (state === 'granted' || state === 'used up')) return 'UNSUPPORTED';
  if (state === 'granted' || (state === 'used up' && !takesUse(method))) return 'ok';
  return state === 'expired' || state === 'used up' ? 'EXPIRED' : 'NOT_GRANTED';
}

describe('The grant matrix', function () {
  this.timeout(60_000);
  for (const key of Object.keys(KEYS) as Key[]) {
    // `connect` grants sync keys for nothing but sync.
    const states = STATES.filter((one) => key !== 'sync' || one !== 'other capability');
    for (const state of states) {
      it(`${key} key, grant ${state}: every method, every caller`, async () => {
        const world = await World.unlocked();
        const sealed = await prepared(world, key);
        for (const method of methodsOf(key)) {
          await world.call('revoke', {});
          await bring(world, state, key, method);
          if (state === 'used up') await useUp(world, key, method, sealed);
          for (const [name, caller] of Object.entries(CALLERS)) {
            const code = await codeOf(attempt(world, method, sealed, caller));
            const answer = expected(method, state, name as keyof typeof CALLERS);
            expect(code, `${method} by ${name}`).to.equal(answer);
          }
        }
      });
    }
  }

  it('locked: no method that needs a grant tells whether there is one', async () => {
    for (const key of Object.keys(KEYS) as Key[]) {
      const world = await World.unlocked();
      const sealed = await prepared(world, key);
      await bring(world, 'granted', key, methodsOf(key)[0]!);
      await world.surface('ui.lock', {});
      for (const method of methodsOf(key)) {
        expect(await codeOf(attempt(world, method, sealed))).to.equal('LOCKED');
        expect(await codeOf(attempt(world, method, sealed, CALLERS['another origin']))).to.equal(
          'LOCKED',
        );
      }
      expect(await codeOf(world.call('grants', {}))).to.equal('LOCKED');
      expect(await codeOf(world.call('revoke', {}))).to.equal('LOCKED');
      const status: ResultOf<'status'> = await world.call('status', {});
      const engines = ['native', 'wasm-simd', 'js'];
      expect(status).to.deep.equal({ locked: true, grants: [], engines });
    }
  });

  it('needs no grant for status and random, locked or not', async () => {
    const world = World.fresh();
    expect(await world.call('status', {})).to.have.property('locked', true);
    expect(await world.call('random', { length: 32 })).to.have.length(32);
    expect(await world.call('random', { length: 0 })).to.have.length(0);
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
