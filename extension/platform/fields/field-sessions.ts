import type { Runtime, Scripting, Tabs } from 'webextension-polyfill';
import { toBase64url } from '../../../src/crypto/bytes.ts';
import type { Locks, SessionStore } from '../../../src/keys/storage/key-value-store.ts';
import type { RandomSource } from '../../../src/random/contract.ts';
import type {
  FieldInsertOutcome,
  InspectedField,
  FieldSessionKind,
} from '../../../src/rpc/methods/ui-fields.ts';
import { patternOf } from '../../../src/service/ports/sites.ts';
import type {
  StoppedForm,
  FieldSession,
  FieldSessions,
} from '../../../src/service/ports/field-session.ts';
import type { TemporaryPermissions } from '../sites/temporary-permissions.ts';
import type { OwnWindows } from '../windows/own-windows.ts';
import { FRAME_REPORT, onFrameReport, type ReportedFrame } from './frame-reports.ts';
import { WindowLimit } from './window-limit.ts';

export interface FieldSessionsDeps {
  readonly scripting: Scripting.Static;
  readonly tabs: Pick<Tabs.Static, 'get'>;
  readonly windows: Omit<OwnWindows, 'onClosed'>;
  readonly runtime: Pick<Runtime.Static, 'getURL' | 'id' | 'onMessage'>;
  readonly temporary: Pick<TemporaryPermissions, 'offer' | 'giveBack'>;
  readonly session: SessionStore;
  readonly locks: Locks;
  readonly random: RandomSource;
  /** Monotonic, in ms. */
  readonly nowMs: () => number;
}

/** Where the user chose a menu item, pressed a key or clicked a mark. */
export interface FieldPlace {
  readonly tabId: number;
  /** Of the menu's click. Without it, the frame with the focus is searched for. */
  readonly frameId?: number | undefined;
  /** URL of that frame. It is shown where the browser does not let the extension into the frame. */
  readonly address?: string | undefined;
  /** A mark in that frame was clicked. Its script knows which mark it was. */
  readonly isMarked?: boolean;
}

/** A field session as `storage.session` holds it. */
interface StoredSession extends FieldSession {
  readonly place: FieldPlace;
  /** Null where the extension cannot reach the frame. */
  readonly frameId: number | null;
  /** Of the session's window, where the browser gives it. */
  readonly windowId?: number | undefined;
}

/** The frame of a tab that a session is about. */
interface Target extends Pick<StoredSession, 'origin' | 'frameId'> {
  /** Origins of frames that may be the one the user meant, and that the extension cannot reach. */
  readonly unreachableOrigins: readonly string[];
}

/** What the script of each frame found, and the frame's origin as the browser says it. */
type Answers = readonly {
  readonly frameId: number;
  readonly origin: string | null;
  readonly answer: InspectedField;
}[];

const STORE_KEY = 'field-visits';
const LOCK = 'sealwright field visits';
const OPENING = 'sealwright field window';
const ID_BYTES = 16;
/** Sessions that are stored at a time. Windows that are still open behind others are among them. */
const MAX_SESSIONS = 20;
/** Enough for a short text; it becomes as high as what is in it (extension/platform/windows/fitted-window.ts). */
const SIZE = { width: 520, height: 420 };
/** How long a new window may take to get the focus. */
const COMING_UP_MS = 1_000;

/**
 * Field sessions by the permissions `activeTab` and `scripting` alone: the user's action lets the
 * extension inject its script into that tab. Where the browser allows no script (its own pages, frames
 * of other sites), the window opens too and offers the clipboard.
 */
export class BrowserFieldSessions implements FieldSessions {
  readonly #deps: FieldSessionsDeps;
  readonly #limit: WindowLimit;
  /** When the last window for a mark was opened. */
  #markWindowAt = -Infinity;
  /** Session id → origins by frame id, while a session begins. */
  readonly #reports = new Map<string, Map<number, string | null>>();

  constructor(deps: FieldSessionsDeps) {
    this.#deps = deps;
    this.#limit = new WindowLimit(deps.nowMs);
  }

