import { expect } from 'chai';
import { REPORTS } from '../../../extension/platform/sites/page-shown.ts';
import { PORTS_OF_DOCUMENT } from '../../../extension/platform/channels/runtime-channel.ts';
import { IN_PLACE_BYTES, SERVED_METHODS } from '../../../src/rpc/methods/content.ts';
import { METHODS, type MethodName, type UiMethod } from '../../../src/rpc/methods/methods.ts';
import { UI_METHODS } from '../../../src/rpc/methods/ui.ts';
import { callContentScript, callFrameScript } from '../drivers/content-script-calls.ts';
import type { Tab } from '../drivers/driver.ts';
import { BROWSERS } from '../drivers/launch.ts';
import * as fieldSteps from '../field-steps.ts';
import {
  converse,
  functionsOfApi,
  openPorts,
  sendWithoutPort,
} from '../in-page/attacks/raw-port.ts';
import type { Conversation, Heard, Transcript } from '../in-page/attacks/raw-port.ts';
import { CASES, FORGED_CALLERS, NOISE, outcomeFor } from '../../support/samples/method-cases.ts';
import type { Granted, Standing } from '../../support/samples/method-cases.ts';
import { closeScene, openVaultScene, type Scene } from '../scene.ts';
import { serve, type TestServer } from '../server.ts';
import * as steps from '../steps.ts';
import { connect, openEnabledSite, succeed } from '../steps.ts';

/*
 * Code in the content script's own world, as a compromised renderer has it: what it can say to the
 * background (T9 of the threat model). Methods come from the tables, and kinds of messages from the
 * type of the envelope.
 */

const FUNCTIONS = { converse, openPorts, sendWithoutPort, functionsOfApi };
const NAMES = Object.keys(METHODS) as MethodName[];
const OF_PAGES = NAMES.filter((name): name is keyof typeof CASES => !(name in UI_METHODS));

/** What methods of the extension's own pages answer that shows any change that a method could make. */
const STATE = [
  'ui.slots',
  'ui.keys',
  'ui.sites',
  'ui.contacts',
  'ui.backupTimes',
  'ui.passkeys',
  'ui.siteMovements',
  'ui.graphicsCard',
] as const satisfies readonly UiMethod[];

const ask = (id: string, method: string, params: unknown = {}, more: object = {}) => ({
  v: 1,
  kind: 'request',
  id,
  method,
  params,
  ...more,
});

/** With bytes as they cross to a page, and without what is undefined. */
function plain(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Uint8Array) return { $bytes: [...value] };
  if (Array.isArray(value)) return value.map(plain);
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plain(one)]));
}

const fromPlain = (value: unknown): Uint8Array =>
  Uint8Array.from((value as { $bytes: number[] }).$bytes);

const inContentScript = (tab: Tab) => (conversation: Conversation) =>
  callContentScript(tab, 'converse', conversation) as Promise<Transcript>;

const outcomesOf = (responses: readonly Heard[]): Record<string, string> =>
  Object.fromEntries(responses.map(({ id, outcome }) => [id, outcome]));

