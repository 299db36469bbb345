import type { Scene } from './fake-environment.ts';
import {
  copiedFiles,
  eightMembers,
  medium,
  members,
  ownOffer,
  quietMedium,
  removed,
} from './fake-devices.ts';
import {
  frameSession,
  editSession,
  groupsSession,
  openSession,
  offSession,
  sealSession,
  sendersSession,
  stoppedSession,
  wordsSession,
  writeSession,
} from './fake-fields.ts';
import { openedOcb2, openedWeak, releasedByWords, releasedFile } from './fake-files.ts';
import { dealtFriends, waitingRecovery, withGroups, withOwnGroups } from './fake-contacts.ts';
import { backupReport, passkeySlot, passphraseSlot, recoverySlot } from './fake-vault.ts';
import {
  appKey,
  enabledSite,
  grants,
  firefox,
  guestKey,
  oldKey,
  photos,
  request,
} from './fake-ui-client.ts';

const frozenSite = {
  origin: 'https://notes.example.org',
  pattern: 'https://notes.example.org/*',
  grants: grants.map((it) => ({ ...it, frozenFrom: 0 })),
  persistentKeys: 2,
  decoys: 3,
};
const signature = {
  ...photos,
  ref: 'k9',
  kind: 'signing' as const,
  algorithm: 'Ed25519',
  label: 'My signature',
  sites: 0,
};
const firstFound = openSession.found[0]!;

/** A scene with its page. */
export interface NamedScene extends Scene {
  readonly page: 'popup' | 'prompt' | 'manager' | 'fields-window';
  /** The manager's screen. */
  readonly hash?: string;
}

const at = (screen: string) => ({ 'popup-screen': screen });
const longAgoFast = ['AES-GCM', 'AES-CTR'].map((algorithm) => ({
  type: 'speed',
  engine: 'js',
  algorithm,
  bytes: 65_536,
  bytesPerSecond: 3e8,
}));

const noVault: NamedScene['world'] = { vault: 'absent', slots: [passphraseSlot] };
const withPasskey = { slots: [passphraseSlot, recoverySlot, passkeySlot] };

