import type { MessageCrypto } from '../engine/message-crypto.ts';
import { Backups } from '../keys/backup/backups.ts';
import type { DerivationTimes } from '../keys/unlock/calibration.ts';
import type { MessageOpener } from '../format/short/opener.ts';
import type { MessageSealer } from '../format/short/sealer.ts';
import { CIRCLE, MEMBER_NOTES } from '../keys/annotations/deletions.ts';
import { KeyRing } from '../keys/ring/key-ring.ts';
import type { Locks, SessionStore } from '../keys/storage/key-value-store.ts';
import type { PassphraseKdf } from '../format/passphrase.ts';
import { SlotKeeper } from '../keys/unlock/slot-keeper.ts';
import { readOf, type Vault, type VaultDraft } from '../keys/vault/vault.ts';
import type { RandomSource } from '../random/contract.ts';
import type { AnswersOf } from '../rpc/call.ts';
import type { Methods } from '../rpc/methods/methods.ts';
import type { Workshop } from '../rpc/workshop.ts';
import { SYSTEM_TIMERS, type Later, type Timers } from '../rpc/timers.ts';
import { Activity } from './audit/activity.ts';
import { ActivityRecorder } from './audit/activity-recorder.ts';
import { withAdmission } from './calls/admission.ts';
import { Contacts } from './sharing/contacts.ts';
import { Consent } from './consent/consent.ts';
import type { Documents } from './subtle/documents.ts';
import { Drafts } from './fields/drafts.ts';
import { Engines, engineMethods } from './engines/engines.ts';
import { FieldSettings } from './fields/field-settings.ts';
import { FieldTexts } from './fields/field-texts.ts';
import { SealedFiles } from './files/sealed-files.ts';
import { FileOpener } from './files/file-opener.ts';
import { InFlightCalls } from './calls/in-flight.ts';
import { siteOf } from './calls/frame-policy.ts';
import { EnabledOrigins } from './calls/enabled-origins.ts';
import { GrantClock } from './grants/grant-clock.ts';
import type { Grant } from './grants/grant-rules.ts';
import { Grants } from './grants/grants.ts';
import { OpeningReserves } from './grants/opening-limit.ts';
import { Hedge } from './messages/salts.ts';
import { CipherCache } from './messages/cipher-cache.ts';
import { LastUses } from './grants/usage-of-grants.ts';
import { Limits } from './calls/rate-limits.ts';
import { PageWork, SHORT_PAGE_WORK } from './calls/page-work.ts';
import { ThreadShare } from './calls/thread-share.ts';
import { LockKeeper, type LockOperation, type Presence, type WakeUp } from './vault/lock-keeper.ts';
import { NamedKeys } from './subtle/named/named-keys.ts';
import { P256Points, workshopPoint } from './subtle/named/p256-keys.ts';
import { keepWithGrants, PersistentKeys } from './subtle/persistent-keys.ts';
import { activityMethods } from './audit/ui.ts';
import { messageKeyMethods, MessageKeyQuota } from './messages/one-message-keys.ts';
import { entropyMethods, type EntropyPools } from './random/entropy.ts';
import { grantMethods } from './consent/connect.ts';
import { guardMethods } from './fields/guard.ts';
import { keyMethods } from './keys/keys.ts';
import { macMethods } from './signing/mac.ts';
import { openManyMethods } from './messages/open-many.ts';
import { openMethods } from './messages/open.ts';
import { selfTestMethods } from './engines/self-test.ts';
import { pageValueMethods, type Menus } from './status/page-values.ts';
import { promptMethods } from './consent/answer.ts';
import { publicKeyMethods } from './signing/public-key.ts';
import { randomMethods } from './random/random.ts';
import { rewrapMethods } from './messages/rewrap.ts';
import { rotateMethods } from './messages/rotate.ts';
import { sealManyMethods } from './messages/seal-many.ts';
import { sealMethods } from './messages/seal.ts';
import { signMethods } from './signing/sign.ts';
import { statusMethods } from './status/status.ts';
import { subtleMethods } from './subtle/subtle.ts';
import { syncCollectionKeyMethods } from './sync/collection-keys.ts';
import { syncHeadMethods } from './sync/heads.ts';
import { syncRecordMethods } from './sync/records.ts';
import { uiContactMethods } from './sharing/ui.ts';
import { uiGroupMethods } from './sharing/ui-groups.ts';
import { uiRecoveryMethods } from './sharing/ui-recovery.ts';
import { uiFieldSettingsMethods } from './fields/ui-settings.ts';
import { uiFieldMethods } from './fields/ui.ts';
import { uiFileMethods } from './files/ui.ts';
import { uiKeyMethods } from './keys/ui.ts';
import { uiSiteMethods } from './status/ui.ts';
import { uiArrivalMethods } from './exchange/ui-arrival.ts';
import { uiBackupMethods } from './vault/ui-backup.ts';
import { uiSlotMethods } from './vault/ui-slots.ts';
import { uiSyncMethods } from './sync/ui.ts';
import { uiVaultMethods } from './vault/ui.ts';
import { SeedFile } from './random/seed-file.ts';
import { FirstCode } from './vault/first-code.ts';
import { Decoys } from './grants/decoys.ts';
import { OpeningHours } from './grants/opening-hours.ts';
import type { MediumExchange, MediumExchangeDeps } from './exchange/medium-exchange.ts';
import { uiDeviceFilesMethods } from './exchange/ui-device-files.ts';
import { uiMediumMethods } from './exchange/ui-medium.ts';
import { removedDevicesMethods } from './vault/removed-devices.ts';
import { joinedIn } from './vault/member-notes.ts';
import { uiMembersMethods } from './vault/ui-members.ts';
import { uiPairingMethods } from './vault/ui-pairing.ts';
import type { Prompter } from './ports/prompter.ts';
import { OriginMoves } from './grants/origin-moves.ts';
import { Revoker } from './grants/revoker.ts';
import { SiteGrants } from './grants/site-grants.ts';
import { WithheldGrants } from './grants/withheld-grants.ts';
import { SessionKeys } from './subtle/session-keys.ts';
import { Groups } from './sharing/groups.ts';
import { KeptGroups } from './sharing/kept-groups.ts';
import { Passphrases } from './sharing/passphrases.ts';
import { FriendsRecovery } from './sharing/recovery-friends.ts';
import { Senders } from './sharing/senders.ts';
import { Sharing } from './sharing/sharing.ts';
import { Signatures } from './signing/signatures.ts';
import type { Sites } from './ports/sites.ts';
import type { StateEvents } from './ports/state-events.ts';
import { SubtleKeys } from './subtle/subtle-keys.ts';
import { Dispatcher } from './subtle/dispatcher.ts';
import { workshopAge } from './workshop/age.ts';
import { Toolbar, type ToolbarButton } from './status/toolbar.ts';
import { Yielder } from './calls/yielding.ts';
import { Usage } from './audit/usage.ts';
import type { FieldSessions } from './ports/field-session.ts';

