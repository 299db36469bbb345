/*
 * The background of the test zip: `background.js` of the release, and a user by script in the place of its windows. The
 * script of the release is not changed: this one runs before it, receives the listeners that it registers, and takes the
 * calls by which it would open a window.
 */
import type { Runtime } from 'webextension-polyfill';
import { METHODS } from '../../src/rpc/methods/methods.ts';
import { MethodClient } from '../../src/rpc/client/method-client.ts';
import { connectToBackground } from '../platform/channels/background-channel.ts';
import { PORT_NAME } from '../platform/channels/port-channel.ts';
import type { TestAnswer, TestPrompt } from '../testing/answers.ts';
import { answerPrompt } from '../testing/prompts.ts';

/** The calls that a test makes in the extension's service worker, as `sealwrightTest`. */
export interface SealwrightTest {
  /** Makes the vault, which is unlocked then. @throws Error if there is one */
  createVault(): Promise<void>;
  /** Pages get the event `lock`. */
  lock(): Promise<void>;
  /** Pages get the event `unlock`. */
  unlock(): Promise<void>;
  /**
   * How the user answers prompts from now on; until then each is allowed.
   *
   * @param answers 'close': the user closes the window
   */
  answers(answers: 'allow' | 'deny' | 'close' | TestAnswer): Promise<void>;
  /** The prompts of this browser, oldest first. */
  prompts(): Promise<readonly TestPrompt[]>;
  /** Takes all grants of a site back. Its pages get the event `grantchange`. @param origin 'https://app.example' */
  revoke(origin: string): Promise<void>;
}

/** Of every vault of a test: unlocks it in the extension's own windows, too. */
const PASSPHRASE = 'the passphrase of a test';

interface Event<Listener> {
  addListener(listener: Listener): void;
}

/** What of Chromium's API this script takes over, and what it uses. */
declare const chrome: {
  readonly runtime: {
    readonly id: string;
    readonly onConnect: Event<(port: Runtime.Port) => void>;
    getURL(path: string): string;
  };
  readonly windows: {
    readonly onRemoved: Event<(id: number) => void>;
    create: Call;
    update: Call;
    remove: Call;
  };
  readonly tabs: { create: Call };
  readonly scripting: { getRegisteredContentScripts(): Promise<readonly object[]> };
  readonly storage: {
    readonly session: {
      get(name: string): Promise<Record<string, unknown>>;
      set(values: Record<string, unknown>): Promise<void>;
    };
  };
};
/** It answers by a callback, if it gets one as its last argument, or else by a promise. */
type Call = (...args: unknown[]) => unknown;
declare function importScripts(path: string): void;

/** The names of what outlives this worker, which the browser ends and starts again. */
const ANSWERS = 'test answers';
const PROMPTS = 'test prompts';

const connects = listenersOf(chrome.runtime.onConnect);
const closings = listenersOf(chrome.windows.onRemoved);

/** Passes listeners on, and keeps them. */
function listenersOf<Listener>(event: Event<Listener>): readonly Listener[] {
  const listeners: Listener[] = [];
  const add = event.addListener.bind(event);
  event.addListener = (listener) => {
    listeners.push(listener);
    add(listener);
  };
  return listeners;
}

const HOME = chrome.runtime.getURL('');
const PROMPT_PAGE = `${HOME}prompt.html?id=`;

const user = new MethodClient(METHODS, {
  connect: () => connectToBackground({ id: chrome.runtime.id, connect: connectHere }),
});

/** A port whose other end is in this worker, as that of the popup. */
function connectHere(): Runtime.Port {
  const sender = { id: chrome.runtime.id, url: `${HOME}popup.html`, frameId: 0 };
  const [near, far] = portPair(sender);
  queueMicrotask(() => {
    for (const listener of connects) listener(far);
  });
  return near;
}

