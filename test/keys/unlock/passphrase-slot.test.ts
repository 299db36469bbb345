import { expect } from 'chai';
import { pbkdf2Sync } from 'node:crypto';
import { utf8 } from '../../../src/crypto/bytes.ts';
import {
  ARGON2ID_MAX,
  PBKDF2_COST,
  passphraseKey,
} from '../../../src/keys/unlock/passphrase-kdf.ts';
import { ARGON2ID_COST, ARGON2ID_MIN, type Argon2idCost } from '../../../src/format/passphrase.ts';
import {
  isPassphraseSlot,
  openPassphraseSlot,
  sealPassphraseSlot,
} from '../../../src/keys/unlock/passphrase-slot.ts';
import { encodeSlot, nameOfSlot, parseSlot } from '../../../src/keys/unlock/slots.ts';
import type { Slot } from '../../../src/keys/unlock/slots.ts';
import { cheapKdf, systemRandom } from '../../support/stores/memory-store.ts';

const PASSPHRASE = utf8('correct horse');
const VAULT_KEY = systemRandom.bytes(32);
const VAULT_ID = systemRandom.bytes(16);
const TOOLS = { derive: cheapKdf, random: systemRandom };

const seal = (cost: Argon2idCost = ARGON2ID_COST) =>
  sealPassphraseSlot({ vaultId: VAULT_ID, created: 1234, cost }, PASSPHRASE, VAULT_KEY, TOOLS);
const open = (slot: Slot) => openPassphraseSlot(slot, PASSPHRASE, cheapKdf);

/** A slot with one parameter overwritten; parameters: version u8 ‖ m u32 ‖ t u32 ‖ p u32 ‖ salt. */
function withParameter(slot: Slot, at: number, value: number): Slot {
  const parameters = slot.parameters.slice();
  new DataView(parameters.buffer).setUint32(at, value);
  return { ...slot, parameters };
}

