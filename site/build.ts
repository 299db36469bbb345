/*
 * `npm run site`: the site as static files, in dist/site. Its texts are the repository's Markdown and doc comments;
 * whatever a page links to becomes a part of the site, and a link to nothing fails the build.
 */
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, extname, join, posix } from 'node:path';
import { build as bundle } from 'esbuild';
import { everyMeasurement } from '../bench/quote.ts';
import { PAGE_NAME } from '../src/release/drop-page.ts';
import type { Found } from './client/search-index.ts';
import { plottedRuns } from './figures.ts';
import { labHeader, pageHtml, relativeTop } from './layout.ts';
import { librarySubpaths, libraryReference } from './library-reference.ts';
import { escapeHtml, highlighted, renderMarkdown, type Rendered, type Target } from './markdown.ts';
import {
  API,
  LAB,
  MEASUREMENTS,
  OWN_PAGES,
  addressOf,
  kindOf,
  navigation,
  relativeAddress,
  type Audience,
  type NavigationPage,
} from './pages.ts';

const ASSETS = [
  'extension/ui/ui.css',
  'site/site.css',
  'extension/icons/mark.svg',
  'extension/icons/icon-32.png',
];
const SCRIPTS = ['site', ...Object.keys(OWN_PAGES)].filter((name) =>
  existsSync(`site/client/${name}.ts`),
);
/** Packages whose code is in the scripts, with the files of their licences. */
const LICENCES = {
  minisearch: 'LICENSE.txt',
  'chart.js': 'LICENSE.md',
  '@kurkle/color': 'LICENSE.md',
};

/** A link of a page, to be checked when all pages are there. */
interface Link {
  readonly from: string;
  readonly href: string;
  readonly address: string;
  readonly anchor: string;
}

class Site {
  readonly #target: string;
  /** Markdown that is made for the site, by the path that its links are relative to. */
  readonly #generated: ReadonlyMap<string, string>;
  readonly #groups: ReturnType<typeof navigation>;
  /** Paths that are pages or will be. */
  readonly #known = new Set<string>();
  readonly #waiting: string[] = [];
  readonly #links: Link[] = [];
  /** The ids of each page. */
  readonly #anchors = new Map<string, ReadonlySet<string>>();
  readonly #found: Found[] = [];

