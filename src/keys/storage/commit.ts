import { equal } from '../../crypto/bytes.ts';
import { storeFailure } from '../vault/errors.ts';
import type { KeyValueStore } from './key-value-store.ts';
import { succeeds, writeVerified } from './replicas.ts';
import type { Replicas } from './replicas.ts';

type Values = ReadonlyMap<string, Uint8Array>;

/** One step of the vault from one generation to the next. */
export interface CommitStep {
  /** New values, under names that no current generation uses. */
  readonly puts: Values;
  /** Values that only generations outside the kept window referred to. */
  readonly removes: readonly string[];
  /** The head slots to write. */
  readonly heads: Values;
  /** What those slots held before; undefined: nothing. */
  readonly headsBefore: ReadonlyMap<string, Uint8Array | undefined>;
  /** Whether a new value, as read back from the first store, opens. */
  readonly opens: (name: string, bytes: Uint8Array) => Promise<boolean>;
}

/**
 * The order of a commit (README.md has the picture). Nothing refers to the new values until a head
 * does, and no head moves before both stores have given the new values back (or the only one that
 * the browser has).
 *
 * @throws VaultError QUOTA or UNAVAILABLE; then the old heads stand, and what was new is removed as
 *   far as the stores allow. Where a head has moved and cannot be moved back, the new state stands,
 *   whole in both stores: that is no failure, and the other head follows before the next commit
 */
export async function commitStep(replicas: Replicas, step: CommitStep): Promise<void> {
  const stores = await replicas.present();
  const written: KeyValueStore[] = [];
  const moved: KeyValueStore[] = [];
  try {
    for (const store of stores) {
      const isFirst = written.length === 0;
      written.unshift(store);
      await writeVerified(store, step.puts, step.removes, isFirst ? step.opens : undefined);
    }
    for (const store of stores) {
      moved.unshift(store);
      await writeVerified(store, step.heads);
    }
  } catch (cause) {
    const undone = await rollBack(step, written, moved);
    if (undone || !(await stands(replicas, step.heads))) throw storeFailure(cause);
  }
}

/** Whether some store gives back a new head: then every reader takes the new state. */
async function stands(replicas: Replicas, heads: Values): Promise<boolean> {
  for (const [name, bytes] of heads) {
    const copies = await replicas.copies(name);
    if (!copies.some((copy) => copy.state === 'present' && equal(copy.bytes, bytes))) return false;
  }
  return true;
}

/**
 * Undoes, as far as the stores allow, what was begun, last things first: heads, and once no head
 * can refer to them, values; the copy before the primary store, which is always written whole, so
 * that it still has all should the worker die between. What cannot be undone is no harm: it is the
 * new state, whole, or garbage.
 *
 * @returns whether the heads are the old ones again
 */
async function rollBack(
  step: CommitStep,
  written: readonly KeyValueStore[],
  moved: readonly KeyValueStore[],
): Promise<boolean> {
  let restored = true;
  for (const store of moved) {
    const done = await succeeds(restoreHeads(store, step.headsBefore));
    restored &&= done;
  }
  if (!restored) return false;
  for (const store of written) await succeeds(store.write(new Map(), [...step.puts.keys()]));
  return true;
}

/** Writes only where a head has moved: a full store would refuse even the old value. */
async function restoreHeads(store: KeyValueStore, before: CommitStep['headsBefore']) {
  const puts = new Map<string, Uint8Array>();
  const removes: string[] = [];
  for (const [name, bytes] of before) {
    const now = await store.get(name);
    if (bytes === undefined) removes.push(name);
    else if (now === undefined || !equal(now, bytes)) puts.set(name, bytes);
  }
  if (puts.size + removes.length > 0) await writeVerified(store, puts, removes);
}
