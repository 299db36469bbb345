import {
  Archive,
  ArchiveRestore,
  Ban,
  Check,
  Circle,
  Eraser,
  FileLock2,
  HardDriveDownload,
  KeyRound,
  LifeBuoy,
  Lock,
  LockKeyhole,
  LockKeyholeOpen,
  LockOpen,
  PenLine,
  RefreshCw,
  Trash2,
  Users,
  Vault,
  type LucideIcon,
} from 'lucide-preact';
import { byCapability } from './activity-words.ts';

/** Of uses: by what their grant had to allow. */
const OF_USES = byCapability<LucideIcon>({
  seal: LockKeyhole,
  open: LockKeyholeOpen,
  mac: LockKeyhole,
  blindIndex: LockKeyhole,
  sync: RefreshCw,
  sign: PenLine,
  publicKey: KeyRound,
});

const ICONS: Readonly<Record<string, LucideIcon>> = {
  ...OF_USES,
  sealField: LockKeyhole,
  openField: LockKeyholeOpen,
  openFile: FileLock2,
  sealFile: FileLock2,
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
  replaceVault: HardDriveDownload,
  addContact: Users,
  changeContact: Users,
  renameContact: Users,
  removeContact: Users,
  rewrap: RefreshCw,
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
