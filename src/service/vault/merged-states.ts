import { mergeIn, type MergeResult, type SharingParts } from '../../keys/devices/device.ts';
import type { SharedState } from '../../keys/devices/shared-state.ts';
import type { Vault, VaultDraft } from '../../keys/vault/vault.ts';
import type { RandomSource } from '../../random/contract.ts';
import type { Activity } from '../audit/activity.ts';
import type { Grant } from '../grants/grant-rules.ts';
import type { Grants } from '../grants/grants.ts';
import type { Revoker } from '../grants/revoker.ts';

/** What taking the state of another device works with. */
export interface MergingParts {
  readonly vault: Vault;
  readonly grants: Grants;
  readonly revoker: Revoker;
  readonly activity: Pick<Activity, 'all'>;
  readonly random: RandomSource;
  /** ms since the epoch */
  readonly now: () => number;
}

/** Merges the state of another device into the vault, and takes back the grants of keys that it had deleted. */
export type MergeRevokingIn = (draft: VaultDraft, other: SharedState) => Promise<MergeResult>;

/**
 * A commit that merges states of other devices. Grants on keys that they had deleted are taken back in it.
 *
 * @param change what the commit does, with the merge as a function
 * @returns what `change` returned
 * @throws what `change` and the commit throw: then nothing is taken. SharedStateError as `mergeIn` does
 */
export async function commitMerging<T>(
  parts: MergingParts,
  change: (draft: VaultDraft, mergeRevokingIn: MergeRevokingIn) => Promise<T>,
): Promise<T> {
  const { vault, grants, revoker } = parts;
  const sharing = await sharingParts(parts);
  const none = () => false; // which of them is known in the commit alone
  let result: { readonly of: T } | undefined;
  await revoker.takeBackIn(none, async () => {
    const revoked: Grant[] = [];
    result = await vault.commit(async (draft) => {
      const of = await change(draft, async (merging, other) => {
        const merged = await mergeIn(merging, other, sharing);
        const removed = new Set(merged.removedKeys);
        revoked.push(...(await grants.revokeIn(merging, ({ ref }) => removed.has(ref))));
        return merged;
      });
      return { of };
    });
    return revoked;
  });
  return result!.of;
}

/** The origins that have ids of keys: with a permission, or in the log of what they did. */
export async function sharingParts({
  grants,
  activity,
  random,
  now,
}: Pick<MergingParts, 'grants' | 'activity' | 'random' | 'now'>): Promise<SharingParts> {
  const granted = (await grants.all()).map(({ scope }) => scope.origin);
  const logged = (await activity.all()).flatMap(({ origin }) => origin ?? []);
  const origins = [...new Set([...granted, ...logged])];
  return { random, origins, at: Math.trunc(now()) };
}
