import { SealwrightError } from '../../../../src/rpc/errors.ts';
import type { ParamsOf, ResultOf } from '../../../../src/rpc/methods/methods.ts';
import type {
  EntropyState,
  UiClient,
  UiGrant,
  UiKey,
  UiMethod,
  UiPrompt,
  UiSite,
  UiSiteSummary,
  VaultState,
} from '../../../../extension/ui/environment/ui-client.ts';
import { hasConfirmedCode } from '../../../../extension/views/unlock/recovery-reminder.tsx';
import { activityImplementations, activityWorld, type ActivityWorld } from './fake-activity.ts';
import { contactsImplementations, contactsWorld, type ContactsWorld } from './fake-contacts.ts';
import { filesImplementations, filesWorld, type FilesWorld } from './fake-files.ts';
import {
  devicesImplementations,
  filesReport,
  joining,
  noFiles,
  type DevicesWorld,
} from './fake-devices.ts';
import { fieldsImplementations, fieldsWorld, type FieldsWorld } from './fake-fields.ts';
import { vaultImplementations, vaultWorld, type VaultWorld } from './fake-vault.ts';

const DAY = 86_400_000;

/** The state of a fake background. A scene is a variation of `defaultWorld`. */
export interface World
  extends VaultWorld, ActivityWorld, ContactsWorld, DevicesWorld, FieldsWorld, FilesWorld {
  vault: VaultState;
  copies: number;
  unsavedRevocations: number;
  site: UiSite;
  sites: UiSiteSummary[];
  moves: ResultOf<'ui.moves'>;
  keys: UiKey[];
  prompt: UiPrompt | null;
  entropy: EntropyState;
  gathersMovements: boolean;
  card: ResultOf<'ui.graphicsCard'>;
  /** Methods that never answer, for screens that are waiting. */
  silent: UiMethod[];
  /** Methods that reject with INTERNAL. */
  failing: UiMethod[];
}

export const NOW = Date.now();

export const firefox = (): UiKey => ({
  ...photos,
  ref: 'k7',
  kind: 'sync',
  algorithm: 'weave-5',
  label: 'Firefox of 2019',
  note: '',
  tone: '',
});

export const photos: UiKey = {
  ref: 'k1',
  kind: 'sealing',
  algorithm: null,
  origin: null,
  label: 'Family photos',
  guest: false,
  created: NOW - 40 * DAY,
  generation: 1,
  grants: 2,
  sites: 2,
  sealed: 14,
  lastUsed: NOW - 5 * 60_000,
  note: 'Albums of the whole family.\nAsk Robin before sharing.',
  tone: 'purple',
  archived: null,
};

export const oldKey: UiKey = {
  ...photos,
  ref: 'k8',
  label: 'Tax papers 2019',
  created: NOW - 900 * DAY,
  grants: 0,
  sites: 1,
  sealed: 0,
  lastUsed: null,
  note: '',
  tone: 'orange',
  archived: NOW - 12 * DAY,
};

export const guestKey: UiKey = {
  ...oldKey,
  ref: 'k9',
  label: 'Letters',
  guest: true,
  note: '',
  tone: '',
};

export const appKey: UiKey = {
  ref: 'app',
  kind: 'app',
  algorithm: null,
  origin: null,
  label: '',
  guest: false,
  created: NOW - 41 * DAY,
  generation: 1,
  grants: 3,
  sites: 3,
  sealed: 2,
  lastUsed: NOW - 60_000,
  note: '',
  tone: '',
  archived: null,
};

export const grants: UiGrant[] = [
  {
    id: 'g1',
    origin: 'https://notes.example.org',
    keyLabel: '',
    keyKind: 'app',
    capabilities: ['seal', 'open'],
    created: NOW - 2 * DAY,
    expiresAt: NOW + 3 * 3_600_000,
    usesLeft: 41,
    maxPerHour: null,
    lastUsed: NOW - 5 * 60_000,
    frozenFrom: null,
    isUnusual: false,
    persistentKeys: 2,
  },
  {
    id: 'g2',
    origin: 'https://notes.example.org',
    keyLabel: 'Family photos',
    keyKind: 'sealing',
    capabilities: ['seal'],
    created: NOW - 9 * DAY,
    expiresAt: null,
    usesLeft: null,
    maxPerHour: null,
    lastUsed: null,
    frozenFrom: null,
    isUnusual: false,
    persistentKeys: 0,
  },
];

export const enabledSite: UiSite = {
  origin: 'https://notes.example.org',
  pattern: 'https://notes.example.org/*',
  enabled: true,
  problem: null,
  grants,
  persistentKeys: 0,
  lastUse: NOW - 5 * 60_000,
};

export const request: UiPrompt = {
  promptId: 'p1',
  origin: 'https://notes.example.org',
  topOrigin: 'https://notes.example.org',
  purpose: 'Keep your notes encrypted, so that not even we can read them.',
  capabilities: ['seal', 'open'],
  key: 'app',
  keys: [],
  rotates: false,
  expiresInMs: null,
  maxUses: null,
  maxPerHour: null,
  bulk: null,
  vault: 'unlocked',
  waiting: 1,
};

