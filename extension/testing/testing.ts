/// <reference lib="esnext.disposable" preserve="true" />
/*
 * `sealwright/testing`: the extension in memory, for the tests of apps. It is the extension's own code from the page's
 * API down to the vault, so that arguments, errors, limits and bytes are those of the extension; a script takes the
 * place of the user.
 */
import type { Sealwright } from '../../src/client/page-api.ts';
import type { Caller } from '../../src/rpc/channel.ts';
import type { EventName } from '../../src/rpc/envelope.ts';
import { judgeFrame } from '../../src/service/calls/frame-policy.ts';
import { ANNOUNCE, installProvider, REQUEST } from '../page/connection/discovery.ts';
import type { TestAnswers, TestPrompt } from './answers.ts';
import { PASSPHRASE, TestBackground, TIMERS } from './background.ts';
import type { BackgroundEvents } from './background.ts';
import { TestPage } from './page.ts';
import { answerPrompt } from './prompts.ts';

export type { TestAnswer, TestAnswers, TestPrompt } from './answers.ts';

/** Options of `createTestSealwright`. */
export interface TestSealwrightOptions {
  /**
   * Of the app: https, or localhost. What it seals is bound to it.
   *
   * Default: https://app.example
   */
  readonly origin?: string | undefined;
  /** How the user answers prompts, until `user.answers`. Default: 'allow' */
  readonly answers?: TestAnswers | undefined;
  /** Of an earlier one's `state()`: its vault, unlocked, with its keys and grants. Default: a new vault */
  readonly state?: string | undefined;
}

/** What the user of the app does outside of it. */
export interface TestUser {
  /** Prompts that were shown, oldest first. */
  readonly prompts: readonly TestPrompt[];
  /** Answers later prompts in another way. */
  answers(answers: TestAnswers): void;
  /** The page gets the event `lock`; calls with keys reject with LOCKED until `unlock`. */
  lock(): Promise<void>;
  /** The page gets the event `unlock`. */
  unlock(): Promise<void>;
  /** Takes all grants of the app back. The page gets `grantchange`. */
  revoke(): Promise<void>;
  /** Lets the app open again after a decoy (FROZEN), as the user does in the popup. The page gets `grantchange`. */
  letGoOn(): Promise<void>;
  /**
   * Lets the app open what it sealed at an old address, as the user does in the manager. The page gets `grantchange`.
   *
   * @param from the old address, of which `pageOf` has made a page that has sealed something
   * @throws SealwrightError INVALID_ARGUMENT for another one
   */
  moveDataFrom(from: string): Promise<void>;
}

/** The extension in memory, with one user and one vault, which is unlocked. */
export interface TestSealwright {
  /** What the app's page has as `window.sealwright`. */
  readonly sealwright: Sealwright;
  readonly user: TestUser;
  /**
   * Puts the API where pages find it: `sealwright` of the target, and an answer to the events by which the client
   * looks for it.
   *
   * @param target the window, by default the global object. One without events, as in Node, gets those too
   * @returns takes away what it added
   */
  install(target?: object): () => void;
  /**
   * The API of another site that the same user has enabled.
   *
   * @throws TypeError for an origin that the extension does not serve
   */
  pageOf(origin: string): Sealwright;
  /** Ends the background, as browsers do at any moment: calls go on in the next one, and nothing is lost. */
  restartBackground(): void;
  /** Removes the extension: pages get `disconnect`, and their calls reject with DISCONNECTED. */
  disconnect(): void;
  /** Brings it back, as an update does: pages get `reconnect`. */
  reconnect(): void;
  /**
   * What the browser keeps of the extension: the vault and its grants, as text for `createTestSealwright({ state })`.
   * For tests that load the page anew. It is not encrypted.
   */
  state(): string;
  /**
   * Ends the extension, as `disconnect` does, and takes away what `install` added. Nothing needs it to end a process: no
   * timer keeps one running.
   */
  close(): void;
  /** `close`, at the end of a scope: `await using test = await createTestSealwright()`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Makes an extension in memory, for tests: without a browser, in Node and in test pages. Nothing is stored, and
 * passphrases are not stretched: it is not a place for real data.
 *
 *     const { sealwright, user, install } = await createTestSealwright();
 *     const remove = install();
 *     user.answers('deny'); // the app's next connect() rejects with USER_REJECTED
 *
 * @throws TypeError for unknown options, for an origin that the extension does not serve, and for a text that is no state
 */
export async function createTestSealwright(
  options: TestSealwrightOptions = {},
): Promise<TestSealwright> {
  for (const name of Object.keys(options)) {
    if (name !== 'origin' && name !== 'answers' && name !== 'state') {
      throw new TypeError(`options: ${name} is unknown; there are origin, answers and state`);
    }
  }
  const { origin = 'https://app.example', answers = 'allow', state } = options;
  const extension = new TestExtension(answers, state);
  const sealwright = extension.pageOf(origin);
  if (state === undefined) {
    await extension.background.user.call('ui.createVault', { passphrase: PASSPHRASE });
  } else {
    await extension.unlock();
  }
  return {
    sealwright,
    user: {
      prompts: extension.prompts,
      answers: (later) => (extension.answers = later),
      lock: () => extension.lock(),
      unlock: () => extension.unlock(),
      revoke: () => extension.revoke(origin),
      letGoOn: () => extension.letGoOn(origin),
      moveDataFrom: (from) => extension.moveData(from, origin),
    },
    install: (target = globalThis) => extension.install(target, sealwright),
    pageOf: (other) => extension.pageOf(other),
    restartBackground: () => extension.background.restart(),
    disconnect: () => extension.eachPage((page) => page.disconnect()),
    reconnect: () => extension.eachPage((page) => page.reconnect()),
    state: () => extension.background.state(),
    close: () => extension.close(),
    [Symbol.asyncDispose]: () => {
      extension.close();
      return Promise.resolve();
    },
  };
}

class TestExtension {
  readonly prompts: TestPrompt[] = [];
  answers: TestAnswers;
  readonly background: TestBackground;
  readonly #pages = new Map<string, TestPage>();
  readonly #installed = new Set<() => void>();

