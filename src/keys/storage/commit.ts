import { equal } from '../../crypto/bytes.ts';
import { storeFailure } from '../values/errors.ts';
import type { KeyValueStore } from './key-value-store.ts';
import { succeeds, writeVerified } from './replicas.ts';
import type { Replicas } from './replicas.ts';

type Values = ReadonlyMap<string, Uint8Array>;

/** All writes of one commit. */
export interface CommitStep {
  /** New values, under names that no current generation uses. */
  readonly puts: Values;
  /** Values that some store holds already: written where they are absent, and not removed by a rollback. */
  readonly carried?: Values;
  /** Names of values that no kept generation needs any more. */
  readonly removes: readonly string[];
  /** The head slots to write. */
  readonly heads: Values;
  /** Whether a new value, as read back from the first store, can be opened. */
  readonly opens: (name: string, bytes: Uint8Array) => Promise<boolean>;
}

/**
 * Writes one commit in the order of docs/design/vault.md. Nothing refers to the new values until a head
 * does. A head is written only after every store that is present has returned the new values.
 *
 * @throws VaultError QUOTA or UNAVAILABLE; then the old heads are in place, and the new values are
 *   removed as far as the stores allow. Where a head was written and cannot be restored, the new
 *   state counts, complete in both stores: that is not a failure, and the other head is written before
 *   the next commit
 */
export async function commitGeneration(replicas: Replicas, step: CommitStep): Promise<void> {
  const stores = await replicas.present();
  const written: KeyValueStore[] = [];
  const moved: Moved[] = [];
  try {
    for (const store of stores) {
      const isFirst = written.length === 0;
      written.unshift(store);
      const puts = new Map([...(await absentIn(store, step.carried)), ...step.puts]);
      await writeVerified(store, puts, [], isFirst ? step.opens : undefined);
    }
    for (const store of stores) {
      // A rollback needs what is removed: the first store has it until all heads are written.
      const removes = moved.length > 0 ? step.removes : [];
      moved.unshift({ store, before: await headsOf(store, step.heads) });
      await writeVerified(store, step.heads, removes);
    }
    if (step.removes.length > 0) await succeeds(stores[0]!.write(new Map(), step.removes));
  } catch (cause) {
    const undone = await rollBack(step, written, moved);
    if (undone || !(await isCommitted(replicas, step.heads))) throw storeFailure(cause);
  }
}

/** A store in which heads may have been written, and what their slots held before; undefined: nothing. */
interface Moved {
  readonly store: KeyValueStore;
  readonly before: ReadonlyMap<string, Uint8Array | undefined>;
}

async function absentIn(store: KeyValueStore, values: Values = new Map()): Promise<Values> {
  const absent = new Map<string, Uint8Array>();
  for (const [name, bytes] of values) {
    const held = await store.get(name);
    if (held === undefined || !equal(held, bytes)) absent.set(name, bytes);
  }
  return absent;
}

/** The stores may hold heads of different lines, so that each gets its own back. */
async function headsOf(store: KeyValueStore, heads: Values): Promise<Moved['before']> {
  const before = new Map<string, Uint8Array | undefined>();
  for (const name of heads.keys()) before.set(name, await store.get(name));
  return before;
}

/** Whether some store returns every new head: then every reader takes the new state. */
async function isCommitted(replicas: Replicas, heads: Values): Promise<boolean> {
  for (const [name, bytes] of heads) {
    const copies = await replicas.copies(name);
    if (!copies.some((copy) => copy.state === 'present' && equal(copy.bytes, bytes))) return false;
  }
  return true;
}

/**
 * Undoes a commit as far as the stores allow, in reverse order: first the heads, then, when no head
 * refers to them, the values. The copy comes before the primary store, so that the primary is
 * complete should the worker die in between. What cannot be undone does no harm: it is the complete
 * new state, or values that nothing refers to.
 *
 * @returns whether the heads are the old ones again
 */
async function rollBack(
  step: CommitStep,
  written: readonly KeyValueStore[],
  moved: readonly Moved[],
): Promise<boolean> {
  let restored = true;
  for (const each of moved) {
    const done = await succeeds(restoreHeads(each));
    restored &&= done;
  }
  if (!restored) return false;
  for (const store of written) await succeeds(store.write(new Map(), [...step.puts.keys()]));
  return true;
}

/** Writes only the heads that were changed: a full store would refuse even the old value. */
async function restoreHeads({ store, before }: Moved) {
  const puts = new Map<string, Uint8Array>();
  const removes: string[] = [];
  for (const [name, bytes] of before) {
    const now = await store.get(name);
    if (bytes === undefined) removes.push(name);
    else if (now === undefined || !equal(now, bytes)) puts.set(name, bytes);
  }
  if (puts.size + removes.length > 0) await writeVerified(store, puts, removes);
}
