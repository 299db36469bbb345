/** The results of the Lab, plain JSON: what the worker sends, the page shows, and a person can save. */
import type { EngineName } from '../src/engine/contract.ts';
import type { WorkId } from './printed/table.ts';

/** `quick` takes fewer sizes and rounds, and leaves out what lasts for many seconds. */
export type LabMode = 'quick' | 'full';

/** What ran a task; `wasm-simd, single`: one block at a time, where the cipher could take several. */
export type LabEngine = EngineName | 'wasm-simd, single';

/** The times of one engine for one task at one size. */
export interface Sample {
  readonly task: string;
  readonly engine: LabEngine;
  /** Bytes of the message, bits of the modulus, or iterations: what the task is about. */
  readonly size: number;
  /** Bytes or iterations that one call processes, for rates; 1 where a call is an operation. */
  readonly amount: number;
  /** Seconds of one call: the median of the rounds, and the best. */
  readonly seconds: number;
  readonly best: number;
  readonly rounds: readonly number[];
  /** The others that gave the same answer before the time was taken; none where there is no other. */
  readonly confirmedBy: readonly string[];
}

/** A graphics card, as the browser names it. */
export interface CardFacts {
  readonly engine: 'webgl' | 'webgpu';
  /** Absent where the browser says nothing. */
  readonly name?: string;
  /** A rasterizer on the processor: its speed says nothing about a card. */
  readonly isSoftware: boolean;
}

/** One run of one work. */
export interface LabResult {
  readonly work: WorkId;
  readonly mode: LabMode;
  /** ms since the epoch, when it began. */
  readonly time: number;
  /** How long it took. */
  readonly ms: number;
  readonly samples: readonly Sample[];
  /** Of the run with graphics cards. */
  readonly cards?: readonly CardFacts[];
  /** Engines that were not there, each with its reason. */
  readonly absent: readonly { readonly engine: string; readonly reason: string }[];
}

/** What the worker reports. */
export type LabEvent =
  | { readonly type: 'progress'; readonly done: number; readonly total: number }
  | { readonly type: 'finished'; readonly result: LabResult }
  | { readonly type: 'failed'; readonly message: string };

/** The one message to the worker, which is terminated to cancel. */
export interface LabOrder {
  readonly work: WorkId;
  readonly mode: LabMode;
}

/** The file that a person saves. */
export interface LabRecord {
  readonly format: 'sealwright-lab-1';
  readonly machine: {
    readonly userAgent: string;
    /** Absent where the browser does not tell. */
    readonly cores?: number;
    readonly version: string;
    /** ms since the epoch. */
    readonly time: number;
  };
  readonly results: readonly LabResult[];
}

/** The sample of a task, at one size and in one engine. */
export function sampleOf(
  samples: readonly Sample[],
  task: string,
  size: number,
  engine: LabEngine,
): Sample | undefined {
  return samples.find((it) => it.task === task && it.size === size && it.engine === engine);
}