describe('Passphrase slots', () => {
  it('gives the vault key back for the passphrase, and nothing for another', async () => {
    const slot = await seal();
    expect(await open(slot)).to.deep.equal(VAULT_KEY);
    expect(await openPassphraseSlot(slot, utf8('wrong'), cheapKdf)).to.equal(undefined);
  });

  it('round-trips through its stored form, under its own name only', async () => {
    const slot = await seal();
    const stored = encodeSlot(slot);
    expect(parseSlot(nameOfSlot(slot), stored)).to.deep.equal(slot);
    expect(parseSlot(nameOfSlot(await seal()), stored)).to.equal(undefined);
    for (let length = 0; length < stored.length; length++) {
      expect(parseSlot(nameOfSlot(slot), stored.subarray(0, length))).to.equal(undefined);
    }
  });

  it('commits to everything in its header: each bit changed opens nothing', async () => {
    const slot = await seal();
    const fields = ['vaultId', 'slotId', 'parameters', 'sealed'] as const;
    for (const field of fields) {
      for (let bit = 0; bit < slot[field].length * 8; bit++) {
        const changed = slot[field].slice();
        changed[bit >> 3]! ^= 1 << (bit & 7);
        expect(await open({ ...slot, [field]: changed }), `${field} ${bit}`).to.equal(undefined);
      }
    }
    expect(await open({ ...slot, created: 1235 })).to.equal(undefined);
    expect(await open({ ...slot, type: 2 })).to.equal(undefined);
  });

  it('refuses parameters outside the accepted limits before any work', async () => {
    const slot = await seal();
    let derivations = 0;
    const counting: typeof cheapKdf = (...all) => {
      derivations++;
      return cheapKdf(...all);
    };
    const outside: [number, number][] = [
      [1, ARGON2ID_MIN.memoryKiB - 1],
      [1, ARGON2ID_MAX.memoryKiB + 1],
      [1, 0xffffffff],
      [5, ARGON2ID_MIN.passes - 1],
      [5, ARGON2ID_MAX.passes + 1],
      [9, ARGON2ID_MIN.parallelism - 1],
      [9, ARGON2ID_MAX.parallelism + 1],
    ];
    for (const [at, value] of outside) {
      const changed = withParameter(slot, at, value);
      expect(isPassphraseSlot(changed)).to.equal(false);
      expect(await openPassphraseSlot(changed, PASSPHRASE, counting)).to.equal(undefined);
    }
    const versioned = { ...slot, parameters: slot.parameters.slice() };
    versioned.parameters[0] = 0x10;
    expect(isPassphraseSlot(versioned)).to.equal(false);
    expect(derivations).to.equal(0);
  });

  it('seals and opens at the limits, and seals nothing outside them', async () => {
    for (const cost of [ARGON2ID_MIN, ARGON2ID_MAX]) {
      expect(await open(await seal(cost))).to.deep.equal(VAULT_KEY);
    }
    for (const name of ['memoryKiB', 'passes', 'parallelism'] as const) {
      for (const value of [ARGON2ID_MIN[name] - 1, ARGON2ID_MAX[name] + 1, NaN, 2.5e9]) {
        const cost = { ...ARGON2ID_COST, [name]: value };
        const outcome = await seal(cost).catch((error: unknown) => error);
        expect(outcome, `${name} ${value}`).to.be.instanceOf(RangeError);
      }
    }
  });

  it('falls back to PBKDF2, in a slot of its own type, within bounds', async function () {
    this.timeout(120_000);
    const slot = await sealPassphraseSlot(
      { vaultId: VAULT_ID, created: 1, cost: PBKDF2_COST },
      PASSPHRASE,
      VAULT_KEY,
      { derive: () => Promise.reject(new Error('no Argon2id here')), random: systemRandom },
    );
    expect(slot.type).to.equal(2);
    expect(await open(slot)).to.deep.equal(VAULT_KEY);
    expect(await openPassphraseSlot(slot, utf8('wrong'), cheapKdf)).to.equal(undefined);
    expect(parseSlot(nameOfSlot(slot), encodeSlot(slot))).to.deep.equal(slot);
    for (const iterations of [0, 599_999, 10_000_001, 0xffffffff]) {
      const parameters = slot.parameters.slice();
      new DataView(parameters.buffer).setUint32(0, iterations);
      expect(isPassphraseSlot({ ...slot, parameters }), String(iterations)).to.equal(false);
      const sealing = sealPassphraseSlot(
        { vaultId: VAULT_ID, created: 1, cost: { iterations } },
        PASSPHRASE,
        VAULT_KEY,
        TOOLS,
      );
      expect(await sealing.catch((error: unknown) => error)).to.be.instanceOf(RangeError);
    }
  });

  it('derives PBKDF2 as another implementation does', async function () {
    this.timeout(120_000);
    const salt = systemRandom.bytes(16);
    const key = await passphraseKey(PASSPHRASE, { cost: PBKDF2_COST, salt }, cheapKdf);
    expect(key).to.deep.equal(new Uint8Array(pbkdf2Sync(PASSPHRASE, salt, 600_000, 32, 'sha256')));
  });

  it('uses the cost that security.md 5.3 asks for', () => {
    expect(ARGON2ID_COST).to.deep.equal({ memoryKiB: 64 * 1024, passes: 3, parallelism: 4 });
    expect(ARGON2ID_MIN).to.deep.equal({ memoryKiB: 19 * 1024, passes: 2, parallelism: 1 });
    expect(ARGON2ID_MAX).to.deep.equal({ memoryKiB: 256 * 1024, passes: 16, parallelism: 16 });
  });

  it('keeps neither passphrase bytes nor derived key', async () => {
    const keys: Uint8Array[] = [];
    const keeping: typeof cheapKdf = async (...all) => {
      const key = await cheapKdf(...all);
      keys.push(key);
      return key;
    };
    const slot = await sealPassphraseSlot(
      { vaultId: VAULT_ID, created: 1, cost: ARGON2ID_COST },
      PASSPHRASE,
      VAULT_KEY,
      { derive: keeping, random: systemRandom },
    );
    await openPassphraseSlot(slot, PASSPHRASE, keeping);
    await openPassphraseSlot(slot, utf8('wrong'), keeping);
    expect(keys).to.have.lengthOf(3);
    for (const key of keys) expect(key.every((byte) => byte === 0)).to.equal(true);
  });
});
