import { toBase64url, toHex, wipe } from '../../crypto/bytes.ts';
import type { RandomSource } from '../../random/contract.ts';
import type { VaultDraft } from '../vault/draft.ts';
import { VaultError } from '../values/errors.ts';
import type { OpenedSlot, SlotSecret } from './opened-slots.ts';
import { preparePassphrase } from '../../format/passphrase.ts';
import type { PassphraseKdf } from '../../format/passphrase.ts';
import { parseParameters } from './passphrase-kdf.ts';
import type { PassphraseCost } from './passphrase-kdf.ts';
import { isForPassphrase, sealPassphraseSlot } from './passphrase-slot.ts';
import { newRecoveryCode, parseRecoveryCode } from './recovery-code.ts';
import { kindOf, nameOfSlot, SLOT_TYPES } from './slots.ts';
import type { Slot, SlotKind } from './slots.ts';
import { prfCredentialOf, sealPrfSlot, sealRecoverySlot } from './strong-slot.ts';
import type { PrfCredential } from './strong-slot.ts';
import type { Vault } from '../vault/vault.ts';

/** What the user interface shows of a slot. */
export interface SlotDescription {
  /** 32 hex digits. */
  readonly id: string;
  readonly kind: SlotKind;
  /** ms since the epoch */
  readonly created: number;
  /** Of a passphrase. */
  readonly cost: PassphraseCost | undefined;
  /** Of a recovery code: whether the user has typed it back. True for other kinds. */
  readonly confirmed: boolean;
}

/** What a slot keeper works with. */
export interface SlotKeeperDeps {
  readonly vault: Vault;
  readonly random: RandomSource;
  readonly derive: PassphraseKdf;
  readonly now: () => number;
}

/** Called within the commit of a change, to save related records in the same generation. */
export type Beside = (draft: VaultDraft) => void | Promise<void>;

/** The same of a change that makes or confirms a slot. @param slot its stored name */
export type BesideSlot = (draft: VaultDraft, slot: string) => void | Promise<void>;

/** Calls `work` with a slot of the vault and the vault's key, once the change is allowed. */
type Opening = (work: (opened: OpenedSlot) => Promise<void>) => Promise<void>;

/** The record that names the recovery slot whose code the user has typed back. */
const CONFIRMED = 'recovery-code';
const SETTING_TYPE = 'setting';

/**
 * Lists and changes the slots of the vault. Every change but the first recovery code of a new vault needs a
 * secret that opens the vault, also while it is unlocked. Each change is one commit. There is always a
 * passphrase slot, because a passkey can be deleted elsewhere and a printed recovery code can be lost.
 *
 * Every method throws VaultError LOCKED, QUOTA, UNAVAILABLE as the vault does, and WRONG_PASSPHRASE
 * for a secret that does not open it.
 */
export class SlotKeeper {
  readonly #deps: SlotKeeperDeps;

  constructor(deps: SlotKeeperDeps) {
    this.#deps = deps;
  }

  /** Newest first. */
  async list(): Promise<SlotDescription[]> {
    const { vault } = this.#deps;
    const confirmed = (await vault.read(CONFIRMED))?.value;
    return (await vault.slots()).map((slot) => describe(slot, confirmed));
  }

  /** Checks that a secret opens the vault. Changes nothing. */
  async check(secret: SlotSecret): Promise<void> {
    await this.#deps.vault.reauthenticate(secret, () => Promise.resolve());
  }

  /**
   * Replaces all passphrases by one, with a new calibration: also for the same passphrase. `by` may be a
   * recovery code, for a forgotten passphrase.
   *
   * @throws RangeError, TypeError for a passphrase that preparePassphrase refuses
   */
  async changePassphrase(by: SlotSecret, passphrase: string, beside?: Beside): Promise<void> {
    const { vault } = this.#deps;
    const prepared = preparePassphrase(passphrase);
    try {
      await vault.reauthenticate(by, async (opened) => {
        const cost = await vault.passphraseCost();
        const place = { ...this.#placeOf(opened), cost };
        const slot = await sealPassphraseSlot(place, prepared, opened.key, this.#deps);
        const former = (await vault.slots()).filter(isForPassphrase);
        await this.#commit(opened, beside, (draft) => {
          draft.addSlot(slot);
          for (const each of former) draft.removeSlot(nameOfSlot(each));
        });
      });
    } finally {
      wipe(prepared);
    }
  }

  /**
   * Adds a recovery code, to be shown once. Codes that were never confirmed are removed; the confirmed
   * one stays valid until the new one is confirmed.
   *
   * @returns seven groups, joined by "-" (recovery-code.ts)
   */
  async addRecoveryCode(by: SlotSecret): Promise<string> {
    return this.#addRecoveryCode((work) => this.#deps.vault.reauthenticate(by, work));
  }

