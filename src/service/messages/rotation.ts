import type { KeyRing } from '../../keys/ring/key-ring.ts';
import type { Vault } from '../../keys/vault/vault.ts';
import type { PendingPrompt } from '../consent/consent-state.ts';
import type { PageCall } from '../calls/caller.ts';
import { recordedIn, recordIn, onceIn } from '../calls/journal.ts';

/** What a rotation needs. */
export interface RotationDeps {
  readonly vault: Vault;
  readonly keyRing: KeyRing;
  readonly now: () => number;
}

/*
 * A new generation of a key and the journal entry of the call are written in one commit. A replay
 * finds the entry, which holds the generation, and rotates nothing.
 */

/** Rotates an origin's app key, which no other origin uses. @returns the new generation */
export function rotatedOnce(
  ref: string,
  { origin, id, asks }: Pick<PageCall, 'origin' | 'id' | 'asks'>,
  { vault, keyRing, now }: RotationDeps,
): Promise<number> {
  return vault.commit(async (draft) => {
    const entry = { call: id, asks: await asks(), at: now() };
    return onceIn(draft, origin, entry, () => keyRing.rotateIn(draft, ref, origin));
  });
}

/** A key that the user picked, as they said yes to: one rotation for all who wait for the answer. */
export function rotatedForAll(
  { id, scope, waiters }: PendingPrompt,
  ref: string,
  { vault, keyRing, now }: RotationDeps,
): Promise<void> {
  const { origin } = scope;
  return vault.commit(async (draft) => {
    const at = now();
    const question = { call: `question ${id}`, at };
    if (await recordedIn(draft, origin, question)) return;
    const result = await keyRing.rotateIn(draft, ref, origin);
    const calls = [...waiters.map((waiter) => ({ ...waiter, at })), question];
    const entries = calls.map((call) => ({ ...call, result }));
    await recordIn(draft, origin, ...entries);
  });
}
