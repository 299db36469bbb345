/**
 * Workers that share the slices of messages with the calling thread. They are started with the first message, and
 * ended when there was none for half a minute.
 *
 * Each worker that has started gets at most two slices at a time, one of which waits, so that it need not wait for
 * this thread; this thread takes what is left, one slice in a task, and all while workers start. What a worker had
 * when it failed, this thread does. The first slice of a kind that a worker returns, this thread does too and
 * compares, because a server's or a bundler's copy of the worker's script may be of another version. Memory in
 * transit is two buffers a worker, of at most half a MiB each, whatever a message's length.
 */
import { equal, wipe } from '../../crypto/bytes.ts';
import type { Answer, ModuleBytes, Order, PoolWorker, Task } from './protocol.ts';
import { workOf, type SliceModules, type SliceWork } from './slices.ts';

/** The longest slice, in bytes: this thread is busy for so long at a time. */
const MAX_SLICE_BYTES = 0x8_0000;
const SLICES_AT_ONCE = 2;
/** A pool whose scripts do not load in this time has failed. */
const READY_MS = 5_000;
/** Any time: nothing happens then. */
const ROOT_MS = 60_000;

/** Of a pool. */
export interface PoolOptions {
  /** The number of threads, at least 2: the calling one, and workers. */
  readonly threads: number;
  readonly startWorker: () => PoolWorker;
  /** What workers compile. */
  readonly bytes: ModuleBytes;
  /** Of `bytes` */
  readonly variant: string;
  /** What this thread works with. */
  readonly modules: SliceModules;
  /** How long workers without work are kept. */
  readonly idleMs: number;
}

/** One message. */
export interface Message {
  /** Its key is wiped when the call ends. */
  readonly task: Task;
  readonly data: Uint8Array;
  /** Slices are multiples of it, in bytes: a power of two. */
  readonly unitBytes: number;
  /**
   * Receives what the slices become; may begin where `data` begins. Absent: only the parts count, and the data are
   * not changed.
   */
  readonly target?: Uint8Array;
  readonly signal?: AbortSignal | undefined;
  /**
   * Slices change memory that all threads have. Default: no, so that one may be begun again.
   *
   * - `first`: a finished slice may be done again, to the same result; a slice that is lost with its worker ends the call.
   * - `again`: nor may a finished slice be done again, so only workers get one that were seen to compute as this thread does.
   */
  readonly inPlace?: 'first' | 'again';
}

/** A worker ended with a slice that cannot be begun again. */
export class SliceLost extends Error {
  override readonly name = 'SliceLost';
}

/** What was computed of each slice, in the order of slices, and the length of all slices but the last. */
export interface Parts {
  readonly parts: readonly Uint8Array[];
  readonly sliceBytes: number;
}

interface Call extends Message {
  readonly id: number;
  /** This thread's. */
  readonly work: SliceWork;
  readonly sliceBytes: number;
  /** Of slices. */
  readonly count: number;
  readonly parts: Uint8Array[];
  /** The slice to be given out next, after those of workers that failed. */
  next: number;
  readonly lost: number[];
  /** Slices that are not done. */
  left: number;
  error?: Error;
  /** Called when a worker has answered or failed, or at the signal. */
  notify: () => void;
}

/** A worker, its slices, and the calls it knows. */
interface Seat {
  readonly worker: PoolWorker;
  /** Whether its script runs. */
  isReady: boolean;
  /** What it was seen to compute as this thread does. */
  readonly proved: Set<Task['kind']>;
  readonly slices: { readonly call: Call; readonly index: number }[];
  readonly calls: Set<number>;
}

export class Pool {
  private readonly options: PoolOptions;
  private seats: Seat[] = [];
  private readonly calls = new Map<number, Call>();
  private nextCall = 0;
  /** Buffers in no worker. */
  private buffers: ArrayBuffer[] = [];
  private idle: ReturnType<typeof setTimeout> | undefined;
  /**
   * Runs while there are calls. They may be reachable from their workers alone, and Firefox collects a worker that
   * nothing else refers to, even while a message is on its way there; a timer is a root.
   */
  private root: ReturnType<typeof setInterval> | undefined;
  private reason: string | undefined;

  constructor(options: PoolOptions) {
    this.options = options;
  }

  /** Why it has no workers any more, so that this thread does all by itself. */
  get fault(): string | undefined {
    return this.reason;
  }

  /** The length of a message's slices: about two for each thread, a power of two, from a unit to half a MiB. */
  sliceBytes(length: number, unitBytes: number): number {
    let bytes = unitBytes;
    while (bytes < MAX_SLICE_BYTES && bytes * SLICES_AT_ONCE * this.options.threads < length) {
      bytes *= 2;
    }
    return bytes;
  }

