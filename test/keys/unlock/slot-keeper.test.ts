import { expect } from 'chai';
import type { SlotSecret } from '../../../src/keys/unlock/opened-slots.ts';
import type { Vault } from '../../../src/keys/vault/vault.ts';
import { systemRandom } from '../../support/stores/memory-store.ts';
import type { TestBrowser } from '../world.ts';
import { EXPECTED, filledWorld, notes, PASSPHRASE } from '../world.ts';
import { codeOf } from '../../support/outcomes.ts';

const BY: SlotSecret = { passphrase: PASSPHRASE };
const NEW = 'another battery horse staple';
const CREDENTIAL = { credentialId: systemRandom.bytes(32), prfSalt: systemRandom.bytes(32) };

/** Whether a worker of a later day opens the vault with this secret, and sees all. */
async function opens(before: TestBrowser, secret: SlotSecret): Promise<boolean> {
  const vault = before.clone().vault();
  const code = await codeOf(vault.unlock(secret));
  if (code === 'WRONG_PASSPHRASE') return false;
  expect(code).to.equal('ok');
  expect(await notes(vault)).to.deep.equal(EXPECTED);
  expect(vault.repairs.filter(({ mended }) => !mended)).to.deep.equal([]);
  return true;
}

async function kept() {
  const { world, vault } = await filledWorld();
  return { world, vault, keeper: world.slotKeeper(vault) };
}

const kinds = async (world: TestBrowser, vault: Vault) =>
  (await world.slotKeeper(vault).list()).map(({ kind, confirmed }) => `${kind} ${confirmed}`);

