import type { World } from './client-samples.ts';

/* What each sample of docs/recipes is given and what has to become true, in their order: see client-samples.ts. */

const APP = `await sealwright.connect({ purpose: 'Try it.', capabilities: ['seal', 'open'] });`;
/** An app's own store of rows. */
const DB = `const rows = new Map();
  const db = { all: async () => [...rows.values()], put: async (row) => void rows.set(row.id, row) };
  Object.assign(globalThis, { db });`;
/** The text of a row, opened by itself. */
const TEXT_OF = `async (id) => new TextDecoder().decode(
  await sealwright.open((await db.all()).find((row) => row.id === id).text, { context: 'note ' + id }))`;

export const RECIPE_WORLDS: Readonly<Record<string, readonly World[]>> = {
  'docs/recipes/rows.md': [
    {
      given: `${APP} ${DB}
        for (let id = 0; id < 1100; id++) await db.put({ id, text: 'text ' + id });
        await db.put({ id: 'sealed', text: await sealwright.seal('kept', { context: 'note sealed' }) });`,
      holds: `(await db.all()).every(({ text }) => typeof text !== 'string')
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
      holds: `old.length === 2 && (await (${TEXT_OF})(1)) === 'text 1' && (await (${TEXT_OF})(3)) === 'text 3'
        && (await sealwright.inspect((await db.all())[0].text)).headerKeyId === headerKeyId`,
    },
  ],
  'docs/recipes/locked.md': [
    {
      given: `${APP} await extension.user.lock(); setTimeout(() => extension.user.unlock(), 200);`,
      holds: `(await sealwright.open(sealed, { context: 'note 7' })).length === 15`,
    },
  ],
  'docs/recipes/moving.md': [
    {
      given: `import { connectSealwright } from 'sealwright'; globalThis.connectSealwright = connectSealwright;`,
      holds: `await (async () => {
        const other = extension.pageOf('https://new.example');
        extension.user.answers(({ keys }) => ({ allow: true, ref: keys[0].ref }));
        await other.connect({ purpose: 'x', key: { kind: 'sealing', label: 'Notes' }, capabilities: ['open'] });
        return (await other.open(sealed, { context: 'note 7' })).length === 15;
      })()`,
    },
    {
      given: `${APP} import { connectSealwright } from 'sealwright';
        const rows = [{ id: 7, text: await sealwright.seal('Meet me at nine', { context: 'note 7' }) }];
        Object.assign(globalThis, { connectSealwright, rows });`,
      holds: `moved[0].text !== rows[0].text && await (async () => {
        const other = extension.pageOf('https://new.example');
        extension.user.answers(({ keys }) => ({ allow: true, ref: keys[0].ref }));
        await other.connect({ purpose: 'x', key: { kind: 'sealing', label: 'Notes' }, capabilities: ['open'] });
        return (await other.open(moved[0].text, { context: 'note 7' })).length === 15;
      })()`,
    },
  ],
  'docs/recipes/accounts.md': [
    {
      given: APP,
      holds: `asBob === 'AUTH_FAILED' && new TextDecoder().decode(asAda) === 'Meet me at nine'`,
    },
  ],
  'docs/recipes/reports.md': [
    {
      given: `${APP} globalThis.fetch = async (...words) => void note(...words);`,
      holds: `JSON.parse(calls[0][1].body).code === 'BAD_ENVELOPE' && reported(new TypeError('secret')).message === 'TypeError'`,
    },
  ],
};
