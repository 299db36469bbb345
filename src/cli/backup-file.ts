/* Reads a backup of the key store with a passphrase from a file. */
import { open, readFile } from 'node:fs/promises';
import { argon2id } from '../engine/argon2id/argon2id.ts';
import { argon2idFromNode } from '../engine/argon2id/node-loader.ts';
import { parseContents } from '../keys/backup/backup-contents.ts';
import type { BackupContents } from '../keys/backup/backup-contents.ts';
import { BACKUP_MAX_BYTES, openBackup } from '../keys/backup/backup-file.ts';

/** Paths of a backup and of its passphrase. */
export interface BackupSource {
  readonly backup: string;
  /** A file whose first line is the passphrase. Other users could read it on the command line. */
  readonly passphraseFile: string;
}

/** Opens a backup. @throws VaultError BAD_BACKUP, NEWER, WRONG_PASSPHRASE */
export async function readBackup({
  backup,
  passphraseFile,
}: BackupSource): Promise<BackupContents> {
  const [passphrase = ''] = (await readFile(passphraseFile, 'utf8')).split(/\r?\n/, 1);
  const file = await readAtMost(backup, BACKUP_MAX_BYTES + 1);
  const derive = argon2id(argon2idFromNode());
  return parseContents(await openBackup(file, passphrase, derive));
}

async function readAtMost(path: string, maxBytes: number): Promise<Uint8Array> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const { buffer, bytesRead } = await file.read(new Uint8Array(Math.min(size, maxBytes)));
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
