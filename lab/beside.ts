/** Our figures beside the printed ones: which measurement answers which figure, and what it gives. */
import type { PrintedFigure } from './printed/table.ts';
import { sampleOf, type LabEngine, type Sample } from './result.ts';
import {
  cipherTask,
  CLOCK_TASK,
  LIPMAA_BYTES,
  LIPMAA_SHORT_BYTES,
  modeUnrollingTask,
  operationTask,
  pbkdf2Task,
  powerTask,
  STARK_BYTES,
  TABLES_TASK,
  unrollingTask,
  type ModeUnrolling,
  type Operation,
  type PowerSize,
  type Unrolling,
} from './tasks.ts';

/** A task at a size. */
interface Measured {
  readonly task: string;
  readonly size: number;
}

/** The units in which our figures stand beside printed ones. */
export type OurUnit =
  | 'kB/s'
  | 'MB/s'
  | 'Mbit/s'
  | 'bytes/ms'
  | 'iterations/ms'
  | 'ms'
  | 's'
  | 'x'
  | '%'
  | 'blocks'
  | 'cycles'
  | 'cycles/byte'
  | 'GHz';

/**
 * What answers a printed figure. With `over` it compares two tasks by their times for the same amount:
 * `x` is how often `of` is as fast as `over`, `%` by how much it is faster (or takes longer, with `slower`), and
 * `blocks` is the time of a block of `of`, or of one operation, in blocks of `over`. `cycles` (of a block or an operation)
 * and `cycles/byte` are of the clock that was measured in the same trial.
 */
export interface Measure {
  readonly of: Measured;
  readonly unit: OurUnit;
  readonly over?: Measured;
  /** With `over`: one after the other. */
  readonly and?: Measured;
  readonly slower?: true;
}

/** What we measure beside a figure; undefined for one that nothing of ours answers (`unmeasured` says why). */
export function measureOf(figure: PrintedFigure): Measure | undefined {
  return MEASURES[figure.work](figure);
}

/** The figure of one engine; undefined where it was not measured. */
export function valueOf(
  { of, unit, over, and, slower }: Measure,
  samples: readonly Sample[],
  engine: LabEngine,
): number | undefined {
  const own = sampleOf(samples, of.task, of.size, engine);
  if (unit === 'cycles' || unit === 'cycles/byte') return cyclesOf(own, unit, samples);
  const other = over && sampleOf(samples, over.task, over.size, engine);
  if (own === undefined || own.seconds === 0) return undefined;
  if (over === undefined) return PLAIN[unit]?.(own);
  const further = and && sampleOf(samples, and.task, and.size, engine);
  if (!other?.seconds || (and && !further?.seconds)) return undefined;
  const otherTime = timeOf(other) + (further ? timeOf(further) : 0);
  if (unit === 'blocks') {
    return own.amount === 1 ? own.seconds / (BLOCK_BYTES * otherTime) : timeOf(own) / otherTime;
  }
  const ratio = otherTime / timeOf(own);
  return unit === 'x' ? ratio : 100 * ((slower ? 1 / ratio : ratio) - 1);
}

/** @returns undefined where the trial had no clock */
function cyclesOf(
  own: Sample | undefined,
  unit: 'cycles' | 'cycles/byte',
  samples: readonly Sample[],
): number | undefined {
  const clock = own && sampleOf(samples, CLOCK_TASK, own.size, 'js');
  if (!own || !clock?.seconds) return undefined;
  const amounts = unit === 'cycles' && own.amount > 1 ? BLOCK_BYTES : 1;
  return (amounts * timeOf(own)) / timeOf(clock);
}

const BLOCK_BYTES = 16;

const timeOf = ({ seconds, amount }: Sample): number => seconds / amount;

const PLAIN: Partial<Record<OurUnit, (sample: Sample) => number>> = {
  'kB/s': ({ amount, seconds }) => amount / seconds / 1e3,
  'MB/s': ({ amount, seconds }) => amount / seconds / 1e6,
  'Mbit/s': ({ amount, seconds }) => (8 * amount) / seconds / 1e6,
  'bytes/ms': ({ amount, seconds }) => amount / seconds / 1e3,
  'iterations/ms': ({ amount, seconds }) => amount / seconds / 1e3,
  ms: ({ seconds }) => 1000 * seconds,
  s: ({ seconds }) => seconds,
  GHz: ({ amount, seconds }) => amount / seconds / 1e9,
};

const at = (size: number) => (task: string) => ({ task, size });
const [ofStark, ofLipmaa, ofShort] = [at(STARK_BYTES), at(LIPMAA_BYTES), at(LIPMAA_SHORT_BYTES)];

type Find = (figure: PrintedFigure) => Measure | undefined;

const MEASURES: Readonly<Record<PrintedFigure['work'], Find>> = {
  stark: ofStarks,
  lipmaa: ofLipmaas,
  yang: ofYangs,
  tarr: ofTarrs,
  pomcor: ofPomcors,
};

/** Rows of the work of 2009, and their tasks. */
const STARK_TASKS: Readonly<Record<string, string>> = {
  'III Our code': 'AES-128-ECB',
  'VII AES': unrollingTask('None'),
  'VII AES unrolled': unrollingTask('Round'),
  'VII SHA-256': 'SHA-256',
  'VII Salsa20/12': 'Salsa20/12',
};

const TABLES: Measure = { of: { task: TABLES_TASK, size: 1 }, unit: 'ms' };

