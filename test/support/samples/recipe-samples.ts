import { basename } from 'node:path';
import { samplesIn, type World } from './client-samples.ts';

/*
 * What each sample of docs/recipes is given and what has to become true, in their order: see client-samples.ts. Each sample is
 * TypeScript: `types` declares what it does not define itself, `OwnBytes` excepted, which all have.
 */
export interface TypedWorld extends World {
  readonly types: string;
}

const SEALWRIGHT = `import type { Sealwright } from 'sealwright'; declare const sealwright: Sealwright;`;
const SEALED_ROWS = `declare const rows: readonly { id: number; sealed: OwnBytes }[];`;
const ELEMENTS = `declare const banner: HTMLElement; declare const button: HTMLButtonElement; declare const line: HTMLElement;
  declare const openInTab: HTMLAnchorElement; declare const connectButton: HTMLButtonElement;
  declare const renewButton: HTMLButtonElement; declare const editor: HTMLTextAreaElement;`;

const APP = `await sealwright.connect({ purpose: 'Try it.', capabilities: ['seal', 'open', 'blindIndex'] });`;
/** An app's own store of rows. */
const DB = `const rows = new Map();
  const db = {
    all: async () => [...rows.values()],
    get: async (id) => rows.get(id),
    put: async (row) => void rows.set(row.id, row),
    byIndex: async (index) => [...rows.values()].find(({ emailIndex }) => emailIndex === index),
  };
  Object.assign(globalThis, { db });`;
/** The text of a row, opened by itself. */
const TEXT_OF = `async (id) => new TextDecoder().decode(
  await sealwright.open((await db.all()).find((row) => row.id === id).text, { context: 'note ' + id }))`;
const NOTES = `${APP}
  const rows = [];
  for (const [id, text] of ['Meet me at nine', 'Bring the letters', 'At nine again'].entries()) {
    rows.push({ id, sealed: await sealwright.seal(text, { context: 'note ' + id }) });
  }
  Object.assign(globalThis, { rows });`;
/** The browser's locks, which Node has from version 24 on, and a browser's name. */
const NAVIGATOR = `
  import { FakeLocks } from '../../test/client/fake-locks.ts';
  const value = { locks: new FakeLocks().api, userAgent: 'Android' };
  Object.defineProperty(globalThis, 'navigator', { value, configurable: true });`;
const FOLDED = `globalThis.folded = (email) => email.trim().toLowerCase().normalize('NFC');`;

/** Ada, whose page the sample is, Bob, another user, and Carol, with what they have given to the server. */
const TEAM = `${APP} ${DB}
  import { generateIdentity } from 'sealwright/sharing';
  import { createTestSealwright } from 'sealwright/testing';
  const bob = await createTestSealwright();
  const joined = async (name, { connect, publicKey }) => {
    const purpose = 'Write with your team.';
    const key = async (kind, capabilities) => (await connect({ purpose, key: { kind }, capabilities }))[0].keyId;
    await connect({ purpose, capabilities: ['seal', 'open'] });
    const [sharingKey, signingKey] = [
      await key('sharing', ['open', 'publicKey']), await key('signing', ['sign', 'publicKey'])];
    return { name, sealTo: await publicKey(sharingKey), verifyWith: await publicKey(signingKey), signingKey };
  };
  const ada = await joined('ada', sealwright);
  const { publicKey } = await generateIdentity();
  const members = [ada, await joined('bob', bob.sealwright), { name: 'carol', sealTo: publicKey, verifyWith: '' }];
  Object.assign(globalThis, { bob, members, signingKey: ada.signingKey });
  const to = [members[1].sealTo];
  const sealed = await sealwright.seal('Meet me at nine', { to, toSelf: true, context: 'note 7' });
  const signature = await sealwright.sign(sealed, { key: ada.signingKey });
  globalThis.row = { id: 7, by: 'ada', sealed, signature };
  await db.put(row);`;
const TEAM_TYPES = `${SEALWRIGHT}
  interface Member { name: string; sealTo: string; verifyWith: string }
  type Bytes = OwnBytes;
  interface SharedRow { id: number; by: string; sealed: Bytes; signature: Bytes }
  declare const members: readonly Member[]; declare const signingKey: string; declare const row: SharedRow;
  declare const db: { all(): Promise<SharedRow[]>; get(id: number): Promise<SharedRow>; put(row: SharedRow): Promise<void> };`;
/** What Bob makes of a row of the server. */
const BOB_OPENS = `bob.sealwright.open((await db.get(7)).sealed, { accept: 'shared', context: 'note 7' })
  .then((opened) => new TextDecoder().decode(opened), ({ code }) => code)`;
