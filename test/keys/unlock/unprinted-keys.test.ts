import { inspect } from 'node:util';
import { expect } from 'chai';
import { encodeRecoveryCode } from '../../../src/keys/unlock/recovery-code.ts';
import { DEFAULT_LIMITS } from '../../../src/keys/unlock/auto-lock.ts';
import { openSlots } from '../../../src/keys/unlock/opened-slots.ts';
import { sealRecoverySlot } from '../../../src/keys/unlock/strong-slot.ts';
import { VaultSession } from '../../../src/keys/unlock/vault-session.ts';
import { MemorySession, systemRandom } from '../../support/stores/memory-store.ts';

const KEY = Uint8Array.from({ length: 32 }, (_, i) => 200 + i);

/** Whether a text has the first bytes of the key, as JSON or an inspection writes them. */
function shows(text: string): boolean {
  return /200,\s*("1":)?201,\s*("2":)?202/.test(text);
}

function expectUnprinted(holder: { readonly key: Uint8Array }): void {
  expect(holder.key).to.deep.equal(KEY);
  for (const text of [JSON.stringify(holder), inspect(holder, { depth: 9 })]) {
    expect(shows(text), text).to.equal(false);
  }
  expect(JSON.stringify({ holder })).to.include('"secret":"[secret]"');
  const copied = inspect({ ...holder }, { depth: 9 });
  expect(copied).to.include('[secret]');
  expect(shows(copied), copied).to.equal(false);
}

describe('objects that hold the vault key', () => {
  it('would show a key that is a plain member', () => {
    for (const text of [JSON.stringify({ key: KEY }), inspect({ key: KEY })]) {
      expect(shows(text)).to.equal(true);
    }
  });

  it('do not print it: an unlocked vault', async () => {
    const session = new VaultSession(new MemorySession(), () => 0);
    await session.start({ key: KEY, keyId: new Uint8Array(16), created: 1 }, DEFAULT_LIMITS);
    expectUnprinted((await session.unlocked())!);
  });

  it('do not print it: an opened slot', async () => {
    const secret = systemRandom.bytes(16);
    const place = { vaultId: systemRandom.bytes(16), created: 1 };
    const slot = await sealRecoverySlot(place, secret, KEY, systemRandom);
    const recoveryCode = encodeRecoveryCode(secret);
    const derive = () => expect.fail('a recovery code needs no derivation');
    for await (const opened of openSlots([slot], { recoveryCode }, derive)) {
      expectUnprinted(opened);
    }
  });
});
