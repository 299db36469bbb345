/*
 * The list of a release: SHA-256 of every file that is packed for each browser, in the form of sha256sum. The
 * command `sealwright` of the same version carries it.
 */
import { toHex, utf8 } from '../crypto/bytes.ts';
import { nativeSha256 } from '../engine/native/digests.ts';
import { PAGE_NAME } from './drop-page.ts';
import { canonicalJson, isJsonFile } from './rewritten.ts';
import type { Target } from './rewritten.ts';

/** SHA-256 in hex by path. */
export type Digests = ReadonlyMap<string, string>;

/** What the list of a release says. */
export interface DigestList {
  readonly version: string;
  readonly targets: ReadonlyMap<Target, Digests>;
  /** SHA-256 in hex of the page open.html; absent in lists of releases before it. */
  readonly page?: string | undefined;
}

/** The file of the npm package that holds the list, and of the release. */
export const LIST_NAME = 'extension-files.sha256';
/** The file of the extension that names all others, because an extension cannot list its own files. */
export const NAMES_FILE = 'files.json';

const HEAD = /^# Sealwright (\S+): /;
const LINE = /^([0-9a-f]{64}) {2}(chromium|firefox)\/(.+)$/;
const PAGE_LINE = new RegExp(`^([0-9a-f]{64}) {2}${PAGE_NAME}$`);
const TARGETS: readonly Target[] = ['chromium', 'firefox'];

/** SHA-256 of bytes in hex. */
export async function sha256Hex(bytes: Uint8Array): Promise<string> {
  return toHex(await nativeSha256(bytes));
}

/** The digest of each file. */
export async function digestsOf(files: ReadonlyMap<string, Uint8Array>): Promise<Digests> {
  const digests = new Map<string, string>();
  for (const path of [...files.keys()].sort()) digests.set(path, await sha256Hex(files.get(path)!));
  return digests;
}

/**
 * One digest for all files, which is the same in every installed copy: Chromium writes pictures anew when it
 * installs, so they are left out. It is that of the lines `DIGEST  PATH` of the others, sorted by path.
 */
export async function wholeDigest(digests: Digests): Promise<string> {
  const paths = [...digests.keys()].filter((path) => !path.endsWith('.png')).sort();
  return sha256Hex(utf8(paths.map((path) => `${digests.get(path)!}  ${path}\n`).join('')));
}

/**
 * The same of an extension that reads its own files.
 *
 * @param read the bytes of a file of the package
 */
export async function ownDigest(read: (path: string) => Promise<Uint8Array>): Promise<string> {
  const names: unknown = JSON.parse(new TextDecoder().decode(await read(NAMES_FILE)));
  const digests = new Map<string, string>();
  for (const path of [NAMES_FILE, ...(names as string[])]) {
    if (path.endsWith('.png')) continue;
    const bytes = await read(path);
    digests.set(path, await sha256Hex(isJsonFile(path) ? canonicalJson(path, bytes) : bytes));
  }
  return wholeDigest(digests);
}

/** The list as a file: `sha256sum -c` reads it beside the unpacked folders. */
export async function listText({ version, targets, page }: DigestList): Promise<string> {
  const lines = [`# Sealwright ${version}: SHA-256 of every file of the extension`];
  for (const [target, digests] of targets) {
    lines.push(`# ${target}, all but pictures: ${await wholeDigest(digests)}`);
  }
  for (const [target, digests] of targets) {
    for (const [path, digest] of digests) lines.push(`${digest}  ${target}/${path}`);
  }
  if (page !== undefined) lines.push(`${page}  ${PAGE_NAME}`);
  return `${lines.join('\n')}\n`;
}

/** Reads a list. @returns undefined for any other text */
export function parseList(text: string): DigestList | undefined {
  const [head = '', ...lines] = text.trimEnd().split('\n');
  const version = HEAD.exec(head)?.[1];
  if (version === undefined) return undefined;
  const targets = new Map(TARGETS.map((target) => [target, new Map<string, string>()]));
  let page: string | undefined;
  for (const line of lines.filter((each) => !each.startsWith('#'))) {
    const ofPage = PAGE_LINE.exec(line)?.[1];
    if (ofPage !== undefined) {
      page = ofPage;
      continue;
    }
    const [, digest, target, path] = LINE.exec(line) ?? [];
    if (digest === undefined) return undefined;
    targets.get(target as Target)!.set(path!, digest);
  }
  const isWhole = TARGETS.every((target) => targets.get(target)!.has('manifest.json'));
  return isWhole ? { version, targets, ...(page && { page }) } : undefined;
}
