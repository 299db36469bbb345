import { storeFailure } from './errors.ts';
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
 * does, and no head moves before both stores have given the new values back.
 *
 * @throws VaultError QUOTA or UNAVAILABLE; then the old heads stand, and what was new is removed as
 *   far as the stores allow
 */
export async function commitStep(replicas: Replicas, step: CommitStep): Promise<void> {
  try {
    const [primary, copy] = replicas.stores;
    await writeVerified(primary, step.puts, step.removes, step.opens);
    await writeVerified(copy, step.puts, step.removes);
    for (const store of replicas.stores) await writeVerified(store, step.heads);
  } catch (cause) {
    await rollBack(replicas, step);
    throw storeFailure(cause);
  }
}

/**
 * Heads first, values only once no head can refer to them. The copy goes before the primary store:
 * should the worker die between, the primary, which is always written whole, still has all. What
 * cannot be undone is no harm: it is the new state, whole, or garbage.
 */
async function rollBack(replicas: Replicas, step: CommitStep): Promise<void> {
  const stores = [...replicas.stores].reverse();
  try {
    for (const store of stores) await restoreHeads(store, step.headsBefore);
  } catch {
    return;
  }
  for (const store of stores) {
    await succeeds(store.write(new Map(), [...step.puts.keys()]));
  }
}

async function restoreHeads(
  store: KeyValueStore,
  before: CommitStep['headsBefore'],
): Promise<void> {
  const puts = new Map<string, Uint8Array>();
  const removes: string[] = [];
  for (const [name, bytes] of before) {
    if (bytes === undefined) removes.push(name);
    else puts.set(name, bytes);
  }
  await writeVerified(store, puts, removes);
}
