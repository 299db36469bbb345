/* Zips that readers read differently, and such as could be: named ones, and any combination of their features. */
import { crc32 } from 'node:zlib';
import { utf8 } from '../../../src/crypto/bytes.ts';
import { extraField, fields, written, zip64End, zipBytes } from './zips.ts';
import type { ZipEntry } from './zips.ts';

const NAME = 'background.js';
const MANIFEST: ZipEntry = { name: 'manifest.json', content: utf8('{"name":"Sealwright"}') };
const GENUINE: ZipEntry = { name: NAME, content: utf8('run();') };
const FORGED: ZipEntry = { name: NAME, content: utf8('steal();') };
const FILES = [MANIFEST, GENUINE];

/** An entry that no directory names. */
const orphan = Buffer.from(written(FORGED, 0).local);

/** The entry of the directory for a file that begins at a place. */
const centralOf = (entry: ZipEntry, at: number) => written(entry, at).central;

/** A second directory with its zip64 records, for the entries of `FILES`, of which it takes the forged one. */
function secondDirectory(at: number, forgedAt: number): Buffer {
  const directory = Buffer.concat([centralOf(MANIFEST, 0), centralOf(FORGED, forgedAt)]);
  const end = at + directory.length;
  return Buffer.concat([directory, zip64End(end, { at, bytes: directory.length, count: 2 })]);
}

/** The comment of the last entry ends in a locator: what looks for one before the end record finds the other directory. */
function zip64InComment(): Buffer {
  const gap = { ...GENUINE, gap: orphan };
  const forgedAt = written(MANIFEST, 0).local.length;
  const plain = zipBytes({ entries: [MANIFEST, gap] });
  const comment = secondDirectory(plain.length - 22, forgedAt);
  return zipBytes({ entries: [MANIFEST, { ...gap, comment }] });
}

const unicodeName = (name: string, of: string) =>
  extraField(0x7075, Buffer.concat([Buffer.of(1), fields([4, crc32(of)]), Buffer.from(name)]));

/** With words of the refusal: zips on which the readers of the tests differ. */
export const DIFFERENTIAL: Readonly<Record<string, readonly [refusal: string, zip: Buffer]>> = {
  'a directory of zip64 in the comment of an entry': ['end record', zip64InComment()],
  'an entry that no directory names, before the directory': [
    'gap before its directory',
    zipBytes({ entries: FILES, beforeDirectory: orphan }),
  ],
  'an entry that no directory names, before another': [
    'gap before an entry',
    zipBytes({ entries: [GENUINE, { ...MANIFEST, gap: orphan }] }),
  ],
  'a local entry of another name': [
    'contradict',
    zipBytes({ entries: [MANIFEST, { ...GENUINE, local: { name: 'backgrounb.js' } }] }),
  ],
  'two entries of one name, in another order in the directory': [
    'gap before an entry',
    zipBytes({ entries: [MANIFEST, GENUINE, FORGED], isReversed: true }),
  ],
  'a name in a field for Unicode': [
    'unknown field',
    zipBytes({ entries: [MANIFEST, { ...GENUINE, extra: unicodeName('other.js', NAME) }] }),
  ],
  'a second zip after the first': [
    'second end record',
    Buffer.concat([zipBytes({ entries: [MANIFEST, FORGED] }), zipBytes({ entries: FILES })]),
  ],
  'an entry before a zip': [
    'directory is not at its end',
    Buffer.concat([orphan, zipBytes({ entries: FILES })]),
  ],
  'an entry that is uncounted': ['another length', zipBytes({ entries: FILES, uncounted: -1 })],
  'a shorter local size': [
    'contradict',
    zipBytes({
      entries: [MANIFEST, { ...GENUINE, isStored: true, local: { packedBytes: 3, bytes: 3 } }],
    }),
  ],
  'a name in another encoding': [
    'leaves',
    zipBytes({ entries: [MANIFEST, { ...GENUINE, name: 'é.js' }] }),
  ],
};

