/** What a page shows of a result: a figure of ours beside one of theirs, and plots. */
import { measureOf, valueOf, type Measure } from './beside.ts';
import type { PrintedFigure, WorkId } from './printed/table.ts';
import { printedFigure } from './printed/works.ts';
import { sampleOf, type LabEngine, type LabResult, type Sample } from './result.ts';
import {
  cipherTask,
  LIPMAA_BYTES,
  LIPMAA_SHORT_BYTES,
  modeUnrollingTask,
  PACKETS,
  PRODUCT_BITS,
  productTask,
  pbkdf2Task,
  POWER_SIZES,
  powerTask,
  STARK_BYTES,
  TARR_HASHES,
  unrollingTask,
} from './tasks.ts';

/** A printed figure and ours in the same unit. */
export interface Headline {
  readonly printed: PrintedFigure;
  /** "2009, Firefox 3.5" */
  readonly when: string;
  readonly unit: 'kB/s' | 'bytes/ms' | 'ms' | '%' | 'x';
  readonly theirs: number;
  readonly ours: number;
  /** How often ours is as good; only of speeds and times. */
  readonly factor?: number;
}

/** Lines, or bars that lie beside their names. */
export interface Plot {
  readonly kind: 'lines' | 'rows';
  /** What it shows, in the language of the works: their own captions are English. */
  readonly title: string;
  /** Of the axis of values. */
  readonly unit: string;
  /** What stands at the other axis: lengths of messages, numbers of iterations, or names. */
  readonly labelsAre: 'bytes' | 'iterations' | 'names';
  readonly labels: readonly (string | number)[];
  readonly series: readonly {
    readonly name: string;
    readonly values: readonly (number | null)[];
  }[];
}

const OURS = ['js', 'wasm-simd'] as const satisfies readonly LabEngine[];
const CARDS = ['webgl', 'webgpu'] as const satisfies readonly LabEngine[];

/** The engines of a work, in the order of columns. */
export const enginesOf = (work: WorkId): readonly LabEngine[] =>
  work === 'yang' ? [...OURS, ...CARDS] : OURS;

/** The figure that says most about a work; undefined where nothing of ours answers it. */
export function headlineOf({ work, samples }: LabResult): Headline | undefined {
  switch (work) {
    case 'stark':
      return speedHeadline('2009, Firefox 3.5', samples, [
        ...(['stark', 'III', 'Our code', 'Firefox 3.5b5'] as const),
      ]);
    case 'lipmaa':
      return overhead(samples);
    case 'yang':
      return overJavaScript(samples);
    case 'tarr':
      return speedHeadline('2014, node 0.10, forge', samples, [
        ...(['tarr', 'text', 'SHA-256: rate of forge', 'Value'] as const),
      ]);
    case 'pomcor':
      return speedHeadline('2015, Firefox, SJCL', samples, [
        ...([
          'pomcor',
          '1',
          'NIST strength 112 · g 2048 · x 224 · m 2048',
          'Stanford JS Crypto Lib',
        ] as const),
      ]);
  }
}

function speedHeadline(
  when: string,
  samples: readonly Sample[],
  place: Parameters<typeof printedFigure>,
): Headline | undefined {
  const printed = printedFigure(...place);
  const unit = printed.unit as 'kB/s' | 'bytes/ms' | 'ms';
  const values = OURS.map((engine) => valueOf(measureOf(printed)!, samples, engine));
  const found = values.filter((value) => value !== undefined);
  if (found.length === 0) return undefined;
  const ours = unit === 'ms' ? Math.min(...found) : Math.max(...found);
  const factor = unit === 'ms' ? printed.value / ours : ours / printed.value;
  return { printed, when, unit, theirs: printed.value, ours, factor };
}

/** What OCB costs over ECB, in the engine that is not bound to tables if there is one. */
function overhead(samples: readonly Sample[]): Headline | undefined {
  const row = 'Intel Core 2 Quad Q9550, 2.83 GHz, stepping 7 · gcc 4.2.3';
  const printed = printedFigure('lipmaa', 'test runs of 2008', row, 'OCB encryption');
  const base = printedFigure('lipmaa', 'test runs of 2008', row, 'ECB encryption (assembly)');
  const measure: Measure = {
    of: { task: 'AES-128-OCB', size: LIPMAA_BYTES },
    unit: '%',
    slower: true,
    over: { task: 'AES-128-ECB', size: LIPMAA_BYTES },
  };
  const ours = valueOf(measure, samples, 'wasm-simd') ?? valueOf(measure, samples, 'js');
  if (ours === undefined) return undefined;
  const theirs = 100 * (printed.value / base.value - 1);
  return { printed, when: '2008, Core 2 Quad', unit: '%', theirs, ours };
}

