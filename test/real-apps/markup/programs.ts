import { DOKUWIKI, MEDIAWIKI, prepareDokuwiki, prepareMediawiki } from '../debian.ts';
import type { Source } from '../install.ts';
import type { Code, Language } from './languages.ts';

/* Programs that make pages and mail of what people write. */

export interface Program extends Code {
  /** As docs/fields.md calls it. */
  readonly title: string;
  /** Of `source`, whose version counts. */
  readonly package: string;
  readonly source: Source;
  readonly language: Language;
  /** Whether the result is HTML, or text as a mail has it or as its source is shown. */
  readonly result: 'page' | 'mail';
  /** The share of `sw1.…` that comes back, where it is below 99 % because characters are gone without a trace. */
  readonly leastOfOld?: number;
  /** Before it is called: settings, and an empty store. @returns its environment */
  prepare?(folder: string, data: string): NodeJS.ProcessEnv;
}

const NPM: Source = {
  npm: [
    ...['commonmark@0.31.2', 'marked@18.2.1', 'markdown-it@15.0.3', 'micromark@4.0.3'],
    ...['micromark-extension-gfm@3.0.0', 'remarkable@2.0.1', 'showdown@2.1.0'],
    ...['jsdom@26.1.0', 'dompurify@3.4.18', 'sanitize-html@2.18.1', 'textile-js@2.1.1'],
    ...['@bbob/html@4.4.1', '@bbob/preset-html5@4.4.1'],
    ...['libqp@2.1.2', 'libmime@5.6.4', 'nodemailer@10.6.0', 'mailparser@3.14.2'],
  ],
};
const PYPI: Source = {
  pypi: [
    ...['markdown==3.11.3', 'markdown2==2.5.5', 'mistune==3.4.0', 'cmarkgfm==2025.10.22'],
    ...['smartypants==2.0.2', 'textile==4.0.4', 'bbcode==1.1.0', 'nh3==0.3.7', 'bleach==6.4.0'],
  ],
};
const RUBY: Source = { debian: ['ruby-kramdown', 'ruby-redcloth', 'ruby'] };
const PERL: Source = { debian: ['libtext-markdown-perl', 'libtext-textile-perl'] };

/** Pages are read with it. */
export const JSDOM: Source = NPM;

type Rest = Pick<Program, 'setup' | 'convert'> & Partial<Program>;

const of =
  (language: Language, source: Source) =>
  (title: string, name: string, rest: Rest): Program => ({
    title,
    package: name,
    source,
    language,
    result: 'page',
    ...rest,
  });
const javascript = of('javascript', NPM);
const python = of('python', PYPI);
const perl = of('perl', PERL);
const ruby = of('ruby', RUBY);

