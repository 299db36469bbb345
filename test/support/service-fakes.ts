import type { DocumentPlace, Documents } from '../../src/service/subtle/documents.ts';
import type { Timers } from '../../src/rpc/timers.ts';
import type { RandomSource } from '../../src/random/contract.ts';
import type { PageCaller } from '../../src/service/calls/frame-policy.ts';
import type { Prompter } from '../../src/service/ports/prompter.ts';
import { patternWithin, type Sites } from '../../src/service/ports/sites.ts';
import type { Menus } from '../../src/service/status/page-values.ts';
import type { ToolbarButton, ToolbarState } from '../../src/service/status/toolbar.ts';
import type { StateEvents } from '../../src/service/ports/state-events.ts';
import type {
  FieldInsertOutcome,
  InspectedField,
  FieldSessionKind,
} from '../../src/rpc/methods/ui-fields.ts';
import type {
  StoppedForm,
  FieldSession,
  FieldSessions,
} from '../../src/service/ports/field-session.ts';
import type { Presence, WakeUp } from '../../src/service/vault/lock-keeper.ts';

export { settled } from './turns.ts';

/* Stand-ins for what the browser gives the broker. They remember what was asked of them. */

export class FakePrompter implements Prompter {
  readonly shown: string[] = [];
  readonly closed: string[] = [];
  failure: Error | undefined;

  show(promptId: string): Promise<void> {
    if (this.failure) return Promise.reject(this.failure);
    this.shown.push(promptId);
    return Promise.resolve();
  }

  close(promptId: string): Promise<void> {
    this.closed.push(promptId);
    return Promise.resolve();
  }
}

export class FakeSites implements Sites {
  patterns = new Set<string>(['https://*/*', 'http://localhost/*']);
  readonly tabs = new Map<number, string>();
  readonly served: string[] = [];
  gathers = false;
  readonly unmarked = new Set<string>();
  /** What was asked for, in order. */
  readonly guarded: (readonly [pattern: string, on: boolean])[] = [];

  enabled(): Promise<readonly string[]> {
    return Promise.resolve([...this.patterns]);
  }

  /** Tests give the permission themselves, as the browser's dialogue does. */
  enable(pattern: string): Promise<boolean> {
    const isPermitted = [...this.patterns].some((each) => patternWithin(pattern, each));
    if (isPermitted) this.served.push(pattern);
    return Promise.resolve(isPermitted);
  }

  disable(pattern: string): Promise<void> {
    this.patterns.delete(pattern);
    return Promise.resolve();
  }

  tabAddress(tabId: number): Promise<string | undefined> {
    return Promise.resolve(this.tabs.get(tabId));
  }

  gathersMovements(): Promise<boolean> {
    return Promise.resolve(this.gathers);
  }

  gatherMovements(on: boolean): Promise<void> {
    this.gathers = on;
    return Promise.resolve();
  }

  hasMarks = (pattern: string) => Promise.resolve(!this.unmarked.has(pattern));

  setMarks(pattern: string, on: boolean): Promise<void> {
    if (on) this.unmarked.delete(pattern);
    else this.unmarked.add(pattern);
    return Promise.resolve();
  }

  guard(pattern: string, on: boolean): Promise<void> {
    this.guarded.push([pattern, on]);
    return Promise.resolve();
  }
}

/** Visits that a test opens, to one field that it describes. */
export class FakeFieldSessions implements FieldSessions {
  readonly begun: { readonly tabId: number; readonly kind: FieldSessionKind }[] = [];
  readonly fieldSessions: FieldSession[] = [];
  readonly inserted: string[] = [];
  field: InspectedField | undefined;
  outcome: FieldInsertOutcome = { inserted: true };

  /** @returns its id */
  add(fieldSession: Partial<FieldSession> = {}): string {
    const id = `visit-${this.fieldSessions.length}`;
    const origin = fieldSession.origin === undefined ? 'https://a.example' : fieldSession.origin;
    const usual = { id, kind: 'write', origin, begunOn: origin, incognito: false } as const;
    this.fieldSessions.push({ ...usual, blockedFrame: null, ...fieldSession });
    return id;
  }

  begin({ tabId }: { readonly tabId: number }, kind: FieldSessionKind): Promise<void> {
    this.begun.push({ tabId, kind });
    return Promise.resolve();
  }