export const defaultWorld = (): World => ({
  vault: 'unlocked',
  copies: 2,
  unsavedRevocations: 0,
  offer: null,
  parcel: joining,
  members: null,
  removed: null,
  deviceFiles: noFiles,
  filesReport,
  medium: { isOn: false, isInCircle: false, code: 'none', joined: [], last: null },
  site: enabledSite,
  sites: [
    {
      origin: 'https://notes.example.org',
      pattern: 'https://notes.example.org/*',
      grants,
      persistentKeys: 0,
      decoys: 0,
    },
    {
      origin: 'http://localhost:8080',
      pattern: 'http://localhost/*',
      grants: [],
      persistentKeys: 0,
      decoys: 0,
    },
    {
      origin: 'https://a-very-long-name-for-a-web-site.department.university.example.edu',
      pattern: 'https://a-very-long-name-for-a-web-site.department.university.example.edu/*',
      grants: grants.slice(0, 1),
      persistentKeys: 0,
      decoys: 0,
    },
  ],
  moves: { moves: [], origins: [] },
  keys: [appKey, photos],
  prompt: request,
  entropy: {
    pools: Array.from({ length: 32 }, (_, index) => (index * 11) % 61),
    reseeds: 7,
    events: 1843,
    healthy: true,
  },
  gathersMovements: false,
  card: { on: false, fasterFrom: null },
  ...vaultWorld(),
  ...activityWorld(),
  ...contactsWorld(),
  ...fieldsWorld(),
  ...filesWorld(),
  silent: [],
  failing: [],
});

type Implementations = { [M in UiMethod]: (params: ParamsOf<M>) => ResultOf<M> };

/**
 * A client of a fake background, whose methods read and change the `world`. It records all calls.
 */
export class FakeUiClient implements UiClient {
  readonly world: World;
  readonly calls: { method: UiMethod; params: unknown }[] = [];
  readonly #methods: Implementations;

  constructor(world: Partial<World> = {}) {
    this.world = { ...defaultWorld(), ...world };
    this.#methods = implementations(this.world);
  }

  async call<M extends UiMethod>(
    method: M,
    params: ParamsOf<M>,
    signal?: AbortSignal,
  ): Promise<ResultOf<M>> {
    this.calls.push({ method, params });
    if (this.world.silent.includes(method)) return untilAborted(signal);
    if (this.world.failing.includes(method)) {
      throw new SealwrightError('INTERNAL', 'failing method');
    }
    await Promise.resolve();
    return this.#methods[method](params);
  }

  onChange(): () => void {
    return () => undefined;
  }
}

function untilAborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason as Error));
  });
}

const grantsOf = ({ sites }: World) => sites.flatMap(({ grants }) => grants);