const MARKDOWN: readonly Program[] = [
  javascript('commonmark.js', 'commonmark', {
    setup: `import { HtmlRenderer, Parser } from 'commonmark';
      const [parser, renderer] = [new Parser(), new HtmlRenderer()];`,
    convert: 'renderer.render(parser.parse(text))',
  }),
  javascript('commonmark.js, typographic', 'commonmark', {
    setup: `import { HtmlRenderer, Parser } from 'commonmark';
      const [parser, renderer] = [new Parser({ smart: true }), new HtmlRenderer()];`,
    convert: 'renderer.render(parser.parse(text))',
  }),
  javascript('markdown-it, all options', 'markdown-it', {
    setup: `import MarkdownIt from 'markdown-it';
      const parser = new MarkdownIt({ html: true, linkify: true, typographer: true, breaks: true });`,
    convert: 'parser.render(text)',
  }),
  javascript('micromark, GFM', 'micromark', {
    setup: `import { micromark } from 'micromark';
      import { gfm, gfmHtml } from 'micromark-extension-gfm';
      const options = { extensions: [gfm()], htmlExtensions: [gfmHtml()], allowDangerousHtml: true };`,
    convert: 'micromark(text, options)',
  }),
  python('cmark-gfm', 'cmarkgfm', {
    setup: 'import cmarkgfm',
    convert: 'cmarkgfm.github_flavored_markdown_to_html(text)',
  }),
  javascript('marked', 'marked', {
    setup: `import { marked } from 'marked';`,
    convert: 'marked.parse(text, { gfm: true, breaks: true })',
  }),
  javascript('Remarkable, typographic', 'remarkable', {
    setup: `import { Remarkable } from 'remarkable';
      const parser = new Remarkable('full', { html: true, typographer: true, breaks: true });`,
    convert: 'parser.render(text)',
  }),
  javascript('Showdown, as GitHub', 'showdown', {
    setup: `import showdown from 'showdown';
      const parser = new showdown.Converter();
      parser.setFlavor('github');`,
    convert: 'parser.makeHtml(text)',
  }),
  python('Python-Markdown', 'markdown', {
    setup: 'import markdown',
    convert: 'markdown.markdown(text)',
    leastOfOld: 0.97,
  }),
  python('Python-Markdown, extra and typographic', 'markdown', {
    setup: `import markdown
ALL = ["extra", "smarty", "sane_lists", "nl2br", "wikilinks", "toc"]`,
    convert: 'markdown.markdown(text, extensions=ALL)',
    leastOfOld: 0.97,
  }),
  python('markdown2, extras', 'markdown2', {
    setup: `import markdown2
ALL = ["smarty-pants", "strike", "tables", "footnotes", "fenced-code-blocks", "header-ids"]`,
    convert: 'str(markdown2.markdown(text, extras=ALL))',
  }),
  python('Mistune, all plugins', 'mistune', {
    setup: `import mistune
ALL = ["strikethrough", "footnotes", "table", "url", "task_lists", "def_list", "abbr", "mark", "insert"]
parse = mistune.create_markdown(escape=False, plugins=ALL + ["superscript", "subscript", "math", "spoiler"])`,
    convert: 'parse(text)',
  }),
  ruby('kramdown', 'ruby-kramdown', {
    setup: `require 'kramdown'`,
    convert: 'Kramdown::Document.new(text).to_html',
  }),
  perl('Text::Markdown', 'libtext-markdown-perl', {
    setup: 'use Text::Markdown; my $parser = Text::Markdown->new;',
    convert: '$parser->markdown($text)',
  }),
];

const smartypants = (title: string, attributes: string): Program =>
  python(title, 'smartypants', {
    setup: `import cmarkgfm, smartypants
ATTRIBUTES = smartypants.Attr.${attributes}`,
    convert: 'smartypants.smartypants(cmarkgfm.markdown_to_html(text), ATTRIBUTES)',
  });

const WIKIS: readonly Program[] = [
  {
    title: 'MediaWiki',
    package: 'mediawiki',
    source: MEDIAWIKI.source,
    language: 'php',
    result: 'page',
    prepare: prepareMediawiki,
    setup: `
      require getenv('APPLICATION') . '/usr/share/mediawiki/maintenance/Maintenance.php';
      class ConvertAll extends Maintenance {
        public function execute() {
          $parser = MediaWiki\\MediaWikiServices::getInstance()->getParserFactory()->create();
          $title = Title::newFromText('Walk');
          $options = ParserOptions::newFromAnon();
          CONVERT_ALL
        }
      }
      $maintClass = ConvertAll::class;
      require_once RUN_MAINTENANCE_IF_MAIN;`,
    convert: '$parser->parse($text, $title, $options)->getText()',
  },
  {
    title: 'DokuWiki, with CamelCase links',
    package: 'dokuwiki',
    source: DOKUWIKI.source,
    language: 'php',
    result: 'page',
    prepare: prepareDokuwiki,
    setup: `
      $_SERVER['HTTP_HOST'] = 'localhost';
      require getenv('APPLICATION') . '/usr/share/dokuwiki/inc/init.php';
      $conf['camelcase'] = 1;
      $info = [];
      function rendered(string $text): string {
        return p_render('xhtml', p_get_instructions($text), $info);
      }
      CONVERT_ALL`,
    convert: 'rendered($text)',
  },
];

