import { download } from '../../ui/environment/download.ts';

/** Saves a backup under a name that sorts by day. @returns the name */
export function downloadBackup(
  file: Uint8Array,
  ending: 'backup' | 'age',
  now = new Date(),
): string {
  const day = now.toISOString().slice(0, 10);
  const name = `sealwright-${day}.${ending}`;
  download(name, new Blob([file.slice()], { type: 'application/octet-stream' }));
  return name;
}
