import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serveBy, type Application, type Place, type Started } from './application.ts';

/* Applications in PHP, from Debian. */

const PHP = ['php-cli', 'php-sqlite3', 'php-mbstring', 'php-xml', 'php-intl'];

/** In an order in which each finds what it needs. */
const EXTENSIONS = [
  ...['mbstring', 'ctype', 'dom', 'fileinfo', 'iconv', 'intl', 'posix', 'simplexml', 'tokenizer'],
  ...['xml', 'xmlreader', 'xmlwriter', 'pdo', 'pdo_sqlite', 'sqlite3', 'mysqlnd', 'mysqli'],
];

/** PHP of the machine if it has one, else the unpacked one: nothing has told that where its extensions are. */
export function php(folder: string): readonly [program: string, options: readonly string[]] {
  const entry = (below: string, name: RegExp) => {
    const path = join(folder, below);
    const found = existsSync(path) && readdirSync(path).find((one) => name.test(one));
    return found ? join(path, found) : undefined;
  };
  const program = entry('usr/bin', /^php\d[\d.]*$/);
  const extensions = entry('usr/lib/php', /^\d{8}$/);
  const libraries = `include_path=.:${join(folder, 'usr/share/php')}`;
  if (program === undefined || extensions === undefined) return ['php', ['-d', libraries]];
  const settings = [
    libraries,
    `extension_dir=${extensions}`,
    ...EXTENSIONS.filter((name) => existsSync(join(extensions, `${name}.so`))).map(
      (name) => `extension=${name}`,
    ),
  ];
  return [program, ['-n', ...settings.flatMap((setting) => ['-d', setting])]];
}

/** PHP's own server. Sessions are a part of the store, too. */
function servePhp(
  { folder, data, port }: Place,
  root: string,
  env: NodeJS.ProcessEnv,
): Promise<Started> {
  const [program, options] = php(folder);
  const cwd = join(folder, root);
  const settings = ['-d', `session.save_path=${data}`];
  const args = [...options, ...settings, '-S', `127.0.0.1:${port}`];
  return serveBy(program, args, port, { cwd, env });
}

/** An empty wiki. @returns its environment */
export function prepareDokuwiki(folder: string, data: string): NodeJS.ProcessEnv {
  cpSync(join(folder, 'var/lib/dokuwiki/data'), data, { recursive: true });
  const settings = `<?php
    $conf['savedir'] = getenv('WIKI_DATA');
    $conf['useacl'] = 0;
    $conf['license'] = '';`;
  writeFileSync(join(folder, 'etc/dokuwiki/local.php'), settings);
  return { WIKI_DATA: data };
}

const DOKUWIKI_PAGE = 'doku.php?id=walk';

export const DOKUWIKI: Application = {
  title: 'DokuWiki',
  source: { debian: ['dokuwiki', ...PHP] },
  start: async (place) =>
    servePhp(place, 'usr/share/dokuwiki', prepareDokuwiki(place.folder, place.data)),
  fields: [
    {
      title: 'page',
      way: 'marked',
      compose: (tab, origin) => tab.goto(`${origin}/${DOKUWIKI_PAGE}&do=edit`),
      selector: '#wiki__text',
      preview: async (tab) => {
        await tab.click('#edbtn__preview');
        await tab.waitFor('#preview');
      },
      save: async (tab) => {
        await tab.click('#edbtn__save');
        await tab.waitUntil(() => document.querySelector('#wiki__text') === null);
      },
      edit: (tab, origin) => tab.goto(`${origin}/${DOKUWIKI_PAGE}&do=edit`),
      read: (tab, origin) => tab.goto(`${origin}/${DOKUWIKI_PAGE}`),
    },
  ],
};

/** An empty wiki, over SQLite. @returns its environment */
export function prepareMediawiki(
  folder: string,
  data: string,
  origin = 'http://localhost',
): NodeJS.ProcessEnv {
  const [program, options] = php(folder);
  const installer = join(folder, 'usr/share/mediawiki/maintenance/install.php');
  const store = ['--dbtype', 'sqlite', '--dbpath', data, '--confpath', data];
  const address = ['--server', origin, '--scriptpath', ''];
  const site = [...address, '--pass', 'lovelace-1815', 'Wiki', 'Admin'];
  execFileSync(program, [...options, installer, ...store, ...site], { stdio: 'pipe' });
  return { MW_CONFIG_FILE: join(data, 'LocalSettings.php') };
}

const MEDIAWIKI_PAGE = 'index.php?title=Walk';

export const MEDIAWIKI: Application = {
  title: 'MediaWiki',
  source: { debian: ['mediawiki', ...PHP] },
  start: async (place) => {
    const { folder, data, origin } = place;
    return servePhp(place, 'usr/share/mediawiki', prepareMediawiki(folder, data, origin));
  },
  fields: [
    {
      title: 'page',
      way: 'marked',
      compose: (tab, origin) => tab.goto(`${origin}/${MEDIAWIKI_PAGE}&action=edit`),
      selector: '#wpTextbox1',
      preview: async (tab) => {
        await tab.click('#wpPreview');
        await tab.waitFor('#wikiPreview .mw-parser-output');
      },
      save: async (tab) => {
        await tab.click('#wpSave');
        await tab.waitUntil(() => document.querySelector('#wpTextbox1') === null);
      },
      edit: (tab, origin) => tab.goto(`${origin}/${MEDIAWIKI_PAGE}&action=edit`),
      read: (tab, origin) => tab.goto(`${origin}/${MEDIAWIKI_PAGE}`),
    },
  ],
};
