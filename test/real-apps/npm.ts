import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Tab } from '../browser/drivers/driver.ts';
import { serveBy, type Application } from './application.ts';
import { NODE_MODULES } from './install.ts';

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
      ...{ flowFile: 'flows.json', telemetry: { enabled: false, updateNotification: false } },
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

const PACKAGE = 'ep_etherpad-lite';

/** Lays it out as in its own repository, which is where it looks for its files. */
function etherpadRoot(folder: string): string {
  const modules = join(folder, NODE_MODULES);
  const root = mkdtempSync(join(tmpdir(), 'sealwright-etherpad-'));
  cpSync(join(modules, PACKAGE), join(root, 'src'), { recursive: true });
  cpSync(join(folder, 'package.json'), join(root, 'package.json'));
  mkdirSync(join(root, NODE_MODULES));
  for (const name of readdirSync(modules)) {
    const target = name === PACKAGE ? '../src' : join(modules, name);
    symlinkSync(target, join(root, NODE_MODULES, name));
  }
  return root;
}

async function openPad(tab: Tab, origin: string): Promise<void> {
  await tab.goto(`${origin}/p/walk`);
  await tab.waitFor('iframe[name=ace_outer]');
}

/** The last version that is on npm. */
export const ETHERPAD: Application = {
  title: 'Etherpad',
  source: { npm: [`${PACKAGE}@1.8.14`] },
  start: async ({ folder, data, port }) => {
    const root = etherpadRoot(folder);
    const settings = join(root, 'settings.json');
    const store = { dbType: 'dirty', dbSettings: { filename: join(data, 'dirty.db') } };
    const pad = { ip: '127.0.0.1', port, minify: false, defaultPadText: '', ...store };
    writeFileSync(settings, JSON.stringify(pad));
    const program = join(root, 'src/node/server.js');
    const started = await serveBy(process.execPath, [program, '--settings', settings], port);
    const end = async (): Promise<void> => {
      await started.end();
      rmSync(root, { recursive: true, force: true });
    };
    return { end };
  },
  fields: [
    {
      title: 'pad',
      way: 'window',
      compose: openPad,
      selector: 'iframe[name=ace_outer]',
      focus: async (tab) => {
        await tab.waitUntil(() => {
          const outer = document.querySelector<HTMLIFrameElement>('iframe[name=ace_outer]');
          const inner =
            outer?.contentDocument?.querySelector<HTMLIFrameElement>('[name=ace_inner]');
          return inner?.contentDocument?.body.isContentEditable === true;
        });
        await tab.click('iframe[name=ace_outer]');
      },
      // It saves by itself.
      save: () => Promise.resolve(),
      edit: openPad,
    },
  ],
};
