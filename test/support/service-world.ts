import { jsEngine } from '../../src/engine/js/js.ts';
import { nativeEngine } from '../../src/engine/native/native.ts';
import { Registry } from '../../src/engine/registry.ts';
import { MessageCrypto } from '../../src/engine/message-crypto.ts';
import { sharedModules } from '../../src/engine/wasm/shared-modules.ts';
import { wasmCrypto } from '../../src/engine/wasm/wasm-crypto.ts';
import { DerivationTimes } from '../../src/keys/unlock/calibration.ts';
import { MERGED_LINES } from '../../src/keys/devices/device-record.ts';
import type { Medium } from '../../src/keys/media/medium.ts';
import { Vault } from '../../src/keys/vault/vault.ts';
import type { Caller, Channel } from '../../src/rpc/channel.ts';
import { fromWire } from '../../src/rpc/errors.ts';
import { parseMessage, request } from '../../src/rpc/envelope.ts';
import type { MethodName, ParamsOf, ResultOf } from '../../src/rpc/methods/methods.ts';
import type { Operation, Workshop } from '../../src/rpc/workshop.ts';
import type { RandomSource } from '../../src/random/contract.ts';
import { METHODS, type Methods } from '../../src/rpc/methods/methods.ts';
import { MethodServer } from '../../src/rpc/server/method-server.ts';
import { MediumExchange } from '../../src/service/exchange/medium-exchange.ts';
import { createService, type Service } from '../../src/service/service.ts';
import { operations as age } from '../../src/workshop/age.ts';
import { inThread } from '../../src/workshop/in-thread.ts';
import { signatureOperations } from '../../src/workshop/signature.ts';
import { operations as groups } from '../../src/workshop/groups.ts';
import { operations as json } from '../../src/workshop/json.ts';
import { subtleOperations } from '../../src/workshop/subtle.ts';
import { syncOperations } from '../../src/workshop/sync.ts';
import { MemoryLocks } from '../../extension/testing/memory.ts';
import {
  MemorySession,
  MemoryStore,
  WatchedSession,
  cheapKdf,
  systemRandom,
} from './stores/memory-store.ts';
import { loadWasm } from './wasm.ts';
import {
  FakeDocuments,
  FakeEvents,
  FakeMenus,
  FakeToolbarButton,
  FakePrompter,
  FakeSites,
  FakeTimers,
  FakeFieldSessions,
  FakePresence,
  FakeWakeUp,
  pageCaller,
  settled,
} from './service-fakes.ts';

export const PASSPHRASE = 'correct horse battery staple';
export const POPUP: Caller = { kind: 'surface', page: 'popup' };

/** One for all worlds: it has no state of a user, and its engines test themselves when it is first used. */
const REGISTRY = new Registry([nativeEngine(), jsEngine()]);

const nodeRandom = {
  ...systemRandom,
  addEvent: (): void => undefined,
  addUncredited: (): void => undefined,
  stir: (): void => undefined,
  pools: () => Array.from({ length: 32 }, () => ({ bytes: 0 })),
  reseedCount: 1,
  healthy: true,
};

/**
 * The real broker, vault, key ring, format and server over stores in memory. `restart` is what
 * happens when the worker dies: everything is built anew, and the stores stay.
 */
