import { TEXT_COLUMNS, type PrintedTable, type PrintedWork } from './table.ts';

const BROWSERS = ['Chrome', 'IE 8b', 'Safari 4', 'Firefox 3.0', 'Firefox 3.5b5'];

const inEachBrowser = (unit: string): PrintedTable['columns'] =>
  BROWSERS.map((browser) => [browser, unit]);

const withChange = (name: string, unit: string): PrintedTable['columns'] => [
  [name, unit],
  [`${name} change`, '%'],
];

/** Of Tables V and VI: the changes are against the first row. */
const UNROLLING_COLUMNS: PrintedTable['columns'] = [
  ['Unroll'],
  ...withChange('Size', 'bytes'),
  ...BROWSERS.flatMap((browser) => withChange(browser, 'kB/s')),
];

/** E. Stark, M. Hamburg, D. Boneh: Symmetric Cryptography in Javascript (2009). */
export const STARK: PrintedWork = {
  id: 'stark',
  title: 'Symmetric Cryptography in Javascript',
  authors: 'E. Stark, M. Hamburg, D. Boneh',
  year: 2009,
  machine:
    'Lenovo ThinkPad T61, Intel Core 2 Duo 2.1 GHz, 32-bit Windows Vista; Chrome, Internet Explorer 8 beta, Safari 4, Firefox 3.0, Firefox 3.5 beta 5',
  tables: [
    {
      table: 'III',
      caption: 'Minified size and speed of JavaScript AES implementations',
      keys: 1,
      columns: [['Implementation'], ['Size', 'bytes'], ...inEachBrowser('kB/s')],
      rows: [
        ['Our code', 5687, 585.2, 60.4, 264.8, 97.4, 451.6],
        ['Clipperz', 9395, 58.6, 2.1, 12.3, 4.8, 5.4],
        ['EKU', 14667, 99, 2.7, 136.9, 5.1, 42.8],
        ['BrowserSync', 15916, 125.9, 5.2, 231.5, 21.8, 62.3],
        ['Javascrypt', 6455, 16.2, 1.3, 33.6, 13.3, 13.9],
        ['Movable Type', 6460, 111.4, 5.2, 110.7, 13.1, 45.8],
      ],
      unmeasured: {
        columns: { Size: 'build', 'IE 8b': 'internet-explorer', 'Safari 4': 'safari' },
        rows: {
          Clipperz: 'other-code',
          EKU: 'other-code',
          BrowserSync: 'other-code',
          Javascrypt: 'other-code',
          'Movable Type': 'other-code',
        },
      },
    },
    {
      table: 'III, last row',
      caption: "Improvement of the authors' code over the best earlier one in each column",
      keys: 1,
      columns: [['Row'], ['Size', '%'], ...inEachBrowser('%')],
      rows: [['Improvement', 12, 365, 1062, 14, 347, 625]],
      unmeasured: 'other-code',
    },
    {
      table: 'IV',
      caption: 'What is hard-coded: minified size, and time of precomputation at load',
      keys: 1,
      columns: [['Hardcode'], ['Size', 'bytes'], ...inEachBrowser('ms')],
      rows: [
        ['Nothing', 5687, 0.89, 7.85, 1.59, 2.93, 3.03],
        ['S-box only', 8788, 0.78, 7.33, 1.59, 2.77, 3.04],
        ['Everything', 32799, null, null, null, null, null],
      ],
      unmeasured: {
        columns: { Size: 'build', 'IE 8b': 'internet-explorer', 'Safari 4': 'safari' },
        rows: { 'S-box only': 'build', Everything: 'build' },
      },
    },
    {
      table: 'V',
      caption:
        'Loop unrolling in the AES encryption function: minified size and speed, with change against None',
      keys: 1,
      columns: UNROLLING_COLUMNS,
      rows: [
        ['None', 5687, null, 1524, null, 153, null, 256, null, 260, null, 326, null],
        ['Short', 6485, 14, 1596, 5, 136, -11, 248, -3, 253, -3, 313, -4],
        ['Round', 8814, 55, 1836, 20, 233, 52, 223, -13, 453, 74, 270, -17],
      ],
      unmeasured: {
        columns: {
          Size: 'build',
          'Size change': 'build',
          'IE 8b': 'internet-explorer',
          'IE 8b change': 'internet-explorer',
          'Safari 4': 'safari',
          'Safari 4 change': 'safari',
        },
      },
    },
    {
      table: 'VI',
      caption:
        'Loop unrolling in the OCB implementation: minified size and speed, with change against None',
      keys: 1,
      columns: UNROLLING_COLUMNS,
      rows: [
        ['None', 3772, null, 183, null, 34.9, null, 54.2, null, 60, null, 42, null],
        ['Short', 4221, 12, 193, 5, 34.7, 0, 53.9, -1, 59.8, 0, 47, 12],
      ],
      unmeasured: {
        columns: {
          Size: 'build',
          'Size change': 'build',
          'IE 8b': 'internet-explorer',
          'IE 8b change': 'internet-explorer',
          'Safari 4': 'safari',
          'Safari 4 change': 'safari',
        },
      },
    },
    {
      table: 'VII',
      caption: 'AES, SHA-256 and Salsa20/12, all by the authors',
      keys: 1,
      columns: [['Algorithm'], ...inEachBrowser('kB/s')],
      rows: [
        ['AES', 679.4, 63.2, 248, 124.5, 347.2],
        ['AES unrolled', 753.6, 92, 214, 173.5, 289.4],
        ['SHA-256', 131.9, 38.6, 71.3, 50.9, 153.2],
        ['Salsa20/12', 452.2, 148.8, 266, 161.8, 283.1],
      ],
      unmeasured: { columns: { 'IE 8b': 'internet-explorer', 'Safari 4': 'safari' } },
    },
    {
      table: 'text',
      caption: 'Figures in the running text',
      keys: 1,
      columns: TEXT_COLUMNS,
      rows: [
        [
          'Precomputation of S-box and round tables, each load of the library, worst case',
          10,
          'ms',
          'less than',
        ],
        ['Load time that hard-coding S-box and T-tables can save', 8, 'ms', 'at most'],
        [
          'Code that precomputes the tables, smaller than a hard-coded S-box of earlier libraries by',
          60,
          '%',
          'about',
        ],
        ['Unrolling short loops in CCM, Firefox 3.5: gain', 5, '%', 'about'],
        ['Unrolling short loops in OCB, Firefox 3.5: gain', 12, '%', 'about'],
        [
          'Unrolling short loops in CCM and OCB, Chrome: gain',
          null,
          '%',
          'not significant, no number in the text; Table VI prints +5 % for OCB',
        ],
        ['Unrolling short loops in OCB: growth of code', 12, '%', ''],
        ['Short loops: turns, at most', 4, 'turns', ''],
        ['Rounds of AES-128 in the unrolled loop', 10, 'rounds', ''],
        [
          'Salsa20/12 over AES-128, both native x86',
          5,
          'x',
          'about; cited, not measured in JavaScript',
        ],
        ['Library over earlier JavaScript AES: speed', 4, 'x', ''],
        ['Library under earlier JavaScript AES: size', 12, '%', ''],
      ],
      unmeasured: {
        rows: {
          'Load time that hard-coding S-box and T-tables can save': 'build',
          'Code that precomputes the tables, smaller than a hard-coded S-box of earlier libraries by':
            'build',
          'Unrolling short loops in OCB: growth of code': 'build',
          'Short loops: turns, at most': 'setting',
          'Rounds of AES-128 in the unrolled loop': 'setting',
          'Library over earlier JavaScript AES: speed': 'other-code',
          'Library under earlier JavaScript AES: size': 'other-code',
        },
      },
    },
  ],
};
