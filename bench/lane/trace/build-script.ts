import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build, type Plugin } from 'esbuild';
import type { BrowserName } from '../../../test/browser/drivers/driver.ts';

/** The scripts of a call. */
export type Script = 'page' | 'content' | 'background';

/** What differs from the script that is shipped. */
interface Changes {
  readonly plugins: readonly Plugin[];
  /** Before the script. */
  readonly banner?: string;
}

/** Builds a script of the extension again, into a folder that has the others as they are shipped. */
export async function buildScript(
  script: Script,
  browser: BrowserName,
  folder: string,
  { plugins, banner = '' }: Changes,
): Promise<void> {
  await build({
    entryPoints: [`extension/entries/${script}.ts`],
    outfile: join(folder, `${script}.js`),
    bundle: true,
    format: 'iife',
    target: 'es2022',
    logLevel: 'error',
    banner: { js: banner },
    plugins: [...(browser === 'firefox' ? [twins('.firefox')] : []), ...plugins],
  });
}

/** Takes `x<suffix>.ts` in the place of `x.ts` where that exists. */
function twins(suffix: string): Plugin {
  return {
    name: 'twins',
    setup(of) {
      of.onResolve({ filter: /^\.{1,2}\/.*\.tsx?$/ }, ({ path, resolveDir }) => {
        const twin = resolve(resolveDir, path.replace(/\.ts$/, `${suffix}.ts`));
        return existsSync(twin) ? { path: twin } : undefined;
      });
    },
  };
}