/** What the broker needs from outside. `extension/entries/background.ts` gives it the browser's. */
export interface ServiceDeps {
  readonly vault: Vault;
  /** Argon2id, for the slots of the vault and for backups. */
  readonly derive: PassphraseKdf;
  /** For files of other tools, and for what pages ask of `subtle` that takes long. */
  readonly workshop: Workshop;
  /** How long derivations took lately. */
  readonly times: DerivationTimes;
  /** Memory that outlives the worker and ends with the browser. */
  readonly session: SessionStore;
  /** The same shape, durable and not encrypted: nothing about the user's data goes here. */
  readonly notes: SessionStore;
  /** Likewise, for what the extension's own pages store. */
  readonly pageValues: SessionStore;
  readonly locks: Locks;
  readonly random: RandomSource & EntropyPools;
  /** The browser's own generator alone. */
  readonly platformRandom: RandomSource;
  /** The engines for messages, which need no probe. */
  readonly messageCrypto: MessageCrypto;
  readonly version: string;
  readonly prompter: Prompter;
  readonly sites: Sites;
  readonly fieldSessions: FieldSessions;
  readonly documents: Documents;
  readonly events: StateEvents;
  readonly toolbarButton: ToolbarButton;
  readonly menus: Menus;
  readonly wakeUp: WakeUp;
  readonly presence: Presence;
  /** No call of a page begins until what it returns is called; those under way go on. */
  readonly holdPages: () => () => void;
  /** The exchange over what other devices of the person see, such as `storage.sync`; absent without one, as in tests of apps. */
  readonly makeExchange?: (parts: Omit<MediumExchangeDeps, 'medium'>) => MediumExchange;
  /** Lets other messages in before long work goes on. */
  readonly later: Later;
  readonly timers: Timers;
  /** ms since the epoch. */
  readonly now: () => number;
}

/** The broker: the methods it serves, and the events it handles. */
export interface Service {
  readonly implementations: AnswersOf<Methods>;
  /** The planned wake-up came. */
  wakeUpCame(): Promise<void>;
  /** By the screen's lock, a key or a menu: whatever the user locks with outside our pages. */
  lockNow(operation?: LockOperation): Promise<void>;
  promptClosed(promptId: string): Promise<void>;
  sitesRemoved(patterns: readonly string[]): Promise<void>;
  /** The browser has just started, or this version of the extension. */
  started(): Promise<void>;
  /** A page of an enabled site was shown. */
  pageShown(): Promise<void>;
  /** With other devices. Nothing is exchanged until it is turned on. */
  readonly exchange: MediumExchange | undefined;
}

