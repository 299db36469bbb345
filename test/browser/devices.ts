import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserName, BrowserSession, Tab } from './drivers/driver.ts';
import { launch } from './drivers/launch.ts';
import {
  confirmPassphrase,
  createVault,
  keepDownloads,
  lastDownload,
  PASSPHRASE,
} from './steps.ts';

/* Two browser profiles of one person, who takes keys from one to the other by a backup. */
export type Devices = readonly [BrowserSession, BrowserSession];

/** Both with a vault of their own. */
export async function launchDevices(browser: BrowserName): Promise<Devices> {
  const begin = async (): Promise<BrowserSession> => {
    const session = await launch(browser);
    await createVault(session);
    return session;
  };
  return await Promise.all([begin(), begin()]);
}

/** What the manager's backup of one brings to the other. */
export async function carryKeys([from, to]: Devices): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sealwright-backup-'));
  try {
    const file = join(folder, 'keys.sealwright-backup');
    writeFileSync(file, await madeBackup(from));
    await restoreBackup(to, file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function openBackupView(session: BrowserSession): Promise<Tab> {
  return session.newTab(session.extensionUrl('manager.html#backup'));
}

/** A backup that the manager makes. @returns the file */
export async function madeBackup(session: BrowserSession): Promise<Uint8Array> {
  const manager = await openBackupView(session);
  await manager.waitFor('#make-backup');
  await keepDownloads(manager);
  await manager.type('#backup-passphrase', PASSPHRASE);
  await manager.type('#backup-passphrase-again', PASSPHRASE);
  await manager.click('#make-backup');
  await confirmPassphrase(manager);
  await manager.waitFor('#backup-made', 60_000);
  const file = await lastDownload(manager);
  await manager.close();
  return file;
}

async function restoreBackup(session: BrowserSession, file: string): Promise<void> {
  const manager = await openBackupView(session);
  await manager.waitFor('#backup-file');
  await manager.chooseFile('#backup-file', file);
  await manager.type('#backup-secret', PASSPHRASE);
  await manager.click('#check-backup');
  await manager.waitFor('#restore-backup', 60_000);
  await manager.click('#restore-backup');
  await manager.waitUntil(() => document.querySelector('#restore-backup') === null);
  await manager.waitFor('#backup-report', 60_000);
  await manager.close();
}

/** A backup file as an earlier version has made it, and its passphrase. */
export function oldBackup(folder: string): { path: string; passphrase: string } {
  const { passphrase, files } = JSON.parse(
    readFileSync('test/keys/vectors/backup-files.json', 'utf8'),
  ) as { passphrase: string; files: readonly { format: string; file: string }[] };
  const path = join(folder, 'old.backup');
  const own = files.find(({ format }) => !format.includes('age'))!;
  writeFileSync(path, Buffer.from(own.file, 'base64url'));
  return { path, passphrase };
}
