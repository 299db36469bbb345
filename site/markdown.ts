/* Markdown of the repository as HTML: headings with GitHub's ids, highlighted code, tables that scroll on their own. */
import GithubSlugger from 'github-slugger';
import hljs from 'highlight.js/lib/common';
import MarkdownIt from 'markdown-it';
import type Token from 'markdown-it/lib/token.mjs';

export interface Heading {
  readonly id: string;
  readonly level: number;
  readonly text: string;
}

/** What search looks through: a heading and the text below it. */
export interface Section {
  /** '' before the first heading with an id. */
  readonly id: string;
  readonly heading: string;
  readonly text: string;
}

export interface Rendered {
  readonly html: string;
  readonly headings: readonly Heading[];
  readonly sections: readonly Section[];
}

/** Where a link leads. */
export interface Target {
  readonly href: string;
  /** The title of the page, where it is one of the navigation. */
  readonly title?: string | undefined;
}

/** @param href as the document has it; @returns as the page has it */
export type Resolve = (href: string) => Target;

/** For text and attributes. */
export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** @returns HTML with the classes of highlight.js; only escaped where it does not know the language */
export function highlighted(code: string, language: string): string {
  const known = { svelte: 'xml', jsx: 'javascript', tsx: 'typescript', mjs: 'javascript' }[
    language
  ];
  const name = known ?? language;
  if (!hljs.getLanguage(name)) return escapeHtml(code);
  return hljs.highlight(code, { language: name, ignoreIllegals: true }).value;
}

const ALIGNED = /text-align:(\w+)/;

/** The Content Security Policy allows no style attribute. */
function alignByClass(token: Token): void {
  const style = token.attrGet('style');
  if (style === null) return;
  token.attrs = token.attrs!.filter(([name]) => name !== 'style');
  token.attrJoin('class', `align-${ALIGNED.exec(style)![1]!}`);
}

/** A header cell without words is none: an empty one becomes a plain cell, a row of them goes. */
function withoutEmptyHeaders(tokens: Token[]): Token[] {
  const kept: Token[] = [];
  let head: Token[] = [];
  for (const [at, token] of tokens.entries()) {
    if (token.type === 'thead_open') head = [token];
    else if (head.length > 0) head.push(token);
    else kept.push(token);
    if (token.type === 'th_open' && tokens[at + 1]!.content === '') {
      token.tag = tokens[at + 2]!.tag = 'td';
    }
    if (token.type === 'thead_close') {
      const hasWords = head.some(({ type, content }) => type === 'inline' && content !== '');
      if (hasWords) kept.push(...head);
      head = [];
    }
  }
  return kept;
}

const wordsOf = ({ children }: Token): string =>
  (children ?? [])
    .map(({ type, content }) => (/break$/.test(type) ? ' ' : type === 'html_inline' ? '' : content))
    .join('');

/** Rows of figures are found by their table's heading. */
const FIGURE = /^[\d.,–%±\s]*$/;

/** Gives headings their ids, and collects what lies below each. */
function outline(tokens: readonly Token[]): Pick<Rendered, 'headings' | 'sections'> {
  const slugger = new GithubSlugger();
  const headings: Heading[] = [];
  const sections = [{ id: '', heading: '', texts: [] as string[] }];
  for (const [at, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      const text = wordsOf(tokens[at + 1]!);
      const id = slugger.slug(text);
      token.attrSet('id', id);
      headings.push({ id, level: Number(token.tag.slice(1)), text });
      sections.push({ id, heading: text, texts: [] });
    } else if (token.type === 'inline' && tokens[at - 1]!.type !== 'heading_open') {
      const text = wordsOf(token);
      if (!FIGURE.test(text)) sections.at(-1)!.texts.push(text);
    } else if (token.type === 'fence') sections.at(-1)!.texts.push(token.content);
  }
  return {
    headings,
    sections: sections.map(({ id, heading, texts }) => ({ id, heading, text: texts.join(' ') })),
  };
}

const LINKS: Readonly<Record<string, string>> = { link_open: 'href', image: 'src' };
const LINKS_IN_HTML = /\b(src|href)="([^"]*)"/g;

/** A document says the names of files, which a page of the site has no use for. */
const FILE_NAME = /^[\w./-]+\.md$/;

function resolveLinks(tokens: readonly Token[], resolve: Resolve): void {
  for (const [at, token] of tokens.entries()) {
    const name = LINKS[token.type];
    if (name !== undefined) {
      const { href, title } = resolve(token.attrGet(name)!);
      token.attrSet(name, href);
      const words = tokens[at + 1];
      if (title !== undefined && words && FILE_NAME.test(words.content)) words.content = title;
    }
    if (token.type === 'image') token.attrSet('loading', 'lazy');
    if (token.type === 'html_block' || token.type === 'html_inline') {
      token.content = token.content.replace(
        LINKS_IN_HTML,
        (_, attribute: string, href: string) => `${attribute}="${resolve(href).href}"`,
      );
    }
    resolveLinks(token.children ?? [], resolve);
  }
}

function createParser(): MarkdownIt {
  const parser = new MarkdownIt({ html: true, highlight: highlighted });
  const { rules } = parser.renderer;
  rules['table_open'] = () => '<div class="scroll"><table>\n';
  rules['table_close'] = () => '</table></div>\n';
  for (const name of ['fence', 'code_block'] as const) {
    const code = rules[name]!;
    rules[name] = (...all) => code(...all).replace('<pre>', '<pre class="scroll">');
  }
  return parser;
}

const parser = createParser();

/** Renders a document. */
export function renderMarkdown(text: string, resolve: Resolve): Rendered {
  const tokens = withoutEmptyHeaders(parser.parse(text, {}));
  const { headings, sections } = outline(tokens);
  for (const token of tokens) alignByClass(token);
  resolveLinks(tokens, resolve);
  return { html: parser.renderer.render(tokens, parser.options, {}), headings, sections };
}
