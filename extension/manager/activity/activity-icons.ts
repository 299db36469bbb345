import { Ban, Check, Circle, Eraser, FileLock2, HardDriveDownload, KeyRound } from 'lucide-preact';
import { LifeBuoy, Lock, LockKeyhole, LockKeyholeOpen, LockOpen, PenLine } from 'lucide-preact';
import { RefreshCw, Trash2, Users, Vault, type LucideIcon } from 'lucide-preact';
import { BULK_METHODS } from '../../../src/rpc/methods/bulk.ts';
import type { Capability, Method } from '../../../src/rpc/methods/method.ts';
import { PAGE_METHODS } from '../../../src/rpc/methods/page.ts';

/** By what the grant of a use had to allow. */
const BY_CAPABILITY: Readonly<Record<Capability, LucideIcon>> = {
  seal: LockKeyhole,
  open: LockKeyholeOpen,
  mac: LockKeyhole,
  blindIndex: LockKeyhole,
  sync: RefreshCw,
  sign: PenLine,
  publicKey: KeyRound,
};

/** By the operation, where no capability says it. */
const BY_OPERATION: Readonly<Record<string, LucideIcon>> = {
  sealField: LockKeyhole,
  openField: LockKeyholeOpen,
  openFile: FileLock2,
  grant: Check,
  deny: Ban,
  revoke: Trash2,
  grantUnused: Trash2,
  createVault: Vault,
  unlock: LockOpen,
  lock: Lock,
  addRecoveryCode: LifeBuoy,
  makeBackup: HardDriveDownload,
  restoreBackup: HardDriveDownload,
  addContact: Users,
  changeContact: Users,
  renameContact: Users,
  removeContact: Users,
  clearActivity: Eraser,
};

/** The icon of an entry of the audit log. */
export function iconOf(operation: string): LucideIcon {
  if (Object.hasOwn(BY_OPERATION, operation)) return BY_OPERATION[operation]!;
  const methods: Readonly<Record<string, Method>> = { ...PAGE_METHODS, ...BULK_METHODS };
  const capability = Object.hasOwn(methods, operation) ? methods[operation]!.capability : undefined;
  if (typeof capability === 'string') return BY_CAPABILITY[capability];
  return /key|passphrase|slot/i.test(operation) ? KeyRound : Circle;
}