  /**
   * Processes a message of at least one byte.
   *
   * @throws the signal's reason, or a TypeError if the caller detaches memory meanwhile; `target` is then partly
   * written
   */
  async run(message: Message): Promise<Parts> {
    const { task, signal } = message;
    let call: Call | undefined;
    const notify = () => call?.notify();
    try {
      signal?.throwIfAborted();
      signal?.addEventListener('abort', notify);
      call = this.callOf(message, await workOf(task, this.options.modules));
      this.begin(call);
      while (call.left > 0) {
        signal?.throwIfAborted();
        if (call.error) throw call.error;
        const index = this.claim(call);
        if (index === undefined) await notified(call);
        else {
          doHere(call, index);
          await turn();
        }
      }
      return call;
    } finally {
      signal?.removeEventListener('abort', notify);
      if ('key' in task) wipe(task.key);
      call?.work.wipe();
      if (call) this.end(call);
    }
  }

  /** Ends the workers; this thread ends what they had begun. */
  close(reason = 'it was closed'): void {
    this.reason = reason;
    this.endWorkers();
  }

  private callOf(message: Message, work: SliceWork): Call {
    const { length } = message.data;
    const sliceBytes = this.sliceBytes(length, message.unitBytes);
    const count = Math.ceil(length / sliceBytes);
    const progress = { parts: [], next: 0, lost: [], left: count, notify: () => undefined };
    return { ...message, id: this.nextCall++, work, sliceBytes, count, ...progress };
  }

  private begin(call: Call): void {
    this.calls.set(call.id, call);
    clearTimeout(this.idle);
    this.root ??= unref(setInterval(() => this.calls.size, ROOT_MS));
    if (this.seats.length === 0 && this.reason === undefined) this.start();
    for (const { worker } of this.seats) worker.keepAlive(true);
    this.giveOut();
  }

  private end(call: Call): void {
    this.calls.delete(call.id);
    for (const { worker, calls } of this.seats) {
      if (calls.delete(call.id)) worker.post({ type: 'end', call: call.id }, []);
    }
    if (this.calls.size > 0) return;
    clearInterval(this.root);
    this.root = undefined;
    if (this.seats.length === 0) return;
    wipe(...this.buffers.map((buffer) => new Uint8Array(buffer)));
    for (const { worker } of this.seats) worker.keepAlive(false);
    clearTimeout(this.idle);
    this.idle = unref(setTimeout(() => this.endWorkers(), this.options.idleMs));
  }

  private start(): void {
    const { threads, startWorker, bytes, variant } = this.options;
    try {
      for (let i = 1; i < threads; i++) {
        const seat = { slices: [], calls: new Set<number>(), proved: new Set<Task['kind']>() };
        this.seats.push({ worker: startWorker(), isReady: false, ...seat });
      }
    } catch (error) {
      this.close(`no worker could be started: ${(error as Error).message}`);
    }
    for (const seat of this.seats) {
      const { worker } = seat;
      const late = unref(setTimeout(() => this.fail(seat, 'it did not start in time'), READY_MS));
      worker.onError((reason) => this.fail(seat, reason));
      worker.onAnswer((answer) => {
        if (answer.type === 'ready') {
          clearTimeout(late);
          seat.isReady = true;
          this.giveOut();
        } else if (answer.type === 'failed') this.fail(seat, answer.reason);
        else this.take(seat, answer);
      });
      worker.post({ type: 'start', modules: bytes, variant }, []);
    }
  }

  private fail(seat: Seat, reason: string): void {
    if (this.seats.includes(seat)) this.close(`a worker failed: ${reason}`);
  }

  private endWorkers(): void {
    clearTimeout(this.idle);
    const { seats } = this;
    this.seats = [];
    this.buffers = [];
    for (const { worker, slices } of seats) {
      worker.end();
      for (const { call, index } of slices) {
        if (call.inPlace === undefined) call.lost.push(index);
        else reject(call, new SliceLost('a worker ended'));
      }
    }
    for (const call of this.calls.values()) call.notify();
  }

  /** The next slice of a call; undefined if there is none. */
  private claim(call: Call): number | undefined {
    if (call.lost.length > 0) return call.lost.pop();
    return call.next < call.count ? call.next++ : undefined;
  }

  /** Gives slices to the workers that have the fewest, in the order of calls. */
  private giveOut(): void {
    for (const call of this.calls.values()) {
      const ready = this.seats.filter((seat) => mayTake(seat, call));
      // Where there are few, none should wait for a worker while another thread has nothing to do.
      const most = Math.min(SLICES_AT_ONCE, Math.ceil(call.count / this.options.threads));
      for (;;) {
        const [seat] = ready.sort((a, b) => a.slices.length - b.slices.length);
        if (seat === undefined || seat.slices.length >= most) break;
        const index = this.claim(call);
        if (index === undefined) break;
        try {
          this.giveSlice(seat, call, index);
        } catch (error) {
          reject(call, error);
        }
      }
    }
  }

