import type { Arguments, HostileValue } from './hostile-values.ts';

/*
 * The table of calls that no page should make: every method of the page's contract, every argument
 * of it, and the code that the contract (src/client/page-api.ts) has for each mistake.
 */

/** What is expected of a call: a code, or the name of a DOMException, or "resolved". */
export interface BadCall {
  readonly args: Arguments;
  readonly expected: string;
}

export const hostile = (name: string): HostileValue => ({ $hostile: name });

type Values = readonly unknown[];
const named = (...names: string[]): Values => names.map(hostile);

/** Neither bytes, nor text, nor a number, nor a record with known fields. */
const NOTHING_KNOWN: Values = [
  null,
  true,
  [],
  {},
  { length: 4 },
  { $comment: 'some other field' },
  ...named(
    'a bigint',
    'a symbol',
    'a function',
    'a class',
    'a date',
    'a regular expression',
    'a map',
    'a set',
    'a Blob',
    'an element',
    'window',
    'a promise',
    'a String object',
    'a Number object',
    'a Boolean object',
    'an object with then',
    'an object whose then throws',
    'an object that never settles',
    'an object with valueOf',
    'an object whose valueOf throws',
    'an object with toJSON',
    'a cyclic object',
    'a cyclic array',
    'a deep object',
    'own __proto__',
    'own constructor',
    'a symbol key',
    'a proxy that throws',
    'a function proxy that throws',
    'a revoked proxy',
    'a revoked array proxy',
  ),
];
const NOT_FINITE: Values = named('NaN', 'Infinity', '-Infinity');
const NOT_BYTES: Values = [
  ...NOTHING_KNOWN,
  0,
  16,
  -1,
  ...NOT_FINITE,
  ...named(
    'an array of numbers',
    'an object with a length',
    'an object with a negative length',
    'an object of the class of bytes',
    'a proxy of bytes',
    'a detached buffer',
    'a view of a detached buffer',
    'a DataView of a detached buffer',
    'a detached buffer of another realm',
    'a resizable buffer',
    'a view of a resizable buffer',
    'a view of fixed length of a resizable buffer',
    'a shared buffer',
    'a view of a shared buffer',
  ),
];
const NOT_UNICODE: Values = named(
  'a lone high surrogate',
  'a lone low surrogate',
  'surrogates in the wrong order',
  'a high surrogate at the end',
);
const SOME_BYTES: Values = named('no bytes', 'ten bytes');
const NOT_A_BLOB: Values = [
  ...NOT_BYTES.filter((value) => JSON.stringify(value) !== JSON.stringify(hostile('a Blob'))),
  ...SOME_BYTES,
  'text',
  ...named('a proxy of a Blob', 'an object of the class of Blobs'),
];

const NOT_BYTES_OR_UNICODE: Values = [...NOT_BYTES, ...NOT_UNICODE];
const NOT_UNICODE_TEXT: Values = [
  ...NOTHING_KNOWN,
  ...NOT_FINITE,
  ...NOT_UNICODE,
  ...SOME_BYTES,
  0,
  1.5,
];
const NOT_BOOLEAN: Values = [
  ...NOTHING_KNOWN.filter((value) => value !== true),
  ...NOT_FINITE,
  0,
  1,
  '',
  'true',
];
const NOT_AN_ID: Values = [
  ...NOTHING_KNOWN,
  ...NOT_FINITE,
  ...SOME_BYTES,
  ...NOT_UNICODE,
  7,
  '',
  hostile('text of 257 characters'),
];

function refusing(expected: string, values: Values, around: (value: unknown) => Arguments) {
  return values.map((value) => ({ args: around(value), expected }));
}
const invalid = (values: Values, around: (value: unknown) => Arguments): BadCall[] =>
  refusing('INVALID_ARGUMENT', values, around);
const tooLarge = (values: Values, around: (value: unknown) => Arguments): BadCall[] =>
  refusing('TOO_LARGE', values, around);

