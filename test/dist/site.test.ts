import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, posix } from 'node:path';
import { expect } from 'chai';
import ts from 'typescript';
import type { SuiteResult } from '../../bench/result.ts';
import { excerptOf, searchOver, type Found } from '../../site/client/search-index.ts';
import type { PlottedRun } from '../../site/figures.ts';

/* The built site, dist/site: whole pages, no dead link, nothing of other servers, a place for every export. */
const SITE = 'dist/site';
/** The Lab, and the page open.html, which are no pages of documents: they have tests of their own. */
const OTHERS = /^(?:lab\/|open\.html$)/;

interface Page {
  readonly address: string;
  readonly html: string;
  readonly ids: ReadonlySet<string>;
}

const valuesOf = (attribute: string, html: string): string[] =>
  [...html.matchAll(new RegExp(`\\s${attribute}="([^"]*)"`, 'g'))].map((match) => match[1]!);

function readPages(): Map<string, Page> {
  const names = readdirSync(SITE, { recursive: true, encoding: 'utf8' });
  return new Map(
    names
      .filter((name) => name.endsWith('.html') && !OTHERS.test(name))
      .map((address) => {
        const html = readFileSync(join(SITE, address), 'utf8');
        return [address, { address, html, ids: new Set(valuesOf('id', html)) }] as const;
      }),
  );
}

