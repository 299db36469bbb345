/* The table of targets: every parser of bytes that others may have made. */
import { DEVICE_TARGETS } from './targets/devices.ts';
import { GROUP_TARGETS } from './targets/groups.ts';
import { KEY_TARGETS } from './targets/keys.ts';
import { MESSAGE_TARGETS } from './targets/messages.ts';
import { RECOVERY_TARGETS } from './targets/recovery.ts';
import { RPC_TARGETS } from './targets/rpc.ts';
import { SYNC_TARGETS } from './targets/sync.ts';
import { VAULT_TARGETS } from './targets/vault.ts';
import type { FuzzTarget } from './target.ts';

export const TARGETS: readonly FuzzTarget[] = [
  ...MESSAGE_TARGETS,
  ...GROUP_TARGETS,
  ...VAULT_TARGETS,
  ...DEVICE_TARGETS,
  ...RECOVERY_TARGETS,
  ...KEY_TARGETS,
  ...SYNC_TARGETS,
  ...RPC_TARGETS,
];