const LIGHT: readonly Program[] = [
  ruby('RedCloth', 'ruby-redcloth', {
    setup: `require 'redcloth'`,
    convert: 'RedCloth.new(text).to_html',
  }),
  python('python-textile', 'textile', {
    setup: 'import textile',
    convert: 'textile.textile(text)',
    // It makes the same sign of "3x4" and "3X4".
    leastOfOld: 0.6,
  }),
  javascript('textile-js', 'textile-js', {
    setup: `import textile from 'textile-js';`,
    convert: 'textile.parse(text)',
  }),
  perl('Text::Textile', 'libtext-textile-perl', {
    setup: 'use Text::Textile; my $parser = Text::Textile->new;',
    convert: '$parser->process($text)',
  }),
  python('bbcode', 'bbcode', { setup: 'import bbcode', convert: 'bbcode.render_html(text)' }),
  javascript('BBob', '@bbob/html', {
    setup: `import * as bbob from '@bbob/html';
      import * as preset from '@bbob/preset-html5';
      const functionOf = (module) => typeof module === 'function' ? module : functionOf(module.default);
      const [render, html5] = [functionOf(bbob), functionOf(preset)];`,
    convert: 'render(text, html5())',
  }),
];

const SANITIZERS: readonly Program[] = [
  javascript('DOMPurify', 'dompurify', {
    setup: `import createDOMPurify from 'dompurify';
      import { JSDOM } from 'jsdom';
      const purify = createDOMPurify(new JSDOM('').window);`,
    convert: 'purify.sanitize(text)',
  }),
  javascript('sanitize-html', 'sanitize-html', {
    setup: `import sanitizeHtml from 'sanitize-html';`,
    convert: 'sanitizeHtml(text)',
  }),
  python('nh3 (Ammonia)', 'nh3', { setup: 'import nh3', convert: 'nh3.clean(text)' }),
  python('Bleach, with links', 'bleach', {
    setup: 'import bleach',
    convert: 'bleach.linkify(bleach.clean(text))',
  }),
];

const PARSED = `import { createTransport } from 'nodemailer';
      import { simpleParser } from 'mailparser';
      const transport = createTransport({ streamTransport: true, buffer: true });
      const sourceOf = async (mail) => (await transport.sendMail({ from: 'a@b.test', to: 'c@d.test', ...mail })).message;`;

const MAIL: readonly Program[] = [
  javascript('libqp: quoted-printable as source', 'libqp', {
    setup: `import libqp from 'libqp';`,
    convert: 'libqp.wrap(libqp.encode(text))',
    result: 'mail',
  }),
  javascript('Nodemailer: a message as source', 'nodemailer', {
    setup: PARSED,
    convert: '(await sourceOf({ text })).toString()',
    result: 'mail',
  }),
  javascript('Nodemailer, read by MailParser', 'mailparser', {
    setup: PARSED,
    convert: '(await simpleParser(await sourceOf({ text }))).text',
    result: 'mail',
  }),
  javascript('Nodemailer, read by MailParser as HTML', 'mailparser', {
    setup: PARSED,
    convert: '(await simpleParser(await sourceOf({ text }))).textAsHtml',
  }),
  javascript('libmime: format=flowed as source', 'libmime', {
    setup: `import libmime from 'libmime';`,
    convert: 'libmime.encodeFlowed(text, 72)',
    result: 'mail',
  }),
  javascript('libmime: format=flowed, read', 'libmime', {
    setup: `import libmime from 'libmime';`,
    convert: 'libmime.decodeFlowed(libmime.encodeFlowed(text, 72), false)',
    result: 'mail',
  }),
];

/** In the order of the table. */
export const PROGRAMS: readonly Program[] = [
  ...MARKDOWN,
  smartypants('SmartyPants', 'set1'),
  smartypants('SmartyPants, old school', 'set2'),
  smartypants('SmartyPants, inverted', 'set3'),
  ...WIKIS,
  ...LIGHT,
  ...SANITIZERS,
  ...MAIL,
];