/** The options that every call has, after these arguments. */
function badControls(...before: unknown[]): BadCall[] {
  const last = (options: unknown): Arguments => [...before, options];
  return [
    ...invalid(
      [true, 7, 'context', ['context'], ...named('NaN', 'a bigint', 'a symbol', 'a function')],
      last,
    ),
    ...invalid(
      [
        { contxt: 'misspelt' },
        { Signal: null },
        { retry: 3 },
        { hasOwnProperty: 1 },
        ...named(
          'own __proto__',
          'own constructor',
          'a symbol key',
          'a cyclic object',
          'an object with then',
          'an object with toJSON',
          'a proxy that throws',
          'a revoked proxy',
          'getters that throw: signal',
          'getters that throw: timeoutMs',
          'getters that throw: onProgress',
        ),
      ],
      last,
    ),
    ...invalid(
      [
        null,
        false,
        'abort',
        {},
        ...named(
          'a function',
          'a proxy of a signal',
          'what only looks like a signal',
          'a proxy that throws',
          'a revoked proxy',
        ),
      ],
      (signal) => last({ signal }),
    ),
    ...invalid(
      [null, -1, '5', {}, [], ...named('NaN', '-Infinity', 'a bigint', 'an object with valueOf')],
      (timeoutMs) => last({ timeoutMs }),
    ),
    ...invalid([null, {}, 'print', 5, ...named('a revoked proxy')], (onProgress) =>
      last({ onProgress }),
    ),
  ];
}

/** `context` of seal and open. */
function badContexts(...before: unknown[]): BadCall[] {
  const last = (context: unknown): Arguments => [...before, { context }];
  return [
    ...invalid(NOT_BYTES_OR_UNICODE, last),
    ...tooLarge(
      named('bytes of 64 KiB + 1', 'text of 64 KiB + 1', 'text of 64 KiB + 1 bytes'),
      last,
    ),
    ...invalid(named('getters that throw: context'), (options) => [...before, options]),
  ];
}

const isPortable = (options: unknown): boolean =>
  Object.getOwnPropertyDescriptor(Object(options), 'portable')?.value === true;

/** `contexts` of a batch of these items. */
function badItemContexts(items: readonly unknown[]): BadCall[] {
  const around = (contexts: unknown): Arguments => [items, { contexts }];
  return [
    ...invalid([...NOT_ITEMS, ['one', 'more', 'than', 'items']], around),
    ...invalid([items.map(() => 'a')], (contexts) => [items, { contexts, context: 'all' }]),
  ];
}

function badSealOptions(...before: unknown[]): BadCall[] {
  const options = (name: string) => (value: unknown) => [...before, { [name]: value }];
  return [
    ...badControls(...before),
    ...badContexts(...before),
    ...invalid(NOT_AN_ID, options('key')),
    ...invalid(NOT_BOOLEAN, options('pad')),
    ...invalid(NOT_BOOLEAN, options('portable')),
    ...invalid(NOT_BOOLEAN, options('toSelf')),
    ...invalid(
      named('getters that throw: pad', 'getters that throw: key', 'getters that throw: to'),
      (value) => [...before, value],
    ),
    ...invalid([{ accept: 'own' }], (value) => [...before, value]),
    // The app key belongs to its origin: only a key that the user picked can be portable.
    ...invalid([true], options('portable')),
    ...invalid(NOT_RECIPIENTS, options('to')),
    // The vault has no contact to seal to.
    ...invalid([true], options('toSelf')),
    // An unknown key, and one that this origin was not granted: never told apart.
    ...refusing('NOT_GRANTED', ['app', 'no such key'], options('key')),
  ];
}

/** Of the methods that seal one message. */
function badSealOneOptions(...before: unknown[]): BadCall[] {
  const options = (value: unknown) => [...before, value];
  return [
    ...badSealOptions(...before),
    ...invalid(NOT_BOOLEAN, (decoy) => [...before, { decoy }]),
    // Others would open it: their vaults do not know it.
    ...invalid(
      [
        { decoy: true, to: [] },
        { decoy: true, portable: true },
      ],
      options,
    ),
  ];
}