function ofStarks({ table, row, column, unit }: PrintedFigure): Measure | undefined {
  if (column.startsWith('Size')) return undefined;
  if (table === 'IV') return row === 'Nothing' ? TABLES : undefined;
  if (table === 'V') {
    const of = ofStark(unrollingTask(row as Unrolling));
    return unit === 'kB/s' ? { of, unit } : { of, unit: '%', over: ofStark(unrollingTask('None')) };
  }
  if (table === 'VI') return unrolledMode('OCB', row as ModeUnrolling, unit);
  if (row.startsWith('Unrolling short loops in CCM,')) return unrolledMode('CCM', 'Short', '%');
  if (row === 'Unrolling short loops in OCB, Firefox 3.5: gain') {
    return unrolledMode('OCB', 'Short', '%');
  }
  if (row.startsWith('Precomputation')) return TABLES;
  if (row.startsWith('Salsa20/12 over')) {
    return { of: ofStark('Salsa20/12'), unit: 'x', over: ofStark('AES-128-ECB') };
  }
  const task = STARK_TASKS[`${table} ${row}`];
  return task === undefined ? undefined : { of: ofStark(task), unit: 'kB/s' };
}

function unrolledMode(mode: 'OCB' | 'CCM', variant: ModeUnrolling, unit: string): Measure {
  const of = ofStark(modeUnrollingTask(mode, variant));
  return unit === 'kB/s'
    ? { of, unit }
    : { of, unit: '%', over: ofStark(modeUnrollingTask(mode, 'None')) };
}

const LIPMAA_COLUMNS: Readonly<Record<string, string>> = {
  'Encryption key schedule (C)': 'AES-128 key schedule',
  'ECB encryption (assembly)': 'AES-128-ECB',
  'ECB decryption (assembly)': 'AES-128-ECB decryption',
  'OCB encryption': 'AES-128-OCB',
};

function ofLipmaas({ table, row, column, unit }: PrintedFigure): Measure | undefined {
  if (table === 'throughput') {
    const task = row.startsWith('IDEA') ? cipherTask('IDEA') : 'AES-128-ECB';
    const of = ofLipmaa(row.startsWith('AES · OCB') ? 'AES-128-OCB' : task);
    return { of, unit: unit === 'Mbit/s' ? 'Mbit/s' : 'MB/s' };
  }
  if (table === 'OCB figures of 2001') {
    const [mode] = row.split(' · ');
    return { of: ofShort(`AES-128-${mode}`), unit: 'cycles/byte' };
  }
  if (table === 'test runs of 2008') {
    return { of: ofLipmaa(LIPMAA_COLUMNS[column]!), unit: 'cycles' };
  }
  if (row.startsWith('OCB over CBC for')) {
    return {
      of: ofShort('AES-128-OCB'),
      unit: '%',
      over: ofShort('AES-128-CBC'),
      slower: true,
    };
  }
  if (!row.startsWith('OCB over CBC and CBC-MAC')) return undefined;
  return {
    of: ofShort('AES-128-OCB'),
    unit: 'x',
    over: ofShort('AES-128-CBC'),
    and: ofShort('AES-128-CBC-MAC'),
  };
}

/** The ratio of WebGL to JavaScript is one of two engines, each of which is shown. */
function ofYangs({ row }: PrintedFigure): Measure | undefined {
  const size = row.startsWith('WebGL over') ? 1 << 20 : row.startsWith('Packet') ? 1 << 14 : 0;
  return size === 0 ? undefined : { of: { task: 'AES-128-ECB', size }, unit: 'MB/s' };
}

/** Of the lengths that both modes have. */
const TARR_SIZE = 1_000_000;
const TARR_ITERATIONS = 1000;

function ofTarrs({ row }: PrintedFigure): Measure | undefined {
  if (row.startsWith('SHA-256: rate')) {
    return { of: { task: 'SHA-256', size: TARR_SIZE }, unit: 'bytes/ms' };
  }
  if (!row.startsWith('PBKDF2')) return undefined;
  const derivation = at(TARR_ITERATIONS);
  return {
    of: derivation(pbkdf2Task('SHA-256')),
    unit: 'x',
    over: derivation(pbkdf2Task('SHA-1')),
  };
}

const powerAt = (scheme: PowerSize['scheme'], strength: number, modulus: number): Measured => ({
  task: powerTask({ scheme, strength }),
  size: modulus,
});

/** A whole operation, whose size is the strength. */
export function operation(what: Operation, strength: number, unit: 's' | 'ms'): Measure {
  return { of: { task: operationTask(what, strength), size: strength }, unit };
}

function ofPomcors({ table, row, column }: PrintedFigure): Measure | undefined {
  if (column === 'Printed improvement') return undefined;
  if (/^[1-4]$/.test(table)) {
    const [strength, , , modulus] = row.match(/\d+/g)!.map(Number);
    const scheme = table === '1' || table === '3' ? 'DSA and DH' : 'RSA by CRT';
    return { of: powerAt(scheme, strength!, modulus!), unit: 'ms' };
  }
  switch (row) {
    case 'Laptop, DSA signature at strength 256':
      return { of: powerAt('DSA and DH', 256, 15_360), unit: 's' };
    case 'Phone, DSA signature at strength 192':
      return { of: powerAt('DSA and DH', 192, 7680), unit: 's' };
    case 'Laptop, RSA private operation at strength 192':
      return operation('RSA private operation', 192, 's');
    case 'Phone, RSA private operation at strengths 112 and 128':
      return operation('RSA private operation', 128, 's');
    default:
      return undefined;
  }
}