  /** To be called in the first task. */
  listen(): void {
    onFrameReport(this.#deps.runtime, (sessionId, { frameId, origin }: ReportedFrame) => {
      this.#reports.get(sessionId)?.set(frameId, origin);
    });
  }

  async begin(place: FieldPlace, kind: FieldSessionKind): Promise<void> {
    // That a mark was pressed is said by a content script, which may say it without a press.
    if (place.isMarked && !this.#limit.take(place.tabId)) return;
    const id = this.#newId();
    const target = await this.#findTarget(place, id, kind);
    const { frameId, origin } = target;
    const { incognito } = await this.#deps.tabs.get(place.tabId);
    const begun = { frameId, origin, id, kind, incognito, place, begunOn: origin };
    await this.#whileOpening(async () => {
      if (place.isMarked && !(await this.#makeRoom(place.tabId))) return;
      if (place.isMarked) this.#markWindowAt = this.#deps.nowMs();
      const windowId = await this.#openWindow(id);
      const blockedFrame = await this.#offerPermission(target, windowId, incognito);
      await this.#store({ ...begun, windowId, blockedFrame });
    });
  }

  async reach(session: FieldSession): Promise<FieldSession> {
    const stored = await this.#stored(session);
    if (stored.kind === 'stopped') return stored;
    const target = await this.#findTarget(stored.place, stored.id, stored.kind);
    const { frameId, origin } = target;
    const blockedFrame = await this.#offerPermission(target, stored.windowId, stored.incognito);
    const reached = { ...stored, frameId, origin, blockedFrame };
    await this.#store(reached);
    return reached;
  }

  async giveBack(session: FieldSession): Promise<void> {
    const { windowId } = await this.#stored(session);
    if (windowId !== undefined) await this.#deps.temporary.giveBack(windowId);
  }

  async showStopped(form: StoppedForm): Promise<void> {
    const { tabId, origin, incognito, reason } = form;
    if (!this.#limit.take(tabId)) return;
    await this.#whileOpening(async () => {
      const earlier = await this.#openOne(tabId, ({ kind }) => kind === 'stopped');
      const id = earlier?.id ?? this.#newId();
      const windowId = earlier?.windowId ?? (await this.#openWindow(id, '&stopped'));
      if (earlier && (await this.#deps.windows.isInFront(tabId))) await this.#focus(windowId!);
      const about = { id, kind: 'stopped', reason, incognito, origin, begunOn: origin } as const;
      await this.#store({
        ...about,
        place: { tabId },
        frameId: null,
        blockedFrame: null,
        windowId,
      });
    });
  }

  /** Waits while a window is being opened: it may ask before its session is stored. */
  find(sessionId: string): Promise<FieldSession | undefined> {
    return this.#whileOpening(async () => (await this.#all()).find(({ id }) => id === sessionId));
  }

  async look(session: FieldSession): Promise<InspectedField | undefined> {
    const [first] = await this.#callScript(await this.#stored(session), 'report', session.id);
    return (first as InspectedField | null | undefined) ?? undefined;
  }

  async insert(session: FieldSession, text: string): Promise<FieldInsertOutcome> {
    const stored = await this.#stored(session);
    const [first] = await this.#callScript(stored, 'insert', session.id, text);
    return (first as FieldInsertOutcome | undefined) ?? { inserted: false, reason: 'gone' };
  }

  async show(session: FieldSession, text: string): Promise<boolean> {
    const [first] = await this.#callScript(await this.#stored(session), 'show', session.id, text);
    return first === true;
  }

  /** Begins the session in the frames that can be reached, and finds the one that the user meant. */
  async #findTarget(place: FieldPlace, id: string, kind: FieldSessionKind): Promise<Target> {
    const inPlace = await this.#beginIn(place, id, kind);
    // No script serves the frame of an editor (extension/fields/editor): its field is in a document around it.
    const isEditor = inPlace.length === 0 && place.address === 'about:blank';
    const answers = isEditor ? await this.#beginIn({ tabId: place.tabId }, id, kind) : inPlace;
    const found = targetOf(answers, kind);
    if (found) {
      const { frameId, origin } = found;
      const focused = answers
        .map(({ answer: { blockedFrame } }) => blockedFrame)
        .filter((one) => one !== null);
      const unreachableOrigins = isMeant(found, kind) ? [] : focused;
      return { frameId, origin, unreachableOrigins };
    }
    const { url } = await this.#deps.tabs.get(place.tabId);
    const origin = originOf(place.address ?? url);
    // activeTab covers all other frames, except pages where the browser allows no script at all.
    const isFrame = (place.frameId ?? 0) !== 0 && /^https?:/.test(origin ?? '');
    const unreachableOrigins = origin && isFrame ? [origin] : [];
    return { frameId: null, origin, unreachableOrigins };
  }

  /** @returns the origin that the window may ask the user for; null where there is none */
  async #offerPermission(
    { unreachableOrigins }: Target,
    windowId: number | undefined,
    incognito: boolean,
  ): Promise<string | null> {
    if (windowId === undefined) return null;
    for (const origin of unreachableOrigins) {
      if (await this.#deps.temporary.offer(patternOf(origin), windowId, incognito)) return origin;
    }
    return null;
  }

  async #beginIn(place: FieldPlace, id: string, kind: FieldSessionKind): Promise<Answers> {
    const { tabId, frameId, isMarked = false } = place;
    const target =
      frameId === undefined ? { tabId, allFrames: true } : { tabId, frameIds: [frameId] };
    const { scripting } = this.#deps;
    const origins = new Map<number, string | null>();
    this.#reports.set(id, origins);
    try {
      await scripting.executeScript({ target, files: ['fields.js'] });
      const call = isMarked ? ['beginMarked', id] : ['begin', id, kind];
      const args = [`${FRAME_REPORT}${id}`, ...call];
      const results = await scripting.executeScript({ target, func: reportAndCall, args });
      return results
        .filter(({ result }) => result)
        .map(({ frameId: frame, result }) => ({
          frameId: frame,
          origin: origins.get(frame) ?? null,
          answer: result as InspectedField,
        }));
    } catch {
      return []; // a page of the browser's own, or a frame of a site that activeTab does not cover
    } finally {
      this.#reports.delete(id);
    }
  }

  /**
   * For a mark: one window for each tab. An earlier one is closed, if a mark can have been pressed: the
   * tab is in front, and not only because the earlier window is just coming up. @returns whether a window
   * may be opened
   */
  async #makeRoom(tabId: number): Promise<boolean> {
    const earlier = await this.#openOne(tabId, ({ place }) => place.isMarked === true);
    if (!earlier) return true;
    const isJustComing = this.#deps.nowMs() - this.#markWindowAt < COMING_UP_MS;
    if (isJustComing || !(await this.#deps.windows.isInFront(tabId))) return false;
    await this.#deps.windows.close(earlier.windowId!);
    return true;
  }

  /** A session about a tab whose window is open. */
  async #openOne(
    tabId: number,
    isMeant: (session: StoredSession) => boolean,
  ): Promise<StoredSession | undefined> {
    for (const one of await this.#all()) {
      if (one.place.tabId === tabId && isMeant(one) && (await this.#isOpen(one))) return one;
    }
    return undefined;
  }

  async #isOpen({ windowId }: StoredSession): Promise<boolean> {
    return windowId !== undefined && this.#deps.windows.isOpen(windowId);
  }

  /** Calls the script in the session's frame. @returns its answer; nothing where the script has gone */
  async #callScript({ place, frameId }: StoredSession, ...args: string[]): Promise<unknown[]> {
    if (frameId === null) return [];
    const target = { tabId: place.tabId, frameIds: [frameId] };
    try {
      const how = { target, func: callFieldScript, args };
      return (await this.#deps.scripting.executeScript(how)).map(({ result }) => result);
    } catch {
      return []; // the tab was closed, or shows another site now
    }
  }

  /** @returns the window's id, where the browser gives it */
  #openWindow(id: string, more = ''): Promise<number | undefined> {
    const { windows, runtime } = this.#deps;
    const url = runtime.getURL(`fields-window.html?visit=${id}${more}`);
    return windows.open(url, SIZE);
  }

  #whileOpening<T>(work: () => Promise<T>): Promise<T> {
    return this.#deps.locks.exclusive(OPENING, work);
  }

  /** Does nothing where the user has closed the window meanwhile. */
  async #focus(windowId: number): Promise<void> {
    await this.#deps.windows.focus(windowId).catch(() => undefined);
  }

  #newId(): string {
    return toBase64url(this.#deps.random.bytes(ID_BYTES));
  }

  async #stored(session: FieldSession): Promise<StoredSession> {
    const stored = (await this.#all()).find(({ id }) => id === session.id);
    return stored ?? { ...session, place: { tabId: 0 }, frameId: null };
  }

  #store(stored: StoredSession): Promise<void> {
    const { locks, session } = this.#deps;
    return locks.exclusive(LOCK, async () => {
      const others = (await this.#all()).filter(({ id }) => id !== stored.id);
      await session.set(STORE_KEY, [...others, stored].slice(-MAX_SESSIONS));
    });
  }

  async #all(): Promise<readonly StoredSession[]> {
    return ((await this.#deps.session.get(STORE_KEY)) ?? []) as readonly StoredSession[];
  }
}

