import type { MessageKey } from '../../ui/text/i18n.ts';
import type { UiActivity } from '../../ui/environment/surface.ts';
import { BULK_METHODS } from '../../../src/rpc/methods/bulk.ts';
import type { Capability, Method } from '../../../src/rpc/methods/method.ts';
import { PAGE_METHODS } from '../../../src/rpc/methods/page.ts';

/*
 * The audit log in plain words. It names operations as the table of methods does, and what the user
 * does by names of its own (src/service); a person reads what that means.
 */

/** What a use of a key is called, by what its grant had to allow. */
const USES: Readonly<Record<Capability, MessageKey>> = {
  seal: 'capabilitySeal',
  open: 'capabilityOpen',
  mac: 'capabilityMac',
  blindIndex: 'capabilityBlindIndex',
  sync: 'capabilitySync',
  sign: 'capabilitySign',
  publicKey: 'capabilityPublicKey',
};

/** The methods whose rows name one capability. */
function usesByCapability(): Readonly<Record<string, MessageKey>> {
  const rows = Object.entries<Method>({ ...PAGE_METHODS, ...BULK_METHODS });
  const named = rows.flatMap(([name, { capability }]) =>
    typeof capability === 'string' ? [[name, USES[capability]] as const] : [],
  );
  return Object.fromEntries(named);
}

/** Kinds of events, as the filter offers them, with the operations of each. */
const OPERATIONS = {
  uses: {
    ...usesByCapability(),
    'sync.loadCollectionKeys': 'activityCollectionKeys',
    'sync.createCollectionKeys': 'activityCollectionKeys',
    rewrap: 'activityRewrap',
    rotateKey: 'activityRotate',
    sealField: 'activitySealField',
    openField: 'activityOpenField',
    openFile: 'activityOpenFile',
    'subtle.importNamedKey': 'activitySubtle',
    'subtle.encrypt': 'activitySubtle',
    'subtle.decrypt': 'activitySubtle',
    'subtle.sign': 'activitySubtle',
    'subtle.verify': 'activitySubtle',
    'subtle.wrapKey': 'activitySubtle',
    'subtle.unwrapKey': 'activitySubtle',
    'subtle.deriveBits': 'activitySubtle',
    'subtle.deriveKey': 'activitySubtle',
  },
  permissions: {
    grant: 'activityGrant',
    deny: 'activityDeny',
    revoke: 'activityRevoke',
    grantUnused: 'activityGrantUnused',
    rotate: 'activityRotate',
  },
  vault: {
    createVault: 'createVault',
    unlock: 'unlock',
    lock: 'activityLock',
    changePassphrase: 'changePassphrase',
    addRecoveryCode: 'recoveryMakeNew',
    addPasskey: 'activityAddPasskey',
    removeSlot: 'activityRemoveSlot',
    makeBackup: 'makeBackup',
    restoreBackup: 'activityRestoreBackup',
    createKey: 'createKey',
    archiveKey: 'keyArchived',
    takeFromArchive: 'keyRestored',
    deleteKey: 'keyDeleted',
    addContact: 'contactAdded',
    changeContact: 'contactCompare',
    renameContact: 'contactRenamed',
    removeContact: 'contactRemoved',
    clearActivity: 'activityClear',
  },
} as const satisfies Record<string, Record<string, MessageKey>>;

export const KINDS = {
  uses: 'activityKindUses',
  permissions: 'activityKindPermissions',
  vault: 'activityKindVault',
} as const satisfies Record<keyof typeof OPERATIONS, MessageKey>;

export type Kind = keyof typeof KINDS;

const ALL: Readonly<Record<string, MessageKey>> = {
  ...OPERATIONS.uses,
  ...OPERATIONS.permissions,
  ...OPERATIONS.vault,
};

export function operationWords(operation: string): MessageKey {
  return Object.hasOwn(ALL, operation) ? ALL[operation]! : 'activityOther';
}

export function operationsOf(kind: Kind): string[] {
  return Object.keys(OPERATIONS[kind]);
}

/** The operations whose words hold the text, in the language in which they are shown. */
export function operationsNamed(text: string, t: (key: MessageKey) => string): string[] {
  const wanted = text.toLowerCase();
  return Object.keys(ALL).filter((operation) => t(ALL[operation]!).toLowerCase().includes(wanted));
}

const RESULTS: Readonly<Record<string, MessageKey>> = {
  NOT_GRANTED: 'activityNotGranted',
  USER_REJECTED: 'activityNotGranted',
  EXPIRED: 'activityExpired',
  ABORTED: 'activityAborted',
};

/** How it ended, where it did not end well. */
export function failureWords({ result, origin }: UiActivity): MessageKey | null {
  if (result === 'ok') return null;
  if (result === 'AUTH_FAILED') return origin === null ? 'activityWrongSecret' : 'activityDamaged';
  return Object.hasOwn(RESULTS, result) ? RESULTS[result]! : 'activityFailed';
}