/** The states of all pages, for screenshots and for checks with axe. */
export const SCENES = {
  components: { page: 'manager' },
  'first-run': { page: 'popup', world: { vault: 'absent' } },
  'first-run-one-copy': { page: 'popup', world: { vault: 'absent', copies: 1 } },
  'welcome-passphrase': { page: 'manager', hash: 'welcome', world: noVault },
  'welcome-typed': { page: 'manager', hash: 'welcome', world: noVault },
  'welcome-suggested': { page: 'manager', hash: 'welcome', world: noVault },
  'welcome-busy': {
    page: 'manager',
    hash: 'welcome',
    world: { ...noVault, silent: ['ui.createVault'] },
  },
  'welcome-restore': { page: 'manager', hash: 'welcome', world: noVault },
  'welcome-devices': { page: 'manager', hash: 'welcome', world: noVault },
  'welcome-files': { page: 'manager', hash: 'welcome', world: noVault },
  'welcome-code': { page: 'manager', hash: 'welcome', world: noVault },
  'welcome-groups': { page: 'manager', hash: 'welcome', world: noVault },
  'welcome-put-off': {
    page: 'manager',
    hash: 'welcome',
    world: { slots: [passphraseSlot] },
  },
  'welcome-code-later': {
    page: 'manager',
    hash: 'welcome',
    world: { slots: [passphraseSlot] },
  },
  'welcome-try': { page: 'manager', hash: 'welcome', world: { keys: [appKey] } },
  'welcome-sealed': { page: 'manager', hash: 'welcome' },
  'site-one-copy': { page: 'popup', world: { copies: 1 } },
  'manager-one-copy': { page: 'manager', hash: 'backup', world: { copies: 1 } },
  'site-unsaved': { page: 'popup', world: { unsavedRevocations: 1 } },
  lost: { page: 'popup', world: { vault: 'lost' } },
  broken: { page: 'popup', world: { failing: ['ui.state'] } },
  'manager-broken': { page: 'manager', hash: 'backup', world: { failing: ['ui.state'] } },
  unlock: { page: 'popup', world: { vault: 'locked' } },
  'unlock-wrong': { page: 'popup', world: { vault: 'locked' } },
  'unlock-busy': { page: 'popup', world: { vault: 'locked', silent: ['ui.unlock'] } },
  'unlock-passkey': {
    page: 'popup',
    passkeys: 'in-a-tab',
    world: { vault: 'locked', ...withPasskey },
  },
  site: { page: 'popup' },
  'site-revoking': { page: 'popup' },
  'site-persistent-keys': { page: 'popup', world: { site: { ...enabledSite, persistentKeys: 2 } } },
  'popup-frozen': { page: 'popup', world: { sites: [frozenSite] } },
  'site-frozen': {
    page: 'popup',
    world: {
      site: { ...enabledSite, grants: grants.map((it) => ({ ...it, frozenFrom: 0 })).slice(0, 1) },
    },
  },
  'site-unusual': {
    page: 'popup',
    world: {
      site: {
        ...enabledSite,
        grants: grants.map((it) => ({ ...it, isUnusual: true })).slice(0, 1),
      },
    },
  },
  'site-off': { page: 'popup', world: { site: { ...enabledSite, enabled: false, grants: [] } } },
  'site-declined': {
    page: 'popup',
    world: { site: { ...enabledSite, enabled: false, grants: [] } },
    grantsSite: false,
  },
  'site-insecure': {
    page: 'popup',
    world: {
      site: {
        ...enabledSite,
        origin: 'http://shop.example.com',
        enabled: false,
        problem: 'insecure',
        grants: [],
      },
    },
  },
  'site-browser-page': { page: 'popup', tabId: null },
  'site-unreachable': {
    page: 'popup',
    world: {
      site: {
        ...enabledSite,
        origin: null,
        pattern: null,
        enabled: false,
        problem: 'browser-page',
        grants: [],
      },
    },
  },
  sites: { page: 'popup', drafts: at('sites') },
  'sites-none': { page: 'popup', drafts: at('sites'), world: { sites: [] } },
  keys: { page: 'popup', drafts: { ...at('keys'), 'new-key-label': 'Tax papers' } },
  'keys-renaming': { page: 'popup', drafts: at('keys') },
  more: { page: 'popup', drafts: at('more') },
  entropy: { page: 'popup', drafts: at('entropy') },
  'entropy-bad': {
    page: 'popup',
    drafts: at('entropy'),
    world: { entropy: { pools: Array<number>(32).fill(0), reseeds: 0, events: 0, healthy: false } },
  },
  'self-test': { page: 'popup', drafts: at('self-test') },
  'self-test-running': { page: 'popup', drafts: at('self-test'), halfSelfTest: true },
  'self-test-done': {
    page: 'popup',
    drafts: at('self-test'),
    lastSelfTest: { speeds: longAgoFast },
  },
  settings: { page: 'popup', drafts: at('settings') },
  about: { page: 'popup', drafts: at('about') },
  'popup-reminder': { page: 'popup', world: { slots: [passphraseSlot] } },
  'popup-backup-none': {
    page: 'popup',
    world: { backupTimes: { made: null, checked: null } },
    lastSelfTest: 0,
  },
  'popup-backup-untried': {
    page: 'popup',
    world: { backupTimes: { made: Date.now() - 40 * 86_400_000, checked: null } },
    lastSelfTest: 0,
  },
  'site-enabled-now': {
    page: 'popup',
    world: { site: { ...enabledSite, enabled: false, grants: [] } },
  },
  'manager-home': { page: 'manager', hash: 'home' },
  'manager-home-new': {
    page: 'manager',
    hash: 'home',
    world: {
      backupTimes: { made: null, checked: null },
      activity: [],
      slots: [passphraseSlot],
      sites: [],
    },
  },
  'manager-write': { page: 'manager', hash: 'write' },
  'manager-write-sealed': { page: 'manager', hash: 'write' },
  'manager-write-told': { page: 'manager', hash: 'write' },
  'manager-keys': { page: 'manager', hash: 'keys', world: { keys: [appKey, photos, oldKey] } },
  'manager-keys-editing': {
    page: 'manager',
    hash: 'keys',
    drafts: { 'editing-key': 'k1', 'edit-k1-note': 'Typed before the tab was closed' },
  },
  'manager-keys-menu': {
    page: 'manager',
    hash: 'keys',
    world: { keys: [appKey, photos, oldKey] },
  },
  'manager-keys-deleting': {
    page: 'manager',
    hash: 'keys',
    world: { keys: [appKey, photos, oldKey] },
  },
  'manager-keys-sync': {
    page: 'manager',
    hash: 'keys',
    world: { keys: [appKey, firefox()] },
  },
  'manager-contacts': { page: 'manager', hash: 'contacts' },
  'manager-contacts-advanced': { page: 'manager', hash: 'contacts' },
  'manager-contacts-menu': { page: 'manager', hash: 'contacts' },
  'manager-contacts-comparing': { page: 'manager', hash: 'contacts' },
  'manager-contacts-renaming': { page: 'manager', hash: 'contacts' },
  'manager-contacts-differ': { page: 'manager', hash: 'contacts' },
  'manager-contacts-groups': { page: 'manager', hash: 'contacts', world: withGroups() },
  'manager-contacts-history': { page: 'manager', hash: 'contacts', world: withGroups() },
  'manager-contacts-fork': { page: 'manager', hash: 'contacts', world: withGroups() },
  'manager-contacts-admin': {
    page: 'manager',
    hash: 'contacts',
    world: { ...withOwnGroups(), keys: [appKey, signature] },
  },
  'manager-contacts-last-admin': {
    page: 'manager',
    hash: 'contacts',
    world: { ...withOwnGroups(), keys: [appKey, signature] },
  },
  'manager-contacts-groups-wrong': { page: 'manager', hash: 'contacts', world: withGroups() },
  'manager-contacts-none': {
    page: 'manager',
    hash: 'contacts',
    world: { contacts: [], ownSharingKeys: [] },
  },
  'manager-sites-none': { page: 'manager', hash: 'sites', world: { sites: [] } },
  'manager-sites': { page: 'manager', hash: 'sites' },
  'manager-sites-frozen': {
    page: 'manager',
    hash: 'sites',
    world: { sites: [frozenSite] },
  },
  'manager-sites-menu': { page: 'manager', hash: 'sites' },
  'manager-sites-open': { page: 'manager', hash: 'sites' },
  'manager-sites-moved': {
    page: 'manager',
    hash: 'sites',
    world: {
      moves: {
        moves: [{ from: 'https://notes.example.com', to: 'https://notes.example.org' }],
        origins: [
          'https://notes.example.com',
          'https://notes.exarnple.org',
          'https://notes.example.org',
        ],
      },
    },
  },
  'manager-activity': { page: 'manager', hash: 'activity' },
  'manager-activity-details': { page: 'manager', hash: 'activity' },
  'manager-activity-site': {
    page: 'manager',
    hash: 'activity?site=https%3A%2F%2Fnotes.example.org',
  },
  'manager-activity-no-match': { page: 'manager', hash: 'activity' },
  'manager-activity-clearing': { page: 'manager', hash: 'activity' },
  'manager-activity-none': {
    page: 'manager',
    hash: 'activity',
    world: { activity: [], usage: [] },
  },
  'manager-activity-locked': { page: 'manager', hash: 'activity', world: { vault: 'locked' } },
  'manager-unlock': { page: 'manager', world: { vault: 'locked' } },
  'manager-unlock-cancelled': {
    page: 'manager',
    passkeys: 'cancelled',
    world: { vault: 'locked', ...withPasskey },
  },
  'manager-security': { page: 'manager', hash: 'security' },
  'manager-recalibrate': {
    page: 'manager',
    hash: 'security',
    world: { slots: [{ ...passphraseSlot, tookMs: 214, advice: 'raise' }] },
  },
  'manager-passphrase': { page: 'manager', hash: 'security' },
  'manager-recovery-none': {
    page: 'manager',
    hash: 'backup',
    world: { slots: [passphraseSlot] },
  },
  'manager-recovery-sheet': { page: 'manager', hash: 'backup' },
  'manager-recovery-confirm': { page: 'manager', hash: 'backup' },
  'manager-passkey-added': { page: 'manager', hash: 'security' },
  'manager-passkey-none': { page: 'manager', hash: 'security', passkeys: 'none' },
  'manager-devices': { page: 'manager', hash: 'devices' },
  'manager-devices-members': { page: 'manager', hash: 'devices', world: { members } },
  'manager-devices-sync': { page: 'manager', hash: 'devices', world: { members, medium } },
  'manager-devices-files': {
    page: 'manager',
    hash: 'devices',
    world: { members, deviceFiles: copiedFiles },
  },
  'manager-devices-removed': { page: 'manager', hash: 'devices', world: { members, removed } },
  'manager-new-device': { page: 'manager', hash: 'home', world: { members, medium } },
  'popup-new-device': { page: 'popup', world: { members, medium } },
  'manager-devices-sync-on': {
    page: 'manager',
    hash: 'devices',
    world: { members, medium: quietMedium() },
  },
  'manager-devices-sync-asking': {
    page: 'manager',
    hash: 'devices',
    world: { members, medium: quietMedium() },
  },
  'manager-devices-sync-removed': {
    page: 'manager',
    hash: 'devices',
    world: { members, medium: quietMedium('unreached') },
  },
  'manager-devices-sync-forbidden': {
    page: 'manager',
    hash: 'devices',
    world: { members, medium: quietMedium('forbidden') },
  },
  'manager-devices-removing': { page: 'manager', hash: 'devices', world: { members } },
  'manager-devices-full': { page: 'manager', hash: 'devices', world: { members: eightMembers } },
  'manager-devices-stopped': { page: 'manager', hash: 'devices' },
  'manager-devices-words': { page: 'manager', hash: 'devices' },
  'manager-devices-scanning': { page: 'manager', hash: 'devices' },
  'manager-devices-no-camera': { page: 'manager', hash: 'devices' },
  'manager-devices-given': { page: 'manager', hash: 'devices' },
  'manager-devices-request': { page: 'manager', hash: 'devices', world: { offer: ownOffer } },
  'manager-devices-digits': {
    page: 'manager',
    hash: 'devices',
    world: { offer: ownOffer, parcel: { outcome: 'wrong-digits', triesLeft: 2 } },
  },
  'manager-devices-join': { page: 'manager', hash: 'devices', world: { offer: ownOffer } },
  'manager-devices-taken': { page: 'manager', hash: 'devices', world: { offer: ownOffer } },
  'manager-backup': { page: 'manager', hash: 'backup' },
  'manager-backup-none': {
    page: 'manager',
    hash: 'backup',
    world: { backupTimes: { made: null, checked: null } },
  },
  'manager-backup-checked': { page: 'manager', hash: 'backup' },
  'manager-backup-foreign': {
    page: 'manager',
    hash: 'backup',
    world: { backupReport: { ...backupReport, ofThisVault: false, relation: 'foreign' } },
  },
  'manager-replace-vault': {
    page: 'manager',
    hash: 'backup',
    world: { backupReport: { ...backupReport, ofThisVault: false, relation: 'foreign' } },
  },
  'manager-take-over': {
    page: 'manager',
    hash: 'keys',
    world: { keys: [appKey, photos, oldKey, guestKey] },
  },
  'manager-friends': {
    page: 'manager',
    hash: 'friends',
    world: { friends: { dealt: dealtFriends, recovery: null } },
  },
  'manager-friends-waiting': {
    page: 'manager',
    hash: 'friends',
    world: { friends: { dealt: null, recovery: waitingRecovery } },
  },
  'manager-friends-enough': {
    page: 'manager',
    hash: 'friends',
    world: { friends: { dealt: null, recovery: { ...waitingRecovery, answered: [1, 2, 5] } } },
  },
  'manager-friends-asked': { page: 'manager', hash: 'friends' },
  'manager-friends-chosen': { page: 'manager', hash: 'friends' },
  'manager-friends-none': { page: 'manager', hash: 'friends', world: { contacts: [] } },
  'manager-friends-drill': {
    page: 'manager',
    hash: 'friends',
    world: { friends: { dealt: dealtFriends, recovery: null } },
  },
  'manager-friends-read': { page: 'manager', hash: 'friends' },
  'manager-friends-given': { page: 'manager', hash: 'friends' },
  'manager-lost': { page: 'manager', hash: 'backup', world: { vault: 'lost' } },
  'manager-files': { page: 'manager', hash: 'files', world: { openedFile: null } },
  'manager-files-people': { page: 'manager', hash: 'files' },
  'manager-files-told': { page: 'manager', hash: 'files' },
  'manager-files-own-passphrase': { page: 'manager', hash: 'files' },
  'manager-files-words': { page: 'manager', hash: 'files' },
  'manager-files-opened-by-words': {
    page: 'manager',
    hash: 'files',
    world: { releasedOpening: releasedByWords },
  },
  'manager-files-other-tool': { page: 'manager', hash: 'files' },
  'manager-files-age': { page: 'manager', hash: 'files', world: { keys: [appKey] } },
  'manager-files-forgeable': {
    page: 'manager',
    hash: 'files',
    world: { openedFile: openedOcb2 },
  },
  'manager-files-named': {
    page: 'manager',
    hash: 'files',
    world: { releasedOpening: releasedFile },
  },
  'manager-files-group': {
    page: 'manager',
    hash: 'files',
    world: { neededGroup: { name: 'Chamber choir', lacks: 'epoch' } },
  },
  'manager-files-weak': { page: 'manager', hash: 'files', world: { openedFile: openedWeak } },
  'manager-keys-age': {
    page: 'manager',
    hash: 'keys',
    world: { keys: [appKey, { ...photos, kind: 'age', label: 'Laptop of 2021', note: '' }] },
  },
  'manager-settings': { page: 'manager', hash: 'settings' },
  prompt: { page: 'prompt' },
  'prompt-early': { page: 'prompt' },
  'prompt-once': { page: 'prompt' },
  'prompt-pick': {
    page: 'prompt',
    world: {
      prompt: {
        ...request,
        origin: 'https://xn--bcher-kva.example:8443',
        topOrigin: 'https://portal.example.com',
        purpose: 'Share\u202e albums\n\nALLOW THIS \u200band win',
        key: { kind: 'sealing', label: 'Albums' },
        keys: [photos],
        capabilities: ['seal', 'open', 'blindIndex'],
        expiresInMs: 7 * 86_400_000,
        maxUses: 500,
        maxPerHour: 200,
        bulk: { records: 5000 },
        waiting: 2,
      },
    },
  },
  'prompt-new-key': {
    page: 'prompt',
    world: { prompt: { ...request, key: { kind: 'sealing' }, keys: [] } },
  },
  'prompt-sync': {
    page: 'prompt',
    world: {
      prompt: {
        ...request,
        key: { kind: 'sync', label: 'Notes', collections: ['notes', 'tags', 'attachments'] },
        keys: [firefox()],
        capabilities: ['sync'],
      },
    },
  },
  'prompt-jose': {
    page: 'prompt',
    world: {
      prompt: {
        ...request,
        purpose: 'Sign your requests, and read what the server encrypts for you',
        key: { kind: 'jose', label: 'Tokens' },
        keys: [],
        capabilities: ['signToken', 'openToken'],
      },
    },
  },
  'manager-keys-jose': {
    page: 'manager',
    hash: 'keys',
    world: {
      keys: [
        appKey,
        {
          ...photos,
          kind: 'jose',
          label: 'Tokens',
          origin: 'https://notes.example',
          note: '',
          sealed: 0,
        },
      ],
    },
  },
  'prompt-rotate': {
    page: 'prompt',
    world: {
      prompt: {
        ...request,
        purpose: '',
        capabilities: [],
        key: { kind: 'sealing', label: 'Family photos' },
        rotates: true,
      },
    },
  },
  'prompt-locked': { page: 'prompt', world: { vault: 'locked' } },
  'prompt-locked-passkey': { page: 'prompt', world: { vault: 'locked', ...withPasskey } },
  'prompt-absent': { page: 'prompt', world: { vault: 'absent' } },
  'prompt-lost': { page: 'prompt', world: { vault: 'lost' } },
  'prompt-gone': { page: 'prompt', world: { prompt: null } },
  'fields-write': {
    page: 'fields-window',
    drafts: { 'sealed-text https://mail.example.org': 'The key is under the third flower pot.' },
  },
  'fields-write-missing': { page: 'fields-window', world: { keys: [appKey] } },
  'fields-write-people': { page: 'fields-window' },
  'fields-write-groups': { page: 'fields-window', world: withGroups() },
  'fields-write-no-contact': { page: 'fields-window', world: { contacts: [] } },
  'fields-write-copy': {
    page: 'fields-window',
    world: { session: { ...writeSession, field: 'gone' } },
  },
  'fields-write-editor': {
    page: 'fields-window',
    world: { session: { ...writeSession, always: null, never: 'editor' } },
  },
  'fields-frame': { page: 'fields-window', world: { session: frameSession } },
  'fields-frame-declined': {
    page: 'fields-window',
    world: { session: frameSession },
    grantsSite: false,
  },
  'fields-frame-reached': { page: 'fields-window', world: { session: frameSession } },
  'fields-seal': { page: 'fields-window', world: { session: sealSession } },
  'fields-seal-off': { page: 'fields-window', world: { session: offSession } },
  'fields-protected': {
    page: 'fields-window',
    world: { session: { ...sealSession, field: 'protected' } },
  },
  'fields-inserted': { page: 'fields-window', world: { session: sealSession } },
  'fields-not-inserted': {
    page: 'fields-window',
    world: {
      session: sealSession,
      insertOutcome: { inserted: false, reason: 'too-long', limit: 140 },
    },
  },
  'fields-open': { page: 'fields-window', world: { session: openSession } },
  'fields-open-many': {
    page: 'fields-window',
    world: { session: { ...openSession, found: Array.from({ length: 9 }, () => firstFound) } },
  },
  'fields-open-words': { page: 'fields-window', world: { session: wordsSession } },
  'fields-open-groups': { page: 'fields-window', world: { session: groupsSession } },
  'fields-open-senders': { page: 'fields-window', world: { session: sendersSession } },
  'fields-open-none': { page: 'fields-window', world: { session: { ...openSession, found: [] } } },
  'fields-open-nested': {
    page: 'fields-window',
    world: { session: { ...openSession, found: [new TextEncoder().encode('nested')] } },
  },
  'fields-edit': { page: 'fields-window', world: { session: editSession } },
  'fields-edit-changed': {
    page: 'fields-window',
    world: {
      session: { ...editSession, found: [new TextEncoder().encode('shared')] },
      insertOutcome: { inserted: false, reason: 'changed' },
    },
  },
  'fields-stopped': { page: 'fields-window', world: { session: stoppedSession } },
  'fields-stopped-locked': {
    page: 'fields-window',
    world: { vault: 'locked', session: stoppedSession },
  },
  'fields-stopped-no-key': {
    page: 'fields-window',
    world: { session: { ...stoppedSession, reason: 'no-key' } },
  },
  'fields-locked': { page: 'fields-window', world: { vault: 'locked' } },
  'fields-gone': { page: 'fields-window', world: { session: null } },
} as const satisfies Record<string, NamedScene>;

export type SceneName = keyof typeof SCENES;