function badOpenOptions(...before: unknown[]): BadCall[] {
  return [
    ...badControls(...before),
    ...badContexts(...before),
    ...invalid(
      [...NOTHING_KNOWN, '', 'Own', 'anything', 0, ...named('NaN', 'ten bytes')],
      (accept) => [...before, { accept }],
    ),
    ...invalid([{ key: 'k' }, { pad: true }, hostile('getters that throw: accept')], (value) => [
      ...before,
      value,
    ]),
  ];
}

/** What is to be checked or marked; `after` are the other arguments. */
function badData(...after: unknown[]): BadCall[] {
  return [
    ...invalid([...NOT_BYTES, 'text'], (data) => [data, ...after]),
    ...tooLarge(named('bytes of 64 MiB + 1'), (data) => [data, ...after]),
  ];
}

/** A tag, the second argument. */
function badProofs(): BadCall[] {
  return [
    ...notProofs(),
    ...tooLarge(named('bytes of 64 KiB + 1'), (proof) => [hostile('ten bytes'), proof]),
  ];
}

/** A signature may be as long as it likes: it is no signature then, for any caller. */
function badSignatures(): BadCall[] {
  const lengths = named('no bytes', 'ten bytes', 'bytes of 64 KiB + 1');
  return [
    ...notProofs(),
    ...refusing('NOT_GRANTED', lengths, (signature) => [hostile('ten bytes'), signature]),
  ];
}

function notProofs(): BadCall[] {
  return invalid([...NOT_BYTES, 'text', hostile('undefined')], (proof) => [
    hostile('ten bytes'),
    proof,
  ]);
}

const SIGNED = [hostile('ten bytes'), hostile('ten bytes')];
/** Of Ed25519, RFC 8032 section 7.1, test 1. */
const SOME_PUBLIC_KEY = 'swp1.EddamAGCsQq31Uv-08lkBzoO4XLz2qYjJa8CGmj3B1Ea';
/** What `to` does not take. */
const NOT_RECIPIENTS: Values = [[], ['age1recipient'], [''], 'age1recipient', {}, null, 7];
const NOT_PUBLIC_KEYS: Values = [
  'swp1.',
  'swp1.AA',
  'sw1.AAAA',
  SOME_PUBLIC_KEY.toLowerCase(),
  `${SOME_PUBLIC_KEY} `,
  SOME_PUBLIC_KEY.slice(0, -1),
  // To share with, not to sign.
  `swp1.AQ${'A'.repeat(42)}`,
  // SubjectPublicKeyInfo of DSA and RSA, says the type; it is not.
  'swp1.EgAA',
  'swp1.EwAA',
  'swp1.FAAA',
];

/** The option that names a key; the page has no grant that any of these methods needs. */
function badKeyOption(...before: unknown[]): BadCall[] {
  return [
    ...badControls(...before),
    ...invalid(NOT_AN_ID, (key) => [...before, { key }]),
    ...invalid([{ context: 'c' }, hostile('getters that throw: key')], (value) => [
      ...before,
      value,
    ]),
    ...refusing('NOT_GRANTED', ['app', 'no such key'], (key) => [...before, { key }]),
  ];
}

const REQUEST = { purpose: 'A purpose', capabilities: ['seal'] };

