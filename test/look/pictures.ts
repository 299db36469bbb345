import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

/*
 * The pictures of `npm run look`, and the page that shows them together: artifacts/look/index.html. The name of
 * a picture says what it is of; the page is made of the names.
 */

const FOLDER = resolve('artifacts/look');

/** What a picture is of: a view in one way of drawing it, or the whole screen at one moment. */
export interface Picture {
  readonly browser: string;
  readonly view: string;
  /** "light de 320"; for the whole screen, what a person did. */
  readonly how: string;
}

/** Where to write it. */
export function picturePath({ browser, view, how }: Picture): string {
  mkdirSync(FOLDER, { recursive: true });
  return `${FOLDER}/${[browser, view, how.replaceAll(' ', '_')].join('~')}.png`;
}

/** Removes the views of an earlier run in this browser; the browser's own windows are drawn by another file. */
export function removePictures(browser: string): void {
  for (const name of pictureNames()) {
    const [drawnIn, view] = name.split('~');
    if (drawnIn === browser && view !== 'browser') rmSync(`${FOLDER}/${name}`);
  }
}

function pictureNames(): string[] {
  mkdirSync(FOLDER, { recursive: true });
  return readdirSync(FOLDER).filter((name) => name.endsWith('.png'));
}

/** A row for each view, with its pictures in both browsers. */
function contactSheet(names: readonly string[]): string {
  const rows = new Map<string, string[]>();
  for (const name of names) {
    const view = name.split('~')[1]!;
    rows.set(view, [...(rows.get(view) ?? []), name]);
  }
  const figure = (name: string) => {
    const [browser, , how] = name.replace(/\.png$/, '').split('~');
    const words = `${browser}, ${how!.replaceAll('_', ' ')}`;
    const address = encodeURIComponent(name);
    const picture = `<img src="${address}" alt="${words}" loading="lazy">`;
    return `<figure><a href="${address}">${picture}</a><figcaption>${words}</figcaption></figure>`;
  };
  const sections = [...rows]
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([view, list]) => `<h2>${view}</h2><div>${list.sort().map(figure).join('')}</div>`);
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Sealwright: every view</title>
<style>
body { font: 0.875rem system-ui; margin: 1rem; background: #888; }
div { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: start; }
figure { margin: 0; }
img { max-width: 20rem; max-height: 26rem; border: 1px solid #444; }
</style>
${sections.join('\n')}
</html>
`;
}

// At the root of mocha, after all files.
after(() => {
  const path = `${FOLDER}/index.html`;
  writeFileSync(path, contactSheet(pictureNames()));
  console.log(path);
});
