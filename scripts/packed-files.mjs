/* The list of the files that are packed into the extension, and the form in which they are packed. */
import { Buffer } from 'node:buffer';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { tsImport } from 'tsx/esm/api';
import webpack from 'webpack';

const { canonicalJson } = await tsImport('../src/release/rewritten.ts', import.meta.url);
const { LIST_NAME, NAMES_FILE, digestsOf, listText, sha256Hex } = await tsImport(
  '../src/release/digest-list.ts',
  import.meta.url,
);

const { PAGE_NAME } = await tsImport('../src/release/drop-page.ts', import.meta.url);

const TARGETS = ['chromium', 'firefox'];

/** JSON of the package in the form to which `sealwright verify` brings what a browser has written anew. */
export function canonical(path, content) {
  return Buffer.from(canonicalJson(path.replaceAll(sep, '/'), Buffer.from(content)));
}

/** A webpack plugin: writes the names of all other files, with which the extension finds its own files. */
export class FileNames {
  apply(compiler) {
    compiler.hooks.thisCompilation.tap('FileNames', (compilation) => {
      const stage = webpack.Compilation.PROCESS_ASSETS_STAGE_REPORT;
      compilation.hooks.processAssets.tap({ name: 'FileNames', stage }, (assets) => {
        const text = `${JSON.stringify(Object.keys(assets).sort(), null, 2)}\n`;
        compilation.emitAsset(NAMES_FILE, new webpack.sources.RawSource(text));
      });
    });
  }
}

export { LIST_NAME, NAMES_FILE, PAGE_NAME };

/**
 * The files below a folder, by path with `/`.
 *
 * @param isWanted of a path; a folder that is not wanted is not looked into
 */
export function filesBelow(folder, isWanted = () => true) {
  const pathsIn = (inner) =>
    readdirSync(join(folder, inner), { withFileTypes: true }).flatMap((entry) => {
      const path = join(inner, entry.name);
      if (!isWanted(path.replaceAll(sep, '/'))) return [];
      if (entry.isDirectory()) return pathsIn(path);
      return entry.isFile() ? [path] : [];
    });
  const paths = pathsIn('');
  return new Map(
    paths
      .sort()
      .map((path) => [path.replaceAll(sep, '/'), new Uint8Array(readFileSync(join(folder, path)))]),
  );
}

/** Writes the list of the built extensions and of the page beside the command that compares copies with it. */
export async function writeDigestList() {
  const { version } = JSON.parse(readFileSync('manifest.json', 'utf8'));
  const targets = new Map();
  for (const target of TARGETS) {
    targets.set(target, await digestsOf(filesBelow(join('dist', target))));
  }
  const page = await sha256Hex(readFileSync(join('dist', PAGE_NAME)));
  writeFileSync(join('dist/lib', LIST_NAME), await listText({ version, targets, page }));
}
