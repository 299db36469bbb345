/*
 * What a bundle with marks has before its own code. Each function is sent as text, so it holds all that
 * it needs.
 */

/** Spans of one script: names, and their beginnings and ends by `performance.now()`, in ms. */
export interface Recorded {
  readonly names: string[];
  readonly begins: number[];
  readonly ends: number[];
}

export interface Recorder {
  begin(name: string): number;
  end(span: number): void;
  /** Gives out what was recorded, and forgets it. */
  take(): Recorded;
}
type World = typeof globalThis & { laneTrace: Recorder };

/** In every script. @param isContent times structuredClone too, which a content script of Firefox needs */
export function record(isContent: boolean): void {
  const { performance } = globalThis;
  let recorded: Recorded = { names: [], begins: [], ends: [] };
  const recorder: Recorder = {
    begin(name) {
      const span = recorded.names.length;
      recorded.names[span] = name;
      recorded.ends[span] = NaN;
      recorded.begins[span] = performance.now();
      return span;
    },
    end(span) {
      recorded.ends[span] = performance.now();
    },
    take() {
      const taken = recorded;
      recorded = { names: [], begins: [], ends: [] };
      return taken;
    },
  };
  (globalThis as World).laneTrace = recorder;
  if (!isContent) return;
  const { structuredClone } = globalThis;
  globalThis.structuredClone = <T>(value: T, options?: StructuredSerializeOptions): T => {
    const span = recorder.begin('clone');
    try {
      return structuredClone(value, options);
    } finally {
      recorder.end(span);
    }
  };
}

interface Runtime {
  readonly runtime: {
    sendMessage(message: string): Promise<string>;
    readonly onMessage: {
      addListener(
        listener: (message: unknown, sender: unknown, answer: (text: string) => void) => boolean,
      ): void;
    };
  };
}
type Extension = World & { readonly browser?: Runtime; readonly chrome: Runtime };

/** In the content script: gives the page what it and the background have recorded. */
export function handOver(): void {
  const { chrome, laneTrace } = globalThis as Extension;
  const api = (globalThis as Extension).browser ?? chrome;
  addEventListener('lane-trace-wanted', () => {
    void api.runtime.sendMessage('lane-trace').then((background) => {
      const detail = `{"content":${JSON.stringify(laneTrace.take())},"background":${background}}`;
      dispatchEvent(new CustomEvent('lane-trace', { detail }));
    });
  });
}

/** In the background. */
export function answerWithTrace(): void {
  const { chrome, laneTrace } = globalThis as Extension;
  const api = (globalThis as Extension).browser ?? chrome;
  api.runtime.onMessage.addListener((message, _sender, answer) => {
    if (message !== 'lane-trace') return false;
    answer(JSON.stringify(laneTrace.take()));
    return true;
  });
}

export interface Trace {
  readonly page: Recorded;
  readonly content: Recorded;
  readonly background: Recorded;
  /** Beginning and end of each call. */
  readonly calls: readonly (readonly [number, number])[];
}

interface Call {
  readonly operation: 'seal' | 'open';
  readonly bytes: number;
  readonly warmUp: number;
  readonly calls: number;
}
interface Api {
  seal(bytes: Uint8Array): Promise<Uint8Array>;
  open(bytes: Uint8Array): Promise<Uint8Array>;
}

/** In the page: makes calls one after the other, and returns what all three scripts recorded. */
export async function tracedCalls({ operation, bytes, warmUp, calls }: Call): Promise<string> {
  const { sealwright, laneTrace } = globalThis as World & { sealwright: Api };
  const message = new Uint8Array(bytes).fill(7);
  const input = operation === 'open' ? await sealwright.seal(message) : message;
  const taken = () =>
    new Promise<string>((resolve) => {
      const hear = (event: Event): void => resolve((event as CustomEvent<string>).detail);
      addEventListener('lane-trace', hear, { once: true });
      dispatchEvent(new Event('lane-trace-wanted'));
    });
  for (let i = 0; i < warmUp; i++) await sealwright[operation](input);
  await taken();
  laneTrace.take();
  const times: [number, number][] = [];
  for (let i = 0; i < calls; i++) {
    const start = performance.now();
    await sealwright[operation](input);
    times.push([start, performance.now()]);
  }
  const page = laneTrace.take();
  const others = await taken();
  return `{"page":${JSON.stringify(page)},"calls":${JSON.stringify(times)},${others.slice(1)}`;
}
