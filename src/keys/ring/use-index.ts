import { then } from '../../engine/awaitable.ts';
import type { Awaitable } from '../../engine/contract.ts';
import type { VaultRecord } from '../values/record.ts';
import type { Vault } from '../vault/vault.ts';
import { KEY_USE, keyUseOf } from './key-records.ts';
import type { KeyUse } from './key-records.ts';
import { USER_KEY_TYPES } from './kinds.ts';
import { ORIGIN_MOVE } from './origin-move.ts';
import { userKeyOf } from './user-key.ts';

/** Uses by their header key ids, and by whom else they may be opened. */
interface Uses {
  /** Of the user's own keys. */
  readonly own: ReadonlyMap<string, KeyUse>;
  /** Of keys that are not taken over. */
  readonly guests: ReadonlyMap<string, KeyUse>;
  /** Which origin opens what another one has sealed: the ids of their records. */
  readonly moves: ReadonlySet<string>;
}

/** The uses of all keys by all sites, read once after each change of the vault. */
export class UseIndex {
  readonly #vault: Vault;
  #uses: Uses | undefined;
  #epoch = 0;

  constructor(vault: Vault) {
    this.#vault = vault;
  }

  /** @throws VaultError LOCKED, … */
  all(): Awaitable<Uses> {
    return then(this.#vault.refresh(), () => this.#uses ?? this.#read());
  }

  /** Drops what was read. */
  forget(): void {
    this.#epoch++;
    this.#uses = undefined;
  }

  async #read(): Promise<Uses> {
    const epoch = this.#epoch;
    const keys = await userKeyRecords(this.#vault);
    const guests = new Set(keys.filter((key) => userKeyOf(key).guest).map(({ id }) => id));
    const all = (await this.#vault.list(KEY_USE)).map(keyUseOf);
    const uses = {
      own: byHeaderKeyId(all.filter(({ ref }) => !guests.has(ref))),
      guests: byHeaderKeyId(all.filter(({ ref }) => guests.has(ref))),
      moves: new Set((await this.#vault.list(ORIGIN_MOVE)).map(({ id }) => id)),
    };
    if (epoch === this.#epoch) this.#uses = uses;
    return uses;
  }
}

/** The records of all user keys. */
export async function userKeyRecords(vault: Vault): Promise<VaultRecord[]> {
  return (await Promise.all(USER_KEY_TYPES.map((type) => vault.list(type)))).flat();
}

function byHeaderKeyId(uses: readonly KeyUse[]): ReadonlyMap<string, KeyUse> {
  const byId = uses.flatMap((use) => {
    return [...use.headerKeyIds, ...(use.kept ?? [])].map(({ id }) => [id, use] as const);
  });
  return new Map(byId);
}
