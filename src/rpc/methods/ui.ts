/*
 * The rows that only the extension's own pages may call. Scripts that run in pages do not contain
 * them.
 */
import {
  MAX_ID_CHARACTERS,
  MAX_LABEL_CHARACTERS,
  MAX_NOTE_CHARACTERS,
  MAX_COLLECTIONS,
  MAX_PUBLIC_KEY_CHARACTERS,
  MAX_RECOVERY_CODE_CHARACTERS,
} from '../limits.ts';
import { KEY_KIND_NAMES, kindHas } from '../key-kinds.ts';
import type { Policy, Replay } from './method.ts';
import { MOVEMENTS_BYTES, MOVEMENTS_EVENTS } from './movements.ts';
import { CONTACT_SHAPES, GROUP_SHAPES, RECOVERY_SHAPES } from './ui-contacts.ts';
import { ACTIVITY_SHAPES } from './ui-activity.ts';
import { DEVICE_SHAPES } from './ui-devices.ts';
import { FIELD_SHAPES } from './ui-fields.ts';
import { FILE_SHAPES } from './ui-files.ts';
import { thresholds } from '../thresholds.ts';
import {
  array,
  boolean,
  bytes,
  integer,
  literal,
  nullable,
  object,
  optional,
  string,
  union,
} from '../validate.ts';
import type { Infer, Validator } from '../validate.ts';

/** NIST SP 800-63B section 5.1.1.2 asks for at least 64; we hash whatever fits. */
const MAX_PASSPHRASE_CHARACTERS = 1024;

/** The results of a self-test are the longest value. */
const MAX_PAGE_VALUE_CHARACTERS = 256 * 1024;

const id = string(MAX_ID_CHARACTERS, 1);
const label = string(MAX_LABEL_CHARACTERS, 1);
const time = integer(0);
const count = integer(0);
const duration = integer(1);
const text = string(4096);
const none = object({});

/**
 * Keys of the session store with which what our own pages show changes by itself: whether an unlock was announced and not its end,
 * and how the last exchange with other devices ended. Pages watch them, so that they need no port to the background, and start none.
 */
export const SHOWN_STATE = { unlock: 'unlock-announced', exchange: 'medium-exchange' } as const;

/** The kind of a key. */
export const keyKind = literal(...KEY_KIND_NAMES);

const uiGrant = object({
  id,
  origin: text,
  keyLabel: text,
  keyKind,
  capabilities: array(text, 16),
  created: time,
  expiresAt: nullable(time),
  usesLeft: nullable(count),
  maxPerHour: nullable(count),
  lastUsed: nullable(time),
  /** Since when it opens nothing, or from when on: a decoy was opened. Null: it is not frozen. */
  frozenFrom: nullable(time),
  /** Whether it opened far more in an hour than it usually does, and the user has not read of it. */
  isUnusual: boolean,
  /** Keys by reference that go to the archive with it: it is the last of its scope for the app key. */
  persistentKeys: count,
});
const uiGrants = array(uiGrant, 10_000);

const uiKey = object({
  ref: id,
  kind: keyKind,
  /** Its algorithm; null where the kind implies it. */
  algorithm: nullable(text),
  /** The only site that it serves; null where it serves every site. */
  origin: nullable(text),
  label: text,
  /** Of a backup that someone else made, and not taken over (src/keys/backup/backups.ts). */
  guest: boolean,
  created: time,
  generation: count,
  grants: count,
  /** Sites that have ever used it. */
  sites: count,
  /** Messages sealed with it, as far as the activity log knows; 0 where keys are offered to a site. */
  sealed: count,
  /** Under the permissions that exist now, or as far as the activity log knows. */
  lastUsed: nullable(time),
  note: text,
  /** Name of a colour; empty: none. */
  tone: text,
  archived: nullable(time),
});
const madeKind = literal(...KEY_KIND_NAMES.filter((kind) => kindHas(kind, 'isMadeByUser')));
const uiKeys = array(uiKey, 10_000);

/** What the extension's own pages store: names, and values as JSON. Null: nothing is stored under the name. */
const pageValue = literal(
  'picture',
  'preferences',
  'self-test-last-run',
  'backup-reminder-quiet-until',
);
const pageValueJson = string(MAX_PAGE_VALUE_CHARACTERS);

