/* `sealwright verify`: compares copies of the extension, and of the page open.html, with the files of a release. */
import { compare, isDifference } from '../../release/compare.ts';
import type { Comparison, FileState } from '../../release/compare.ts';
import { parseList, sha256Hex, wholeDigest } from '../../release/digest-list.ts';
import type { DigestList } from '../../release/digest-list.ts';
import { PAGE_NAME, keyIn, withKey } from '../../release/drop-page.ts';
import { publisherKeyOf, storeOf } from '../../release/rewritten.ts';
import { CommandError, EXIT } from '../exit-codes.ts';
import { nameOf, printableLine, textFile } from '../input.ts';
import type { StandardInput } from '../input.ts';
import { copiesAt, pageAt } from './copies.ts';
import type { FoundCopy } from './copies.ts';

/** What the command was given. */
export interface VerifyArguments {
  /** A profile, an unpacked folder, a package or the page. */
  readonly path: string;
  /** The list of a release; absent: that of this package. */
  readonly release: string | undefined;
}

/** What it needs of its surroundings. */
export interface VerifySurroundings {
  readonly input: StandardInput;
  /** The list that this package carries. */
  ownList(): Promise<string>;
  print(content: string): Promise<void>;
}

const STATES: Readonly<Record<FileState, string>> = {
  changed: 'changed',
  added: 'added',
  missing: 'missing',
  signature: "the store's signature",
  rewritten: 'written anew, with the same content',
};

/**
 * Prints every difference.
 *
 * @throws CommandError with exit code 1 if a copy is not the release
 */
export async function verifyCommand(
  { path, release }: VerifyArguments,
  surroundings: VerifySurroundings,
): Promise<void> {
  const text =
    release === undefined
      ? await surroundings.ownList()
      : await textFile(release, surroundings.input);
  const list = parseList(text);
  if (!list) {
    throw new CommandError(
      EXIT.badInput,
      `${release === undefined ? 'The list of this package' : nameOf(release)} lists no release`,
    );
  }
  const page = pageAt(path);
  if (page !== undefined) {
    await verifyPage(path, page, list, surroundings);
    return;
  }
  const problems: string[] = [];
  for (const copy of await copiesAt(path, list)) {
    const comparison = await compare(copy, list);
    await surroundings.print(await report(copy, comparison, list));
    problems.push(...problemsOf(copy, comparison, list));
  }
  if (problems.length > 0) throw new CommandError(EXIT.notVerified, problems.join('\n'));
}

/** @throws CommandError with exit code 1 for another page, 3 for a list without one */
async function verifyPage(
  path: string,
  page: string,
  { version, page: digest }: DigestList,
  surroundings: VerifySurroundings,
): Promise<void> {
  if (digest === undefined) {
    throw new CommandError(EXIT.badInput, `The release ${version} has no page ${PAGE_NAME}`);
  }
  if ((await sha256Hex(Buffer.from(withKey(page, ''), 'latin1'))) !== digest) {
    throw new CommandError(
      EXIT.notVerified,
      `${nameOf(path)} is not the page ${PAGE_NAME} of the release ${version}`,
    );
  }
  const key = keyIn(page)!;
  const lines =
    key === ''
      ? [`  This is the page ${PAGE_NAME} of the release ${version}`]
      : [
          `  This is the page ${PAGE_NAME} of the release ${version}, and seals to one key:`,
          `  ${key}`,
          '  Compare the six words that it shows with the person to whom you want to seal',
        ];
  await surroundings.print([printableLine(path), ...lines, ''].join('\n'));
}

async function report(
  { place, version, files }: FoundCopy,
  { target, equal, findings }: Comparison,
  list: DigestList,
): Promise<string> {
  const manifest = files.get('manifest.json') ?? new Uint8Array();
  const store = storeOf(manifest);
  const digest = await wholeDigest(list.targets.get(target)!);
  const lines = [
    printableLine(place),
    `  version ${printableLine(version)}, for ${target}${store === undefined ? '' : `, from ${store}`}`,
    `  ${equal} files are byte-equal to those of the release ${list.version}`,
    ...findings.map(({ path, state }) => `  ${STATES[state]}: ${printableLine(path)}`),
    ...(findings.some(isDifference) ? [] : verdict(await idOf(manifest), digest)),
  ];
  return `${lines.join('\n')}\n`;
}

/** The files do not say whose key a copy has, and its updates come from the owner of the key. */
function verdict(id: string | undefined, digest: string): readonly string[] {
  const value = `check value, which About shows: ${digest}`;
  if (id === undefined) return [`  This copy is the release. Its ${value}`];
  return [
    `  Its files are those of the release. Their ${value}`,
    `  Its publisher's key gives it the id ${id}. If the address of Sealwright's page in the store has another id, it is`,
    '  the copy of another publisher, who can update it to anything',
  ];
}

/** The id that Chromium computes of the publisher's key: half of a SHA-256, its hex digits written as a to p. */
async function idOf(manifest: Uint8Array): Promise<string | undefined> {
  const key = publisherKeyOf(manifest);
  if (key === undefined) return undefined;
  const half = (await sha256Hex(Buffer.from(key, 'base64'))).slice(0, 32);
  return half.replace(/./g, (digit) => String.fromCharCode(97 + parseInt(digit, 16)));
}

/** In a copy for end-to-end tests of apps (extension/test-zip). */
const TEST_SCRIPT = 'test-background.js';

function problemsOf(
  { place, version, files }: FoundCopy,
  { findings }: Comparison,
  list: DigestList,
): readonly string[] {
  const differences = findings.filter(isDifference).length;
  if (differences === 0) return [];
  if (files.has(TEST_SCRIPT)) {
    return [`${printableLine(place)} is the test zip, which protects nothing: remove it`];
  }
  const isOther = version !== list.version;
  const of = printableLine(version);
  const why = isOther
    ? `its version is ${of}, which "npx sealwright@${of} verify" compares`
    : `${differences} ${differences === 1 ? 'file differs' : 'files differ'}`;
  return [`${printableLine(place)} is not the release ${list.version}: ${why}`];
}
