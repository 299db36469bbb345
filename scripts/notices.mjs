import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import webpack from 'webpack';

/** The file beside the bundles. */
const NOTICES = 'THIRD-PARTY-NOTICES.txt';

const HEAD = `Sealwright is licensed under the Apache License 2.0 (LICENSE). Its scripts, or the WebAssembly
beside them, also hold code of these packages, under the licences that follow.
`;

/**
 * A webpack plugin: writes the licences of the npm packages whose modules are in a bundle. Builds that go to one
 * folder share the plugin, so that the file has the packages of all of them.
 *
 * Fails the build for a package without a licence's text.
 */
export class Notices {
  #folders = new Set();

  apply(compiler) {
    compiler.hooks.thisCompilation.tap('Notices', (compilation) => {
      const stage = webpack.Compilation.PROCESS_ASSETS_STAGE_ADDITIONS;
      compilation.hooks.processAssets.tap({ name: 'Notices', stage }, () => {
        for (const path of bundledPaths(compilation)) {
          const folder = packageFolder(path);
          if (folder !== undefined) this.#folders.add(folder);
        }
        const notices = [...this.#folders].map(noticeOf).sort();
        const text = [HEAD, ...notices].join(`\n${'-'.repeat(80)}\n\n`);
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
  return `${name} ${version} (${license})\n\n${texts.join('\n\n')}\n`;
}
