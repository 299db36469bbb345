/* What the site shows: its navigation, and the place of each file of the repository that a page links to. */
import { statSync } from 'node:fs';
import { posix } from 'node:path';

/** A page of the navigation. */
export interface NavigationPage {
  /** The file that it is made of, from the top of the repository; or a page of the site's own. */
  readonly source: string;
  readonly title: string;
}

/** Whom pages are for; search prefers what is for people. */
export type Audience = 'people' | 'developers' | 'auditors' | 'project';

interface NavigationGroup {
  readonly title: string;
  readonly audience: Audience;
  readonly pages: readonly NavigationPage[];
}

/** The pages that exist in the site alone, by their addresses. */
export const OWN_PAGES = {
  start: 'index.html',
  playground: 'playground.html',
  plots: 'plots.html',
  search: 'search.html',
} as const;

/** The static bundle of `npm run lab`, inside the site. */
export const LAB = 'lab/index.html';

/** Whose tables are filled in as the site is built (bench/quote.ts). */
export const MEASUREMENTS = 'site/measurements.md';

/** The folder of the library's reference, whose Markdown typedoc writes. */
export const API = 'api';

const page = (source: string, title: string): NavigationPage => ({ source, title });

/** @param subpaths of the package's exports, such as `sealwright/format`, by the Markdown of their reference */
export function navigation(subpaths: ReadonlyMap<string, string>): readonly NavigationGroup[] {
  return [
    {
      title: 'Sealwright',
      audience: 'people',
      pages: [
        page(OWN_PAGES.start, 'Start'),
        page('docs/install.md', 'Install'),
        page('docs/guide.md', 'Guide for users'),
        page('docs/fields.md', 'Text fields'),
        page('docs/open-page.md', 'Without the extension'),
        page('docs/users-answers.md', 'Questions of users'),
      ],
    },
    {
      title: 'Web apps',
      audience: 'developers',
      pages: [
        page('docs/client.md', 'Client for pages'),
        page('docs/adapters.md', 'Adapters for documents'),
        page('docs/tutorial-notes.md', 'Tutorial: a notes app'),
        page('docs/recipes/README.md', 'Recipes'),
        page('docs/recipes/rows.md', 'Recipe: rows of a server'),
        page('docs/recipes/search.md', 'Recipe: find and sort'),
        page('docs/recipes/sharing.md', 'Recipe: share rows'),
        page('docs/recipes/moving.md', 'Recipe: another address'),
        page('docs/recipes/without.md', 'Recipe: no extension'),
        page('docs/recipes/second-device.md', 'Recipe: a second device'),
        page('docs/recipes/accounts.md', 'Recipe: two accounts'),
        page('docs/recipes/tabs.md', 'Recipe: two tabs'),
        page('docs/recipes/locked.md', 'Recipe: locked in the middle'),
        page('docs/recipes/server-rendering.md', 'Recipe: server rendering'),
        page('docs/recipes/frames.md', 'Recipe: in a frame'),
        page('docs/recipes/tests.md', 'Recipe: unit tests'),
        page('docs/recipes/reports.md', 'Recipe: reports, versions'),
        page('docs/reference.md', 'window.sealwright'),
        page('docs/keys.md', 'Keys and permissions'),
        page('docs/subtle.md', 'sealwright.subtle'),
        page('docs/sync.md', 'Sync services'),
      ],
    },
    {
      title: 'Library',
      audience: 'developers',
      pages: [
        page('docs/library.md', 'Algorithms'),
        page('docs/messages.md', 'Messages on a server'),
        page('docs/bundlers.md', 'Bundlers, CSP, runtimes'),
        page('docs/cli.md', 'Command line'),
        page(`${API}/README.md`, 'Every export'),
        ...Array.from(subpaths, ([source, subpath]) => page(source, subpath)),
      ],
    },
    {
      title: 'Try it',
      audience: 'developers',
      pages: [page(OWN_PAGES.playground, 'Playground'), page(LAB, 'Lab: five works')],
    },
    {
      title: 'Format and security',
      audience: 'auditors',
      pages: [
        page('docs/format.md', 'Message format'),
        page('SECURITY.md', 'Promises and limits'),
        page('docs/threats.md', 'Threats and tests'),
        page('docs/constant-time.md', 'Constant time'),
        page('docs/benchmarks.md', 'Benchmarks'),
        page(MEASUREMENTS, 'Every measurement'),
        page(OWN_PAGES.plots, 'Benchmarks as plots'),
      ],
    },
    {
      title: 'Project',
      audience: 'project',
      pages: [
        page('README.md', 'What it is, in one page'),
        page('docs/README.md', 'Which document is for whom'),
        page('docs/architecture.md', 'Architecture'),
        page('docs/glossary.md', 'Glossary'),
        page('docs/dependencies.md', 'Dependencies'),
        page('docs/release.md', 'Releases'),
        page('CONTRIBUTING.md', 'Contributing'),
        page('CHANGELOG.md', 'Changes'),
      ],
    },
  ];
}

/** Files that a browser shows as they are. */
const SHOWN_AS_IS = /\.(png|svg|json)$/;

export type Kind = 'document' | 'folder' | 'source' | 'copy';

/** How a file or folder of the repository becomes a part of the site. */
export function kindOf(path: string): Kind {
  if (path.endsWith('.md')) return 'document';
  if (SHOWN_AS_IS.test(path)) return 'copy';
  return statSync(path).isDirectory() ? 'folder' : 'source';
}

/**
 * The address of a file or folder, from the top of the site. It is the path in the repository, so that links between
 * documents need no table: `docs/client.md` is `docs/client.html`, `src/README.md` is `src/index.html`. At the top is the
 * start page, in the place of the README.
 */
export function addressOf(path: string, kind: Kind): string {
  switch (kind) {
    case 'document':
      if (path === 'README.md') return 'overview.html';
      return path.replace(/(^|\/)README\.md$/, '$1index.md').replace(/\.md$/, '.html');
    case 'folder':
      return posix.join(path, 'index.html');
    case 'source':
      return `${path}.html`;
    case 'copy':
      return path;
  }
}

/** The way from one page to another, or to a file. */
export function relativeAddress(from: string, to: string): string {
  return posix.relative(posix.dirname(from), to) || posix.basename(to);
}
