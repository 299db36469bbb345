import type { MessageKey } from '../../ui/text/i18n.ts';
import { wordsOfUse } from '../../ui/text/key-words.ts';
import type { UiActivity } from '../../ui/environment/ui-client.ts';
import { BULK_METHODS } from '../../../src/rpc/methods/bulk.ts';
import type { MethodCapability } from '../../../src/rpc/key-kinds.ts';
import type { Method } from '../../../src/rpc/methods/method.ts';
import { PAGE_METHODS } from '../../../src/rpc/methods/page.ts';

/*
 * Messages for the operations and results in the audit log. Operations of sites have the names of
 * the table of methods, and operations of the user have names of the log (src/service/audit).
 */

/** The methods whose rows name one capability, with what belongs to it. */
export function byCapability<T>(
  of: (capability: MethodCapability) => T,
): Readonly<Record<string, T>> {
  const rows = Object.entries<Method>({ ...PAGE_METHODS, ...BULK_METHODS });
  const named = rows.flatMap(([name, { capability }]) =>
    typeof capability === 'string' ? [[name, of(capability)] as const] : [],
  );
  return Object.fromEntries(named);
}

/** Kinds of events, as the filter offers them, with the operations of each. */
const OPERATIONS = {
  uses: {
    ...byCapability((capability) => wordsOfUse(capability).name),
    'sync.loadCollectionKeys': 'activityCollectionKeys',
    'sync.createCollectionKeys': 'activityCollectionKeys',
    rewrap: 'activityRewrap',
    rewrapMany: 'activityRewrap',
    rotateKey: 'activityRotate',
    sealField: 'activitySealField',
    openField: 'activityOpenField',
    openFile: 'activityOpenFile',
    sealFile: 'activitySealFile',
    sealWithPassphrase: 'activitySealWords',
    openWithPassphrase: 'activityOpenWords',
    'subtle.importNamedKey': 'activitySubtle',
    'subtle.exportReference': 'activitySubtle',
    'subtle.importReference': 'activitySubtle',
    'subtle.deleteKey': 'activitySubtle',
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
    moveData: 'activityMoveData',
    endMove: 'activityEndMove',
    deletePersistentKeys: 'persistentKeysDeleted',
    grantUnused: 'activityGrantUnused',
    freeze: 'activityFreeze',
    letGoOn: 'activityLetGoOn',
    letGoOnForAnHour: 'activityLetGoOnForAnHour',
    forgetDecoys: 'decoysForgotten',
    unusualHour: 'activityUnusualHour',
    readUnusual: 'activityUnusualSeen',
    rotate: 'activityRotate',
  },
  vault: {
    createVault: 'createVault',
    unlock: 'unlock',
    unlockByCode: 'unlock',
    unlockByPasskey: 'unlock',
    lock: 'activityLock',
    lockWithScreen: 'activityLockWithScreen',
    lockByTime: 'activityLockByTime',
    changePassphrase: 'changePassphrase',
    addRecoveryCode: 'recoveryMakeNew',
    addPasskey: 'activityAddPasskey',
    removeSlot: 'activityRemoveSlot',
    makeBackup: 'makeBackup',
    dealRecovery: 'friendsMake',
    askFriends: 'activityAskFriends',
    giveShare: 'activityGiveShare',
    proveShare: 'activityProveShare',
    restoreBackup: 'activityRestoreBackup',
    replaceVault: 'activityReplaceVault',
    createKey: 'createKey',
    archiveKey: 'keyArchived',
    takeFromArchive: 'keyRestored',
    takeOverKey: 'activityTakeOverKey',
    giveToDevice: 'activityGiveToDevice',
    joinDevice: 'activityJoinDevice',
    removeDevice: 'activityRemoveDevice',
    rotateKeys: 'removedRenewed',
    leaveDevices: 'activityLeaveDevices',
    useMedium: 'activityUseMedium',
    leaveMedium: 'activityLeaveMedium',
    chooseEpoch: 'activityChooseEpoch',
    deleteKey: 'keyDeleted',
    addContact: 'contactAdded',
    changeContact: 'contactCompare',
    renameContact: 'contactRenamed',
    removeContact: 'contactRemoved',
    makeGroup: 'groupMake',
    changeGroup: 'groupManage',
    takeEpochs: 'groupTake',
    renameGroup: 'groupRenamed',
    removeGroup: 'groupDeleted',
    clearActivity: 'activityClear',
  },
} as const satisfies Record<string, Record<string, MessageKey>>;

