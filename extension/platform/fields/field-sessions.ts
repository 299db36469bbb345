import type { Runtime, Scripting, Tabs, Windows } from 'webextension-polyfill';
import { toBase64url } from '../../../src/crypto/bytes.ts';
import type { Locks, SessionStore } from '../../../src/keys/storage/key-value-store.ts';
import type { RandomSource } from '../../../src/random/contract.ts';
import type {
  FieldInsertOutcome,
  VisitedField,
  VisitKind,
} from '../../../src/rpc/methods/ui-fields.ts';
import { patternOf } from '../../../src/service/system/sites.ts';
import type {
  StoppedForm,
  FieldSession,
  FieldSessions,
} from '../../../src/service/fields/field-session.ts';
import type { TemporaryPermissions } from '../sites/temporary-permissions.ts';
import { placeInFront } from '../windows/prompt-window.ts';

export interface FieldVisitsDeps {
  readonly scripting: Scripting.Static;
  readonly tabs: Pick<Tabs.Static, 'get'>;
  readonly windows: Pick<Windows.Static, 'create' | 'getLastFocused' | 'update'>;
  readonly runtime: Pick<Runtime.Static, 'getURL'>;
  readonly lent: Pick<TemporaryPermissions, 'offer' | 'giveBack'>;
  readonly session: SessionStore;
  readonly locks: Locks;
  readonly random: RandomSource;
}

/** Where a person acted. */
export interface VisitPlace {
  readonly tabId: number;
  /** Of the menu's click; without it, the frame with the focus is looked for. */
  readonly frameId?: number | undefined;
  /** Of that frame: what there is to show where the frame itself cannot be asked. */
  readonly address?: string | undefined;
  /** A mark in that frame was pressed: its script is there, and knows which. */
  readonly isMarked?: boolean;
}

/** A visit, and where in its tab it is at home; null: out of the extension's reach. */
interface StoredFieldSession extends FieldSession {
  readonly place: VisitPlace;
  readonly frameId: number | null;
  /** Of the window about it, where the browser said. */
  readonly windowId?: number | undefined;
}

/** What looking at a tab came to. */
interface Home extends Pick<StoredFieldSession, 'origin' | 'frameId'> {
  /** Origins of frames that may hold what was meant, and are out of reach. */
  readonly beyond: readonly string[];
}

type Answers = readonly { readonly frameId: number; readonly answer: VisitedField }[];

const STORE_KEY = 'field-visits';
const LOCK = 'sealwright field visits';
const OPENING = 'sealwright field window';
const ID_BYTES = 16;
/** Windows that are open at one time, with room for those forgotten behind others. */
const KEPT_MAX = 20;
const SIZE = { width: 520, height: 760 };

/**
 * Visits by `activeTab` and `scripting` alone: the script comes with the act and into no other tab.
 * Where the browser lets nobody in (its own pages, frames of other sites), the window opens all the
 * same and offers the clipboard.
 */
export class BrowserFieldSessions implements FieldSessions {
  readonly #deps: FieldVisitsDeps;

  constructor(deps: FieldVisitsDeps) {
    this.#deps = deps;
  }

