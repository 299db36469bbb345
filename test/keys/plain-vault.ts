import { Backups } from '../../src/keys/backup/backups.ts';
import type { VaultRecord } from '../../src/keys/values/record.ts';
import type { Vault, VaultDraft } from '../../src/keys/vault/vault.ts';
import { ageFiles } from '../support/age-files.ts';
import { cheapKdf, systemRandom } from '../support/stores/memory-store.ts';
import { START } from './world.ts';

/** Records without stores and seals, so that many files can be tried. */
export class PlainVault {
  readonly #records: Map<string, VaultRecord>;
  #forget: () => void = () => undefined;

  constructor(records: ReadonlyMap<string, VaultRecord> = new Map()) {
    this.#records = new Map(records);
  }

  get asVault(): Vault {
    return this as unknown as Vault;
  }

  get records(): VaultRecord[] {
    return [...this.#records.values()];
  }

  backups(): Backups {
    return new Backups({
      vault: this.asVault,
      random: systemRandom,
      derive: cheapKdf,
      age: ageFiles,
      now: () => START + 1,
    });
  }

  copy(): PlainVault {
    return new PlainVault(this.#records);
  }

  onForget(forget: () => void): void {
    this.#forget = forget;
  }

  refresh(): void {
    // What is read is the newest.
  }

  slots() {
    return Promise.resolve([]);
  }

  state() {
    return Promise.resolve({ state: 'unlocked', created: START });
  }

  read(id: string) {
    return Promise.resolve(this.#records.get(id));
  }

  list(type: string) {
    const newestFirst = this.records.toReversed();
    return Promise.resolve(newestFirst.filter((record) => record.type === type));
  }

  async commit<T>(change: (draft: VaultDraft) => T | Promise<T>): Promise<T> {
    const draft = {
      get: (id: string) => this.read(id),
      list: (type: string) => this.list(type),
      put: (record: VaultRecord) => this.#records.set(record.id, record),
      remove: (id: string) => this.#records.delete(id),
    };
    const result = await change(draft as unknown as VaultDraft);
    this.#forget();
    return result;
  }
}
