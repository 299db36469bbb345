/* Finds copies of the extension: in a package, in an unpacked folder, or in the profile of a browser; and of its page. */
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { basename, isAbsolute, join } from 'node:path';
import type { Copy } from '../../release/compare.ts';
import { sha256Hex } from '../../release/digest-list.ts';
import type { DigestList } from '../../release/digest-list.ts';
import { keyIn } from '../../release/drop-page.ts';
import { isJsonFile, namesOf, publisherKeyOf, versionOf } from '../../release/rewritten.ts';
import { CommandError, EXIT } from '../exit-codes.ts';
import { fileError, nameOf } from '../input.ts';
import { MAX_BYTES, isArchive, readArchive } from './archive.ts';

/** A copy, and where it is. */
export interface FoundCopy extends Copy {
  readonly place: string;
  readonly version: string;
}

const NAME = 'Sealwright';
/** Its id in Firefox, which names a profile's file after it. Those of the stores for Chromium contain no name. */
const FIREFOX_ID = 'sealwright@sealwright.org';
const MANIFEST = 'manifest.json';
/** In a profile, in a folder of profiles, or beside the copies: `Extensions/ID/VERSION` of Chromium. */
const FOLDERS = [
  ...[['*'], ['*', '*'], ['Extensions', '*', '*'], ['*', 'Extensions', '*', '*']],
  // Firefox can have unpacked ones, too.
  ...[
    ['extensions', '*'],
    ['*', 'extensions', '*'],
  ],
];
const XPIS = [['*.xpi'], ['extensions', '*.xpi'], ['*', 'extensions', '*.xpi']];
/** A browser's lists of its extensions: one that was loaded unpacked is in a folder elsewhere. */
const LISTS = ['Preferences', 'Secure Preferences', 'extensions.json'].flatMap((name) => [
  [name],
  ['*', name],
]);
/** What runs or is shown: pictures, texts and licences are in other extensions, too. */
const CODE = /\.(js|mjs|html|css|wasm)$/;

/**
 * The copies at a path. A copy of another publisher says of itself what it wants, so that every extension that has our
 * name, our id, or files of the release counts.
 *
 * @throws CommandError with exit code 3 if the path has no copy, 4 for what cannot be read
 */
export async function copiesAt(path: string, list: DigestList): Promise<readonly FoundCopy[]> {
  try {
    if (!statSync(path).isDirectory()) return [packageAt(path)];
    // A folder that is given itself is compared whatever it calls itself, and hides none below it.
    const own = isFile(join(path, MANIFEST)) ? [unpackedAt(path)] : [];
    const copies = [...own, ...(await inFolder(path, list))];
    if (copies.length > 0) return copies;
  } catch (error) {
    throw fileError(error, path);
  }
  throw new CommandError(
    EXIT.badInput,
    `There is no copy of ${NAME} in ${nameOf(path)}: give a profile of a browser, an unpacked folder, or a package`,
  );
}

/** The longest page that is read: several times as long as that of a release. */
const PAGE_BYTES_MAX = 4 * 2 ** 20;

/**
 * The bytes of a file that is the page open.html, or wants to be, as characters up to U+00FF; undefined for any other path.
 */
export function pageAt(path: string): string | undefined {
  try {
    if (!isFile(path) || statSync(path).size > PAGE_BYTES_MAX) return undefined;
    const page = readFileSync(path, 'latin1');
    return page.startsWith('<') && keyIn(page) !== undefined ? page : undefined;
  } catch (error) {
    throw fileError(error, path);
  }
}

function packageAt(path: string): FoundCopy {
  const { size } = statSync(path);
  if (size > MAX_BYTES) throw new CommandError(EXIT.badInput, `${nameOf(path)} is too large`);
  const bytes = readFileSync(path);
  if (!isArchive(bytes)) {
    throw new CommandError(EXIT.badInput, `${nameOf(path)} is not a zip, xpi or CRX`);
  }
  return versioned({ place: path, files: readArchive(bytes, path), isUnpacked: false });
}

const unpackedAt = (place: string): FoundCopy =>
  versioned({ place, files: filesBelow(place), isUnpacked: true });

async function inFolder(path: string, list: DigestList): Promise<readonly FoundCopy[]> {
  const inside = FOLDERS.flatMap((parts) => matching(path, [...parts, MANIFEST])).map((manifest) =>
    manifest.slice(0, -MANIFEST.length - 1),
  );
  const listed = LISTS.flatMap((parts) => matching(path, parts)).flatMap(placesIn);
  const folders = [...inside, ...listed.filter((place) => isFile(join(place, MANIFEST)))];
  const packages = [...XPIS.flatMap((parts) => matching(path, parts)), ...listed.filter(isFile)];
  const copies: FoundCopy[] = [];
  const others = new Map<string, string>();
  for (const place of new Set(folders)) {
    if (await isOurs(readersBelow(place), list)) copies.push(unpackedAt(place));
    else others.set(place, keyAt(place) ?? '');
  }
  // Of the same publisher's key follows the same id: it is the same extension to Chromium.
  const keys = new Set(copies.map(({ files }) => publisherKeyOf(files.get(MANIFEST)!)));
  for (const [place, key] of others) if (keys.has(key)) copies.push(unpackedAt(place));
  for (const place of new Set(packages)) {
    if (await isOurPackage(place, list)) copies.push(packageAt(place));
  }
  return copies;
}