  async begin(place: VisitPlace, kind: VisitKind): Promise<void> {
    const id = this.#newId();
    const home = await this.#lookFor(place, id, kind);
    const { incognito } = await this.#deps.tabs.get(place.tabId);
    const visit = { ...home, id, kind, incognito, place, begunOn: home.origin };
    await this.#opening(async () => {
      const windowId = await this.#open(id);
      await this.#keep({ ...visit, windowId, beyond: await this.#offered(home, windowId) });
    });
  }

  async reach(visit: FieldSession): Promise<FieldSession> {
    const kept = await this.#kept(visit);
    if (kept.kind === 'stopped') return kept;
    const home = await this.#lookFor(kept.place, kept.id, kept.kind);
    const beyond = await this.#offered(home, kept.windowId);
    const reached = { ...kept, ...home, beyond };
    await this.#keep(reached);
    return reached;
  }

  async giveBack(visit: FieldSession): Promise<void> {
    const { windowId } = await this.#kept(visit);
    if (windowId !== undefined) await this.#deps.lent.giveBack(windowId);
  }

  async showStopped(form: StoppedForm): Promise<void> {
    const { tabId, origin, incognito, reason } = form;
    const isSame = ({ kind, place }: StoredFieldSession) =>
      kind === 'stopped' && place.tabId === tabId;
    await this.#opening(async () => {
      const told = (await this.#all()).find(isSame);
      const isOpen = told?.windowId !== undefined && (await this.#focused(told.windowId));
      const id = isOpen ? told.id : this.#newId();
      const windowId = isOpen ? told.windowId : await this.#open(id, '&stopped');
      const about = { id, kind: 'stopped', reason, incognito, origin, begunOn: origin } as const;
      await this.#keep({ ...about, place: { tabId }, frameId: null, beyond: null, windowId });
    });
  }

  /** A window may ask before all is known about it: then it waits. */
  find(visitId: string): Promise<FieldSession | undefined> {
    return this.#opening(async () => (await this.#all()).find(({ id }) => id === visitId));
  }

  async look(visit: FieldSession): Promise<VisitedField | undefined> {
    const [first] = await this.#ask(await this.#kept(visit), 'told', visit.id);
    return (first as VisitedField | null | undefined) ?? undefined;
  }

  async insert(visit: FieldSession, text: string): Promise<FieldInsertOutcome> {
    const [first] = await this.#ask(await this.#kept(visit), 'insert', visit.id, text);
    return (first as FieldInsertOutcome | undefined) ?? { inserted: false, reason: 'gone' };
  }

  /** Begins the visit in the frames of the tab that let us in, and finds the one that is meant. */
  async #lookFor(place: VisitPlace, id: string, kind: VisitKind): Promise<Home> {
    const answers = await this.#beginIn(place, id, kind);
    const home = homeOf(answers, kind);
    if (home) {
      const { frameId, answer } = home;
      const named = answers.map(({ answer: { beyond } }) => beyond).filter((one) => one !== null);
      return { frameId, origin: told(answer.origin), beyond: isMeant(home, kind) ? [] : named };
    }
    const { url } = await this.#deps.tabs.get(place.tabId);
    const origin = originOf(place.address ?? url);
    // The act itself lets us into all other frames, unless the browser never does.
    const isFrame = (place.frameId ?? 0) !== 0 && /^https?:/.test(origin ?? '');
    return { frameId: null, origin: told(origin), beyond: origin && isFrame ? [origin] : [] };
  }

  /** @returns the origin that the window may ask for */
  async #offered({ beyond }: Home, windowId: number | undefined): Promise<string | null> {
    if (windowId === undefined) return null;
    for (const origin of beyond) {
      if (await this.#deps.lent.offer(patternOf(origin), windowId)) return origin;
    }
    return null;
  }

  async #beginIn(place: VisitPlace, id: string, kind: VisitKind): Promise<Answers> {
    const { tabId, frameId, isMarked = false } = place;
    const target =
      frameId === undefined ? { tabId, allFrames: true } : { tabId, frameIds: [frameId] };
    const { scripting } = this.#deps;
    try {
      if (!isMarked) await scripting.executeScript({ target, files: ['fields.js'] });
      const args = isMarked ? ['beginMarked', id] : ['begin', id, kind];
      const results = await scripting.executeScript({ target, func: askFieldScript, args });
      return results
        .filter(({ result }) => result)
        .map(({ frameId: frame, result }) => ({ frameId: frame, answer: result as VisitedField }));
    } catch {
      return []; // a page of the browser's own, or a frame of a site that this act does not reach
    }
  }

  /** What the script in the visit's frame answers; nothing where it is gone. */
  async #ask({ place, frameId }: StoredFieldSession, ...args: string[]): Promise<unknown[]> {
    if (frameId === null) return [];
    const target = { tabId: place.tabId, frameIds: [frameId] };
    try {
      const how = { target, func: askFieldScript, args };
      return (await this.#deps.scripting.executeScript(how)).map(({ result }) => result);
    } catch {
      return []; // the tab was closed, or shows another site by now
    }
  }

  /** @returns the window's id, where the browser says it */
  async #open(id: string, more = ''): Promise<number | undefined> {
    const { windows, runtime } = this.#deps;
    const url = runtime.getURL(`fields-window.html?visit=${id}${more}`);
    const place = await placeInFront(windows, SIZE);
    return (await windows.create({ type: 'popup', url, ...SIZE, ...place })).id;
  }

  #opening<T>(work: () => Promise<T>): Promise<T> {
    return this.#deps.locks.exclusive(OPENING, work);
  }

  async #focused(windowId: number): Promise<boolean> {
    try {
      await this.#deps.windows.update(windowId, { focused: true });
      return true;
    } catch {
      return false; // its user has closed it
    }
  }

  #newId(): string {
    return toBase64url(this.#deps.random.bytes(ID_BYTES));
  }

  async #kept(visit: FieldSession): Promise<StoredFieldSession> {
    const kept = (await this.#all()).find(({ id }) => id === visit.id);
    return kept ?? { ...visit, place: { tabId: 0 }, frameId: null };
  }

  #keep(visit: StoredFieldSession): Promise<void> {
    const { locks, session } = this.#deps;
    return locks.exclusive(LOCK, async () => {
      const others = (await this.#all()).filter(({ id }) => id !== visit.id);
      await session.set(STORE_KEY, [...others, visit].slice(-KEPT_MAX));
    });
  }

  async #all(): Promise<readonly StoredFieldSession[]> {
    return ((await this.#deps.session.get(STORE_KEY)) ?? []) as readonly StoredFieldSession[];
  }
}

/** Runs in the frame, in the extension's world there: it may use nothing from around it. */
function askFieldScript(method: string, ...args: string[]): unknown {
  const { sealwrightFields } = globalThis as {
    sealwrightFields?: Record<string, (...args: string[]) => unknown>;
  };
  return sealwrightFields?.[method]?.(...args) ?? null;
}

/** Who wants to read means the frame with sealed texts; who wants to write, that with a field in focus. */
function homeOf(answers: Answers, kind: VisitKind): Answers[number] | undefined {
  return (
    answers.find((one) => isMeant(one, kind)) ??
    answers.find(({ frameId }) => frameId === 0) ??
    answers[0]
  );
}

function isMeant({ answer }: Answers[number], kind: VisitKind): boolean {
  return kind === 'open' ? answer.found.length > 0 : answer.field !== 'none';
}

/** An opaque document has no origin that could be told. */
const told = (origin: string | null): string | null => (origin === 'null' ? null : origin);

function originOf(address: string | undefined): string | null {
  return address !== undefined && URL.canParse(address) ? new URL(address).origin : null;
}
