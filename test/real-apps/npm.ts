import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Tab } from '../browser/drivers/driver.ts';
import { serve } from '../browser/server.ts';
import { clickInFrame, serveBy, waitInFrame, type Application, type Field } from './application.ts';
import { ARCHIVES, NODE_MODULES } from './install.ts';

/* Applications in JavaScript, from npm. */

const FLOWS = [
  { id: 'flow', type: 'tab', label: 'Walk' },
  {
    ...{
      id: 'node',
      type: 'template',
      z: 'flow',
      name: 'walk',
      field: 'payload',
      fieldType: 'msg',
    },
    ...{
      format: 'text',
      syntax: 'plain',
      template: '',
      output: 'str',
      x: 200,
      y: 100,
      wires: [[]],
    },
  },
];

const MONACO = '#node-input-template-editor .monaco-editor';

async function openNode(tab: Tab, origin: string): Promise<void> {
  // The editor looks at the address when it begins.
  await tab.goto('about:blank');
  await tab.goto(`${origin}/#node/node/edit`);
  await tab.waitFor(`${MONACO} .view-line`);
  // The dialog slides in.
  await tab.evaluate(async (selector) => {
    const placeOf = () => document.querySelector(selector)?.getBoundingClientRect().x;
    for (let before; before !== placeOf();) {
      before = placeOf();
      await new Promise((resume) => setTimeout(resume, 200));
    }
  }, MONACO);
}

export const NODE_RED: Application = {
  title: 'Node-RED',
  source: { npm: ['node-red@4.1.8'] },
  start: async ({ folder, data, port }) => {
    writeFileSync(join(data, 'flows.json'), JSON.stringify(FLOWS));
    const settings = {
      flowFile: 'flows.json',
      telemetry: { enabled: false, updateNotification: false },
      editorTheme: { tours: false, codeEditor: { lib: 'monaco' } },
    };
    writeFileSync(join(data, 'settings.js'), `module.exports = ${JSON.stringify(settings)};`);
    const program = join(folder, NODE_MODULES, 'node-red/red.js');
    return serveBy(process.execPath, [program, '-u', data, '-p', String(port)], port);
  },
  fields: [
    {
      title: 'Monaco',
      way: 'window',
      compose: openNode,
      selector: MONACO,
      focus: async (tab) => {
        await tab.click(MONACO);
        await tab.waitUntil(() => document.activeElement?.closest('.monaco-editor') !== null);
      },
      save: async (tab) => {
        await tab.click('#node-dialog-ok');
        await tab.waitUntil(() => document.querySelector('.red-ui-tray') === null);
        await tab.click('#red-ui-header-button-deploy');
      },
      edit: openNode,
    },
  ],
};

const DECAP_PAGE = `<!doctype html><meta charset="utf-8"><title>CMS</title>
<body><script src="/dist/decap-cms.js"></script>`;

/** Entries are files; the page has no server of its own. */
const decapSettings = (origin: string) => `
backend: { name: proxy, proxy_url: ${origin}/api/v1, branch: master }
media_folder: media
collections:
  - name: posts
    label: Posts
    folder: content
    create: true
    slug: '{{slug}}'
    fields:
      - { name: title, label: Title, widget: string }
      - { name: note, label: Note, widget: text, required: false }
      - { name: body, label: Body, widget: markdown, required: false }
`;

/** Its ids are counted through all fields that it has shown since the page was loaded. */
const DECAP_TITLE = '[id^="title-field-"]';

const DECAP_PUBLISH = '[class*="StyledDropdownButton"]';

function decapField(title: string, way: Field['way'], selector: string): Field {
  const entry = title.toLowerCase().replaceAll(' ', '-');
  const open = async (tab: Tab, origin: string, place: string): Promise<void> => {
    await tab.goto(`${origin}/#/collections/posts`);
    await tab.waitFor('[href="#/collections/posts/new"]');
    await tab.goto(`${origin}/#/collections/posts/${place}`);
    await tab.waitFor(selector);
  };
  return {
    title,
    way,
    compose: (tab, origin) => open(tab, origin, 'new'),
    selector,
    save: async (tab) => {
      const isNew = await tab.evaluate(
        (input) => document.querySelector<HTMLInputElement>(input)!.value === '',
        DECAP_TITLE,
      );
      if (isNew) await tab.type(DECAP_TITLE, entry);
      await tab.click(DECAP_PUBLISH);
      await tab.click('[role="menuitem"]:first-child');
      // Until then it asks before an entry is left.
      await tab.waitUntil(
        (button) => document.querySelector(button)?.textContent.trim() === 'Published',
        {},
        DECAP_PUBLISH,
      );
    },
    edit: (tab, origin) => open(tab, origin, `entries/${entry}`),
  };
}