/** With words of the refusal: zips that the readers of the tests may read alike, and others are known not to. */
export const REFUSED: Readonly<Record<string, readonly [refusal: string, zip: Buffer]>> = {
  'a comment': ['without a comment', zipBytes({ entries: FILES, comment: utf8('a comment') })],
  'a zip in the comment': [
    'end record',
    zipBytes({ entries: FILES, comment: zipBytes({ entries: [FORGED] }) }),
  ],
  'two entries of one name': ['one name', zipBytes({ entries: [...FILES, FORGED] })],
  'a comment of an entry': [
    'comment',
    zipBytes({ entries: [{ ...MANIFEST, comment: utf8('a') }] }),
  ],
  'records of zip64': [
    'end record, or one of zip64',
    zipBytes({
      entries: FILES,
      beforeEnd: (at) => zip64End(at, { at: at - 119, bytes: 119, count: 2 }),
    }),
  ],
  'a local digest that is another': [
    'contradict',
    zipBytes({ entries: [{ ...MANIFEST, local: { crc: 1 } }] }),
  ],
  'a local flag that is another': [
    'contradict',
    zipBytes({ entries: [{ ...MANIFEST, local: { flags: 2048 } }] }),
  ],
  'bytes after the end of Deflate': [
    'after its end',
    zipBytes({ entries: [{ ...MANIFEST, excess: orphan }] }),
  ],
  'a descriptor without a signature': [
    'descriptor',
    zipBytes({ entries: [{ ...MANIFEST, descriptor: 'bare' }] }),
  ],
  'a descriptor after what does not say where it ends': [
    'descriptor',
    zipBytes({ entries: [{ ...MANIFEST, isStored: true, descriptor: 'signed' }] }),
  ],
  'an extra field of zip64': [
    'unknown field',
    zipBytes({ entries: [{ ...MANIFEST, extra: extraField(1, new Uint8Array(16)) }] }),
  ],
  'an extra field that is cut off': [
    'cut off',
    zipBytes({ entries: [{ ...MANIFEST, extra: fields([2, 0x5455], [2, 9]) }] }),
  ],
  'a later version': ['later version', zipBytes({ entries: [{ ...MANIFEST, version: 45 }] })],
  'an encrypted entry': ['encrypted', zipBytes({ entries: [{ ...MANIFEST, flags: 1 }] })],
  'the same name in capitals': [
    'take for one',
    zipBytes({ entries: [...FILES, { ...FORGED, name: 'Background.js' }] }),
  ],
  'a folder in capitals': [
    'take for one',
    zipBytes({ entries: ['a/b', 'A/c'].map((name) => ({ ...MANIFEST, name })) }),
  ],
  'a file that is a folder': [
    'take for one',
    zipBytes({ entries: ['a/b', 'a'].map((name) => ({ ...MANIFEST, name })) }),
  ],
  'a backslash': ['differently', zipBytes({ entries: [{ ...MANIFEST, name: 'a\\b' }] })],
  'a dot at the end': [
    'differently',
    zipBytes({ entries: [...FILES, { ...FORGED, name: `${NAME}.` }] }),
  ],
  'a version of VMS': [
    'differently',
    zipBytes({ entries: [...FILES, { ...FORGED, name: `${NAME};1` }] }),
  ],
  'a link': ['neither', zipBytes({ entries: [{ ...MANIFEST, attributes: 0o120777 * 2 ** 16 }] })],
  'a folder of DOS': ['neither', zipBytes({ entries: [{ ...MANIFEST, attributes: 0x10 }] })],
  'an order that is another': [
    'gap before an entry',
    zipBytes({ entries: FILES, isReversed: true }),
  ],
};