for (const browser of BROWSERS) {
  let scene: Scene;
  let second: TestServer;
  /** Has a grant to seal and open. */
  let site: Tab;
  /** Is enabled, and has no grant. */
  let other: Tab;
  /** One of the extension's own pages. */
  let manager: Tab;
  let granted: Granted;

  /** By the extension's own page. */
  const state = async (): Promise<unknown> => {
    const messages = STATE.map((name) => ask(name, name));
    const { responses } = await manager.evaluate(converse, { messages, responses: STATE.length });
    expect(outcomesOf(responses)).to.deep.equal(
      Object.fromEntries(STATE.map((name) => [name, 'answered'])),
    );
    const text = JSON.stringify(responses.map(({ id, result }) => [id, result]).sort());
    return text.replace(/"lastUsed?":\w+/g, '');
  };

  /** Every method once, on one port. No id is that of an earlier call. */
  const everyMethod = async (tab: Tab, standing: Standing): Promise<readonly Heard[]> => {
    const names = OF_PAGES.filter((name) => name !== 'connect' && name !== 'formStopped');
    const messages = names.map((name) =>
      ask(`${standing} ${name}`, name, plain(CASES[name](granted))),
    );
    const { isClosed, responses, others } = await inContentScript(tab)({
      messages,
      responses: names.length,
    });
    expect({ isClosed, others }).to.deep.equal({ isClosed: false, others: [] });
    expect(outcomesOf(responses)).to.deep.equal(
      Object.fromEntries(
        names.map((name) => [`${standing} ${name}`, outcomeFor(name, METHODS[name], standing)]),
      ),
    );
    return responses;
  };

  /** What its frame is to the background: who pays, and whose marks it learns of. */
  function describeFrames(): void {
    it('pays for each call once, and gets no other call for the price', async () => {
      const { session } = scene;
      const limited = await openEnabledSite(session, `${second.origin}/blank.html`);
      await connect(session, limited, { ...steps.SEAL_AND_OPEN, maxUses: 2 });
      await limited.evaluate(async () => {
        const frame = document.createElement('iframe');
        frame.src = 'blank.html?frame';
        const loaded = new Promise((resolve) => (frame.onload = resolve));
        document.body.append(frame);
        await loaded;
      });
      const converse = inContentScript(limited);
      const inFrame = (conversation: Conversation) =>
        callFrameScript(limited, 0, 'converse', conversation) as Promise<Transcript>;
      const seal = (id: string, ...plaintext: number[]) =>
        ask(id, 'seal', { plaintext: steps.bytes(...plaintext) });
      const heard = async (from: typeof converse, message: object): Promise<Heard> =>
        (await from({ messages: [message], responses: 1 })).responses[0]!;
      const outcome = async (from: typeof converse, message: object) =>
        (await heard(from, message)).outcome;
      const usesLeft = async () =>
        ((await succeed(limited, 'grants')) as { usesLeft: number }[])[0]!.usesLeft;
      const first = await heard(converse, seal('id', 1));
      expect(first.outcome).to.equal('answered');
      expect(await outcome(converse, seal('id', 1)), 'a replay').to.equal('answered');
      expect(await usesLeft()).to.equal(1);
      for (const message of [
        seal('id', 2),
        ask('id', 'seal', { plaintext: steps.bytes(1), pad: true }),
        ask('id', 'sealText', { text: steps.bytes(1) }),
        ask('id', 'open', { sealed: first.result }),
        ask('id', 'sealMany', { items: { bytes: steps.bytes(), lengths: steps.bytes() } }),
        ask('id', 'releaseSeal', { purpose: 'page' }),
      ]) {
        expect(await outcome(converse, message), message.method).to.equal('INVALID_ARGUMENT');
      }
      expect(await usesLeft()).to.equal(1);
      expect(await outcome(inFrame, seal('id', 1)), 'the id of another frame').to.equal('answered');
      expect(await succeed(limited, 'grants'), 'used up').to.deep.equal([]);
      for (const from of [converse, inFrame]) {
        expect(await outcome(from, seal('new id', 1))).to.equal('EXPIRED');
        expect(await outcome(from, seal('id', 1)), 'a replay again').to.equal('answered');
      }
      await limited.close();
    });

    it('is what the browser says its frame is, in a page of another site too', async () => {
      await other.evaluate(async (address) => {
        const frame = document.createElement('iframe');
        frame.src = address;
        const loaded = new Promise((resolve) => (frame.onload = resolve));
        document.body.append(frame);
        await loaded;
      }, `${scene.server.origin}/blank.html`);
      const names = OF_PAGES.filter((name) => name !== 'formStopped');
      const messages = names.map((name) => ask(name, name, plain(CASES[name](granted))));
      const { responses } = (await callFrameScript(other, 0, 'converse', {
        messages,
        responses: names.length,
      })) as Transcript;
      const forAny = names.filter((name) => 'frames' in METHODS[name]);
      expect(forAny).to.deep.equal(['guardedFields', 'sealGuarded']);
      const refused = Object.fromEntries(names.map((name) => [name, 'UNSUPPORTED']));
      expect(outcomesOf(responses)).to.deep.equal({
        ...refused,
        guardedFields: 'answered',
        sealGuarded: 'NOT_GRANTED',
      });
      expect(await scene.session.countTabs('prompt.html')).to.equal(0);
    });

    it('seals what its own site’s user marked, and learns of no other site’s marks', async () => {
      const { session, server } = scene;
      const marking = await session.newTab(`${server.origin}/guarded.html`);
      await marking.click('[name=message]');
      await fieldSteps.mark(session, marking);
      await marking.close();
      const messages = [
        ask('fields', 'guardedFields'),
        ask('seal', 'sealGuarded', plain({ text: Uint8Array.of(1) })),
      ];
      const [own, foreign] = await Promise.all(
        [site, other].map((tab) => inContentScript(tab)({ messages, responses: 2 })),
      );
      expect(outcomesOf(own!.responses)).to.deep.equal({ fields: 'answered', seal: 'answered' });
      expect(JSON.stringify(own!.responses)).to.include('"value":"message"');
      expect(outcomesOf(foreign!.responses)).to.deep.equal({
        fields: 'answered',
        seal: 'NOT_GRANTED',
      });
      const fields = foreign!.responses.find(({ id }) => id === 'fields')!;
      expect(fields.result).to.deep.equal({ fields: [] });
    });
  }

  describe(`an attacker in the content script who talks to the background, in ${browser}`, () => {
    before(async () => {
      scene = await openVaultScene(browser, { contentScriptFunctions: FUNCTIONS });
      second = await serve('test/browser/fixtures');
      const { session, server } = scene;
      site = await openEnabledSite(session, `${server.origin}/guarded.html`);
      other = await openEnabledSite(session, `${server.otherOrigin}/blank.html`);
      await connect(session, site);
      const [grant] = (await succeed(site, 'grants')) as { id: string; keyId: string }[];
      granted = {
        sealed: fromPlain(await succeed(site, 'seal', steps.bytes(1, 2, 3))),
        keyId: grant!.keyId,
        grantId: grant!.id,
      };
      manager = await session.newTab(session.extensionUrl('manager.html'));
    });

    after(async () => {
      await closeScene(scene);
      await second.close();
    });

    it('has no part of the API by which the browser obeys the extension', async () => {
      const names = (await callContentScript(site, 'functionsOfApi')) as string[];
      expect(names).to.include.members(['runtime.connect', 'runtime.sendMessage']);
      const powers = ['permissions', 'scripting', 'tabs', 'windows', 'alarms', 'idle', 'offscreen'];
      const more = ['contextMenus', 'menus', 'commands', 'action', 'cookies', 'management'];
      const isPower = (name: string) => [...powers, ...more].includes(name.split('.')[0]!);
      expect(names.filter(isPower)).to.deep.equal([]);
    });

    it('calls no method of the extension’s own pages, in whatever form', async () => {
      const before = await state();
      const names = NAMES.filter(
        (name) => outcomeFor(name, METHODS[name], 'grant') === 'UNSUPPORTED',
      );
      expect(names).to.deep.equal(Object.keys(UI_METHODS));
      const ofContentScripts = Object.keys(SERVED_METHODS).filter((name) => !(name in METHODS));
      const absent = [
        '',
        'constructor',
        '__proto__',
        'toString',
        'ui.',
        'UI.LOCK',
        ...ofContentScripts,
      ];
      const forged = { ...FORGED_CALLERS(scene.session.extensionUrl('')), by: { passphrase: 'x' } };
      const shapes = [{}, null, [], 'text', forged];
      const requests = [...names, ...absent].flatMap((name) =>
        shapes.map((params, i) => ask(`${name} ${i}`, name, params)),
      );
      const refused = Object.fromEntries(requests.map(({ id }) => [id, 'UNSUPPORTED']));
      const responses = requests.length;
      for (const tab of [site, other]) {
        const converse = inContentScript(tab);
        const one = await converse({ messages: requests, responses });
        expect(outcomesOf(one.responses)).to.deep.equal(refused);
        const messages: unknown[] = [];
        for (let i = 0; i < requests.length; i += 200) {
          messages.push({ v: 1, kind: 'many', messages: requests.slice(i, i + 200) });
        }
        const batched = await converse({ messages, responses });
        expect(outcomesOf(batched.responses)).to.deep.equal(refused);
        const asText = await converse({ codec: 'base64', messages: requests, responses });
        expect(outcomesOf(asText.responses)).to.deep.equal(refused);
        const body = ask('in pieces', 'ui.unlock', { passphrase: null });
        const parcel = { v: 1, kind: 'parcel', parcel: 1, body, paths: [['params', 'passphrase']] };
        const piece = { v: 1, kind: 'piece', parcel: 1, bytes: steps.bytes(1, 2, 3) };
        const pieces = await converse({
          messages: [{ ...parcel, lengths: [3] }, piece],
          responses: 1,
        });
        expect(outcomesOf(pieces.responses)).to.deep.equal({ 'in pieces': 'UNSUPPORTED' });
      }
      expect(await state()).to.equal(before);
    });

    it('calls the methods of pages as a page of its own site, with that site’s grant', async () => {
      await everyMethod(site, 'grant');
    });

    it('gets nothing with the names and messages of another site, without a grant', async () => {
      const responses = await everyMethod(other, 'nothing');
      const told = JSON.stringify(responses);
      for (const name of [granted.keyId, granted.grantId, new URL(scene.server.origin).host]) {
        expect(told).not.to.include(name);
      }
      const grants = responses.find(({ id }) => id === 'nothing grants')!;
      expect(grants.result).to.deep.equal([]);
      expect(await succeed(site, 'grants')).to.have.length(1);
    });

    it('opens one window at most by saying that a form was stopped, and one question by asking', async () => {
      const { session } = scene;
      const converse = inContentScript(other);
      const stopped = Array.from({ length: 20 }, (_, i) =>
        ask(`stopped ${i}`, 'formStopped', plain(CASES.formStopped(granted))),
      );
      const { responses } = await converse({ messages: stopped, responses: stopped.length });
      expect(new Set(Object.values(outcomesOf(responses)))).to.deep.equal(new Set(['answered']));
      const window = await session.waitForTab('fields-window.html');
      expect(await session.countTabs('fields-window.html')).to.equal(1);
      await fieldSteps.closed(session, window);
      const params = plain(CASES.connect(granted));
      const line = 'asking';
      await converse({ line, messages: [ask('asked', 'connect', params)] });
      const prompt = await session.waitForTab('prompt.html');
      await prompt.waitFor('#allow[aria-disabled="false"]');
      expect(await prompt.text('body')).to.include(new URL(scene.server.otherOrigin).host);
      // The id of a call that waits: of no use to this frame, nor to another.
      const again = await converse({ messages: [ask('asked', 'status')], responses: 1 });
      expect(outcomesOf(again.responses)).to.deep.equal({ asked: 'INVALID_ARGUMENT' });
      const foreign = await inContentScript(site)({
        messages: [{ v: 1, kind: 'abort', id: 'asked' }, ask('asked', 'status')],
        responses: 1,
      });
      expect(outcomesOf(foreign.responses)).to.deep.equal({ asked: 'answered' });
      expect(await session.countTabs('prompt.html')).to.equal(1);
      await steps.answerPrompt(session, 'deny');
      const denied = await converse({ line, responses: 1 });
      expect(outcomesOf(denied.responses)).to.deep.equal({ asked: 'USER_REJECTED' });
    });

    it('passes for no other caller by any field of a message or its parameters', async () => {
      const fields = Object.entries(FORGED_CALLERS(scene.server.origin));
      for (const [tab, standing] of [
        [site, 'grant'],
        [other, 'nothing'],
      ] as const) {
        const inParams = OF_PAGES.flatMap((name) =>
          fields.map(([field, value]) =>
            ask(`${name} ${field}`, name, {
              ...(plain(CASES[name](granted)) as object),
              [field]: value,
            }),
          ),
        );
        const inEnvelope = fields.flatMap(([field, value]) => [
          ask(`envelope ${field}`, 'grants', {}, { [field]: value }),
          ask(`envelope of ui ${field}`, 'ui.keys', {}, { [field]: value }),
        ]);
        const { responses, isClosed } = await inContentScript(tab)({
          messages: [...inParams, ...inEnvelope],
          responses: inParams.length,
        });
        expect(isClosed).to.equal(false);
        expect(outcomesOf(responses), standing).to.deep.equal(
          Object.fromEntries(inParams.map(({ id }) => [id, 'INVALID_ARGUMENT'])),
        );
      }
    });

    it('gets no answer to ill-formed messages of any kind, and changes nothing by them', async () => {
      const before = await state();
      await site.evaluate(() => {
        const heard: string[] = [];
        const { sealwright } = globalThis as unknown as { sealwright: EventTarget };
        for (const name of ['lock', 'unlock', 'grantchange', 'disconnect']) {
          sealwright.addEventListener(name, () => heard.push(name));
        }
        Object.assign(globalThis, { heard });
      });
      const converse = inContentScript(other);
      for (const [kind, messages] of Object.entries(NOISE)) {
        for (const codec of ['clone', 'base64'] as const) {
          for (const message of messages) {
            const { responses, others } = await converse({ codec, messages: [message] });
            expect({ responses, others }, `${kind} ${JSON.stringify(message)}`).to.deep.equal({
              responses: [],
              others: [],
            });
          }
        }
      }
      // As they are, without a port: a greeting, requests, all kinds.
      const requests = NAMES.map((name) => ask(name, name));
      const alone = [...Object.values(NOISE).flat(), ...requests, ...NAMES, { kind: 'hello' }];
      const answers = (await callContentScript(other, 'sendWithoutPort', alone)) as string[];
      expect(answers).to.have.length(alone.length);
      const told = answers.filter((text) => !/^(undefined|null|Error: .*)$/.test(text));
      expect(told).to.deep.equal([]);
      expect(await state()).to.equal(before);
      expect(await succeed(site, 'status')).to.deep.include({ locked: false });
      const heard = await site.evaluate(() => (globalThis as unknown as { heard: string[] }).heard);
      expect(heard).to.deep.equal([]);
    });

    it('has no port of another name, and none before it has answered the greeting', async () => {
      const converse = inContentScript(site);
      const { session } = scene;
      const names = [
        '',
        'popup',
        'manager',
        'prompt',
        'fields',
        'Sealwright',
        'sealwright ',
        '__proto__',
      ];
      for (const portName of [...names, session.extensionUrl('popup.html')]) {
        const transcript = await converse({ portName, messages: [ask('a', 'status')] });
        const nothing = { isGreeted: false, isClosed: true, responses: [], others: [] };
        expect(transcript, portName).to.deep.equal(nothing);
      }
      const early = [ask('early', 'status'), ask('early', 'ui.lock'), { v: 1, kind: 'ping' }];
      const transcript = await converse({ early, messages: [ask('a', 'status')], responses: 1 });
      expect(outcomesOf(transcript.responses)).to.deep.equal({ a: 'answered' });
    });

    it('leaves others their answers, with more ports and messages than it may have', async () => {
      const kept = (await callContentScript(other, 'openPorts', 10 * PORTS_OF_DOCUMENT)) as number;
      // The page's own script may have had one.
      expect(kept).to.be.within(PORTS_OF_DOCUMENT - 1, PORTS_OF_DOCUMENT);
      const none = await inContentScript(other)({ messages: [ask('a', 'status')] });
      expect(none.isClosed).to.equal(true);
      const shown = Array<string>(REPORTS.ofTab * 10).fill('sealwright: a page was shown');
      const answers = (await callContentScript(other, 'sendWithoutPort', shown)) as string[];
      expect(new Set(answers)).to.deep.equal(new Set(['undefined']));
      expect(await succeed(site, 'status')).to.deep.include({ locked: false });
      await other.reload();
      await other.waitUntil(() => 'sealwright' in globalThis);
      expect(await succeed(other, 'status')).to.deep.include({ locked: false });
    });

    it('leaves others their place, with more announced than it may', async () => {
      const parcels = Array.from({ length: 500 }, (_, i) => ({
        v: 1,
        kind: 'parcel',
        parcel: i,
        body: { text: 'x'.repeat(1000) },
        paths: [['a']],
        lengths: [90 * 2 ** 20],
      }));
      for (const line of ['one', 'two']) await inContentScript(other)({ line, messages: parcels });
      const plaintext = steps.bytes(...Array<number>(IN_PLACE_BYTES - 100).fill(1));
      const sealed = await succeed(site, 'seal', plaintext);
      expect(await succeed(site, 'open', sealed)).to.deep.equal(plaintext);
      await other.reload();
      await other.waitUntil(() => 'sealwright' in globalThis);
    });

    describeFrames();

    it('gets nothing while the vault is locked, by ports of before and after', async () => {
      const { session } = scene;
      const line = 'of before';
      for (const tab of [site, other]) await inContentScript(tab)({ line });
      await manager.close();
      await steps.lockVault(session);
      for (const tab of [site, other]) {
        await everyMethod(tab, 'locked');
        const messages = [ask('keys', 'keys'), ask('state', 'ui.state')];
        const { responses } = await inContentScript(tab)({ line, messages, responses: 2 });
        expect(outcomesOf(responses)).to.deep.equal({ keys: 'LOCKED', state: 'UNSUPPORTED' });
      }
      await steps.unlockVault(session);
      expect(await succeed(site, 'grants')).to.have.length(1);
    });
  });
}
