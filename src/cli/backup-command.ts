/* `sealwright backup`: lists the keys of a backup. Prints names and ids, never a key. */
import { labelOf } from '../keys/backup/key-set.ts';
import type { KeySet } from '../keys/backup/key-set.ts';
import type { PersistentKeyValues } from '../keys/ring/persistent-key.ts';
import { printableLine } from './input.ts';
import type { StandardInput } from './input.ts';
import { readBackup } from './key-source.ts';
import type { BackupSource } from './key-source.ts';

/** Opens a backup and lists its content. @returns lines to print */
export async function backupCommand(
  source: BackupSource,
  standardInput: StandardInput,
): Promise<string> {
  const contents = await readBackup(source, standardInput);
  const { created, vault, keys, annotations, persistentKeys } = contents;
  const named = [...keys.userKeys].map(([ref, { value }]) => {
    const { label, generations, guest = false } = value;
    const mark = guest ? ', from a file, not taken over' : '';
    return `key ${ref}  ${printableLine(label)}  (generations: ${generations.length}${mark})`;
  });
  return `${[
    `made            ${new Date(created).toISOString()}`,
    `of the vault    ${vault}`,
    `app keys        ${keys.root ? 'yes' : 'no'}`,
    ...named,
    ...usesOf(keys),
    ...[...annotations.contacts.values()].map(
      ({ name }) => `contact         ${printableLine(name)}`,
    ),
    ...[...keptBySites(persistentKeys)].map(
      ([origin, count]) => `kept by sites   ${printableLine(origin)}  (keys: ${count})`,
    ),
  ].join('\n')}\n`;
}

/** How many keys each origin keeps by reference. */
function keptBySites(persistentKeys: PersistentKeyValues): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { scope } of persistentKeys.values()) {
    counts.set(scope.origin, (counts.get(scope.origin) ?? 0) + 1);
  }
  return counts;
}

/** One line for each header key id, as `sealwright inspect` prints it of a message. */
function usesOf(keys: KeySet): string[] {
  return [...keys.uses.values()].flatMap((use) => {
    const entries = [...use.headerKeyIds, ...(use.kept ?? [])];
    return entries.map(({ id }) => {
      return `header key id ${id}  ${printableLine(use.origin)}  ${printableLine(labelOf(keys, use.ref))}`;
    });
  });
}