function versioned(copy: Omit<FoundCopy, 'version'>): FoundCopy {
  const version = versionOf(copy.files.get(MANIFEST) ?? new Uint8Array());
  return { ...copy, version: typeof version === 'string' ? version : 'unknown' };
}

const keyAt = (place: string) => publisherKeyOf(readFileSync(join(place, MANIFEST)));

/** What reads each file of an extension, by path. */
type Readers = ReadonlyMap<string, () => Uint8Array>;

/** Whether an extension has our name or id, half of the paths of a release, or code of it. */
async function isOurs(readers: Readers, list: DigestList): Promise<boolean> {
  const texts = [...readers].filter(([path]) => isJsonFile(path));
  const names = namesOf(new Map(texts.map(([path, read]) => [path, read()])));
  if (names.some(isOurName) || hasOurPaths((path) => readers.has(path), list)) return true;
  const ours = new Set(
    [...list.targets.values()].flatMap((digests) =>
      [...digests].flatMap(([path, digest]) => (CODE.test(path) ? [digest] : [])),
    ),
  );
  for (const [path, read] of readers) {
    if (CODE.test(path) && ours.has(await sha256Hex(read()))) return true;
  }
  return false;
}

/** Whether half of the paths of a release are there; every extension has a manifest, and many have our languages. */
function hasOurPaths(has: (path: string) => boolean, { targets }: DigestList): boolean {
  return [...targets.values()].some((digests) => {
    const paths = [...digests.keys()].filter((path) => !isJsonFile(path));
    return 2 * paths.filter(has).length >= paths.length;
  });
}

/** Capitals, blanks, signs and forms of letters do not make it another name. */
function isOurName(text: string): boolean {
  const letters = text.normalize('NFKD').replace(/\P{L}/gu, '');
  return letters.toLowerCase().includes(NAME.toLowerCase());
}

/** An archive that cannot be read counts if it has our id or names files as a release does: it is then refused. */
async function isOurPackage(path: string, list: DigestList): Promise<boolean> {
  if (isOurName(basename(path))) return true;
  if (statSync(path).size > MAX_BYTES) return false;
  const bytes = readFileSync(path);
  let files;
  try {
    files = readArchive(bytes, path);
  } catch {
    return bytes.includes(FIREFOX_ID) || hasOurPaths((name) => bytes.includes(name), list);
  }
  return isOurs(new Map([...files].map(([name, file]) => [name, () => file])), list);
}

/** The folders and files that a list of a browser names; none where it cannot be read. */
function placesIn(list: string): readonly string[] {
  interface Extension {
    readonly path?: unknown;
  }
  interface Lists {
    /** Chromium. */
    readonly extensions?: { readonly settings?: Readonly<Record<string, Extension | null>> };
    /** Firefox. */
    readonly addons?: readonly (Extension | null)[];
  }
  try {
    const { extensions, addons } = JSON.parse(readFileSync(list, 'utf8')) as Lists;
    return [...Object.values(extensions?.settings ?? {}), ...(addons ?? [])]
      .map((extension) => extension?.path)
      .filter((path): path is string => typeof path === 'string' && isAbsolute(path));
  } catch {
    return [];
  }
}

/** The files that a list of names leads to: `*` is any folder, and `*.xpi` any file that ends so. Links are followed. */
function matching(folder: string, [part, ...rest]: readonly string[]): readonly string[] {
  if (part === undefined) return isFile(folder) ? [folder] : [];
  if (!part.startsWith('*')) return matching(join(folder, part), rest);
  return entriesOf(folder)
    .filter((entry) => entry.name.endsWith(part.slice(1)))
    .filter((entry) => part !== '*' || entry.isDirectory() || entry.isSymbolicLink())
    .flatMap(({ name }) => matching(join(folder, name), rest));
}

const entriesOf = (folder: string) => {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // What cannot be looked into is passed over: a browser's data has folders of other programs.
    return [];
  }
};

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** What is not a regular file counts as an empty one: the package has none. */
function filesBelow(folder: string): ReadonlyMap<string, Uint8Array> {
  let room = MAX_BYTES;
  const files = new Map<string, Uint8Array>();
  for (const [path, read] of readersBelow(folder)) {
    const bytes = read();
    room -= bytes.length;
    if (room < 0) throw new CommandError(EXIT.badInput, `${nameOf(folder)} is too large`);
    files.set(path, bytes);
  }
  return files;
}

function readersBelow(folder: string): Readers {
  const readers = new Map<string, () => Uint8Array>();
  const collect = (at: string, prefix: string) => {
    for (const entry of readdirSync(at, { withFileTypes: true })) {
      const [path, name] = [join(at, entry.name), `${prefix}${entry.name}`];
      if (entry.isDirectory()) collect(path, `${name}/`);
      else readers.set(name, () => (entry.isFile() ? readFileSync(path) : new Uint8Array()));
    }
  };
  collect(folder, '');
  return readers;
}