const vaultState = literal('absent', 'lost', 'locked', 'unlocked');
const passphrase = string(MAX_PASSPHRASE_CHARACTERS, 1);
const pattern = string(2048, 1);
const entropy = object({
  pools: array(count, 32),
  reseeds: count,
  events: count,
  healthy: boolean,
});

/** A secret that unlocks the vault. It is required again to change slots or to export keys. */
const secret = union(
  '{ passphrase }, { recoveryCode } or { prf }',
  object({ passphrase }),
  object({ recoveryCode: string(MAX_RECOVERY_CODE_CHARACTERS, 1) }),
  object({ prf: bytes(64) }),
);
const cost = union(
  'the cost of Argon2id or PBKDF2',
  object({ memoryKiB: count, passes: count, parallelism: count }),
  object({ iterations: count }),
);
const slotKind = literal('passphrase', 'webauthn-prf', 'recovery-code', 'unknown');
const slot = object({
  id,
  kind: slotKind,
  created: time,
  cost: nullable(cost),
  /** How many ms its last derivation took in this browser session. */
  tookMs: nullable(count),
  /** What a new calibration of the passphrase would change. */
  advice: literal('none', 'raise', 'lower'),
  confirmed: boolean,
});
/** What a new backup can be opened with. A hybrid recipient of age has 1,959 characters. */
const backupLock = union(
  '{ passphrase } or { recipients }',
  object({ passphrase }),
  object({ recipients: array(string(4096, 1), 20) }),
);
/** A backup of the keys, at most 16 MiB. */
const backupFile = bytes(16 * 1024 * 1024);
/** Without a passphrase: an age file, for an identity in the vault. */
const openedBackup = object({ file: backupFile, passphrase: optional(passphrase) });
const difference = object({
  keys: count,
  sites: count,
  messageKeys: count,
  contacts: count,
  notes: count,
  siteSettings: count,
  persistentKeys: count,
});
const backupReport = object({
  created: time,
  ofThisVault: boolean,
  relation: literal('own', 'first', 'foreign'),
  labels: array(text, 10_000),
  sites: count,
  brings: difference,
  lacks: difference,
  present: object({ keys: count, contacts: count, appKeys: count, persistentKeys: count }),
});

/** @param operation its name in the audit log; absent: it is not logged */
function surface<P, R>(
  replay: Replay,
  params: Validator<P>,
  result: Validator<R>,
  operation?: string | ((params: P, result: R | undefined) => string),
) {
  const policy: Pick<Policy, 'operation'> = operation === undefined ? {} : { operation };
  return { access: 'surface', needs: 'nothing', replay, params, result, ...policy } as const;
}

/** The same row, whose entries in the audit log name the contact. */
function aboutContact<T extends object>(row: T) {
  return { ...row, isAboutContact: true } as const;
}

/** The same row, for the manager alone: no link, menu or site leads into it. */
function inManager<T extends object>(row: T) {
  return { ...row, page: 'manager' } as const;
}