export class World {
  readonly primary = new MemoryStore('primary');
  readonly copy = new MemoryStore('copy');
  /** As the platform's: it tells of changes. */
  readonly session = new WatchedSession();
  readonly notes = new MemorySession();
  readonly pageValues = new MemorySession();
  readonly prompter = new FakePrompter();
  readonly sites = new FakeSites();
  readonly fieldSessions = new FakeFieldSessions();
  readonly events = new FakeEvents();
  readonly toolbarButton = new FakeToolbarButton();
  readonly menus = new FakeMenus();
  readonly wakeUp = new FakeWakeUp();
  readonly presence = new FakePresence();
  readonly documents = new FakeDocuments();
  timers = new FakeTimers();
  readonly random = { ...nodeRandom };
  /** The browser's own generator; a test may put another in its place, and restart. */
  platformRandom: RandomSource = this.random;
  /** The operations that the workshop was asked for; a test may put another workshop in its place. */
  readonly operations: Operation[] = [];
  workshop: Workshop = inThread({
    ...age(),
    ...groups(),
    ...json(loadWasm),
    ...signatureOperations(REGISTRY),
    ...subtleOperations(REGISTRY, { platform: this.#platform() }),
    ...syncOperations(
      { registry: REGISTRY, messageCrypto: new MessageCrypto(() => this.loadMessageCrypto()) },
      this.#platform(),
    ),
  });
  /** What stands between a worker and each store; a test may put something there, and restart. */
  between: <Store extends object>(store: Store) => Store = (store) => store;
  /** Instead of Argon2id; a test may put another in its place. */
  derive = cheapKdf;
  /** Read at the first short message after a restart. */
  loadMessageCrypto = () => wasmCrypto(sharedModules(loadWasm));
  /** What devices exchange over; a test puts one here, and restarts. */
  medium: Medium | undefined;
  /** How many hold the calls of pages back. */
  holds = 0;
  now = 1_800_000_000_000;
  vault!: Vault;
  service!: Service;
  #server!: MethodServer<Methods>;
  #requests = 0;

  private constructor() {
    this.restart();
  }

  static fresh(): World {
    return new World();
  }

  /** With a vault that has just been made. */
  static async unlocked(): Promise<World> {
    const world = new World();
    await world.surface('ui.createVault', { passphrase: PASSPHRASE });
    return world;
  }

  restart(): void {
    this.timers = new FakeTimers(); // those of the worker that has ended never go off
    const { prompter, sites, fieldSessions } = this;
    const [primary, copy] = [this.between(this.primary), this.between(this.copy)];
    const [session, notes] = [this.between(this.session), this.between(this.notes)];
    const pageValues = this.between(this.pageValues);
    const { events, toolbarButton, menus, wakeUp, presence, documents } = this;
    const now = (): number => this.now;
    const { random, medium } = this;
    const locks = new MemoryLocks();
    const times = new DerivationTimes(session, now);
    const derive = times.timed((...parts) => this.derive(...parts));
    this.vault = new Vault({
      primary,
      copy,
      session,
      locks,
      random,
      derive,
      now,
      lines: MERGED_LINES,
    });
    this.service = createService({
      ...{
        session,
        notes,
        pageValues,
        locks,
        prompter,
        sites,
        fieldSessions: fieldSessions,
        events,
        toolbarButton,
        menus,
        wakeUp,
        presence,
        documents,
        now,
        random,
      },
      vault: this.vault,
      derive,
      times,
      platformRandom: this.platformRandom,
      workshop: {
        call: (owner, operation, input, options) => {
          this.operations.push(operation);
          return this.workshop.call(owner, operation, input, options);
        },
      },
      messageCrypto: new MessageCrypto(() => this.loadMessageCrypto()),
      holdPages: () => {
        this.holds++;
        return () => this.holds--;
      },
      ...(medium && { makeExchange: (parts) => new MediumExchange({ ...parts, medium }) }),
      later: setImmediate,
      timers: this.timers,
      version: '0.0.0',
    });
    this.#server = new MethodServer(METHODS, this.service.implementations);
  }

  /** Of workers: what a test put in the place of the platform's. */
  #platform(): RandomSource {
    return { bytes: (length) => this.platformRandom.bytes(length) };
  }

  newRequestId(): string {
    this.#requests += 1;
    return `request-${this.#requests}`;
  }

  /** One call, through the server: validated, and answered with what crosses the wire. */
  async call<M extends MethodName>(
    method: M,
    params: ParamsOf<M>,
    caller: Caller = pageCaller(),
    id = this.newRequestId(),
  ): Promise<ResultOf<M>> {
    return (await this.begin(method, params, caller, id).answer) as ResultOf<M>;
  }

  /** The same, with any parameters, and the line in hand. */
  begin(method: string, params: unknown, caller: Caller, id = this.newRequestId()) {
    const listeners: ((message: unknown) => void)[] = [];
    let closing = (): void => undefined;
    const answer = new Promise<unknown>((resolve, reject) => {
      const channel: Channel = {
        peer: caller,
        send(raw) {
          const message = parseMessage(raw);
          if (message?.kind !== 'response') return;
          if (message.ok) resolve(message.result);
          else reject(fromWire(message.error));
        },
        onMessage: (listener) => void listeners.push(listener),
        onClose: (listener) => (closing = listener),
        close: () => undefined,
      };
      this.#server.attach(channel);
    });
    for (const listener of listeners) listener(request(id, method, params));
    answer.catch(() => undefined);
    return { answer, close: () => closing() };
  }

  surface<M extends MethodName>(method: M, params: ParamsOf<M>): Promise<ResultOf<M>> {
    return this.call(method, params, POPUP);
  }

  /** Asks, lets `answer` say what the user does in the prompt, and gives the page's result. */
  async connect(
    requested: Partial<ParamsOf<'connect'>> = {},
    caller: Caller = pageCaller(),
    answer: Partial<ParamsOf<'ui.answerPrompt'>> = {},
  ): Promise<ResultOf<'connect'>> {
    const full = { purpose: 'To test', capabilities: ['seal', 'open'], ...requested };
    const shown = this.prompter.shown.length;
    const asking = this.call('connect', full as ParamsOf<'connect'>, caller);
    const ended = asking.then(
      () => 'ended',
      () => 'ended',
    );
    // What is being saved comes first, and may take longer than one look.
    while (this.prompter.shown.length === shown) {
      if ((await Promise.race([ended, settled()])) === 'ended') break;
    }
    const promptId = this.prompter.shown[shown];
    if (promptId !== undefined) {
      await this.surface('ui.answerPrompt', { promptId, allow: true, ...answer });
    }
    return asking;
  }

  /** Lets what was put off be saved: the log and the times of last use. */
  async saved(): Promise<void> {
    this.timers.goOff();
    await settled();
    await this.surface('ui.activityUsage', { days: 1 });
  }

  /** All bytes that would be on the disk, as one comparable text. */
  stored(): string {
    const stores = [this.primary, this.copy].map(({ values }) =>
      [...values].map(([key, value]) => [key, Buffer.from(value).toString('hex')]).sort(),
    );
    return JSON.stringify([stores, [...this.notes.values].sort()]);
  }
}

/** The worker is gone at this write of the vault's stores, before it is done. */
export function diesAtWrite({ primary, copy }: World, at: number) {
  let count = 0;
  let tell: (how: 'dead') => void = () => undefined;
  const happened = new Promise<'dead'>((resolve) => (tell = resolve));
  for (const store of [primary, copy]) {
    const write = store.write.bind(store);
    store.write = (puts, removes) => {
      if (count++ < at) return write(puts, removes);
      tell('dead');
      return new Promise(() => undefined);
    };
  }
  const revive = (): void => {
    for (const store of [primary, copy]) Reflect.deleteProperty(store, 'write');
  };
  return { happened, revive };
}
