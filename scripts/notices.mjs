import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import webpack from 'webpack';

/** The file beside the bundles. */
export const NOTICES = 'THIRD-PARTY-NOTICES.txt';

const HEAD = `Sealwright is licensed under the Apache License 2.0 (LICENSE). Its scripts, or the WebAssembly
beside them, also hold code of these packages, under the licences that follow.
`;

/**
 * The licences of the npm packages that these files are of.
 *
 * @param paths absolute, of files that are in a bundle
 * @throws Error for a package without a licence's text
 */
export function noticesText(paths) {
  const folders = new Set(paths.map(packageFolder).filter((folder) => folder !== undefined));
  return [HEAD, ...[...folders].map(noticeOf).sort()].join(`\n${'-'.repeat(80)}\n\n`);
}

/** A webpack plugin: writes `noticesText` of the modules in a bundle beside it. */
export class Notices {
  apply(compiler) {
    compiler.hooks.thisCompilation.tap('Notices', (compilation) => {
      const stage = webpack.Compilation.PROCESS_ASSETS_STAGE_ADDITIONS;
      compilation.hooks.processAssets.tap({ name: 'Notices', stage }, () => {
        const text = noticesText(bundledPaths(compilation));
        compilation.emitAsset(NOTICES, new webpack.sources.RawSource(text));
      });
    });
  }
}

/** The files of all modules in chunks, those of concatenated modules too. */
function bundledPaths({ modules, chunkGraph }) {
  const inChunks = [...modules].filter((module) => chunkGraph.getNumberOfModuleChunks(module) > 0);
  return inChunks
    .flatMap((module) => [module, ...(module.modules ?? [])])
    .map((module) => module.resource ?? '');
}

function packageFolder(path) {
  const at = path.lastIndexOf(`${sep}node_modules${sep}`);
  if (at < 0) return undefined;
  const [, , first, second] = path.slice(at).split(sep);
  return join(path.slice(0, at), 'node_modules', first, first.startsWith('@') ? second : '');
}

function noticeOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const files = readdirSync(folder).filter((file) => /licen[cs]e|^copying|^notice/i.test(file));
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim());
  if (texts.length === 0)
    throw new Error(`${name} ${version} has no text of its licence (${license})`);
  // SPDX has parentheses around a choice of its own.
  const named = license.replace(/^\((.+)\)$/, '$1');
  return `${name} ${version} (${named})\n\n${texts.join('\n\n')}\n`;
}