  /**
   * @param target the folder
   * @param reference the Markdown of the library's reference, by its path
   * @param measurements the Markdown of every measurement
   */
  constructor(target: string, reference: ReadonlyMap<string, string>, measurements: string) {
    this.#target = target;
    const names = [...librarySubpaths().keys()];
    const contents = listOf(names, [...reference.keys()]);
    this.#generated = new Map([
      ...reference,
      [`${API}/README.md`, contents],
      [MEASUREMENTS, measurements],
    ]);
    this.#groups = navigation(new Map([...reference.keys()].map((path, at) => [path, names[at]!])));
  }

  /** Makes the pages of the navigation, and all that they lead to. */
  makePages(): void {
    const own = new Set<string>([...Object.values(OWN_PAGES), LAB]);
    const sources = this.#groups.flatMap(({ pages }) => pages.map(({ source }) => source));
    for (const source of sources) if (!own.has(source)) this.#enqueue(source);
    for (const name of Object.keys(OWN_PAGES)) this.#makeOwn(name as keyof typeof OWN_PAGES);
    for (let path = this.#waiting.shift(); path !== undefined; path = this.#waiting.shift()) {
      this.#make(path);
    }
    this.#write('assets/search.json', JSON.stringify(this.#found));
    this.#write('assets/figures.json', JSON.stringify(plottedRuns()));
  }

  /** @throws Error with every link that leads nowhere */
  checkLinks(): void {
    const dead = this.#links.filter(({ address, anchor }) => {
      const ids = this.#anchors.get(address);
      if (ids === undefined) return !existsSync(join(this.#target, address));
      return anchor !== '' && !ids.has(anchor);
    });
    if (dead.length === 0) return;
    throw new Error(`dead links:\n${dead.map(({ from, href }) => `${from}: ${href}`).join('\n')}`);
  }

  #enqueue(path: string): void {
    if (this.#known.has(path)) return;
    this.#known.add(path);
    this.#waiting.push(path);
  }

  #kindOf(path: string): ReturnType<typeof kindOf> {
    return this.#generated.has(path) ? 'document' : kindOf(path);
  }

  #make(path: string): void {
    const kind = this.#kindOf(path);
    const address = addressOf(path, kind);
    if (kind === 'copy') this.#write(address, readFileSync(path));
    else if (kind === 'document') {
      const text = this.#generated.get(path) ?? readFileSync(path, 'utf8');
      const rendered = renderMarkdown(text, (href) => this.#resolve(href, path, address));
      this.#makePage(address, this.#titleOf(path) ?? headOf(rendered, path), rendered);
    } else {
      const html = kind === 'folder' ? this.#listing(path, address) : sourceHtml(path);
      this.#makePage(address, path, { html, headings: [], sections: [] });
    }
  }

  /** What is in a folder: its README, and links to its files, without those of folders in it. */
  #listing(path: string, address: string): string {
    const readme = join(path, 'README.md');
    const names = readdirSync(path, { withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name !== 'README.md')
      .map(({ name }) => name);
    const links = names.map((name) => {
      const { href } = this.#resolve(name, readme, address);
      return `<li><a href="${escapeHtml(href)}"><code>${escapeHtml(name)}</code></a></li>`;
    });
    const text = existsSync(readme) ? readFileSync(readme, 'utf8') : `# \`${path}\``;
    const { html } = renderMarkdown(text, (href) => this.#resolve(href, readme, address));
    return `${html}<h2>Files</h2>\n<ul>\n${links.join('\n')}\n</ul>\n`;
  }

  #makeOwn(name: keyof typeof OWN_PAGES): void {
    const html = readFileSync(`site/${name}.html`, 'utf8');
    const headings = [...html.matchAll(/<h(\d) id="([^"]+)">([^<]+)</g)].map(
      ([, level, id, text]) => ({ id: id!, level: Number(level), text: text! }),
    );
    const title = name === 'start' ? 'Sealwright' : /<h1[^>]*>([^<]+)</.exec(html)![1]!;
    for (const [, href] of html.matchAll(/href="([^"]+)"/g)) this.#note(OWN_PAGES[name], href!);
    const sections = headings.map(({ id, text }) => ({ id, heading: text, text: '' }));
    const isFound = name !== 'search' && name !== 'start';
    const rendered = { html, headings, sections: isFound ? sections : [] };
    this.#makePage(OWN_PAGES[name], title, rendered, name);
  }

  #makePage(
    address: string,
    title: string,
    rendered: Rendered,
    own?: keyof typeof OWN_PAGES,
  ): void {
    const { html, headings, sections } = rendered;
    const groups = this.#groups.map(({ title: group, pages }) => ({
      title: group,
      pages: pages.map(({ source, title: name }) => ({
        title: name,
        href: relativeAddress(address, this.#addressOf(source)),
      })),
    }));
    const page = pageHtml({
      title,
      top: relativeTop(address),
      groups,
      current: relativeAddress(address, address),
      headings,
      html,
      ...(own !== undefined && SCRIPTS.includes(own) && { scripts: [own] }),
      ...(own === 'playground' && { usesWasm: true }),
      ...(own === 'start' && { isStart: true }),
    });
    const ids = [...page.matchAll(/\bid="([^"]+)"/g)].map((match) => match[1]!);
    this.#anchors.set(address, new Set(ids));
    this.#write(address, page);
    for (const { id, heading, text } of sections) {
      if (heading === '' && text === '') continue;
      const isTop = id === '' || id === headings.find(({ level }) => level === 1)?.id;
      const href = isTop ? address : `${address}#${id}`;
      const audience = this.#audienceOf(address);
      this.#found.push({ href, page: title, heading: heading || title, text, audience });
    }
  }

  /** Of the group of the navigation that has the page; what is in none is for those who change the code. */
  #audienceOf(address: string): Audience {
    const isHere = ({ pages }: { readonly pages: readonly NavigationPage[] }) =>
      pages.some(({ source }) => this.#addressOf(source) === address);
    return this.#groups.find(isHere)?.audience ?? 'project';
  }

  #addressOf(source: string): string {
    const isDocument = source.endsWith('.md') || this.#generated.has(source);
    return isDocument ? addressOf(source, 'document') : source;
  }

  /** @returns the link as the page has it; notes where it leads */
  #resolve(href: string, path: string, address: string): Target {
    if (/^[a-z]+:/.test(href)) return { href };
    const [file, anchor = ''] = href.split('#') as [string, string?];
    if (file === '') {
      this.#links.push({ from: address, href, address, anchor });
      return { href };
    }
    const target = posix.join(posix.dirname(path), file).replace(/\/$/, '');
    if (!this.#generated.has(target) && !existsSync(target)) {
      throw new Error(`${path} has a link to ${href}, which does not exist`);
    }
    const source = pageSource(target);
    this.#enqueue(source);
    const to = addressOf(source, this.#kindOf(source));
    this.#links.push({ from: address, href, address: to, anchor });
    const way = `${relativeAddress(address, to)}${anchor && `#${anchor}`}`;
    return { href: way, title: this.#titleOf(source) };
  }

  /** In the navigation. */
  #titleOf(source: string): string | undefined {
    return this.#groups.flatMap(({ pages }) => pages).find((page) => page.source === source)?.title;
  }

  #note(from: string, href: string): void {
    if (/^[a-z]+:/.test(href)) return;
    const [file, anchor = ''] = href.split('#') as [string, string?];
    const address = file === '' ? from : posix.join(posix.dirname(from), file);
    this.#links.push({ from, href, address, anchor });
  }

  #write(address: string, content: string | Uint8Array): void {
    const file = join(this.#target, address);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
}

