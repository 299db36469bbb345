import { writeFileSync } from 'node:fs';
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