/** The rows that only the extension's own pages may call. */
export const UI_METHODS = Object.freeze({
  'ui.state': surface(
    'pure',
    none,
    object({
      vault: vaultState,
      created: nullable(time),
      /** How many stores hold the vault: two, unless the browser lacks one. */
      copies: integer(1),
      /** Permissions that count no longer, but whose removal could not be saved yet. */
      unsavedRevocations: count,
      /** Whether a decoy has frozen a grant, and the user has not answered; false while the vault is locked. */
      isFrozen: boolean,
      /** Whether a site opened far more in an hour than usual, and the user has not read of it; likewise. */
      isUnusual: boolean,
      /** Whether another device has added one, and the user has not read of it; likewise. */
      hasNewDevice: boolean,
      /** Whether there is no recovery code that the user has typed back; null while the vault is locked, or lost. */
      lacksCode: nullable(boolean),
      autoLockMs: count,
      lockAt: nullable(time),
      version: text,
      engines: array(text, 16),
    }),
  ),
  'ui.createVault': surface('effect', object({ passphrase }), none, 'createVault'),
  /** By the passphrase, or a recovery code in its place: `by` says which it was. */
  'ui.unlock': surface('effect', object({ passphrase }), object({ by: slotKind }), (_, result) =>
    result?.by === 'recovery-code' ? 'unlockByCode' : 'unlock',
  ),
  'ui.unlockBy': surface('effect', object({ by: secret }), none, ({ by }) =>
    'recoveryCode' in by ? 'unlockByCode' : 'prf' in by ? 'unlockByPasskey' : 'unlock',
  ),
  /** Whether a secret unlocks the vault; checked before steps that cannot be undone. */
  'ui.checkSecret': surface('pure', object({ by: secret }), none),
  'ui.lock': surface('effect', none, none),
  'ui.setAutoLock': surface('effect', object({ autoLockMs: count }), none),
  'ui.slots': surface('pure', none, array(slot, 100)),
  'ui.changePassphrase': surface(
    'effect',
    object({ by: secret, passphrase }),
    none,
    'changePassphrase',
  ),
  'ui.addRecoveryCode': surface(
    'effect',
    object({ by: secret }),
    object({ code: text }),
    'addRecoveryCode',
  ),
  /** The same without a secret: once, within a minute of the vault's creation (first-code.ts). */
  'ui.addFirstRecoveryCode': surface('effect', none, object({ code: text }), 'addRecoveryCode'),
  'ui.confirmRecoveryCode': surface(
    'effect',
    object({ code: string(MAX_RECOVERY_CODE_CHARACTERS, 1) }),
    none,
  ),
  'ui.passkeys': surface(
    'pure',
    none,
    array(object({ credentialId: bytes(1023), prfSalt: bytes(32) }), 100),
  ),
  'ui.addPasskey': surface(
    'effect',
    object({
      by: secret,
      credentialId: bytes(1023),
      prfSalt: bytes(32),
      output: bytes(64),
      /** For the input that depends on no vault; absent from an authenticator that takes one input at a time. */
      circleOutput: optional(bytes(64)),
    }),
    none,
    'addPasskey',
  ),
  'ui.removeSlot': surface('effect', object({ by: secret, id }), none, 'removeSlot'),
  'ui.backupTimes': surface(
    'pure',
    none,
    object({ made: nullable(time), checked: nullable(time) }),
  ),
  'ui.makeBackup': surface(
    'effect',
    object({ by: secret, under: backupLock }),
    object({ file: backupFile }),
    'makeBackup',
  ),
  'ui.checkBackup': surface('effect', openedBackup, backupReport),
  'ui.restoreBackup': surface('effect', openedBackup, backupReport, 'restoreBackup'),
  /** All keys, annotations and permissions go in the commit that brings those of the backup. */
  'ui.replaceVault': surface(
    'effect',
    object({ by: secret, file: backupFile, passphrase: optional(passphrase) }),
    none,
    'replaceVault',
  ),
  /** Restores into a new vault, which replaces one that is lost. */
  'ui.restoreLost': surface(
    'effect',
    object({ file: backupFile, passphrase: optional(passphrase), newPassphrase: passphrase }),
    backupReport,
    'restoreBackup',
  ),
  /** What this device asks of another one, while it can be answered. */
  'ui.ownOffer': inManager(surface('pure', none, DEVICE_SHAPES.anOffer)),
  'ui.makeOffer': inManager(surface('effect', DEVICE_SHAPES.named, DEVICE_SHAPES.ownOffer)),
  'ui.endOffer': inManager(surface('effect', none, none)),
  /** What another device asks. */
  'ui.readOffer': inManager(surface('pure', DEVICE_SHAPES.offered, DEVICE_SHAPES.readOffer)),
  /** All that devices share goes to the other device. */
  'ui.giveToDevice': inManager(
    surface(
      'effect',
      object({ by: secret, ...DEVICE_SHAPES.giving }),
      DEVICE_SHAPES.given,
      'giveToDevice',
    ),
  ),
  /** Takes nothing; wrong digits count. */
  'ui.checkParcel': inManager(surface('effect', DEVICE_SHAPES.answer, DEVICE_SHAPES.checked)),
  'ui.takeParcel': inManager(
    surface('effect', DEVICE_SHAPES.answer, DEVICE_SHAPES.joined, 'joinDevice'),
  ),
  /** The devices that share keys with this one. */
  'ui.members': inManager(surface('pure', none, DEVICE_SHAPES.members)),
  'ui.removeMember': inManager(
    surface('effect', object({ by: secret, id: DEVICE_SHAPES.memberId }), none, 'removeDevice'),
  ),
  /** The user has seen that a member has joined, of which this device has not heard. */
  'ui.memberHasJoined': inManager(surface('effect', object({ id: DEVICE_SHAPES.memberId }), none)),
  /** The keys that removed devices have, until they are rotated or dismissed; null where there are none. */
  'ui.removedDevices': inManager(surface('pure', none, DEVICE_SHAPES.removedDevices)),
  /** Rotates some of them; to be called until none is left. */
  'ui.rotateKeys': inManager(surface('effect', none, DEVICE_SHAPES.rotated, 'rotateKeys')),
  'ui.dismissRemovedDevices': inManager(surface('effect', none, none)),
  'ui.leaveCircle': inManager(surface('effect', object({ by: secret }), none, 'leaveDevices')),
  /** The exchange with other devices over the browser's storage that syncs. */
  'ui.medium': inManager(surface('pure', none, DEVICE_SHAPES.medium)),
  'ui.useMedium': inManager(surface('effect', none, none, 'useMedium')),
  'ui.leaveMedium': inManager(surface('effect', DEVICE_SHAPES.leftMedium, none, 'leaveMedium')),
  /** The person has read which devices have joined. */
  'ui.readJoined': inManager(surface('effect', none, none)),
  /** Which of two epochs holds, where the devices do not agree. */
  'ui.chooseEpoch': inManager(
    surface('effect', object({ by: secret, ...DEVICE_SHAPES.choice }), none, 'chooseEpoch'),
  ),
  /** The exchange with other devices by files, which a folder or the person carries. */
  'ui.deviceFiles': inManager(surface('pure', none, DEVICE_SHAPES.deviceFiles)),
  'ui.makeDeviceFile': inManager(surface('effect', none, DEVICE_SHAPES.deviceFile)),
  'ui.takeDeviceFiles': inManager(
    surface('effect', DEVICE_SHAPES.files, DEVICE_SHAPES.filesReport),
  ),
  /** Which of two epochs holds, where files show another one; takes them afterwards. */
  'ui.chooseByFiles': inManager(
    surface(
      'effect',
      object({ by: secret, ...DEVICE_SHAPES.chosenFiles, ...DEVICE_SHAPES.choice }),
      DEVICE_SHAPES.filesReport,
      'chooseEpoch',
    ),
  ),
  /** The person has read as whom two devices write. */
  'ui.readCopies': inManager(surface('effect', none, none)),
  /** What the medium, or files of devices, hold for a recovery code or a passkey. Changes nothing, and needs no vault. */
  'ui.lookAtMedium': inManager(surface('pure', object(DEVICE_SHAPES.source), DEVICE_SHAPES.found)),
  /** Makes a vault of what they hold, in a browser without one: all of it, or nothing. */
  'ui.restoreFromMedium': inManager(
    surface(
      'effect',
      object({ ...DEVICE_SHAPES.source, passphrase, name: DEVICE_SHAPES.name }),
      DEVICE_SHAPES.arrived,
    ),
  ),
  'ui.site': surface(
    'pure',
    object({ tabId: integer(0) }),
    object({
      origin: nullable(text),
      pattern: nullable(text),
      enabled: boolean,
      problem: literal(null, 'insecure', 'opaque', 'browser-page', 'file'),
      grants: uiGrants,
      /** Keys of the site in the vault, also in the archive (src/service/subtle/persistent-keys.ts). */
      persistentKeys: count,
      lastUse: nullable(time),
    }),
  ),
  'ui.sites': surface(
    'pure',
    none,
    array(
      object({
        origin: text,
        pattern: text,
        grants: uiGrants,
        persistentKeys: count,
        decoys: count,
      }),
      10_000,
    ),
  ),
  'ui.enableSite': surface('effect', object({ pattern }), none),
  'ui.disableSite': surface('effect', object({ pattern }), none),
  'ui.revoke': surface('effect', object({ grantIds: array(id, 10_000) }), none),
  /** Lets a frozen grant go on, for an hour or for good. `ui.revoke` is the other answer. */
  'ui.letGoOn': surface('effect', object({ grantId: id, forAnHour: boolean }), none),
  /** The user has read that a grant opened far more in an hour than it usually does. */
  'ui.readUnusual': surface('effect', object({ grantId: id }), none, 'readUnusual'),
  /** Those that `ui.sites` counts: they become messages like any other. */
  'ui.forgetDecoys': surface('effect', object({ origin: string(1024, 1) }), none),
  /** Which site opens what another one has sealed, and the enabled origins that have sealed something. */
  'ui.moves': surface(
    'pure',
    none,
    object({
      moves: array(object({ from: text, to: text }), 10_000),
      origins: array(text, 10_000),
    }),
  ),
  /** Lets `to` open what `from` has sealed, or no more (src/service/grants/origin-moves.ts). */
  'ui.moveData': surface(
    'effect',
    object({ from: string(1024, 1), to: string(1024, 1), on: boolean }),
    none,
  ),
  /** Those that `ui.site` counts; the grants of the site stay. */
  'ui.deletePersistentKeys': surface(
    'effect',
    object({ origin: string(1024, 1) }),
    none,
    'deletePersistentKeys',
  ),
  'ui.keys': surface('pure', none, uiKeys),
  /** Without `kind`: a sealing key. */
  'ui.createKey': surface(
    'effect',
    object({ kind: optional(madeKind), label }),
    uiKey,
    'createKey',
  ),
  'ui.importKey': surface(
    'effect',
    object({ label, text: string(16 * 1024, 1), scheme: literal('RSA-PSS', 'RSASSA-PKCS1-v1_5') }),
    uiKey,
    'createKey',
  ),
  'ui.importSyncKey': surface(
    'effect',
    object({
      label,
      format: literal('weave-5', 'kinto', 'notes'),
      source: FILE_SHAPES.syncKeySource,
    }),
    uiKey,
    'createKey',
  ),
  /** The format of a sync key, and what to compare it by: its name elsewhere, or our fingerprint. */
  'ui.syncKey': surface(
    'pure',
    object({ ref: id }),
    object({
      format: text,
      foreignId: nullable(text),
      fingerprint: text,
      /** Whether the account's collection keys are loaded; and the collections that have their own. */
      hasKeys: boolean,
      collections: array(text, 10_000),
    }),
  ),
  'ui.importAgeKey': surface('effect', FILE_SHAPES.identities, uiKey, 'createKey'),
  /** For files that other tools encrypted. */
  'ui.openFile': surface('effect', FILE_SHAPES.opening, FILE_SHAPES.opened),
  /** Files of age, of any length: their payload is opened and sealed where they are. */
  'ui.releaseAgeOpen': surface('effect', FILE_SHAPES.ageOpening, FILE_SHAPES.ageOpened),
  'ui.releaseAgeSeal': surface('effect', FILE_SHAPES.ageSealing, FILE_SHAPES.ageSealed),
  /** For the owner alone: opens whatever a key of the vault sealed, for any site. */
  'ui.releaseOpen': surface('effect', FILE_SHAPES.releaseOpening, FILE_SHAPES.releasedOpening),
  /** After a shared message was opened whole: who sealed it. */
  'ui.senderOf': surface('pure', FILE_SHAPES.senderOf, FILE_SHAPES.sender),
  'ui.releaseSeal': surface('effect', FILE_SHAPES.releaseSealing, FILE_SHAPES.releasedSealing),
  /** As a field's text, for the clipboard or a file. */
  'ui.sealText': surface('effect', FILE_SHAPES.sealing, FIELD_SHAPES.sealed),
  'ui.publicKey': surface(
    'pure',
    object({ ref: id }),
    object({ text: string(MAX_PUBLIC_KEY_CHARACTERS) }),
  ),
  'ui.contacts': surface('pure', none, CONTACT_SHAPES.contacts),
  /** The public keys that others need to seal to this user, with what they compare. */
  'ui.ownSharingKeys': surface('pure', none, CONTACT_SHAPES.ownSharingKeys),
  'ui.addContact': aboutContact(
    surface('effect', CONTACT_SHAPES.added, CONTACT_SHAPES.contact, 'addContact'),
  ),
  'ui.changeContact': aboutContact(
    surface('effect', CONTACT_SHAPES.changed, none, ({ verified }) =>
      verified === undefined ? 'renameContact' : 'changeContact',
    ),
  ),
  'ui.removeContact': aboutContact(
    surface('effect', CONTACT_SHAPES.removed, none, 'removeContact'),
  ),
  /** Groups of which the user is a member (src/service/sharing/kept-groups.ts). */
  'ui.groups': surface('pure', none, GROUP_SHAPES.groups),
  /** The same as ones to seal to, without their epochs. */
  'ui.sealableGroups': surface('pure', none, GROUP_SHAPES.sealable),
  'ui.makeGroup': surface('effect', GROUP_SHAPES.made, GROUP_SHAPES.id, 'makeGroup'),
  'ui.changeGroup': surface('effect', GROUP_SHAPES.changed, none, 'changeGroup'),
  'ui.takeEpochs': surface('effect', GROUP_SHAPES.taken, none, 'takeEpochs'),
  'ui.renameGroup': surface('effect', GROUP_SHAPES.renamed, none, 'renameGroup'),
  'ui.removeGroup': surface('effect', GROUP_SHAPES.id, none, 'removeGroup'),
  /** Recovery by friends (src/service/sharing/recovery-friends.ts). */
  'ui.friends': surface('pure', none, RECOVERY_SHAPES.friendsState),
  'ui.dealRecovery': surface(
    'effect',
    object({
      by: secret,
      contacts: RECOVERY_SHAPES.contacts,
      threshold: RECOVERY_SHAPES.threshold,
    }),
    RECOVERY_SHAPES.file,
    'dealRecovery',
  ),
  'ui.drillFriends': surface('effect', RECOVERY_SHAPES.file, RECOVERY_SHAPES.request),
  'ui.askFriends': surface('effect', RECOVERY_SHAPES.asking, none, 'askFriends'),
  'ui.endRecovery': surface('effect', none, none),
  'ui.readRequest': surface('pure', RECOVERY_SHAPES.request, RECOVERY_SHAPES.shownRequest),
  'ui.answerRequest': surface(
    'effect',
    object({ by: secret, request: RECOVERY_SHAPES.recoveryText }),
    RECOVERY_SHAPES.answered,
    (_, result) => (result?.kind === 'drill' ? 'proveShare' : 'giveShare'),
  ),
  'ui.takeAnswer': surface('effect', RECOVERY_SHAPES.answer, RECOVERY_SHAPES.takenAnswer),
  'ui.editKey': surface(
    'effect',
    object({ ref: id, label, note: string(MAX_NOTE_CHARACTERS), tone: string(20) }),
    none,
  ),
  'ui.archiveKey': surface(
    'effect',
    object({ ref: id, archived: boolean }),
    none,
    ({ archived }) => (archived ? 'archiveKey' : 'takeFromArchive'),
  ),
  /** A key of a foreign backup becomes one of the user's own. */
  'ui.takeOverKey': surface('effect', object({ ref: id }), none, 'takeOverKey'),
  'ui.deleteKey': surface('effect', object({ by: secret, ref: id }), none, 'deleteKey'),
  /** Opens a window for the focused field, or the page, of a tab. */
  'ui.beginVisit': surface('effect', FIELD_SHAPES.begun, none),
  'ui.visit': surface('pure', FIELD_SHAPES.visited, FIELD_SHAPES.visit),
  /** Called after the user gave access to the frame that could not be reached. */
  'ui.reachFrame': surface('effect', FIELD_SHAPES.visited, FIELD_SHAPES.visit),
  'ui.keepDraft': surface('effect', FIELD_SHAPES.drafting, FIELD_SHAPES.drafted),
  'ui.sealField': surface('effect', FIELD_SHAPES.sealing, FIELD_SHAPES.sealed),
  'ui.insertSealed': surface('effect', FIELD_SHAPES.inserting, FIELD_SHAPES.insertOutcome),
  'ui.openField': surface('effect', FIELD_SHAPES.opening, FIELD_SHAPES.opened),
  /** Gives an opened text to the script of its site: into the editor in the place of its field. */
  'ui.showInField': surface('effect', FIELD_SHAPES.showing, FIELD_SHAPES.shownInField),
  'ui.fieldSettings': surface('pure', FIELD_SHAPES.settingsOf, FIELD_SHAPES.settings),
  'ui.alwaysSeal': surface('effect', FIELD_SHAPES.alwaysSealing, none),
  'ui.offerKey': surface('effect', FIELD_SHAPES.offering, none),
  'ui.setMarks': surface('effect', FIELD_SHAPES.marking, none),
  'ui.prompt': surface(
    'pure',
    object({ promptId: id }),
    object({
      promptId: id,
      origin: text,
      topOrigin: text,
      purpose: text,
      capabilities: array(text, 16),
      key: union(
        '"app" or { kind, label?, collections? }',
        literal('app'),
        object({
          kind: keyKind,
          label: optional(text),
          collections: optional(array(text, MAX_COLLECTIONS)),
        }),
      ),
      keys: uiKeys,
      /** The prompt asks whether this key gets a new generation; nothing is granted. */
      rotates: boolean,
      expiresInMs: nullable(count),
      maxUses: nullable(count),
      maxPerHour: nullable(count),
      bulk: nullable(object({ records: count })),
      vault: vaultState,
      waiting: count,
    }),
  ),
  'ui.answerPrompt': surface(
    'effect',
    object({
      promptId: id,
      allow: boolean,
      ref: optional(id),
      newKeyLabel: optional(label),
      expiresInMs: optional(nullable(duration)),
      maxUses: optional(integer(1)),
      maxPerHour: optional(integer(1)),
    }),
    none,
  ),
  'ui.entropy': surface('pure', none, entropy),
  /** `digest`: of the times and distances of so many events. Neither in the log nor a use of the vault. */
  'ui.addEntropy': surface(
    'pure',
    object({
      source: literal('pointer', 'keyboard'),
      digest: bytes(MOVEMENTS_BYTES),
      events: integer(1, MOVEMENTS_EVENTS),
    }),
    entropy,
  ),
  /** Whether pointer movements on enabled sites are collected too. */
  'ui.siteMovements': surface('pure', none, object({ on: boolean })),
  'ui.setSiteMovements': surface('effect', object({ on: boolean }), none),
  'ui.activity': surface('pure', ACTIVITY_SHAPES.page, ACTIVITY_SHAPES.pageOfEntries),
  'ui.activityUsage': surface('pure', ACTIVITY_SHAPES.usageOf, ACTIVITY_SHAPES.usage),
  'ui.exportActivity': surface('pure', ACTIVITY_SHAPES.all, ACTIVITY_SHAPES.entries),
  'ui.clearActivity': surface('effect', none, none),
  /**
   * The background stores what the extension's own pages keep: in Firefox, a page in a private window has
   * storage of its own.
   */
  'ui.pageValue': surface(
    'pure',
    object({ name: pageValue }),
    object({ json: nullable(pageValueJson) }),
  ),
  'ui.setPageValue': surface('pure', object({ name: pageValue, json: pageValueJson }), none),
  /** The self-test of what only the background has. Leaves no trace; null: the vault is locked. */
  'ui.selfTest': surface(
    'pure',
    none,
    object({
      randomBytes: count,
      randomMicroseconds: duration,
      vaultBytes: count,
      vaultMicroseconds: nullable(duration),
    }),
  ),
  'ui.keepThresholds': surface('effect', object({ thresholds }), none),
  /** `fasterFrom`: as this version's self-test has measured; null where it has measured no card. */
  'ui.graphicsCard': surface(
    'pure',
    none,
    object({ on: boolean, fasterFrom: nullable(thresholds) }),
  ),
  'ui.setGraphicsCard': surface('effect', object({ on: boolean }), none),
});

/** A permission of a site, as the extension's own pages show it. */
export type UiGrant = Infer<typeof uiGrant>;
/** A key of the vault, as the extension's own pages show it. */
export type UiKey = Infer<typeof uiKey>;