  /**
   * The same without a secret, where a passphrase is the only way to open the vault. The caller decides
   * whether the vault is new (src/service/vault/first-code.ts).
   */
  async addFirstRecoveryCode(): Promise<string> {
    return this.#addRecoveryCode((work) => this.#deps.vault.withoutSecret(work));
  }

  async #addRecoveryCode(opening: Opening): Promise<string> {
    const { vault, random } = this.#deps;
    const code = newRecoveryCode(random);
    const secret = parseRecoveryCode(code)!;
    try {
      await opening(async (opened) => {
        const place = this.#placeOf(opened);
        const slot = await sealRecoverySlot(place, secret, opened.key, random);
        const codes = (await vault.slots()).filter(isForRecovery);
        await this.#commit(opened, undefined, async (draft) => {
          const confirmed = (await draft.get(CONFIRMED))?.value;
          draft.addSlot(slot);
          for (const each of codes) {
            if (toHex(each.slotId) !== confirmed) draft.removeSlot(nameOfSlot(each));
          }
        });
      });
      return code;
    } finally {
      wipe(secret);
    }
  }

  /** Confirms a code that the user has typed back, and removes all others. */
  async confirmRecoveryCode(code: string, beside?: BesideSlot): Promise<void> {
    const { vault } = this.#deps;
    await vault.reauthenticate({ recoveryCode: code }, async (opened) => {
      const codes = (await vault.slots()).filter(isForRecovery);
      const saved: Beside = (draft) => beside?.(draft, nameOfSlot(opened.slot));
      await this.#commit(opened, saved, (draft) => {
        const value = toHex(opened.slot.slotId);
        draft.put({ id: CONFIRMED, type: SETTING_TYPE, value });
        const others = codes.filter((each) => toHex(each.slotId) !== value);
        for (const each of others) draft.removeSlot(nameOfSlot(each));
      });
    });
  }

  /**
   * Adds a slot for an authenticator; a slot of the same credential is replaced.
   *
   * @param output of its PRF for `credential.prfSalt`, 32 bytes or more, which the caller wipes
   * @throws RangeError as sealPrfSlot
   */
  async addPrf(
    by: SlotSecret,
    credential: PrfCredential,
    output: Uint8Array,
    beside?: BesideSlot,
  ): Promise<void> {
    const { vault, random } = this.#deps;
    const id = toBase64url(credential.credentialId);
    await vault.reauthenticate(by, async (opened) => {
      const place = this.#placeOf(opened);
      const slot = await sealPrfSlot(place, credential, output, opened.key, random);
      const former = (await vault.slots()).filter((each) => credentialIdOf(each) === id);
      const saved: Beside = (draft) => beside?.(draft, nameOfSlot(slot));
      await this.#commit(opened, saved, (draft) => {
        draft.addSlot(slot);
        for (const each of former) draft.removeSlot(nameOfSlot(each));
      });
    });
  }

  /**
   * Removes a slot; one that does not exist is not an error.
   *
   * @throws VaultError LAST_SLOT for the only passphrase
   */
  async remove(by: SlotSecret, id: string): Promise<void> {
    const { vault } = this.#deps;
    await vault.reauthenticate(by, async (opened) => {
      const slots = await vault.slots();
      const passphrases = slots.filter(isForPassphrase).map(nameOfSlot);
      const wanted = slots.find((slot) => toHex(slot.slotId) === id);
      if (wanted === undefined) return;
      await this.#commit(opened, undefined, (draft) => {
        draft.removeSlot(nameOfSlot(wanted));
        if (!draft.slotNames.some((name) => passphrases.includes(name))) {
          throw new VaultError('LAST_SLOT');
        }
      });
    });
  }

  #placeOf({ slot }: OpenedSlot) {
    return { vaultId: slot.vaultId, created: Math.trunc(this.#deps.now()) };
  }

  /** Refuses where another change has meanwhile removed the slot that authorised this one. */
  async #commit(opened: OpenedSlot, beside: Beside | undefined, change: Beside): Promise<void> {
    await this.#deps.vault.commit(async (draft) => {
      const isStill = draft.slotNames.includes(nameOfSlot(opened.slot));
      if (!isStill) throw new VaultError('WRONG_PASSPHRASE');
      await change(draft);
      await beside?.(draft);
    });
  }
}

const isForRecovery = ({ type }: Slot): boolean => type === SLOT_TYPES.recoveryCode;

function credentialIdOf(slot: Slot): string | undefined {
  const credential = prfCredentialOf(slot);
  return credential && toBase64url(credential.credentialId);
}

function describe(slot: Slot, confirmed: unknown): SlotDescription {
  const id = toHex(slot.slotId);
  const kind = kindOf(slot);
  const cost = parseParameters(slot.type, slot.parameters)?.cost;
  const isConfirmed = kind !== 'recovery-code' || id === confirmed;
  return { id, kind, created: slot.created, cost, confirmed: isConfirmed };
}