  private giveSlice(seat: Seat, call: Call, index: number): void {
    const { id, task } = call;
    if (!seat.calls.has(id)) seat.worker.post({ type: 'begin', call: id, task }, []);
    seat.calls.add(id);
    const { from, bytes } = sliceOf(call, index);
    const { length } = bytes;
    const buffer = this.bufferOf(length);
    new Uint8Array(buffer).set(bytes);
    const order: Order = { type: 'slice', call: id, index, from, length, buffer };
    seat.worker.post(order, [buffer]);
    seat.slices.push({ call, index });
  }

  /** A buffer of at least so many bytes. A shorter one is given up, so that their number stays bounded. */
  private bufferOf(length: number): ArrayBuffer {
    const buffer = this.buffers.pop();
    if (buffer !== undefined && buffer.byteLength >= length) return buffer;
    return new ArrayBuffer(length);
  }

  private take(seat: Seat, { call: id, index, buffer, part }: Answer & { type: 'done' }): void {
    const place = seat.slices.findIndex((slice) => slice.call.id === id && slice.index === index);
    // Of a pool that was ended meanwhile.
    if (!this.seats.includes(seat) || place < 0) return;
    seat.slices.splice(place, 1);
    const call = this.calls.get(id);
    if (call !== undefined) {
      try {
        this.accept(seat, call, index, buffer, part);
        call.notify();
      } catch (error) {
        reject(call, error);
      }
    }
    this.buffers.push(buffer);
    if (this.calls.size === 0) wipe(new Uint8Array(buffer));
    else this.giveOut();
  }

  private accept(
    seat: Seat,
    call: Call,
    index: number,
    buffer: ArrayBuffer,
    part: Uint8Array,
  ): void {
    const { kind } = call.task;
    if (seat.proved.has(kind)) write(call, index, buffer, part);
    else if (isWhatIsDoneHere(call, index, buffer, part)) seat.proved.add(kind);
    else this.fail(seat, `it computed ${kind} wrongly: its script may be of another version`);
  }
}

function mayTake({ isReady, proved }: Seat, { inPlace, task }: Call): boolean {
  return isReady && (inPlace !== 'again' || proved.has(task.kind));
}

/** Ends a call: the caller has detached the memory meanwhile, or there is none for a buffer. */
function reject(call: Call, error: unknown): void {
  call.error = error as Error;
  call.next = call.count;
  call.lost.length = 0;
  call.notify();
}

function sliceOf({ data, sliceBytes }: Call, index: number) {
  const from = index * sliceBytes;
  return { from, bytes: data.subarray(from, from + sliceBytes) };
}

/** What a worker made of a slice. */
function write(call: Call, index: number, buffer: ArrayBuffer, part: Uint8Array): void {
  const { from, bytes } = sliceOf(call, index);
  call.target?.set(new Uint8Array(buffer, 0, bytes.length), from);
  call.parts[index] = part;
  call.left--;
}

function doHere(call: Call, index: number): void {
  const { from, bytes } = sliceOf(call, index);
  const place = call.target?.subarray(from, from + bytes.length);
  place?.set(bytes);
  call.parts[index] = call.work.slice(place ?? bytes, from);
  call.left--;
}

/** Does a slice on this thread. @returns whether a worker made the same of it */
function isWhatIsDoneHere(
  call: Call,
  index: number,
  buffer: ArrayBuffer,
  part: Uint8Array,
): boolean {
  doHere(call, index);
  const { from, bytes } = sliceOf(call, index);
  const place = call.target?.subarray(from, from + bytes.length);
  if (place && !equal(place, new Uint8Array(buffer, 0, bytes.length))) return false;
  return equal(part, call.parts[index]!);
}

/** Only Node's timers keep a process alive. */
function unref<T>(timer: T): T {
  (timer as { unref?: () => void }).unref?.();
  return timer;
}

function notified(call: Call): Promise<void> {
  return new Promise((resolve) => {
    call.notify = resolve;
  });
}

/** Lets answers of workers, and all else that waits, come first. */
function turn(): Promise<void> {
  const { setImmediate } = globalThis as { setImmediate?: (work: () => void) => void };
  return new Promise((resolve) => {
    // In Node a port would keep its thread: it takes what comes meanwhile, up to 1,000 messages, before other ports.
    if (setImmediate) {
      setImmediate(resolve);
      return;
    }
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