describe('SlotKeeper', () => {
  it('changes the passphrase: the new one opens, the former no more, at once and later', async () => {
    const { world, vault, keeper } = await kept();
    world.time += 1000;
    await keeper.changePassphrase(BY, NEW);
    expect(await opens(world, { passphrase: NEW })).to.equal(true);
    expect(await opens(world, BY)).to.equal(false);
    expect(await keeper.list()).to.have.lengthOf(1);
    expect(await keeper.list()).to.deep.include({
      ...(await keeper.list())[0]!,
      kind: 'passphrase',
      created: world.time,
      confirmed: true,
    });
    for (const store of [world.primary, world.copy]) {
      const names = [...store.values.keys()].filter((name) => name.includes('/slot/'));
      expect(names, store.name).to.have.lengthOf(1);
    }
    expect((await vault.state()).state).to.equal('unlocked');
  });

  it('measures the cost anew with the same passphrase', async () => {
    const { world, vault } = await filledWorld();
    const cost = { memoryKiB: 131_072, passes: 4, parallelism: 4 };
    const faster = world.vault({ calibrate: () => Promise.resolve(cost) });
    await world.slotKeeper(faster).changePassphrase(BY, PASSPHRASE);
    expect((await world.slotKeeper(vault).list()).map((slot) => slot.cost)).to.deep.equal([cost]);
    expect(await opens(world, BY)).to.equal(true);
  });

  it('asks for a secret first, whatever is to be changed, and changes nothing without', async () => {
    const { world, keeper } = await kept();
    const before = world.clone();
    for (const wrong of [
      { passphrase: 'wrong' },
      { recoveryCode: '' },
      { prf: new Uint8Array(32) },
    ]) {
      const tries = [
        keeper.check(wrong),
        keeper.changePassphrase(wrong, NEW),
        keeper.addRecoveryCode(wrong),
        keeper.addPrf(wrong, CREDENTIAL, systemRandom.bytes(32)),
        keeper.remove(wrong, 'any'),
      ];
      for (const each of tries) expect(await codeOf(each)).to.equal('WRONG_PASSPHRASE');
    }
    const invalid = await codeOf(keeper.changePassphrase(BY, ''));
    expect(invalid).to.match(/RangeError/);
    expect(world.primary.values).to.deep.equal(before.primary.values);
    expect(world.copy.values).to.deep.equal(before.copy.values);
  });

  it('does nothing for a locked vault', async () => {
    const { vault, keeper } = await kept();
    await vault.lock();
    const tries = [
      keeper.list(),
      keeper.check(BY),
      keeper.changePassphrase(BY, NEW),
      keeper.addRecoveryCode(BY),
      keeper.addFirstRecoveryCode(),
      keeper.remove(BY, 'any'),
    ];
    for (const each of tries) expect(await codeOf(each)).to.equal('LOCKED');
  });

  it('makes a recovery code that opens, and takes the place of a forgotten passphrase', async () => {
    const { world, keeper } = await kept();
    const code = await keeper.addRecoveryCode(BY);
    expect(await opens(world, { recoveryCode: code })).to.equal(true);
    expect(await opens(world, { recoveryCode: code.toLowerCase().replaceAll('-', ' ') })).to.equal(
      true,
    );
    expect(await opens(world, { passphrase: ` ${code} ` })).to.equal(true);
    const later = world.clone();
    const vault = later.vault();
    await vault.unlock({ recoveryCode: code });
    await later.slotKeeper(vault).changePassphrase({ recoveryCode: code }, NEW);
    expect(await opens(later, { passphrase: NEW })).to.equal(true);
    expect(await opens(later, { recoveryCode: code })).to.equal(true);
    expect(await opens(later, BY)).to.equal(false);
  });

  it('makes the first recovery code without a secret, beside a passphrase alone', async () => {
    const { world, keeper } = await kept();
    const code = await keeper.addFirstRecoveryCode();
    expect(await opens(world, { recoveryCode: code })).to.equal(true);
    expect(await codeOf(keeper.addFirstRecoveryCode())).to.equal('WRONG_PASSPHRASE');
  });

  it('keeps the confirmed code until the next one is confirmed', async () => {
    const { world, vault, keeper } = await kept();
    const unseen = await keeper.addRecoveryCode(BY);
    const first = await keeper.addRecoveryCode(BY);
    expect(await opens(world, { recoveryCode: unseen })).to.equal(false);
    expect(await kinds(world, vault)).to.have.members(['passphrase true', 'recovery-code false']);
    expect(await codeOf(keeper.confirmRecoveryCode(unseen))).to.equal('WRONG_PASSPHRASE');
    await keeper.confirmRecoveryCode(first);
    await keeper.confirmRecoveryCode(first);
    expect(await kinds(world, vault)).to.have.members(['passphrase true', 'recovery-code true']);
    const second = await keeper.addRecoveryCode({ recoveryCode: first });
    expect(await opens(world, { recoveryCode: first })).to.equal(true);
    await keeper.confirmRecoveryCode(second);
    expect(await opens(world, { recoveryCode: first })).to.equal(false);
    expect(await opens(world, { recoveryCode: second })).to.equal(true);
  });

  it('takes an authenticator as one more way in, and its place when it comes again', async () => {
    const { world, vault, keeper } = await kept();
    const output = systemRandom.bytes(32);
    await keeper.addPrf(BY, CREDENTIAL, output);
    expect(await opens(world, { prf: output })).to.equal(true);
    expect(await opens(world, { prf: systemRandom.bytes(32) })).to.equal(false);
    await keeper.addPrf(BY, CREDENTIAL, output.slice());
    expect(await kinds(world, vault)).to.have.members(['passphrase true', 'webauthn-prf true']);
    for (const bad of [new Uint8Array(32), output.subarray(0, 31)]) {
      expect(await codeOf(keeper.addPrf(BY, CREDENTIAL, bad))).to.match(/RangeError/);
    }
  });

  it('never removes the last passphrase, even beside other slots', async () => {
    const { world, keeper } = await kept();
    const code = await keeper.addRecoveryCode(BY);
    await keeper.addPrf(BY, CREDENTIAL, systemRandom.bytes(32));
    const slots = await keeper.list();
    const id = (kind: string) => slots.find((slot) => slot.kind === kind)!.id;
    expect(await codeOf(keeper.remove(BY, id('passphrase')))).to.equal('LAST_SLOT');
    await keeper.remove({ recoveryCode: code }, id('recovery-code'));
    await keeper.remove(BY, id('webauthn-prf'));
    await keeper.remove(BY, id('webauthn-prf'));
    expect(await keeper.list()).to.have.lengthOf(1);
    expect(await opens(world, BY)).to.equal(true);
    expect(await opens(world, { recoveryCode: code })).to.equal(false);
  });

  it('refuses a secret whose slot another change has removed meanwhile', async () => {
    const { world, vault } = await filledWorld();
    let overtake = async () => {};
    const slow = world.vault({
      calibrate: async () => {
        await overtake();
        return { memoryKiB: 65_536, passes: 3, parallelism: 4 };
      },
    });
    overtake = () => world.slotKeeper(vault).changePassphrase(BY, NEW);
    const late = world.slotKeeper(slow).changePassphrase(BY, 'a third passphrase');
    expect(await codeOf(late)).to.equal('WRONG_PASSPHRASE');
    expect(await opens(world, { passphrase: NEW })).to.equal(true);
  });

  it('says so where a passphrase cannot be saved, and leaves the former', async () => {
    const { world } = await filledWorld();
    const quota = Object.assign(new Error('full'), { name: 'QuotaExceededError' });
    const vault = world.vault({
      copy: {
        name: 'copy',
        get: (key) => world.copy.get(key),
        keys: () => world.copy.keys(),
        write: (puts, removes) =>
          puts.size > 0 ? Promise.reject(quota) : world.copy.write(puts, removes),
      },
    });
    expect(await codeOf(world.slotKeeper(vault).changePassphrase(BY, NEW))).to.equal('QUOTA');
    expect(await opens(world, BY)).to.equal(true);
    expect(await opens(world, { passphrase: NEW })).to.equal(false);
  });
});