function badRequests(): BadCall[] {
  const request = (part: object): Arguments => [{ ...REQUEST, ...part }];
  const field = (name: string) => (value: unknown) => request({ [name]: value });
  const notCounts = [...NOTHING_KNOWN, ...NOT_FINITE, 0, -1, 1.5, '5', 2 ** 53, 1e300];
  return [
    { args: [], expected: 'INVALID_ARGUMENT' },
    ...invalid([...NOT_BYTES_OR_UNICODE, 'A purpose', hostile('undefined')], (value) => [value]),
    ...invalid(
      [
        { capabilities: ['seal'] },
        { purpose: 'A purpose' },
        { ...REQUEST, extra: 1 },
        { ...REQUEST, Purpose: 'x' },
        ...named(
          'a request whose purpose throws',
          'a request whose key throws',
          'a request that is only inherited',
          'a proxy whose descriptors throw',
        ),
      ],
      (value) => [value],
    ),
    ...invalid([...NOT_UNICODE_TEXT, '', hostile('text of 501 characters')], field('purpose')),
    ...invalid(
      [
        ...NOTHING_KNOWN,
        ...NOT_FINITE,
        'seal',
        5,
        [''],
        ['sael'],
        ['SEAL'],
        ['seal', 'everything'],
        ['ui.unlock'],
        [null],
        [['seal']],
        Array(8).fill('seal'),
        ...named(
          'ten bytes',
          'an array whose items throw',
          'an array with a hole',
          'an array whose iterator lies',
          'an array of 2^32 - 1 holes',
        ),
      ],
      field('capabilities'),
    ),
    ...invalid(
      [
        ...NOTHING_KNOWN,
        ...NOT_FINITE,
        'App',
        'vault',
        '',
        5,
        { kind: 'app' },
        { kind: 'vault' },
        { kind: ['sealing'] },
        { kind: 'sealing', label: '' },
        { kind: 'sealing', label: 5 },
        { kind: 'sealing', label: hostile('text of 101 characters') },
        { kind: 'sealing', label: hostile('a lone low surrogate') },
        { kind: 'sealing', id: 'x' },
        { kind: 'sealing', collections: ['tabs'] },
        { kind: 'sync' },
        { kind: 'sync', collections: [] },
        { kind: 'sync', collections: 'tabs' },
        { kind: 'sync', collections: [5] },
        { kind: 'sync', collections: Array(101).fill('tabs') },
      ],
      field('key'),
    ),
    ...invalid(notCounts, field('expiresInMs')),
    ...invalid(notCounts, field('maxUses')),
    ...invalid(notCounts, field('maxPerHour')),
    ...invalid([5, {}, { records: 0 }, { records: 1.5 }], field('bulk')),
    // What such a key cannot do: no prompt opens.
    ...invalid(
      ['sync', 'sign', 'publicKey'].map((name) => ['seal', name]),
      field('capabilities'),
    ),
    ...invalid([{ kind: 'signing' }, { kind: 'sync', collections: ['tabs'] }], field('key')),
    ...badControls(REQUEST),
  ];
}

/** Not one of these is a sealed message. */
const NOT_SEALED: Values = named('no bytes', 'ten bytes', '500 bytes');
const NOT_ARMORED: Values = [
  '',
  ' ',
  'sw1.',
  'sw1.!',
  'sw1.AAAA',
  'SW1.AAAA',
  'sw2.AAAA',
  'text',
  'sw1.AAAA=',
  'sw1.AB',
  ' sw1.AAAA',
  'sw1.Grüße',
];
const ARMORED_TOO_LARGE: Values = named('armored text that is too long');

/** Values that are no list of items, and a list with a value that is no item. */
const NOT_ITEMS = [
  ...[null, true, 7, 'text', {}, { length: 1 }, [7], [null], [['text']], Array(10_001).fill('')],
  ...named('ten bytes', 'a detached buffer', 'a proxy that throws', 'an array whose items throw'),
];

/** A record to encrypt, and lists with values that are no records. */
const RECORD = { id: 'a', payload: 'text' };
const NOT_RECORDS: Values = [
  [{}],
  [{ id: 'a' }],
  [{ payload: 1 }],
  [{ id: '', payload: 1 }],
  [{ id: 7, payload: 1 }],
  [{ id: 'x'.repeat(513), payload: 1 }],
  [RECORD, 7],
  ...named('a bigint', 'a symbol', 'a function', 'a cyclic object').map((payload) => [
    { id: 'a', payload },
  ]),
  ...named('a lone high surrogate', 'a proxy that throws').map((id) => [{ id, payload: 1 }]),
];

