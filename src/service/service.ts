import { oddPower } from '../crypto/bigint/odd-power.ts';
import type { Registry } from '../engine/registry.ts';
import type { Age } from '../keys/age.ts';
import { Backups } from '../keys/backups.ts';
import type { DerivationTimes } from '../keys/derivation-times.ts';
import type { MessageOpener } from '../format/message-opener.ts';
import type { MessageSealer } from '../format/message-sealer.ts';
import type { FormatCrypto } from '../format/format-crypto.ts';
import { KeyRing } from '../keys/key-ring.ts';
import type { Locks } from '../keys/locks.ts';
import type { SessionStore } from '../keys/session-store.ts';
import type { PassphraseKdf } from '../keys/passphrase.ts';
import { SlotKeeper } from '../keys/slot-keeper.ts';
import type { Vault } from '../keys/vault.ts';
import type { Subtle } from '../subtle/subtle.ts';
import type { RandomSource } from '../random/contract.ts';
import type { AnswersOf, Implementations } from '../rpc/call.ts';
import type { Methods } from '../rpc/methods.ts';
import type { Later, Timers } from '../rpc/timers.ts';
import { openLegacyExport } from '../sync/legacy-export.ts';
import { Activity } from './activity.ts';
import { ActivityRecorder } from './activity-recorder.ts';
import { admitting } from './admission.ts';
import { Contacts } from './contacts.ts';
import { Consent } from './consent.ts';
import type { Documents } from './documents.ts';
import { Drafts } from './drafts.ts';
import { Engines } from './engines.ts';
import { FieldSettings } from './field-settings.ts';
import { FieldTexts } from './field-texts.ts';
import { FileOpener, type OpenSjcl, type OpenWeaveAccount } from './file-opener.ts';
import { Flights } from './flights.ts';
import { Grants } from './grants.ts';
import { Hedge } from './hedge.ts';
import { KeptCiphers } from './kept-ciphers.ts';
import { LastUses } from './last-uses.ts';
import { Limits } from './limits.ts';
import { LockKeeper } from './lock-keeper.ts';
import { MessageCrypto } from './message-crypto.ts';
import { NamedKeys } from './named-keys.ts';
import { activityMethods } from './methods/activity.ts';
import { engineMethods } from './methods/engines.ts';
import { messagesAtOnce } from './methods/at-once.ts';
import { bulkMethods } from './methods/bulk.ts';
import { entropyMethods, type EntropyPools } from './methods/entropy.ts';
import { grantMethods } from './methods/grants.ts';
import { guardMethods } from './methods/guard.ts';
import { inspectMethods } from './methods/inspect.ts';
import { keyMethods } from './methods/keys.ts';
import { macMethods } from './methods/mac.ts';
import { openManyMethods } from './methods/open-many.ts';
import { openMethods } from './methods/open.ts';
import { promptMethods } from './methods/prompt.ts';
import { publicKeyMethods } from './methods/public-key.ts';
import { randomMethods } from './methods/random.ts';
import { rewrapMethods } from './methods/rewrap.ts';
import { rotateMethods } from './methods/rotate.ts';
import { sealManyMethods } from './methods/seal-many.ts';
import { sealMethods } from './methods/seal.ts';
import { signMethods } from './methods/sign.ts';
import { statusMethods } from './methods/status.ts';
import { subtleMethods } from './methods/subtle.ts';
import { syncCollectionKeyMethods } from './methods/sync-collection-keys.ts';
import { syncRecordMethods } from './methods/sync-records.ts';
import { surfaceContactMethods } from './methods/surface-contacts.ts';
import { surfaceFieldSettingsMethods } from './methods/surface-field-settings.ts';
import { surfaceFieldMethods } from './methods/surface-fields.ts';
import { surfaceFileMethods } from './methods/surface-files.ts';
import { surfaceKeyMethods } from './methods/surface-keys.ts';
import { surfaceSiteMethods } from './methods/surface-sites.ts';
import { surfaceBackupMethods } from './methods/surface-vault-backup.ts';
import { surfaceSlotMethods } from './methods/surface-vault-slots.ts';
import { surfaceSyncMethods } from './methods/surface-sync.ts';
import { surfaceVaultMethods } from './methods/surface-vault.ts';
import type { Prompter } from './prompter.ts';
import { Releases } from './releases.ts';
import { Revoker } from './revoker.ts';
import { SiteGrants } from './site-grants.ts';
import { SessionKeys } from './session-keys.ts';
import { Sharing } from './sharing.ts';
import { Signatures } from './signatures.ts';
import type { Sites } from './sites.ts';
import type { StateEvents } from './state-events.ts';
import { SubtleKeys } from './subtle-keys.ts';
import { SyncEngine } from './sync-engine.ts';
import { SyncKeys } from './sync-keys.ts';
import { Turns } from './turns.ts';
import { Usage } from './usage.ts';
import type { Visits } from './visits.ts';
import type { WakeUp } from './wake-up.ts';