/** What is wrong with a link, or undefined. */
function deadLink(pages: ReadonlyMap<string, Page>, from: Page, href: string): string | undefined {
  if (/^(https?|mailto|data):/.test(href)) return undefined;
  const [, file = '', anchor = ''] = /^([^#?]*)(?:\?[^#]*)?(?:#(.*))?$/.exec(href)!;
  const address = file === '' ? from.address : posix.join(posix.dirname(from.address), file);
  const page = pages.get(address);
  const isThere = page ? anchor === '' || page.ids.has(anchor) : existsSync(join(SITE, address));
  return isThere ? undefined : `${from.address}: ${href}`;
}

/** The names that a source exports, through whatever it re-exports. */
function exportsOf(sources: readonly string[]): string[][] {
  const program = ts.createProgram(sources, {
    allowImportingTsExtensions: true,
    noEmit: true,
    noLib: true,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    target: ts.ScriptTarget.ES2022,
  });
  const checker = program.getTypeChecker();
  return sources.map((source) => {
    const symbol = checker.getSymbolAtLocation(program.getSourceFile(source)!)!;
    return checker.getExportsOfModule(symbol).map(({ name }) => name);
  });
}

describe('the site', () => {
  let pages: Map<string, Page>;
  before(() => (pages = readPages()));

  it('has a page for each document of the project', () => {
    const documents = readdirSync('docs').filter((name) => name.endsWith('.md'));
    const address = (name: string) => name.replace('README', 'index').replace('.md', '.html');
    const missing = documents.filter((name) => !pages.has(`docs/${address(name)}`));
    expect(missing).to.deep.equal([]);
    for (const name of ['index.html', 'overview.html', 'SECURITY.html', 'api/index.html']) {
      expect([...pages.keys()]).to.include(name);
    }
  });

  it('has no dead link, anchors included', () => {
    const dead = [...pages.values()].flatMap((page) =>
      [...valuesOf('href', page.html), ...valuesOf('src', page.html)].flatMap(
        (href) => deadLink(pages, page, href) ?? [],
      ),
    );
    expect(dead).to.deep.equal([]);
  });

  it('finds a dead link where there is one', () => {
    const page = pages.get('docs/client.html')!;
    for (const href of ['no-such.html', 'reference.html#no-such', '#no-such']) {
      expect(deadLink(pages, page, href), href).to.equal(`docs/client.html: ${href}`);
    }
    expect(deadLink(pages, page, 'reference.html#errors')).to.equal(undefined);
  });

  it('loads nothing from other servers, and has nothing that its policy forbids', () => {
    for (const { address, html } of pages.values()) {
      const loaded = [...html.matchAll(/<(?:img|script|link|iframe|source)\b[^>]*>/g)].join('\n');
      expect(loaded, address).to.not.match(/(?:src|href)="(?:https?:)?\/\//);
      expect(html, address).to.include("content=\"default-src 'none'; script-src 'self'");
      expect(html, address).to.not.match(/<[^>]+ (?:style|on[a-z]+)="|<style|<script(?! type="module" src)/);
    }
  });

  it('gives out the page open.html as it is in the release', () => {
    expect(readFileSync(join(SITE, 'open.html')).equals(readFileSync('dist/open.html'))).to.equal(true);
  });

  it('has a title of its own on each page, one h1, and a language', () => {
    const titles = new Map<string, string>();
    for (const { address, html } of pages.values()) {
      const title = /<title>([^<]+)<\/title>/.exec(html)![1]!;
      expect(titles.get(title), `${address}: ${title}`).to.equal(undefined);
      titles.set(title, address);
      expect(html.match(/<h1\b/g), address).to.have.length(1);
      expect(html).to.include('<html lang="en">');
    }
  });

  it('has a place in the reference for every export of every subpath', () => {
    const { exports } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      readonly exports: Readonly<Record<string, string | { readonly types: string }>>;
    };
    const sources = Object.values(exports).flatMap((target) =>
      typeof target === 'string'
        ? []
        : [target.types.replace('./dist/lib/types/', '').replace('.d.ts', '.ts')],
    );
    expect(sources).to.have.length.above(10);
    const missing = exportsOf(sources).flatMap((names, at) => {
      expect(names, sources[at]).to.not.be.empty;
      const address = `api/${sources[at]!.replace('.ts', '.html')}`;
      const headings = pages.get(address)!.html.match(/<h3 .*?<\/h3>/g)!;
      const named = new Set(headings.map((one) => one.replace(/<[^>]+>|\(\)$/g, '').replace('()', '')));
      return names.filter((name) => !named.has(name)).map((name) => `${address}: ${name}`);
    });
    expect(missing).to.deep.equal([]);
  });

  it('plots the medians of the results, all of them', () => {
    const runs = JSON.parse(readFileSync(`${SITE}/assets/figures.json`, 'utf8')) as PlottedRun[];
    expect(runs.map(({ title }) => title.split(',')[0])).to.include.members(['AES', 'Modular exponentiation']);
    const plotted = runs.flatMap(({ algorithms }) =>
      algorithms.flatMap(({ contenders }) => contenders.flatMap(({ medians }) => medians)),
    );
    const measured = readdirSync('bench/results')
      .filter((name) => /-(node|chromium|firefox)\.json$/.test(name))
      .map((name) => JSON.parse(readFileSync(join('bench/results', name), 'utf8')) as Partial<SuiteResult>)
      .flatMap(({ rows = [] }) => rows.filter((row) => 'results' in row && row.results.length > 1))
      .flatMap(({ results }) => results.map(({ median }) => median));
    const sorted = (values: readonly number[]) => values.toSorted((a, b) => a - b);
    expect(sorted(plotted.filter((value) => value !== null))).to.deep.equal(sorted(measured));
  });

  it('has the licence of each package whose code is in its scripts', () => {
    const scripts = readdirSync(`${SITE}/assets`).filter((name) => name.endsWith('.js'));
    expect(scripts).to.have.members(['site.js', 'search.js', 'playground.js', 'plots.js']);
    for (const name of ['minisearch-LICENSE.txt', 'chart.js-LICENSE.md', 'color-LICENSE.md']) {
      expect(readFileSync(`${SITE}/assets/${name}`, 'utf8')).to.include('Permission is hereby granted');
    }
  });

  it('finds every section by search', () => {
    const found = JSON.parse(readFileSync(`${SITE}/assets/search.json`, 'utf8')) as Found[];
    const addresses = new Set(found.map(({ href }) => href));
    for (const href of ['docs/reference.html#errors', 'docs/keys.html#sharing', 'overview.html']) {
      expect([...addresses], href).to.include(href);
    }
    const dead = [...addresses].filter((href) => deadLink(pages, { address: '', html: '', ids: new Set() }, href));
    expect(dead).to.deep.equal([]);
  });

  it('leads back to the start from every page, the Lab too', () => {
    const lab = readFileSync(`${SITE}/lab/index.html`, 'utf8');
    const all = [...pages.values(), { address: 'lab/index.html', html: lab }];
    const lost = all.filter(({ address, html }) => {
      const to = posix.relative(posix.dirname(address), 'index.html');
      return !new RegExp(`<header[^]*<a class="brand" href="${to}"`).test(html);
    });
    expect(lost.map(({ address }) => address)).to.deep.equal([]);
  });

  it('begins with what it is and three ways on, not with the README', () => {
    const { html } = pages.get('index.html')!;
    expect(html.match(/<li>\s*<svg class="drawing"/g)).to.have.length(3);
    const ways = /<ul class="ways">([^]*?)<\/ul>/.exec(html)![1]!;
    for (const href of ['docs/install.html', 'docs/client.html', 'SECURITY.html']) {
      expect(ways).to.include(`href="${href}`);
    }
    expect(html).to.not.include('npm start');
    expect(pages.get('docs/install.html')!.html).to.include('not yet in the browsers');
  });
});

/** As people who know nothing of the project type it, with what they look for. */
const SEARCHES: Readonly<Record<string, string>> = {
  install: 'docs/install.html',
  recover: 'docs/guide.html#if-you-forgot-your-passphrase-recover-the-vault',
  'forgot passphrase': 'docs/guide.html#if-you-forgot-your-passphrase-recover-the-vault',
  'seal a file': 'docs/guide.html#seal-a-file-open-a-file',
  share: 'docs/guide.html#share-with-other-people',
  lock: 'docs/guide.html#lock-the-vault',
  backup: 'docs/guide.html#make-a-backup',
  'always seal': 'docs/fields.html#always-sealed',
  'new computer': 'docs/guide.html#a-new-computer-or-a-second-one',
  'is it safe': 'docs/guide.html#is-it-safe',
};

describe('the search of the site', () => {
  let found: readonly Found[];
  let find: ReturnType<typeof searchOver>;
  before(() => {
    found = JSON.parse(readFileSync(`${SITE}/assets/search.json`, 'utf8')) as Found[];
    find = searchOver(found);
  });

  it('shows first what people look for', () => {
    const first = Object.keys(SEARCHES).map((words) => [words, find(words)[0]?.section.href]);
    expect(Object.fromEntries(first)).to.deep.equal(SEARCHES);
  });

  it('finds what developers look for, by their words', () => {
    const hrefs = find('AUTH_FAILED').map(({ section }) => section.href);
    expect(hrefs.slice(0, 30)).to.include('docs/reference.html#errors');
    expect(find('sealMany')[0]!.section.audience).to.equal('developers');
  });

  it('shows excerpts that begin and end with whole words', () => {
    const cut = Object.keys(SEARCHES)
      .flatMap((words) => find(words).slice(0, 30))
      .filter(({ section: { text }, terms }) => {
        const shown = excerptOf(text, terms).join('');
        const words = shown.replace(/^… | …$/g, '').split(' ');
        const all = text.trim().split(/\s+/);
        return words.some((word) => word !== '' && !all.includes(word));
      });
    expect(cut.map(({ section }) => section.href)).to.deep.equal([]);
    expect(excerptOf('one two three', ['two'])).to.deep.equal(['one ', 'two', ' three']);
    const long = excerptOf(`${'word '.repeat(40)}needle${' word'.repeat(40)}`, ['needle']);
    expect(long.join('')).to.match(/^… (word )+needle( word)+ …$/);
  });
});
