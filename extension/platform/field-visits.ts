import type { Runtime, Scripting, Tabs, Windows } from 'webextension-polyfill';
import { toBase64url } from '../../src/crypto/bytes.ts';
import type { Locks } from '../../src/keys/locks.ts';
import type { SessionStore } from '../../src/keys/session-store.ts';
import type { RandomSource } from '../../src/random/contract.ts';
import type { FieldInsertOutcome, VisitedField, VisitKind } from '../../src/rpc/surface-fields.ts';
import type { StoppedForm, Visit, Visits } from '../../src/service/visits.ts';
import { placeInFront } from './window-place.ts';

export interface FieldVisitsParts {
  readonly scripting: Scripting.Static;
  readonly tabs: Pick<Tabs.Static, 'get'>;
  readonly windows: Pick<Windows.Static, 'create' | 'getLastFocused' | 'update'>;
  readonly runtime: Pick<Runtime.Static, 'getURL'>;
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
interface KeptVisit extends Visit {
  readonly tabId: number;
  readonly frameId: number | null;
  /** Of the window about it, where the browser said. */
  readonly windowId?: number | undefined;
}

type Answers = readonly { readonly frameId: number; readonly answer: VisitedField }[];

const STORE_KEY = 'field-visits';
const LOCK = 'sealwright field visits';
const ID_BYTES = 16;
/** Windows that are open at one time, with room for those forgotten behind others. */
const KEPT_MAX = 20;
const SIZE = { width: 520, height: 760 };

/**
 * Visits by `activeTab` and `scripting` alone: the script comes with the act and into no other tab.
 * Where the browser lets nobody in (its own pages, frames of other sites), the window opens all the
 * same and offers the clipboard.
 */
export class FieldVisits implements Visits {
  readonly #parts: FieldVisitsParts;

  constructor(parts: FieldVisitsParts) {
    this.#parts = parts;
  }

  async begin(place: VisitPlace, kind: VisitKind): Promise<void> {
    const id = this.#newId();
    const home = homeOf(await this.#beginIn(place, id, kind), kind);
    const { incognito, url } = await this.#parts.tabs.get(place.tabId);
    const origin = home?.answer.origin ?? originOf(place.address ?? url);
    const visit = { id, kind, origin: origin === 'null' ? null : origin, incognito };
    await this.#keep({ ...visit, tabId: place.tabId, frameId: home?.frameId ?? null });
    await this.#open(id);
  }

  async tellStopped(form: StoppedForm): Promise<void> {
    const { tabId } = form;
    const told = (await this.#all()).find((one) => one.kind === 'stopped' && one.tabId === tabId);
    const isOpen = told?.windowId !== undefined && (await this.#focused(told.windowId));
    const id = isOpen ? told.id : this.#newId();
    const windowId = isOpen ? told.windowId : undefined;
    await this.#keep({ ...form, id, kind: 'stopped', frameId: null, windowId });
    if (!isOpen) await this.#open(id, '&stopped');
  }

  async find(visitId: string): Promise<Visit | undefined> {
    return (await this.#all()).find(({ id }) => id === visitId);
  }

  async look(visit: Visit): Promise<VisitedField | undefined> {
    const [first] = await this.#ask(await this.#kept(visit), 'told', visit.id);
    return (first as VisitedField | null | undefined) ?? undefined;
  }

  async insert(visit: Visit, text: string): Promise<FieldInsertOutcome> {
    const [first] = await this.#ask(await this.#kept(visit), 'insert', visit.id, text);
    return (first as FieldInsertOutcome | undefined) ?? { inserted: false, reason: 'gone' };
  }

  async #beginIn(place: VisitPlace, id: string, kind: VisitKind): Promise<Answers> {
    const { tabId, frameId, isMarked = false } = place;
    const target =
      frameId === undefined ? { tabId, allFrames: true } : { tabId, frameIds: [frameId] };
    const { scripting } = this.#parts;
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
  async #ask({ tabId, frameId }: KeptVisit, ...args: string[]): Promise<unknown[]> {
    if (frameId === null) return [];
    const target = { tabId, frameIds: [frameId] };
    try {
      const how = { target, func: askFieldScript, args };
      return (await this.#parts.scripting.executeScript(how)).map(({ result }) => result);
    } catch {
      return []; // the tab was closed, or shows another site by now
    }
  }

  async #open(id: string, more = ''): Promise<void> {
    const { windows, runtime } = this.#parts;
    const url = runtime.getURL(`fields-window.html?visit=${id}${more}`);
    const place = await placeInFront(windows, SIZE);
    const { id: windowId } = await windows.create({ type: 'popup', url, ...SIZE, ...place });
    const visit = (await this.#all()).find((one) => one.id === id);
    if (visit) await this.#keep({ ...visit, windowId });
  }

  async #focused(windowId: number): Promise<boolean> {
    try {
      await this.#parts.windows.update(windowId, { focused: true });
      return true;
    } catch {
      return false; // its user has closed it
    }
  }

  #newId(): string {
    return toBase64url(this.#parts.random.bytes(ID_BYTES));
  }

  async #kept(visit: Visit): Promise<KeptVisit> {
    const kept = (await this.#all()).find(({ id }) => id === visit.id);
    return kept ?? { ...visit, tabId: 0, frameId: null };
  }

  #keep(visit: KeptVisit): Promise<void> {
    const { locks, session } = this.#parts;
    return locks.exclusive(LOCK, async () => {
      const others = (await this.#all()).filter(({ id }) => id !== visit.id);
      await session.set(STORE_KEY, [...others, visit].slice(-KEPT_MAX));
    });
  }

  async #all(): Promise<readonly KeptVisit[]> {
    return ((await this.#parts.session.get(STORE_KEY)) ?? []) as readonly KeptVisit[];
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
  const isMeant = ({ answer }: Answers[number]): boolean =>
    kind === 'open' ? answer.found.length > 0 : answer.field !== 'none';
  return answers.find(isMeant) ?? answers.find(({ frameId }) => frameId === 0) ?? answers[0];
}

function originOf(address: string | undefined): string | null {
  return address !== undefined && URL.canParse(address) ? new URL(address).origin : null;
}