function overJavaScript(samples: readonly Sample[]): Headline | undefined {
  const row = 'WebGL over pure JavaScript (SJCL), packets of 1 MB and more';
  const printed = printedFigure('yang', 'text', row, 'Value');
  const rate = (engine: LabEngine) => rateOf(samples, 'AES-128-ECB', PACKETS.at(-1)!, engine);
  const js = rate('js');
  const best = Math.max(...CARDS.map((card) => rate(card) ?? 0));
  if (js === null || best === 0) return undefined;
  return { printed, when: '2013', unit: 'x', theirs: printed.value, ours: best / js };
}

/** Amounts per second; null where there is no sample. */
function rateOf(samples: readonly Sample[], task: string, size: number, engine: LabEngine) {
  const sample = sampleOf(samples, task, size, engine);
  return sample && sample.seconds > 0 ? sample.amount / sample.seconds : null;
}

/** The plots of a result. */
export function plotsOf({ work, samples }: LabResult): readonly Plot[] {
  switch (work) {
    case 'stark':
      return [tableFive(samples), tableSix(samples), tableSeven(samples)];
    case 'lipmaa':
      return [lipmaaPlot(samples), costOfModes(samples)];
    case 'yang':
      return [ratePlot('AES-128-ECB', samples, ['AES-128-ECB'], enginesOf(work), 'bytes')];
    case 'tarr':
      return [
        ratePlot('SHA-1, SHA-256', samples, TARR_HASHES, OURS, 'bytes'),
        ratePlot('PBKDF2', samples, TARR_HASHES.map(pbkdf2Task), OURS, 'iterations'),
      ];
    case 'pomcor':
      return [pomcorPlot(samples), karatsubaPlot(samples)];
  }
}

const per = (value: number | null, unit: number): number | null => value && value / unit;

/** Rows of a table of 2009: the two browsers that still exist, and ours. */
function starkPlot(
  table: string,
  title: string,
  samples: readonly Sample[],
  rows: readonly (readonly [row: string, task: string])[],
): Plot {
  const printed = (column: string) =>
    rows.map(([row]) => printedFigure('stark', table, row, column).value);
  const own = OURS.map((name) => ({
    name,
    values: rows.map(([, task]) => per(rateOf(samples, task, STARK_BYTES, name), 1e3)),
  }));
  return {
    kind: 'rows',
    title: `${table}: ${title}`,
    unit: 'kB/s',
    labelsAre: 'names',
    labels: rows.map(([row]) => row),
    series: [
      { name: 'Chrome, 2009', values: printed('Chrome') },
      { name: 'Firefox 3.5, 2009', values: printed('Firefox 3.5b5') },
      // The variants are written in JavaScript alone.
      ...own.filter(({ values }) => values.some((value) => value !== null)),
    ],
  };
}

function tableFive(samples: readonly Sample[]): Plot {
  const rows = (['None', 'Short', 'Round'] as const).map(
    (variant) => [variant, unrollingTask(variant)] as const,
  );
  return starkPlot('V', 'loops of AES unrolled', samples, rows);
}

function tableSix(samples: readonly Sample[]): Plot {
  const rows = (['None', 'Short'] as const).map(
    (variant) => [variant, modeUnrollingTask('OCB', variant)] as const,
  );
  return starkPlot('VI', 'loops of OCB unrolled', samples, rows);
}

function tableSeven(samples: readonly Sample[]): Plot {
  return starkPlot('VII', 'AES, SHA-256, Salsa20/12', samples, [
    ['AES', 'AES-128-ECB'],
    ['AES unrolled', unrollingTask('Round')],
    ['SHA-256', 'SHA-256'],
    ['Salsa20/12', 'Salsa20/12'],
  ]);
}

/** Modes of AES, and the other ciphers. */
function lipmaaPlot(samples: readonly Sample[]): Plot {
  const modes = ['ECB', 'CBC', 'CBC-MAC', 'OCB'].map((mode) => [`AES ${mode}`, `AES-128-${mode}`]);
  const ciphers = ['IDEA', 'Twofish', 'RC6', 'MARS', 'Serpent', 'SC2000'];
  const rows = [...modes, ...ciphers.map((name) => [name, cipherTask(name)])];
  const engines = [...OURS, 'wasm-simd, single'] as const;
  return {
    kind: 'rows',
    title: 'Modes of AES, and the other ciphers',
    unit: 'MB/s',
    labelsAre: 'names',
    labels: rows.map(([name]) => name!),
    series: engines.map((name) => ({
      name,
      values: rows.map(([, task]) => per(rateOf(samples, task!, LIPMAA_BYTES, name), 1e6)),
    })),
  };
}

