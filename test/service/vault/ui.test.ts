import { expect } from 'chai';
import { FIRST_CODE_MS } from '../../../src/service/vault/first-code.ts';
import { pageCaller } from '../../support/service-fakes.ts';
import { PASSPHRASE, POPUP, World } from '../../support/service-world.ts';
import { codeOf } from '../../support/outcomes.ts';

const BY = { passphrase: PASSPHRASE };
const NEW = 'another battery horse staple';

describe('What the manager can do with the vault', () => {
  let world: World;

  beforeEach(async () => {
    world = await World.unlocked();
  });

  const reopened = async (by: object): Promise<string> => {
    await world.surface('ui.lock', {});
    return codeOf(world.begin('ui.unlockBy', { by }, POPUP).answer);
  };

  it('lists the ways in', async () => {
    const [slot, ...others] = await world.surface('ui.slots', {});
    expect(slot).to.deep.include({ kind: 'passphrase', created: world.now, confirmed: true });
    expect({ ...slot!.cost }).to.deep.equal({ memoryKiB: 65_536, passes: 3, parallelism: 4 });
    expect(others).to.deep.equal([]);
    expect(await world.surface('ui.passkeys', {})).to.deep.equal([]);
  });

  it('tells how long a passphrase took to check, and what to do about it', async () => {
    expect((await world.surface('ui.slots', {}))[0]).to.include({ tookMs: 0, advice: 'raise' });
    await world.session.remove('derivation times'); // the browser was restarted
    expect((await world.surface('ui.slots', {}))[0]).to.include({ tookMs: null, advice: 'none' });
  });

  it('stays locked when an unlock is aborted', async () => {
    await world.surface('ui.lock', {});
    const unlocking = async () =>
      world.service.implementations['ui.unlock'](
        { passphrase: PASSPHRASE },
        {
          caller: POPUP,
          method: 'ui.unlock',
          params: {},
          requestId: 'r',
          signal: AbortSignal.abort(),
          isAborted: false,
          isFollowed: false,
          onAbort: () => undefined,
          goesOn: () => undefined,
          progress: () => undefined,
        },
      );
    expect(await unlocking().catch((error: unknown) => (error as Error).name)).to.equal(
      'AbortError',
    );
    expect(await world.surface('ui.state', {})).to.include({ vault: 'locked' });
  });

  it('changes the passphrase once, however often the call is replayed', async () => {
    const params = { by: BY, passphrase: NEW };
    await world.call('ui.changePassphrase', params, POPUP, 'change 1');
    world.restart();
    await world.call('ui.changePassphrase', params, POPUP, 'change 1');
    expect(await codeOf(world.call('ui.changePassphrase', params, POPUP, 'change 2'))).to.equal(
      'AUTH_FAILED',
    );
    expect(await reopened(BY)).to.equal('AUTH_FAILED');
    expect(await reopened({ passphrase: NEW })).to.equal('ok');
  });

  it('makes, confirms and removes a recovery code, which unlocks', async () => {
    const { code } = await world.surface('ui.addRecoveryCode', { by: BY });
    const wrong = code.replace(/^./, (symbol) => (symbol === '7' ? '8' : '7'));
    expect(await codeOf(world.surface('ui.confirmRecoveryCode', { code: wrong }))).to.equal(
      'AUTH_FAILED',
    );
    await world.surface('ui.confirmRecoveryCode', { code });
    expect(await reopened({ recoveryCode: code })).to.equal('ok');
    const slots = await world.surface('ui.slots', {});
    const { id, confirmed } = slots.find(({ kind }) => kind === 'recovery-code')!;
    expect(confirmed).to.equal(true);
    await world.surface('ui.removeSlot', { by: BY, id });
    expect(await reopened({ recoveryCode: code })).to.equal('AUTH_FAILED');
  });

  describe('right after it made the vault', () => {
    const first = () => codeOf(world.surface('ui.addFirstRecoveryCode', {}));

    it('makes one recovery code without the passphrase', async () => {
      const { code } = await world.surface('ui.addFirstRecoveryCode', {});
      expect(await first()).to.equal('AUTH_FAILED');
      await world.surface('ui.confirmRecoveryCode', { code });
      expect(await first()).to.equal('AUTH_FAILED');
      expect(await reopened({ recoveryCode: code })).to.equal('ok');
      expect(await first()).to.equal('AUTH_FAILED');
    });

    it('makes none a minute later, or after the clock was set back', async () => {
      world.now += FIRST_CODE_MS;
      expect(await first()).to.equal('AUTH_FAILED');
      world.now -= FIRST_CODE_MS;
      expect(await first(), 'tried too late').to.equal('AUTH_FAILED');
      world = await World.unlocked();
      world.now -= FIRST_CODE_MS;
      expect(await first()).to.equal('AUTH_FAILED');
    });

    it('makes none once it was locked, or the background has ended', async () => {
      await world.surface('ui.lock', {});
      expect(await first()).to.equal('AUTH_FAILED');
      await world.surface('ui.unlock', { passphrase: PASSPHRASE });
      expect(await first()).to.equal('AUTH_FAILED');
      world = await World.unlocked();
      world.restart();
      expect(await first()).to.equal('AUTH_FAILED');
    });

    it('makes none beside another way to open the vault', async () => {
      await world.surface('ui.addRecoveryCode', { by: BY });
      expect(await first()).to.equal('AUTH_FAILED');
    });

    it('makes none for pages, and none for a vault that was only unlocked', async () => {
      const page = world.call('ui.addFirstRecoveryCode', {}, pageCaller());
      expect(await codeOf(page)).to.equal('UNSUPPORTED');
      world = await World.unlocked();
      await world.surface('ui.lock', {});
      await world.surface('ui.unlock', { passphrase: PASSPHRASE });
      expect(await first()).to.equal('AUTH_FAILED');
    });
  });

  it('keeps the only passphrase, and says why', async () => {
    const [slot] = await world.surface('ui.slots', {});
    const removal = world.surface('ui.removeSlot', { by: BY, id: slot!.id });
    expect(await codeOf(removal)).to.equal('INVALID_ARGUMENT');
  });

  it('unlocks by a passkey, whose credential a locked vault names', async () => {
    const credential = {
      credentialId: new Uint8Array(16).fill(1),
      prfSalt: new Uint8Array(32).fill(2),
    };
    const output = new Uint8Array(32).fill(3);
    await world.surface('ui.addPasskey', { by: BY, ...credential, output });
    await world.surface('ui.lock', {});
    const [named] = await world.surface('ui.passkeys', {});
    expect({ ...named }).to.deep.equal(credential);
    expect(await reopened({ prf: output.fill(4) })).to.equal('AUTH_FAILED');
    expect(await reopened({ prf: output.fill(3) })).to.equal('ok');
    const zeros = { by: BY, ...credential, output: new Uint8Array(32) };
    expect(await codeOf(world.surface('ui.addPasskey', zeros))).to.equal('INVALID_ARGUMENT');
  });

  it('makes a backup, looks at it and brings it back', async () => {
    await world.surface('ui.createKey', { label: 'Letters' });
    const { file } = await world.surface('ui.makeBackup', { by: BY, under: { passphrase: NEW } });
    expect(await world.surface('ui.backupTimes', {})).to.deep.include({ made: world.now });
    const wrong = world.surface('ui.checkBackup', { file, passphrase: PASSPHRASE });
    expect(await codeOf(wrong)).to.equal('AUTH_FAILED');
    const notOne = world.surface('ui.checkBackup', { file: file.subarray(1), passphrase: NEW });
    expect(await codeOf(notOne)).to.equal('BAD_ENVELOPE');
    const other = await World.unlocked();
    const report = await other.surface('ui.restoreBackup', { file, passphrase: NEW });
    expect([...report.labels]).to.deep.equal(['Letters']);
    expect((await other.surface('ui.keys', {})).map(({ label }) => label)).to.include('Letters');
  });

  it('asks before all of it, and does none of it while locked', async () => {
    const wrong = { passphrase: 'wrong' };
    const tries = (by: { passphrase: string }) => [
      () => world.surface('ui.checkSecret', { by }),
      () => world.surface('ui.changePassphrase', { by, passphrase: NEW }),
      () => world.surface('ui.addRecoveryCode', { by }),
      () => world.surface('ui.removeSlot', { by, id: '00' }),
      () => world.surface('ui.makeBackup', { by, under: { passphrase: NEW } }),
    ];
    for (const each of tries(wrong)) expect(await codeOf(each())).to.equal('AUTH_FAILED');
    await world.surface('ui.lock', {});
    for (const each of tries(BY)) expect(await codeOf(each())).to.equal('LOCKED');
  });
});
