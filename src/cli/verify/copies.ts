/* Finds copies of the extension: in a package, in an unpacked folder, or in the profile of a browser. */
import { lstatSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { Copy } from '../../release/compare.ts';
import { identityOf } from '../../release/rewritten.ts';
import { CommandError, EXIT } from '../exit-codes.ts';
import { fileError, nameOf } from '../input.ts';
import { MAX_BYTES, isArchive, readArchive } from './archive.ts';

/** A copy, and where it is. */
export interface FoundCopy extends Copy {
  readonly place: string;
  readonly version: string;
}

const NAME = 'Sealwright';
/** Firefox names a profile's file after the extension's id. */
const XPI = 'sealwright@sealwright.org.xpi';
const MANIFEST = 'manifest.json';
/** In a profile, in a folder of profiles, or beside the copies: `Extensions/ID/VERSION` of Chromium. */
const FOLDERS = [[], ['*'], ['*', '*'], ['Extensions', '*', '*'], ['*', 'Extensions', '*', '*']];
/** Chromium's lists of its extensions: one that was loaded unpacked is in a folder elsewhere. */
const LISTS = ['Preferences', 'Secure Preferences'].flatMap((name) => [[name], ['*', name]]);
const XPIS = [[XPI], ['extensions', XPI], ['*', 'extensions', XPI]];

/**
 * The copies at a path.
 *
 * @throws CommandError with exit code 3 if the path has no copy, 4 for what cannot be read
 */
export function copiesAt(path: string): readonly FoundCopy[] {
  try {
    const isFolder = statSync(path).isDirectory();
    return isFolder ? inFolder(path) : [packageAt(path)];
  } catch (error) {
    throw fileError(error, path);
  }
}

function packageAt(path: string): FoundCopy {
  const bytes = readFileSync(path);
  if (!isArchive(bytes)) {
    throw new CommandError(EXIT.badInput, `${nameOf(path)} is no zip, xpi or CRX`);
  }
  return named({ place: path, files: readArchive(bytes, path), isUnpacked: false });
}

function inFolder(path: string): readonly FoundCopy[] {
  const inside = FOLDERS.flatMap((parts) => matching(path, [...parts, MANIFEST])).map((manifest) =>
    manifest.slice(0, -MANIFEST.length - 1),
  );
  const listed = LISTS.flatMap((parts) => matching(path, parts)).flatMap(foldersIn);
  const folders = [...new Set([...inside, ...listed])]
    .filter(isOurs)
    .map((place) => named({ place, files: filesBelow(place), isUnpacked: true }));
  const packages = XPIS.flatMap((parts) => matching(path, parts)).map(packageAt);
  if (folders.length + packages.length > 0) return [...folders, ...packages];
  throw new CommandError(
    EXIT.badInput,
    `There is no copy of ${NAME} in ${nameOf(path)}: give a profile of a browser, an unpacked folder, or a package`,
  );
}

function named(copy: Omit<FoundCopy, 'version'>): FoundCopy {
  const { version } = identityOf(copy.files);
  return { ...copy, version: typeof version === 'string' ? version : 'unknown' };
}

/** The folders that a list of Chromium names; none where it cannot be read. */
function foldersIn(list: string): readonly string[] {
  interface Preferences {
    readonly extensions?: {
      readonly settings?: Readonly<Record<string, { readonly path?: unknown } | null>>;
    };
  }
  try {
    const { extensions } = JSON.parse(readFileSync(list, 'utf8')) as Preferences;
    return Object.values(extensions?.settings ?? {})
      .map((extension) => extension?.path)
      .filter((path): path is string => typeof path === 'string' && isAbsolute(path));
  } catch {
    return [];
  }
}

function isOurs(folder: string): boolean {
  const paths = [MANIFEST, '_locales/en/messages.json'];
  const files = paths.flatMap((path): [string, Uint8Array][] => {
    const file = join(folder, path);
    return isFile(file) ? [[path, readFileSync(file)]] : [];
  });
  return identityOf(new Map(files)).name === NAME;
}

/** The files that a list of names leads to, of which `*` is any folder. */
function matching(folder: string, [part, ...rest]: readonly string[]): readonly string[] {
  if (part === undefined) return isFile(folder) ? [folder] : [];
  if (part !== '*') return matching(join(folder, part), rest);
  return entriesOf(folder)
    .filter((entry) => entry.isDirectory())
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
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

/** What is no regular file counts as an empty one: the package has none. */
function filesBelow(folder: string): ReadonlyMap<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  let room = MAX_BYTES;
  const collect = (at: string, prefix: string) => {
    for (const entry of readdirSync(at, { withFileTypes: true })) {
      const [path, name] = [join(at, entry.name), `${prefix}${entry.name}`];
      if (entry.isDirectory()) {
        collect(path, `${name}/`);
        continue;
      }
      const bytes = entry.isFile() ? readFileSync(path) : new Uint8Array();
      room -= bytes.length;
      if (room < 0) throw new CommandError(EXIT.badInput, `${nameOf(folder)} is too large`);
      files.set(name, bytes);
    }
  };
  collect(folder, '');
  return files;
}