/** What the broker needs from outside. `extension/background.ts` gives it the browser's. */
export interface ServiceParts {
  readonly vault: Vault;
  /** Argon2id, for the slots of the vault and for backups. */
  readonly derive: PassphraseKdf;
  /** For backups and files. */
  readonly age: Age;
  readonly openSjcl: OpenSjcl;
  /** How long derivations took lately. */
  readonly times: DerivationTimes;
  /** Memory that outlives the worker and ends with the browser. */
  readonly session: SessionStore;
  /** The same shape, durable and not encrypted: nothing about the user's data goes here. */
  readonly notes: SessionStore;
  readonly locks: Locks;
  readonly random: RandomSource & EntropyPools;
  /** The browser's own generator alone. */
  readonly platformRandom: RandomSource;
  readonly registry: Registry;
  /** Loads the engine for small messages; rejects where there is none. */
  readonly smallCrypto: () => Promise<FormatCrypto>;
  readonly version: string;
  readonly prompter: Prompter;
  readonly sites: Sites;
  readonly visits: Visits;
  readonly documents: Documents;
  readonly events: StateEvents;
  readonly wakeUp: WakeUp;
  /** No call of a page begins until what it returns is called; those under way go on. */
  readonly holdPages: () => () => void;
  /** Lets other messages in before long work goes on. */
  readonly later: Later;
  readonly timers: Timers;
  /** ms since the epoch. */
  readonly now: () => number;
}

/** The broker: what calls it answers, and what it wants to hear of. */
export interface Service {
  readonly implementations: AnswersOf<Methods>;
  /** The planned wake-up came. */
  wakeUpCame(): Promise<void>;
  /** By the screen's lock, a key or a menu: whatever the user locks with outside our pages. */
  lockNow(): Promise<void>;
  promptClosed(promptId: string): Promise<void>;
  sitesRemoved(patterns: readonly string[]): Promise<void>;
}

/** Builds the parts, and gives each group of methods those that it declares. */
export function createService(outside: ServiceParts): Service {
  const parts = assembled(outside);
  const implementations: Implementations = {
    ...statusMethods(parts),
    ...randomMethods(parts),
    ...inspectMethods(),
    ...grantMethods(parts),
    ...keyMethods(parts),
    ...sealMethods(parts),
    ...openMethods(parts),
    ...bulkMethods(parts),
    ...subtleMethods(parts),
    ...sealManyMethods(parts),
    ...openManyMethods(parts),
    ...macMethods(parts),
    ...publicKeyMethods(parts),
    ...signMethods(parts),
    ...syncRecordMethods(parts),
    ...syncCollectionKeyMethods(parts),
    ...rotateMethods(parts),
    ...rewrapMethods(parts),
    ...surfaceVaultMethods(parts),
    ...surfaceSlotMethods(parts),
    ...surfaceBackupMethods(parts),
    ...surfaceSiteMethods(parts),
    ...surfaceKeyMethods(parts),
    ...surfaceSyncMethods(parts),
    ...surfaceContactMethods(parts),
    ...surfaceFieldMethods(parts),
    ...surfaceFileMethods(parts),
    ...surfaceFieldSettingsMethods(parts),
    ...guardMethods(parts),
    ...promptMethods(parts),
    ...activityMethods(parts),
    ...entropyMethods(parts),
    ...engineMethods(parts),
  };
  const { lockKeeper, consent, siteGrants } = parts;
  return {
    implementations: admitting(implementations, messagesAtOnce(parts), parts),
    wakeUpCame: () => lockKeeper.woken(),
    lockNow: () => lockKeeper.lock(),
    promptClosed: (promptId) => consent.closed(promptId),
    sitesRemoved: (patterns) => siteGrants.removed(patterns),
  };
}