function implementations(world: World): Implementations {
  const wake = (passphrase: string) => {
    if (passphrase !== world.passphrase) throw new SealwrightError('AUTH_FAILED', 'wrong');
    world.vault = 'unlocked';
    return {};
  };
  const dropGrants = (grantIds: readonly string[]) => {
    const grants = world.site.grants.filter(({ id }) => !grantIds.includes(id));
    world.site = { ...world.site, grants };
    return {};
  };
  return {
    'ui.state': () => ({
      vault: world.vault,
      created: NOW - 41 * DAY,
      copies: world.copies,
      unsavedRevocations: world.unsavedRevocations,
      isFrozen: grantsOf(world).some(({ frozenFrom }) => frozenFrom !== null),
      isUnusual: grantsOf(world).some(({ isUnusual }) => isUnusual),
      hasNewDevice: (world.medium?.joined.length ?? 0) > 0,
      lacksCode: world.vault === 'unlocked' ? !hasConfirmedCode(world.slots) : null,
      autoLockMs: 15 * 60_000,
      lockAt: world.vault === 'unlocked' ? Date.now() + 15 * 60_000 : null,
      version: '0.1.0',
      engines: ['native', 'wasm-simd', 'js'],
    }),
    'ui.createVault': ({ passphrase }) => {
      world.passphrase = passphrase;
      return wake(passphrase);
    },
    'ui.unlock': ({ passphrase }) => ({ ...wake(passphrase), by: 'passphrase' }),
    'ui.unlockBy': ({ by }) => wake('passphrase' in by ? by.passphrase : world.passphrase),
    ...vaultImplementations(world),
    ...activityImplementations(world),
    ...contactsImplementations(world),
    ...devicesImplementations(world),
    ...fieldsImplementations(world),
    'ui.lock': () => {
      world.vault = 'locked';
      return {};
    },
    'ui.setAutoLock': () => ({}),
    'ui.site': () => world.site,
    'ui.sites': () => world.sites,
    'ui.enableSite': () => {
      world.site = { ...world.site, enabled: true };
      return {};
    },
    'ui.disableSite': ({ pattern }) => {
      world.site = { ...world.site, enabled: false, grants: [] };
      world.sites = world.sites.filter((site) => site.pattern !== pattern);
      return {};
    },
    'ui.revoke': ({ grantIds }) => dropGrants(grantIds),
    'ui.letGoOn': ({ grantId, forAnHour }) => {
      const frozenFrom = forAnHour ? NOW + 3_600_000 : null;
      const answered = (all: readonly UiGrant[]) =>
        all.map((grant) => (grant.id === grantId ? { ...grant, frozenFrom } : grant));
      world.site = { ...world.site, grants: answered(world.site.grants) };
      world.sites = world.sites.map((site) => ({ ...site, grants: answered(site.grants) }));
      return {};
    },
    'ui.readUnusual': ({ grantId }) => {
      const grants = world.site.grants.map((grant) =>
        grant.id === grantId ? { ...grant, isUnusual: false } : grant,
      );
      world.site = { ...world.site, grants };
      return {};
    },
    'ui.forgetDecoys': ({ origin }) => {
      world.sites = world.sites.map((site) =>
        site.origin === origin ? { ...site, decoys: 0 } : site,
      );
      return {};
    },
    'ui.moves': () => world.moves,
    'ui.moveData': ({ from, to, on }) => {
      const others = world.moves.moves.filter((move) => move.from !== from || move.to !== to);
      world.moves = { ...world.moves, moves: on ? [...others, { from, to }] : others };
      return {};
    },
    'ui.deletePersistentKeys': () => {
      world.site = { ...world.site, persistentKeys: 0 };
      return {};
    },
    'ui.keys': () => world.keys,
    'ui.createKey': ({ kind = 'sealing', label }) => {
      const algorithm = kind === 'signing' ? 'Ed25519' : null;
      const ref = `k${world.keys.length}`;
      const fresh = { note: '', tone: '', sealed: 0, lastUsed: null, grants: 0, sites: 0 };
      const made = { ...photos, ...fresh, ref, kind, algorithm, label };
      world.keys = [...world.keys, made];
      return made;
    },
    'ui.importKey': ({ label, text }) => {
      if (!text.includes('PRIVATE KEY')) throw new SealwrightError('INVALID_ARGUMENT', 'text');
      const ref = `k${world.keys.length}`;
      const made = { ...photos, ref, kind: 'signing' as const, algorithm: 'DSA', label, grants: 0 };
      world.keys = [...world.keys, made];
      return made;
    },
    'ui.importSyncKey': ({ label, format, source }) => {
      const isWrong = 'text' in source && !source.text.includes('oct');
      if (isWrong) throw new SealwrightError('INVALID_ARGUMENT', 'source');
      const ref = `k${world.keys.length}`;
      const made = { ...photos, ref, kind: 'sync' as const, algorithm: format, label, grants: 0 };
      world.keys = [...world.keys, made];
      return made;
    },
    ...filesImplementations(world),
    'ui.syncKey': () => ({
      format: 'weave-5',
      foreignId: '518fef27c6bbc0220aab0f00b1a37308',
      fingerprint: '3f1c 99a0 5be2 b606 e28d 0ded ecf9 4a23',
      hasKeys: true,
      collections: [],
    }),
    'ui.publicKey': () => ({ text: world.signerKey }),
    'ui.editKey': ({ ref, ...details }) => {
      world.keys = world.keys.map((key) => (key.ref === ref ? { ...key, ...details } : key));
      return {};
    },
    'ui.archiveKey': ({ ref, archived }) => {
      const at = archived ? Date.now() : null;
      world.keys = world.keys.map((key) => (key.ref === ref ? { ...key, archived: at } : key));
      return {};
    },
    'ui.takeOverKey': ({ ref }) => {
      const own = { guest: false, archived: null };
      world.keys = world.keys.map((key) => (key.ref === ref ? { ...key, ...own } : key));
      return {};
    },
    'ui.deleteKey': ({ by, ref }) => {
      if ('passphrase' in by) wake(by.passphrase);
      world.keys = world.keys.filter((key) => key.ref !== ref);
      return {};
    },
    'ui.prompt': () => {
      if (!world.prompt) throw new SealwrightError('EXPIRED', 'expired');
      return { ...world.prompt, vault: world.vault };
    },
    'ui.answerPrompt': () => ({}),
    'ui.entropy': () => world.entropy,
    'ui.addEntropy': ({ digest, events: added }) => {
      const { events, pools } = world.entropy;
      const turn = events % pools.length;
      world.entropy = {
        ...world.entropy,
        events: events + added,
        pools: pools.map((bytes, index) => (index === turn ? bytes + digest.length : bytes)),
      };
      return world.entropy;
    },
    'ui.siteMovements': () => ({ on: world.gathersMovements }),
    'ui.graphicsCard': () => world.card,
    'ui.setGraphicsCard': ({ on }) => {
      world.card = { ...world.card, on };
      return {};
    },
    'ui.setSiteMovements': ({ on }) => {
      world.gathersMovements = on;
      return {};
    },
    'ui.pageValue': () => ({ json: null }),
    'ui.setPageValue': () => ({}),
    'ui.selfTest': () => ({
      randomBytes: 65_536,
      randomMicroseconds: 310,
      vaultBytes: 1024,
      vaultMicroseconds: world.vault === 'unlocked' ? 190 : null,
    }),
    'ui.keepThresholds': () => ({}),
  };
}
