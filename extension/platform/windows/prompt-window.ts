import type { Runtime } from 'webextension-polyfill';
import type { Locks, SessionStore } from '../../../src/keys/storage/key-value-store.ts';
import type { Prompter } from '../../../src/service/ports/prompter.ts';
import type { OwnWindows } from './own-windows.ts';

export interface PromptWindowDeps {
  readonly windows: OwnWindows;
  readonly runtime: Pick<Runtime.Static, 'getURL'>;
  readonly session: SessionStore;
  readonly locks: Locks;
}

type OpenWindows = Readonly<Record<string, number>>; // prompt id → window id

const STORE_KEY = 'prompt-windows';
const LOCK = 'sealwright prompt windows';
const SIZE = { width: 440, height: 640 };

/** Shows prompts in windows of the extension, which pages cannot reach. */
export class PromptWindow implements Prompter {
  readonly #deps: PromptWindowDeps;

  constructor(deps: PromptWindowDeps) {
    this.#deps = deps;
  }

  show(promptId: string): Promise<void> {
    return this.#exclusively(async (open) => {
      const shown = open[promptId];
      if (shown !== undefined && (await this.#focus(shown))) return open;
      return { ...open, [promptId]: await this.#create(promptId) };
    });
  }

  close(promptId: string): Promise<void> {
    return this.#exclusively(async (open) => {
      const { [promptId]: shown, ...others } = open;
      // Removed first: otherwise the event of this closing would count as the user's.
      await this.#deps.session.set(STORE_KEY, others);
      if (shown !== undefined) await this.#deps.windows.close(shown);
      return others;
    });
  }

  /** To be called in the first task. The listener gets prompts whose window the user closed. */
  onClosed(listener: (promptId: string) => void): void {
    this.#deps.windows.onClosed((windowId) => {
      void this.#forget(windowId).then((promptIds) => promptIds.forEach(listener));
    });
  }

  async #forget(windowId: number): Promise<string[]> {
    const closed: string[] = [];
    await this.#exclusively((open) => {
      closed.push(...Object.keys(open).filter((promptId) => open[promptId] === windowId));
      const rest = Object.entries(open).filter(([, shown]) => shown !== windowId);
      return Promise.resolve(Object.fromEntries(rest));
    });
    return closed;
  }

  async #focus(windowId: number): Promise<boolean> {
    try {
      await this.#deps.windows.focus(windowId);
      return true;
    } catch {
      return false; // the window is gone, for instance with the browser's last crash
    }
  }

  async #create(promptId: string): Promise<number> {
    const { windows, runtime } = this.#deps;
    const url = runtime.getURL(`prompt.html?id=${encodeURIComponent(promptId)}`);
    const id = await windows.open(url, SIZE);
    if (id === undefined) throw new Error('The browser opened a prompt window without an id');
    return id;
  }

  #exclusively(change: (open: OpenWindows) => Promise<OpenWindows>): Promise<void> {
    const { locks, session } = this.#deps;
    return locks.exclusive(LOCK, async () => {
      const open = ((await session.get(STORE_KEY)) ?? {}) as OpenWindows;
      await session.set(STORE_KEY, await change(open));
    });
  }
}