  readonly stopped: StoppedForm[] = [];

  showStopped(form: StoppedForm): Promise<void> {
    this.stopped.push(form);
    return Promise.resolve();
  }

  find = (sessionId: string) =>
    Promise.resolve(this.fieldSessions.find(({ id }) => id === sessionId));
  look = () => Promise.resolve(this.field);

  insert(_fieldSession: FieldSession, text: string): Promise<FieldInsertOutcome> {
    if (this.outcome.inserted) this.inserted.push(text);
    return Promise.resolve(this.outcome);
  }

  readonly shown: string[] = [];

  show(_fieldSession: FieldSession, text: string): Promise<boolean> {
    this.shown.push(text);
    return Promise.resolve(true);
  }

  /** What a visit is when its frame is reached; nothing else changes. */
  reached: Partial<FieldSession> = {};
  readonly givenBack: string[] = [];

  reach(fieldSession: FieldSession): Promise<FieldSession> {
    return Promise.resolve({ ...fieldSession, blockedFrame: null, ...this.reached });
  }

  giveBack({ id }: FieldSession): Promise<void> {
    this.givenBack.push(id);
    return Promise.resolve();
  }
}

/** All documents are open but those in `gone`. */
export class FakeDocuments implements Documents {
  readonly gone = new Set<string>();
  readonly asked: string[] = [];

  isOpen({ documentId }: DocumentPlace): Promise<boolean> {
    this.asked.push(documentId);
    return Promise.resolve(!this.gone.has(documentId));
  }
}

export class FakeEvents implements StateEvents {
  readonly log: string[] = [];
  lock = (): void => void this.log.push('lock');
  unlock = (): void => void this.log.push('unlock');
  grantchange = ({ origin, topOrigin }: { origin: string; topOrigin: string }): void =>
    void this.log.push(`grantchange ${origin}${topOrigin === origin ? '' : ` in ${topOrigin}`}`);
}

/** Remembers the states that it was to show. */
export class FakeToolbarButton implements ToolbarButton {
  readonly shown: ToolbarState[] = [];
  show = (state: ToolbarState): void => void this.shown.push(state);
}

export class FakeMenus implements Menus {
  translations = 0;
  translate = (): void => {
    this.translations += 1;
  };
}

export class FakeWakeUp implements WakeUp {
  planned: number | null = null;

  at(time: number | null): Promise<void> {
    this.planned = time;
    return Promise.resolve();
  }
}

/** Someone is at the computer until a test says otherwise. */
export class FakePresence implements Presence {
  active = true;
  isActive = () => Promise.resolve(this.active);
}

/** Different bytes at each call, the same in each run. */
export class FakeRandom implements RandomSource {
  #calls = 0;

  bytes(lengthBytes: number): Uint8Array<ArrayBuffer> {
    this.#calls += 1;
    const bytes = new Uint8Array(lengthBytes);
    for (let i = 0; i < lengthBytes; i++) bytes[i] = (this.#calls >>> (8 * (i % 4))) ^ (i * 7);
    return bytes;
  }
}

export function pageCaller(differences: Partial<PageCaller> = {}): PageCaller {
  const origin = differences.origin ?? 'https://a.example';
  return {
    kind: 'page',
    origin,
    topOrigin: origin,
    tabId: 1,
    frameId: 0,
    documentId: 'doc-1',
    incognito: false,
    container: null,
    ...differences,
  };
}

/** Timers that go off when a test says so, whatever they were set to. */
export class FakeTimers implements Timers {
  #waiting = new Map<number, { readonly work: () => void; readonly at: number }>();
  #last = 0;
  #now = 0;

  start(work: () => void, delayMs: number): number {
    this.#waiting.set(++this.#last, { work, at: this.#now + delayMs });
    return this.#last;
  }

  stop(timer: unknown): void {
    this.#waiting.delete(timer as number);
  }

  /** All, whatever they wait for. */
  goOff(): void {
    const due = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { work } of due) work();
  }

  /** Time passes, in ms: what is due by then goes off. */
  pass(ms: number): void {
    this.#now += ms;
    for (const [timer, { work, at }] of [...this.#waiting]) {
      if (at > this.#now) continue;
      this.#waiting.delete(timer);
      work();
    }
  }
}