export const DECAP_CMS: Application = {
  title: 'Decap CMS',
  source: { npm: ['decap-server@3.11.3'], archives: ['decap-cms@3.16.3'] },
  package: 'decap-cms',
  start: async ({ folder, data, port, origin }) => {
    const pages = join(data, 'pages');
    mkdirSync(pages);
    mkdirSync(join(data, 'content'));
    writeFileSync(join(pages, 'index.html'), DECAP_PAGE);
    writeFileSync(join(pages, 'config.yml'), decapSettings(origin));
    const server = await serve(pages, join(folder, ARCHIVES, 'decap-cms'));
    const program = join(folder, NODE_MODULES, 'decap-server/dist/index.js');
    const env = {
      ...{ GIT_REPO_DIRECTORY: data, MODE: 'fs' },
      ...{ BIND_HOST: '127.0.0.1', PORT: String(port) },
    };
    const started = await serveBy(process.execPath, [program], port, { cwd: data, env });
    const end = async (): Promise<void> => {
      await started.end();
      await server.close();
    };
    return { origin: server.origin, end };
  },
  login: async (tab, origin) => {
    await tab.goto(`${origin}/`);
    await tab.click('[class*="LoginButton"]');
    await tab.waitFor('[href="#/collections/posts/new"]');
  },
  fields: [
    decapField('text', 'marked', 'textarea[id^="note-field-"]'),
    decapField('Slate', 'window', '[data-slate-editor]'),
  ],
};

const ETHERPAD = 'ep_etherpad-lite';

/**
 * Etherpad looks for itself in the folder `src` of a checkout of its repository, and for its dependencies below that.
 *
 * @returns the folder of such a checkout, which is made of the package
 */
function etherpadCheckout(folder: string): string {
  const checkout = join(folder, 'checkout');
  if (existsSync(checkout)) return checkout;
  const installed = join(folder, NODE_MODULES);
  const itself = join(installed, ETHERPAD);
  const made = mkdtempSync(join(folder, 'new-'));
  cpSync(itself, join(made, 'src'), { recursive: true });
  cpSync(installed, join(made, 'src', NODE_MODULES), {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => path !== itself,
  });
  mkdirSync(join(made, NODE_MODULES));
  symlinkSync('../src', join(made, NODE_MODULES, ETHERPAD));
  renameSync(made, checkout);
  return checkout;
}

/** The editor is a frame in a frame, both without an address. */
const PAD = [['iframe[name="ace_outer"]', 'iframe[name="ace_inner"]'], '#innerdocbody'] as const;

async function openPad(tab: Tab, origin: string): Promise<void> {
  await tab.goto(`${origin}/p/walk`);
  await waitInFrame(tab, ...PAD);
}

export const ETHERPAD_LITE: Application = {
  title: 'Etherpad',
  source: { npm: [`${ETHERPAD}@1.8.14`] },
  start: async ({ folder, data, port }) => {
    const files = (name: string) => join(data, name);
    const settings = {
      ip: '127.0.0.1',
      port,
      dbType: 'dirty',
      dbSettings: { filename: files('pads.db') },
      defaultPadText: '',
      // A warning about the store is the first line of each pad otherwise.
      suppressErrorsInPadText: true,
      skinName: 'no-skin',
    };
    writeFileSync(files('settings.json'), JSON.stringify(settings));
    const options = ['settings', 'sessionkey', 'apikey'].flatMap((name) => [
      `--${name}`,
      files(`${name}.json`),
    ]);
    const cwd = etherpadCheckout(folder);
    const env = { NODE_ENV: 'production' };
    return serveBy(process.execPath, ['src/node/server.js', ...options], port, { cwd, env });
  },
  fields: [
    {
      title: 'pad',
      way: 'window',
      compose: openPad,
      selector: PAD[1],
      focus: (tab) => clickInFrame(tab, ...PAD),
      // It saves what is written as it is written.
      save: () => Promise.resolve(),
      read: async (tab, origin) => {
        await tab.goto(`${origin}/p/walk/timeslider`);
        await tab.waitFor('#innerdocbody .ace-line');
      },
      edit: openPad,
    },
  ],
};
