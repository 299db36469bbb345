import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../servers/server.ts';
import type { Tab } from '../browser/drivers/driver.ts';
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

interface MediaWikiPage {
  readonly mw?: { readonly loader: { getState(module: string): string | null } };
  readonly RLPAGEMODULES?: readonly string[];
}

/** Until its modules have run: one folds the foot of the form, and where the page ends, all above it moves. */
const waitForModules = (tab: Tab): Promise<void> =>
  tab.waitUntil(() => {
    const { mw, RLPAGEMODULES } = window as unknown as MediaWikiPage;
    const states = RLPAGEMODULES?.map((module) => mw?.loader.getState(module) ?? 'unknown');
    return states?.every((state) => ['ready', 'error', 'missing'].includes(state)) === true;
  });

async function editMediawiki(tab: Tab, origin: string): Promise<void> {
  await tab.goto(`${origin}/${MEDIAWIKI_PAGE}&action=edit`);
  await waitForModules(tab);
}

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
      compose: editMediawiki,
      selector: '#wpTextbox1',
      preview: async (tab) => {
        await tab.click('#wpPreview');
        await tab.waitFor('#wikiPreview .mw-parser-output');
        await waitForModules(tab);
      },
      save: async (tab) => {
        await tab.click('#wpSave');
        await tab.waitUntil(() => document.querySelector('#wpTextbox1') === null);
      },
      edit: editMediawiki,
      read: (tab, origin) => tab.goto(`${origin}/${MEDIAWIKI_PAGE}`),
    },
  ],
};

const MARIADB_PASSWORD = 'lovelace-1815';

/** One statement a line. */
const TABLES = `CREATE DATABASE walks;
CREATE TABLE walks.notes (id INT AUTO_INCREMENT PRIMARY KEY, note TEXT);
CREATE USER ada@localhost IDENTIFIED BY '${MARIADB_PASSWORD}';
GRANT ALL ON walks.* TO ada@localhost;
`;

const PHPMYADMIN_SETTINGS = `<?php
  $cfg['Servers'][1] = ['auth_type' => 'config', 'host' => '127.0.0.1', 'port' => getenv('MARIADB_PORT'),
    'user' => 'ada', 'password' => '${MARIADB_PASSWORD}'];
  $cfg['TempDir'] = getenv('TEMPORARY');
`;

/** A server with the tables above. @returns its port, and what ends it */
async function startMariadb(folder: string, data: string): Promise<Started & { port: number }> {
  const store = join(data, 'mariadb');
  mkdirSync(store);
  const tables = join(data, 'tables.sql');
  writeFileSync(tables, TABLES);
  const usr = join(folder, 'usr');
  const libraries = readdirSync(join(usr, 'lib')).filter((name) => name.endsWith('-linux-gnu'));
  const LD_LIBRARY_PATH = libraries.map((name) => join(usr, 'lib', name)).join(':');
  const env = { ...process.env, LD_LIBRARY_PATH };
  const common = [
    ...['--no-defaults', '--user=root', `--basedir=${usr}`, `--datadir=${store}`],
    // Files that are as small as they can be: all of them are read after each step.
    ...['--innodb-log-file-size=4M', '--innodb-autoextend-increment=1'],
  ];
  const installer = join(usr, 'bin/mariadb-install-db');
  execFileSync(installer, [...common, '--auth-root-authentication-method=normal'], {
    env,
    stdio: 'pipe',
  });
  const port = await freePort();
  const network = [
    '--bind-address=127.0.0.1',
    `--port=${port}`,
    `--socket=${join(data, 'socket')}`,
  ];
  const options = [...common, ...network, `--init-file=${tables}`];
  return { port, ...(await serveBy(join(usr, 'sbin/mariadbd'), options, port, { env })) };
}

async function openPhpMyAdmin(
  tab: Tab,
  origin: string,
  route: string,
  shown: string,
): Promise<void> {
  await tab.goto(`${origin}/index.php?route=${route}&db=walks&table=notes`);
  await tab.waitFor(shown);
}

/** With whole texts: else it shows the first 50 characters of each. */
const readNotes = (tab: Tab, origin: string): Promise<void> =>
  openPhpMyAdmin(tab, origin, '/sql&pftext=F', '.table_results .data');

const COLUMN = 'textarea[name^="fields[multi_edit][0]"]';
const SQL = '#sqlqueryform .CodeMirror';

export const PHPMYADMIN: Application = {
  title: 'phpMyAdmin',
  source: { debian: ['phpmyadmin', ...PHP, 'php-mysql', 'mariadb-server-core'] },
  start: async (place) => {
    const { folder, data } = place;
    const database = await startMariadb(folder, data);
    const settings = join(folder, 'etc/phpmyadmin/conf.d/realapps.php');
    writeFileSync(settings, PHPMYADMIN_SETTINGS);
    const env = { MARIADB_PORT: String(database.port), TEMPORARY: data };
    const server = await servePhp(place, 'usr/share/phpmyadmin', env);
    const end = async (): Promise<void> => {
      await server.end();
      await database.end();
    };
    return { end };
  },
  fields: [
    {
      title: 'row',
      way: 'marked',
      compose: (tab, origin) => openPhpMyAdmin(tab, origin, '/table/change', COLUMN),
      selector: COLUMN,
      preview: async (tab) => {
        await tab.click('.preview_sql');
        await tab.waitFor('#previewSqlModal .sql-highlight');
        await tab.click('#previewSqlModal [data-bs-dismiss]');
        await tab.waitUntil(() => document.querySelector('.modal-backdrop') === null);
      },
      save: async (tab) => {
        await tab.click('#buttonYes');
        await tab.waitFor('.alert-success');
      },
      read: readNotes,
      edit: async (tab, origin) => {
        await readNotes(tab, origin);
        await tab.click('.edit_row_anchor a');
        await tab.waitFor(COLUMN);
      },
    },
    {
      title: 'SQL in CodeMirror 5',
      way: 'window',
      compose: async (tab, origin) => {
        await openPhpMyAdmin(tab, origin, '/table/sql', SQL);
        await tab.click('#clear');
      },
      selector: SQL,
      focus: async (tab) => {
        await tab.click(SQL);
        await tab.typeAtFocus("INSERT INTO notes (note) VALUES ('");
      },
      save: async (tab) => {
        await tab.typeAtFocus("')");
        await tab.click('#button_submit_query');
        await tab.waitFor('.alert-success');
      },
      read: readNotes,
    },
  ],
};
