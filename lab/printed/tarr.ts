import { TEXT_COLUMNS, type PrintedWork } from './table.ts';

/** D. Tarr: Performance of various javascript crypto implementations (2014). */
export const TARR: PrintedWork = {
  id: 'tarr',
  title: 'Performance of various javascript crypto implementations',
  authors: 'D. Tarr',
  year: 2014,
  machine: 'MacBook Air 11″, Arch Linux, node 0.10.24',
  tables: [
    {
      table: 'text',
      caption: 'Figures in the text',
      keys: 1,
      columns: TEXT_COLUMNS,
      rows: [
        [
          'SHA-1: size from which on crypto-browserify is more efficient than below, and ahead of forge',
          2,
          'MB',
          'about',
        ],
        ['SHA-256: rate of forge', 20000, 'bytes/ms', 'over'],
        [
          'SHA-256: rate of crypto-browserify',
          20000,
          'bytes/ms',
          "over; about crypto-browserify's SHA-1",
        ],
        ['PBKDF2: sjcl with SHA-256 over sjcl with SHA-1, iterations per ms', 4, 'x', 'about'],
        ['Largest message', 10, 'MB', ''],
        ['Most iterations', 10000, 'iterations', ''],
        ['Least time for a measured point; repeated until then', 100, 'ms', 'more than'],
      ],
      unmeasured: {
        rows: {
          'SHA-1: size from which on crypto-browserify is more efficient than below, and ahead of forge':
            'other-code',
          'Largest message': 'setting',
          'Most iterations': 'setting',
          'Least time for a measured point; repeated until then': 'setting',
        },
      },
    },
    {
      table: 'graphs',
      caption: 'Inventory of the eight graphs; none is in the text',
      keys: 1,
      columns: [['Graph'], ['x'], ['y'], ['What the text says']],
      rows: [
        [
          'SHA-1, time by size',
          'bytes, 0-10 MB',
          'ms',
          'all about linear; forge slightly ahead of crypto-browserify under 2 MB; sjcl and crypto-js much slower',
        ],
        ['SHA-1, rate by size', 'bytes', 'bytes/ms', 'crypto-browserify improves with size'],
        [
          'SHA-256, time by size',
          'bytes, 0-10 MB',
          'ms',
          'forge ahead of crypto-browserify; sjcl and crypto-js as for SHA-1',
        ],
        [
          'SHA-256, rate by size',
          'bytes',
          'bytes/ms',
          'forge and crypto-browserify over 20,000 bytes/ms; no improvement with size',
        ],
        [
          'PBKDF2-SHA-1, time by iterations',
          'iterations, 1-10,000',
          'ms',
          "crypto-js not linear, off the others' scale",
        ],
        ['PBKDF2-SHA-1, rate by iterations', 'iterations', 'iterations/ms', 'sjcl fastest'],
        [
          'PBKDF2-SHA-256, time by iterations',
          'iterations, 1-10,000',
          'ms',
          'crypto-js not linear',
        ],
        [
          'PBKDF2-SHA-256, rate by iterations',
          'iterations',
          'iterations/ms',
          'sjcl fastest, about 4 x its SHA-1',
        ],
      ],
    },
  ],
};