/**
 * Runs in the frame, in the extension's isolated world. The browser injects its source text, so it uses
 * nothing from this module.
 */
function callFieldScript(method: string, ...args: string[]): unknown {
  const { sealwrightFields } = globalThis as {
    sealwrightFields?: Record<string, (...args: string[]) => unknown>;
  };
  return sealwrightFields?.[method]?.(...args) ?? null;
}

/**
 * The same after a message to the background, from whose sender the background learns the frame's origin:
 * what the script itself says of it, a compromised renderer can make up.
 */
async function reportAndCall(report: string, method: string, ...args: string[]): Promise<unknown> {
  const { chrome, sealwrightFields } = globalThis as unknown as {
    chrome: { runtime: { sendMessage(message: string): Promise<unknown> } };
    sealwrightFields?: Record<string, (...args: string[]) => unknown>;
  };
  await chrome.runtime.sendMessage(report).catch(() => undefined);
  return sealwrightFields?.[method]?.(...args) ?? null;
}

/** To open: a frame with sealed texts. To seal or write: the frame whose field has the focus. */
function targetOf(answers: Answers, kind: FieldSessionKind): Answers[number] | undefined {
  return (
    answers.find((one) => isMeant(one, kind)) ??
    answers.find(({ frameId }) => frameId === 0) ??
    answers[0]
  );
}

function isMeant({ answer }: Answers[number], kind: FieldSessionKind): boolean {
  return kind === 'open' ? answer.found.length > 0 : answer.field !== 'none';
}

/** Null for an opaque origin, which is serialised as "null". */
function originOf(address: string | undefined): string | null {
  if (address === undefined || !URL.canParse(address)) return null;
  const { origin } = new URL(address);
  return origin === 'null' ? null : origin;
}
