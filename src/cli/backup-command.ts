/* `sealwright backup`: lists the keys of a backup. Prints names and ids, never a key. */
import { labelOf } from '../keys/backup/key-set.ts';
import type { KeySet } from '../keys/backup/key-set.ts';
import { printableLine } from './input.ts';
import type { StandardInput } from './input.ts';
import { readBackup } from './key-source.ts';
import type { BackupSource } from './key-source.ts';

/** Opens a backup and lists its content. @returns lines to print */
export async function backupCommand(
  source: BackupSource,
  standardInput: StandardInput,
): Promise<string> {
  const { created, vault, keys, annotations } = await readBackup(source, standardInput);
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
  ].join('\n')}\n`;
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
