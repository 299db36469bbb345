import { expect } from 'chai';
import { cheapKdf } from '../../support/stores/memory-store.ts';
import { inDepth } from '../../support/depth.ts';
import { packedOf } from '../../support/packed.ts';
import { pageCaller } from '../../support/service-fakes.ts';
import { PASSPHRASE, POPUP, World } from '../../support/service-world.ts';
import { codeOf } from '../../support/outcomes.ts';

const MINUTE = 60_000;
const PLAINTEXT = new TextEncoder().encode('locked?');

describe('Locking', () => {
  let world: World;
  const locked = async (): Promise<boolean> => (await world.call('status', {})).locked;
  const seal = (): Promise<string> => codeOf(world.call('seal', { plaintext: PLAINTEXT }));

  beforeEach(async () => {
    world = await World.unlocked();
    await world.connect();
    world.events.log.length = 0;
  });

  it('comes after ten idle minutes, and not before', async () => {
    world.now += 10 * MINUTE - 1;
    expect(await locked()).to.equal(false);
    world.now += 1;
    expect(await locked()).to.equal(true);
    expect(await seal()).to.equal('LOCKED');
    expect(world.events.log).to.deep.equal(['lock']);
  });

  it('is put off by work, not by asking how things stand', async () => {
    world.now += 9 * MINUTE;
    expect(await seal()).to.equal('ok');
    world.now += 9 * MINUTE;
    expect(await seal()).to.equal('ok');
    world.now += 9 * MINUTE;
    expect(await locked()).to.equal(false);
    await world.surface('ui.state', {});
    world.now += MINUTE;
    expect(await locked()).to.equal(true);
  });

  it('is not put off by calls without a grant, of whatever kind', async () => {
    const stranger = pageCaller({ origin: 'https://b.example', documentId: 'doc-b' });
    const calls = [
      () => world.call('keys', {}, stranger),
      () => world.call('seal', { plaintext: PLAINTEXT }, stranger),
      () => world.call('open', { sealed: PLAINTEXT }, stranger),
      () => world.call('seal', { plaintext: PLAINTEXT, key: 'unknown' }),
      () => world.call('random', { length: 8 }, stranger),
      () => world.call('sealMany', { items: packedOf(PLAINTEXT) }, stranger),
      () => world.call('keys', {}),
    ];
    for (let minute = 0; minute < 9; minute++) {
      world.now += MINUTE;
      for (const call of calls) await codeOf(call());
    }
    void world.begin('connect', { purpose: 'x', capabilities: ['seal'] }, stranger);
    world.now += MINUTE;
    expect(await locked()).to.equal(true);
  });

  it('is not put off by pages while the user is away, whatever their grants', async () => {
    world.presence.active = false;
    for (let minute = 0; minute < 9; minute++) {
      world.now += MINUTE;
      expect(await seal()).to.equal('ok');
    }
    world.now += MINUTE;
    expect(await seal()).to.equal('LOCKED');
    await world.surface('ui.unlock', { passphrase: PASSPHRASE });
    world.now += 9 * MINUTE;
    world.presence.active = true;
    expect(await seal()).to.equal('ok');
    world.now += 9 * MINUTE;
    expect(await locked()).to.equal(false);
  });

  it('is put off by what the user does, with or without pages', async () => {
    world.presence.active = false;
    world.now += 9 * MINUTE;
    await world.surface('ui.createKey', { label: 'Letters' });
    world.now += 9 * MINUTE;
    expect(await locked()).to.equal(false);
  });

  it('comes twelve hours after the unlock, whatever is done', async () => {
    for (let minutes = 0; minutes < 12 * 60; minutes += 9) {
      expect(await seal()).to.equal('ok');
      world.now += 9 * MINUTE;
    }
    expect(await seal()).to.equal('LOCKED');
  });

  it('wakes the worker at the deadline, and again when that has moved', async () => {
    const planned = world.wakeUp.planned!;
    expect(planned).to.equal(world.now + 10 * MINUTE);
    world.now += 5 * MINUTE;
    await seal();
    world.now = planned;
    world.restart();
    await world.service.wakeUpCame();
    expect(world.events.log).to.deep.equal([]);
    expect(world.wakeUp.planned).to.equal(planned + 5 * MINUTE);
    world.now = world.wakeUp.planned!;
    world.restart();
    await world.service.wakeUpCame();
    expect(world.events.log).to.deep.equal(['lock']);
    expect(world.wakeUp.planned).to.equal(null);
  });

  it('comes at once with the screen lock, and is told once', async () => {
    await world.service.lockNow();
    await world.service.lockNow();
    expect(await locked()).to.equal(true);
    expect(world.events.log).to.deep.equal(['lock']);
    await world.surface('ui.unlock', { passphrase: PASSPHRASE });
    expect(world.events.log).to.deep.equal(['lock', 'unlock']);
    expect(await seal()).to.equal('ok');
  });

  it('is in the activity with what locked the vault, and an unlock with its secret', async () => {
    const logged = async () => {
      const page = await world.surface('ui.activity', { by: 'user', offset: 0, limit: 1 });
      return page.entries[0]!.operation;
    };
    const unlock = async (): Promise<void> => {
      world.now += MINUTE;
      await world.surface('ui.unlock', { passphrase: PASSPHRASE });
    };
    const before = (at: number) =>
      world.surface('ui.activity', { by: 'user', offset: at, limit: 1 });
    for (const [lock, operation] of [
      [() => world.surface('ui.lock', {}), 'lock'],
      [() => world.service.lockNow(), 'lock'],
      [() => world.service.lockNow('lockWithScreen'), 'lockWithScreen'],
      [() => void (world.now += 10 * MINUTE), 'lockByTime'],
    ] as const) {
      world.now += MINUTE;
      await lock();
      await locked();
      await unlock();
      expect(await logged()).to.equal('unlock');
      expect((await before(1)).entries[0]!.operation).to.equal(operation);
    }
    const { code } = await world.surface('ui.addRecoveryCode', {
      by: { passphrase: PASSPHRASE },
    });
    await world.surface('ui.lock', {});
    world.now += MINUTE;
    await world.surface('ui.unlockBy', { by: { recoveryCode: code } });
    expect(await logged()).to.equal('unlockByCode');
    // As it is typed in the place of the passphrase.
    await world.surface('ui.lock', {});
    world.now += MINUTE;
    expect(await world.surface('ui.unlock', { passphrase: code })).to.deep.equal({
      by: 'recovery-code',
    });
    expect(await logged()).to.equal('unlockByCode');
  });

  it('follows the user’s setting, now and after the next unlock', async () => {
    await world.surface('ui.setAutoLock', { autoLockMs: 2 * MINUTE });
    for (const unlockAgain of [false, true]) {
      if (unlockAgain) await world.surface('ui.unlock', { passphrase: PASSPHRASE });
      const state = await world.surface('ui.state', {});
      expect(state).to.include({ autoLockMs: 2 * MINUTE, lockAt: world.now + 2 * MINUTE });
      expect(world.wakeUp.planned).to.equal(world.now + 2 * MINUTE);
      world.now += 2 * MINUTE;
      expect(await locked()).to.equal(true);
    }
  });

  it('refuses a setting that would never lock, or lock under one’s hands', async () => {
    const stored = world.stored();
    for (const autoLockMs of [0, MINUTE - 1, 12 * 60 * MINUTE + 1, Number.MAX_SAFE_INTEGER]) {
      const attempt = world.surface('ui.setAutoLock', { autoLockMs });
      expect(await codeOf(attempt)).to.equal('INVALID_ARGUMENT');
    }
    expect(world.stored()).to.equal(stored);
  });

  it('shows what state the vault is in, and when it will lock', async () => {
    const shown = { version: '0.0.0', engines: ['native', 'wasm-simd', 'js'] };
    expect(await World.fresh().surface('ui.state', {})).to.deep.include({
      ...shown,
      vault: 'absent',
      created: null,
      lockAt: null,
    });
    expect(await world.surface('ui.state', {})).to.deep.include({ ...shown, vault: 'unlocked' });
    await world.surface('ui.lock', {});
    expect(await world.surface('ui.state', {})).to.deep.include({ vault: 'locked', lockAt: null });
  });

  it('opens with the passphrase alone', async () => {
    await world.surface('ui.lock', {});
    const wrong = world.surface('ui.unlock', { passphrase: `${PASSPHRASE}!` });
    expect(await codeOf(wrong)).to.equal('AUTH_FAILED');
    expect(await locked()).to.equal(true);
    const twice = world.surface('ui.createVault', { passphrase: 'another one' });
    expect(await codeOf(twice)).to.equal('INVALID_ARGUMENT');
    const odd = world.surface('ui.unlock', { passphrase: 'tab\tin it' });
    expect(await codeOf(odd)).to.be.oneOf(['AUTH_FAILED', 'INVALID_ARGUMENT']);
  });

  it('tells a frame that is not served nothing at all', async () => {
    const opaque = pageCaller({ origin: 'null' });
    expect(await codeOf(world.call('status', {}, opaque))).to.equal('UNSUPPORTED');
  });
});