/** What tools of stores write: it is read. */
export const ORDINARY: Readonly<Record<string, Buffer>> = {
  'what our scripts write': zipBytes({ entries: FILES }),
  'a folder, as web-ext writes it': zipBytes({
    entries: [{ name: 'a/', content: utf8(''), isStored: true, attributes: 0x10 }, ...FILES],
  }),
  'descriptors and times, as Go writes them for Firefox': zipBytes({
    entries: FILES.map((entry) => ({
      ...entry,
      descriptor: 'signed',
      extra: extraField(0x5455, Uint8Array.of(1, 1, 2, 3, 4)),
    })),
  }),
  'descriptors and UTF-8, as Java writes them': zipBytes({
    entries: FILES.map((entry, i) => ({
      ...entry,
      descriptor: 'signed',
      flags: 2048,
      ...(i === 0 && { extra: extraField(0xcafe, utf8('')) }),
    })),
  }),
  'modes of Unix, as Info-ZIP writes them': zipBytes({
    entries: FILES.map((entry) => ({ ...entry, isStored: true, attributes: 0o100644 * 2 ** 16 })),
  }),
};

const NAMES = [NAME, 'manifest.json', 'a/b.js', 'A/b.js', 'a/', 'a', 'é.js', 'a\\b', '../a', 'a;1'];
const EXTRAS = [
  extraField(0x5455, Uint8Array.of(1, 1, 2, 3, 4)),
  extraField(0xcafe, new Uint8Array()),
  extraField(0x7875, orphan),
  extraField(0x5455, zip64End(100, { at: 100, bytes: 100, count: 1 })),
  extraField(1, new Uint8Array(28)),
  unicodeName('manifest.json', NAME),
];
const FILLERS = [
  orphan,
  centralOf(FORGED, 0),
  zip64End(100, { at: 60, bytes: 60, count: 1 }),
  secondDirectory(100, 0),
  zipBytes({ entries: [FORGED] }),
  fields([4, 0x08074b50], [4, 0], [4, 0], [4, 0]),
  utf8('x'),
];
const SIZES = [0, 1, 6, 0xffff, 0xffffffff];
const ATTRIBUTES = [0o100644 * 2 ** 16, 0x10, 0x20, 0o120777 * 2 ** 16, 0o40755 * 2 ** 16 + 0x10];

/**
 * A zip of features that are chosen.
 *
 * @param choose gives 0 … count - 1
 */
export function oddZip(choose: (count: number) => number): Buffer {
  const pick = <T>(list: readonly T[]): T => list[choose(list.length)]!;
  /** Seldom, so that many zips have one feature or none. */
  const seldom = <T>(list: readonly T[]): T | undefined =>
    choose(24) === 1 ? pick(list) : undefined;
  const given = (values: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
  const entries = Array.from({ length: choose(5) }, (): ZipEntry => {
    const name = pick(NAMES);
    const content = name.endsWith('/') ? utf8('') : pick([GENUINE, FORGED, MANIFEST]).content;
    return {
      name,
      content,
      isStored: choose(3) === 1,
      ...given({
        flags: seldom([2, 2048, 2056, 1, 8, 32, 8192]),
        version: seldom([10, 20, 45]),
        extra: seldom(EXTRAS),
        comment: seldom(FILLERS),
        attributes: seldom(ATTRIBUTES),
        descriptor: choose(6) === 1 ? pick(['signed', 'signed', 'bare']) : undefined,
        gap: seldom(FILLERS),
        excess: seldom(FILLERS),
        only: seldom(['local']),
        local:
          seldom([0]) === undefined
            ? undefined
            : given({
                name: seldom(NAMES) ?? pick([undefined, ...NAMES]),
                crc: seldom(SIZES),
                packedBytes: seldom(SIZES),
                bytes: seldom(SIZES),
                flags: seldom([0, 8, 2048]),
                extra: pick([undefined, ...EXTRAS]),
              }),
      }),
    };
  });
  const beforeEnd = seldom(FILLERS);
  const zip = zipBytes({
    entries,
    isReversed: seldom([true]) ?? false,
    uncounted: seldom([-1, 1]) ?? 0,
    ...(beforeEnd && { beforeEnd: () => beforeEnd }),
    ...given({
      beforeDirectory: seldom(FILLERS),
      comment: seldom(FILLERS),
      after: seldom(FILLERS),
    }),
  });
  for (let changes = choose(8) - 4; changes > 0; changes--) {
    zip[(choose(256) * 256 + choose(256)) % zip.length] = pick([0, 1, 8, 255, choose(256)]);
  }
  return zip;
}