/** Lists with values that are no records of a server. */
const NOT_STORED: Values = [
  ...[[{}], [{ payload: 'text' }], [{ id: '', payload: 'text' }], [{ id: 7, payload: 'text' }]],
  ...[[{ id: 'x'.repeat(513), payload: 'text' }], [RECORD, 7]],
  ...named('a lone high surrogate', 'a proxy that throws').map((id) => [{ id, payload: 'text' }]),
];

/** Every method, by name. */
export const BAD_CALLS: Readonly<Record<string, readonly BadCall[]>> = {
  status: badControls(),
  grants: badControls(),
  keys: badControls(),
  random: [
    { args: [], expected: 'INVALID_ARGUMENT' },
    ...invalid(
      [...NOTHING_KNOWN, ...NOT_FINITE, ...SOME_BYTES, '', '5', -1, 1.5, -0.5, 2 ** 53, -(2 ** 53)],
      (value) => [value],
    ),
    ...tooLarge([2 ** 20 + 1, 2 ** 31, 2 ** 32, 2 ** 53 - 1], (value) => [value]),
    ...badControls(16),
  ],
  randomUUID: badControls(),
  randomInt: [
    { args: [], expected: 'INVALID_ARGUMENT' },
    ...invalid(
      [...NOTHING_KNOWN, ...NOT_FINITE, ...SOME_BYTES, '', '5', -1, 0, 1.5, 2 ** 48 + 1, 2 ** 53],
      (value) => [value],
    ),
    ...badControls(16),
  ],
  rotateKey: [
    { args: [], expected: 'INVALID_ARGUMENT' },
    ...invalid(NOT_AN_ID, (keyId) => [keyId]),
    ...refusing('NOT_GRANTED', ['app', 'no such key'], (keyId) => [keyId]),
    ...badControls('no such key'),
  ],
  publicKey: [
    { args: [], expected: 'INVALID_ARGUMENT' },
    ...invalid(NOT_AN_ID, (keyId) => [keyId]),
    ...refusing('NOT_GRANTED', ['app', 'no such key'], (keyId) => [keyId]),
    ...badControls('no such key'),
  ],
  rewrap: [
    { args: [], expected: 'INVALID_ARGUMENT' },
    ...invalid([...NOT_BYTES, 'sw1.AAAA', ''], (value) => [value]),
    ...tooLarge(named('bytes of 67 MiB'), (value) => [value]),
    ...refusing('BAD_ENVELOPE', NOT_SEALED, (value) => [value]),
    ...badControls(hostile('500 bytes')),
    ...badContexts(hostile('500 bytes')),
    ...invalid(NOT_AN_ID, (key) => [hostile('500 bytes'), { key }]),
    ...invalid(NOT_BOOLEAN, (pad) => [hostile('500 bytes'), { pad }]),
    ...invalid([{ accept: 'own' }], (value) => [hostile('500 bytes'), value]),
    ...invalid(NOT_RECIPIENTS, (to) => [hostile('500 bytes'), { to }]),
    ...invalid(NOT_BOOLEAN, (toSelf) => [hostile('500 bytes'), { toSelf }]),
  ],
  mac: [
    { args: [], expected: 'INVALID_ARGUMENT' },
    ...badData(),
    ...badKeyOption(hostile('ten bytes')),
  ],
  verifyMac: [
    { args: [], expected: 'INVALID_ARGUMENT' },
    ...badData(hostile('ten bytes')),
    ...badProofs(),
    ...badKeyOption(hostile('ten bytes'), hostile('ten bytes')),
  ],
  sign: [
    { args: [], expected: 'INVALID_ARGUMENT' },
    ...badData(),
    ...badKeyOption(hostile('ten bytes')),
    ...refusing('NOT_GRANTED', named('ten bytes', 'no bytes'), (data) => [data]),
  ],
  verify: [
    { args: [], expected: 'INVALID_ARGUMENT' },
    ...badData(hostile('ten bytes')),
    ...badSignatures(),
    ...badKeyOption(hostile('ten bytes'), hostile('ten bytes')),
    ...invalid(NOT_AN_ID, (publicKey) => [...SIGNED, { publicKey }]),
    ...invalid(NOT_PUBLIC_KEYS, (publicKey) => [...SIGNED, { publicKey }]),
    ...invalid([{ key: 'k', publicKey: SOME_PUBLIC_KEY }], (options) => [...SIGNED, options]),
  ],
  blindIndex: [
    { args: [], expected: 'INVALID_ARGUMENT' },
    ...invalid(NOT_UNICODE_TEXT, (value) => [value, 'field']),
    ...tooLarge(named('text of 64 KiB + 1', 'text of 64 KiB + 1 bytes'), (value) => [
      value,
      'field',
    ]),
    ...invalid(NOT_AN_ID, (field) => ['value', field]),
    ...invalid([...NOTHING_KNOWN, ...NOT_FINITE, 0, -1, 1.5, '1', 2 ** 53], (generation) => [
      'value',
      'field',
      { generation },
    ]),
    ...badKeyOption('value', 'field'),
  ],
  connect: badRequests(),
  revoke: [
    ...invalid(
      [
        ...NOTHING_KNOWN.filter((value) => !Array.isArray(value)),
        ...NOT_FINITE,
        'all',
        7,
        [''],
        [7],
        [null],
        [['id']],
        ...named(
          'ten bytes',
          'an array whose items throw',
          'an array with a hole',
          'an array whose iterator lies',
          'an array of 1,001 ids',
          'an array of 2^32 - 1 holes',
        ),
        [hostile('text of 257 characters')],
        [hostile('a lone high surrogate')],
      ],
      (value) => [value],
    ),
    ...badControls([]),
  ],
  seal: [
    { args: [], expected: 'INVALID_ARGUMENT' },
    ...invalid(NOT_BYTES_OR_UNICODE, (value) => [value]),
    ...tooLarge(
      named(
        'bytes of 64 MiB + 1',
        'a float view of 64 MiB + 8',
        'text of 64 MiB + 1',
        'text of 64 MiB + 2 bytes',
      ),
      (value) => [value],
    ),
    ...badSealOneOptions('text'),
  ],
  sealText: [
    { args: [], expected: 'INVALID_ARGUMENT' },
    ...invalid(NOT_UNICODE_TEXT, (value) => [value]),
    ...tooLarge(named('text of 64 MiB + 1', 'text of 64 MiB + 2 bytes'), (value) => [value]),
    ...badSealOneOptions('text'),
  ],
  open: [
    { args: [], expected: 'INVALID_ARGUMENT' },
    ...invalid([...NOT_BYTES, 'sw1.AAAA', ''], (value) => [value]),
    ...tooLarge(named('bytes of 67 MiB'), (value) => [value]),
    ...refusing('BAD_ENVELOPE', NOT_SEALED, (value) => [value]),
    ...badOpenOptions(hostile('500 bytes')),
  ],
  openText: [
    { args: [], expected: 'INVALID_ARGUMENT' },
    ...invalid(NOT_UNICODE_TEXT, (value) => [value]),
    ...tooLarge(ARMORED_TOO_LARGE, (value) => [value]),
    ...refusing('BAD_ENVELOPE', NOT_ARMORED, (value) => [value]),
    ...badOpenOptions('sw1.AAAA'),
  ],
  sealMany: [
    { args: [], expected: 'INVALID_ARGUMENT' },
    ...invalid(NOT_ITEMS, (value) => [value]),
    ...badSealOptions(['text']),
    ...badItemContexts(['text']),
  ],
  openMany: [
    { args: [], expected: 'INVALID_ARGUMENT' },
    ...invalid([...NOT_ITEMS, ['sw1.AAAA']], (value) => [value]),
    ...badOpenOptions([]),
    ...badItemContexts([]),
  ],
  rewrapMany: [
    { args: [], expected: 'INVALID_ARGUMENT' },
    ...invalid([...NOT_ITEMS, ['sw1.AAAA']], (value) => [value]),
    // Which key a message has decides whether it can be portable: a list of none has no wrong one.
    ...badSealOptions([]).filter(({ args }) => !isPortable(args[1])),
    ...badItemContexts([]),
  ],
  'sync.encryptRecords': [
    { args: [], expected: 'INVALID_ARGUMENT' },
    ...invalid(NOT_AN_ID, (collection) => [collection, [RECORD]]),
    ...invalid([...NOT_ITEMS, ...NOT_RECORDS], (records) => ['notes', records]),
    ...refusing('NOT_GRANTED', [[], [RECORD]], (records) => ['notes', records]),
    ...badKeyOption('notes', [RECORD]),
  ],
  'sync.decryptRecords': [
    { args: [], expected: 'INVALID_ARGUMENT' },
    ...invalid(NOT_AN_ID, (collection) => [collection, []]),
    ...invalid(
      NOT_ITEMS.filter((value) => JSON.stringify(value) !== '[["text"]]'),
      (records) => ['notes', records],
    ),
    ...refusing('NOT_GRANTED', [[], [RECORD], [{}]], (records) => ['notes', records]),
    ...badKeyOption('notes', []),
  ],
  'sync.checkpoint': [
    { args: [], expected: 'INVALID_ARGUMENT' },
    ...invalid(NOT_AN_ID, (collection) => [collection, [RECORD]]),
    ...invalid(
      [...NOT_ITEMS, ...NOT_STORED, [{ id: 'a' }], [{ id: 'a', payload: '' }]],
      (records) => ['notes', records],
    ),
    ...refusing('NOT_GRANTED', [[], [RECORD], [{ id: 'a', deleted: true }]], (records) => [
      'notes',
      records,
    ]),
    ...badKeyOption('notes', [RECORD]),
  ],
  'sync.verify': [
    { args: [], expected: 'INVALID_ARGUMENT' },
    ...invalid(NOT_AN_ID, (collection) => [collection, [RECORD], []]),
    ...invalid([...NOT_ITEMS, ...NOT_STORED], (records) => ['notes', records, []]),
    ...invalid([...NOT_ITEMS, ...NOT_STORED], (heads) => ['notes', [], heads]),
    ...refusing('NOT_GRANTED', [[], [RECORD], [{ id: 'a' }]], (records) => ['notes', records, []]),
    ...badKeyOption('notes', [RECORD], []),
  ],
  'sync.loadCollectionKeys': [
    { args: [], expected: 'INVALID_ARGUMENT' },
    ...invalid([...NOTHING_KNOWN, 'keys', RECORD, { id: 'keys' }], (record) => [record]),
    ...refusing('NOT_GRANTED', ['{}'], (payload) => [{ id: 'keys', payload }]),
    ...badKeyOption({ id: 'keys', payload: '{}' }),
  ],
  'sync.createCollectionKeys': [
    ...invalid(
      [
        null,
        'notes',
        7,
        {},
        [7],
        [''],
        [null],
        Array(101).fill('notes'),
        hostile('a revoked proxy'),
      ],
      (collections) => [collections],
    ),
    ...refusing('NOT_GRANTED', [[], ['notes']], (collections) => [collections]),
    ...badKeyOption(['notes']),
  ],
  sealBlob: [
    { args: [], expected: 'INVALID_ARGUMENT' },
    ...invalid(NOT_A_BLOB, (value) => [value]),
    ...tooLarge(named('a Blob of 34 GiB'), (value) => [value]),
    ...badSealOneOptions(hostile('a Blob')),
  ],
  openBlob: [
    { args: [], expected: 'INVALID_ARGUMENT' },
    ...invalid(NOT_A_BLOB, (value) => [value]),
    ...tooLarge(named('a Blob of 34 GiB'), (value) => [value]),
    ...refusing(
      'BAD_ENVELOPE',
      named('a Blob', 'an empty Blob', 'a Blob of 500 bytes'),
      (value) => [value],
    ),
    ...badOpenOptions(hostile('a Blob of 500 bytes')),
  ],
  inspect: [
    { args: [], expected: 'INVALID_ARGUMENT' },
    ...invalid(NOT_BYTES_OR_UNICODE, (value) => [value]),
    ...tooLarge([...named('bytes of 67 MiB'), ...ARMORED_TOO_LARGE], (value) => [value]),
    ...refusing('BAD_ENVELOPE', [...NOT_SEALED, ...NOT_ARMORED], (value) => [value]),
  ],
};