describe('A lock during work that ends in an unlock', () => {
  const UNDER = { passphrase: 'a passphrase of its own' };
  const BY = { passphrase: PASSPHRASE };
  const PRF = new Uint8Array(32).fill(3);

  const LOCKS: Readonly<Record<string, (world: World) => Promise<unknown>>> = {
    'in our own pages': (world) => world.call('ui.lock', {}, POPUP),
    'by the screen, a key or a menu': (world) => world.service.lockNow(),
  };

  type Work = (world: World) => Promise<unknown>;

  /** `npm test` takes each fourth await, beginning at another one each time. */
  const STEP = inDepth(1, 4);
  const WHICH = STEP === 1 ? 'every' : `each ${STEP}th`;
  const TURN = Date.now() % STEP;

  /** What is there before each of them, and the call. */
  const WORK: Readonly<Record<string, () => Promise<{ before: World; work: Work }>>> = {
    async 'ui.unlock'() {
      return { before: await lockedWorld(), work: (it) => it.surface('ui.unlock', BY) };
    },
    async 'ui.unlock with a recovery code'() {
      const { before, code } = await withRecoveryCode();
      return { before, work: (it) => it.surface('ui.unlock', { passphrase: code }) };
    },
    async 'ui.unlockBy with a passphrase'() {
      return { before: await lockedWorld(), work: (it) => it.surface('ui.unlockBy', { by: BY }) };
    },
    async 'ui.unlockBy with a recovery code'() {
      const { before, code } = await withRecoveryCode();
      return { before, work: (it) => it.surface('ui.unlockBy', { by: { recoveryCode: code } }) };
    },
    async 'ui.unlockBy with a passkey'() {
      const before = await World.unlocked();
      const credential = { credentialId: PRF.subarray(16), prfSalt: PRF };
      await before.surface('ui.addPasskey', { by: BY, ...credential, output: PRF.slice() });
      await before.surface('ui.lock', {});
      const work: Work = (it) => it.surface('ui.unlockBy', { by: { prf: PRF.slice() } });
      return { before, work };
    },
    'ui.createVault'() {
      const work: Work = (it) => it.surface('ui.createVault', BY);
      return Promise.resolve({ before: World.fresh(), work });
    },
    async 'ui.createVault, sent again'() {
      const before = World.fresh();
      await before.call('ui.createVault', BY, POPUP, 'new');
      await before.surface('ui.lock', {});
      return { before, work: (it) => it.call('ui.createVault', BY, POPUP, 'new') };
    },
    async 'ui.restoreLost'() {
      const before = await World.unlocked();
      const { file } = await before.surface('ui.makeBackup', { by: BY, under: UNDER });
      await before.surface('ui.lock', {});
      for (const { values } of [before.primary, before.copy]) {
        for (const name of [...values.keys()]) if (name.includes('/slot/')) values.delete(name);
      }
      const params = { file, ...UNDER, newPassphrase: PASSPHRASE };
      return { before, work: (it) => it.surface('ui.restoreLost', params) };
    },
  };

  async function withRecoveryCode() {
    const before = await World.unlocked();
    const { code } = await before.surface('ui.addRecoveryCode', { by: BY });
    await before.surface('ui.lock', {});
    return { before, code };
  }

  async function lockedWorld(): Promise<World> {
    const world = await World.unlocked();
    await world.surface('ui.lock', {});
    return world;
  }

  /** A world with the same stores. */
  function copyOf({ primary, copy, session, notes }: World): World {
    const world = World.fresh();
    for (const [key, bytes] of primary.values) world.primary.values.set(key, bytes.slice());
    for (const [key, bytes] of copy.values) world.copy.values.set(key, bytes.slice());
    for (const [key, text] of session.values) world.session.values.set(key, text);
    for (const [key, text] of notes.values) world.notes.values.set(key, text);
    return world;
  }

  /**
   * Does the work, and locks when it asks a store or the derivation for the `at`-th time, if the work has not ended
   * sooner.
   */
  async function lockedAt(at: number, lock: Work, before: World, work: Work) {
    const world = copyOf(before);
    let steps = 0;
    let locking: Promise<unknown> | undefined;
    const step = <T>(ask: () => T): T => {
      if (steps++ === at) locking = lock(world);
      return ask();
    };
    world.between = (store) =>
      new Proxy(store, {
        get(target, name) {
          const value: unknown = Reflect.get(target, name, target);
          if (typeof value !== 'function') return value;
          const bound = value.bind(target) as (...parts: unknown[]) => unknown;
          return name === 'watch' ? bound : (...parts: unknown[]) => step(() => bound(...parts));
        },
      });
    world.derive = (...parts) => step(() => cheapKdf(...parts));
    world.restart();
    await work(world).catch(() => undefined);
    steps = Infinity; // what follows is no step of the work
    await locking;
    const { vault } = await world.surface('ui.state', {});
    return { vault, last: world.events.log.at(-1) ?? 'lock', hasLocked: locking !== undefined };
  }

  for (const [where, lock] of Object.entries(LOCKS)) {
    for (const [method, prepared] of Object.entries(WORK)) {
      it(`${where} ends locked, at ${WHICH} await of ${method}`, async () => {
        const { before, work } = await prepared();
        for (let at = TURN; ; at += STEP) {
          const end = await lockedAt(at, lock, before, work);
          if (!end.hasLocked) {
            expect(at).to.be.greaterThan(30);
            expect(end.vault, 'without a lock').to.equal('unlocked');
            return;
          }
          expect(end.vault, `step ${at}`).to.be.oneOf(['locked', 'absent', 'lost']);
          expect(end.last, `step ${at}`).to.equal('lock');
        }
      }).timeout(60_000);
    }
  }
});
