/*
 * The background: a service worker in Chromium, an event page in Firefox. It wires the browser to
 * the broker and has no logic and no state of its own. All listeners are registered in the first
 * task, because a worker that an event wakes gets the event right after that task.
 */
import { messageEngine } from '../../src/engine/message-engine.ts';
import { calibrateCost, DerivationTimes } from '../../src/keys/unlock/calibration.ts';
import type { SessionStore } from '../../src/keys/storage/key-value-store.ts';
import { MERGED_LINES } from '../../src/keys/devices/device-record.ts';
import { Vault } from '../../src/keys/vault/vault.ts';
import { Random } from '../../src/random/random.ts';
import { SystemSource } from '../../src/random/system-source.ts';
import type { Caller } from '../../src/rpc/channel.ts';
import { FairQueue } from '../../src/rpc/server/fair-queue.ts';
import { ConnectedChannels } from '../../src/rpc/server/connected-channels.ts';
import { METHODS } from '../../src/rpc/methods/methods.ts';
import { MethodServer } from '../../src/rpc/server/method-server.ts';
import { laterByMessages, SYSTEM_TIMERS } from '../../src/rpc/timers.ts';
import { WORKSHOP_METHODS } from '../../src/rpc/workshop-methods.ts';
import { createService } from '../../src/service/service.ts';
import { MediumExchange } from '../../src/service/exchange/medium-exchange.ts';
import { coveredByAny } from '../../src/service/ports/sites.ts';
import { workshopArgon2id } from '../../src/service/workshop/argon2id.ts';
import { AlarmWakeUp } from '../platform/lock/alarms.ts';
import { backgroundWorkers } from '../platform/workers/background-workers.ts';
import { browser } from '../platform/browser.ts';
import { packagedWasm } from '../platform/workers/engine-wasm.ts';
import { fieldItems, onFieldCommand, onFieldMenu } from '../platform/fields/field-triggers.ts';
import { BrowserFieldSessions } from '../platform/fields/field-sessions.ts';
import {
  onScreenLock,
  lockItem,
  onLockCommand,
  onLockMenu,
  UserPresence,
} from '../platform/lock/lock-triggers.ts';
import { durableStorage } from '../platform/storage/durable-storage.ts';
import { IndexedDbStore } from '../platform/storage/indexed-db-store.ts';
import { onStart, RegisteredSites } from '../platform/sites/sites.ts';
import { WebLocks } from '../platform/storage/locks.ts';
import { onPageEnd, PAGE_END_MS, removeLeftFiles } from '../platform/storage/temporary-files.ts';
import { TemporaryPermissions } from '../platform/sites/temporary-permissions.ts';
import { onMarkRequest } from '../platform/fields/mark-requests.ts';
import { chosenWords, packagedMessages, type Words } from '../platform/windows/chosen-words.ts';
import { BrowserMenus } from '../platform/windows/menus.ts';
import { watchSites } from '../platform/sites/permissions.ts';
import { OpenDocuments } from '../platform/sites/open-documents.ts';
import { onPageShown } from '../platform/sites/page-shown.ts';
import { ownWindows } from '../platform/windows/own-windows.ts';
import { PromptWindow } from '../platform/windows/prompt-window.ts';
import { mayUseSync, onSyncAllowed } from '../platform/windows/sync-consent.ts';
import { BrowserToolbarButton } from '../platform/windows/toolbar-button.ts';
import { welcomeAfterInstall } from '../platform/windows/welcome.ts';
import { listenForChannels } from '../platform/channels/runtime-channel.ts';
import { AreaSessionStore } from '../platform/storage/session-store.ts';
import { SyncMedium } from '../platform/storage/sync-medium.ts';
import { TabEvents } from '../platform/sites/tab-events.ts';
import { WorkshopInstances } from '../platform/workers/workshop-instances.ts';

const now = () => Date.now();
const nowMs = () => performance.now();

/** The stores of keys and settings, and what the stores share. */
function makeStores() {
  const { extension, runtime, storage } = browser;
  const locks = new WebLocks(navigator.locks);
  const session = new AreaSessionStore(storage.session, '');
  const isPrivate = extension.inIncognitoContext === true;
  const durable = durableStorage({ storage, isPrivate, caches: globalThis.caches });
  const random = new Random({ nowMs });
  const times = new DerivationTimes(session, nowMs);
  const workshop = new WorkshopInstances(backgroundWorkers(runtime), WORKSHOP_METHODS);
  const derive = times.timed(workshopArgon2id(workshop));
  const vault = new Vault({
    primary: isPrivate ? null : new IndexedDbStore(globalThis.indexedDB, 'sealwright'),
    copy: durable.vaultCopy,
    calibrate: () => calibrateCost(derive, nowMs),
    lines: MERGED_LINES,
    derive,
    session,
    locks,
    random,
    now,
  });
  const { notes, pageValues, closed } = durable;
  return { locks, session, notes, pageValues, closed, random, times, workshop, derive, vault };
}

