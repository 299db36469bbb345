import type { RandomSource } from '../../random/contract.ts';
import type { Changes } from './contents.ts';
import type { SlotChanges } from './draft.ts';
import { hashOf } from '../values/manifest.ts';
import type { Manifest, ManifestEntry, NewGeneration } from '../values/manifest.ts';
import { SCHEMA, sealRecord } from '../values/record.ts';
import { KEPT_GENERATIONS, manifestName, recordName } from '../values/value-names.ts';
import { encodeSlot, nameOfSlot } from '../unlock/slots.ts';
import type { SealingKey } from '../values/vault-seal.ts';

/**
 * Prepares the generation after `manifest`: seals changed records, retires the values that they
 * replace, and lists the values that no kept generation needs any more.
 */
export async function nextGeneration(
  key: SealingKey,
  manifest: Manifest,
  changes: Changes,
  slotChanges: SlotChanges,
  random: RandomSource,
): Promise<NewGeneration> {
  const generation = manifest.generation + 1;
  const values = new Map<string, Uint8Array>();
  const entries = new Map(manifest.records.map((entry) => [entry.name, entry]));
  for (const [name, record] of changes) {
    entries.delete(name);
    if (record === null) continue;
    const sealed = await sealRecord(key, { name, generation }, record, random);
    values.set(recordName(name, generation), sealed);
    entries.set(name, { name, generation, type: record.type, hash: hashOf(sealed) });
  }
  const records = [...entries.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  const { retired, removes } = retire(manifest, changes, generation);
  const { created } = manifest;
  const slots = nextSlots(manifest, slotChanges, values);
  const schema = raisedSchema([manifest, ...changes.values()]);
  const next = { ...schema, generation, created, slots, records, retired };
  return { manifest: next, values, removes };
}

/** The greatest of these schemas, as a manifest has it. */
export function raisedSchema(
  all: readonly ({ readonly schema?: number } | null)[],
): Pick<Manifest, 'schema'> {
  const schema = Math.max(...all.map((each) => each?.schema ?? SCHEMA));
  return schema > SCHEMA ? { schema } : {};
}

/**
 * A removed slot stays in the stores until the new generation counts, because it is needed if this
 * commit fails. `Vault` removes it afterwards, or the next unlock does.
 */
function nextSlots(
  manifest: Manifest,
  { added, removed }: SlotChanges,
  values: Map<string, Uint8Array>,
): Manifest['slots'] {
  const kept = manifest.slots.filter(({ name }) => !removed.has(name));
  const fresh = added.map((slot) => {
    const [name, bytes] = [nameOfSlot(slot), encodeSlot(slot)];
    values.set(name, bytes);
    return { name, hash: hashOf(bytes) };
  });
  return [...kept, ...fresh];
}

/** A retired value is needed by the generations before `until`, while those are kept. */
function retire(manifest: Manifest, changes: Changes, generation: number) {
  const oldestKept = generation - KEPT_GENERATIONS;
  const replaced = manifest.records.filter((entry) => changes.has(entry.name));
  const retired = [...manifest.retired, ...replaced.map((entry) => until(entry, generation))];
  const gone = retired.filter((value) => value.until <= oldestKept);
  const removes = gone.map(({ name, generation: written }) => recordName(name, written));
  if (oldestKept > 1) removes.push(manifestName(oldestKept - 1));
  return { retired: retired.filter((value) => value.until > oldestKept), removes };
}

function until({ name, generation, hash }: ManifestEntry, replacedBy: number) {
  return { name, generation, hash, until: replacedBy };
}