/** The two methods that give streams: they never throw, but both sides of the stream fail. */
export const STREAM_CALLS: Readonly<Record<string, readonly BadCall[]>> = {
  sealStream: badSealOneOptions(),
  openStream: badOpenOptions(),
};

/** What is written to a stream. */
export const BAD_CHUNKS: readonly BadCall[] = invalid([...NOT_BYTES, 'text'], (chunk) => [chunk]);

/** sealedLength is the one method that throws: a RangeError, whatever is wrong. */
export const LENGTH_CALLS: readonly BadCall[] = [
  { args: [], expected: 'RangeError' },
  ...refusing(
    'RangeError',
    [
      ...NOTHING_KNOWN,
      ...NOT_FINITE,
      ...[-1, -0.1, 1.5, 2 ** 35 + 1, 2 ** 53, -(2 ** 53), '', '5'],
      ...named('ten bytes', 'a detached buffer', 'a view of a detached buffer'),
      ...named('a proxy of bytes', 'an object of the class of bytes', 'an array whose items throw'),
    ],
    (value) => [value],
  ),
  ...refusing(
    'RangeError',
    [
      ...[7, true, 'pad', ['pad'], { Pad: true }, { pad: 1 }, { pad: 'yes' }, { pad: null }],
      ...[{ to: ['age1recipient'] }, { context: 'x' }],
      ...named('a symbol key', 'own __proto__', 'a proxy that throws', 'a revoked proxy'),
      ...named('getters that throw: pad', 'getters that throw: to', 'a bigint', 'a function'),
    ],
    (options) => [5, options],
  ),
];