/** The words of what the browser itself draws. */
function wordsOfBrowser(pageValues: SessionStore): () => Promise<Words> {
  const { i18n, runtime } = browser;
  return chosenWords({
    browserWords: (name) => i18n.getMessage(name),
    pageValues,
    messagesOf: (language) => packagedMessages(language, (path) => runtime.getURL(path)),
  });
}

/** The broker, with the browser's APIs that it uses. */
function makeBroker() {
  const { action, alarms, contextMenus, idle, permissions, runtime, scripting, storage, tabs } =
    browser;
  const windows = ownWindows(browser);
  const stores = makeStores();
  const { session, locks, notes, pageValues, random, closed } = stores;
  const { version } = runtime.getManifest();
  const loadWasm = packagedWasm((path) => runtime.getURL(path));
  const later = laterByMessages();
  const channels = new ConnectedChannels();
  const queue = new FairQueue(later);
  const temporary = new TemporaryPermissions({ permissions, windows, notes, session, locks });
  const sites = new RegisteredSites({
    permissions,
    scripting,
    tabs,
    temporary,
    locks,
    notes,
    closed,
  });
  const prompter = new PromptWindow({ windows, runtime, session, locks });
  const fieldSessions = new BrowserFieldSessions({
    scripting,
    tabs,
    windows,
    runtime,
    temporary,
    session,
    locks,
    random,
    nowMs,
  });
  const wakeUp = new AlarmWakeUp(alarms);
  const words = wordsOfBrowser(pageValues);
  const items = (own: Words) => [lockItem(own('lockNow')), ...fieldItems(own)];
  const menus = new BrowserMenus({ contextMenus, runtime, words, items });
  const medium = new SyncMedium(storage.sync, mayUseSync);
  const service = createService({
    documents: new OpenDocuments(tabs),
    presence: new UserPresence(idle),
    events: new TabEvents({ tabs, sites, channels }),
    toolbarButton: new BrowserToolbarButton({ action, tabs, sites, session, words }),
    menus,
    platformRandom: new SystemSource(),
    messageCrypto: messageEngine(loadWasm, (makeCipher) => random.useCipher(makeCipher)),
    timers: SYSTEM_TIMERS,
    version,
    holdPages: () => queue.hold(),
    ...stores,
    prompter,
    sites,
    fieldSessions,
    wakeUp,
    makeExchange: (parts) => new MediumExchange({ ...parts, medium }),
    later,
    now,
  });
  const server = new MethodServer(METHODS, service.implementations, { later, queue });
  return {
    service,
    server,
    channels,
    temporary,
    sites,
    prompter,
    fieldSessions,
    wakeUp,
    menus,
    medium,
    ...stores,
  };
}

/** Registers the listeners of all events that may wake the background. */
function listen(broker: ReturnType<typeof makeBroker>): void {
  const { commands, contextMenus, idle, permissions, runtime, tabs } = browser;
  const { service, server, channels, temporary, sites, prompter, fieldSessions, wakeUp } = broker;
  const { menus, medium, vault } = broker;
  listenForChannels(runtime, (channel) => {
    channels.add(channel);
    server.attach(channel);
  });
  welcomeAfterInstall({ runtime, tabs }, () => vault.markFirstRun());
  prompter.onClosed((promptId) => void service.promptClosed(promptId));
  wakeUp.onDue(() => void service.wakeUpCame());
  onScreenLock(idle, () => void service.lockNow('lockWithScreen'));
  onLockCommand(commands, () => void service.lockNow());
  onLockMenu(contextMenus, () => void service.lockNow());
  onFieldCommand(commands, (place, kind) => void fieldSessions.begin(place, kind));
  onFieldMenu(contextMenus, (place, kind) => void fieldSessions.begin(place, kind));
  fieldSessions.listen();
  onPageShown(runtime, () => void service.pageShown(), now);
  onStart(runtime, () => void service.started());
  onPageEnd(runtime, () => void removeLeftFiles(PAGE_END_MS));
  onMarkRequest(runtime, (place) => void fieldSessions.begin(place, 'open'));
  medium.onChanged(() => service.exchange?.changed());
  onSyncAllowed(() => service.exchange?.changed());
  menus.listen();
  temporary.watch();
  watchSites({ permissions, runtime, sites }, (gone) => {
    void service.sitesRemoved(gone);
    const isGone = (caller: Caller): boolean =>
      caller.kind === 'page' && coveredByAny(gone, caller.origin);
    server.cancel(isGone);
    channels.close(isGone);
  });
}

const broker = makeBroker();
listen(broker);
void removeLeftFiles();
// Registrations outlive the background: where storage cannot be closed, they end now.
void broker.closed.catch(() => broker.sites.reconcile());