  constructor(answers: TestAnswers, state: string | undefined) {
    this.answers = answers;
    const told: BackgroundEvents = {
      events: {
        lock: () => this.#tell('lock'),
        unlock: () => this.#tell('unlock'),
        grantchange: ({ origin }) => this.#tell('grantchange', origin),
      },
      onPrompt: (promptId) => void this.#answer(promptId),
    };
    this.background = new TestBackground(told, state);
  }

  pageOf(origin: string): Sealwright {
    const caller = pageCaller(origin, this.#pages.size + 1);
    this.background.enable(origin);
    let page = this.#pages.get(origin);
    if (page === undefined) {
      page = new TestPage(caller, TIMERS, () => this.background.connect(caller));
      this.#pages.set(origin, page);
    }
    // The class takes `unknown`, because pages may pass anything.
    return page.provider as unknown as Sealwright;
  }

  eachPage(work: (page: TestPage) => void): void {
    for (const page of this.#pages.values()) work(page);
  }

  install(target: object, provider: Sealwright): () => void {
    const uninstall = install(target, provider);
    const remove = (): void => {
      if (this.#installed.delete(remove)) uninstall();
    };
    this.#installed.add(remove);
    return remove;
  }

  close(): void {
    for (const remove of [...this.#installed]) remove();
    this.eachPage((page) => page.disconnect());
    this.background.close();
  }

  async lock(): Promise<void> {
    await this.background.user.call('ui.lock', {});
  }

  async unlock(): Promise<void> {
    await this.background.user.call('ui.unlock', { passphrase: PASSPHRASE });
  }

  async revoke(origin: string): Promise<void> {
    const grantIds = (await this.#grantsOf(origin)).map(({ id }) => id);
    await this.background.user.call('ui.revoke', { grantIds });
  }

  async letGoOn(origin: string): Promise<void> {
    for (const { id: grantId, frozenFrom } of await this.#grantsOf(origin)) {
      if (frozenFrom === null) continue;
      await this.background.user.call('ui.letGoOn', { grantId, forAnHour: false });
    }
  }

  async #grantsOf(origin: string) {
    const sites = await this.background.user.call('ui.sites', {});
    return sites.filter((site) => site.origin === origin).flatMap((site) => site.grants);
  }

  async moveData(from: string, to: string): Promise<void> {
    await this.background.user.call('ui.moveData', { from, to, on: true });
  }

  /** In a later task, as events arrive. */
  #tell(name: EventName, origin?: string): void {
    for (const [each, page] of this.#pages) {
      if (origin === undefined || each === origin) setTimeout(() => page.hear(name), 0);
    }
  }

  async #answer(promptId: string): Promise<void> {
    try {
      await this.#answered(promptId);
    } catch (error) {
      // The test's own function may have thrown: its call of connect() must not wait for ever.
      await this.background.closePrompt(promptId);
      throw error;
    }
  }

  #answered(promptId: string): Promise<void> {
    return answerPrompt(promptId, {
      user: this.background.user,
      answers: (prompt) => {
        this.prompts.push(prompt);
        return typeof this.answers === 'function' ? this.answers(prompt) : this.answers;
      },
      unlock: () => this.unlock(),
      close: () => this.background.closePrompt(promptId),
    });
  }
}

/** The frame of a page, as browsers describe it. */
function pageCaller(origin: string, tabId: number): Caller {
  const caller = {
    kind: 'page',
    origin,
    topOrigin: origin,
    tabId,
    frameId: 0,
    documentId: `document-${tabId}`,
    incognito: false,
    container: null,
  } as const;
  const verdict = judgeFrame(caller);
  if (!verdict.served) throw new TypeError(`origin ${origin}: ${verdict.reason}`);
  return caller;
}

function install(target: object, provider: Sealwright): () => void {
  const added = ['sealwright', ...EVENT_METHODS].filter((name) => !(name in target));
  const window = withEvents(target);
  installProvider(window, provider);
  const detail = Object.freeze({ info: provider.info, provider });
  // By the window's own methods: where one is simulated, they are not the platform's.
  const say = (): boolean => window.dispatchEvent(new CustomEvent(ANNOUNCE, { detail }));
  window.addEventListener(REQUEST, say);
  say();
  return () => {
    window.removeEventListener(REQUEST, say);
    for (const name of added) Reflect.deleteProperty(window, name);
  };
}

const EVENT_METHODS = ['addEventListener', 'removeEventListener', 'dispatchEvent'] as const;

function withEvents(target: object): EventTarget {
  const events = new EventTarget();
  for (const name of EVENT_METHODS) {
    if (name in target) continue;
    const value = events[name].bind(events);
    Object.defineProperty(target, name, { value, configurable: true, writable: true });
  }
  return target as EventTarget;
}
