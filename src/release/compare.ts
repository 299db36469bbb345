/* Compares a copy of the extension with the list of a release, and names every difference. */
import { sha256Hex } from './digest-list.ts';
import type { DigestList, Digests } from './digest-list.ts';
import { canonicalJson, isJsonFile, isStoreFile, manifestPictures } from './rewritten.ts';
import type { Target } from './rewritten.ts';

/**
 * What a file of a copy is: `changed`, `added` and `missing` are differences; `signature` was added by the store, and
 * `rewritten` by the browser or the store, which change the bytes of a file and not its content.
 */
export type FileState = 'changed' | 'added' | 'missing' | 'signature' | 'rewritten';

/** A file that is not byte-equal to that of the release. */
export interface FileFinding {
  readonly path: string;
  readonly state: FileState;
}

/** A copy beside the release. */
export interface Comparison {
  readonly target: Target;
  /** How many files are byte-equal. */
  readonly equal: number;
  /** All others, by path. */
  readonly findings: readonly FileFinding[];
}

/** A copy of the extension, of which bytes were read. */
export interface Copy {
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** Whether a browser unpacked it: Chromium then writes the pictures of the manifest anew. */
  readonly isUnpacked: boolean;
}

/** Whether a finding is a difference. */
export function isDifference({ state }: FileFinding): boolean {
  return state !== 'signature' && state !== 'rewritten';
}

/** Compares a copy with the package of the browser that it fits best. */
export async function compare(copy: Copy, { targets }: DigestList): Promise<Comparison> {
  const all = await Promise.all(
    [...targets].map(([target, digests]) => compareWith(copy, target, digests)),
  );
  const differences = ({ findings }: Comparison) => findings.filter(isDifference).length;
  return all.reduce((best, each) => (differences(each) < differences(best) ? each : best));
}

async function compareWith(copy: Copy, target: Target, digests: Digests): Promise<Comparison> {
  const { files } = copy;
  const findings: FileFinding[] = [];
  const paths = [...new Set([...digests.keys(), ...files.keys()])].sort();
  for (const path of paths) {
    const state = await stateOf(path, copy, target, digests);
    if (state !== undefined) findings.push({ path, state });
  }
  return { target, equal: paths.length - findings.length, findings };
}

async function stateOf(
  path: string,
  { files, isUnpacked }: Copy,
  target: Target,
  digests: Digests,
): Promise<FileState | undefined> {
  const [bytes, digest] = [files.get(path), digests.get(path)];
  if (bytes === undefined) return 'missing';
  if (digest === undefined) return isStoreFile(path, target) ? 'signature' : 'added';
  if ((await sha256Hex(bytes)) === digest) return undefined;
  if (isJsonFile(path)) {
    return (await sha256Hex(canonicalJson(path, bytes))) === digest ? 'rewritten' : 'changed';
  }
  const manifest = files.get('manifest.json');
  const mayDiffer = isUnpacked && target === 'chromium' && manifest !== undefined;
  return mayDiffer && manifestPictures(manifest).has(path) && isPng(bytes)
    ? 'rewritten'
    : 'changed';
}

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** Begins as a picture: no browser takes it for a script or a page. */
function isPng(bytes: Uint8Array): boolean {
  return PNG.every((byte, at) => bytes[at] === byte);
}
