import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { expect } from 'chai';

/*
 * Where styles stand: what a component of extension/ui looks like in ui.css, a view of extension/views in views.css, and
 * in the style sheet of a page only what this page alone has. A page that shows another's view then shows it whole.
 */
const SHARED = ['extension/ui', 'extension/views'];
const PAGES = ['popup', 'prompt', 'manager', 'fields-window'].map((name) => `extension/${name}`);

const filesOf = (folder: string, end: RegExp): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => end.test(name))
    .map((name) => `${folder}/${name}`);

/** The classes and ids that the sources of a folder give to elements. */
function namesIn(folder: string): Set<string> {
  const source = filesOf(folder, /\.(tsx|html)$/)
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n');
  const given = source.matchAll(
    /\b(?:class|id)=(?:"([^"]*)"|\{`([^`]*)`\}|\{[^}]*?'([^']*)'[^}]*\})/g,
  );
  return new Set(
    [...given].flatMap(([, ...texts]) =>
      texts
        .join(' ')
        .replaceAll(/\$\{.*?\}/g, ' ')
        .split(/\s+/),
    ),
  );
}

/** The selectors of a style sheet, without those of at-rules. */
function selectorsOf(css: string): string[] {
  const plain = css
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/@keyframes[^{]*\{[\s\S]*?\n\}/g, '');
  return [...plain.matchAll(/([^{}]+)\{/g)]
    .map(([, prelude]) => prelude!.trim())
    .filter((prelude) => !prelude.startsWith('@'))
    .flatMap((prelude) => prelude.split(/,(?![^(]*\))/).map((each) => each.trim()));
}

/** Of the page itself: its root, its body, and the element that holds its view. */
const OF_PAGE = /^(html|body|#app)\b/;

function foreign(selectors: readonly string[], own: ReadonlySet<string>): string[] {
  return selectors.filter((selector) => {
    const names = [...selector.matchAll(/[.#]([a-z][\w-]*)/g)].map(([, name]) => name!);
    return !OF_PAGE.test(selector) && !names.some((name) => own.has(name));
  });
}

describe('the style sheets', () => {
  const shared = new Set(SHARED.flatMap((folder) => [...namesIn(folder)]));

  for (const page of PAGES) {
    const own = new Set([...namesIn(page)].filter((name) => !shared.has(name)));
    for (const path of filesOf(page, /\.css$/)) {
      it(`of ${path} style what this page alone has`, () => {
        expect(own.size).to.be.above(5);
        expect(foreign(selectorsOf(readFileSync(path, 'utf8')), own)).to.deep.equal([]);
      });
    }
  }

  it('are found where they style a component that is not of the page', () => {
    const own = new Set(['grants']);
    const css =
      "body { a: 0 } .grants > .check, .check:has(input, a) { b: 1 } input[type='checkbox'] { c: 2 }";
    expect(foreign(selectorsOf(css), own)).to.deep.equal([
      '.check:has(input, a)',
      "input[type='checkbox']",
    ]);
  });

  it('that a page needs are loaded by it, before its own', () => {
    for (const page of PAGES) {
      const html = readFileSync(`${page}/${basename(page)}.html`, 'utf8');
      const sheets = [...html.matchAll(/stylesheet" href="([\w.-]+)"/g)].map(([, name]) => name!);
      const usesViews = filesOf(page, /\.tsx$/).some((path) =>
        /from '(\.\.\/)+views\//.test(readFileSync(path, 'utf8')),
      );
      const first = ['ui.css', ...(usesViews ? ['views.css'] : []), `${basename(page)}.css`];
      expect(sheets.slice(0, first.length), page).to.deep.equal(first);
      expect(dirname(page)).to.equal('extension');
    }
  });

  /** The band of the test zip stands in the pages of others, too. */
  const sheets = () =>
    filesOf('extension', /\.css$/)
      .filter((path) => !path.startsWith('extension/test-zip/'))
      .map((path) => [path, readFileSync(path, 'utf8')] as const);

  it('have the sizes of text of the scale alone, but for what is printed', () => {
    for (const [path, css] of sheets()) {
      const onScreen = css.replaceAll(/@media print \{[\s\S]*?\n\}/g, '');
      const sizes = [
        ...onScreen.matchAll(/font-size: ([^;]+);/g),
        ...onScreen.matchAll(/font:\s*([^;]+);/g),
      ].map(([, value]) => value!);
      const others = sizes.filter((value) => !/var\(--(text-\d|title)\)|^inherit$/.test(value));
      expect(others, path).to.deep.equal([]);
    }
  });

  it('align names with the lines of the view: a direction of its own has only a text of several lines', () => {
    const sources = filesOf('extension', /\.tsx$/).map((path) => readFileSync(path, 'utf8'));
    const own = sources.flatMap((source) => [...source.matchAll(/<(\w+)[^<>]*\bdir="auto"/g)]);
    expect(own.length).to.be.above(5);
    const others = own.filter(([, name]) => !['textarea', 'pre', 'blockquote'].includes(name!));
    expect(others.map(([found]) => found)).to.deep.equal([]);
  });

  it('move nothing for who wants no motion, but what says that work goes on', () => {
    const [, ui] = sheets().find(([path]) => path === 'extension/ui/ui.css')!;
    const reduced = /@media \(prefers-reduced-motion: reduce\) \{([\s\S]*?)\n\}/.exec(ui)![1]!;
    expect(reduced).to.match(/\*,[^}]*transition: none !important;\s*animation: none !important;/);
    for (const [path, css] of sheets()) {
      const strong = [...css.matchAll(/animation[^;]*!important/g)].map(([found]) => found);
      expect(strong.length, path).to.equal(path === 'extension/ui/ui.css' ? 2 : 0);
    }
  });
});