function portPair(sender: Runtime.MessageSender): readonly [Runtime.Port, Runtime.Port] {
  const listeners = [0, 1].map(() => ({
    message: [] as ((message: unknown) => void)[],
    disconnect: [] as (() => void)[],
  }));
  let isOpen = true;
  const later = (work: () => void): void =>
    queueMicrotask(() => {
      if (isOpen) work();
    });
  const [near, far] = [0, 1].map((end) => {
    const other = listeners[1 - end]!;
    const own = listeners[end]!;
    return {
      name: PORT_NAME,
      sender,
      postMessage: (message: unknown) => {
        const copy: unknown = structuredClone(message);
        later(() => other.message.forEach((listener) => listener(copy)));
      },
      disconnect: () => {
        later(() => {
          isOpen = false;
          other.disconnect.forEach((listener) => listener());
        });
      },
      onMessage: {
        addListener: (listener: (message: unknown) => void) => own.message.push(listener),
      },
      onDisconnect: { addListener: (listener: () => void) => own.disconnect.push(listener) },
    } as unknown as Runtime.Port;
  });
  return [near!, far!];
}

/** The ids that prompts have in the place of a window's; those of the browser are above zero. */
const shown = new Set<number>();

/** Replaces a call by an answer, where `instead` has one for its first argument. */
function takeOver<Name extends string>(
  api: Record<Name, Call>,
  name: Name,
  instead: (argument: unknown) => object | undefined,
): void {
  const original = api[name].bind(api);
  api[name] = (...args) => {
    const answer = instead(args[0]);
    if (answer === undefined) return original(...args);
    const callback = args.at(-1);
    if (typeof callback !== 'function') return Promise.resolve(answer);
    (callback as (answer: object) => void)(answer);
    return undefined;
  };
}

const urlOf = (options: unknown): string => (options as { readonly url: string }).url;

takeOver(chrome.windows, 'create', (options) => {
  const url = urlOf(options);
  if (!url.startsWith(PROMPT_PAGE)) return undefined;
  // At random: one that an earlier run of this worker gave may still be stored.
  const id = -2 - Math.floor(Math.random() * 2 ** 40);
  shown.add(id);
  void answered(decodeURIComponent(url.slice(PROMPT_PAGE.length)), id);
  return { id };
});
takeOver(chrome.windows, 'update', (id) => (shown.has(id as number) ? {} : undefined));
takeOver(chrome.windows, 'remove', (id) => (shown.delete(id as number) ? {} : undefined));
/** The first run, which would open over the page of a test. */
takeOver(chrome.tabs, 'create', (options) => (urlOf(options).startsWith(HOME) ? {} : undefined));

async function answered(promptId: string, windowId: number): Promise<void> {
  await answerPrompt(promptId, {
    user,
    answers: async (prompt) => {
      const said = await chrome.storage.session.get(ANSWERS);
      await chrome.storage.session.set({ [PROMPTS]: [...(await prompts()), prompt] });
      return (said[ANSWERS] ?? 'allow') as TestAnswer | 'allow';
    },
    unlock: () => test.unlock(),
    close: () => {
      shown.delete(windowId);
      for (const listener of closings) listener(windowId);
      return Promise.resolve();
    },
  });
}

async function prompts(): Promise<readonly TestPrompt[]> {
  const { [PROMPTS]: all = [] } = await chrome.storage.session.get(PROMPTS);
  return all as readonly TestPrompt[];
}

/** The scripts of sites are registered after the installation: a page that is opened before would not be served. */
async function served(): Promise<void> {
  while ((await chrome.scripting.getRegisteredContentScripts()).length === 0) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const test: SealwrightTest = {
  createVault: async () => {
    await user.call('ui.createVault', { passphrase: PASSPHRASE });
    await served();
  },
  lock: () => user.call('ui.lock', {}).then(() => undefined),
  unlock: () => user.call('ui.unlock', { passphrase: PASSPHRASE }).then(() => undefined),
  answers: (answers) => chrome.storage.session.set({ [ANSWERS]: answers }),
  prompts,
  revoke: async (origin) => {
    const sites = await user.call('ui.sites', {});
    const grants = sites.filter((site) => site.origin === origin).flatMap((site) => site.grants);
    await user.call('ui.revoke', { grantIds: grants.map(({ id }) => id) });
  },
};
Object.assign(globalThis, { sealwrightTest: test });

importScripts('background.js');
