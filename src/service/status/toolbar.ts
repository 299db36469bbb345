import { VaultError } from '../../keys/values/errors.ts';
import type { SlotDescription } from '../../keys/unlock/slot-keeper.ts';
import type { SessionStore } from '../../keys/storage/key-value-store.ts';
import type { Vault } from '../../keys/vault/vault.ts';
import type { Decoys } from '../grants/decoys.ts';
import type { Grants } from '../grants/grants.ts';
import type { Consent } from '../consent/consent.ts';
import type { LockKeeper } from '../vault/lock-keeper.ts';

/** What the button in the browser's toolbar shows, beside what is about one tab. */
export interface ToolbarState {
  readonly isOpen: boolean;
  /** How many requests of sites wait for an answer. */
  readonly requests: number;
  /** Whether a decoy has frozen a grant, and the user has not answered. */
  readonly isFrozen: boolean;
  /** Whether a grant has opened far more in an hour than it usually does, and the user has not read of it. */
  readonly isUnusual: boolean;
  /** Whether another device has added one that has all keys, and the user has not read of it. */
  readonly hasNewDevice: boolean;
  /** Whether the vault is known to have no recovery code that was confirmed. */
  readonly needsRecoveryCode: boolean;
}

type KnownSlot = Pick<SlotDescription, 'kind' | 'confirmed'>;

type ToTell = Pick<ToolbarState, 'isFrozen' | 'isUnusual' | 'hasNewDevice'>;

const NOTHING: ToTell = { isFrozen: false, isUnusual: false, hasNewDevice: false };

/**
 * The contract for showing it. `extension/platform/windows/toolbar-button.ts` implements it. No
 * call waits for it, and it never fails.
 */
export interface ToolbarButton {
  show(state: ToolbarState): void;
}

/** What the state is read from. */
export interface ToolbarDeps {
  readonly session: SessionStore;
  readonly vault: Pick<Vault, 'state'>;
  readonly lockKeeper: Pick<LockKeeper, 'isUnlocked'>;
  readonly consent: Pick<Consent, 'allPending'>;
  readonly grants: Pick<Grants, 'all'>;
  readonly decoys: Pick<Decoys, 'isFrozen' | 'load'>;
  /** The devices that other devices have added, and of which the user has not read. */
  readonly newDevices: () => Promise<readonly unknown[]>;
  readonly slots: () => Promise<readonly KnownSlot[]>;
  readonly toolbarButton: ToolbarButton;
}

/** In the session store: whether there was a recovery code when the slots were last read; absent where they may have changed. */
const HAS_RECOVERY_CODE = 'has-recovery-code';

/**
 * Reads the state again after each change that the button shows: the grants and decoys only while the vault is open. It
 * reads no slots, which takes both stores: whether there is a recovery code is remembered from when our own pages asked.
 */
export class Toolbar {
  readonly #deps: ToolbarDeps;
  #reading: Promise<void> | undefined;
  #isOutdated = false;

  constructor(deps: ToolbarDeps) {
    this.#deps = deps;
  }

  /**
   * Never rejects: a button that shows an older state harms nothing. Changes that come while one is read are
   * read together after it: a content script can report as many pages as it likes.
   */
  refresh(): Promise<void> {
    this.#isOutdated = true;
    this.#reading ??= this.#readAll();
    return this.#reading;
  }

  async #readAll(): Promise<void> {
    while (this.#isOutdated) {
      this.#isOutdated = false;
      await this.#read().catch(() => undefined); // the next change shows what this one could not
    }
    this.#reading = undefined;
  }

  async #read(): Promise<void> {
    const { session, lockKeeper, consent, toolbarButton } = this.#deps;
    const isOpen = await lockKeeper.isUnlocked();
    const { length: requests } = await consent.allPending();
    const needsRecoveryCode = isOpen && (await session.get(HAS_RECOVERY_CODE)) === false;
    toolbarButton.show({ isOpen, requests, ...(await this.toTell()), needsRecoveryCode });
  }

  /** What the user has to be told of sites and devices: nothing where the vault is locked, or lost. */
  async toTell(): Promise<ToTell> {
    const { lockKeeper, newDevices } = this.#deps;
    try {
      if (!(await lockKeeper.isUnlocked())) return NOTHING;
      return { ...(await this.#ofGrants()), hasNewDevice: (await newDevices()).length > 0 };
    } catch (error) {
      if (error instanceof VaultError) return NOTHING;
      throw error;
    }
  }

  async #ofGrants(): Promise<Omit<ToTell, 'hasNewDevice'>> {
    const { grants, decoys } = this.#deps;
    const known = await decoys.load();
    const all = await grants.all();
    return {
      isFrozen: all.some((grant) => decoys.isFrozen(known, grant)),
      isUnusual: all.some(({ hours }) => hours !== undefined && hours.told !== null),
    };
  }

  /**
   * When the browser or this version has just started, and when its words are in another language. Before
   * there is a vault, nothing is shown.
   */
  async start(): Promise<void> {
    const { state } = await this.#deps.vault.state();
    if (state !== 'absent') await this.refresh();
  }

  /** Whether there is no recovery code that was confirmed; null where the vault is locked, or lost. */
  async lacksCode(): Promise<boolean | null> {
    const { session, lockKeeper, slots } = this.#deps;
    try {
      if (!(await lockKeeper.isUnlocked())) return null;
      const known = await session.get(HAS_RECOVERY_CODE);
      return !(typeof known === 'boolean' ? known : await this.noteSlots(await slots()));
    } catch (error) {
      if (error instanceof VaultError) return null;
      throw error;
    }
  }

  /** Called with the slots of the vault, whenever they were read. @returns whether there is a confirmed recovery code */
  async noteSlots(slots: readonly KnownSlot[]): Promise<boolean> {
    const { session } = this.#deps;
    const hasCode = slots.some(({ kind, confirmed }) => kind === 'recovery-code' && confirmed);
    if ((await session.get(HAS_RECOVERY_CODE)) === hasCode) return hasCode;
    await session.set(HAS_RECOVERY_CODE, hasCode);
    await this.refresh();
    return hasCode;
  }

  /** Does what changes the slots: they are forgotten before it, in case that this background ends in its middle. */
  async changingSlots<T>(work: () => Promise<T>): Promise<T> {
    await this.forgetSlots();
    const result = await work();
    await this.noteSlots(await this.#deps.slots());
    return result;
  }

  /** What is opened now may be another vault, or have other slots. */
  async forgetSlots(): Promise<void> {
    await this.#deps.session.remove(HAS_RECOVERY_CODE);
  }
}