/** What an operation is called once it is done; where a message is missing, as before it. */
const DONE: Readonly<Record<string, MessageKey>> = {
  ...byCapability((capability) => wordsOfUse(capability).done),
  createVault: 'activityCreateVault',
  unlock: 'activityUnlock',
  unlockByCode: 'activityUnlockByCode',
  unlockByPasskey: 'activityUnlockByPasskey',
  changePassphrase: 'activityChangePassphrase',
  addRecoveryCode: 'activityRecoveryCode',
  makeBackup: 'activityMakeBackup',
  dealRecovery: 'activityDealRecovery',
  createKey: 'activityCreateKey',
  archiveKey: 'activityArchiveKey',
  takeFromArchive: 'activityTakeFromArchive',
  deleteKey: 'activityDeleteKey',
  addContact: 'activityAddContact',
  changeContact: 'activityCompare',
  renameContact: 'activityRenameContact',
  removeContact: 'activityRemoveContact',
  makeGroup: 'activityMakeGroup',
  changeGroup: 'activityChangeGroup',
  takeEpochs: 'activityTakeEpochs',
  renameGroup: 'activityRenameGroup',
  removeGroup: 'activityRemoveGroup',
  clearActivity: 'activityCleared',
};

/** The kinds, with the messages of their names. */
export const KINDS = {
  uses: 'activityKindUses',
  permissions: 'activityKindPermissions',
  vault: 'activityKindVault',
} as const satisfies Record<keyof typeof OPERATIONS, MessageKey>;

/** A kind of event. */
export type Kind = keyof typeof KINDS;

const ALL: Readonly<Record<string, MessageKey>> = {
  ...OPERATIONS.uses,
  ...OPERATIONS.permissions,
  ...OPERATIONS.vault,
};

/** The message for what was done, or tried; 'activityOther' for an unknown operation. */
export function operationWords({
  operation,
  result,
}: Pick<UiActivity, 'operation' | 'result'>): MessageKey {
  if (result === 'ok' && Object.hasOwn(DONE, operation)) return DONE[operation]!;
  return Object.hasOwn(ALL, operation) ? ALL[operation]! : 'activityOther';
}

/** What Sealwright does without the user. */
export const isByItself = (operation: string): boolean =>
  operation === 'lockWithScreen' || operation === 'lockByTime';

/** The operations of a kind. */
export function operationsOf(kind: Kind): string[] {
  return Object.keys(OPERATIONS[kind]);
}

/** The operations one of whose messages contains the text, ignoring case. @param t reads a message */
export function operationsNamed(text: string, t: (key: MessageKey) => string): string[] {
  const wanted = text.toLowerCase();
  const isNamed = (message: MessageKey) => t(message).toLowerCase().includes(wanted);
  return Object.keys(ALL).filter((operation) =>
    ['ok', 'failed'].some((result) => isNamed(operationWords({ operation, result }))),
  );
}

const RESULTS: Readonly<Record<string, MessageKey>> = {
  NOT_GRANTED: 'activityNotGranted',
  USER_REJECTED: 'activityNotGranted',
  EXPIRED: 'activityExpired',
  FROZEN: 'activityFrozen',
  QUOTA: 'activityHourUsedUp',
  ABORTED: 'activityAborted',
};

/** The message for a failed entry; null if the entry succeeded. */
export function failureWords({ result, origin }: UiActivity): MessageKey | null {
  if (result === 'ok') return null;
  if (result === 'AUTH_FAILED') return origin === null ? 'activityWrongSecret' : 'activityDamaged';
  return Object.hasOwn(RESULTS, result) ? RESULTS[result]! : 'activityFailed';
}