/** Builds the parts, and gives each group of methods those that it declares. */
export function createService(outside: ServiceDeps): Service {
  const parts = assembled(outside);
  const implementations: AnswersOf<Methods> = {
    ...statusMethods(parts),
    ...randomMethods(parts),
    ...grantMethods(parts),
    ...keyMethods(parts),
    ...sealMethods(parts),
    ...openMethods(parts),
    ...messageKeyMethods(parts),
    ...subtleMethods(parts),
    ...sealManyMethods(parts),
    ...openManyMethods(parts),
    ...macMethods(parts),
    ...publicKeyMethods(parts),
    ...signMethods(parts),
    ...syncRecordMethods(parts),
    ...syncHeadMethods(parts),
    ...syncCollectionKeyMethods(parts),
    ...rotateMethods(parts),
    ...rewrapMethods(parts),
    ...uiVaultMethods(parts),
    ...uiSlotMethods(parts),
    ...uiBackupMethods(parts),
    ...uiPairingMethods(parts),
    ...uiMembersMethods(parts),
    ...removedDevicesMethods(parts),
    ...uiMediumMethods(parts),
    ...uiDeviceFilesMethods(parts),
    ...uiArrivalMethods(parts),
    ...uiSiteMethods(parts),
    ...uiKeyMethods(parts),
    ...uiSyncMethods(parts),
    ...uiContactMethods(parts),
    ...uiRecoveryMethods(parts),
    ...uiGroupMethods(parts),
    ...uiFieldMethods(parts),
    ...uiFileMethods(parts),
    ...uiFieldSettingsMethods(parts),
    ...guardMethods(parts),
    ...promptMethods(parts),
    ...activityMethods(parts),
    ...entropyMethods(parts),
    ...engineMethods(parts),
    ...selfTestMethods(parts),
    ...pageValueMethods(parts),
  };
  const { lockKeeper, consent, siteGrants, toolbar, exchange } = parts;
  return {
    implementations: withAdmission(implementations, parts),
    wakeUpCame: () => lockKeeper.woken(),
    lockNow: (operation) => lockKeeper.lock(operation),
    promptClosed: (promptId) => consent.closed(promptId),
    async sitesRemoved(patterns) {
      await siteGrants.removed(patterns);
      await toolbar.refresh();
    },
    started: () => toolbar.start(),
    pageShown: () => toolbar.refresh(),
    exchange,
  };
}