/**
 * What the page of a linked path is made of. A folder's README says what is in it; examples are whole programs, whose
 * files are shown too.
 */
function pageSource(path: string): string {
  if (path.startsWith('examples/')) return path.replace(/\/README\.md$/, '');
  return existsSync(join(path, 'README.md')) ? join(path, 'README.md') : path;
}

/** The READMEs of two folders may have one heading. */
function headOf({ headings }: Rendered, path: string): string {
  const text = headings.find(({ level }) => level === 1)?.text ?? path;
  return path.endsWith('/README.md') ? `${text} (${dirname(path)})` : text;
}

function sourceHtml(path: string): string {
  const code = highlighted(readFileSync(path, 'utf8'), extname(path).slice(1));
  return `<h1><code>${escapeHtml(path)}</code></h1>\n<pre class="scroll"><code>${code}</code></pre>\n`;
}

/** The site's scripts; they import the built library from `lib/`, as a page without a bundler does. */
async function makeScripts(target: string): Promise<void> {
  await bundle({
    entryPoints: SCRIPTS.map((name) => `site/client/${name}.ts`),
    outdir: join(target, 'assets'),
    bundle: true,
    format: 'esm',
    target: 'es2022',
    charset: 'utf8',
    minifySyntax: true,
    minifyWhitespace: true,
    plugins: [
      {
        name: 'library',
        setup(bundler) {
          bundler.onResolve({ filter: /\/src\/(client|library)\// }, ({ path }) => {
            const name = posix.basename(path, '.ts');
            const script = path.includes('/client/') ? 'client' : name;
            return { path: `../lib/${script}.js`, external: true };
          });
        },
      },
    ],
  });
}

/** The page of the folder of the reference: a list of its pages. */
function listOf(names: readonly string[], paths: readonly string[]): string {
  const lines = names.map((name, at) => `- [\`${name}\`](${posix.relative(API, paths[at]!)})`);
  return `# Every export\n\nThe reference of the package, by what can be imported from it.\n\n${lines.join('\n')}\n`;
}

/** The Lab's page leads to no other; in the site it has the header of the others, without their search. */
function addHeader(path: string): void {
  const html = readFileSync(path, 'utf8');
  writeFileSync(path, html.replace('<body class="manager">', `$&\n${labHeader(LAB)}`));
}

/**
 * Builds the site.
 *
 * @param target the folder, which is emptied first
 * @throws Error where a link leads nowhere, or where `npm run build` has not made the library and the Lab
 */
export async function buildSite(target: string): Promise<void> {
  for (const folder of ['dist/lib', 'dist/lab']) {
    if (!existsSync(folder)) throw new Error(`${folder} is missing: run "npm run build" first`);
  }
  rmSync(target, { recursive: true, force: true });
  mkdirSync(join(target, 'assets'), { recursive: true });
  cpSync('dist/lab', join(target, 'lab'), { recursive: true });
  cpSync(join('dist', PAGE_NAME), join(target, PAGE_NAME));
  addHeader(join(target, LAB));
  const isScript = (path: string) => !/types|cli\.js|\.1$|\.sha256$/.test(path);
  cpSync('dist/lib', join(target, 'lib'), { recursive: true, filter: isScript });
  for (const path of ASSETS) cpSync(path, join(target, 'assets', posix.basename(path)));
  for (const [name, file] of Object.entries(LICENCES)) {
    cpSync(`node_modules/${name}/${file}`, join(target, `assets/${posix.basename(name)}-${file}`));
  }
  await makeScripts(target);
  const reference = await libraryReference();
  const subpaths = librarySubpaths();
  const pages = [...reference].map(([subpath, text]) => {
    const source = subpaths.get(subpath)!;
    return [`${API}/${source.replace('.ts', '.md')}`, text] as const;
  });
  const site = new Site(target, new Map(pages), everyMeasurement());
  site.makePages();
  site.checkLinks();
}

if (import.meta.filename === process.argv[1]) await buildSite('dist/site');
