import { expect } from 'chai';
import { toBase64url } from '../../../src/crypto/bytes.ts';
import { DELETION, deleteIn, DEVICE } from '../../../src/keys/annotations/deletions.ts';
import { deleteKeyIn } from '../../../src/keys/annotations/key-details.ts';
import { SHARED_TYPES } from '../../../src/keys/devices/contents.ts';
import { mergeIn, shareIn } from '../../../src/keys/devices/device.ts';
import type { MergeResult } from '../../../src/keys/devices/device.ts';
import { deviceOf } from '../../../src/keys/devices/device-record.ts';
import type { SharedState } from '../../../src/keys/devices/shared-state.ts';
import { encodeState, parseState } from '../../../src/keys/devices/state-text.ts';
import { KEY_ROOT, KEY_USE, keyUseOf } from '../../../src/keys/ring/key-records.ts';
import { unframeValue } from '../../../src/keys/values/checksummed-value.ts';
import { canonicalText } from '../../../src/keys/values/json.ts';
import type { VaultRecord } from '../../../src/keys/values/record.ts';
import { HEADS } from '../../../src/keys/values/value-names.ts';
import type { Vault } from '../../../src/keys/vault/vault.ts';
import type { RandomSource } from '../../../src/random/contract.ts';
import { systemRandom } from '../../support/stores/memory-store.ts';
import { PlainVault } from '../plain-vault.ts';
import { START, TestKeyRing } from '../world.ts';
import type { TestBrowser } from '../world.ts';

/** A device with a vault, as a later landing will have it: devices exchange texts of states. */
export class Device {
  readonly vault: Vault;
  readonly ring: TestKeyRing;
  /** What this device has sealed: header key id, origin and key. */
  readonly sealed: { readonly id: Uint8Array; readonly origin: string; readonly key: string }[] =
    [];
  /** Where sites have permissions. */
  origins: readonly string[] = [];
  now = START;
  readonly #random: RandomSource;

  /**
   * @param number in whose order the ids of devices are
   * @param random of keys
   */
  constructor(number: number, { vault = new PlainVault().asVault, random = systemRandom } = {}) {
    this.vault = vault;
    this.ring = new TestKeyRing({ vault, random, now: () => this.now });
    const id = new Uint8Array(16).fill(number);
    this.#random = { bytes: (length) => (length === 16 ? id : random.bytes(length)) };
  }

  async records(): Promise<VaultRecord[]> {
    const types = [...SHARED_TYPES, DELETION];
    return (await Promise.all(types.map((type) => this.vault.list(type)))).flat();
  }

  /** The state with all that the vault says. */
  share(): Promise<SharedState> {
    return this.vault.commit((draft) => shareIn(draft, this.#parts));
  }

  /** Merges what another device shares. */
  async take(other: SharedState): Promise<MergeResult> {
    return this.merge(parseState(encodeState(other)));
  }

  /** Merges a state, or what a medium gives of one. */
  async merge(theirs: SharedState): Promise<MergeResult> {
    const result = await this.vault.commit((draft) => mergeIn(draft, theirs, this.#parts));
    const { state } = deviceOf((await this.vault.read(DEVICE))!);
    // The vault holds what was merged, so that it has nothing else to say.
    const { entries } = await this.share();
    const changed = Object.keys(entries).filter(
      (name) => canonicalText(entries[name]) !== canonicalText(state.entries[name] ?? null),
    );
    expect(changed).to.deep.equal([]);
    return result;
  }

  get #parts() {
    return { random: this.#random, origins: this.origins, at: this.now };
  }

  /** Deletes a contact or a key that a site keeps. */
  async delete(id: string): Promise<void> {
    await this.vault.commit(async (draft) => deleteIn(draft, (await draft.get(id))!, this.now));
  }

  /** Deletes a key from the archive. */
  async deleteKey(ref: string): Promise<void> {
    await this.vault.commit((draft) => deleteKeyIn(draft, ref, this.now));
  }

  /** Seals at a site. @returns the key */
  async seal(ref: string, origin: string): Promise<string> {
    const { key, keyId } = await this.ring.sealingMaterial(ref, origin);
    this.sealed.push({ id: keyId, origin, key: toBase64url(key) });
    return toBase64url(key);
  }

  /** Everything that a site sees of the person: ids of keys, and the key that seals. */
  async seenBy(origin: string, refs: readonly string[]): Promise<unknown> {
    const all = (await this.vault.list(KEY_USE)).map(keyUseOf);
    const uses = all.filter(({ headerKeyIds }) => headerKeyIds.length > 0);
    const ids = await Promise.all(refs.map(async (ref) => this.ring.pairwiseId(ref, origin)));
    const used = refs.filter((ref) => uses.some((use) => use.ref === ref && use.origin === origin));
    const keys = await Promise.all(
      used.map(async (ref) => {
        const { key, keyId, generation } = await this.ring.sealingMaterial(ref, origin);
        return [toBase64url(key), toBase64url(keyId), generation];
      }),
    );
    return { ids, keys };
  }

  /** Those of `messages` that this device does not open with the right key. */
  async unopened(messages: Device['sealed']): Promise<Device['sealed']> {
    const opened = await Promise.all(
      messages.map(async ({ id, origin, key }) => {
        const material = await this.ring.openingMaterial(id, origin);
        return material !== undefined && toBase64url(material.key) === key;
      }),
    );
    return messages.filter((_, at) => !opened[at]);
  }

  async rootCount(): Promise<number> {
    const [root] = await this.vault.list(KEY_ROOT);
    const { others = {} } = root!.value as { others?: object };
    return 1 + Object.keys(others).length;
  }
}

/** Each device takes what all others share: the first in one way round, and the others in the other. */
export async function exchange(...devices: readonly Device[]): Promise<void> {
  for (const way of [devices, devices.toReversed()]) {
    for (const [at, one] of way.entries()) {
      const other = way[at + 1];
      if (other) await other.take(await one.share());
    }
  }
}

/** The schemas of the heads in both stores. */
export function schemasIn({ primary, copy }: TestBrowser): number[] {
  return [primary, copy].flatMap(({ values }) =>
    HEADS.map((name) => {
      const [high, low] = unframeValue(name, values.get(name)!)!;
      return high! * 256 + low!;
    }),
  );
}