function assembled(outside: ServiceDeps) {
  const engines = new Engines(outside);
  const keyRing = new KeyRing(outside);
  const slotKeeper = new SlotKeeper(outside);
  const age = workshopAge(outside.workshop);
  const backups = new Backups({ ...outside, age });
  const nowMs = (): number => performance.now();
  const yielder = new Yielder(outside.later, nowMs);
  // Its rests are times of this clock, which the timers of tests do not follow.
  const threadShare = new ThreadShare({ ...outside, timers: SYSTEM_TIMERS, nowMs });
  const lastUses = new LastUses();
  const openingReserves = new OpeningReserves();
  const usage = new Usage(outside);
  const clock = new GrantClock(outside);
  const removeUnsaved = (draft: VaultDraft): Promise<void> => grants.revokeUnsavedIn(draft);
  const withheld = new WithheldGrants(outside.notes, removeUnsaved);
  const seedFile = new SeedFile(outside);
  const onStateChanged = () => void toolbar.refresh();
  const onFrozen = ({ scope, ref }: Grant): void => {
    activity.record({ operation: 'freeze', ...siteOf(scope), ref });
    outside.events.grantchange(scope);
    onStateChanged();
  };
  const openingHours = new OpeningHours<Grant>(({ scope, ref }) => {
    activity.record({ operation: 'unusualHour', ...siteOf(scope), ref });
    void activity.save().then(onStateChanged);
  });
  const decoys = new Decoys({ ...outside, clock, onFrozen });
  const piggybackedWrites = [
    usage,
    lastUses,
    openingReserves,
    openingHours,
    clock,
    withheld,
    decoys,
    seedFile,
  ];
  const activity = new Activity({ ...outside, piggybackedWrites });
  const recorder = new ActivityRecorder(activity);
  const onKeysRequested = (call: string, refs: readonly string[]): void =>
    recorder.rememberKeys(call, refs);
  const onUsed = () => lockKeeper.usedByPage();
  const grants = new Grants({
    ...outside,
    clock,
    onKeysRequested,
    onHourUsedUp: (call, ref, uses) => recorder.rememberUsedUp(call, ref, uses),
    onUsed,
    lastUses,
    openingReserves,
    openingHours,
    withheld,
    decoys,
    threadShare,
    onChanged: keepWithGrants,
  });
  const inFlightCalls = new InFlightCalls((grantId) => withheld.has(grantId));
  const consent = new Consent({ ...outside, onStateChanged });
  const onTakenBack = onStateChanged;
  const revoked = { grants, withheld, inFlightCalls, activity, onTakenBack };
  const revoker = new Revoker({ ...outside, ...revoked });
  const hedge = new Hedge({ ...outside, platform: outside.platformRandom });
  const firstCode = new FirstCode(outside.now);
  const lockKeeper = new LockKeeper({
    ...outside,
    inFlightCalls,
    hedge,
    firstCode,
    activity,
    onStateChanged,
  });
  const newDevices = () => joinedIn(readOf(outside.vault));
  const slots = () => slotKeeper.list();
  const toolbar = new Toolbar({
    ...outside,
    lockKeeper,
    consent,
    grants,
    decoys,
    newDevices,
    slots,
  });
  outside.vault.onCommitted((types) => {
    if (types.has(MEMBER_NOTES) || types.has(CIRCLE)) onStateChanged();
  });
  const isUnlocked = () => lockKeeper.isUnlocked();
  const enabledOrigins = new EnabledOrigins(outside);
  const originMoves = new OriginMoves({ ...outside, keyRing, grants, activity });
  const removal = { revoker, originMoves, isUnlocked, enabledOrigins };
  const siteGrants = new SiteGrants({ ...outside, ...removal });
  const limits = new Limits(outside.now);
  const { messageCrypto } = outside;
  const smallCrypto = async () => messageCrypto.forBytes(0);
  const sealers = new CipherCache<MessageSealer>(outside.vault);
  const openers = new CipherCache<MessageOpener>(outside.vault);
  const signatures = new Signatures(outside);
  const sharing = new Sharing({ ...outside, keyRing, signatures, crypto: smallCrypto });
  const shortWork = new PageWork(outside, SHORT_PAGE_WORK);
  const exchange = outside.makeExchange?.({ ...outside, grants, revoker, activity, sharing });
  const groups = new Groups({ ...outside, sharing, shortWork });
  const passphrases = new Passphrases({ ...outside, crypto: smallCrypto });
  const contacts = new Contacts(outside);
  const keptGroups = new KeptGroups({ ...outside, sharing, contacts });
  const drafts = new Drafts(outside);
  const fieldSettings = new FieldSettings(outside);
  const senders = new Senders({ keyRing, sharing, contacts, keptGroups });
  const recoveryParts = { backups, slotKeeper, contacts, sharing, senders };
  const friendsRecovery = new FriendsRecovery({ ...outside, ...recoveryParts });
  const fieldParts = {
    keyRing,
    sharing,
    keptGroups,
    passphrases,
    senders,
    hedge,
    messageCrypto,
  };
  const fieldTexts = new FieldTexts(fieldParts);
  const messageKeyQuota = new MessageKeyQuota(outside.now);
  const sessionKeys = new SessionKeys(outside);
  const points = new P256Points(outside.vault, workshopPoint(outside.workshop));
  const namedKeys = new NamedKeys({ grants, keyRing, inFlightCalls, points });
  const persistentKeys = new PersistentKeys({ ...outside, grants, inFlightCalls });
  const keyParts = { sessionKeys, namedKeys, persistentKeys };
  const subtleKeys = new SubtleKeys(keyParts);
  const queues = { shortWork, threadShare };
  const dispatcher = new Dispatcher({ ...outside, ...queues, engines, subtleKeys, limits });
  const fileOpener = new FileOpener({ ...outside, age, keyRing });
  const fileParts = { keyRing, grants, sharing, keptGroups, passphrases, senders, hedge };
  const sealedFiles = new SealedFiles({ ...outside, ...fileParts });
  const built = {
    age,
    engines,
    keyRing,
    slotKeeper,
    backups,
    activity,
    usage,
    recorder,
    grants,
    decoys,
    inFlightCalls,
    consent,
    revoker,
    withheld,
    hedge,
    lockKeeper,
    toolbar,
    firstCode,
    siteGrants,
    originMoves,
    enabledOrigins,
    limits,
    messageKeyQuota,
    yielder,
    sealers,
    openers,
    namedKeys,
    persistentKeys,
    subtleKeys,
    dispatcher,
    shortWork,
    threadShare,
    signatures,
    sharing,
    groups,
    contacts,
    keptGroups,
    friendsRecovery,
    drafts,
    fieldSettings,
    fieldTexts,
    fileOpener,
    sealedFiles,
    seedFile,
    exchange,
  };
  return { ...outside, ...built };
}
