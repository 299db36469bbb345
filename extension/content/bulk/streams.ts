import { compact } from '../../../src/rpc/transport/attachments.ts';
import type { Call } from '../../../src/rpc/call.ts';
import type { CONTENT_METHODS } from '../../../src/rpc/methods/content.ts';
import { SealwrightError, tooBusy } from '../../../src/rpc/errors.ts';
import type { ParamsIn } from '../../../src/rpc/methods/method.ts';
import type { Part } from '../../../src/format/wire/padding-filter.ts';
import type { Leases } from './leases.ts';
import { OpeningRun, SealingRun } from './stream-runs.ts';
import type { StreamEnd, StreamRun } from './stream-runs.ts';

type Params<M extends keyof typeof CONTENT_METHODS> = ParamsIn<typeof CONTENT_METHODS, M>;

/** Streams that one page may have open. */
const STREAMS_MAX = 256;
const RETRY_AFTER_MS = 1_000;

interface Entry {
  readonly run: StreamRun;
  nextIndex: number;
}

/** The open streams of a page. A failure ends a stream. */
export class Streams {
  readonly #leases: Leases;
  readonly #entries = new Map<string, Entry>();
  #lastId = 0;

  constructor(leases: Leases) {
    this.#leases = leases;
  }

  async beginSeal(options: Params<'beginSealStream'>, call: Call) {
    this.#refuseCrowd();
    const { run, prefix } = await SealingRun.begin(options, this.#leases, call);
    if (call.isAborted) run.drop();
    return { stream: this.#added(run), bytes: prefix };
  }

  beginOpen(options: Params<'beginOpenStream'>): { stream: string; bytes: Uint8Array } {
    this.#refuseCrowd();
    const stream = this.#added(new OpeningRun(options, this.#leases));
    return { stream, bytes: new Uint8Array(0) };
  }

  async pieces({ stream, index, pieces }: Params<'streamPieces'>) {
    const entry = this.#entry(stream);
    if (index !== entry.nextIndex) throw this.#failed(stream, outOfOrder());
    entry.nextIndex += pieces.length;
    try {
      const parts = await Promise.all(pieces.map((piece) => entry.run.add(piece)));
      return { parts: compacted(parts.flat()), spares: pieces };
    } catch (error) {
      throw this.#failed(stream, error);
    }
  }

  async end({ stream }: Params<'endStream'>): Promise<StreamEnd> {
    try {
      const end = await this.#entry(stream).run.end();
      if (end.done) this.drop({ stream });
      return { ...end, parts: compacted(end.parts) };
    } catch (error) {
      throw this.#failed(stream, error);
    }
  }

  drop({ stream }: Params<'dropStream'>): void {
    this.#entries.get(stream)?.run.drop();
    this.#entries.delete(stream);
  }

  #refuseCrowd(): void {
    if (this.#entries.size >= STREAMS_MAX) throw tooBusy(RETRY_AFTER_MS);
  }

  #added(run: StreamRun): string {
    const id = String(++this.#lastId);
    this.#entries.set(id, { run, nextIndex: 0 });
    return id;
  }

  #entry(stream: string): Entry {
    const entry = this.#entries.get(stream);
    if (!entry) throw new SealwrightError('INVALID_ARGUMENT', 'stream: it has ended');
    return entry;
  }

  #failed(stream: string, error: unknown): unknown {
    this.drop({ stream });
    return error;
  }
}

function outOfOrder(): SealwrightError {
  return new SealwrightError('INTERNAL', 'A piece of a stream came out of order');
}

/** Bytes with buffers of their own, which can be transferred. */
function compacted(parts: readonly Part[]): Part[] {
  return parts.map((part) => (typeof part === 'number' ? part : compact(part)));
}
