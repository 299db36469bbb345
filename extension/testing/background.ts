import { fromBase64url, toBase64url } from '../../src/crypto/bytes.ts';
import { hmac } from '../../src/crypto/mac/hmac.ts';
import { SHA256 } from '../../src/crypto/hash/sha256.ts';
import { defaultRegistry } from '../../src/engine/default-engines.ts';
import { messageEngine } from '../../src/engine/message-engine.ts';
import { loadWasmAt } from '../../src/engine/wasm/library-loader.ts';
import { ENGINE_MODULES } from '../../src/engine/wasm/module-scripts.ts';
import { DerivationTimes } from '../../src/keys/unlock/calibration.ts';
import type { PassphraseKdf } from '../../src/format/passphrase.ts';
import { MERGED_LINES } from '../../src/keys/devices/device-record.ts';
import { Vault } from '../../src/keys/vault/vault.ts';
import { Random } from '../../src/random/random.ts';
import { SystemSource } from '../../src/random/system-source.ts';
import type { Caller, Channel } from '../../src/rpc/channel.ts';
import { MethodClient } from '../../src/rpc/client/method-client.ts';
import { METHODS } from '../../src/rpc/methods/methods.ts';
import type { Methods } from '../../src/rpc/methods/methods.ts';
import { MethodServer } from '../../src/rpc/server/method-server.ts';
import { SYSTEM_LATER } from '../../src/rpc/timers.ts';
import type { Timers } from '../../src/rpc/timers.ts';
import type { Prompter } from '../../src/service/ports/prompter.ts';
import type { FieldSessions } from '../../src/service/ports/field-session.ts';
import { createService, type Service } from '../../src/service/service.ts';
import { patternOf } from '../../src/service/ports/sites.ts';
import type { Sites } from '../../src/service/ports/sites.ts';
import type { StateEvents } from '../../src/service/ports/state-events.ts';
import { operations as groupOperations } from '../../src/workshop/groups.ts';
import { inThread } from '../../src/workshop/in-thread.ts';
import { signatureOperations } from '../../src/workshop/signature.ts';
import { subtleOperations } from '../../src/workshop/subtle.ts';
import { syncOperations } from '../../src/workshop/sync.ts';
import { VERSION } from '../page/connection/info.ts';
import { MemoryLocks, MemorySession, MemoryStore, memoryChannel } from './memory.ts';

/** What the user of a test's extension sees and does: prompts, locking, revoking. */
export type UserClient = MethodClient<Methods>;

const POPUP: Caller = { kind: 'surface', page: 'popup' };

/** What the background tells those who hold pages and answer prompts. */
export interface BackgroundEvents {
  readonly events: StateEvents;
  /** A prompt has to be shown. */
  readonly onPrompt: (promptId: string) => void;
}

/**
 * The background of the extension: its own broker, vault, key ring and format, over stores in memory. Passphrases are
 * derived by one HMAC, so that tests do not wait.
 */