/** Arguments that no method of `subtle` takes. */
const THROWING = hostile('a proxy that throws');
const ANY_ARGUMENTS: readonly Arguments[] = [
  [],
  [hostile('ten bytes'), 'second', {}],
  [null, null, null],
  [THROWING, THROWING, THROWING],
  ...named('a detached buffer', 'a cyclic object', 'an object that never settles').map((value) => [
    value,
    value,
    value,
  ]),
];
const anyCalls = (expected: string): BadCall[] => ANY_ARGUMENTS.map((args) => ({ args, expected }));

const SUBTLE_METHODS = [
  ...['encrypt', 'decrypt', 'sign', 'verify', 'digest', 'generateKey', 'deriveKey', 'deriveBits'],
  ...['importKey', 'exportKey', 'wrapKey', 'unwrapKey', 'encapsulateKey', 'encapsulateBits'],
  ...['decapsulateKey', 'decapsulateBits', 'getPublicKey'],
].map((name) => `subtle.${name}`);

/** Web IDL: wrong types are TypeErrors; what a page's own proxy throws is the page's. */
export const SUBTLE_CALLS: Readonly<Record<string, readonly BadCall[]>> = {
  ...Object.fromEntries(
    SUBTLE_METHODS.map((name) => [
      name,
      anyCalls('TypeError').filter(({ args }) => args[0] !== THROWING),
    ]),
  ),
  // It takes any bytes: those that are no reference name no key.
  'subtle.deleteKey': ['a text', 5, ...named('a shared buffer'), ...NOTHING_KNOWN].map((value) => ({
    args: [value],
    expected: 'TypeError',
  })),
};
