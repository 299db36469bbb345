import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Tab } from '../browser/drivers/driver.ts';
import { PATIENCE_MS, poll } from '../browser/drivers/page-function.ts';
import { kintoConfiguration } from '../servers/kinto.ts';
import { serveBy, type Application } from './application.ts';
import { NODE_MODULES, PYTHON, PYTHON_MODULES } from './install.ts';

/* Clients of sync services that other people made: what they write is what the service keeps and hands to devices. */

/** Makes something on a service. @throws Error if the service refuses */
async function put(url: string, body: object, headers: Record<string, string> = {}): Promise<void> {
  const answer = await fetch(url, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
}

/** Fauxton is one document, which looks at the address when it begins. */
async function openFauxton(tab: Tab, origin: string, place: string, shown: string): Promise<void> {
  await tab.goto('about:blank');
  await tab.goto(`${origin}/_utils/#${place}`);
  await tab.waitFor(shown);
}

const OPTIONS = '_config/node1@127.0.0.1';
const OPTION = '.input-value';
const SAVED_OPTION = '.config-value-input';
const DOCUMENT = '/database/walks/walk';
/** The line of the last property. */
const LAST_PROPERTY = '.ace_line:nth-last-child(2)';

/** Presses right of a line's text, at the edge of the editor. */
async function clickAtEnd(tab: Tab, line: string): Promise<void> {
  const [x, y] = await tab.evaluate((selector) => {
    const { top, height } = document.querySelector(selector)!.getBoundingClientRect();
    return [
      document.querySelector('.ace_scroller')!.getBoundingClientRect().right - 20,
      top + height / 2,
    ] as const;
  }, line);
  await tab.clickAt(x, y);
}

export const FAUXTON: Application = {
  title: 'Fauxton on PouchDB Server',
  source: { npm: ['pouchdb-server@4.2.0'] },
  start: async ({ folder, data, port }) => {
    const program = join(folder, NODE_MODULES, 'pouchdb-server/bin/pouchdb-server');
    const options = ['--host', '127.0.0.1', '--port', String(port), '--no-stdout-logs'];
    const store = ['--dir', data, '--config', join(data, 'config.json')];
    const started = await serveBy(process.execPath, [program, ...options, ...store], port, {
      cwd: data,
    });
    const database = `http://127.0.0.1:${port}/walks`;
    await put(database, {});
    await put(`${database}/walk`, {});
    return started;
  },
  fields: [
    {
      title: 'option',
      way: 'marked',
      compose: async (tab, origin) => {
        await openFauxton(tab, origin, OPTIONS, '#add-option-button');
        await tab.click('#add-option-button');
        await tab.waitFor(OPTION);
      },
      selector: OPTION,
      save: async (tab) => {
        const isEdited = await tab.evaluate(
          (selector) => document.querySelector(selector) !== null,
          SAVED_OPTION,
        );
        if (isEdited) await tab.click('.btn-config-save');
        else {
          await tab.type('.input-section-name', 'walks');
          await tab.type('.input-option-name', 'walk');
          await tab.click('.btn-create');
        }
      },
      read: (tab, origin) => openFauxton(tab, origin, OPTIONS, '.config-show-value'),
      edit: async (tab, origin) => {
        await openFauxton(tab, origin, OPTIONS, '.config-show-value');
        // The other options come before.
        await tab.click('.config-item:last-child .config-show-value');
        await tab.waitFor(SAVED_OPTION);
      },
      editSelector: SAVED_OPTION,
    },
    {
      title: 'document in Ace',
      way: 'window',
      compose: (tab, origin) => openFauxton(tab, origin, DOCUMENT, LAST_PROPERTY),
      selector: LAST_PROPERTY,
      focus: async (tab) => {
        await clickAtEnd(tab, LAST_PROPERTY);
        // Ace closes the quotation.
        await tab.typeAtFocus(',"note":"');
      },
      save: (tab) => tab.click('.save-doc'),
      read: (tab, origin) => openFauxton(tab, origin, DOCUMENT, LAST_PROPERTY),
    },
  ],
};

const KINTO_CONFIGURATION = kintoConfiguration(
  'kinto.includes = kinto.plugins.admin',
  'kinto.bucket_create_principals = system.Authenticated',
);

/** Any name and password are an account. */
const ACCOUNT = ['ada', 'lovelace-1815'] as const;

const COLLECTION = 'buckets/walks/collections/notes';
const RECORD = '#root_note';

async function openKinto(tab: Tab, origin: string, place: string, shown: string): Promise<void> {
  await tab.goto(`${origin}/v1/admin/#/${COLLECTION}/records${place}`);
  await tab.waitFor(shown);
}

/** In the page. */
const listsFetched = (): number =>
  performance.getEntriesByType('resource').filter(({ name }) => name.includes('/records?')).length;

/** Comes back when the list was fetched and drawn anew: what is pressed in the one that is shown before is lost. */
async function openRecords(tab: Tab, origin: string): Promise<void> {
  await tab.goto(`${origin}/v1/admin/#/`);
  const before = await tab.evaluate(listsFetched);
  await openKinto(tab, origin, '', '[title="Edit record"]');
  await poll('the list of records', PATIENCE_MS, async () =>
    (await tab.evaluate(listsFetched)) > before ? true : undefined,
  );
}

export const KINTO_ADMIN: Application = {
  title: 'Kinto Admin',
  // Later versions come without their admin, and this one does not know later ways to authenticate.
  source: { pypi: ['kinto==25.0.0', 'pyramid-multiauth==1.0.2'] },
  start: async ({ folder, data, port }) => {
    const configuration = join(data, 'kinto.ini');
    writeFileSync(configuration, KINTO_CONFIGURATION);
    const program = ['-c', 'from kinto.__main__ import main; main()', 'start'];
    const options = ['--ini', configuration, '--port', String(port)];
    const env = { PYTHONPATH: join(folder, PYTHON_MODULES) };
    const started = await serveBy(PYTHON, [...program, ...options], port, { env });
    const account = Buffer.from(ACCOUNT.join(':')).toString('base64');
    const headers = { authorization: `Basic ${account}` };
    const service = `http://127.0.0.1:${port}/v1`;
    await put(`${service}/buckets/walks`, {}, headers);
    const collection = {
      schema: { type: 'object', properties: { note: { type: 'string', title: 'Note' } } },
      uiSchema: { note: { 'ui:widget': 'textarea' } },
      displayFields: ['note'],
    };
    await put(`${service}/${COLLECTION}`, { data: collection }, headers);
    const stored = async (): Promise<string> =>
      (await fetch(`${service}/${COLLECTION}/records`, { headers })).text();
    return { ...started, stored };
  },
  login: async (tab, origin) => {
    await tab.goto(`${origin}/v1/admin/`);
    await tab.click('#root_authType-1');
    await tab.type('#root_credentials_username', ACCOUNT[0]);
    await tab.type('#root_credentials_password', ACCOUNT[1]);
    await tab.click('form .btn-primary');
    await tab.waitFor('.btn-logout');
  },
  fields: [
    {
      title: 'record',
      way: 'marked',
      compose: (tab, origin) => openKinto(tab, origin, '/create', RECORD),
      selector: RECORD,
      save: async (tab) => {
        await tab.click('form.rjsf .btn-primary');
        await tab.waitFor('.btn-record-add');
      },
      read: openRecords,
      edit: async (tab, origin) => {
        await openRecords(tab, origin);
        await tab.click('[title="Edit record"]');
        await tab.waitFor(RECORD);
      },
    },
  ],
};
