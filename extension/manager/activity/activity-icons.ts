import {
  Archive,
  ArchiveRestore,
  Ban,
  Check,
  Circle,
  Eraser,
  FolderInput,
  FileLock2,
  HardDriveDownload,
  KeyRound,
  LifeBuoy,
  Lock,
  LockKeyhole,
  LockKeyholeOpen,
  LockOpen,
  RefreshCw,
  Trash2,
  Users,
  Vault,
  type LucideIcon,
} from 'lucide-preact';
import { wordsOfUse } from '../../ui/text/key-words.ts';
import { byCapability } from './activity-words.ts';

const ICONS: Readonly<Record<string, LucideIcon>> = {
  ...byCapability((capability) => wordsOfUse(capability).Icon),
  sealField: LockKeyhole,
  openField: LockKeyholeOpen,
  openFile: FileLock2,
  sealFile: FileLock2,
  grant: Check,
  deny: Ban,
  revoke: Trash2,
  grantUnused: Trash2,
  moveData: FolderInput,
  endMove: Trash2,
  createVault: Vault,
  unlock: LockOpen,
  unlockByCode: LifeBuoy,
  unlockByPasskey: LockOpen,
  lock: Lock,
  lockWithScreen: Lock,
  lockByTime: Lock,
  addRecoveryCode: LifeBuoy,
  makeBackup: HardDriveDownload,
  restoreBackup: HardDriveDownload,
  replaceVault: HardDriveDownload,
  addContact: Users,
  changeContact: Users,
  renameContact: Users,
  removeContact: Users,
  rewrap: RefreshCw,
  rewrapMany: RefreshCw,
  rotateKey: RefreshCw,
  rotate: RefreshCw,
  archiveKey: Archive,
  takeFromArchive: ArchiveRestore,
  takeOverKey: ArchiveRestore,
  clearActivity: Eraser,
};

/** The icon of an entry of the audit log. */
export function iconOf(operation: string): LucideIcon {
  if (Object.hasOwn(ICONS, operation)) return ICONS[operation]!;
  return /^subtle\.|key|passphrase|slot/i.test(operation) ? KeyRound : Circle;
}