const PASSPHRASE = `globalThis.passphrase = 'four words of the user'; globalThis.nonce = new Uint8Array(16).fill(7);`;

const AT_NEW_ADDRESS = (sealed: string) => `await (async () => {
  const other = extension.pageOf('https://new.example');
  extension.user.answers(({ keys }) => ({ allow: true, ref: keys[0].ref }));
  await other.connect({ purpose: 'x', key: { kind: 'sealing', label: 'Notes' }, capabilities: ['open'] });
  return (await other.open(${sealed}, { context: 'note 7' })).length === 15;
})()`;

export const RECIPE_WORLDS: Readonly<Record<string, readonly TypedWorld[]>> = {
  'docs/recipes/rows.md': [
    {
      // What is no message is cheap to refuse, and uses up what the site has at once: the first piece is QUOTA.
      given: `${APP} ${DB}
        for (let id = 0; id < 1100; id++) await db.put({ id, text: 'text ' + id });
        await db.put({ id: 'sealed', text: await sealwright.seal('kept', { context: 'note sealed' }) });
        // Until the site has no 500 calls left.
        for (const count of [9000, 500]) {
          const nothing = Array.from({ length: count }, () => new Uint8Array(9));
          let code = 'ok';
          while (code !== 'QUOTA') code = await sealwright.openMany(nothing).then(() => 'ok', (error) => error.code);
          note(code);
        }`,
      types: `${SEALWRIGHT}
        interface Row { id: number; text: string | OwnBytes }
        declare const db: { all(): Promise<Row[]>; put(row: Row): Promise<void> };`,
      holds: `calls.length === 2 && (await db.all()).every(({ text }) => typeof text !== 'string')
        && (await (${TEXT_OF})(1099)) === 'text 1099' && (await (${TEXT_OF})('sealed')) === 'kept'`,
    },
    {
      given: `${APP} ${DB}
        for (const id of [1, 2]) {
          await db.put({ id, text: await sealwright.seal('text ' + id, { context: 'note ' + id }) });
        }
        const [{ id }] = await sealwright.keys();
        await sealwright.rotateKey(id);
        await db.put({ id: 3, text: await sealwright.seal('text 3', { context: 'note 3' }) });`,
      types: `${SEALWRIGHT}
        interface Row { id: number; text: OwnBytes }
        declare const db: { all(): Promise<Row[]>; put(row: Row): Promise<void> };`,
      holds: `old.length === 2 && (await (${TEXT_OF})(1)) === 'text 1' && (await (${TEXT_OF})(3)) === 'text 3'
        && (await sealwright.inspect((await db.all())[0].text)).headerKeyId === newest`,
    },
  ],
  'docs/recipes/search.md': [
    {
      given: `${APP} ${DB}`,
      types: `${SEALWRIGHT}
        interface Person { id: number; sealed: OwnBytes; emailIndex: string }
        declare const db: { put(person: Person): Promise<void>; byIndex(index: string): Promise<Person | undefined> };`,
      holds: `found.id === 7 && !found.emailIndex.includes('ada')`,
    },
    {
      given: `${APP} ${DB} ${FOLDED}
        import { blindIndexer } from 'sealwright/adapters';
        const email = 'Ada@Example.org';
        const sealed = await sealwright.seal(email, { context: 'person 7' });
        globalThis.before = await blindIndexer(sealwright, 'people.email')(folded(email));
        await db.put({ id: 7, sealed, emailIndex: before });
        const [{ id }] = await sealwright.keys();
        await sealwright.rotateKey(id);`,
      types: `${SEALWRIGHT}
        interface Person { id: number; sealed: OwnBytes; emailIndex: string }
        declare const db: { all(): Promise<Person[]>; put(person: Person): Promise<void> };
        declare function folded(email: string): string;`,
      holds: `generation === 2 && (await db.get(7)).emailIndex !== before
        && (await db.byIndex(await newIndex('ada@example.org'))).id === 7`,
    },
    {
      given: NOTES,
      types: `${SEALWRIGHT} ${SEALED_ROWS}`,
      holds: `hits.map(({ id }) => id).join() === '2,0'`,
    },
  ],
  'docs/recipes/sharing.md': [
    {
      given: `globalThis.db = { join: async (...words) => void note(...words) };`,
      types: `declare const db: { join(member: { name: string; sealTo: string; verifyWith: string }): Promise<void> };`,
      holds: `calls[0][0].sealTo.length === 1628 && calls[0][0].verifyWith.startsWith('swp1.')`,
    },
    {
      given: `${TEAM} rows.clear();`,
      types: TEAM_TYPES,
      holds: `await ${BOB_OPENS} === 'Meet me at nine'`,
    },
    {
      given: TEAM,
      types: TEAM_TYPES,
      holds: `text === 'Meet me at nine'
        && await read({ ...row, by: 'bob' }).catch(({ message }) => message) === 'bob did not write this'`,
    },
    {
      given: `${TEAM} if ((await ${BOB_OPENS}) !== 'Meet me at nine') throw new Error('Bob was no member');`,
      types: TEAM_TYPES,
      holds: `await ${BOB_OPENS} === 'AUTH_FAILED'
        && (await sealwright.open((await db.get(7)).sealed, { accept: 'shared', context: 'note 7' })).length === 15`,
    },
  ],
  'docs/recipes/without.md': [
    {
      given: `${NAVIGATOR} uninstall(); Object.assign(globalThis, { editor: {}, banner: {} });`,
      types: ELEMENTS,
      holds: `editor.readOnly && banner.textContent === 'Your notes open in a browser on a computer.'`,
    },
    {
      given: PASSPHRASE,
      types: `declare const passphrase: string; declare const nonce: Uint8Array;`,
      holds: `new TextDecoder().decode(opened) === 'Meet me at nine'`,
    },
    {
      given: `${APP} ${DB}
        import { sealMessage } from 'sealwright/format';
        const [key, keyId, encoder] = [new Uint8Array(32), new Uint8Array(16), new TextEncoder()];
        const options = { key, keyId, purpose: 'page', associatedData: encoder.encode('note 7') };
        await db.put({ id: 7, sealed: await sealMessage(options, encoder.encode('Meet me at nine')) });
        Object.assign(globalThis, { key });`,
      types: `${SEALWRIGHT}
        declare const key: Uint8Array;
        interface Row { id: number; sealed: OwnBytes }
        declare const db: { all(): Promise<Row[]>; put(row: Row): Promise<void> };`,
      holds: `(await sealwright.open((await db.get(7)).sealed, { context: 'note 7' })).length === 15`,
    },
  ],
  'docs/recipes/second-device.md': [
    {
      // Sealed on another device.
      given: `${NOTES}
        import { createTestSealwright } from 'sealwright/testing';
        const first = await createTestSealwright();
        await first.sealwright.connect({ purpose: 'x', capabilities: ['seal', 'open'] });
        rows.push({ id: 9, sealed: await first.sealwright.seal('There', { context: 'note 9' }) });
        Object.assign(globalThis, { banner: {} });`,
      types: `${SEALWRIGHT} ${SEALED_ROWS} ${ELEMENTS}`,
      holds: `missing === 1 && banner.hidden === false && banner.textContent.startsWith('1 notes')`,
    },
  ],
  'docs/recipes/tabs.md': [
    {
      given: `${APP} Object.assign(globalThis, { connectButton: {} }); setTimeout(() => extension.user.revoke(), 100);`,
      types: `${SEALWRIGHT} ${ELEMENTS}`,
      holds: `connectButton.hidden === false`,
    },
    {
      given: `${NAVIGATOR} globalThis.renewRows = async () => note('renewed');`,
      types: `declare function renewRows(): Promise<void>;`,
      holds: `isMine && calls.length === 1`,
    },
    {
      given: `${APP}
        Object.assign(globalThis, { show: note });
        const sealed = await sealwright.sealText('Meet me at nine', { context: 'note 7' });
        const other = new BroadcastChannel('notes');
        setTimeout(() => other.postMessage({ id: 7, sealed }), 200);
        setTimeout(() => other.close(), 400);`,
      types: `${SEALWRIGHT}
        interface SealedRow { id: number; sealed: string }
        declare function show(id: number, text: string): void;`,
      holds: `calls[0]?.[1] === 'Meet me at nine' && (channel.close(), true)`,
    },
  ],
  'docs/recipes/server-rendering.md': [
    {
      given: `uninstall(); globalThis.sealed = 'sw1.AAAA';`,
      types: `declare const sealed: string;`,
      holds: `html.includes('Looking for Sealwright') && html.includes(sealed) && watch.state.name === 'absent'`,
    },
    {
      given: `${APP}
        const place = { dataset: { sealed: await sealwright.sealText('Meet me at nine', { context: 'note 7' }), id: '7' } };
        const querySelectorAll = (selector) => (selector === '[data-sealed]' ? [place] : []);
        Object.assign(globalThis, { place, document: { querySelectorAll } });`,
      types: ``,
      holds: `place.textContent === 'Meet me at nine' && Reflect.deleteProperty(globalThis, 'document')`,
    },
    { given: ``, types: ``, holds: `engine === 'wasm-simd'` },
  ],
  'docs/recipes/frames.md': [
    {
      // Of a frame that is not served, which test/browser/hostile/frames.test.ts has in browsers.
      given: `import { SealwrightError } from '../../src/rpc/errors.ts';
        const refused = new SealwrightError('UNSUPPORTED', 'In a frame', { reason: 'frame' });
        Object.assign(globalThis, { refused, button: {}, line: {}, openInTab: {} });`,
      types: ELEMENTS,
      holds: `isFrameRefused(refused) && !isFrameRefused(new TypeError('x')) && extension.user.answers('deny') === 'deny'
        && (await button.onclick()) === undefined && openInTab.hidden && line.textContent === explain('USER_REJECTED')`,
    },
  ],
  'docs/recipes/locked.md': [
    {
      given: `${APP} await extension.user.lock(); setTimeout(() => extension.user.unlock(), 200);`,
      types: SEALWRIGHT,
      holds: `(await sealwright.open(sealed, { context: 'note 7' })).length === 15`,
    },
  ],
  'docs/recipes/moving.md': [
    { given: ``, types: ``, holds: AT_NEW_ADDRESS('sealed') },
    {
      given: `${APP}
        const rows = [{ id: 7, sealed: await sealwright.seal('Meet me at nine', { context: 'note 7' }) }];
        Object.assign(globalThis, { rows });`,
      types: SEALED_ROWS,
      holds: `moved[0].sealed !== rows[0].sealed && ${AT_NEW_ADDRESS('moved[0].sealed')}`,
    },
    {
      given: `${APP} ${DB}
        const old = extension.pageOf('https://old.example');
        await old.connect({ purpose: 'x', capabilities: ['seal', 'open'] });
        const stored = [
          { id: 1, sealed: await old.seal('Meet me at nine', { context: 'note 1' }) },
          { id: 2, sealed: await sealwright.seal('At nine again', { context: 'note 2' }) },
        ];
        await extension.user.moveDataFrom('https://old.example');
        Object.assign(globalThis, { rows: stored });`,
      types: `${SEALWRIGHT} ${SEALED_ROWS}
        declare const db: { put(row: { id: number; sealed: OwnBytes }): Promise<void> };`,
      holds: `foreign.length === 1 && (await sealwright.inspect((await db.get(1)).sealed)).headerKeyId === own`,
    },
  ],
  'docs/recipes/accounts.md': [
    {
      given: APP,
      types: SEALWRIGHT,
      holds: `asBob === 'AUTH_FAILED' && new TextDecoder().decode(asAda) === 'Meet me at nine'`,
    },
  ],
  'docs/recipes/tests.md': [
    { given: `uninstall();`, types: ``, holds: `test.user.prompts.length > 1` },
    { given: ``, types: ``, holds: `opened === 'Meet me at nine'` },
  ],
  'docs/recipes/reports.md': [
    {
      given: `${APP} globalThis.fetch = async (...words) => void note(...words);`,
      types: SEALWRIGHT,
      holds: `JSON.parse(calls[0][1].body).code === 'BAD_ENVELOPE' && reported(new TypeError('secret')).message === 'TypeError'`,
    },
    {
      given: `Object.assign(globalThis, { renewButton: {} });`,
      types: `${SEALWRIGHT} ${ELEMENTS}`,
      holds: `canRenew && renewButton.hidden === false`,
    },
  ],
};

/** `Uint8Array<ArrayBuffer>`, which TypeScript has from 5.7 on. */
const OWN_BYTES = `type OwnBytes = import('sealwright').OwnBytes;`;

/** @returns each sample as a module of TypeScript that has what it is given declared, by the name of its file */
export function recipeModules(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(RECIPE_WORLDS).flatMap(([page, worlds]) =>
      samplesIn(page).map(({ code }, at) => [
        `${basename(page, '.md')}-${at + 1}.mts`,
        `${OWN_BYTES}\n${worlds[at]!.types}\n${code}\nexport {};\n`,
      ]),
    ),
  );
}

/** Of the compiler: what is checked most strictly, in an app with a bundler. */
export const RECIPE_OPTIONS = {
  ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
  ...{ noEmit: true, target: 'es2022', module: 'esnext', moduleResolution: 'bundler' },
  ...{ lib: ['es2023', 'dom', 'dom.iterable'], types: ['node'] },
};