export class TestBackground {
  /** For the user's actions. */
  readonly user: UserClient;
  readonly #stores = {
    primary: new MemoryStore('primary'),
    copy: new MemoryStore('copy'),
    session: new MemorySession(),
    notes: new MemorySession(),
    pageValues: new MemorySession(),
  };
  readonly #told: BackgroundEvents;
  readonly #origins = new Set<string>();
  readonly #channels = new Set<Channel>();
  #service: Service;
  #server: MethodServer<Methods>;

  /**
   * @param state of an earlier background
   * @throws TypeError where it is not what `state()` returns
   */
  constructor(told: BackgroundEvents, state?: string) {
    this.#told = told;
    if (state !== undefined) this.#restore(state);
    this.#service = this.#started();
    this.#server = serverOf(this.#service);
    this.user = new MethodClient(METHODS, { connect: () => this.connect(POPUP), timers: TIMERS });
  }

  /** What its stores keep beyond the end of the browser: the vault, as text. */
  state(): string {
    const { primary, copy } = this.#stores;
    const written = [primary, copy].map(({ values }) =>
      [...values].map(([name, bytes]) => [name, toBase64url(bytes)]),
    );
    return JSON.stringify(written);
  }

  #restore(state: string): void {
    const { primary, copy } = this.#stores;
    try {
      const written = JSON.parse(state) as readonly (readonly (readonly [string, string])[])[];
      for (const [index, { values }] of [primary, copy].entries()) {
        for (const [name, bytes] of written[index]!) values.set(name, fromBase64url(bytes));
      }
    } catch {
      throw new TypeError('options.state: expected the text of state()');
    }
  }

  /** The user enables a site. */
  enable(origin: string): void {
    this.#origins.add(origin);
  }

  connect(caller: Caller): Channel {
    const [near, far] = memoryChannel(POPUP, caller);
    this.#channels.add(far);
    far.onClose(() => this.#channels.delete(far));
    this.#server.attach(far);
    return near;
  }

  /** The browser ended the background, and starts it again at the next call. What it stored stays. */
  restart(): void {
    this.#service = this.#started();
    this.#server = serverOf(this.#service);
    for (const channel of [...this.#channels]) channel.close();
  }

  /** Ends the background for good: nothing of it runs on. */
  close(): void {
    this.user.close();
    for (const channel of [...this.#channels]) channel.close();
  }

  /** The user closes a prompt's window without an answer. */
  closePrompt(promptId: string): Promise<void> {
    return this.#service.promptClosed(promptId);
  }

  #started(): Service {
    const { session, notes, pageValues, ...stores } = this.#stores;
    const locks = new MemoryLocks();
    const random = new Random({ nowMs: () => performance.now() });
    const now = () => Date.now();
    const times = new DerivationTimes(session, now);
    const derive = times.timed(CHEAP_KDF);
    const vault = new Vault({
      ...stores,
      session,
      locks,
      random,
      derive,
      now,
      lines: MERGED_LINES,
    });
    const loadWasm = loadWasmAt(ENGINE_MODULES);
    const messageCrypto = messageEngine(loadWasm, (make) => random.useCipher(make));
    const registry = defaultRegistry({ loadWasm });
    return createService({
      vault,
      derive,
      times,
      session,
      notes,
      pageValues,
      locks,
      random,
      now,
      ...BROWSER,
      platformRandom: new SystemSource(),
      messageCrypto,
      workshop: inThread({
        ...groupOperations(),
        ...subtleOperations(registry),
        ...signatureOperations(registry),
        ...syncOperations({ registry, messageCrypto }),
      }),
      sites: this.#sites(),
      prompter: this.#prompter(),
      events: this.#told.events,
      version: VERSION,
      later: SYSTEM_LATER,
      timers: TIMERS,
    });
  }

  #prompter(): Prompter {
    return {
      show: (promptId) => {
        this.#told.onPrompt(promptId);
        return Promise.resolve();
      },
      close: () => Promise.resolve(),
    };
  }

  #sites(): Sites {
    return { ...SITES, enabled: () => Promise.resolve([...this.#origins].map(patternOf)) };
  }
}

function serverOf({ implementations }: Service): MethodServer<Methods> {
  return new MethodServer(METHODS, implementations, { timers: TIMERS });
}

/** One HMAC in the place of Argon2id. */
const CHEAP_KDF: PassphraseKdf = (passphrase, salt) =>
  Promise.resolve(hmac(SHA256, salt, passphrase) as Uint8Array<ArrayBuffer>);

/** Timers that do not keep a process of Node running. */
export const TIMERS: Timers = {
  start(work, delayMs) {
    const timer: unknown = setTimeout(work, delayMs);
    (timer as { unref?: () => void }).unref?.();
    return timer;
  },
  stop: (timer) => clearTimeout(timer as number),
};

/** No page can reach what these are for. */
const absent = (what: string) => () =>
  Promise.reject(new Error(`sealwright/testing has no ${what}`));
const FIELDS: FieldSessions = {
  begin: absent('text fields'),
  find: () => Promise.resolve(undefined),
  look: () => Promise.resolve(undefined),
  insert: absent('text fields'),
  show: absent('text fields'),
  reach: absent('text fields'),
  giveBack: absent('text fields'),
  showStopped: absent('text fields'),
};
const SITES: Sites = {
  enabled: () => Promise.resolve([]),
  enable: () => Promise.resolve(true),
  disable: () => Promise.resolve(),
  tabAddress: () => Promise.resolve(undefined),
  gathersMovements: () => Promise.resolve(false),
  gatherMovements: () => Promise.resolve(),
  hasMarks: () => Promise.resolve(false),
  setMarks: () => Promise.resolve(),
  guard: () => Promise.resolve(),
};
const nothing = (): void => undefined;

/** The browser around the background: someone is there, and no window but the prompt is shown. */
const BROWSER = {
  fieldSessions: FIELDS,
  documents: { isOpen: () => Promise.resolve(true) },
  presence: { isActive: () => Promise.resolve(true) },
  wakeUp: { at: () => Promise.resolve() },
  toolbarButton: { show: nothing },
  menus: { translate: nothing },
  holdPages: () => nothing,
};

/** Of the vault of a test. */
export const PASSPHRASE = 'the passphrase of a test';