/** What a mode costs: its time over that of ECB in the same engine, at both lengths. */
function costOfModes(samples: readonly Sample[]): Plot {
  const modes = ['CBC', 'CBC-MAC', 'OCB'];
  const lengths = [
    ['8,000 blocks', LIPMAA_BYTES],
    ['1 KB', LIPMAA_SHORT_BYTES],
  ] as const;
  const quotient = (mode: string, size: number, engine: LabEngine): number | null => {
    const time = sampleOf(samples, `AES-128-${mode}`, size, engine)?.seconds;
    const ecb = sampleOf(samples, 'AES-128-ECB', size, engine)?.seconds;
    return time && ecb ? time / ecb : null;
  };
  return {
    kind: 'rows',
    title: 'Time of a mode of AES over that of ECB',
    unit: '×',
    labelsAre: 'names',
    labels: modes,
    series: lengths.flatMap(([length, size]) =>
      OURS.map((engine) => ({
        name: `${engine}, ${length}`,
        values: modes.map((mode) => quotient(mode, size, engine)),
      })),
    ),
  };
}

/** Rates of tasks by size, a line for each engine. */
function ratePlot(
  title: string,
  samples: readonly Sample[],
  tasks: readonly string[],
  engines: readonly LabEngine[],
  labelsAre: 'bytes' | 'iterations',
): Plot {
  const own = samples.filter(({ task }) => tasks.includes(task));
  const sizes = [...new Set(own.map(({ size }) => size))].sort((a, b) => a - b);
  const lines = tasks.flatMap((task) => engines.map((engine) => ({ task, engine })));
  const isBytes = labelsAre === 'bytes';
  return {
    kind: 'lines',
    title,
    unit: isBytes ? 'MB/s' : 'iterations/ms',
    labelsAre,
    labels: sizes,
    series: lines
      .filter(({ task, engine }) => own.some((it) => it.task === task && it.engine === engine))
      .map(({ task, engine }) => ({
        name: tasks.length > 1 ? `${task}, ${engine}` : engine,
        values: sizes.map((size) => per(rateOf(samples, task, size, engine), isBytes ? 1e6 : 1e3)),
      })),
  };
}

/** The time of products and squares by length, by rows and by Karatsuba's identity. */
function karatsubaPlot(samples: readonly Sample[]): Plot {
  const lines = (['product', 'square'] as const).flatMap((kind) =>
    (['rows', 'Karatsuba'] as const).map((method) => productTask(kind, method)),
  );
  return {
    kind: 'lines',
    title: "Products by rows and by Karatsuba's identity",
    unit: 'ms',
    labelsAre: 'names',
    labels: PRODUCT_BITS.map((bits) => `${bits} bits`),
    series: lines.map((task) => ({
      name: task,
      values: PRODUCT_BITS.map((size) =>
        per(sampleOf(samples, task, size, 'js')?.seconds ?? null, 1e-3),
      ),
    })),
  };
}

/** Tables 1 and 2. */
function pomcorPlot(samples: readonly Sample[]): Plot {
  const printed = (column: string) =>
    POWER_SIZES.map(({ scheme, strength, modulus, exponent }) => {
      const isRsa = scheme === 'RSA by CRT';
      const base = isRsa ? exponent : modulus;
      const row = `NIST strength ${strength} · g ${base} · x ${exponent} · m ${modulus}`;
      return printedFigure('pomcor', isRsa ? '2' : '1', row, column).value;
    });
  const own = (engine: LabEngine) =>
    POWER_SIZES.map(
      (size) =>
        valueOf(
          { of: { task: powerTask(size), size: size.modulus }, unit: 'ms' },
          ...([samples, engine] as const),
        ) ?? null,
    );
  return {
    kind: 'rows',
    title: 'Modular exponentiation',
    unit: 'ms',
    labelsAre: 'names',
    labels: POWER_SIZES.map(
      ({ scheme, strength }) => `${scheme === 'RSA by CRT' ? 'RSA' : 'DSA'} ${strength}`,
    ),
    series: [
      { name: 'SJCL, 2015', values: printed('Stanford JS Crypto Lib') },
      { name: 'Pomcor, 2015', values: printed('Pomcor JS Big Int Lib') },
      ...OURS.map((name) => ({ name, values: own(name) })),
    ],
  };
}
