/** What follows from printed figures by arithmetic, with the same arithmetic on ours. */
import { operation, type Measure } from './beside.ts';
import type { WorkId } from './printed/table.ts';
import {
  cipherTask,
  CLOCK_TASK,
  LIPMAA_BYTES,
  LIPMAA_SHORT_BYTES,
  PRODUCT_BITS,
  productTask,
  STARK_BYTES,
  TARR_HASHES,
  unrollingTask,
} from './tasks.ts';

/** One of them. */
export interface DerivedFigure {
  readonly what: string;
  /** As it follows from the printed figures; '' where they give none. */
  readonly printed: string;
  readonly measure: Measure;
}

const at = (size: number) => (task: string) => ({ task, size });
const [ofStark, ofLipmaa, ofShort] = [at(STARK_BYTES), at(LIPMAA_BYTES), at(LIPMAA_SHORT_BYTES)];

type Of = (task: string) => Measure['of'];

/** How much longer a task takes than another, in percent. */
const costs = (of: Of, task: string, over: string): Measure => ({
  of: of(task),
  over: of(over),
  unit: '%',
  slower: true,
});

const cyclesPerByte = (of: Of, task: string): Measure => ({ of: of(task), unit: 'cycles/byte' });

const CIPHERS = ['IDEA', 'Twofish', 'RC6', 'MARS', 'Serpent', 'SC2000'];

const LENGTHS = [
  ['8,000 blocks', ofLipmaa],
  ['1 KB', ofShort],
] as const;

/** Of both lengths; the pages print the first four at one length each. */
const LIPMAA_DERIVED: readonly DerivedFigure[] = [
  ...LENGTHS.flatMap(([length, of]): DerivedFigure[] => {
    const isLong = of === ofLipmaa;
    const named = (what: string) => `${what}, ${length}`;
    return [
      { what: named('Clock, measured'), printed: '', measure: { of: of(CLOCK_TASK), unit: 'GHz' } },
      {
        what: named('ECB'),
        printed: isLong ? '14.4 and 14.3 cycles/byte' : '',
        measure: cyclesPerByte(of, 'AES-128-ECB'),
      },
      {
        what: named('ECB decryption'),
        printed: isLong ? '14.8 cycles/byte' : '',
        measure: cyclesPerByte(of, 'AES-128-ECB decryption'),
      },
      {
        what: named('CBC'),
        printed: isLong ? '' : '15.9 cycles/byte',
        measure: cyclesPerByte(of, 'AES-128-CBC'),
      },
      {
        what: named('CBC decryption'),
        printed: '',
        measure: cyclesPerByte(of, 'AES-128-CBC decryption'),
      },
      {
        what: named('CBC-MAC'),
        printed: isLong ? '' : '15.5 cycles/byte',
        measure: cyclesPerByte(of, 'AES-128-CBC-MAC'),
      },
      {
        what: named('OCB'),
        printed: isLong ? '15.7 and 15.6 cycles/byte' : '16.9 cycles/byte',
        measure: cyclesPerByte(of, 'AES-128-OCB'),
      },
      {
        what: named('OCB decryption'),
        printed: '',
        measure: cyclesPerByte(of, 'AES-128-OCB decryption'),
      },
      {
        what: named('Key schedule, in the time of a block of ECB'),
        printed: isLong ? '0.83 and 0.63 blocks' : '',
        measure: { of: of('AES-128 key schedule'), over: of('AES-128-ECB'), unit: 'blocks' },
      },
      {
        what: named('OCB takes longer than ECB by'),
        printed: isLong ? '9.1 and 9.6 %' : '',
        measure: costs(of, 'AES-128-OCB', 'AES-128-ECB'),
      },
      {
        what: named('OCB decryption takes longer than ECB decryption by'),
        printed: '',
        measure: costs(of, 'AES-128-OCB decryption', 'AES-128-ECB decryption'),
      },
      {
        what: named('OCB takes longer than CBC by'),
        printed: isLong ? '' : '6.3 %',
        measure: costs(of, 'AES-128-OCB', 'AES-128-CBC'),
      },
      {
        what: named('CBC and CBC-MAC one after the other, in the time of OCB'),
        printed: isLong ? '' : '1.86 ×',
        measure: {
          of: of('AES-128-OCB'),
          unit: 'x',
          over: of('AES-128-CBC'),
          and: of('AES-128-CBC-MAC'),
        },
      },
    ];
  }),
  ...CIPHERS.flatMap((name): DerivedFigure[] => [
    {
      what: `${name}, 8,000 blocks of 16 bytes`,
      printed: name === 'IDEA' ? '14.4 cycles/byte' : '',
      measure: cyclesPerByte(ofLipmaa, cipherTask(name)),
    },
    {
      what: `${name} decryption, 8,000 blocks of 16 bytes`,
      printed: '',
      measure: cyclesPerByte(ofLipmaa, `${cipherTask(name)} decryption`),
    },
  ]),
  {
    what: 'Speed of IDEA, four blocks and more at once, over that of AES-OCB',
    printed: '0.854 ×',
    measure: { of: ofLipmaa(cipherTask('IDEA')), over: ofLipmaa('AES-128-OCB'), unit: 'x' },
  },
];

