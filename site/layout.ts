/* The frame of every page: head, navigation, table of contents. */
import type { Heading } from './markdown.ts';
import { escapeHtml } from './markdown.ts';
import type { NavigationPage } from './pages.ts';

/** A link of the navigation. */
export type NavigationLink = Pick<NavigationPage, 'title'> & { readonly href: string };

export interface Page {
  readonly title: string;
  /** The way from this page to the top of the site: '' or '../'s. */
  readonly top: string;
  readonly groups: readonly { readonly title: string; readonly pages: readonly NavigationLink[] }[];
  /** The link of the navigation that is this page. */
  readonly current: string | undefined;
  readonly headings: readonly Heading[];
  /** The content, whose first heading is an h1. */
  readonly html: string;
  /** Scripts of `assets/` beside that of every page. */
  readonly scripts?: readonly string[];
  /** Whether scripts compile WebAssembly. */
  readonly usesWasm?: true;
  /** The start page shows the list of pages on demand. */
  readonly isStart?: true;
}

/** The way from a page to the top of the site: '' or '../'s. */
export const relativeTop = (address: string): string => '../'.repeat(address.split('/').length - 1);

const policy = (usesWasm: boolean): string =>
  [
    "default-src 'none'",
    `script-src 'self'${usesWasm ? " 'wasm-unsafe-eval'" : ''}`,
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
  ].join('; ');

const TOC_LEVELS = [2, 3];
/** A longer one is cut to the first level. */
const MAX_TOC = 60;

function contents(headings: readonly Heading[]): string {
  const all = headings.filter(({ level }) => TOC_LEVELS.includes(level));
  const shown = all.length > MAX_TOC ? all.filter(({ level }) => level === 2) : all;
  if (shown.length < 2) return '';
  const items = shown.map(
    ({ id, level, text }) =>
      `<li class="toc-${level}"><a href="#${escapeHtml(id)}">${escapeHtml(text)}</a></li>`,
  );
  return `<nav class="toc" id="contents" popover aria-label="On this page">
<p class="nav-title">On this page</p>
<ul>
${items.join('\n')}
</ul>
</nav>`;
}

function menu({ groups, current }: Page): string {
  const parts = groups.map(({ title, pages }) => {
    const links = pages.map(({ title: name, href }) => {
      const isCurrent = href === current ? ' aria-current="page"' : '';
      return `<li><a href="${escapeHtml(href)}"${isCurrent}>${escapeHtml(name)}</a></li>`;
    });
    return `<p class="nav-title">${escapeHtml(title)}</p>\n<ul>\n${links.join('\n')}\n</ul>`;
  });
  return `<nav class="pages" id="pages" popover aria-label="Pages">\n${parts.join('\n')}\n</nav>`;
}

const script = (top: string, name: string): string =>
  `<script type="module" src="${top}assets/${name}.js"></script>`;

const brand = (top: string): string =>
  `<a class="brand" href="${top}index.html"><img src="${top}assets/mark.svg" alt="" width="28" height="28">Sealwright</a>`;

/** For the Lab's page, whose styles are its own. @param address its own */
export function labHeader(address: string): string {
  const top = relativeTop(address);
  return `<header class="lab-site">
${brand(top)}
<a href="${top}playground.html">Playground</a>
<a href="${top}plots.html">Benchmarks</a>
<a href="${top}search.html">Search</a>
</header>`;
}

/** A whole page. */
export function pageHtml(page: Page): string {
  const { title, top, headings, html, scripts = [], usesWasm = false, isStart = false } = page;
  const toc = isStart ? '' : contents(headings);
  const name = title === 'Sealwright' ? title : `${title} · Sealwright`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="content-security-policy" content="${policy(usesWasm)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(name)}</title>
<link rel="icon" href="${top}assets/icon-32.png">
<link rel="stylesheet" href="${top}assets/ui.css">
<link rel="stylesheet" href="${top}assets/site.css">
${['site', ...scripts].map((one) => script(top, one)).join('\n')}
</head>
<body class="site${isStart ? ' start' : ''}">
<a class="skip" href="#content">Skip to the content</a>
<header class="site-head">
${brand(top)}
<button class="button narrow-only" popovertarget="pages">Pages</button>
${toc && '<button class="button toc-button" popovertarget="contents">On this page</button>'}
<form class="site-search" role="search" action="${top}search.html">
<input type="search" name="q" aria-label="Search this site" placeholder="Search" autocomplete="off" spellcheck="false" aria-keyshortcuts="/">
<button class="button">Search</button>
</form>
</header>
<div class="columns">
${menu(page)}
<main id="content" tabindex="-1">
${html}
</main>
${toc}
</div>
</body>
</html>
`;
}
