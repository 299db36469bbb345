import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';

/**
 * A page for each file of tests: what wpt's own server makes of an `.any.js` file, from the
 * `META: script=` lines on its top.
 *
 * @param wpt the folder with WebCryptoAPI and resources in it
 * @param folder where the pages go; both folders are served together
 */
export function writePages(wpt: string, folder: string, files: readonly string[]): void {
  const runner = new URL('runner.js', import.meta.url);
  writeFileSync(join(folder, 'runner.js'), readFileSync(runner));
  for (const file of files) {
    const path = join(folder, pageOf(file));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, page(scriptsOf(file, readFileSync(join(wpt, file), 'utf8'))));
  }
}

/** The address of a file's page, without a slash. */
export function pageOf(file: string): string {
  return file.replace(/\.js$/, '.html');
}

/** Absolute paths on the server, in the order in which they are loaded; the file itself is last. */
export function scriptsOf(file: string, source: string): string[] {
  const listed = [...source.matchAll(/^\/\/ META: script=(\S+)$/gm)].map(([, src]) => src!);
  const folder = `/${posix.dirname(file)}`;
  return [...listed.map((src) => posix.resolve(folder, src)), `/${file}`];
}

/** The part of a file that its authors let run alone, as `1-1000`: the first, where there are some. */
export function firstPart(source: string): string | undefined {
  return /^\/\/ META: variant=\?(\S+)$/m.exec(source)?.[1];
}

function page(scripts: readonly string[]): string {
  return `<!doctype html>
<html lang="en" data-scripts="${scripts.join(' ')}">
  <meta charset="utf-8" />
  <title>web-platform-tests</title>
  <script src="/runner.js"></script>
</html>
`;
}
