import type { KeyRing } from '../../keys/ring/key-ring.ts';
import type { Vault } from '../../keys/vault/vault.ts';
import type { PendingPrompt } from '../consent/consent-state.ts';
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
  { origin, id }: { readonly origin: string; readonly id: string },
  { vault, keyRing, now }: RotationDeps,
): Promise<number> {
  const entry = { call: id, at: now() };
  return vault.commit((draft) =>
    onceIn(draft, origin, entry, () => keyRing.rotateIn(draft, ref, origin)),
  );
}

/** A key that the user picked, as they said yes to: one rotation for all who wait for the answer. */
export function rotatedForAll(
  { id, scope, waiters }: PendingPrompt,
  ref: string,
  { vault, keyRing, now }: RotationDeps,
): Promise<void> {
  const { origin } = scope;
  const question = `question ${id}`;
  return vault.commit(async (draft) => {
    if (await recordedIn(draft, origin, question)) return;
    const result = await keyRing.rotateIn(draft, ref, origin);
    const entries = [...waiters, question].map((call) => ({ call, at: now(), result }));
    await recordIn(draft, origin, ...entries);
  });
}