const overAes = (task: string, aes: string): Measure => ({
  of: ofStark(task),
  over: ofStark(aes),
  unit: 'x',
});

const STARK_DERIVED: readonly DerivedFigure[] = [
  {
    what: 'VII: speed of SHA-256 over that of AES',
    printed: '0.194 × (Chrome), 0.441 × (Firefox 3.5)',
    measure: overAes('SHA-256', 'AES-128-ECB'),
  },
  {
    what: 'VII: speed of Salsa20/12 over that of AES',
    printed: '0.666 × (Chrome), 0.815 × (Firefox 3.5)',
    measure: overAes('Salsa20/12', 'AES-128-ECB'),
  },
  {
    what: 'VII: speed of AES unrolled over that of AES',
    printed: '1.11 × (Chrome), 0.834 × (Firefox 3.5)',
    measure: overAes(unrollingTask('Round'), unrollingTask('None')),
  },
];

/** The sizes between which each hash of 2014 is asked to be in proportion. */
const [LESS, MORE] = [1e5, 1e7];

const TARR_DERIVED: readonly DerivedFigure[] = TARR_HASHES.map((hash) => ({
  what: `${hash}: time of a byte of 10 MB over that of 100 kB, beyond proportion`,
  printed: '',
  measure: {
    of: { task: hash, size: MORE },
    over: { task: hash, size: LESS },
    ...({ unit: '%', slower: true } as const),
  },
}));

/** Exponentiations of an operation, by the work, and its time for one on the laptop. */
const POMCOR_DERIVED: readonly DerivedFigure[] = (
  [
    ['DSA signature', 112, '1 × 10 ms'],
    ['DSA signature', 128, '1 × 23 ms'],
    ['DSA verification', 112, '2 × 10 ms'],
    ['DSA verification', 128, '2 × 23 ms'],
    ['DH shared secret', 112, '1 × 10 ms'],
    ['DH shared secret', 128, '1 × 23 ms'],
    ['RSA private operation', 112, '2 × 25 ms'],
    ['RSA private operation', 128, '2 × 75 ms'],
    ['RSA private operation', 192, '2 × 882 ms'],
  ] as const
).map(([what, strength, printed]) => ({
  what: `${what} in whole, strength ${strength}`,
  printed,
  measure: operation(what, strength, 'ms'),
}));

/** Above 1 Karatsuba's identity pays: the work saw no gain up to 3,840 bits. */
const KARATSUBA_DERIVED: readonly DerivedFigure[] = (['product', 'square'] as const).flatMap(
  (kind) =>
    PRODUCT_BITS.map((size) => ({
      what: `Speed of a ${kind} of ${size.toLocaleString('en')} bits by Karatsuba over that by rows`,
      printed: size <= 3840 ? 'no gain' : '',
      measure: {
        of: { task: productTask(kind, 'Karatsuba'), size },
        unit: 'x',
        over: { task: productTask(kind, 'rows'), size },
      },
    })),
);

/** Over the table of derived figures, in the language of the works. */
export const DERIVED_CAPTION = 'Derived, by the same arithmetic from theirs and ours';

/** By work, in the order of its tables. */
export const DERIVED: Readonly<Record<WorkId, readonly DerivedFigure[]>> = {
  stark: STARK_DERIVED,
  lipmaa: LIPMAA_DERIVED,
  yang: [],
  tarr: TARR_DERIVED,
  pomcor: [...POMCOR_DERIVED, ...KARATSUBA_DERIVED],
};