function assembled(outside: ServiceParts) {
  const engines = new Engines(outside);
  const keyRing = new KeyRing(outside);
  const slotKeeper = new SlotKeeper(outside);
  const backups = new Backups(outside);
  const lastUses = new LastUses();
  const usage = new Usage(outside);
  const activity = new Activity({ ...outside, companions: [usage, lastUses] });
  const recorder = new ActivityRecorder(activity);
  const asked = (call: string, refs: readonly string[]): void => recorder.asked(call, refs);
  const grants = new Grants({ ...outside, asked, lastUses });
  const flights = new Flights();
  const consent = new Consent(outside);
  const revoker = new Revoker({ ...outside, grants, flights, activity });
  const hedge = new Hedge({ ...outside, platform: outside.platformRandom });
  const lockKeeper = new LockKeeper({ ...outside, flights, hedge, activity });
  const isUnlocked = () => lockKeeper.isUnlocked();
  const siteGrants = new SiteGrants({ ...outside, revoker, isUnlocked });
  const limits = new Limits(outside.now);
  const turns = new Turns(outside.later, () => performance.now());
  const messageCrypto = new MessageCrypto(outside.smallCrypto);
  const smallCrypto = () => messageCrypto.forBytes(0);
  const sealers = new KeptCiphers<MessageSealer>(outside.vault);
  const openers = new KeptCiphers<MessageOpener>(outside.vault);
  const sharing = new Sharing({ ...outside, keyRing, crypto: smallCrypto });
  const contacts = new Contacts(outside);
  const drafts = new Drafts(outside);
  const fieldSettings = new FieldSettings(outside);
  const fieldTexts = new FieldTexts({ keyRing, sharing, hedge, messageCrypto });
  const releases = new Releases(outside.now);
  const sessionKeys = new SessionKeys(outside);
  const subtle = (): Promise<Subtle> => subtleKeys.subtle();
  const namedKeys = new NamedKeys({ grants, keyRing, flights, subtle });
  const subtleKeys = new SubtleKeys({ ...outside, engines, sessionKeys, namedKeys });
  const signatures = new Signatures(subtle);
  const syncEngine = new SyncEngine(engines);
  const openWeaveAccount: OpenWeaveAccount = async (text, passphrase) => {
    const algorithms = await syncEngine.algorithms();
    return openLegacyExport(text, passphrase, { algorithms, power: oddPower, ...outside });
  };
  const fileOpener = new FileOpener({ ...outside, keyRing, fieldTexts, openWeaveAccount });
  const syncKeys = new SyncKeys({ ...outside, keyRing, syncEngine, messageCrypto, hedge });
  const built = {
    engines,
    keyRing,
    slotKeeper,
    backups,
    activity,
    usage,
    recorder,
    grants,
    flights,
    consent,
    revoker,
    hedge,
    lockKeeper,
    siteGrants,
    limits,
    releases,
    turns,
    messageCrypto,
    sealers,
    openers,
    namedKeys,
    subtleKeys,
    signatures,
    sharing,
    contacts,
    drafts,
    fieldSettings,
    fieldTexts,
    fileOpener,
    syncKeys,
  };
  return { ...outside, ...built };
}
